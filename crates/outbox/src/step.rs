//! One step of one part: send it, look it up, or fetch its results. One call of the service at a time; the store is
//! written before and after.

use std::collections::{HashMap, HashSet};

use bordereau_client::ClientError;
use bordereau_contract::{
    BatchStatus, ImportAccepted, ImportResult, ImportResults, ImportTransaction, RecordMatch, batch_numbers,
    format_count, match_asked_record, match_record, pluralize,
};

use super::import_answer::{
    NO_NUMBER, QUESTION, accepted_change, refused_change, refused_rows, rows_refused_at_import,
};
use super::job::{JobMemory, JobProgress, OutboxJob, Service, ServiceTrouble, service_of};
use super::lookup_keys::{WaitingRow, telling_rows};
use super::lost_answer::look_for;
use super::match_results::match_outcomes;
use super::outcome::RowOutcome;
use super::part_lookup::{is_number, is_same_batch};
use super::row_lookup::{LookupResult, find_record, look_up};
use super::single_import;
use super::transition::{
    OpenPart, PartChange, RECEIVED, RemoteNumber, change_part, local_message, named_rows, waiting_rows,
};
use super::worker::Outbox;
use bordereau_api::{BatchState, RowState, StageEvidence, parse_message};
use bordereau_session::Context;
use bordereau_session::failure::{capitalize_first, end_sentence};
use bordereau_session::profile::{ServiceWords, fit_details, profile_by_id};

/// Times in a row that the service answers "no such batch" before its number counts as lost.
const LOST_AFTER: u32 = 3;

/// Shown for a row that differs from what was confirmed.
const DAMAGED: &str = "This row changed in the data file after you confirmed it, so it wasn't sent. The data file may be damaged. Send the row again from its file.";

/// Shown where the service answered that it received a batch without giving its number.
const RECEIVED_ALONE: &str = "The service received it (status 202) but gave no batch number.";

pub(super) async fn take_step(
    ctx: &Context,
    part: &OpenPart,
    memory: &mut JobMemory,
) -> Result<JobProgress, ServiceTrouble> {
    match part.state {
        BatchState::Queued => send_part(ctx, part).await,
        BatchState::Sending | BatchState::Unknown => look_for(ctx, part, memory).await,
        _ => fetch_results(ctx, part, memory).await,
    }
}

/// Takes a step of a part now, out of turn. A failure is handled when its turn comes.
pub async fn ask_part(ctx: &Context, part: &OpenPart) {
    if let Err(trouble) = part.run_step(ctx, &mut JobMemory::default()).await {
        tracing::debug!(trouble = trouble.text, "outbox");
    }
}

