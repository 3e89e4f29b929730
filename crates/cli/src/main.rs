//! `bordereau`: the work of the window from the command line, with `--json` and exit codes.

mod arguments;
mod assign;
mod audit;
mod backup;
mod batch;
mod batch_results;
mod choice_names;
mod compare;
mod data;
mod document;
mod due;
mod environment;
mod error_advice;
mod events;
mod exit;
mod file_target;
mod forms;
mod idle_lock;
mod import;
mod import_arguments;
mod listen;
mod log;
mod manual;
mod mapping;
mod open_desk;
mod output;
mod practice;
mod profile;
mod profile_arguments;
mod quote;
mod rate_changes;
mod rates;
mod rules;
mod saved_quotes;
mod search;
mod secret_entry;
mod serve;
mod shared_arguments;
mod status;
mod today;
mod transaction;
mod webhook;
mod webhook_change;
mod work;
mod workspace;
mod workspace_files;

use std::process::ExitCode;
use std::time::Duration;

use clap::CommandFactory;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::arguments::{CliArguments, CliCommand};
use crate::exit::CommandExit;

const THREADS_WAIT: Duration = Duration::from_millis(10);

fn main() -> ExitCode {
    bordereau_host::protect_process();
    if let Some(code) = bordereau_desk::reading_process::run_if_requested() {
        return code;
    }
    let arguments = match arguments::parse_arguments() {
        Ok(arguments) => arguments,
        Err(error) => return output::print_clap_message(&error),
    };
    start_log();
    match run_command(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(ending) => ending.print_line(),
    }
}

fn run_command(arguments: CliArguments) -> Result<(), CommandExit> {
    if let CliCommand::Completions { shell } = arguments.command {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut CliArguments::command(), "bordereau", &mut script);
        return output::write(&String::from_utf8_lossy(&script));
    }
    if let CliCommand::Manual { folder } = &arguments.command {
        return manual::write_manual(folder);
    }
    bordereau_host::check_computer().map_err(CommandExit::with_failure)?;
    // One thread is enough for one request, and starts at once. Idle blocking threads end soon: each one that waits
    // keeps the memory it once needed, which adds up over the chunks of a long file.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .thread_keep_alive(THREADS_WAIT)
        .build()
        .map_err(|error| CommandExit::with_failure(format!("cannot start: {error}")))?;
    let CliArguments { place, command } = arguments;
    runtime.block_on(async {
        match command {
            CliCommand::Today => today::run_today(&place).await,
            CliCommand::Quote(asked) => quote::run_quote(&place, *asked).await,
            CliCommand::Compare(asked) => compare::run_compare(&place, *asked).await,
            CliCommand::Saved(command) => saved_quotes::run_saved(&place, command).await,
            CliCommand::Transaction(command) => transaction::run_transaction(&place, command).await,
            CliCommand::Rates(asked) => rates::run_rates(&place, asked).await,
            CliCommand::RateChanges(asked) => rate_changes::run_rate_changes(&place, asked).await,
            CliCommand::Rules(command) => rules::run_rules(&place, command).await,
            CliCommand::Updates => rules::run_updates(&place).await,
            CliCommand::Profile(action) => profile::run_profile(&place, action).await,
            CliCommand::Import(asked) => import::run_import(&place, *asked).await,
            CliCommand::Mapping(command) => mapping::run_mapping(&place, command).await,
            CliCommand::Batch(asked) => batch::run_batch(&place, asked).await,
            CliCommand::Audit(command) => audit::run_audit(&place, command).await,
            CliCommand::Search(asked) => search::run_search(&place, *asked).await,
            CliCommand::Status(asked) => status::run_status(&place, asked).await,
            CliCommand::Document(asked) => document::run_document(&place, asked).await,
            CliCommand::Forms(asked) => forms::run_forms(&place, asked).await,
            CliCommand::Assign(asked) => assign::run_assign(&place, asked).await,
            CliCommand::Due(asked) => due::run_due(&place, asked).await,
            CliCommand::Events(asked) => events::run_events(&place, asked).await,
            CliCommand::Listen(asked) => listen::run_listen(&place, asked).await,
            CliCommand::Webhook(asked) => webhook::run_webhook(&place, asked).await,
            CliCommand::Backup(action) => backup::run_backup(&place, action).await,
            CliCommand::Data(action) => data::run_data(&place, action).await,
            CliCommand::Lock(action) => idle_lock::run_lock(&place, action).await,
            CliCommand::Workspace(command) => workspace::run_workspace(&place, command).await,
            CliCommand::Work(asked) => work::run_work(&place, asked).await,
            CliCommand::Export(asked) => backup::run_export(&place, asked).await,
            CliCommand::Practice(command) => practice::run_practice(&place, command).await,
            CliCommand::Serve(asked) => serve::run_serve(&place, asked).await,
            CliCommand::Completions { .. } | CliCommand::Manual { .. } => Ok(()),
        }
    })
}

/// Quiet unless `RUST_LOG` is set; then logs to standard error, so that the output stays clean.
fn start_log() {
    let asked = std::env::var("RUST_LOG").ok().filter(|filter| !filter.trim().is_empty());
    if let Some(filter) = asked {
        match filter.parse::<Targets>() {
            Ok(filter) => {
                let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
                tracing_subscriber::registry().with(lines.with_filter(filter)).init();
            }
            Err(error) => eprintln!(
                "bordereau: RUST_LOG \"{filter}\" is no list of levels, such as bordereau=info: {error}"
            ),
        }
    }
}
