//! The tables of files sent in chunks: `import_runs`, `import_chunks` and `import_keys`. Each chunk is a batch of
//! its own; these tables let a stopped run continue after its last chunk.

use bordereau_database::{Connection, OptionalRow, params};
use bordereau_spreadsheets::{SentKeys, TransactionKey};
use sha2::{Digest, Sha256};

use super::{Store, StoreError, fresh_id, list_rows};

/// The step of the schema that made them, and the index of sent rows by policy number.
pub(crate) const CREATE_IMPORT_RUNS: &str = include_str!("import_runs.sql");

/// A file that is checked or sent in chunks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportRun {
    /// Its id.
    pub id: String,
    /// Id of the profile.
    pub profile: String,
    /// Nothing is sent.
    pub only_checks: bool,
    /// Where the file is.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Of its content.
    pub sha256: String,
    /// Its options; a run continues only with the same ones.
    pub settings: String,
    /// The mapping from its first chunk; empty before that.
    pub mapping: String,
    /// RFC 3339, UTC.
    pub at: String,
}

/// A chunk that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportChunk {
    /// Its number, from 0.
    pub chunk: u32,
    /// The review of its rows.
    pub review: String,
    /// JSON, made and read by the command.
    pub report: String,
    /// Everything that can be sent was sent, and its draft is dealt with.
    pub is_done: bool,
    /// The batch that was made of it.
    pub batch: Option<String>,
}

/// Key that identifies equal transactions: of a hash without known collisions.
fn hash_key(kind: &str, parts: &[&str]) -> [u8; 16] {
    let mut digest = Sha256::new();
    for part in std::iter::once(&kind).chain(parts) {
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part);
    }
    let mut key = [0; 16];
    key.copy_from_slice(&digest.finalize()[..16]);
    key
}

/// The keys of a transaction's id and of its content.
fn hash_keys(row: &TransactionKey) -> (Option<[u8; 16]>, Option<[u8; 16]>) {
    let id = (!row.id.is_empty()).then(|| hash_key("id", &[&row.id]));
    let same = row.same.as_ref().map(|same| {
        let parts = [
            same.policy_number.as_str(),
            same.transaction_type.as_str(),
            same.effective_date.as_str(),
            same.premium.as_str(),
        ];
        hash_key("same", &parts)
    });
    (id, same)
}

fn run_seq(connection: &Connection, id: &str) -> Result<i64, StoreError> {
    let found = connection.query_row("SELECT seq FROM import_runs WHERE id = ?1", [id], |row| row.get(0));
    found.optional()?.ok_or(StoreError::Missing("import"))
}

fn remove_run(connection: &Connection, seq: i64) -> Result<(), StoreError> {
    connection.execute("DELETE FROM import_runs WHERE seq = ?1", [seq])?;
    let others: bool =
        connection.query_row("SELECT EXISTS (SELECT 1 FROM import_runs)", [], |row| row.get(0))?;
    // Without other runs empty the table as a whole, which is quick at any size.
    match others {
        true => connection.execute("DELETE FROM import_keys WHERE run = ?1", [seq])?,
        false => connection.execute("DELETE FROM import_keys", [])?,
    };
    Ok(())
}

/// Unfinished runs of a profile that send.
pub async fn unfinished_imports(store: &Store, profile: &str) -> Result<Vec<ImportRun>, StoreError> {
    let profile = profile.to_owned();
    store
        .with_connection(move |connection| {
            let sql =
                "SELECT id, profile, checks, path, bytes, sha256, settings, mapping, at FROM import_runs
             WHERE profile = ?1 AND checks = 0 ORDER BY seq";
            let read =
                row_as!(ImportRun: id, profile, only_checks, path, bytes, sha256, settings, mapping, at);
            list_rows(connection, sql, [profile], read)
        })
        .await
}

/// Removes stopped checks. Call it only while no command is working.
pub async fn remove_stopped_checks(store: &Store) -> Result<(), StoreError> {
    store
        .with_connection(|connection| {
            let sql = "SELECT seq FROM import_runs WHERE checks = 1";
            let stopped: Vec<i64> = list_rows(connection, sql, [], |row| row.get(0))?;
            stopped.into_iter().try_for_each(|seq| remove_run(connection, seq))
        })
        .await
}

