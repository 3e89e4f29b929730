//! `bordereau`: everything the window does, from the command line, with `--json` and exit codes.

mod arguments;
mod batch;
mod compare;
mod document;
mod due;
mod ending;
mod error_advice;
mod events;
mod file_target;
mod forms;
mod import;
mod import_arguments;
mod listen;
mod lock;
mod log;
mod output;
mod plain;
mod profile;
mod quote;
mod rate_changes;
mod search;
mod secret_entry;
mod serve;
mod shared_arguments;
mod status;
mod webhook;
mod workplace;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::arguments::{Arguments, Command};
use crate::ending::Ending;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return output::clap_says(&error),
    };
    log_when_asked();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(ending) => ending.tell(),
    }
}

fn run(arguments: Arguments) -> Result<(), Ending> {
    if let Command::Completions { shell } = arguments.command {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "bordereau", &mut script);
        return output::write(&String::from_utf8_lossy(&script));
    }
    // One thread is enough for one question, and is there at once.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Ending::failed(format!("cannot start: {error}")))?;
    let Arguments { place, command } = arguments;
    runtime.block_on(async {
        match command {
            Command::Quote(asked) => quote::run(&place, asked).await,
            Command::Compare(asked) => compare::run(&place, asked).await,
            Command::RateChanges(asked) => rate_changes::run(&place, asked).await,
            Command::Profile(action) => profile::run(&place, action).await,
            Command::Import(asked) => import::run(&place, *asked).await,
            Command::Batch(asked) => batch::run(&place, asked).await,
            Command::Search(asked) => search::run(&place, *asked).await,
            Command::Status(asked) => status::run(&place, asked).await,
            Command::Document(asked) => document::run(&place, asked).await,
            Command::Forms(asked) => forms::run(&place, asked).await,
            Command::Due(asked) => due::run(&place, asked).await,
            Command::Events(asked) => events::run(&place, asked).await,
            Command::Listen(asked) => listen::run(&place, asked).await,
            Command::Webhook(asked) => webhook::run(&place, asked).await,
            Command::Serve(asked) => serve::run(&place, asked).await,
            Command::Completions { .. } => Ok(()),
        }
    })
}

/// Quiet unless `RUST_LOG` asks; then to standard error, so that output stays clean.
fn log_when_asked() {
    let asked = std::env::var("RUST_LOG").ok().filter(|filter| !filter.trim().is_empty());
    if let Some(filter) = asked {
        tracing_subscriber::fmt()
            .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
            .with_writer(std::io::stderr)
            .init();
    }
}
