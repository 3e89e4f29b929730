//! Asking the service: whether it says what events say, and what happened that no event said.
//!
//! It never hammers: an event is checked once, a transaction without news is asked for ever more seldom, a
//! look asks for a few at most, and a service in trouble is left alone for a while.

use std::collections::HashMap;

use bordereau_client::TransactionLookup;
use bordereau_contract::{BatchStatus, TransactionRecord};
use rusqlite::{Connection, params};
use tokio::time::Instant;

use super::shelf::touch;
use super::{Fact, check_word, what_of_word};
use crate::Desk;
use crate::api::{BatchState, BoundaryError, Environment, EventCheck, EventWhat, Profile};
use crate::batch::Memory;
use crate::failure::from_client;
use crate::store::{Store, StoreError};

/// Longest time a service in trouble is left alone, in looks.
const LOOKS_SKIPPED_MAX: u32 = 20;

/// Looks as long as it runs; at once when something came.
pub(super) async fn work(desk: Desk) {
    let mut looking = Looking::default();
    let mut changes = desk.inner.inbox.changes();
    loop {
        changes.mark_unchanged();
        if let Err(error) = looking.look(&desk).await {
            tracing::warn!(%error, "events were not looked at");
        }
        let look = desk.inner.inbox.pace().look;
        let until = Instant::now() + look;
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            () = tokio::time::sleep_until(until) => {}
        }
    }
}

/// What is remembered from look to look.
#[derive(Default)]
struct Looking {
    /// The outbox as it was when its transactions were last gathered.
    outbox: Option<i64>,
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
    async fn look(&mut self, desk: &Desk) -> Result<(), StoreError> {
        desk.adopt_outbox().await?;
        self.gather(desk).await?;
        let at_once = desk.inner.inbox.pace().at_once;
        for event in desk.inner.store.unchecked(at_once).await? {
            if !self.rests(&event.profile_id) {
                let asked = desk.check(&event).await;
                self.heed(desk, &event.profile_id.clone(), asked);
            }
        }
        let now = desk.inner.ports.clock.now().as_millisecond();
        for (profile_id, transaction) in desk.inner.store.due(now, at_once).await? {
            if !self.rests(&profile_id) {
                let asked = desk.ask_for(&profile_id, &transaction, now).await;
                self.heed(desk, &profile_id, asked);
            }
        }
        Ok(())
    }

    fn rests(&self, profile_id: &str) -> bool {
        self.resting.get(profile_id).is_some_and(|(until, _)| *until > Instant::now())
    }

    /// A service that cannot be used is left alone, longer each time.
    fn heed(&mut self, desk: &Desk, profile_id: &str, asked: Result<(), BoundaryError>) {
        match asked {
            Ok(()) => {
                self.resting.remove(profile_id);
            }
            Err(error) => {
                tracing::debug!(why = error.message, "not asked about events");
                let rest = self.resting.entry(profile_id.to_owned()).or_insert((Instant::now(), 0));
                rest.1 = (rest.1 + 1).min(LOOKS_SKIPPED_MAX);
                rest.0 = Instant::now() + desk.inner.inbox.pace().look * rest.1;
            }
        }
    }

    /// Transactions that the outbox learnt the numbers of since the last look.
    async fn gather(&mut self, desk: &Desk) -> Result<(), StoreError> {
        let (known, first) = (self.outbox, desk.inner.inbox.pace().pause(0));
        let next =
            desk.inner.ports.clock.now().as_millisecond() + i64::try_from(first.as_millis()).unwrap_or(0);
        self.outbox = desk
            .inner
            .store
            .run(move |connection| {
                let revision: i64 =
                    connection.query_row("SELECT revision FROM outbox_revision", [], |row| row.get(0))?;
                if known != Some(revision) {
                    connection.execute(
                        "INSERT OR IGNORE INTO event_watches (profile_id, transaction_id, next_ms, in_vain)
                         SELECT DISTINCT b.profile_id, cast(r.transaction_id AS TEXT), ?1, 0 FROM batch_rows r
                         JOIN batches b ON b.seq = r.batch WHERE r.transaction_id IS NOT NULL",
                        [next],
                    )?;
                }
                Ok(Some(revision))
            })
            .await?;
        Ok(())
    }
}

impl Desk {
    /// What the outbox learnt by asking is a fact as well.
    async fn adopt_outbox(&self) -> Result<(), StoreError> {
        let parts = self.inner.store.run(|connection| ended_parts(connection)).await?;
        let kept = self.event_settings().await.unwrap_or_default();
        for (profile_id, fact) in parts {
            let is_gap = kept.expects(&profile_id);
            let new = self.inner.store.keep_facts(&profile_id, vec![fact], self.stamp(), is_gap).await?;
            tracing::debug!(new, "the outbox knew");
            self.inner.inbox.changed();
        }
        Ok(())
    }

    /// Facts that transactions show, however they were come by.
    pub(crate) async fn note_records(
        &self,
        profile: &Profile,
        records: &[TransactionRecord],
    ) -> Result<usize, BoundaryError> {
        let is_practice = profile.environment == Environment::Practice;
        let facts: Vec<Fact> =
            records.iter().flat_map(|record| Fact::of_record(record, is_practice)).collect();
        let is_gap = self.event_settings().await?.expects(&profile.id);
        let new = self.inner.store.keep_facts(&profile.id, facts, self.stamp(), is_gap).await?;
        if new > 0 {
            self.inner.inbox.changed();
        }
        Ok(new)
    }

