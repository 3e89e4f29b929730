//! `bordereau listen`: a receiver on a server that the service can reach, for desks that follow it.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use bordereau_desk::api::{BoundaryError, ErrorCode};
use bordereau_desk::{ListenSecrets, SecretText};
use bordereau_host::credential_output::{CredentialOutput, GeneratedSecrets};
use bordereau_host::{terminal_text, wait_for_shutdown};
use bordereau_server::report_refusals;
use clap::Args;
use serde_json::json;

use crate::exit::CommandExit;
use crate::serve::REPORT_EVERY;
use crate::shared_arguments::{CertificateArgs, GlobalArgs};
use crate::{open_desk, output};

/// The secret that signs deliveries, for unattended use.
const SECRET_VARIABLE: &str = "BORDEREAU_WEBHOOK_SECRET";
/// The value of the header that deliveries carry, for unattended use.
const HEADER_VARIABLE: &str = "BORDEREAU_WEBHOOK_HEADER";
/// The token that followers of this listener send, for unattended use.
const TOKEN_VARIABLE: &str = "BORDEREAU_LISTEN_TOKEN";

#[derive(Args, Debug)]
pub(crate) struct ListenArguments {
    /// Address and port to listen on; without a certificate on this computer only; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) bind: SocketAddr,
    /// Name of the header the webhook was set up with; its value is in BORDEREAU_WEBHOOK_HEADER
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(crate) header_name: String,
    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,
    /// Name that requests may carry as Host, such as that of the web server in front; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) host_names: Vec<String>,
    /// Largest delivery in KB; events of large batches may need more
    #[arg(long, value_name = "KB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=16 * 1024))]
    pub(crate) body_limit: u32,
    /// Write the generated token as JSON into this file, readable by its owner only
    #[arg(long, value_name = "FILE")]
    pub(crate) credentials_file: Option<PathBuf>,
}

pub(crate) async fn run_listen(place: &GlobalArgs, asked: ListenArguments) -> Result<(), CommandExit> {
    let certificate = asked.certificate.open_files(asked.bind.ip())?;
    let desk = open_desk::open_desk_to_save(place, Arc::default())?;
    let view = open_desk::find_profile(&desk, place.profile.as_deref()).await?;
    let desk = desk.with_profile(&view.profile.id);
    let given = |variable| bordereau_host::from_environment(variable).map(|text| text.map(SecretText::new));
    let header = if asked.header_name.is_empty() {
        None
    } else {
        let value = given(HEADER_VARIABLE)?.ok_or_else(|| {
            CommandExit::usage_error(format!("--header-name needs the value in {HEADER_VARIABLE}"))
        })?;
        Some((asked.header_name, value))
    };
    let secrets = ListenSecrets { secret: given(SECRET_VARIABLE)?, header, token: given(TOKEN_VARIABLE)? };
    let makes_token = secrets.token.is_none();
    let mut output_of_secrets =
        CredentialOutput::open(asked.credentials_file.as_deref()).map_err(CommandExit::with_failure)?;
    let (listener, token) = desk.open_listener(secrets).await.map_err(without_secret)?;
    let body_bytes = usize::try_from(asked.body_limit).unwrap_or(usize::MAX).saturating_mul(1024);
    let mut listener = listener.with_host_names(asked.host_names).with_body_bytes(body_bytes);
    let own_name = certificate.as_ref().and_then(|files| files.host_names().into_iter().next());
    let is_https = certificate.is_some();
    if let Some(certificate) = certificate {
        listener = listener.with_certificate(certificate);
    }
    let failed = |error: std::io::Error| {
        CommandExit::with_failure(format!("cannot listen on {}: {error}", asked.bind))
    };
    let socket = TcpListener::bind(asked.bind).map_err(failed)?;
    let address = socket.local_addr().map_err(failed)?;
    let secrets = if makes_token { vec![("token", token.as_str())] } else { Vec::new() };
    let shown = output_of_secrets
        .hand_out(secrets, "give it in BORDEREAU_LISTEN_TOKEN")
        .map_err(CommandExit::with_failure)?;
    let scheme = if is_https { "https" } else { "http" };
    let host = own_name.map_or(address.to_string(), |name| format!("{name}:{}", address.port()));
    announce_listener(place.json, address, &format!("{scheme}://{host}"), &view.profile.name, &shown)?;
    tokio::spawn(report_refusals(listener.refusal_counts(), REPORT_EVERY, output::print_note));
    desk.receive_events(listener, socket, wait_for_shutdown()).await.map_err(failed)
}

/// A listener needs the webhook's secret, which no profile command stores.
fn without_secret(error: BoundaryError) -> CommandExit {
    if error.code != ErrorCode::NoCredentials {
        return error.into();
    }
    let message = error.message;
    CommandExit::not_authorized(format!(
        "{message} Put the one that `bordereau webhook add` showed into {SECRET_VARIABLE}."
    ))
}

fn announce_listener(
    as_json: bool,
    address: SocketAddr,
    base: &str,
    profile: &str,
    shown: &GeneratedSecrets,
) -> Result<(), CommandExit> {
    if as_json {
        let mut line = json!({
            "listening": address.to_string(),
            "profile": profile,
            "deliveries": format!("{base}/events"),
            "follow": base,
        });
        for (name, secret) in shown {
            line[*name] = (*secret).into();
        }
        return output::write(&format!("{}\n", terminal_text::escape_json(&line.to_string())));
    }
    let token: String = shown.iter().map(|(_, token)| format!("  with the token      {token}\n")).collect();
    let from_elsewhere = if base.starts_with("https:") {
        ""
    } else {
        "From other computers, both need a web server with TLS in front, or --cert and --key. "
    };
    output::write(&format!(
        "Listening for {profile}\n  deliveries go to    {base}/events\n  Bordereau follows   {base}\n{token}{from_elsewhere}Press Ctrl-C to stop.\n"
    ))
}
