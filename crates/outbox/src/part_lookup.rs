//! Looks up a part of a batch: first the whole part by an own id, then its rows, then a search over their dates.

use std::collections::HashMap;

use bordereau_api::{BatchState, RowState, StageEvidence};
use bordereau_contract::{ImportResults, format_timestamp, plain, pluralize};
use bordereau_session::Context;
use bordereau_store::batches::decision::request_decision;
use bordereau_store::place::copy_reason;
use bordereau_store::{Destination, Store, StoreError};

use chrono::DateTime;

use super::OutboxPace;
use super::job::{DeliveryProof, JobMemory, JobPriority, JobProgress, OutboxJob, Service, ServiceTrouble};
use super::lookup_keys::{KnownRow, WaitingRow, is_remote_known, known_rows, telling_rows};
use super::outcome::RowOutcome;
use super::row_lookup::{LookupQuestions, LookupResult, knows_transactions, look_up};
use super::search_lookup::{SearchedRow, knows_search, search_rows};
use super::step::{ask_results_again, take_step};
use super::transition::{
    OpenPart, PartChange, RemoteNumber, add_observed, change_part, local_message, lost_parts, named_rows,
    open_parts, record_trouble, recover_interrupted, waiting_rows,
};
use super::worker::Outbox;

/// Rows asked for in place of a whole part.
const LOOKED_UP: usize = 3;
/// Transactions asked for because the service is known to have them.
const KNOWN: u32 = 3;

/// Shown for a row that the service processed without a result.
const UNANSWERED: &str = "The service ended the batch without an outcome for this row, and does not find it by its id or its invoice number. It counts as not accepted.";

/// Shown for a batch that the service ended without an outcome for any row.
const ENDED: &str = "The service ended the batch without accepting any row. The rows can be sent again.";

/// What a service showed that only answers that there is nothing.
const NOT_FOUND: &str = "it only answers \"not found\", which alone proves nothing";

/// Evidence for a row that was found by a search over its policy's date.
const BY_SEARCH: &str = "search by the date of its policy";

impl OutboxJob for OpenPart {
    const KIND: &'static str = "part";

    fn key(&self) -> (i64, i64) {
        (self.batch, self.part)
    }

    fn destination(&self) -> &Destination {
        &self.destination
    }

    fn priority(&self) -> JobPriority {
        match self.state {
            BatchState::Sending | BatchState::Unknown => JobPriority::Lost,
            BatchState::Queued => JobPriority::Waiting,
            _ => JobPriority::Accepted,
        }
    }

    fn can_run_with(&self, running: &[&Self], pace: &OutboxPace) -> bool {
        running.len() < pace.parts_in_flight.max(1)
    }

    fn observed_ms(&self) -> i64 {
        self.observed_ms
    }

