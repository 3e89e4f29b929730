//! `bordereau batch`.

use std::path::PathBuf;
use std::sync::Arc;

use bordereau_contract::{format_count, pluralize};
use bordereau_desk::Desk;
use bordereau_desk::api::{
    BatchDecision, BatchId, BatchRow, BatchRowsRequest, BatchView, ErrorCode, LostDecision, Nothing,
    ReviewId, ReviewSource, ReviewStart, RowMessage, RowState, SendScope, is_assigned,
};
use bordereau_host::{DataFolder, ImportLock};
use bordereau_spreadsheets::Field;
use clap::Subcommand;
use serde_json::{Value, json};

use crate::assign::{assigned_text, find_person};
use crate::environment::confirm_production;
use crate::exit::CommandExit;
use crate::file_target::{FileTarget, table_format};
use crate::import::send::{self, state_word};
use crate::import_arguments::SendingArguments;
use crate::output::local_time;
use crate::shared_arguments::GlobalArgs;
use crate::{batch_results, import, log, open_desk, output};
use bordereau_host::terminal_text::on_one_line;

/// Rows of one page.
const PAGE: u32 = 500;
/// Rows shown to a person, for each outcome.
const TOLD: usize = 20;

#[derive(Debug, Subcommand)]
pub(crate) enum BatchCommand {
    /// List all batches, newest first
    List {
        /// Only work assigned to this person of the office; `me`, `nobody` or a name
        #[arg(long = "assigned-to", value_name = "NAME")]
        whose: Option<String>,
    },
    /// One batch and its results, row by row
    Show {
        /// Id, as `batch list` shows it
        id: String,
    },
    /// Cancel what has not been sent yet
    Cancel {
        /// Id, as `batch list` shows it
        id: String,
    },
    /// Results of a batch by the service's own number, whoever sent it
    Results {
        /// The service's number of the batch, from its portal, a colleague or an event
        number: String,
    },
    /// Repair rejected rows and send the changed rows again
    Resend {
        /// Id, as `batch list` shows it
        id: String,
        /// The kind of repair to apply, such as use_calculated; may be repeated
        #[arg(long = "repair", value_name = "KIND", required = true)]
        repairs: Vec<String>,
        #[command(flatten)]
        sending: SendingArguments,
    },
    /// Confirm that a batch without an answer arrived at the service
    Arrived {
        /// Id, as `batch list` shows it
        id: String,
        /// The service's number of the batch, if its portal shows one: its results are then fetched
        #[arg(long, value_name = "NUMBER")]
        number: Option<String>,
    },
    /// Confirm that a batch without an answer did not arrive, and send it again
    SendAgain {
        /// Id, as `batch list` shows it
        id: String,
        #[command(flatten)]
        sending: SendingArguments,
    },
    /// Look up a batch without an answer once more
    LookAgain {
        /// Id, as `batch list` shows it
        id: String,
        #[command(flatten)]
        sending: SendingArguments,
    },
    /// Save the rows that were rejected, CSV or XLSX, ready to be imported again
    Rejects {
        /// Id, as `batch list` shows it
        id: String,
        /// File to save
        #[arg(default_value = "rejects.csv")]
        file: PathBuf,
        /// Also the rows that the service accepted with warnings
        #[arg(long)]
        with_warnings: bool,
    },
}

pub(crate) async fn run_batch(place: &GlobalArgs, command: BatchCommand) -> Result<(), CommandExit> {
    let target = Arc::new(FileTarget::default());
    match command {
        BatchCommand::List { whose } => {
            list_batches(place, &open_desk::open_desk_to_save(place, target)?, whose).await
        }
        BatchCommand::Show { id } => {
            show_batch(place, &open_desk::open_desk_to_save(place, target)?, id).await
        }
        BatchCommand::Rejects { id, file, with_warnings } => {
            table_format(&file)?;
            let desk = open_desk::open_desk_to_save(place, Arc::clone(&target))?;
            find_batch(&desk, &id).await?;
            import::save_rejects(&desk, &target, (&id, with_warnings), &file).await
        }
        BatchCommand::Cancel { id } => {
            cancel_batch(place, &open_desk::open_desk_to_save(place, target)?, id).await
        }
        BatchCommand::Results { number } => {
            batch_results::show_results(place, open_desk::open_desk_to_save(place, target)?, number).await
        }
        BatchCommand::Arrived { id, number } => {
            let number = number.unwrap_or_default();
            let sending = SendingArguments { wait: !number.is_empty(), ..SendingArguments::default() };
            decide_lost(place, target, (id, LostDecision::Arrived, number), &sending).await
        }
        BatchCommand::SendAgain { id, sending } => {
            decide_lost(place, target, (id, LostDecision::SendAgain, String::new()), &sending).await
        }
        BatchCommand::LookAgain { id, sending } => {
            decide_lost(place, target, (id, LostDecision::LookAgain, String::new()), &sending).await
        }
        BatchCommand::Resend { id, repairs, sending } => {
            resend_batch(place, target, id, &repairs, &sending).await
        }
    }
}

