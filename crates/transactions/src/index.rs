//! The index: one SQLite file for each profile, beside the store.
//!
//! Its own file, because a fetch of thousands of records must not hold up the outbox, and because it can be
//! thrown away: everything in it is fetched again. One connection writes, two read.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bordereau_contract::{TransactionRecord, format_instant};
use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension, params};

use super::facts::Facts;
use super::found::Found;
use super::words;
use bordereau_store::StoreError;

/// Counts up with `schema.sql` and with what is made of a record.
const VERSION: i64 = 2;
const BUSY_WITHIN: Duration = Duration::from_secs(10);
/// Rows written in one transaction: what a page of the service has, several times over.
const BATCH: usize = 1_000;

/// The word for a status number, where the profile has one.
pub(super) type StatusWord = fn(i64) -> Option<&'static str>;

/// The index of one profile. Cheap to clone.
#[derive(Clone)]
pub struct Index {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    writer: Mutex<Connection>,
    readers: [Mutex<Connection>; 2],
    pub(super) found: Found,
    pub(super) status_word: StatusWord,
}

/// What writing records did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) new: u32,
    pub(super) changed: u32,
}

impl Index {
    /// Opens the index, made new where it is missing, damaged or of another version.
    pub(super) fn open(path: &Path, status_word: StatusWord) -> Result<Index, StoreError> {
        let writer = match ready(path) {
            Ok(writer) => writer,
            Err(error) => {
                tracing::warn!(%error, "the index of transactions is made anew");
                remove(path);
                ready(path)?
            }
        };
        let reader = || -> Result<Mutex<Connection>, StoreError> { Ok(Mutex::new(connect(path)?)) };
        let readers = [reader()?, reader()?];
        Ok(Index {
            inner: Arc::new(Inner {
                writer: Mutex::new(writer),
                readers,
                found: Found::default(),
                status_word,
            }),
        })
    }

    /// Runs a question off the asynchronous threads.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Inner) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = Arc::clone(&self.inner);
        let task = tokio::task::spawn_blocking(move || {
            let [first, second] = &inner.readers;
            // A long question on one leaves the other for the person who goes on typing.
            let held = first
                .try_lock()
                .ok()
                .unwrap_or_else(|| second.lock().unwrap_or_else(PoisonError::into_inner));
            work(&held, &inner)
        });
        task.await.map_err(|_| StoreError::Interrupted)?
    }

    /// Runs a change off the asynchronous threads, whole or not at all.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Inner) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = Arc::clone(&self.inner);
        let task = tokio::task::spawn_blocking(move || {
            let mut writer = inner.writer.lock().unwrap_or_else(PoisonError::into_inner);
            let transaction = writer.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let outcome = work(&transaction, &inner)?;
            transaction.commit()?;
            Ok(outcome)
        });
        task.await.map_err(|_| StoreError::Interrupted)?
    }

    /// Takes records in, each once by its id; `at` is when they were read.
    pub async fn take_in(
        &self,
        records: Vec<TransactionRecord>,
        at: DateTime<Utc>,
    ) -> Result<(u32, u32), StoreError> {
        let mut sum = Written::default();
        let mut rest = records.into_iter();
        loop {
            let batch: Vec<TransactionRecord> = rest.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok((sum.new, sum.changed));
            }
            let written = self.write(move |db, inner| put(db, &batch, at, inner.status_word)).await?;
            sum.new += written.new;
            sum.changed += written.changed;
        }
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_WITHIN)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "secure_delete", true)?;
    // 32 MiB: the words of a large question stay at hand.
    connection.pragma_update(None, "cache_size", -32_768)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn ready(path: &Path) -> Result<Connection, StoreError> {
    let mut connection = connect(path)?;
    bordereau_store::make_private_file(path)?;
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match version {
        VERSION => {}
        0 => {
            transaction.execute_batch(include_str!("schema.sql"))?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        found => return Err(StoreError::TooNew { found, known: VERSION }),
    }
    transaction.commit()?;
    Ok(connection)
}

/// Removes an index with what SQLite keeps beside it.
pub(super) fn remove(path: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let _ = std::fs::remove_file(PathBuf::from(name));
    }
}

/// What changes whenever the index changes.
pub(super) fn revision(db: &Connection) -> Result<u32, StoreError> {
    Ok(db.prepare_cached("SELECT number FROM revision")?.query_row([], |row| row.get(0))?)
}

fn put(
    db: &Connection,
    records: &[TransactionRecord],
    at: DateTime<Utc>,
    status_word: StatusWord,
) -> Result<Written, StoreError> {
    let mut written = Written::default();
    let seen_at = format_instant(at);
    for record in records {
        let body = serde_json::to_string(record)?;
        let mut known = db.prepare_cached("SELECT body FROM bodies WHERE id = ?1")?;
        let known: Option<String> = known.query_row([record.id], |row| row.get(0)).optional()?;
        if known.as_deref() == Some(&body) {
            db.prepare_cached("UPDATE bodies SET seen_at = ?2 WHERE id = ?1")?
                .execute(params![record.id, seen_at])?;
            continue;
        }
        if known.is_some() {
            db.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([record.id])?;
            written.changed += 1;
        } else {
            written.new += 1;
        }
        put_one(db, record, &body, &seen_at, at.timestamp(), status_word(record.transaction_status))?;
    }
    if written != Written::default() {
        db.execute("UPDATE revision SET number = number + 1", [])?;
    }
    Ok(written)
}

fn put_one(
    db: &Connection,
    record: &TransactionRecord,
    body: &str,
    seen_at: &str,
    changed_at: i64,
    status: Option<&str>,
) -> Result<(), StoreError> {
    let facts = Facts::of(record);
    db.prepare_cached(
        "INSERT OR REPLACE INTO facts VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
    )?
    .execute(params![
        record.id,
        facts.state,
        facts.kind,
        facts.status,
        facts.documents,
        facts.paid.number(),
        facts.due,
        facts.open,
        facts.policy_effective,
        facts.transaction_effective,
        facts.filed,
        facts.premium,
        facts.fees,
        facts.taxes,
        facts.total,
        changed_at
    ])?;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    db.prepare_cached("INSERT OR REPLACE INTO bodies VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?.execute(
        params![
            record.id,
            text(&record.policy_number),
            text(&record.mailing_insured_name),
            text(&record.extra_invoice_number),
            text(&record.unique_id),
            seen_at,
            body
        ],
    )?;
    db.prepare_cached("INSERT INTO words (rowid, text) VALUES (?1, ?2)")?
        .execute(params![record.id, words::of_record(record, status)])?;
    Ok(())
}
