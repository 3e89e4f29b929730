//! Sends a review and follows its batch; finishes what an earlier run left.

use bordereau_contract::{pluralize, pluralize_as};
use std::time::{Duration, Instant};

use bordereau_desk::Desk;
use bordereau_desk::api::{
    BatchCounts, BatchId, BatchState, BatchView, Nothing, SendPreview, SendReview, SendReviewPreview,
    SendScope, TransactionsRefresh,
};

use super::report;
use crate::environment::{confirm_production, environment_word};
use crate::exit::CommandExit;
use crate::import_arguments::SendingArguments;
use crate::log;
use bordereau_host::terminal_text::on_one_line;

/// Message where every row is excluded or was sent before.
pub(crate) const NO_ROW: &str = "there is no row that can be sent; a check says why";
/// Pause between checks of a batch.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Pause between progress lines.
const TELL_EVERY: Duration = Duration::from_secs(10);
/// How long failures of the service are retried without `--wait`, and its transactions waited for with it.
const PATIENCE: Duration = Duration::from_secs(45);

/// Sends the review and follows the batch as far as requested. If a stopped run has sent all of it, follows that
/// run's batch.
pub(crate) async fn send(
    desk: &Desk,
    review: &str,
    scope: SendScope,
    sending: &SendingArguments,
    made_of_it: Option<String>,
) -> Result<BatchView, CommandExit> {
    let preview = desk.review_send_preview(SendReviewPreview { id: review.to_owned(), scope }).await?;
    if preview.totals.count == 0
        && let Some(id) = made_of_it
    {
        return follow_batch(desk, desk.batch_show(BatchId { id }).await?, sending).await;
    }
    if preview.totals.count == 0 {
        return Err(CommandExit::rejected(NO_ROW));
    }
    for line in send_announcement(&preview).lines() {
        log::log_line(line);
    }
    let what = pluralize(preview.totals.count, "transaction");
    confirm_production(preview.environment, &preview.profile, sending.yes, &what)?;
    let request = SendReview {
        id: review.to_owned(),
        scope,
        confirmed: preview.totals,
        // --yes replaces the confirmation word.
        typed: preview.type_word,
    };
    let batch = desk.review_send(request).await?;
    log::log_line(&format!("Batch {} stored", batch.id));
    let batch = follow_batch(desk, batch, sending).await?;
    if sending.wait && batch.state.is_ended() {
        // `due` and `document missing` know of it at once; what fails here is asked for by the next search.
        let _ = desk.transactions_refresh(TransactionsRefresh::default()).await;
        let _ = tokio::time::timeout(PATIENCE, desk.transactions_refresh_wait()).await;
    }
    Ok(batch)
}

fn send_announcement(preview: &SendPreview) -> String {
    let mut text = format!(
        "Sending {} to {} ({}), {}, {}",
        pluralize(preview.totals.count, "transaction"),
        environment_word(preview.environment),
        preview.profile,
        pluralize(preview.parts, "part"),
        pluralize(preview.documents, "document"),
    );
    if preview.with_errors > 0 {
        text.push_str(&format!(", {} with errors", preview.with_errors));
    }
    format!("{text}\n{}", report::totals_text(&preview.totals))
}

/// Follows a batch until the service has it, or with `--wait` until every row is processed.
pub(crate) async fn follow_batch(
    desk: &Desk,
    mut batch: BatchView,
    sending: &SendingArguments,
) -> Result<BatchView, CommandExit> {
    let begun = Instant::now();
    let limit = Duration::from_secs(u64::from(sending.at_most) * 60);
    let mut told = (None, Instant::now());
    let mut troubled: Option<Instant> = None;
    loop {
        if told.0 != Some(batch.state) || told.1.elapsed() > TELL_EVERY {
            log::log_line(&progress_text(&batch));
            told = (Some(batch.state), Instant::now());
        }
        if batch.asks && !batch.goes_on {
            return Err(undecided_exit(&batch));
        }
        let is_there = !matches!(batch.state, BatchState::Queued | BatchState::Sending | BatchState::Unknown);
        if batch.state.is_ended() || (is_there && !sending.wait) {
            return Ok(batch);
        }
        troubled = if batch.trouble.is_empty() { None } else { troubled.or(Some(Instant::now())) };
        let impatient = !sending.wait && troubled.is_some_and(|since| since.elapsed() > PATIENCE);
        if impatient || begun.elapsed() > limit {
            let why = if batch.trouble.is_empty() { "it is not done yet" } else { batch.trouble.as_str() };
            let is_refused = desk.status_show(Nothing {}).await?.is_refused;
            let exit: fn(String) -> CommandExit =
                if is_refused { CommandExit::not_authorized } else { CommandExit::with_failure };
            return Err(exit(format!("batch {} stays in the outbox: {why}", batch.id)));
        }
        tokio::time::sleep(LOOK_EVERY).await;
        batch = desk.batch_show(BatchId { id: batch.id }).await?;
    }
}

/// The exit for a batch that waits for a person's decision.
fn undecided_exit(batch: &BatchView) -> CommandExit {
    let id = &batch.id;
    CommandExit::with_failure(format!(
        "batch {id}: {} Run `bordereau batch arrived {id}`, `bordereau batch send-again {id}` or `bordereau batch look-again {id}`.",
        batch.trouble
    ))
}