async fn list_batches(place: &GlobalArgs, desk: &Desk, whose: Option<String>) -> Result<(), CommandExit> {
    let mut list = desk.batch_list(Nothing {}).await?;
    if let Some(person) = find_person(desk, whose).await? {
        list.batches.retain(|batch| is_assigned(batch.assigned.as_ref(), &person));
    }
    output::write_answer(place, &list, || {
        output::list_lines(list.batches.iter().map(batch_line), "No batches yet.\n")
    })
}

fn batch_line(batch: &BatchView) -> String {
    let counts = batch.counts;
    format!(
        "{}  {}  {:<10} {:>12} {:>14} {:>7} to correct  {}  {}{}\n",
        batch.id,
        local_time(&batch.created_at),
        state_word(batch.state),
        pluralize(counts.total, "row"),
        pluralize(counts.warning, "warning"),
        format_count(batch.to_correct),
        on_one_line(&batch.profile),
        on_one_line(&batch.name),
        assigned_text(batch.assigned.as_ref()),
    )
}

/// The batch, or advice when none has this id.
async fn find_batch(desk: &Desk, id: &str) -> Result<BatchView, CommandExit> {
    desk.batch_show(BatchId { id: id.to_owned() }).await.map_err(|error| match error.code {
        ErrorCode::NotFound => {
            CommandExit::usage_error(format!("there is no batch {id}; see: bordereau batch list"))
        }
        _ => error.into(),
    })
}

async fn show_batch(place: &GlobalArgs, desk: &Desk, id: String) -> Result<(), CommandExit> {
    let batch = find_batch(desk, &id).await?;
    if place.json {
        let rows = load_rows(desk, &id, None, usize::MAX).await?;
        return output::write_json(&json!({ "batch": batch, "rows": rows }));
    }
    let mut text = send::outcome_text(&batch);
    let [ids, said] = [batch.batch_ids.join(", "), batch.trouble].map(|text| on_one_line(&text).into_owned());
    text.push_str(&format!(
        "  sent by {} at {} with {}; the service's ids: {}\n{}",
        batch.by,
        local_time(&batch.created_at),
        batch.profile,
        if ids.is_empty() { "none" } else { &ids },
        if said.is_empty() { said } else { format!("  {said}\n") },
    ));
    for state in [RowState::Error, RowState::SavedIncomplete, RowState::NotSent, RowState::Warning] {
        for row in load_rows(desk, &id, Some(state), TOLD).await? {
            text.push_str(&row_text(&row));
        }
    }
    output::write(&text)
}

pub(crate) fn row_text(row: &BatchRow) -> String {
    let mut text =
        format!("  line {:<6} {} {}\n", row.line, on_one_line(&row.policy_number), on_one_line(&row.insured));
    if let Some(why) = &row.evidence {
        let stage: &str = row.stage.into();
        text.push_str(&format!(
            "    {}: asked for {} at {}, the service answered: {}\n",
            stage.replace('_', " "),
            on_one_line(&why.question),
            local_time(&why.at),
            on_one_line(&why.answer)
        ));
    }
    row.messages.iter().for_each(|message| text.push_str(&format!("    {}\n", message_text(message))));
    text
}

/// A message of a row with the title of its field.
pub(crate) fn message_text(message: &RowMessage) -> String {
    let field = Field::by_message_key(&message.field).map_or(message.field.as_str(), |field| field.title());
    let field = if field.is_empty() { String::new() } else { format!("{}: ", on_one_line(field)) };
    format!("{} {field}{}", message.severity, on_one_line(&message.text))
}

async fn cancel_batch(place: &GlobalArgs, desk: &Desk, id: String) -> Result<(), CommandExit> {
    find_batch(desk, &id).await?;
    let batch = desk.batch_cancel(BatchId { id }).await?;
    output::write_answer(place, &json!({ "batch": batch }), || send::outcome_text(&batch))
}

