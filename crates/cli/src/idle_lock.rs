//! `bordereau lock`.

use bordereau_desk::api::Nothing;
use clap::Subcommand;
use serde_json::json;

use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};

#[derive(Debug, Subcommand)]
pub(crate) enum LockCommand {
    /// Show whether and when the window locks
    Status,
    /// Turn the lock off, even if its passphrase was forgotten; recorded in the audit log
    Off {
        /// Confirm: anyone at this computer can then use the window
        #[arg(long)]
        yes: bool,
    },
}

pub(crate) async fn run_lock(place: &GlobalArgs, command: LockCommand) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    match command {
        LockCommand::Off { yes: false } => {
            let text = "whoever sits down at the window can use it then. Add --yes to switch the lock off";
            return Err(CommandExit::usage_error(text));
        }
        LockCommand::Off { yes: true } => desk.lock_forget().await?,
        LockCommand::Status => {}
    }
    let minutes = desk.lock_status(Nothing {}).await?.minutes;
    output::write_answer(place, &json!({ "minutes": minutes }), || match minutes {
        0 => "The window doesn't lock.\n".to_owned(),
        minutes => format!("The window locks after {minutes} minutes without input.\n"),
    })
}