    fn lost_reason(&self, store: &Store) -> &'static str {
        match self.remote_id {
            Some(_) => "The service accepted the batch and hasn't given an outcome for every row",
            None if self.is_received => "The service received it without giving a batch number",
            None => lost_reason(store, self.was_sent),
        }
    }

    async fn list_open(store: &Store, only: Option<(i64, i64)>) -> Result<Vec<Self>, StoreError> {
        open_parts(store, only).await
    }

    async fn recover(ctx: &Context, only: Option<(i64, i64)>) -> Result<(), StoreError> {
        recover_interrupted(ctx.store(), only, ctx.now_stamp()).await
    }

    async fn run_step(&self, ctx: &Context, memory: &mut JobMemory) -> Result<JobProgress, ServiceTrouble> {
        take_step(ctx, self, memory).await
    }

    async fn keep_message(&self, store: &Store, text: String) -> Result<(), StoreError> {
        record_trouble(store, self.batch, text).await
    }

    async fn add_observed(&self, store: &Store, ms: i64) -> Result<(), StoreError> {
        add_observed(store, self, ms).await
    }

    async fn look_up(&self, ctx: &Context, service: &Service) -> Result<bool, ServiceTrouble> {
        let store = ctx.store();
        let telling = telling_rows(store, self).await?;
        let waiting = waiting_rows(store, self, false).await?;
        if waiting.is_empty() {
            change_part(store, self, PartChange::to(BatchState::Processed), ctx.now_stamp()).await?;
            return Ok(true);
        }
        if !service.is_practice && ask_results_again(ctx, self, service).await? {
            return Ok(true);
        }
        // Another service may return results for some of its rows only.
        let places = if service.is_practice { vec![0] } else { sample_rows(waiting.len()) };
        for row in places.into_iter().filter_map(|at| waiting.get(at)) {
            let own_id = &row.transaction.id;
            if let Some(found) = newest_batch(service, own_id).await?
                && (service.is_practice || contains_id(&found, own_id))
                && !is_remote_known(store, &found.batch_id).await?
            {
                adopt_batch(ctx, self, found.batch_id, own_id).await?;
                return Ok(true);
            }
        }
        for at in sample_rows(telling.len()) {
            if let Some(row) = telling.get(at)
                && let LookupResult::Here(..) = look_up(store, service, self, row).await?
            {
                return adopt_rows(ctx, self, service, &telling).await;
            }
        }
        if service.is_practice {
            return Ok(false);
        }
        let searched = search_rows(store, service, self, &telling).await?.unwrap_or_default();
        let mut outcomes: Vec<(i64, RowOutcome)> = Vec::new();
        for (row, found) in searched {
            if let SearchedRow::Here(record) = found {
                outcomes.push((row, service.row_outcome(&record, BY_SEARCH)));
            }
        }
        if outcomes.is_empty() {
            return Ok(false);
        }
        let change = PartChange { outcomes, ..PartChange::to(self.state) };
        Ok(change_part(store, self, change, ctx.now_stamp()).await?.is_some())
    }

    async fn judge_delivery(
        &self,
        ctx: &Context,
        service: &Service,
    ) -> Result<DeliveryProof, ServiceTrouble> {
        if service.is_practice {
            // The practice service is known to answer both questions.
            return Ok(DeliveryProof::Absent);
        }
        let known = known_rows(ctx.store(), self, KNOWN).await?;
        // A processed batch says nothing about rows that it doesn't list. A single import has no batch, so that none
        // is listed proves nothing.
        if !self.is_single && self.remote_id.is_none() && knows_batches(service, &known).await? {
            return prove_by_batches(ctx, self, service).await;
        }
        prove_by_rows(ctx, self, service, &known).await
    }

    async fn send_again(&self, ctx: &Context) -> Result<(), ServiceTrouble> {
        let evidence = StageEvidence::of(
            "rows by id and invoice number, beside others that the service has",
            "the others are there, these are not",
        );
        let change = match self.remote_id {
            None => PartChange {
                evidence: Some(evidence),
                audit: not_there_audit(ctx.store(), self.was_sent),
                ..PartChange::to(BatchState::Queued)
            },
            // The service processed the batch without these rows, and might do so every time.
            Some(_) => {
                let unanswered = RowOutcome {
                    messages: vec![local_message("error", UNANSWERED)],
                    evidence: Some(evidence),
                    ..RowOutcome::from_state(RowState::NotSent)
                };
                let waiting = waiting_rows(ctx.store(), self, false).await?;
                let is_none = waiting.len() == named_rows(ctx.store(), self).await?.len();
                let outcomes = waiting.into_iter().map(|row| (row.row, unanswered.clone())).collect();
                let (to, trouble) =
                    if is_none { (BatchState::Failed, ENDED) } else { (BatchState::Processed, "") };
                PartChange { outcomes, trouble: trouble.to_owned(), ..PartChange::to(to) }
            }
        };
        change_part(ctx.store(), self, change, ctx.now_stamp()).await?;
        Ok(())
    }

    async fn wait_for_decision(&self, ctx: &Context, hint: String) -> Result<(), ServiceTrouble> {
        let waiting = waiting_rows(ctx.store(), self, false).await?;
        if let Some(first) = waiting.first() {
            let lost = self.lost_reason(ctx.store());
            let text = lost_question(lost, first, waiting.len(), &lost_time(ctx, self), &hint);
            request_decision(ctx.store(), self, text, ctx.now_stamp()).await?;
        }
        Ok(())
    }
}