/// Starts a run and returns its id.
pub async fn begin_import(store: &Store, run: ImportRun) -> Result<String, StoreError> {
    store
        .with_connection(move |connection| {
            let transaction = connection.transaction()?;
            let id = fresh_id(&transaction)?;
            transaction.execute(
                "INSERT INTO import_runs (id, profile, checks, path, bytes, sha256, settings, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    id,
                    run.profile,
                    run.only_checks,
                    run.path,
                    i64::try_from(run.bytes).unwrap_or(i64::MAX),
                    run.sha256,
                    run.settings,
                    run.at
                ],
            )?;
            transaction.commit()?;
            Ok(id)
        })
        .await
}

/// Stores the mapping from the first chunk.
pub async fn keep_import_mapping(store: &Store, run: &str, mapping: String) -> Result<(), StoreError> {
    let run = run.to_owned();
    store
        .with_connection(move |connection| {
            connection.execute("UPDATE import_runs SET mapping = ?2 WHERE id = ?1", [run, mapping])?;
            Ok(())
        })
        .await
}

/// The checked chunks of a run, each with its batch.
pub async fn import_chunks(store: &Store, run: &str) -> Result<Vec<ImportChunk>, StoreError> {
    let run = run.to_owned();
    store
        .with_connection(move |connection| {
            let sql = "SELECT chunk, review, report, done,
             (SELECT b.id FROM batches b WHERE b.review = import_chunks.review ORDER BY b.seq LIMIT 1)
             FROM import_chunks WHERE run = ?1 ORDER BY chunk";
            let read = row_as!(ImportChunk: chunk, review, report, is_done, batch);
            list_rows(connection, sql, [run_seq(connection, &run)?], read)
        })
        .await
}

/// Records a chunk before anything of it is sent, with the keys by which later chunks recognize its transactions.
pub async fn record_import_chunk(
    store: &Store,
    run: &str,
    chunk: ImportChunk,
    keys: Vec<TransactionKey>,
) -> Result<(), StoreError> {
    let run = run.to_owned();
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction()?;
            let run = run_seq(&transaction, &run)?;
            transaction.execute(
                "INSERT INTO import_chunks (run, chunk, review, report) VALUES (?1, ?2, ?3, ?4)",
                params![run, chunk.chunk, chunk.review, chunk.report],
            )?;
            // In the table's order, so that it is written once from start to end.
            let both = keys.iter().map(|row| (hash_keys(row), row.line));
            let mut entries: Vec<([u8; 16], u32)> = both
                .flat_map(|((id, same), line)| id.into_iter().chain(same).map(move |key| (key, line)))
                .collect();
            entries.sort_unstable();
            let mut insert = transaction.prepare_cached(
            "INSERT INTO import_keys (run, key, chunk, line) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
        )?;
            for (key, line) in entries {
                insert.execute(params![run, key.as_slice(), chunk.chunk, line])?;
            }
            drop(insert);
            Ok(transaction.commit()?)
        })
        .await
}

/// Marks a chunk as done: everything that can be sent was sent, and its draft is dealt with.
pub async fn finish_import_chunk(store: &Store, run: &str, chunk: u32) -> Result<(), StoreError> {
    let run = run.to_owned();
    store
        .run_durably(move |connection| {
            let run = run_seq(connection, &run)?;
            let sql = "UPDATE import_chunks SET done = 1 WHERE run = ?1 AND chunk = ?2";
            connection.execute(sql, params![run, chunk])?;
            Ok(())
        })
        .await
}

/// Removes a chunk of which nothing was sent, so that it is checked again.
pub async fn forget_import_chunk(store: &Store, run: &str, chunk: u32) -> Result<(), StoreError> {
    let run = run.to_owned();
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction()?;
            let run = run_seq(&transaction, &run)?;
            for table in ["import_keys", "import_chunks"] {
                let sql = format!("DELETE FROM {table} WHERE run = ?1 AND chunk = ?2");
                transaction.execute(&sql, params![run, chunk])?;
            }
            Ok(transaction.commit()?)
        })
        .await
}