async fn send_part(ctx: &Context, part: &OpenPart) -> Result<JobProgress, ServiceTrouble> {
    let store = ctx.store();
    let service = service_of(ctx, &part.destination).await?;
    let client = &service.client;
    let profile = profile_by_id(ctx, &part.destination.profile_id).await?;
    let (waiting, damaged): (Vec<_>, Vec<_>) =
        waiting_rows(store, part, true).await?.into_iter().partition(|row| row.is_intact);
    let not_sent = RowOutcome {
        messages: vec![local_message("error", DAMAGED)],
        ..RowOutcome::from_state(RowState::NotSent)
    };
    let sending = PartChange {
        outcomes: damaged.iter().map(|row| (row.row, not_sent.clone())).collect(),
        ..PartChange::to(if waiting.is_empty() { BatchState::Processed } else { BatchState::Sending })
    };
    if change_part(store, part, sending, ctx.now_stamp()).await?.is_none() || waiting.is_empty() {
        return Ok(JobProgress::Moved);
    }
    let part = &OpenPart { state: BatchState::Sending, ..part.clone() };
    let fitted = waiting.into_iter().map(|mut row| {
        fit_details(&profile, &mut row.transaction);
        (row.row, row.transaction)
    });
    let (rows, transactions): (Vec<i64>, Vec<_>) = fitted.unzip();
    let sentence = |error: &ClientError| end_sentence(&capitalize_first(&error.to_string()));
    let sent = match (part.is_single, transactions.as_slice()) {
        (true, [only]) => single_import::send_single(&service, part, (rows[0], only)).await,
        _ => {
            let accepted = client.import_batch(&transactions).await;
            match accepted {
                // Without a number of its own the answer has the results.
                Ok(accepted) if accepted.batch_id.is_empty() => {
                    let refused = refused_rows(&accepted, &rows, &transactions).0;
                    Ok(answered_change(ctx, part, accepted, refused, &service).await?)
                }
                accepted => accepted.map(|accepted| accepted_change(&accepted, &rows, &transactions)),
            }
        }
    };
    let question = if part.is_single { single_import::QUESTION } else { QUESTION };
    let lost = |reason: String, answer: String| {
        let trouble = format!("{reason} It is looked up before anything is sent again.");
        let evidence = Some(StageEvidence::of(question, answer));
        (PartChange { trouble, evidence, ..PartChange::to(BatchState::Unknown) }, JobProgress::Recheck)
    };
    let (change, progress) = match sent {
        Ok(change) if change.to == BatchState::Unknown => (change, JobProgress::Recheck),
        Ok(change) => (change, JobProgress::Moved),
        Err(error) if error.is_outcome_unknown() => {
            let (reason, answer) = match error.is_received() {
                true => (RECEIVED_ALONE.to_owned(), format!("{RECEIVED}: {error}")),
                false => (sentence(&error), error.to_string()),
            };
            lost(reason, answer)
        }
        Err(error @ ClientError::Rejected { .. }) => {
            let refused = refused_change(&error, &rows, &transactions, question);
            match is_refusal_sure(ctx, part, &service, &error, &refused.outcomes).await {
                true => (refused, JobProgress::Moved),
                false => lost(sentence(&error), error.to_string()),
            }
        }
        Err(error @ ClientError::NotSendable { .. }) => (
            PartChange { trouble: sentence(&error), ..PartChange::to(BatchState::Failed) },
            JobProgress::Moved,
        ),
        // Nothing was received: it waits for the service.
        Err(error) => {
            change_part(store, part, PartChange::to(BatchState::Queued), ctx.now_stamp()).await?;
            return Err(ServiceTrouble::from(&error));
        }
    };
    change_part(store, part, change, ctx.now_stamp()).await?;
    Ok(progress)
}

/// Whether a refusal of rows can be relied on whose status says otherwise, such as 500: a row that it names no fault of is
/// not there. A refusal with a status of success is one by its words where the service can't be asked.
async fn is_refusal_sure(
    ctx: &Context,
    part: &OpenPart,
    service: &Service,
    error: &ClientError,
    refused: &[(i64, RowOutcome)],
) -> bool {
    let ClientError::Rejected { status, problems, .. } = error else { return true };
    if (300..500).contains(status) || problems.is_empty() {
        return true;
    }
    let telling = telling_rows(ctx.store(), part).await.unwrap_or_default();
    let is_open = |row: &&WaitingRow| !refused.iter().any(|(at, _)| *at == row.row);
    let Some(row) = telling.iter().find(is_open).or(telling.first()) else { return false };
    match look_up(ctx.store(), service, part, row).await {
        Ok(LookupResult::Absent(_)) => true,
        Ok(LookupResult::Unclear(hint)) => *status < 300 && hint.is_empty(),
        Ok(LookupResult::Here(..)) | Err(_) => false,
    }
}

/// The change after an answer to the import that has the results in place of a number, with the rows that it refuses
/// beside them. A row without an outcome in it is looked up.
async fn answered_change(
    ctx: &Context,
    part: &OpenPart,
    accepted: ImportAccepted,
    refused: Vec<(i64, RowOutcome)>,
    service: &Service,
) -> Result<PartChange, ServiceTrouble> {
    if !refused.is_empty() {
        let noted = PartChange { outcomes: refused, ..PartChange::to(part.state) };
        change_part(ctx.store(), part, noted, ctx.now_stamp()).await?;
    }
    let ImportAccepted { status, transactions, .. } = accepted;
    let results = ImportResults { status, transactions, ..ImportResults::default() };
    let change = result_change(ctx, part, "", &results, service).await?;
    let is_open = matches!(change.to, BatchState::Sending | BatchState::Processing);
    let unnamed = PartChange { trouble: NO_NUMBER.to_owned(), to: BatchState::Unknown, ..change.clone() };
    Ok(if is_open { unnamed } else { change })
}

