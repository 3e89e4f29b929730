//! Transactions that are followed: asked for again and again, ever more seldom, until nothing can come any more.

use std::collections::HashSet;

use bordereau_contract::TransactionRecord;
use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::EventPace;
use crate::Inbox;
use bordereau_session::Context;
use bordereau_store::{Store, StoreError};
use bordereau_transactions::is_all_paid;

/// Follows the transactions that the outbox learnt the numbers of since the last look.
pub(super) async fn gather_watches(ctx: &Context, known: &mut Option<i64>) -> Result<(), StoreError> {
    let (before, first) = (*known, Inbox::of(ctx).pace().pause(0));
    let next = ctx.ports().clock.now().timestamp_millis() + i64::try_from(first.as_millis()).unwrap_or(0);
    *known = ctx
        .store()
        .run(move |connection| {
            let revision: i64 =
                connection.query_row("SELECT revision FROM outbox_revision", [], |row| row.get(0))?;
            if before != Some(revision) {
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

/// What happened while nothing listened was told to nobody: it is asked for now, a few at a time, rather than
/// each at its turn.
pub(super) async fn ask_soon(ctx: &Context) -> Result<(), StoreError> {
    let now = ctx.ports().clock.now().timestamp_millis();
    ctx.store()
        .run(move |connection| {
            let settled = i64::MAX;
            connection.execute(
                "UPDATE event_watches SET next_ms = ?1, in_vain = 0 WHERE next_ms > ?1 AND next_ms < ?2",
                params![now, settled],
            )?;
            Ok(())
        })
        .await
}

/// Which of these transactions are followed.
pub(super) async fn watched(
    store: &Store,
    profile_id: &str,
    ids: Vec<i64>,
) -> Result<HashSet<i64>, StoreError> {
    let profile_id = profile_id.to_owned();
    store.run(move |connection| {
        let mut statement = connection.prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM event_watches WHERE profile_id = ?1 AND transaction_id = cast(?2 AS TEXT))",
        )?;
        let mut watched = HashSet::new();
        for id in ids {
            if statement.query_row(params![profile_id, id], |row| row.get(0))? {
                watched.insert(id);
            }
        }
        Ok(watched)
    })
    .await
}

/// Puts off the next question about transactions: for longer each time nothing new came, and for good once
/// nothing can come any more.
pub(super) async fn was_asked(
    store: &Store,
    profile_id: &str,
    transactions: Vec<(String, bool)>,
    is_news: bool,
    pace: EventPace,
    now: i64,
) -> Result<(), StoreError> {
    let profile_id = profile_id.to_owned();
    store
        .run(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for (id, is_settled) in transactions {
                let found: Option<u32> = transaction
                    .prepare_cached(
                        "SELECT in_vain FROM event_watches WHERE profile_id = ?1 AND transaction_id = ?2",
                    )?
                    .query_row([&profile_id, &id], |row| row.get(0))
                    .optional()?;
                let Some(in_vain) = found else { continue };
                let in_vain = if is_news { 0 } else { in_vain.saturating_add(1) };
                let pause = i64::try_from(pace.pause(in_vain).as_millis()).unwrap_or(i64::MAX);
                let next = if is_settled { i64::MAX } else { now.saturating_add(pause) };
                transaction
                    .prepare_cached(
                        "UPDATE event_watches SET next_ms = ?3, in_vain = ?4
                     WHERE profile_id = ?1 AND transaction_id = ?2",
                    )?
                    .execute(params![profile_id, id, next, in_vain])?;
            }
            transaction.commit()?;
            Ok(())
        })
        .await
}

/// Transactions that are due to be asked for, the longest due first.
pub(super) async fn due(store: &Store, now: i64, most: u32) -> Result<Vec<(String, String)>, StoreError> {
    store.run(move |connection| {
        let mut statement = connection.prepare_cached(
            "SELECT profile_id, transaction_id FROM event_watches WHERE next_ms <= ?1 ORDER BY next_ms LIMIT ?2",
        )?;
        let rows = statement.query_map(params![now, most], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    })
    .await
}

/// Whether nothing is left that an event could tell of: filed, numbered, and paid.
pub(super) fn is_settled(record: &TransactionRecord) -> bool {
    let is_there = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    is_there(&record.date_filed) && is_there(&record.transaction_id_number) && is_all_paid(record)
}