/// Whether a batch that the service lists has one of the rows. One that is not known here is this part's.
async fn prove_by_batches(
    ctx: &Context,
    part: &OpenPart,
    service: &Service,
) -> Result<DeliveryProof, ServiceTrouble> {
    for row in waiting_rows(ctx.store(), part, false).await? {
        let own_id = &row.transaction.id;
        if let Some(found) = newest_batch(service, own_id).await?
            && !is_remote_known(ctx.store(), &found.batch_id).await?
        {
            adopt_batch(ctx, part, found.batch_id, own_id).await?;
            return Ok(DeliveryProof::Adopted);
        }
    }
    Ok(DeliveryProof::Absent)
}

/// Asks for each row in the ways in which the service is known to find others.
async fn prove_by_rows(
    ctx: &Context,
    part: &OpenPart,
    service: &Service,
    known: &[KnownRow],
) -> Result<DeliveryProof, ServiceTrouble> {
    let telling = telling_rows(ctx.store(), part).await?;
    let mut can_be_asked = knows_transactions(service, known).await?;
    // A search by dates may find what the own id doesn't.
    let mut searched = HashMap::new();
    if !can_be_asked.own_id {
        can_be_asked.search = knows_search(service, known).await?;
        searched = search_rows(ctx.store(), service, part, &telling).await?.unwrap_or_default();
    }
    // A row sent earlier is found whether or not it arrived this time.
    let waiting = waiting_rows(ctx.store(), part, false).await?;
    let mut is_proven = can_be_asked.any() && waiting.len() == telling.len();
    let (mut outcomes, mut hints, mut is_answered) = (Vec::new(), Vec::new(), false);
    // Where the service can't be asked at all, show a sample of records that may be it.
    let places = if can_be_asked.any() { (0..telling.len()).collect() } else { sample_rows(telling.len()) };
    for row in places.into_iter().filter_map(|at| telling.get(at)) {
        let asked = look_up(ctx.store(), service, part, row).await?;
        match with_search(asked, searched.remove(&row.row)) {
            LookupResult::Here(record, question) => {
                outcomes.push((row.row, service.row_outcome(&record, question)));
            }
            LookupResult::Absent(absent) => {
                is_proven &= absent.and(can_be_asked).any();
                is_answered = true;
            }
            LookupResult::Unclear(why) => {
                is_proven = false;
                hints.push(why);
            }
        }
    }
    is_proven &= !drop_shared(&mut outcomes);
    if !outcomes.is_empty() {
        let change = PartChange { outcomes, ..PartChange::to(part.state) };
        change_part(ctx.store(), part, change, ctx.now_stamp()).await?;
        return Ok(DeliveryProof::Adopted);
    }
    let hint = hints.into_iter().find(|hint| !hint.is_empty());
    let hint = hint.or_else(|| is_answered.then(|| NOT_FOUND.to_owned())).unwrap_or_default();
    Ok(if is_proven { DeliveryProof::Absent } else { DeliveryProof::Unproven(hint) })
}

/// `, sent Nov 22, 2026, 3:08 PM` in the person's time zone; empty where the time is unknown.
fn lost_time(ctx: &Context, part: &OpenPart) -> String {
    let lost = part.lost_ms.filter(|_| part.was_sent).and_then(DateTime::from_timestamp_millis);
    lost.map_or_else(String::new, |at| format!(", sent {}", format_timestamp(&ctx.ports().clock.local(at))))
}

/// The audit log's text where the service doesn't have the job.
pub fn not_there_audit(store: &Store, was_sent: bool) -> String {
    if was_sent {
        return "was looked for after its answer was lost, and the service does not have it: it is sent again."
            .to_owned();
    }
    format!("was looked for, and the service does not have it: it is sent. {}.", lost_reason(store, false))
}

/// Why the job must be looked up, as the start of a sentence.
pub fn lost_reason(store: &Store, was_sent: bool) -> &'static str {
    if was_sent {
        "It isn't confirmed that the service received it"
    } else {
        copy_reason(store.office().is_some())
    }
}

