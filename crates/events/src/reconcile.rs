//! Reconciliation: asks the service whether events are true, and what happened without an event.
//!
//! The load is bounded: an event is checked once, an unchanged transaction less and less often, only a few in each
//! round, and a failing service is left alone for a while.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use bordereau_client::TransactionLookup;
use bordereau_contract::{BatchStatus, TransactionRecord, TransactionStatus, batch_numbers, format_day_text};
use tokio::time::Instant;

use super::EventFact;
use super::watched_transactions::is_settled;
use super::wordings::AdoptedQuotes;
use crate::EventInbox;
use crate::settings::event_settings;
use crate::watched_transactions::{postpone_questions, watch_new_transactions};
use crate::wordings::{adopt_new_quotes, check_wording};
use bordereau_api::{BoundaryError, EventCheck, EventKind, Profile};
use bordereau_outbox::{Outbox, adopt_named, ask_part};
use bordereau_session::Context;
use bordereau_session::failure::from_client;
use bordereau_session::profile::{ServiceWords, open_session, profile_by_id};
use bordereau_store::StoreError;
use bordereau_store::batches::outcome::note_filed;
use bordereau_store::batches::transition::{OpenPart, open_parts};
use bordereau_store::events::inbox::{CONFIRMED_BY_SERVICE, store_facts};
use bordereau_store::events::service_checks::{
    UncheckedEvent, is_part_processed, list_unannounced_parts, list_unchecked_events, record_check,
};
use bordereau_store::events::watches::{AskedTransaction, list_due_watches, watched_among};
use bordereau_store::events::wordings::list_due_wordings;

/// Most rounds for which a failing service is left alone.
const LOOKS_SKIPPED_MAX: u32 = 20;

/// New events are shown first, and those that arrive together are checked together.
const AFTER_NEWS: Duration = Duration::from_millis(100);

/// Checks in rounds; almost at once after a new event.
pub(super) async fn run_worker(ctx: Context) {
    let mut looking = ReconcileState::default();
    let mut changes = EventInbox::from_context(&ctx).changes();
    loop {
        changes.mark_unchanged();
        if let Err(error) = looking.check_events(&ctx).await {
            tracing::warn!(%error, "events were not looked at");
        }
        let look = EventInbox::from_context(&ctx).pace().look;
        let until = Instant::now() + look;
        tokio::select! {
            changed = changes.changed() => match changed {
                Ok(()) => tokio::time::sleep(AFTER_NEWS).await,
                Err(_) => return,
            },
            () = tokio::time::sleep_until(until) => {}
        }
    }
}

/// State between rounds.
#[derive(Default)]
struct ReconcileState {
    /// The revision of the outbox when its transactions were last collected.
    outbox: Option<i64>,
    quotes: AdoptedQuotes,
    /// Failing services: when to ask again, and the failures in a row.
    resting: HashMap<String, (Instant, u32)>,
}

impl ReconcileState {
    async fn check_events(&mut self, ctx: &Context) -> Result<(), StoreError> {
        adopt_outbox(ctx).await?;
        watch_new_transactions(ctx, &mut self.outbox).await?;
        let at_once = EventInbox::from_context(ctx).pace().at_once;
        for event in ctx.store().with_connection(move |db| list_unchecked_events(db, at_once)).await? {
            if !self.is_backing_off(&event.profile_id) {
                let result = check_event(ctx, &event).await;
                self.record_outcome(ctx, &event.profile_id.clone(), result);
            }
        }
        let now = ctx.ports().clock.now().timestamp_millis();
        adopt_new_quotes(ctx, &mut self.quotes).await?;
        for due in ctx.store().with_connection(move |db| list_due_wordings(db, now, at_once)).await? {
            if !self.is_backing_off(&due.profile_id) {
                let profile_id = due.profile_id.clone();
                let result = check_wording(ctx, due, now).await;
                self.record_outcome(ctx, &profile_id, result);
            }
        }
        let due = ctx.store().with_connection(move |db| list_due_watches(db, now, at_once)).await?;
        for (profile_id, transaction) in due {
            if !self.is_backing_off(&profile_id) {
                let result = check_transaction(ctx, &profile_id, &transaction).await;
                self.record_outcome(ctx, &profile_id, result);
            }
        }
        Ok(())
    }

    fn is_backing_off(&self, profile_id: &str) -> bool {
        self.resting.get(profile_id).is_some_and(|(until, _)| *until > Instant::now())
    }

