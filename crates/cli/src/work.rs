//! `bordereau work`: sends queued work and follows it to its end, for a data folder or for the desks of an office.

use std::time::Duration;

use bordereau_contract::pluralize_as;
use bordereau_desk::Desk;
use bordereau_desk::api::Nothing;
use bordereau_host::terminal_text::on_one_line;
use bordereau_host::wait_for_shutdown;
use clap::Args;
use serde_json::json;

use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};

/// How often to look for changes to report.
const LOOK_EVERY: Duration = Duration::from_secs(1);

#[derive(Args, Debug)]
pub(crate) struct WorkArguments {
    /// Stop once nothing is left to send
    #[arg(long)]
    until_done: bool,
}

pub(crate) async fn run_work(place: &GlobalArgs, asked: WorkArguments) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk_to_save(place, std::sync::Arc::default())?;
    let office = desk.office_show(Nothing {}).await?;
    let (desk, view) = open_desk::on_profile(place, desk).await?;
    let for_whom = match office.office.filter(|_| !office.role.is_empty()) {
        Some(settings) => {
            let (workspace, user) = (on_one_line(&settings.workspace), on_one_line(&settings.user));
            format!("the workspace {workspace} as {user} ({})", office.role)
        }
        None => "this data folder".to_owned(),
    };
    desk.start_work();
    let _events = desk.begin_events();
    if !place.json {
        output::write(&format!(
            "Working for {for_whom}, signed in at {}. Press Ctrl-C to stop.\n",
            on_one_line(&view.profile.name)
        ))?;
    }
    tokio::select! {
        () = wait_for_shutdown() => Ok(()),
        told = tell_progress(place, &desk, asked.until_done) => told,
    }
}

/// Prints a line for each change of what is being sent; with `until_done` ends when nothing is.
async fn tell_progress(place: &GlobalArgs, desk: &Desk, until_done: bool) -> Result<(), CommandExit> {
    let mut told = None;
    loop {
        // A database that can't be reached for a moment is tried again.
        let (batches, queue) = (desk.outbox_status(Nothing {}).await, desk.documents_queue(Nothing {}).await);
        if let (Ok(batches), Ok(queue)) = (batches, queue) {
            let (open, answered, total) = (batches.open, batches.answered, batches.total);
            let line = match place.json {
                true => json!({ "batches": open, "answered": answered, "transactions": total, "documents": queue.open })
                    .to_string(),
                false => format!(
                    "Being sent: {} with {answered} of {total} transactions answered, {}.",
                    pluralize_as(open, "batch", "batches"),
                    pluralize_as(queue.open, "document", "documents")
                ),
            };
            if told.as_ref() != Some(&line) {
                output::write(&format!("{line}\n"))?;
            }
            told = Some(line);
            if until_done && open == 0 && queue.open == 0 {
                return Ok(());
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
