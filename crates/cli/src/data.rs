//! `bordereau data`.

use std::sync::Arc;

use bordereau_desk::api::{EraseRequest, EraseView};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::exit::CommandExit;
use crate::file_target::FileTarget;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};

#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Erase an insured or a year from this computer; without --yes it only says what would go
    ///
    /// The service keeps what it has. Backups made before still hold it, and are named.
    Erase(EraseArguments),
}

#[derive(Args, Debug)]
pub(crate) struct EraseArguments {
    /// Name of the insured; capitals and spaces don't matter
    #[arg(long, value_name = "NAME", required_unless_present = "year", conflicts_with = "year")]
    insured: Option<String>,
    /// Year of what was sent, received, quoted or drafted, and of the transactions
    #[arg(long, value_name = "YEAR")]
    year: Option<u32>,
    /// Confirm: it cannot be undone
    #[arg(long)]
    yes: bool,
}

pub(crate) async fn run_data(place: &GlobalArgs, command: DataCommand) -> Result<(), CommandExit> {
    let DataCommand::Erase(asked) = command;
    let desk = open_desk::open_desk(place, Arc::new(FileTarget::default()))?;
    let request =
        EraseRequest { insured: asked.insured.unwrap_or_default(), year: asked.year.unwrap_or_default() };
    let view =
        if asked.yes { desk.data_erase(request).await? } else { desk.data_erase_preview(request).await? };
    if place.json {
        return output::write_json(&json!(view));
    }
    output::write(&describe_erasure(&view))
}

fn describe_erasure(view: &EraseView) -> String {
    let is_done = !view.proof.is_empty();
    let mut text =
        format!("{}: {}.\n", if is_done { "Erased" } else { "Would be erased" }, view.count_words(),);
    if view.sending > 0 {
        text.push_str(&format!(
            "{} of them are still being sent: nothing can be erased yet.\n",
            view.sending
        ));
    }
    if view.unsearched_drafts > 0 {
        text.push_str(&format!("{} drafts are not searched: look into them.\n", view.unsearched_drafts));
    }
    if view.log_entries > 0 {
        text.push_str(&format!("{} entries of the audit log have the name: they stay.\n", view.log_entries));
    }
    if !view.copies.is_empty() {
        text.push_str(&format!("Still held by: {}\n", view.copies.join(", ")));
    }
    text.push_str("The service keeps what it has: what is fetched from it again comes back.\n");
    if is_done {
        text.push_str(&format!("Proof, to be kept: {}\n", view.proof));
    } else {
        text.push_str("Add --yes to erase it. It cannot be undone.\n");
    }
    text
}