/// The results of a batch under its number; of one that the service split, those under each of its numbers. The batch
/// is done once all of them are.
async fn fetch_batch_results(service: &Service, remote_id: &str) -> Result<ImportResults, ClientError> {
    let rank = |status: &BatchStatus| match service.words.batch_status(status) {
        BatchStatus::Queued | BatchStatus::Processing => 0,
        BatchStatus::Unknown(_) => 1,
        BatchStatus::Processed => 2,
        BatchStatus::Failed => 3,
    };
    let mut whole: Option<ImportResults> = None;
    for number in batch_numbers(remote_id) {
        let part = service.client.import_results(number).await?;
        if is_number(&part.batch_id) && !is_same_batch(&part.batch_id, number) {
            return Ok(part);
        }
        let Some(whole) = &mut whole else {
            whole = Some(ImportResults { batch_id: remote_id.to_owned(), ..part });
            continue;
        };
        if whole.message.is_empty() {
            whole.message = part.message;
        }
        if rank(&part.status) < rank(&whole.status) {
            whole.status = part.status;
        }
        whole.transactions.extend(part.transactions);
    }
    Ok(whole.unwrap_or_default())
}

async fn fetch_results(
    ctx: &Context,
    part: &OpenPart,
    memory: &mut JobMemory,
) -> Result<JobProgress, ServiceTrouble> {
    let store = ctx.store();
    let pace = Outbox::from_context(ctx).pace();
    let service = service_of(ctx, &part.destination).await?;
    let Some(remote_id) = part.remote_id.clone() else {
        change_part(store, part, PartChange::to(BatchState::Unknown), ctx.now_stamp()).await?;
        return Ok(JobProgress::Moved);
    };
    let results = match fetch_batch_results(&service, &remote_id).await {
        Ok(results) => results,
        Err(ClientError::Rejected { status: 404, .. }) => {
            return handle_missing_batch(ctx, part, &remote_id, service.is_practice, memory).await;
        }
        // 204, or a conflict with its present state: not ready.
        Err(ClientError::Rejected { status: 204 | 409 | 425, .. }) => {
            memory.not_found = 0;
            let text = format!(
                "The service has no results for batch {remote_id} yet. Bordereau will ask again; other batches continue."
            );
            part.keep_message(store, text).await?;
            return Ok(JobProgress::Waits);
        }
        Err(error) => return Err(ServiceTrouble::from(&error)),
    };
    if is_number(&results.batch_id) && !is_same_batch(&results.batch_id, &remote_id) {
        let text = format!(
            "Bordereau asked for batch {remote_id}, but the service returned batch {}. Contact the provider; other batches continue.",
            results.batch_id
        );
        return Err(ServiceTrouble::of_job(text));
    }
    memory.not_found = 0;
    memory.observe(pace.longest_pause * 2);
    let mut change = result_change(ctx, part, &remote_id, &results, &service).await?;
    let moves = change.to != part.state;
    if !moves && memory.observed >= pace.lookup_window {
        change.trouble = format!(
            "The service has been processing batch {remote_id} for a long time. Ask the provider about that number; other batches continue."
        );
    }
    let settled = change_part(store, part, change, ctx.now_stamp()).await?.unwrap_or_default();
    if settled > 0 || moves {
        *memory = JobMemory::default();
        return Ok(JobProgress::Moved);
    }
    Ok(JobProgress::Waits)
}

/// The service doesn't know the number that it gave: it may know it later, or the number is lost.
async fn handle_missing_batch(
    ctx: &Context,
    part: &OpenPart,
    remote_id: &str,
    is_practice: bool,
    memory: &mut JobMemory,
) -> Result<JobProgress, ServiceTrouble> {
    let pace = Outbox::from_context(ctx).pace();
    memory.not_found += 1;
    memory.observe(pace.longest_pause * 2);
    if memory.not_found < LOST_AFTER {
        return Ok(JobProgress::Recheck);
    }
    if !is_practice && memory.observed < pace.lookup_window {
        let text = format!(
            "The service returned batch number {remote_id} but can't find it yet. Bordereau will ask again; other batches continue."
        );
        part.keep_message(ctx.store(), text).await?;
        return Ok(JobProgress::Waits);
    }
    *memory = JobMemory::default();
    let evidence = StageEvidence::of(format!("results of batch {remote_id}"), "there is no such batch");
    let lost = PartChange {
        remote_id: RemoteNumber::Unknown,
        evidence: Some(evidence),
        ..PartChange::to(BatchState::Unknown)
    };
    change_part(ctx.store(), part, lost, ctx.now_stamp()).await?;
    Ok(JobProgress::Moved)
}

