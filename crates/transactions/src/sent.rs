//! What this desk sent: from a transaction back to the rows of its batches.

use bordereau_contract::{ImportTransaction, TransactionRecord};
use rusqlite::{Connection, Row, params};

use bordereau_api::{BoundaryError, SentRow, TransactionRow};
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_store::{StoreError, Word};

/// A row of a batch with what was sent.
pub(super) struct Sent {
    pub(super) row: SentRow,
    pub(super) wire: ImportTransaction,
}

/// What this desk sent last for a transaction of the active profile; `None` where it came from elsewhere.
pub async fn sent_last(
    ctx: &Context,
    record: &TransactionRecord,
) -> Result<Option<ImportTransaction>, BoundaryError> {
    let own_id = record.unique_id.as_deref().map(str::trim).unwrap_or_default().to_owned();
    if own_id.is_empty() {
        return Ok(None);
    }
    let profile = active_profile(ctx).await?;
    let rows = ctx.store().run(move |db| of(db, &profile.id, &own_id)).await?;
    Ok(rows.into_iter().next().map(|sent| sent.wire))
}

/// Everything sent under an own id, newest first.
pub(super) fn of(db: &Connection, profile_id: &str, own_id: &str) -> Result<Vec<Sent>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT b.id, b.name, r.own_id, r.line, r.row_state, b.created_at, b.sent_by, r.messages, r.wire
         FROM batch_rows r JOIN batches b ON b.seq = r.batch
         WHERE r.own_id = ?1 AND b.profile_id = ?2 ORDER BY r.batch DESC LIMIT 50",
    )?;
    let mut rows = statement.query(params![own_id, profile_id])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(sent(row)?);
    }
    Ok(all)
}

fn sent(row: &Row<'_>) -> Result<Sent, StoreError> {
    Ok(Sent {
        row: SentRow {
            batch: row.get(0)?,
            batch_name: row.get(1)?,
            own_id: row.get(2)?,
            line: row.get(3)?,
            row_state: row.get::<_, Word<_>>(4)?.0,
            sent_at: row.get(5)?,
            by: row.get(6)?,
            messages: serde_json::from_str(row.get_ref(7)?.as_str().unwrap_or("[]"))?,
        },
        wire: serde_json::from_str(row.get_ref(8)?.as_str().unwrap_or_default())?,
    })
}

/// Puts the batch that sent it last on each row that this desk sent.
pub(super) fn mark(db: &Connection, profile_id: &str, rows: &mut [TransactionRow]) -> Result<(), StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT b.id FROM batch_rows r JOIN batches b ON b.seq = r.batch
         WHERE r.own_id = ?1 AND b.profile_id = ?2 ORDER BY r.batch DESC LIMIT 1",
    )?;
    for row in rows.iter_mut().filter(|row| !row.own_id.is_empty()) {
        let mut found = statement.query(params![row.own_id, profile_id])?;
        row.batch = found.next()?.map(|found| found.get(0)).transpose()?;
    }
    Ok(())
}

/// Numbers of the transactions sent by this desk under a profile, newest first, at most so many.
pub(super) fn numbers(db: &Connection, profile_id: &str, most: u32) -> Result<Vec<i64>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT r.transaction_id FROM batch_rows r JOIN batches b ON b.seq = r.batch
         WHERE b.profile_id = ?1 AND r.transaction_id IS NOT NULL ORDER BY r.batch DESC, r.row LIMIT ?2",
    )?;
    let found = statement.query_map(params![profile_id, most], |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}
