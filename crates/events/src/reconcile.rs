//! Asking the service: whether it says what events say, and what happened that no event said.
//!
//! It never hammers: an event is checked once, a transaction without news is asked for ever more seldom, a
//! look asks for a few at most, and a service in trouble is left alone for a while.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use bordereau_client::TransactionLookup;
use bordereau_contract::{BatchStatus, TransactionRecord};
use rusqlite::{Connection, params};
use tokio::time::Instant;

use super::shelf::touch;
use super::watches::is_settled;
use super::wordings::Gathered;
use super::{Fact, check_word, what_of_word};
use crate::Inbox;
use crate::settings::event_settings;
use crate::shelf::keep_facts;
use crate::watches::due;
use crate::watches::gather_watches;
use crate::watches::was_asked;
use crate::watches::watched;
use crate::wordings::ask_for_wording;
use crate::wordings::due_wordings;
use crate::wordings::gather_wordings;
use bordereau_api::{BatchState, BoundaryError, Environment, EventCheck, EventWhat, Profile};
use bordereau_batches::outbox::Outbox;
use bordereau_batches::outbox::ask_part;
use bordereau_session::Context;
use bordereau_session::failure::from_client;
use bordereau_session::profile::profile_by_id;
use bordereau_session::profile::session;
use bordereau_store::batches::outcome::note_filed;
use bordereau_store::batches::transition::open_parts;
use bordereau_store::{Store, StoreError};

/// Longest time a service in trouble is left alone, in looks.
const LOOKS_SKIPPED_MAX: u32 = 20;

/// What came is shown first, and what comes together is looked at together.
const AFTER_NEWS: Duration = Duration::from_millis(100);