async fn load_rows(
    desk: &Desk,
    id: &str,
    state: Option<RowState>,
    most: usize,
) -> Result<Vec<BatchRow>, CommandExit> {
    let mut rows = Vec::new();
    loop {
        let from = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let count = u32::try_from(most - rows.len()).unwrap_or(PAGE).min(PAGE);
        let request = BatchRowsRequest { id: id.to_owned(), state, from, count, ..Default::default() };
        let page = desk.batch_rows(request).await?;
        let is_end = page.rows.is_empty();
        rows.extend(page.rows);
        if is_end || rows.len() >= most || rows.len() >= page.total as usize {
            return Ok(rows);
        }
    }
}

/// A desk for a command that sends: while the first value exists, no other command sends from this data folder.
pub(crate) async fn open_alone(
    place: &GlobalArgs,
    target: Arc<FileTarget>,
) -> Result<(impl Sized, Desk), CommandExit> {
    let data = DataFolder::find(place.data_dir.clone())?;
    data.create_folder()?;
    let lock = ImportLock::acquire(&data).map_err(CommandExit::with_failure)?;
    let desk = open_desk::open_desk_to_save(place, target)?;
    let here = log::enter_draft_work(&data, &desk, false).await?;
    Ok(((here, lock), desk))
}

/// Repairs what came back as requested, and sends only the rows that this changed.
async fn resend_batch(
    place: &GlobalArgs,
    target: Arc<FileTarget>,
    id: String,
    repairs: &[String],
    sending: &SendingArguments,
) -> Result<(), CommandExit> {
    let (_alone, desk) = open_alone(place, target).await?;
    let (desk, view) = open_desk::on_profile(place, desk).await?;
    desk.start_work();
    find_batch(&desk, &id).await?;
    send::finish_earlier(&desk, &view.profile.name, sending).await?;
    let source = ReviewSource::Batch { batch: id.clone() };
    let review = import::wait_until_ready(&desk, desk.review_start(ReviewStart { source }).await?).await?;
    let review_id = review.id.clone();
    let sent = async {
        let offered = import::offered_repairs(&review);
        let review = import::repair_review(&desk, review, repairs).await?;
        if review.counts.changed == 0 {
            return Err(CommandExit::rejected(no_change_text(&offered)));
        }
        log::log_line(&format!("{} changed", pluralize(review.counts.changed, "row")));
        send::send(&desk, &review.id, SendScope::Valid, sending, None).await
    };
    let sent = sent.await;
    let _ = desk.review_close(ReviewId { id: review_id }).await;
    let sent = sent?;
    output::write_answer(place, &Value::from_iter([("batch", json!(sent))]), || send::outcome_text(&sent))?;
    send::send_exit(&sent, 0)
}

/// Records what a person found in the service's portal about a batch whose answer was lost, and shows the result.
async fn decide_lost(
    place: &GlobalArgs,
    target: Arc<FileTarget>,
    (id, decision, batch_number): (String, LostDecision, String),
    sending: &SendingArguments,
) -> Result<(), CommandExit> {
    let (_alone, desk) = open_alone(place, target).await?;
    let batch = find_batch(&desk, &id).await?;
    if decision == LostDecision::SendAgain {
        let again = format!("batch {id} again");
        confirm_production(batch.environment, &batch.profile, sending.yes, &again)?;
    }
    // It continues with the profile it was sent with.
    let named = place.profile.clone().unwrap_or_else(|| batch.profile.clone());
    let there = GlobalArgs { profile: Some(named), ..place.clone() };
    let (desk, _) = open_desk::on_profile(&there, desk).await?;
    // --yes replaces the confirmation word.
    let typed = if sending.yes { desk.confirmation_show(Nothing {}).await?.type_word } else { String::new() };
    let batch = desk.batch_decide(BatchDecision { id, decision, batch_number, typed }).await?;
    desk.start_work();
    let batch = send::follow_batch(&desk, batch, sending).await?;
    output::write_answer(place, &json!({ "batch": batch }), || send::outcome_text(&batch))?;
    send::send_exit(&batch, 0)
}

fn no_change_text(offered: &str) -> String {
    format!(
        "nothing was sent: no row changed by these repairs; {offered}. Others are saved with `bordereau batch rejects`"
    )
}
