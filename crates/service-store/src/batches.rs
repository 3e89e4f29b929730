//! Batches on their way: chunks that wait, and what became of each row.

use rusqlite::{Connection, OptionalExtension, Result, params};

/// A part of a batch, as it came and as it waits.
pub struct NewChunk {
    /// A JSON array of transactions.
    pub body: String,
    /// Transactions in it.
    pub rows: i64,
}

/// A batch as it is asked for.
pub struct StoredBatch {
    /// Its place in the order.
    pub seq: i64,
    /// As the caller knows it.
    pub id: String,
    /// `queued`, `processing`, `processed` or `failed`.
    pub status: String,
}

/// A batch a worker has taken.
#[derive(Debug)]
pub struct ClaimedBatch {
    /// Its place in the order.
    pub seq: i64,
    /// Whose it is.
    pub account_id: String,
    /// The first chunk that waits.
    pub next_chunk: i64,
    /// How many it came in.
    pub chunks: i64,
    /// Transactions in all chunks.
    pub total_items: i64,
}

/// Keeps a batch until it is processed; the order of the answers is the order of processing.
pub fn insert(
    db: &Connection,
    id: &str,
    account_id: &str,
    own_ids: &[String],
    chunks: &[NewChunk],
    now: i64,
) -> Result<()> {
    let total = i64::try_from(own_ids.len()).unwrap_or(i64::MAX);
    let count = i64::try_from(chunks.len()).unwrap_or(i64::MAX);
    let seq: i64 = db.query_row(
        "INSERT INTO import_batch (id, account_id, status, total_items, chunks, next_chunk, created_at) \
         VALUES ($1, $2, 'queued', $3, $4, 0, $5) RETURNING seq",
        params![id, account_id, total, count, now],
        |row| row.get(0),
    )?;
    let mut statement = db.prepare_cached(
        "INSERT INTO import_chunk (batch_seq, chunk, body, rows_count) VALUES ($1, $2, $3, $4)",
    )?;
    for (number, chunk) in (0i64..).zip(chunks) {
        statement.execute(params![seq, number, chunk.body, chunk.rows])?;
    }
    let mut statement = db.prepare_cached(
        "INSERT INTO import_id (account_id, own_id, batch_seq) VALUES ($1, $2, $3) \
         ON CONFLICT (account_id, own_id) DO UPDATE SET batch_seq = excluded.batch_seq",
    )?;
    for own_id in own_ids {
        statement.execute(params![account_id, own_id, seq])?;
    }
    Ok(())
}

/// A place in the order for a transaction that is processed at once.
pub fn insert_single(db: &Connection, id: &str, account_id: &str, now: i64) -> Result<i64> {
    db.prepare_cached(
        "INSERT INTO import_batch (id, account_id, status, total_items, chunks, next_chunk, created_at) \
         VALUES ($1, $2, 'processed', 1, 0, 0, $3) RETURNING seq",
    )?
    .query_row(params![id, account_id, now], |row| row.get(0))
}

/// Frees what a process that ended had taken. Only for a database no other process works on.
pub fn free_all(db: &Connection) -> Result<()> {
    db.execute("UPDATE import_batch SET status = 'queued' WHERE status = 'processing'", [])?;
    Ok(())
}

/// Takes the oldest batch of an account none of whose batches is being processed: within an account
/// everything happens in the order it came.
pub fn claim_batch(db: &Connection) -> Result<Option<ClaimedBatch>> {
    db.prepare_cached(
        "UPDATE import_batch SET status = 'processing' WHERE seq = ( \
             SELECT waiting.seq FROM import_batch AS waiting WHERE waiting.status = 'queued' \
             AND NOT EXISTS (SELECT 1 FROM import_batch AS earlier \
                 WHERE earlier.status IN ('queued', 'processing') \
                 AND earlier.account_id = waiting.account_id AND earlier.seq < waiting.seq) \
             ORDER BY waiting.seq LIMIT 1) \
         RETURNING seq, account_id, next_chunk, chunks, total_items",
    )?
    .query_row([], row_as!(ClaimedBatch: seq, account_id, next_chunk, chunks, total_items))
    .optional()
}

/// Gives a batch back that was not finished.
pub fn release_claim(db: &Connection, seq: i64) -> Result<()> {
    db.execute(
        "UPDATE import_batch SET status = 'queued' WHERE seq = $1 AND status = 'processing'",
        params![seq],
    )?;
    Ok(())
}

/// The rows of a chunk that waits, a JSON array.
pub fn load_chunk(db: &Connection, seq: i64, number: i64) -> Result<String> {
    db.prepare_cached("SELECT body FROM import_chunk WHERE batch_seq = $1 AND chunk = $2")?
        .query_row(params![seq, number], |row| row.get(0))
}

/// Rows of a chunk.
pub fn chunk_rows(db: &Connection, seq: i64, number: i64) -> Result<i64> {
    db.prepare_cached("SELECT rows_count FROM import_chunk WHERE batch_seq = $1 AND chunk = $2")?
        .query_row(params![seq, number], |row| row.get(0))
}

/// Takes a chunk off the queue, in the transaction that stores its rows. False if the batch is no longer being
/// processed: then nothing may be stored.
pub fn advance_chunk(db: &Connection, seq: i64, number: i64) -> Result<bool> {
    let changed = db
        .prepare_cached(
            "UPDATE import_batch SET next_chunk = next_chunk + 1, \
             status = CASE WHEN next_chunk + 1 = chunks THEN 'processed' ELSE 'processing' END \
             WHERE seq = $1 AND next_chunk = $2 AND status = 'processing'",
        )?
        .execute(params![seq, number])?;
    Ok(changed == 1)
}

