//! What the state does to transactions, and its stamp wording where a person changed it.

use bordereau_contract::QueuedBatch;
use rusqlite::{Connection, OptionalExtension, Result, params};

/// Numbers of a batch's transactions.
pub fn of_batch(db: &Connection, account_id: &str, batch_id: &str) -> Result<Vec<i64>> {
    db.prepare_cached(
        "SELECT filing.id FROM filing JOIN import_batch ON import_batch.seq = filing.batch_seq \
         WHERE import_batch.id = $1 AND filing.account_id = $2 ORDER BY filing.id",
    )?
    .query_map(params![batch_id, account_id], |row| row.get(0))?
    .collect()
}

/// Whose batch this is, and its place in the order.
pub fn find_batch(db: &Connection, id: &str) -> Result<Option<(String, i64)>> {
    db.prepare_cached("SELECT account_id, seq FROM import_batch WHERE id = $1")?
        .query_row(params![id], |row| row.try_into())
        .optional()
}

/// The id of a batch by its place in the order.
pub fn batch_id(db: &Connection, seq: i64) -> Result<String> {
    db.prepare_cached("SELECT id FROM import_batch WHERE seq = $1")?.query_row(params![seq], |row| row.get(0))
}

/// Batches on their way.
pub fn batches_waiting(db: &Connection, limit: i64) -> Result<Vec<QueuedBatch>> {
    db.prepare_cached(
        "SELECT id, status, total_items FROM import_batch WHERE status IN ('queued', 'processing') \
         ORDER BY seq LIMIT $1",
    )?
    .query_map(params![limit], row_as!(QueuedBatch: batch_id, status, total_items))?
    .collect()
}

/// A stamp wording a person put in the place of a state's.
pub struct ChangedWording {
    /// Code, such as `TX`.
    pub state: String,
    /// The new wording.
    pub text: String,
    /// As the calculator answers it.
    pub updated_at: String,
}

/// Every changed wording.
pub fn list_wordings(db: &Connection) -> Result<Vec<ChangedWording>> {
    db.prepare_cached("SELECT state, text, updated_at FROM stamp_wording")?
        .query_map([], row_as!(ChangedWording: state, text, updated_at))?
        .collect()
}

/// Changes a state's wording.
pub fn set_wording(db: &Connection, wording: &ChangedWording) -> Result<()> {
    db.execute(
        "INSERT INTO stamp_wording (state, text, updated_at) VALUES ($1, $2, $3) \
         ON CONFLICT (state) DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at",
        params![wording.state, wording.text, wording.updated_at],
    )?;
    Ok(())
}

/// Brings a state's own wording back; false if it was never changed.
pub fn restore_wording(db: &Connection, state: &str) -> Result<bool> {
    Ok(db.execute("DELETE FROM stamp_wording WHERE state = $1", params![state])? == 1)
}
