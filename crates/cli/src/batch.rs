//! `bordereau batch`.

use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{
    BatchDecision, BatchId, BatchRow, BatchRowsRequest, BatchView, Environment, ErrorCode, LostDecision,
    Nothing, ReviewId, ReviewSource, ReviewStart, RowState, SendScope,
};
use bordereau_host::DataFolder;
use serde_json::{Value, json};

use crate::ending::Ending;
use crate::file_target::{FileTarget, table_format};
use crate::import::send::{self, state_word};
use crate::import_arguments::{BatchCommand, Sending};
use crate::plain::on_one_line;
use crate::shared_arguments::Place;
use crate::{import, lock, log, output, workplace};

/// Rows of a page.
const PAGE: u32 = 500;
/// Rows told to a person, of each outcome.
const TOLD: usize = 20;

pub(crate) async fn run(place: &Place, command: BatchCommand) -> Result<(), Ending> {
    let target = Arc::new(FileTarget::default());
    match command {
        BatchCommand::List => list(place, &workplace::open(place, target)?).await,
        BatchCommand::Show { id } => show(place, &workplace::open(place, target)?, id).await,
        BatchCommand::Rejects { id, file } => {
            table_format(&file)?;
            let desk = workplace::open(place, Arc::clone(&target))?;
            found(&desk, &id).await?;
            import::save_rejects(&desk, &target, &id, &file).await
        }
        BatchCommand::Arrived { id, number } => {
            let number = number.unwrap_or_default();
            let sending = Sending { wait: !number.is_empty(), ..Sending::default() };
            decide(place, target, (id, LostDecision::Arrived, number), &sending).await
        }
        BatchCommand::SendAgain { id, sending } => {
            decide(place, target, (id, LostDecision::SendAgain, String::new()), &sending).await
        }
        BatchCommand::LookAgain { id, sending } => {
            decide(place, target, (id, LostDecision::LookAgain, String::new()), &sending).await
        }
        BatchCommand::Resend { id, repairs, sending } => resend(place, target, id, &repairs, &sending).await,
    }
}

async fn list(place: &Place, desk: &Desk) -> Result<(), Ending> {
    let list = desk.batch_list(Nothing {}).await?;
    if place.json {
        return output::write_json(&json!(list));
    }
    let lines: String = list.batches.iter().map(line).collect();
    output::write(if lines.is_empty() { "No batches yet.\n" } else { &lines })
}

fn line(batch: &BatchView) -> String {
    let counts = batch.counts;
    format!(
        "{}  {}  {:<10} {:>7} rows {:>7} warnings {:>6} to correct  {}  {}\n",
        batch.id,
        batch.created_at,
        state_word(batch.state),
        counts.total,
        counts.warning,
        batch.to_correct,
        on_one_line(&batch.profile),
        on_one_line(&batch.name),
    )
}

/// The batch, or what to do when there is none by the id.
async fn found(desk: &Desk, id: &str) -> Result<BatchView, Ending> {
    desk.batch_show(BatchId { id: id.to_owned() }).await.map_err(|error| match error.code {
        ErrorCode::NotFound => Ending::usage(format!("there is no batch {id}; see: bordereau batch list")),
        _ => error.into(),
    })
}

async fn show(place: &Place, desk: &Desk, id: String) -> Result<(), Ending> {
    let batch = found(desk, &id).await?;
    if place.json {
        let rows = rows(desk, &id, None, usize::MAX).await?;
        return output::write_json(&json!({ "batch": batch, "rows": rows }));
    }
    let mut text = send::text(&batch);
    text.push_str(&format!(
        "  sent by {} at {} with {}; the service's ids: {}\n",
        batch.by,
        batch.created_at,
        batch.profile,
        if batch.batch_ids.is_empty() {
            "none".to_owned()
        } else {
            on_one_line(&batch.batch_ids.join(", ")).into_owned()
        },
    ));
    for state in [RowState::Error, RowState::SavedIncomplete, RowState::NotSent, RowState::Warning] {
        for row in rows(desk, &id, Some(state), TOLD).await? {
            text.push_str(&row_text(&row));
        }
    }
    output::write(&text)
}

