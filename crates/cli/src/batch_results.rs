//! `bordereau batch results`: a batch by the service's own number, whoever sent it.

use bordereau_desk::Desk;
use bordereau_desk::api::{BatchLookup, BatchLookupRequest, LookedUpRow, RowState};

use crate::batch::message_text;
use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};
use bordereau_host::terminal_text::on_one_line;

pub(crate) async fn show_results(place: &GlobalArgs, desk: Desk, number: String) -> Result<(), CommandExit> {
    let (desk, _) = open_desk::on_profile(place, desk).await?;
    let found = desk.batch_lookup(BatchLookupRequest { number }).await?;
    output::write_answer(place, &found, || results_text(&found))
}

fn results_text(found: &BatchLookup) -> String {
    let mut text = format!(
        "Batch {} at {}: {}\n",
        on_one_line(&found.number),
        on_one_line(&found.profile),
        on_one_line(&found.status)
    );
    match &found.batch {
        Some(id) => text.push_str(&format!("  sent from here as batch {id}\n")),
        None => text.push_str("  not sent from here\n"),
    }
    found.rows.iter().for_each(|row| text.push_str(&row_text(row)));
    text.push_str(&format!("{} answered\n", bordereau_contract::pluralize(found.total, "transaction")));
    if (found.total as usize) > found.rows.len() {
        text.push_str(&format!("only the first {} are listed\n", found.rows.len()));
    }
    if found.unreadable > 0 {
        text.push_str(&format!("{} of the answer cannot be read\n", found.unreadable));
    }
    text
}

fn row_text(row: &LookedUpRow) -> String {
    let state = match row.row_state {
        RowState::Accepted => "accepted",
        RowState::Warning => "accepted with warnings",
        RowState::Error => "refused",
        RowState::SavedIncomplete => "incomplete",
        RowState::Pending | RowState::NotSent => "no outcome yet",
    };
    let number = row.transaction_id.as_deref().unwrap_or("-");
    let mut text =
        format!("  {number:>9}  {state:<22} {}  {}\n", on_one_line(&row.policy_number), on_one_line(&row.id));
    row.messages
        .iter()
        .for_each(|message| text.push_str(&format!("             {}\n", message_text(message))));
    text
}
