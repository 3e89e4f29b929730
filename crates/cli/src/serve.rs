//! `bordereau serve`: the practice service as a process of its own.

use bordereau_host::DataFolder;
use bordereau_service::{AccountSeed, RunningService, ServiceConfig};
use serde_json::json;

use crate::arguments::ServeArguments;
use crate::exit::CommandExit;
use crate::secret_entry::{self, KEY_VARIABLE, PASSWORD_VARIABLE};
use crate::shared_arguments::GlobalArgs;
use crate::{output, terminal_text};

pub(crate) async fn run_serve(place: &GlobalArgs, asked: ServeArguments) -> Result<(), CommandExit> {
    if asked.dialect == "list" {
        return list_dialects(place.json);
    }
    let dialects = bordereau_service::parse_dialects(&asked.dialect).map_err(|why| {
        CommandExit::usage_error(format!("{why} `bordereau serve --dialect list` lists them."))
    })?;
    let data_dir = match asked.data {
        Some(data) => data,
        None => {
            let data = DataFolder::find(place.data_dir.clone())?;
            data.create_folder()?;
            data.join("serve")
        }
    };
    let account = AccountSeed {
        api_key: secret_entry::from_environment(KEY_VARIABLE)?,
        password: secret_entry::from_environment(PASSWORD_VARIABLE)?,
        ..AccountSeed::default()
    };
    let config = ServiceConfig { data_dir: Some(data_dir), account, dialects, ..ServiceConfig::default() };
    let as_json = place.json;
    let told = |running: &RunningService| {
        // Whoever reads may have gone; the service runs all the same.
        let _ = output::write(&service_announcement(running, as_json));
    };
    bordereau_service::serve::run_service(asked.listen, config, told)
        .await
        .map_err(|error| CommandExit::with_failure(error.to_string()))
}

/// What `--dialect` can be.
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

fn service_announcement(running: &RunningService, as_json: bool) -> String {
    let ca_file = running.ca_file.as_ref().map(|path| path.display().to_string());
    if as_json {
        let line = json!({
            "base_url": running.base_url,
            "ca_file": ca_file,
            "api_key": running.api_key,
            "username": running.username,
            "password": running.password,
        });
        return format!("{}\n", terminal_text::escape_json(&line.to_string()));
    }
    format!(
        "Practice service at {}\n  CA file   {}\n  API key   {}\n  user name {}\n  password  {}\nCtrl-C ends it.\n",
        running.base_url,
        ca_file.unwrap_or_default(),
        running.api_key,
        running.username,
        running.password,
    )
}