/// Looks as long as it runs; as good as at once when something came.
pub(super) async fn work(ctx: Context) {
    let mut looking = Looking::default();
    let mut changes = Inbox::of(&ctx).changes();
    loop {
        changes.mark_unchanged();
        if let Err(error) = looking.look(&ctx).await {
            tracing::warn!(%error, "events were not looked at");
        }
        let look = Inbox::of(&ctx).pace().look;
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

/// What is remembered from look to look.
#[derive(Default)]
struct Looking {
    /// The outbox as it was when its transactions were last gathered.
    outbox: Option<i64>,
    quotes: Gathered,
    /// Services in trouble: when they are asked again, and how often in a row they were.
    resting: HashMap<String, (Instant, u32)>,
}

/// An event whose fact was not asked for yet.
struct Unchecked {
    seq: i64,
    profile_id: String,
    fact: String,
    what: EventWhat,
    batch: String,
    transaction: String,
}

impl Looking {
    async fn look(&mut self, ctx: &Context) -> Result<(), StoreError> {
        adopt_outbox(ctx).await?;
        gather_watches(ctx, &mut self.outbox).await?;
        let at_once = Inbox::of(ctx).pace().at_once;
        for event in unchecked(ctx.store(), at_once).await? {
            if !self.rests(&event.profile_id) {
                let asked = check(ctx, &event).await;
                self.heed(ctx, &event.profile_id.clone(), asked);
            }
        }
        let now = ctx.ports().clock.now().timestamp_millis();
        gather_wordings(ctx, &mut self.quotes).await?;
        for due in due_wordings(ctx.store(), now, at_once).await? {
            if !self.rests(&due.profile_id) {
                let profile_id = due.profile_id.clone();
                let asked = ask_for_wording(ctx, due, now).await;
                self.heed(ctx, &profile_id, asked);
            }
        }
        for (profile_id, transaction) in due(ctx.store(), now, at_once).await? {
            if !self.rests(&profile_id) {
                let asked = ask_for(ctx, &profile_id, &transaction, now).await;
                self.heed(ctx, &profile_id, asked);
            }
        }
        Ok(())
    }

    fn rests(&self, profile_id: &str) -> bool {
        self.resting.get(profile_id).is_some_and(|(until, _)| *until > Instant::now())
    }

    /// A service that cannot be used is left alone, longer each time.
    fn heed(&mut self, ctx: &Context, profile_id: &str, asked: Result<(), BoundaryError>) {
        match asked {
            Ok(()) => {
                self.resting.remove(profile_id);
            }
            Err(error) => {
                tracing::debug!(why = error.message, "not asked about events");
                let rest = self.resting.entry(profile_id.to_owned()).or_insert((Instant::now(), 0));
                rest.1 = (rest.1 + 1).min(LOOKS_SKIPPED_MAX);
                rest.0 = Instant::now() + Inbox::of(ctx).pace().look * rest.1;
            }
        }
    }
}

/// What the outbox learnt by asking is a fact as well.
async fn adopt_outbox(ctx: &Context) -> Result<(), StoreError> {
    let parts = ctx.store().run(|connection| ended_parts(connection)).await?;
    let kept = event_settings(ctx).await.unwrap_or_default();
    for (profile_id, fact) in parts {
        let is_gap = kept.expects(&profile_id);
        let new = keep_facts(ctx.store(), &profile_id, vec![fact], ctx.stamp(), is_gap).await?;
        tracing::debug!(new, "the outbox knew");
        Inbox::of(ctx).changed();
    }
    Ok(())
}

/// Facts that transactions show, however they were come by.
pub async fn note_records(
    ctx: &Context,
    profile: &Profile,
    records: &[TransactionRecord],
) -> Result<usize, BoundaryError> {
    note_filings(ctx, profile, records).await?;
    let is_practice = profile.environment == Environment::Practice;
    let facts: Vec<Fact> = records.iter().flat_map(|record| Fact::of_record(record, is_practice)).collect();
    let is_gap = event_settings(ctx).await?.expects(&profile.id);
    let new = keep_facts(ctx.store(), &profile.id, facts, ctx.stamp(), is_gap).await?;
    if new > 0 {
        Inbox::of(ctx).changed();
    }
    Ok(new)
}

/// Rows that were sent are known to be filed where their records say so.
async fn note_filings(
    ctx: &Context,
    profile: &Profile,
    records: &[TransactionRecord],
) -> Result<(), BoundaryError> {
    let day = |record: &TransactionRecord| record.date_filed.clone().filter(|day| !day.trim().is_empty());
    let filed: Vec<(i64, String)> =
        records.iter().filter_map(|record| Some((record.id, day(record)?))).collect();
    if filed.is_empty() {
        return Ok(());
    }
    Ok(note_filed(ctx.store(), &profile.id, filed, ctx.stamp()).await?)
}

/// What a refresh of the transactions shows: what has changed since a record was last read, and whatever is
/// true of transactions that are followed. Others are only known from then on: what happened to them before
/// is no news. Followed ones need not be asked for by themselves for a while.
pub async fn note_read(
    ctx: &Context,
    profile: &Profile,
    earlier: &[TransactionRecord],
    read: &[TransactionRecord],
) -> Result<(), BoundaryError> {
    note_filings(ctx, profile, read).await?;
    let is_practice = profile.environment == Environment::Practice;
    let known: HashSet<String> = earlier
        .iter()
        .flat_map(|record| Fact::of_record(record, is_practice))
        .map(|fact| fact.key())
        .collect();
    let seen: HashSet<i64> = earlier.iter().map(|record| record.id).collect();
    let ids: Vec<i64> = read.iter().map(|record| record.id).collect();
    let watched = watched(ctx.store(), &profile.id, ids).await?;
    let is_news = |record: &TransactionRecord, fact: &Fact| {
        watched.contains(&record.id) || (seen.contains(&record.id) && !known.contains(&fact.key()))
    };
    let facts: Vec<Fact> = read
        .iter()
        .flat_map(|record| Fact::of_record(record, is_practice).into_iter().map(move |fact| (record, fact)))
        .filter(|(record, fact)| is_news(record, fact))
        .map(|(_, fact)| fact)
        .collect();
    let is_gap = event_settings(ctx).await?.expects(&profile.id);
    let new = keep_facts(ctx.store(), &profile.id, facts, ctx.stamp(), is_gap).await?;
    if new > 0 {
        Inbox::of(ctx).changed();
    }
    let now = ctx.ports().clock.now().timestamp_millis();
    let asked = read.iter().filter(|record| watched.contains(&record.id));
    let asked = asked.map(|record| (record.id.to_string(), is_settled(record))).collect();
    Ok(was_asked(ctx.store(), &profile.id, asked, new > 0, Inbox::of(ctx).pace(), now).await?)
}

/// Asks whether the service says what an event says; the batch it is about moves on at once.
async fn check(ctx: &Context, event: &Unchecked) -> Result<(), BoundaryError> {
    let is_so = if event.batch.is_empty() {
        transaction_says(ctx, event).await?
    } else {
        batch_says(ctx, event).await?
    };
    let (check, says) = if is_so {
        (EventCheck::Confirmed, "Asked, the service says the same.")
    } else {
        (
            EventCheck::Differs,
            "Asked, the service did not say so. It may know by now: look at the transaction.",
        )
    };
    let (seq, at) = (event.seq, ctx.stamp());
    ctx.store()
        .run(move |connection| {
            connection.execute(
                "UPDATE events SET checked = ?2, check_says = ?3,
                 found_at = CASE WHEN ?5 THEN coalesce(found_at, ?4) ELSE found_at END WHERE seq = ?1",
                params![seq, check_word(check), says, at, is_so],
            )?;
            touch(connection)
        })
        .await?;
    Inbox::of(ctx).changed();
    Ok(())
}

async fn batch_says(ctx: &Context, event: &Unchecked) -> Result<bool, BoundaryError> {
    let expected = event.what == EventWhat::BatchProcessed;
    let open = open_parts(ctx.store()).await?;
    if let Some(part) = open.iter().find(|part| part.remote_id.as_deref() == Some(event.batch.as_str())) {
        // The outbox would ask within the half minute; the event says that there is something to fetch.
        ask_part(ctx, part).await;
        Outbox::of(ctx).wake();
    }
    let remote_id = event.batch.clone();
    let here = ctx.store().run(move |connection| state_of_part(connection, &remote_id)).await?;
    match here {
        Some(BatchState::Processed) => return Ok(expected),
        Some(BatchState::Failed) => return Ok(!expected),
        _ => {}
    }
    let profile = profile_by_id(ctx, &event.profile_id).await?;
    let client = session(ctx, &profile).await?.client;
    match client.import_results(&event.batch).await {
        Ok(results) if expected => Ok(results.status == BatchStatus::Processed),
        Ok(results) => Ok(results.status == BatchStatus::Failed),
        Err(bordereau_client::ClientError::Rejected { status: 404, .. }) => Ok(false),
        Err(error) => Err(from_client(error)),
    }
}

async fn transaction_says(ctx: &Context, event: &Unchecked) -> Result<bool, BoundaryError> {
    let profile = profile_by_id(ctx, &event.profile_id).await?;
    let Some(record) = record(ctx, &profile, &event.transaction).await? else { return Ok(false) };
    note_records(ctx, &profile, std::slice::from_ref(&record)).await?;
    let facts = Fact::of_record(&record, profile.environment == Environment::Practice);
    Ok(facts.iter().any(|fact| fact.key() == event.fact))
}

/// Asks for a transaction that no event came for in a while.
async fn ask_for(ctx: &Context, profile_id: &str, transaction: &str, now: i64) -> Result<(), BoundaryError> {
    let profile = profile_by_id(ctx, profile_id).await?;
    let record = record(ctx, &profile, transaction).await?;
    let new = match &record {
        Some(record) => note_records(ctx, &profile, std::slice::from_ref(record)).await?,
        None => 0,
    };
    let asked = vec![(transaction.to_owned(), record.as_ref().is_some_and(is_settled))];
    Ok(was_asked(ctx.store(), profile_id, asked, new > 0, Inbox::of(ctx).pace(), now).await?)
}

async fn record(
    ctx: &Context,
    profile: &Profile,
    transaction: &str,
) -> Result<Option<TransactionRecord>, BoundaryError> {
    let Ok(number) = transaction.parse() else { return Ok(None) };
    let client = session(ctx, profile).await?.client;
    client.transaction_status(&TransactionLookup::TransactionId(number)).await.map_err(from_client)
}

/// Events that came and were not compared with what the service says, oldest first.
async fn unchecked(store: &Store, most: u32) -> Result<Vec<Unchecked>, StoreError> {
    store
        .run(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT seq, profile_id, fact, what, batch_id, transaction_id FROM events
             WHERE checked = 'unchecked' AND fact IS NOT NULL AND what <> 'stamp_wording'
             ORDER BY seq LIMIT ?1",
            )?;
            let rows = statement.query_map([most], |row| {
                Ok(Unchecked {
                    seq: row.get(0)?,
                    profile_id: row.get(1)?,
                    fact: row.get(2)?,
                    what: what_of_word(row.get_ref(3)?.as_str().unwrap_or_default()),
                    batch: row.get(4)?,
                    transaction: row.get(5)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
}

/// Parts at their end that no event found by asking stands for yet.
fn ended_parts(connection: &Connection) -> Result<Vec<(String, Fact)>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT b.profile_id, p.remote_id, p.state FROM batch_parts p JOIN batches b ON b.seq = p.batch
         WHERE p.state IN ('processed', 'failed') AND p.remote_id IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM events e WHERE e.profile_id = b.profile_id AND e.found_at IS NOT NULL
          AND e.fact = 'batch ' || p.remote_id || ' ' || p.state)",
    )?;
    let rows = statement.query_map([], |row| {
        let (profile_id, batch, state): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let what = if state == "processed" { EventWhat::BatchProcessed } else { EventWhat::BatchFailed };
        Ok((profile_id, Fact::of_batch(what, batch)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn state_of_part(connection: &Connection, remote_id: &str) -> Result<Option<BatchState>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT state FROM batch_parts WHERE remote_id = ?1 LIMIT 1")?;
    let mut rows = statement.query([remote_id])?;
    Ok(match rows.next()? {
        Some(row) => match row.get_ref(0)?.as_str().unwrap_or_default() {
            "processed" => Some(BatchState::Processed),
            "failed" => Some(BatchState::Failed),
            _ => None,
        },
        None => None,
    })
}
