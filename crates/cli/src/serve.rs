//! `bordereau serve`: the practice service as its own process.

use std::time::Duration;

use bordereau_host::credential_output::{self, CredentialOutput, GeneratedSecrets};
use bordereau_host::{DataFolder, KEY_VARIABLE, PASSWORD_VARIABLE, from_environment};
use bordereau_server::report_refusals;
use bordereau_service::{AccountSeed, RunningService, ServiceConfig};
use serde_json::json;

use crate::arguments::ServeArguments;
use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};
use bordereau_host::terminal_text;

/// How often refusals are reported on standard error.
pub(crate) const REPORT_EVERY: Duration = Duration::from_secs(60);

pub(crate) async fn run_serve(place: &GlobalArgs, asked: ServeArguments) -> Result<(), CommandExit> {
    if asked.dialect == "list" {
        return list_dialects(place.json);
    }
    let dialects = bordereau_service::parse_dialects(&asked.dialect).map_err(|why| {
        CommandExit::usage_error(format!("{why} `bordereau serve --dialect list` lists them."))
    })?;
    let certificate = asked.certificate.open_files(asked.listen.ip())?;
    let data_dir = match asked.data {
        Some(data) => data,
        None => {
            let data = DataFolder::find(place.data_dir.clone())?;
            data.create_folder()?;
            data.join("serve")
        }
    };
    let api_key = from_environment(KEY_VARIABLE)?;
    let password = from_environment(PASSWORD_VARIABLE)?;
    let (makes_key, makes_password) = (api_key.is_none(), password.is_none());
    let mut kept = credential_output::read_kept(asked.credentials_file.as_deref());
    let account = AccountSeed {
        api_key: api_key.or_else(|| kept.remove("api_key")),
        password: password.or_else(|| kept.remove("password")),
        ..AccountSeed::default()
    };
    let mut output_of_secrets =
        CredentialOutput::open(asked.credentials_file.as_deref()).map_err(CommandExit::with_failure)?;
    if data_dir.is_dir() {
        open_desk::warn_of_exposure(&data_dir);
    }
    let config = ServiceConfig {
        data_dir: Some(data_dir),
        account,
        dialects,
        certificate,
        ..ServiceConfig::default()
    };
    let as_json = place.json;
    let told = move |running: &RunningService| {
        let mut secrets = Vec::new();
        if makes_key {
            secrets.push(("api_key", running.api_key.as_str()));
        }
        if makes_password {
            secrets.push(("password", running.password.as_str()));
        }
        let shown = output_of_secrets
            .hand_out(secrets, "give them in BORDEREAU_API_KEY and BORDEREAU_PASSWORD")
            .unwrap_or_else(|why| {
                output::print_note(why);
                Vec::new()
            });
        // The reader may have closed the output; the service runs anyway.
        let _ = output::write(&service_announcement(running, as_json, &shown));
        tokio::spawn(report_refusals(running.refusals.clone(), REPORT_EVERY, output::print_note));
    };
    bordereau_service::serve::run_service(asked.listen, config, told)
        .await
        .map_err(|error| CommandExit::with_failure(error.to_string()))
}

/// Lists the values of `--dialect`.
fn list_dialects(as_json: bool) -> Result<(), CommandExit> {
    let all = bordereau_service::dialects();
    if as_json {
        let listed: Vec<_> =
            all.iter().map(|dialect| json!({"name": dialect.name, "sentence": dialect.sentence})).collect();
        return output::write_json(&json!({ "dialects": listed }));
    }
    let line = |dialect: &bordereau_service::Dialect| format!("{:<26} {}\n", dialect.name, dialect.sentence);
    output::write(&all.iter().map(line).collect::<String>())
}

fn service_announcement(running: &RunningService, as_json: bool, shown: &GeneratedSecrets) -> String {
    let ca_file = running.ca_file.as_ref().map(|path| path.display().to_string());
    if as_json {
        let mut line = json!({
            "base_url": running.base_url,
            "ca_file": ca_file,
            "username": running.username,
        });
        for (name, secret) in shown {
            line[*name] = (*secret).into();
        }
        return format!("{}\n", terminal_text::escape_json(&line.to_string()));
    }
    let secrets: String =
        shown.iter().map(|(name, secret)| format!("  {:<9} {secret}\n", name.replace('_', " "))).collect();
    let ca_line = ca_file.map(|path| format!("  CA file   {path}\n")).unwrap_or_default();
    format!(
        "Practice service at {}\n{ca_line}  username  {}\n{secrets}Press Ctrl-C to stop.\n",
        running.base_url, running.username,
    )
}