/// Combines the answer about a row with what the search by dates shows.
fn with_search(asked: LookupResult, searched: Option<SearchedRow>) -> LookupResult {
    match (asked, searched) {
        (LookupResult::Here(record, question), _) => LookupResult::Here(record, question),
        (_, Some(SearchedRow::Here(record))) => LookupResult::Here(record, BY_SEARCH),
        (LookupResult::Unclear(why), Some(SearchedRow::Absent)) if why.is_empty() => {
            LookupResult::Absent(LookupQuestions { search: true, ..LookupQuestions::default() })
        }
        (LookupResult::Absent(absent), Some(SearchedRow::Absent)) => {
            LookupResult::Absent(LookupQuestions { search: true, ..absent })
        }
        (_, Some(SearchedRow::Unclear(why))) if !why.is_empty() => LookupResult::Unclear(why),
        (asked, _) => asked,
    }
}

/// Adopts rows whose answer was lost from the results of a batch that was asked for by its number. Returns whether
/// there were any.
pub async fn adopt_named(
    ctx: &Context,
    profile_id: &str,
    results: &ImportResults,
) -> Result<bool, StoreError> {
    let store = ctx.store();
    if !is_number(&results.batch_id) || is_remote_known(store, &results.batch_id).await? {
        return Ok(false);
    }
    for part in lost_parts(store, profile_id).await? {
        let rows = named_rows(store, &part).await?;
        let Some(row) = rows.iter().find(|row| contains_id(results, &row.own_id)) else { continue };
        adopt_batch(ctx, &part, results.batch_id.clone(), &row.own_id).await?;
        Outbox::from_context(ctx).wake();
        return Ok(true);
    }
    Ok(false)
}

async fn adopt_batch(ctx: &Context, part: &OpenPart, number: String, own_id: &str) -> Result<(), StoreError> {
    let evidence = StageEvidence::of(format!("batch with id {own_id}"), format!("batch {number}"));
    let change = PartChange {
        remote_id: RemoteNumber::Known(number),
        evidence: Some(evidence),
        ..PartChange::to(BatchState::Accepted)
    };
    change_part(ctx.store(), part, change, ctx.now_stamp()).await?;
    Ok(())
}

/// Adopts rows that the service has without listing a batch for them. The practice service accepts a batch whole, so
/// the other rows are sent again; another service may still be processing them, so they are looked up further.
async fn adopt_rows(
    ctx: &Context,
    part: &OpenPart,
    service: &Service,
    rows: &[WaitingRow],
) -> Result<bool, ServiceTrouble> {
    let mut outcomes = Vec::new();
    for row in rows {
        if let LookupResult::Here(record, question) = look_up(ctx.store(), service, part, row).await? {
            outcomes.push((row.row, service.row_outcome(&record, question)));
        }
    }
    if !service.is_practice {
        drop_shared(&mut outcomes);
        if outcomes.is_empty() {
            return Ok(false);
        }
    }
    let is_whole = service.is_practice && part.remote_id.is_none();
    let to = if is_whole { BatchState::Queued } else { part.state };
    let change = PartChange { outcomes, ..PartChange::to(to) };
    Ok(change_part(ctx.store(), part, change, ctx.now_stamp()).await?.is_some())
}

/// Leaves out records that several rows found, as one belongs to one row; returns whether there were any.
fn drop_shared(outcomes: &mut Vec<(i64, RowOutcome)>) -> bool {
    let mut rows_of: HashMap<Option<i64>, usize> = HashMap::new();
    for (_, outcome) in outcomes.iter() {
        *rows_of.entry(outcome.transaction_id).or_default() += 1;
    }
    outcomes.retain(|(_, outcome)| rows_of.get(&outcome.transaction_id) == Some(&1));
    rows_of.values().any(|rows| *rows > 1)
}

/// The newest batch with a transaction of this id, where the service has that endpoint; one that doesn't may return
/// any batch.
async fn newest_batch(service: &Service, own_id: &str) -> Result<Option<ImportResults>, ServiceTrouble> {
    match service.client.import_results_with(own_id).await {
        Ok(found) => Ok(found.filter(|found| is_number(&found.batch_id))),
        Err(error) if error.is_unsupported_endpoint(service.is_practice) => Ok(None),
        Err(error) => Err(ServiceTrouble::from(&error)),
    }
}

/// Whether a text can be a batch number of the service.
pub(super) fn is_number(text: &str) -> bool {
    !matches!(text.trim(), "" | "0" | "null")
}

