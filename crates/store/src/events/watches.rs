//! The table `event_watches`: transactions that are asked about, less and less often.

use std::collections::HashSet;

use bordereau_database::{Connection, OptionalRow, params};

use crate::{StoreError, list_rows};

/// Due after any time: nothing can change any more.
const NEVER: i64 = i64::MAX;

/// A transaction that was asked about.
pub struct AskedTransaction {
    /// The service's number.
    pub id: String,
    /// Nothing can change any more.
    pub is_settled: bool,
}

/// Watches the transactions whose numbers the outbox learned since its revision `known`; first due at `next_ms`.
/// Returns the revision of the outbox.
pub fn watch_sent_transactions(
    connection: &Connection,
    known: Option<i64>,
    next_ms: i64,
) -> Result<i64, StoreError> {
    let revision: i64 = connection.query_row("SELECT revision FROM outbox_revision", [], |row| row.get(0))?;
    if known != Some(revision) {
        connection.execute(
            "INSERT INTO event_watches (profile_id, transaction_id, next_ms, in_vain)
             SELECT DISTINCT b.profile_id, cast(r.transaction_id AS TEXT), ?1, 0 FROM batch_rows r
             JOIN batches b ON b.seq = r.batch WHERE r.transaction_id IS NOT NULL
             ON CONFLICT (profile_id, transaction_id) DO NOTHING",
            [next_ms],
        )?;
    }
    Ok(revision)
}

/// Makes every transaction due now that can still change.
pub fn make_watches_due(connection: &Connection, now_ms: i64) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE event_watches SET next_ms = ?1, in_vain = 0 WHERE next_ms > ?1 AND next_ms < ?2",
        params![now_ms, NEVER],
    )?;
    Ok(())
}

/// Which of these transactions are watched.
pub fn watched_among(
    connection: &Connection,
    profile_id: &str,
    ids: &[i64],
) -> Result<HashSet<i64>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM event_watches WHERE profile_id = ?1 AND transaction_id = cast(?2 AS TEXT))",
    )?;
    let mut watched = HashSet::new();
    for id in ids {
        if statement.query_row(params![profile_id, id], |row| row.get(0))? {
            watched.insert(*id);
        }
    }
    Ok(watched)
}

/// Postpones the next question, by `pause_ms` of the questions in a row without news, or forever if settled.
pub fn postpone_watches(
    connection: &mut Connection,
    profile_id: &str,
    transactions: &[AskedTransaction],
    is_news: bool,
    now_ms: i64,
    pause_ms: impl Fn(u32) -> i64,
) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    for AskedTransaction { id, is_settled } in transactions {
        let in_vain: Option<u32> = transaction
            .prepare_cached(
                "SELECT in_vain FROM event_watches WHERE profile_id = ?1 AND transaction_id = ?2",
            )?
            .query_row([profile_id, id], |row| row.get(0))
            .optional()?;
        let Some(in_vain) = in_vain else { continue };
        let in_vain = if is_news { 0 } else { in_vain.saturating_add(1) };
        let next = if *is_settled { NEVER } else { now_ms.saturating_add(pause_ms(in_vain)) };
        transaction
            .prepare_cached(
                "UPDATE event_watches SET next_ms = ?3, in_vain = ?4
                 WHERE profile_id = ?1 AND transaction_id = ?2",
            )?
            .execute(params![profile_id, id, next, in_vain])?;
    }
    Ok(transaction.commit()?)
}

/// Due transactions, each with its profile, the longest due first.
pub fn list_due_watches(
    connection: &Connection,
    now_ms: i64,
    limit: u32,
) -> Result<Vec<(String, String)>, StoreError> {
    let sql =
        "SELECT profile_id, transaction_id FROM event_watches WHERE next_ms <= ?1 ORDER BY next_ms LIMIT ?2";
    list_rows(connection, sql, params![now_ms, limit], |row| row.try_into())
}