fn row_text(row: &BatchRow) -> String {
    let mut text =
        format!("  line {:<6} {} {}\n", row.line, on_one_line(&row.policy_number), on_one_line(&row.insured));
    if let Some(why) = &row.evidence {
        let stage: &str = row.stage.into();
        text.push_str(&format!(
            "    {}: asked for {} at {}, the service answered: {}\n",
            stage.replace('_', " "),
            on_one_line(&why.question),
            why.at,
            on_one_line(&why.answer)
        ));
    }
    for message in &row.messages {
        let field = if message.field.is_empty() {
            String::new()
        } else {
            format!("{}: ", on_one_line(&message.field))
        };
        text.push_str(&format!("    {} {field}{}\n", message.severity, on_one_line(&message.text)));
    }
    text
}

async fn rows(desk: &Desk, id: &str, state: Option<RowState>, most: usize) -> Result<Vec<BatchRow>, Ending> {
    let mut rows = Vec::new();
    loop {
        let from = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let count = u32::try_from(most - rows.len()).unwrap_or(PAGE).min(PAGE);
        let page = desk.batch_rows(BatchRowsRequest { id: id.to_owned(), state, from, count }).await?;
        let is_end = page.rows.is_empty();
        rows.extend(page.rows);
        if is_end || rows.len() >= most || rows.len() >= page.total as usize {
            return Ok(rows);
        }
    }
}

/// The desk of a run that sends: no other run sends from this data folder while the first value lives.
async fn alone(place: &Place, target: Arc<FileTarget>) -> Result<(impl Sized, Desk), Ending> {
    let data = DataFolder::find(place.data_dir.clone())?;
    data.make()?;
    let lock = lock::take(&data)?;
    let desk = workplace::open(place, target)?;
    let here = lock::here(&data, &desk).await?;
    Ok(((here, lock), desk))
}

/// What came back, repaired as asked; only the rows that changed by it are sent.
async fn resend(
    place: &Place,
    target: Arc<FileTarget>,
    id: String,
    repairs: &[String],
    sending: &Sending,
) -> Result<(), Ending> {
    let (_alone, desk) = alone(place, target).await?;
    let (desk, view) = workplace::on_profile(place, desk).await?;
    desk.work();
    found(&desk, &id).await?;
    send::finish_earlier(&desk, &view.profile.name, sending).await?;
    let source = ReviewSource::Batch { batch: id.clone() };
    let review = import::ready(&desk, desk.review_start(ReviewStart { source }).await?).await?;
    let review_id = review.id.clone();
    let sent = async {
        let offered = import::offered(&review);
        let review = import::repair(&desk, review, repairs).await?;
        if review.counts.changed == 0 {
            return Err(Ending::rejected(nothing_changed(&offered)));
        }
        log::line(&format!("{} changed", import::report::counted(review.counts.changed, "row")));
        send::send(&desk, &review.id, SendScope::Valid, sending, None).await
    };
    let sent = sent.await;
    let _ = desk.review_close(ReviewId { id: review_id }).await;
    let sent = sent?;
    if place.json {
        output::write_json(&Value::from_iter([("batch", json!(sent))]))?;
    } else {
        output::write(&send::text(&sent))?;
    }
    send::ending(&sent, 0)
}

/// What a person found in the service's portal about a batch whose answer was lost, and what follows from it.
async fn decide(
    place: &Place,
    target: Arc<FileTarget>,
    (id, decision, batch_number): (String, LostDecision, String),
    sending: &Sending,
) -> Result<(), Ending> {
    let (_alone, desk) = alone(place, target).await?;
    let batch = found(&desk, &id).await?;
    if decision == LostDecision::SendAgain && batch.environment == Environment::Production && !sending.yes {
        return Err(Ending::usage(format!(
            "nothing was sent: batch {id} would go to PRODUCTION ({}) once more; say --yes",
            on_one_line(&batch.profile)
        )));
    }
    // It goes on with the profile it was sent with.
    let named = place.profile.clone().unwrap_or_else(|| batch.profile.clone());
    let there = Place { data_dir: None, profile: Some(named), json: place.json };
    let (desk, _) = workplace::on_profile(&there, desk).await?;
    // --yes replaces the typed word.
    let typed = if sending.yes { desk.send_confirmation(Nothing {}).await?.type_word } else { String::new() };
    let batch = desk.batch_decide(BatchDecision { id, decision, batch_number, typed }).await?;
    desk.work();
    let batch = send::follow(&desk, batch, sending).await?;
    if place.json {
        output::write_json(&json!({ "batch": batch }))?;
    } else {
        output::write(&send::text(&batch))?;
    }
    send::ending(&batch, 0)
}

fn nothing_changed(offered: &str) -> String {
    format!(
        "nothing was sent: no row changed by these repairs; {offered}. Others are saved with `bordereau batch rejects`"
    )
}