/// Whether two texts are the same batch number: services write it with and without dashes, in either case.
pub(super) fn is_same_batch(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

fn contains_id(found: &ImportResults, own_id: &str) -> bool {
    found.transactions.iter().any(|result| result.id == own_id)
}

/// Whether the service returns the batch of a transaction that it is known to have.
async fn knows_batches(service: &Service, known: &[KnownRow]) -> Result<bool, ServiceTrouble> {
    for row in known {
        let found = newest_batch(service, &row.sent.id).await?;
        if found.is_some_and(|found| {
            contains_id(&found, &row.sent.id)
                && row.remote_id.as_ref().is_some_and(|number| is_same_batch(number, &found.batch_id))
        }) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// First, middle, last: one of them finds a part that was accepted in part.
fn sample_rows(count: usize) -> Vec<usize> {
    let mut places: Vec<usize> = match count {
        0 => Vec::new(),
        _ => (0..LOOKED_UP).map(|nth| nth * (count - 1) / (LOOKED_UP - 1)).collect(),
    };
    places.dedup();
    places
}

/// The question for the person.
fn lost_question(lost: &str, first: &WaitingRow, count: usize, when: &str, hint: &str) -> String {
    let sent = &first.transaction;
    let policy = sent.policy_number.as_deref().filter(|text| !text.trim().is_empty());
    let invoice = sent.invoice_number.as_deref().filter(|text| !text.trim().is_empty());
    let what = match (policy, invoice) {
        (Some(policy), Some(invoice)) => format!("policy {policy} (invoice {invoice})"),
        (Some(policy), None) => format!("policy {policy}"),
        (None, Some(invoice)) => format!("invoice {invoice}"),
        (None, None) => format!("id {}", sent.id),
    };
    let others = match count {
        0 | 1 => String::new(),
        many => format!(" and {}", pluralize(many - 1, "more transaction")),
    };
    let why = match hint {
        "" => "the service cannot be asked".to_owned(),
        hint => format!("the service does not settle it: {hint}"),
    };
    format!(
        "{lost} and {why}. Look in its portal for {what}{others}{when}; then choose: it was received, or send again. Until then nothing is sent."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_and_the_middle_are_looked_up() {
        for (count, expected) in
            [(0, vec![]), (1, vec![0]), (2, vec![0, 1]), (3, vec![0, 1, 2]), (1000, vec![0, 499, 999])]
        {
            assert_eq!(sample_rows(count), expected, "{count}");
        }
    }

    #[test]
    fn a_record_belongs_to_one_row() {
        let found = |number: i64| RowOutcome {
            transaction_id: Some(number),
            ..RowOutcome::from_state(RowState::Accepted)
        };
        for (numbers, left, is_shared) in [([7, 8, 9], vec![0, 1, 2], false), ([7, 8, 7], vec![1], true)] {
            let mut outcomes: Vec<(i64, RowOutcome)> = (0..).zip(numbers.map(found)).collect();
            assert_eq!(drop_shared(&mut outcomes), is_shared);
            assert_eq!(outcomes.iter().map(|(row, _)| *row).collect::<Vec<i64>>(), left, "{numbers:?}");
        }
    }

    #[test]
    fn the_question_names_what_can_be_found_in_a_portal() {
        use bordereau_contract::ImportTransaction;
        let cases = [
            (
                Some("P-1"),
                Some("I-1"),
                3,
                "policy P-1 (invoice I-1) and 2 more transactions, sent Jan 1, 1970, 12:00 AM;",
            ),
            (Some("P-1"), Some(" "), 1, "policy P-1, sent"),
            (None, Some("I-1"), 2, "invoice I-1 and 1 more transaction, sent"),
            (None, None, 1, "id own-1, sent"),
        ];
        for (policy, invoice, count, expected) in cases {
            let transaction = ImportTransaction {
                id: "own-1".into(),
                policy_number: policy.map(str::to_owned),
                invoice_number: invoice.map(str::to_owned),
                ..ImportTransaction::default()
            };
            let text = lost_question(
                "It is lost",
                &WaitingRow { row: 0, transaction, is_intact: true, evidence: None },
                count,
                ", sent Jan 1, 1970, 12:00 AM",
                "",
            );
            assert!(text.contains(expected), "{text}");
        }
    }
}