    /// Leaves a service that fails alone, longer each time.
    fn record_outcome(&mut self, ctx: &Context, profile_id: &str, result: Result<(), BoundaryError>) {
        match result {
            Ok(()) => {
                self.resting.remove(profile_id);
            }
            Err(error) => {
                tracing::debug!(why = error.message, "not asked about events");
                let rest = self.resting.entry(profile_id.to_owned()).or_insert((Instant::now(), 0));
                rest.1 = (rest.1 + 1).min(LOOKS_SKIPPED_MAX);
                rest.0 = Instant::now() + EventInbox::from_context(ctx).pace().look * rest.1;
            }
        }
    }
}

/// Results that the outbox fetched are facts as well.
async fn adopt_outbox(ctx: &Context) -> Result<(), StoreError> {
    let parts = ctx.store().with_connection(|connection| list_unannounced_parts(connection)).await?;
    let settings = event_settings(ctx).await.unwrap_or_default();
    for part in parts {
        let what = if part.is_processed { EventKind::BatchProcessed } else { EventKind::BatchFailed };
        let is_gap = settings.expects(&part.profile_id);
        let new = confirm_facts(ctx, &part.profile_id, &[EventFact::of_batch(what, part.remote_id)], is_gap)
            .await?;
        tracing::debug!(new, "the outbox knew");
        EventInbox::from_context(ctx).announce_change();
    }
    Ok(())
}

/// Stores confirmed facts; returns how many no event had reported.
async fn confirm_facts(
    ctx: &Context,
    profile_id: &str,
    facts: &[EventFact],
    is_gap: bool,
) -> Result<usize, StoreError> {
    if facts.is_empty() {
        return Ok(0);
    }
    let facts: Vec<_> = facts.iter().map(EventFact::confirmed).collect();
    let (profile_id, at) = (profile_id.to_owned(), ctx.now_text());
    ctx.store()
        .with_connection(move |connection| store_facts(connection, &profile_id, &facts, &at, is_gap))
        .await
}

/// Records facts that transactions show, wherever their records come from.
pub async fn note_records(
    ctx: &Context,
    profile: &Profile,
    records: &[TransactionRecord],
) -> Result<usize, BoundaryError> {
    note_filings(ctx, profile, records).await?;
    let words = ServiceWords::from_profile(profile);
    let facts: Vec<EventFact> =
        records.iter().flat_map(|record| EventFact::of_record(record, &words)).collect();
    let is_gap = event_settings(ctx).await?.expects(&profile.id);
    let new = confirm_facts(ctx, &profile.id, &facts, is_gap).await?;
    if new > 0 {
        EventInbox::from_context(ctx).announce_change();
    }
    Ok(new)
}

/// Marks sent rows as filed where their records say so.
async fn note_filings(
    ctx: &Context,
    profile: &Profile,
    records: &[TransactionRecord],
) -> Result<(), BoundaryError> {
    let words = ServiceWords::from_profile(profile);
    let why = |record: &TransactionRecord| {
        let day = record.filed_date();
        let status = &record.transaction_status;
        let is_filed = words.transaction_status(status) == Some(TransactionStatus::Filed);
        day.map(|day| format!("filed {}", format_day_text(day)))
            .or_else(|| is_filed.then(|| format!("status {status} (filed)")))
    };
    let filed: Vec<(i64, String)> =
        records.iter().filter_map(|record| Some((record.id, why(record)?))).collect();
    if filed.is_empty() {
        return Ok(());
    }
    Ok(note_filed(ctx.store(), &profile.id, filed, ctx.now_text()).await?)
}

/// Records what a refresh of the transactions shows: changes since a record was last read, and all facts of watched
/// transactions. For other transactions the first record is only a start: earlier facts aren't news. Watched ones
/// that were just read needn't be asked about for a while.
pub async fn note_read(
    ctx: &Context,
    profile: &Profile,
    earlier: &[TransactionRecord],
    read: &[TransactionRecord],
) -> Result<(), BoundaryError> {
    note_filings(ctx, profile, read).await?;
    let words = ServiceWords::from_profile(profile);
    let known: HashSet<String> = earlier
        .iter()
        .flat_map(|record| EventFact::of_record(record, &words))
        .map(|fact| fact.fact_key())
        .collect();
    let seen: HashSet<i64> = earlier.iter().map(|record| record.id).collect();
    let ids: Vec<i64> = read.iter().map(|record| record.id).collect();
    let id = profile.id.clone();
    let watched = ctx.store().with_connection(move |connection| watched_among(connection, &id, &ids)).await?;
    let is_news = |record: &TransactionRecord, fact: &EventFact| {
        watched.contains(&record.id) || (seen.contains(&record.id) && !known.contains(&fact.fact_key()))
    };
    let facts: Vec<EventFact> = read
        .iter()
        .flat_map(|record| EventFact::of_record(record, &words).into_iter().map(move |fact| (record, fact)))
        .filter(|(record, fact)| is_news(record, fact))
        .map(|(_, fact)| fact)
        .collect();
    let is_gap = event_settings(ctx).await?.expects(&profile.id);
    let new = confirm_facts(ctx, &profile.id, &facts, is_gap).await?;
    if new > 0 {
        EventInbox::from_context(ctx).announce_change();
    }
    let asked = read.iter().filter(|record| watched.contains(&record.id));
    let asked = asked
        .map(|record| AskedTransaction { id: record.id.to_string(), is_settled: is_settled(record) })
        .collect();
    postpone_questions(ctx, &profile.id, asked, new > 0).await
}