/// Asks again for the results of a part that was processed without an outcome for every row: they may come late, and
/// the profile may know their words by now. Returns whether any row has an outcome now.
pub(super) async fn ask_results_again(
    ctx: &Context,
    part: &OpenPart,
    service: &Service,
) -> Result<bool, ServiceTrouble> {
    let Some(remote_id) = &part.remote_id else { return Ok(false) };
    let results = match fetch_batch_results(service, remote_id).await {
        Ok(results) if is_same_batch(&results.batch_id, remote_id) => results,
        Err(error) if !error.is_unsupported_endpoint(service.is_practice) => return Err(error.into()),
        _ => return Ok(false),
    };
    let change = result_change(ctx, part, remote_id, &results, service).await?;
    let moves = change.to != part.state;
    let settled = change_part(ctx.store(), part, change, ctx.now_stamp()).await?;
    Ok(settled.is_some_and(|settled| settled > 0 || moves))
}

/// A row that was refused, or has no outcome, and has a number of the service may have been stored under it: the
/// record under that number shows whether it is this row. From the practice service, it is the number of the earlier
/// transaction. While the batch isn't over the first record that doesn't show it ends this: the results are asked for
/// again, and each record once more would use up the limit of requests.
async fn confirm_numbers(
    ctx: &Context,
    part: &OpenPart,
    service: &Service,
    is_over: bool,
    outcomes: &mut [(i64, RowOutcome)],
) -> Result<(), ServiceTrouble> {
    let is_doubtful = |outcome: &RowOutcome| {
        matches!(outcome.state, RowState::Error | RowState::Pending) && outcome.transaction_id.is_some()
    };
    if service.is_practice || !outcomes.iter().any(|(_, outcome)| is_doubtful(outcome)) {
        return Ok(());
    }
    let waiting = waiting_rows(ctx.store(), part, false).await?;
    let sent: HashMap<i64, &ImportTransaction> =
        waiting.iter().map(|waiting| (waiting.row, &waiting.transaction)).collect();
    for (row, outcome) in outcomes.iter_mut().filter(|(_, outcome)| is_doubtful(outcome)) {
        let (Some(sent), Some(number)) = (sent.get(row), outcome.transaction_id) else { continue };
        // The number of a refused row may be that of an earlier transaction.
        let compare = if outcome.state == RowState::Error { match_record } else { match_asked_record };
        if let Some(record) = find_record(service, number).await?
            && compare(&record, sent, part.sent_ms) == RecordMatch::Same
        {
            let found = service.row_outcome(&record, "transaction by the number that its result gives");
            let mut messages = std::mem::take(&mut outcome.messages);
            messages.retain(|message| !message.is_lookup);
            let state = match (outcome.state, found.state) {
                (RowState::Error, _) => RowState::SavedIncomplete,
                (_, RowState::Accepted) if !messages.is_empty() => RowState::Warning,
                (_, state) => state,
            };
            *outcome = RowOutcome { messages, state, is_result: true, ..found };
        } else if !is_over && outcome.state == RowState::Pending {
            break;
        }
    }
    Ok(())
}

/// How far the service is with the batch that results are of.
struct ResultsStage<'r> {
    words: &'r ServiceWords,
    status: BatchStatus,
    is_over: bool,
    /// While another service works on a batch, or lists only some of its rows, the result of a row may still change.
    is_under_way: bool,
}

