//! The practice service's own database: its only SQL, a file for each table.
//!
//! The statements use only what PostgreSQL also has (numbered parameters in order of appearance, `ON
//! CONFLICT`, no SQLite functions); what is SQLite's own is in [`Store::open`].

/// A function that makes a struct of a row's columns in their order.
macro_rules! row_as {
    ($type:ident: $($field:ident),+) => {
        |row: &rusqlite::Row<'_>| -> rusqlite::Result<$type> {
            let mut columns = 0usize..;
            Ok($type { $($field: row.get(columns.next().unwrap_or_default())?),+ })
        }
    };
}

pub mod accounts;
pub mod batches;
pub mod documents;
pub mod filings;
pub mod filled_forms;
mod migrations;
pub mod retention;
pub mod search;
pub mod state;
pub mod tokens;
pub mod webhooks;
pub mod webhooks_notices;
pub mod webhooks_queue;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

// The SQLite that rusqlite calls.
use bordereau_sqlite as _;
use parking_lot::Mutex;
use rusqlite::{Connection, TransactionBehavior};

/// How long one connection waits for what another has locked.
const BUSY_TIME: Duration = Duration::from_secs(5);
/// Prepared statements kept for each connection: all there are, so that none is prepared again because others
/// were asked in between.
const STATEMENTS_KEPT: usize = 128;
/// Memory for pages of the writing connection, in KiB: what the parts of a batch touch again and again.
const PAGES_KIB: i64 = 16 * 1_024;

/// The database. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    writer: Arc<Mutex<Connection>>,
    /// Reads while the other writes. A database in memory has one connection only.
    reader: Option<Arc<Mutex<Connection>>>,
}

/// Why the database did not answer.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be used.
    #[error("the practice service's database cannot be used: {0}")]
    Database(#[from] rusqlite::Error),
    /// The thread that worked on it ended.
    #[error("the database task was interrupted")]
    Interrupted,
    /// The data was written by a newer version.
    #[error("the data in {} was written by a newer version (schema {found}, this one knows {known}); use that version or another directory", .path.display())]
    NewerData {
        /// The database.
        path: PathBuf,
        /// Schema version found.
        found: i64,
        /// Newest schema version this program knows.
        known: i64,
    },
}

impl Store {
    /// Opens or creates the database and brings it to the present schema.
    pub fn open(path: Option<&Path>) -> Result<Store, StoreError> {
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
        migrations::migrate_schema(&mut writer, path)?;
        let reader = path.map(open_reader).transpose()?;
        Ok(Store { writer: Arc::new(Mutex::new(writer)), reader })
    }

    /// Runs `work` in one transaction on a thread that may block.
    pub async fn with_connection<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.clone();
        match tokio::task::spawn_blocking(move || store.run_on_this_thread(work)).await {
            Ok(result) => Ok(result?),
            Err(_) => Err(StoreError::Interrupted),
        }
    }

    /// Runs `work` in one transaction on this thread.
    pub fn run_on_this_thread<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        // A panic inside a transaction rolled it back, so the connection is still good.
        transact(&mut self.writer.lock(), work)
    }

    /// The same, and what is committed survives a loss of power too: for what the caller is told is accepted.
    pub fn commit_on_this_thread<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let mut connection = self.writer.lock();
        connection.pragma_update(None, "synchronous", "FULL")?;
        let result = transact(&mut connection, work);
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        result
    }

    /// Reads on a thread that may block; sees all that was committed before, and waits for no writing.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.clone();
        match tokio::task::spawn_blocking(move || store.read_on_this_thread(work)).await {
            Ok(result) => Ok(result?),
            Err(_) => Err(StoreError::Interrupted),
        }
    }

    /// The same on this thread.
    pub fn read_on_this_thread<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let mut connection = self.reader.as_ref().unwrap_or(&self.writer).lock();
        // One transaction, so that several questions see the same state.
        let transaction = connection.transaction()?;
        let result = work(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }
}

/// Runs `work` whole or not at all.
fn transact<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let result = work(&transaction)?;
    transaction.commit()?;
    Ok(result)
}

/// A connection beside the one that writes.
fn open_reader(path: &Path) -> Result<Arc<Mutex<Connection>>, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIME)?;
    connection.pragma_update(None, "query_only", true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    Ok(Arc::new(Mutex::new(connection)))
}
