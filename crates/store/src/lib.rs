//! The data of this computer: one SQLite file, safe for two processes at once.
//!
//! Every call runs on a thread for blocking work. No secret and no download link is ever written here.

pub mod audit;
pub mod batches;
pub mod declining_carriers;
mod destination;
pub mod due_marks;
pub mod events;
mod failure;
mod folder_lock;
mod migrations;
mod moment;
pub mod profiles;
pub mod quotes;
mod reviews;
pub mod saved_searches;
pub mod totals;
pub mod transaction_index;
pub mod under_way;
pub mod uploads;
mod values;
mod words;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use destination::{Destination, bound_address};
pub use failure::StoreError;
pub use folder_lock::FolderLock;
pub use moment::{Moment, clock};
use parking_lot::Mutex;
pub use profiles::fresh_id;
pub use reviews::{KeptReview, StepChange};
/// What the functions of a table work with.
pub use rusqlite::Connection;
pub use values::Value;
pub use words::Word;

/// How long a writer waits for another process.
const BUSY_WITHIN: Duration = Duration::from_secs(5);
const FILE: &str = "desk.sqlite";

/// The store of one data folder.
#[derive(Clone)]
pub struct Store {
    connection: Arc<Mutex<Connection>>,
}

impl Store {
    /// Opens the store in the folder, making and migrating it as needed.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        make_private_folder(folder)?;
        let path = folder.join(FILE);
        let mut connection = Connection::open(&path)?;
        make_private_file(&path)?;
        connection.busy_timeout(BUSY_WITHIN)?;
        // WAL lets the window read while the command line writes; FULL would only add a sync per commit.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // On macOS a plain sync ends in the cache of the disk; elsewhere these change nothing.
        connection.pragma_update(None, "fullfsync", true)?;
        connection.pragma_update(None, "checkpoint_fullfsync", true)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // What is removed is overwritten: insureds' names do not linger in free pages.
        connection.pragma_update(None, "secure_delete", true)?;
        migrations::migrate(&mut connection, &path, migrations::MIGRATIONS)?;
        Ok(Store { connection: Arc::new(Mutex::new(connection)) })
    }

    /// Runs the work off the asynchronous threads.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let shared = Arc::clone(&self.connection);
        let task = tokio::task::spawn_blocking(move || {
            // A panic in earlier work rolled its transaction back: the connection itself is sound.
            work(&mut shared.lock())
        });
        task.await.map_err(|_| StoreError::Interrupted)?
    }

    /// As [`Store::run`], and what is committed in it survives a loss of power too: for everything that
    /// decides whether something is sent.
    pub async fn run_durably<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.run(move |connection| {
            connection.pragma_update(None, "synchronous", "FULL")?;
            let outcome = work(connection);
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            outcome
        })
        .await
    }
}

/// Makes a folder that only its owner reads.
#[cfg(unix)]
pub fn make_private_folder(folder: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(StoreError::Folder)
}

#[cfg(not(unix))]
pub fn make_private_folder(folder: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(StoreError::Folder)
}

/// Syncs a folder, so that a file made or renamed in it is under its name after a loss of power. As far as its
/// disk can: a share of the network may not.
pub fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let synced = fs::File::open(folder).and_then(|folder| folder.sync_all());
        let _ = synced.inspect_err(|error| tracing::debug!(%error, "a folder was not synced"));
    }
}

/// Makes a file one that only its owner reads.
#[cfg(unix)]
pub fn make_private_file(path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(StoreError::Folder)
}

#[cfg(not(unix))]
pub fn make_private_file(_path: &Path) -> Result<(), StoreError> {
    Ok(())
}
