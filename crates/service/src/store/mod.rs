//! What outlives a request: accounts, keys, tokens, used links.
//!
//! The statements use only what PostgreSQL also has (numbered parameters in order of appearance, `ON
//! CONFLICT`, no SQLite functions); what is SQLite's own stands in [`Store::open`].

pub(crate) mod accounts;
pub(crate) mod batches;
pub(crate) mod documents;
pub(crate) mod filings;
pub(crate) mod filled_forms;
mod migrations;
pub(crate) mod search;
pub(crate) mod state;
pub(crate) mod tokens;
pub(crate) mod webhooks;
pub(crate) mod webhooks_notices;
pub(crate) mod webhooks_queue;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::watch;

use crate::StartError;

/// How long one connection waits for what another has locked.
const BUSY_TIME: Duration = Duration::from_secs(5);
/// Statements kept ready for each connection: all there are, so that none is made ready anew because others
/// were asked in between.
const STATEMENTS_KEPT: usize = 128;
/// Memory for pages of the writing connection, in KiB: what the parts of a batch touch again and again.
const PAGES_KIB: i64 = 16 * 1_024;
/// Pages of the log of writes at which the writer stops to carry it over itself (64 MiB).
const LOG_PAGES_MAX: i64 = 16 * 1_024;
/// How often it is carried over otherwise, where something was written.
const CARRYING_TIME: Duration = Duration::from_secs(1);

/// The database. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Store {
    writer: Arc<Mutex<Connection>>,
    /// Reads while the other writes. A database in memory has one connection only.
    reader: Option<Arc<Mutex<Connection>>>,
    /// Carries the log of writes over into the database.
    carrier: Option<Arc<Mutex<Connection>>>,
    /// Whether something was written since it last did.
    written: Arc<AtomicBool>,
}

/// Why the database did not answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("database: {0}")]
    Database(#[from] rusqlite::Error),
    #[error("the database task was interrupted")]
    Interrupted,
}

impl Store {
    /// Opens or creates the database and brings it to the present schema.
    pub(crate) fn open(path: Option<&Path>) -> Result<Store, StartError> {
        let mut writer = match path {
            Some(path) => Connection::open(path)?,
            None => Connection::open_in_memory()?,
        };
        writer.busy_timeout(BUSY_TIME)?;
        writer.pragma_update(None, "journal_mode", "WAL")?;
        writer.pragma_update(None, "synchronous", "NORMAL")?;
        writer.pragma_update(None, "foreign_keys", true)?;
        writer.pragma_update(None, "cache_size", -PAGES_KIB)?;
        writer.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
        migrations::run(&mut writer).map_err(|error| match error {
            migrations::Failed::Newer { found, known } => {
                StartError::NewerData { path: path.map(Path::to_path_buf).unwrap_or_default(), found, known }
            }
            migrations::Failed::Database(error) => StartError::Database(error),
        })?;
        writer.pragma_update(None, "wal_autocheckpoint", LOG_PAGES_MAX)?;
        let reader = path.map(|path| beside(path, true)).transpose()?;
        let carrier = path.map(|path| beside(path, false)).transpose()?;
        Ok(Store { writer: Arc::new(Mutex::new(writer)), reader, carrier, written: Arc::default() })
    }

    /// Runs `work` in one transaction on a thread that may block.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.clone();
        match tokio::task::spawn_blocking(move || store.run_here(work)).await {
            Ok(result) => Ok(result?),
            Err(_) => Err(StoreError::Interrupted),
        }
    }

    /// Runs `work` in one transaction on this thread.
    pub(crate) fn run_here<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        // A panic inside a transaction rolled it back, so the connection is still good.
        let mut connection = self.writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.transact(&mut connection, work)
    }

    /// The same, and what is committed survives a loss of power too: for what the caller is told is accepted.
    pub(crate) fn keep_here<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let mut connection = self.writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        connection.pragma_update(None, "synchronous", "FULL")?;
        let result = self.transact(&mut connection, work);
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        result
    }

    fn transact<T>(
        &self,
        connection: &mut Connection,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        // Immediate: one that begins by reading cannot be told later that another instance wrote meanwhile.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&transaction)?;
        transaction.commit()?;
        self.written.store(true, Ordering::Release);
        Ok(result)
    }

    /// Brings what was committed from the log into the database and onto the disk, about a second after it was
    /// written, beside further writing: nobody waits for the disk meanwhile.
    pub(crate) async fn carry_over(self, mut stop: watch::Receiver<bool>) {
        let Some(carrier) = self.carrier else { return };
        while !*stop.borrow() {
            tokio::select! {
                () = tokio::time::sleep(CARRYING_TIME) => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
            if !self.written.swap(false, Ordering::AcqRel) {
                continue;
            }
            let carrier = Arc::clone(&carrier);
            let carried = tokio::task::spawn_blocking(move || {
                let carrier = carrier.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                carrier.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
            });
            match carried.await {
                Ok(Ok(())) => {}
                // The writer does it itself once the log is long enough.
                Ok(Err(error)) => tracing::warn!(%error, "the log of writes was not carried over"),
                Err(error) => tracing::warn!(%error, "the log of writes was not carried over"),
            }
        }
    }

    /// Reads on a thread that may block; sees all that was committed before, and waits for no writing.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.clone();
        match tokio::task::spawn_blocking(move || store.read_here(work)).await {
            Ok(result) => Ok(result?),
            Err(_) => Err(StoreError::Interrupted),
        }
    }

    /// The same on this thread.
    pub(crate) fn read_here<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let connection = self.reader.as_ref().unwrap_or(&self.writer);
        let mut connection = connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // One transaction, so that several questions see the same state.
        let transaction = connection.transaction()?;
        let result = work(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }
}

/// The number the row got that was just added. PostgreSQL says it by `RETURNING`; for that SQLite makes a table
/// of its own, row by row, which takes longer than adding it.
fn number_given(db: &Connection) -> i64 {
    db.last_insert_rowid()
}

/// A connection beside the one that writes.
fn beside(path: &Path, reads_only: bool) -> Result<Arc<Mutex<Connection>>, StartError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIME)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "query_only", reads_only)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    Ok(Arc::new(Mutex::new(connection)))
}