/// Keeps the results of a chunk; its rows stand elsewhere by now.
pub fn finish_chunk(db: &Connection, seq: i64, number: i64, results: &str) -> Result<()> {
    db.prepare_cached("UPDATE import_chunk SET body = '', results = $1 WHERE batch_seq = $2 AND chunk = $3")?
        .execute(params![results, seq, number])?;
    Ok(())
}

/// Fails a batch as a whole; what was processed stays. False if it is not being processed.
pub fn fail_batch(db: &Connection, account_id: Option<&str>, id: &str) -> Result<bool> {
    let changed = db.execute(
        "UPDATE import_batch SET status = 'failed' \
         WHERE id = $1 AND ($2 IS NULL OR account_id = $2) AND status IN ('queued', 'processing')",
        params![id, account_id],
    )?;
    Ok(changed == 1)
}

/// An account's batch.
pub fn find_batch(db: &Connection, account_id: &str, id: &str) -> Result<Option<StoredBatch>> {
    db.prepare_cached(
        "SELECT seq, id, status FROM import_batch WHERE id = $1 AND account_id = $2 \
         AND EXISTS (SELECT 1 FROM import_chunk WHERE batch_seq = seq)",
    )?
    .query_row(params![id, account_id], read)
    .optional()
}

/// The newest of an account's batches that has a transaction with this own id.
pub fn find_by_own_id(db: &Connection, account_id: &str, own_id: &str) -> Result<Option<StoredBatch>> {
    db.prepare_cached(
        "SELECT import_batch.seq, import_batch.id, import_batch.status FROM import_id \
         JOIN import_batch ON import_batch.seq = import_id.batch_seq \
         WHERE import_id.account_id = $1 AND import_id.own_id = $2",
    )?
    .query_row(params![account_id, own_id], read)
    .optional()
}

/// The number of a batch, by which other services call theirs.
pub fn number_of(db: &Connection, id: &str) -> Result<Option<i64>> {
    db.prepare_cached("SELECT seq FROM import_batch WHERE id = $1")?
        .query_row(params![id], |row| row.get(0))
        .optional()
}

/// The id of a batch by its number.
pub fn id_of(db: &Connection, number: i64) -> Result<Option<String>> {
    db.prepare_cached("SELECT id FROM import_batch WHERE seq = $1")?
        .query_row(params![number], |row| row.get(0))
        .optional()
}

fn read(row: &rusqlite::Row<'_>) -> Result<StoredBatch> {
    row_as!(StoredBatch: seq, id, status)(row)
}

/// The results so far, each the JSON of its chunk without brackets.
pub fn load_results(db: &Connection, seq: i64) -> Result<Vec<String>> {
    let mut statement = db.prepare_cached(
        "SELECT results FROM import_chunk WHERE batch_seq = $1 AND results IS NOT NULL ORDER BY chunk",
    )?;
    statement.query_map(params![seq], |row| row.get(0))?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    #[test]
    fn a_batch_is_taken_once_until_it_is_given_back() -> std::result::Result<(), Box<dyn std::error::Error>> {
        let store = Store::open(None)?;
        store.run_on_this_thread(|db| {
            db.execute_batch(
                "INSERT INTO account (id, name, kind, username, password_hash, active, api_access, calculator, practice, created_at) VALUES ('acc-1', 'A', 'enterprise', 'a', '', 1, 1, 1, 0, 0);
                 INSERT INTO account (id, name, kind, username, password_hash, active, api_access, calculator, practice, created_at) VALUES ('acc-2', 'B', 'enterprise', 'b', '', 1, 1, 1, 0, 0)",
            )?;
            let chunk = || NewChunk { body: "[]".into(), rows: 1 };
            for (id, account) in [("a", "acc-1"), ("b", "acc-1"), ("c", "acc-2")] {
                insert(db, id, account, &[format!("{id}1"), format!("{id}2")], &[chunk(), chunk()], 0)?;
            }
            Ok(())
        })?;
        let claimed = || {
            store.run_on_this_thread(|db| {
                Ok(claim_batch(db)?.map(|claimed| (claimed.seq, claimed.next_chunk)))
            })
        };
        assert_eq!(claimed()?, Some((1, 0)));
        assert_eq!(claimed()?, Some((3, 0)), "another account's, before the second of the first");
        assert_eq!(claimed()?, None);
        assert!(store.run_on_this_thread(|db| advance_chunk(db, 1, 0))?);
        assert!(!store.run_on_this_thread(|db| advance_chunk(db, 1, 0))?, "each chunk once");
        store.run_on_this_thread(|db| release_claim(db, 1))?;
        assert!(!store.run_on_this_thread(|db| advance_chunk(db, 1, 1))?, "given back");
        assert_eq!(claimed()?, Some((1, 1)), "from where it was left");
        store.run_on_this_thread(free_all)?;
        assert_eq!(claimed()?, Some((1, 1)), "after a restart");
        assert!(store.run_on_this_thread(|db| fail_batch(db, None, "a"))?);
        assert!(!store.run_on_this_thread(|db| advance_chunk(db, 1, 1))?, "given up");
        Ok(())
    }
}