pub(crate) fn state_word(state: BatchState) -> &'static str {
    match state {
        BatchState::Queued => "queued",
        BatchState::Sending => "sending",
        BatchState::Unknown => "looking up",
        BatchState::Accepted => "accepted",
        BatchState::Processing => "processing",
        BatchState::Processed => "processed",
        BatchState::Failed => "failed",
        BatchState::Canceled => "canceled",
    }
}

fn progress_text(batch: &BatchView) -> String {
    let counts = batch.counts;
    let mut line = format!(
        "Batch {} {}: {} of {} answered",
        batch.id,
        state_word(batch.state),
        counts.total.saturating_sub(counts.pending),
        counts.total
    );
    if let Some(seconds) = batch.seconds_left.filter(|_| !batch.state.is_ended()) {
        line.push_str(&format!(", about {seconds} s left"));
    }
    if !batch.trouble.is_empty() {
        line.push_str(&format!(". {}", batch.trouble));
    }
    line
}

/// First finishes batches of this profile that an earlier run left: looks them up, sends them, nothing twice.
pub(crate) async fn finish_earlier(
    desk: &Desk,
    profile: &str,
    sending: &SendingArguments,
) -> Result<(), CommandExit> {
    let all = desk.batch_list(Nothing {}).await?.batches;
    let open = all.into_iter().filter(|batch| !batch.state.is_ended() && batch.profile == profile);
    for batch in open {
        if batch.asks && !batch.goes_on {
            log::log_line(&format!(
                "Batch {} of an earlier run waits for a decision: {}",
                batch.id, batch.trouble
            ));
            continue;
        }
        log::log_line(&format!("Continuing with batch {} of an earlier run", batch.id));
        match follow_batch(desk, batch, sending).await {
            // It now waits for a decision: that holds up nothing else, and is reported at the end.
            Err(ending) if !is_undecided(desk, profile).await? => return Err(ending),
            _ => {}
        }
    }
    Ok(())
}

async fn is_undecided(desk: &Desk, profile: &str) -> Result<bool, CommandExit> {
    let all = desk.batch_list(Nothing {}).await?.batches;
    Ok(all.iter().any(|batch| batch.asks && !batch.goes_on && batch.profile == profile))
}

/// Fails if a batch of this profile waits for a decision, whatever else was done.
pub(crate) async fn check_decided(desk: &Desk, profile: &str) -> Result<(), CommandExit> {
    let all = desk.batch_list(Nothing {}).await?.batches;
    match all.iter().find(|batch| batch.asks && batch.profile == profile) {
        Some(batch) => Err(undecided_exit(batch)),
        None => Ok(()),
    }
}

/// The result of a batch as text.
pub(crate) fn outcome_text(batch: &BatchView) -> String {
    let text = format!("Batch {} ({}): {}\n", batch.id, on_one_line(&batch.name), state_word(batch.state));
    text + &counts_text(batch.counts)
}

/// Rows by outcome, one line each.
pub(crate) fn counts_text(counts: BatchCounts) -> String {
    let mut text = String::new();
    for (count, what) in [
        (counts.accepted, "accepted"),
        (counts.warning, "accepted with warnings"),
        (counts.saved_incomplete, "kept by the service as incomplete"),
        (counts.error, "refused"),
        (counts.pending, "not answered yet"),
        (counts.not_sent, "not sent"),
    ] {
        if count > 0 {
            text.push_str(&format!("  {count:>8} {what}\n"));
        }
    }
    text
}

/// Whether any rows were rejected.
pub(crate) fn has_returned_rows(batch: &BatchView) -> bool {
    let counts = batch.counts;
    counts.error + counts.saved_incomplete + counts.not_sent > 0
}

/// The exit for a send; `left` rows with errors weren't sent.
pub(crate) fn send_exit(batch: &BatchView, left: u32) -> Result<(), CommandExit> {
    state_exit(batch)?;
    counts_exit(batch.counts, left)
}

/// A refused or canceled batch is a failure.
pub(crate) fn state_exit(batch: &BatchView) -> Result<(), CommandExit> {
    if matches!(batch.state, BatchState::Failed | BatchState::Canceled) {
        let why = if batch.trouble.is_empty() { state_word(batch.state) } else { batch.trouble.as_str() };
        return Err(CommandExit::rejected(format!("batch {}: {why}", batch.id)));
    }
    Ok(())
}

/// Rejected rows are a failure; `left` rows with errors weren't sent.
pub(crate) fn counts_exit(counts: BatchCounts, left: u32) -> Result<(), CommandExit> {
    let mut reasons = Vec::new();
    if left > 0 {
        let rows = pluralize_as(left, "row with errors was", "rows with errors were");
        reasons.push(format!("{rows} not sent"));
    }
    if counts.error > 0 {
        reasons.push(format!("{} rejected by the service", pluralize_as(counts.error, "was", "were")));
    }
    if counts.saved_incomplete > 0 {
        let kept = pluralize_as(counts.saved_incomplete, "is", "are");
        reasons.push(format!("{kept} kept by the service as incomplete"));
    }
    if counts.not_sent > 0 {
        reasons.push(format!("{} not sent", pluralize_as(counts.not_sent, "was", "were")));
    }
    if reasons.is_empty() { Ok(()) } else { Err(CommandExit::rejected(reasons.join("; "))) }
}