impl ResultsStage<'_> {
    fn of<'r>(results: &ImportResults, remote_id: &str, words: &'r ServiceWords) -> ResultsStage<'r> {
        let status = words.batch_status(&results.status);
        // An answer to the import with results and without a status is final.
        let is_whole = remote_id.is_empty() && status == BatchStatus::default();
        let is_over = is_whole || matches!(status, BatchStatus::Failed | BatchStatus::Processed);
        let is_under_way = matches!(status, BatchStatus::Queued | BatchStatus::Processing);
        ResultsStage { words, status, is_over, is_under_way }
    }

    fn is_final(&self, result: &ImportResult) -> bool {
        self.words.result_status(&result.status).is_some()
    }

    /// A result without a final status counts only once the batch has ended, or where it says by itself that its row
    /// succeeded or why it was refused.
    fn is_usable(&self, result: &ImportResult) -> bool {
        let is_refused = !result.errors.is_empty() && result.is_plain_failure();
        let is_plain = result.success == Some(true) || is_refused;
        self.is_over || self.is_final(result) || (!self.is_under_way && is_plain)
    }

    /// The results that count for so many rows. A number shows whether a row is there, whatever its status is.
    fn usable_results(&self, results: &ImportResults, rows: usize, is_practice: bool) -> Vec<ImportResult> {
        let has_number = |result: &ImportResult| !self.is_under_way && result.transaction_id.is_some();
        let counts = |result: &&ImportResult| self.is_usable(result) || has_number(result);
        let usable: Vec<ImportResult> = results.transactions.iter().filter(counts).cloned().collect();
        let may_change = !self.is_over && !is_practice && (self.is_under_way || usable.len() < rows);
        if may_change { Vec::new() } else { usable }
    }

    /// Which words of the service are not known.
    fn unknown_words(&self, word: &str, results: &ImportResults, name: &str) -> String {
        let of_row =
            results.transactions.iter().find(|result| result.status.is_told() && !self.is_final(result));
        let of_row = of_row.map_or_else(String::new, |row| format!(", and for a row: \"{}\"", row.status));
        format!(
            "The service returned an unknown status for {name}: {word:?}{of_row}. Bordereau will ask again; other batches continue. You can set what the word means in the profile, under the service's own words."
        )
    }
}

/// The change that results make to a part. A row that isn't in the results of a processed batch, or has no number
/// there, is unknown and looked up.
async fn result_change(
    ctx: &Context,
    part: &OpenPart,
    remote_id: &str,
    results: &ImportResults,
    service: &Service,
) -> Result<PartChange, ServiceTrouble> {
    let rows = named_rows(ctx.store(), part).await?;
    let stage = ResultsStage::of(results, remote_id, &service.words);
    let name = if remote_id.is_empty() { "the batch".to_owned() } else { format!("batch {remote_id}") };
    let question = if remote_id.is_empty() { QUESTION.to_owned() } else { format!("results of {name}") };
    let usable = stage.usable_results(results, rows.len(), service.is_practice);
    let mut outcomes = match_outcomes(&rows, &usable, &service.words, &question);
    confirm_numbers(ctx, part, service, stage.is_over, &mut outcomes).await?;
    if stage.is_over {
        let refused = rows_refused_at_import(ctx.store(), part, service, remote_id, &outcomes).await?;
        outcomes.extend(refused);
    }
    let settled = outcomes.iter().filter(|(_, outcome)| outcome.state != RowState::Pending);
    let settled: HashSet<i64> = settled.map(|(row, _)| *row).collect();
    let answered = count_answered(ctx, part, &stage, results, (rows.len(), &settled), &mut outcomes).await?;
    let mut is_done = stage.is_over;
    // Unknown status word: where every row has an outcome, the batch is done, and where every row is said to have one
    // and one of those that succeeded is there.
    if matches!(stage.status, BatchStatus::Unknown(_)) && !is_done && !rows.is_empty() {
        let is_all = outcomes.len() == rows.len() && usable.iter().all(|result| stage.is_usable(result));
        is_done =
            answered == rows.len() || (is_all && is_open_row_there(ctx, part, service, &settled).await?);
    }
    let is_whole = answered == rows.len();
    let next = next_state(&stage.status, is_done, is_whole, service.is_practice);
    let to = next.unwrap_or(part.state);
    let trouble = match &stage.status {
        _ if to == BatchState::Failed => {
            "The service stopped processing the batch. Rows without a result weren't accepted and can be sent again."
                .to_owned()
        }
        _ if is_done && !is_whole => format!(
            "The service is done with {name} and names {} of {} with an outcome. Bordereau looks the others up; nothing is sent again automatically.",
            format_count(answered),
            pluralize(rows.len(), "row")
        ),
        BatchStatus::Unknown(word) if !is_done => stage.unknown_words(word, results, &name),
        _ => String::new(),
    };
    let evidence = is_done.then(|| {
        let failed = if stage.status == BatchStatus::Failed { "failed, " } else { "" };
        StageEvidence::of(
            question,
            format!("{failed}{answered} of {} answered", pluralize(rows.len(), "row")),
        )
    });
    Ok(PartChange { outcomes, trouble, evidence, ..PartChange::to(to) })
}

