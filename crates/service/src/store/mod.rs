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
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use crate::StartError;

/// The database. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Store {
    connection: Arc<Mutex<Connection>>,
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
        let mut connection = match path {
            Some(path) => Connection::open(path)?,
            None => Connection::open_in_memory()?,
        };
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        migrations::run(&mut connection).map_err(|error| match error {
            migrations::Failed::Newer { found, known } => {
                StartError::NewerData { path: path.map(Path::to_path_buf).unwrap_or_default(), found, known }
            }
            migrations::Failed::Database(error) => StartError::Database(error),
        })?;
        Ok(Store { connection: Arc::new(Mutex::new(connection)) })
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
        let mut connection = self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // Immediate: one that begins by reading cannot be told later that another instance wrote meanwhile.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }
}