/// Asks whether the service confirms an event; its batch continues at once.
async fn check_event(ctx: &Context, event: &UncheckedEvent) -> Result<(), BoundaryError> {
    let is_so = if event.batch.is_empty() {
        confirm_transaction_event(ctx, event).await?
    } else {
        confirm_batch_event(ctx, event).await?
    };
    let (check, sentence) = if is_so {
        (EventCheck::Confirmed, CONFIRMED_BY_SERVICE)
    } else {
        (EventCheck::Differs, "The service hadn't confirmed it. Open the transaction to check again.")
    };
    let (seq, at) = (event.seq, ctx.now_text());
    ctx.store()
        .with_connection(move |connection| record_check(connection, seq, check, sentence, &at))
        .await?;
    EventInbox::from_context(ctx).announce_change();
    Ok(())
}

async fn confirm_batch_event(ctx: &Context, event: &UncheckedEvent) -> Result<bool, BoundaryError> {
    let expected = event.what == EventKind::BatchProcessed;
    let open = open_parts(ctx.store(), None).await?;
    let is_its = |part: &&OpenPart| {
        part.remote_id.as_deref().is_some_and(|of| batch_numbers(of).any(|number| number == event.batch))
    };
    if let Some(part) = open.iter().find(is_its) {
        // The outbox would ask within half a minute; the event says that there is something to fetch.
        ask_part(ctx, part).await;
        Outbox::from_context(ctx).wake();
    }
    let remote_id = event.batch.clone();
    let here =
        ctx.store().with_connection(move |connection| is_part_processed(connection, &remote_id)).await?;
    if let Some(is_processed) = here {
        return Ok(is_processed == expected);
    }
    let profile = profile_by_id(ctx, &event.profile_id).await?;
    let client = open_session(ctx, &profile).await?.client;
    match client.import_results(&event.batch).await {
        Ok(results) => {
            // This may be a batch whose answer was lost: its results name its rows.
            adopt_named(ctx, &profile.id, &results).await?;
            let wanted = if expected { BatchStatus::Processed } else { BatchStatus::Failed };
            Ok(ServiceWords::from_profile(&profile).batch_status(&results.status) == wanted)
        }
        Err(bordereau_client::ClientError::Rejected { status: 404, .. }) => Ok(false),
        Err(error) => Err(from_client(error)),
    }
}

async fn confirm_transaction_event(ctx: &Context, event: &UncheckedEvent) -> Result<bool, BoundaryError> {
    let profile = profile_by_id(ctx, &event.profile_id).await?;
    let Some(record) = find_record(ctx, &profile, &event.transaction).await? else { return Ok(false) };
    note_records(ctx, &profile, std::slice::from_ref(&record)).await?;
    let facts = EventFact::of_record(&record, &ServiceWords::from_profile(&profile));
    Ok(facts.iter().any(|fact| fact.fact_key() == event.fact))
}

/// Asks about a transaction that had no event for a while.
async fn check_transaction(ctx: &Context, profile_id: &str, transaction: &str) -> Result<(), BoundaryError> {
    let profile = profile_by_id(ctx, profile_id).await?;
    let record = find_record(ctx, &profile, transaction).await?;
    let new = match &record {
        Some(record) => note_records(ctx, &profile, std::slice::from_ref(record)).await?,
        None => 0,
    };
    let is_settled = record.as_ref().is_some_and(is_settled);
    let asked = vec![AskedTransaction { id: transaction.to_owned(), is_settled }];
    postpone_questions(ctx, profile_id, asked, new > 0).await
}

async fn find_record(
    ctx: &Context,
    profile: &Profile,
    transaction: &str,
) -> Result<Option<TransactionRecord>, BoundaryError> {
    let Ok(number) = transaction.parse() else { return Ok(None) };
    let client = open_session(ctx, profile).await?.client;
    client.transaction_status(&TransactionLookup::TransactionId(number)).await.map_err(from_client)
}
