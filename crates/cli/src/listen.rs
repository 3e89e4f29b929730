//! `bordereau listen`: a receiver on a server that the service can reach, for desks that follow it.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use bordereau_desk::api::{BoundaryError, ErrorCode};
use bordereau_desk::{ListenSecrets, SecretText};
use clap::Args;
use serde_json::json;

use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output, secret_entry, terminal_text};

/// The secret that signs deliveries, for unattended use.
const SECRET_VARIABLE: &str = "BORDEREAU_WEBHOOK_SECRET";
/// The value of the header that deliveries carry, for unattended use.
const HEADER_VARIABLE: &str = "BORDEREAU_WEBHOOK_HEADER";
/// The token that followers of this listener send, for unattended use.
const TOKEN_VARIABLE: &str = "BORDEREAU_LISTEN_TOKEN";

#[derive(Args, Debug)]
pub(crate) struct ListenArguments {
    /// Address and port to listen on, plain HTTP: put a web server with TLS in front; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) bind: SocketAddr,
    /// Name of the header the webhook was set up with; its value is in BORDEREAU_WEBHOOK_HEADER
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(crate) header_name: String,
}

pub(crate) async fn run_listen(place: &GlobalArgs, asked: ListenArguments) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place, Arc::default())?;
    let view = open_desk::find_profile(&desk, place.profile.as_deref()).await?;
    let desk = desk.with_profile(&view.profile.id);
    let given = |variable| secret_entry::from_environment(variable).map(|text| text.map(SecretText::new));
    let header = if asked.header_name.is_empty() {
        None
    } else {
        let value = given(HEADER_VARIABLE)?.ok_or_else(|| {
            CommandExit::usage_error(format!("--header-name needs the value in {HEADER_VARIABLE}"))
        })?;
        Some((asked.header_name, value))
    };
    let secrets = ListenSecrets { secret: given(SECRET_VARIABLE)?, header, token: given(TOKEN_VARIABLE)? };
    let (listener, token) = desk.open_listener(secrets).await.map_err(without_secret)?;
    let failed = |error: std::io::Error| {
        CommandExit::with_failure(format!("cannot listen on {}: {error}", asked.bind))
    };
    let socket = TcpListener::bind(asked.bind).map_err(failed)?;
    let address = socket.local_addr().map_err(failed)?;
    announce_listener(place.json, address, &view.profile.name, &token)?;
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
    profile: &str,
    token: &str,
) -> Result<(), CommandExit> {
    if as_json {
        let line = json!({
            "listening": address.to_string(),
            "profile": profile,
            "deliveries": format!("http://{address}/events"),
            "follow": format!("http://{address}"),
            "token": token,
        });
        return output::write(&format!("{}\n", terminal_text::escape_json(&line.to_string())));
    }
    output::write(&format!(
        "Listening for {profile}\n  deliveries go to    http://{address}/events\n  Bordereau follows   http://{address}\n  with the token      {token}\nFrom other machines, both need a web server with TLS in front. Press Ctrl-C to stop.\n"
    ))
}

async fn wait_for_shutdown() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! { _ = terminate.recv() => {}, _ = tokio::signal::ctrl_c() => {} }
            return;
        }
    }
    // Without signals there is nothing to wait for but the end of the process.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