    /// Asks whether the service says what an event says; the batch it is about moves on at once.
    async fn check(&self, event: &Unchecked) -> Result<(), BoundaryError> {
        let is_so = if event.batch.is_empty() {
            self.transaction_says(event).await?
        } else {
            self.batch_says(event).await?
        };
        let (check, says) = if is_so {
            (EventCheck::Confirmed, "Asked, the service says the same.")
        } else {
            (
                EventCheck::Differs,
                "Asked, the service did not say so. It may know by now: look at the transaction.",
            )
        };
        let (seq, at) = (event.seq, self.stamp());
        self.inner
            .store
            .run(move |connection| {
                connection.execute(
                    "UPDATE events SET checked = ?2, check_says = ?3,
                     found_at = CASE WHEN ?5 THEN coalesce(found_at, ?4) ELSE found_at END WHERE seq = ?1",
                    params![seq, check_word(check), says, at, is_so],
                )?;
                touch(connection)
            })
            .await?;
        self.inner.inbox.changed();
        Ok(())
    }

    async fn batch_says(&self, event: &Unchecked) -> Result<bool, BoundaryError> {
        let expected = event.what == EventWhat::BatchProcessed;
        let open = self.inner.store.open_parts().await?;
        if let Some(part) = open.iter().find(|part| part.remote_id.as_deref() == Some(event.batch.as_str())) {
            // The outbox would ask within the half minute; the event says that there is something to fetch.
            let _ = self.step(part, &mut Memory::default()).await;
            self.inner.outbox.wake();
        }
        let remote_id = event.batch.clone();
        let here = self.inner.store.run(move |connection| state_of_part(connection, &remote_id)).await?;
        match here {
            Some(BatchState::Processed) => return Ok(expected),
            Some(BatchState::Failed) => return Ok(!expected),
            _ => {}
        }
        let profile = self.profile_by_id(&event.profile_id).await?;
        let client = self.session(&profile).await?.client;
        match client.import_results(&event.batch).await {
            Ok(results) if expected => Ok(results.status == BatchStatus::Processed),
            Ok(results) => Ok(results.status == BatchStatus::Failed),
            Err(bordereau_client::ClientError::Rejected { status: 404, .. }) => Ok(false),
            Err(error) => Err(from_client(error)),
        }
    }

    async fn transaction_says(&self, event: &Unchecked) -> Result<bool, BoundaryError> {
        let profile = self.profile_by_id(&event.profile_id).await?;
        let Some(record) = self.record(&profile, &event.transaction).await? else { return Ok(false) };
        self.note_records(&profile, std::slice::from_ref(&record)).await?;
        if event.what == EventWhat::TaxesAndFeesPaid {
            let dates =
                [&record.sl_tax_paid_date, &record.stamping_fee_paid_date, &record.other_taxes_paid_date];
            return Ok(dates.iter().any(|date| date.is_some()));
        }
        let facts = Fact::of_record(&record, profile.environment == Environment::Practice);
        Ok(facts.iter().any(|fact| fact.key() == event.fact))
    }

    /// Asks for a transaction that no event came for in a while.
    async fn ask_for(&self, profile_id: &str, transaction: &str, now: i64) -> Result<(), BoundaryError> {
        let profile = self.profile_by_id(profile_id).await?;
        let record = self.record(&profile, transaction).await?;
        let new = match &record {
            Some(record) => self.note_records(&profile, std::slice::from_ref(record)).await?,
            None => 0,
        };
        let pace = self.inner.inbox.pace();
        let (profile_id, transaction) = (profile_id.to_owned(), transaction.to_owned());
        let asked = move |connection: &mut Connection| {
            let in_vain: u32 = connection.query_row(
                "SELECT in_vain FROM event_watches WHERE profile_id = ?1 AND transaction_id = ?2",
                [&profile_id, &transaction],
                |row| row.get(0),
            )?;
            let in_vain = if new > 0 { 0 } else { in_vain.saturating_add(1) };
            let next = now + i64::try_from(pace.pause(in_vain).as_millis()).unwrap_or(i64::MAX / 2);
            connection.execute(
                "UPDATE event_watches SET next_ms = ?3, in_vain = ?4 WHERE profile_id = ?1 AND transaction_id = ?2",
                params![profile_id, transaction, next, in_vain],
            )?;
            Ok(())
        };
        Ok(self.inner.store.run(asked).await?)
    }

    async fn record(
        &self,
        profile: &Profile,
        transaction: &str,
    ) -> Result<Option<TransactionRecord>, BoundaryError> {
        let Ok(number) = transaction.parse() else { return Ok(None) };
        let client = self.session(profile).await?.client;
        client.transaction_status(&TransactionLookup::TransactionId(number)).await.map_err(from_client)
    }
}

impl Store {
    /// Events that came and were not compared with what the service says, oldest first.
    async fn unchecked(&self, most: u32) -> Result<Vec<Unchecked>, StoreError> {
        self.run(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT seq, profile_id, fact, what, batch_id, transaction_id FROM events
                 WHERE checked = 'unchecked' AND fact IS NOT NULL ORDER BY seq LIMIT ?1",
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

    /// Transactions that are due to be asked for, the longest due first.
    async fn due(&self, now: i64, most: u32) -> Result<Vec<(String, String)>, StoreError> {
        self.run(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT profile_id, transaction_id FROM event_watches WHERE next_ms <= ?1 ORDER BY next_ms LIMIT ?2",
            )?;
            let rows = statement.query_map(params![now, most], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
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