/// Removes a run; what it sent stays.
pub async fn remove_import(store: &Store, run: &str) -> Result<(), StoreError> {
    let run = run.to_owned();
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction()?;
            let seq = run_seq(&transaction, &run)?;
            remove_run(&transaction, seq)?;
            Ok(transaction.commit()?)
        })
        .await
}

/// Finds which of a chunk's transactions are in earlier chunks, or were sent to the profile by anything but this
/// run.
pub async fn find_import_duplicates(
    store: &Store,
    run: &str,
    chunk: u32,
    keys: Vec<TransactionKey>,
) -> Result<SentKeys, StoreError> {
    let run = run.to_owned();
    store
        .with_connection(move |connection| {
            let (seq, profile): (i64, String) = connection
                .query_row("SELECT seq, profile FROM import_runs WHERE id = ?1", [&run], |row| row.try_into())
                .optional()?
                .ok_or(StoreError::Missing("import"))?;
            let mut found = SentKeys::of_chunk();
            if chunk > 0 {
                find_earlier(connection, seq, chunk, &keys, &mut found)?;
            }
            find_sent(connection, seq, &profile, &keys, &mut found)?;
            Ok(found)
        })
        .await
}

fn find_earlier(
    connection: &Connection,
    run: i64,
    chunk: u32,
    keys: &[TransactionKey],
    found: &mut SentKeys,
) -> Result<(), StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT line FROM import_keys WHERE run = ?1 AND key = ?2 AND chunk < ?3")?;
    let mut line = |key: Option<[u8; 16]>| -> Result<Option<u32>, StoreError> {
        let Some(key) = key else { return Ok(None) };
        Ok(statement.query_row(params![run, key.as_slice(), chunk], |row| row.get(0)).optional()?)
    };
    for row in keys {
        let (id, same) = hash_keys(row);
        if let Some(line) = line(id)? {
            found.add_earlier_id(&row.id, line);
        }
        if let (Some(line), Some(same)) = (line(same)?, &row.same) {
            found.add_earlier_transaction(same.clone(), line);
        }
    }
    Ok(())
}

/// Accepted rows of a profile, without those of this run.
const SENT_BY_OTHERS: &str = "r.row_state NOT IN ('not_sent', 'error') AND b.profile_id = ?1
     AND NOT EXISTS (SELECT 1 FROM import_chunks c WHERE c.run = ?2 AND c.review = b.review)";

fn find_sent(
    connection: &Connection,
    run: i64,
    profile: &str,
    keys: &[TransactionKey],
    found: &mut SentKeys,
) -> Result<(), StoreError> {
    let others: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM batches b WHERE b.profile_id = ?1
         AND NOT EXISTS (SELECT 1 FROM import_chunks c WHERE c.run = ?2 AND c.review = b.review))",
        params![profile, run],
        |row| row.get(0),
    )?;
    if !others {
        return Ok(());
    }
    let sql = |matches: &str| {
        format!(
            "SELECT b.day FROM batch_rows r JOIN batches b ON b.seq = r.batch
             WHERE {matches} AND {SENT_BY_OTHERS} ORDER BY r.batch DESC LIMIT 1"
        )
    };
    let mut by_id = connection.prepare_cached(&sql("r.own_id = ?3"))?;
    let mut by_policy = connection.prepare_cached(&sql("r.policy_number = ?3 AND r.same_key = ?4"))?;
    for row in keys {
        let day: Option<String> = match row.id.as_str() {
            "" => None,
            id => by_id.query_row(params![profile, run, id], |found| found.get(0)).optional()?,
        };
        if let Some(day) = day {
            found.add(&row.id, None, &day);
        }
        let Some(same) = &row.same else { continue };
        let key = serde_json::to_string(same)?;
        let of_policy = params![profile, run, same.policy_number, key];
        let day: Option<String> = by_policy.query_row(of_policy, |found| found.get(0)).optional()?;
        if let Some(day) = day {
            found.add("", Some(same.clone()), &day);
        }
    }
    Ok(())
}