/// What results make of a part; none where it stays as it is. The practice service accepts a batch whole or not at all.
fn next_state(status: &BatchStatus, is_done: bool, is_whole: bool, is_practice: bool) -> Option<BatchState> {
    match status {
        BatchStatus::Failed if is_practice || is_whole => Some(BatchState::Failed),
        _ if is_done && !is_whole => Some(BatchState::Unknown),
        _ if is_done => Some(BatchState::Processed),
        BatchStatus::Processing => Some(BatchState::Processing),
        _ => None,
    }
}

/// How many rows have an outcome. Those of a part that failed have its reason while they are looked up.
async fn count_answered(
    ctx: &Context,
    part: &OpenPart,
    stage: &ResultsStage<'_>,
    results: &ImportResults,
    (rows, settled): (usize, &HashSet<i64>),
    outcomes: &mut Vec<(i64, RowOutcome)>,
) -> Result<usize, ServiceTrouble> {
    if settled.len() >= rows || stage.is_under_way {
        return Ok(settled.len());
    }
    let waiting = waiting_rows(ctx.store(), part, false).await?.into_iter().map(|waiting| waiting.row);
    let waiting: Vec<i64> = waiting.filter(|row| !settled.contains(row)).collect();
    let answered = rows - waiting.len();
    if stage.is_over && !results.message.is_empty() {
        let messages = vec![parse_message("warning", "", &results.message)];
        let failed = RowOutcome { messages, ..RowOutcome::from_state(RowState::Pending) };
        let named: HashSet<i64> = outcomes.iter().map(|(row, _)| *row).collect();
        let unnamed = waiting.into_iter().filter(|row| !named.contains(row));
        outcomes.extend(unnamed.map(|row| (row, failed.clone())));
    }
    Ok(answered)
}

/// Whether the service has the first of the rows that have no outcome yet.
async fn is_open_row_there(
    ctx: &Context,
    part: &OpenPart,
    service: &Service,
    settled: &HashSet<i64>,
) -> Result<bool, ServiceTrouble> {
    let telling = telling_rows(ctx.store(), part).await?;
    let Some(open) = telling.iter().find(|row| !settled.contains(&row.row)) else { return Ok(false) };
    Ok(matches!(look_up(ctx.store(), service, part, open).await?, LookupResult::Here(..)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_done_only_with_an_outcome_for_every_row() {
        use BatchState::{Failed, Processed, Processing, Unknown};
        let word = BatchStatus::Unknown("held".to_owned());
        #[rustfmt::skip]
        let cases: [(&BatchStatus, bool, bool, bool, Option<BatchState>); 12] = [
            // status, is done, every row has an outcome, practice
            (&BatchStatus::Queued,     false, false, false, None),
            (&BatchStatus::Processing, false, false, false, Some(Processing)),
            (&BatchStatus::Processing, false, true,  false, Some(Processing)),
            (&BatchStatus::Processed,  true,  true,  false, Some(Processed)),
            (&BatchStatus::Processed,  true,  false, false, Some(Unknown)),
            (&BatchStatus::Processed,  true,  false, true,  Some(Unknown)),
            (&BatchStatus::Failed,     true,  false, true,  Some(Failed)),
            (&BatchStatus::Failed,     true,  true,  false, Some(Failed)),
            // Some rows may be accepted: they are looked up before anything is sent again.
            (&BatchStatus::Failed,     true,  false, false, Some(Unknown)),
            (&word,                    false, false, false, None),
            (&word,                    true,  true,  false, Some(Processed)),
            (&word,                    true,  false, false, Some(Unknown)),
        ];
        for (status, is_done, is_whole, is_practice, expected) in cases {
            let found = next_state(status, is_done, is_whole, is_practice);
            assert_eq!(found, expected, "{status:?} {is_done} {is_whole} {is_practice}");
        }
    }
}
