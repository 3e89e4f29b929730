//! The data of this computer, or an office's workspace. Safe for several processes at once.
//!
//! Every call runs on a thread for blocking work. No secret and no download link is ever written here.

#[macro_use]
mod rows;

pub mod assignments;
pub mod audit;
pub mod backup;
pub mod batches;
pub mod copy_notice;
pub mod declining_carriers;
pub mod due_marks;
pub mod encryption;
pub mod erase;
pub mod events;
pub mod export;
mod failure;
pub mod health;
pub mod import_runs;
mod mapping_versions;
mod migrations;
mod moment;
pub mod open_database;
mod open_store;
pub mod place;
pub mod profiles;
pub mod quotes;
pub mod retention;
mod reviews;
pub mod saved_searches;
pub mod stored_files;
pub mod under_way;
pub mod unread_answers;
pub mod uploads;
mod values;
mod watched_files;
pub mod workspace;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub use bordereau_api::{Destination, bound_address};
use bordereau_database::OfficeDatabase;
pub use bordereau_database::off_thread;
/// Types for the functions of a table.
pub use bordereau_database::{Connection, FolderLock, Hold, Word};
pub use bordereau_sealing::private_files::{
    create_private_file, make_open_file_private, make_private_file, make_private_folder, sync_file,
    sync_folder,
};
pub use bordereau_sealing::{data_key, seal};
use data_key::{DataKey, file_form};
pub use failure::{StoreError, WriteObstacle, damage_error, file_error};

pub use mapping_versions::MappingRevision;
pub use moment::ActorTimestamp;
use open_database::fitting_key;
pub use open_store::{find_obstacle, read_unwritable};
use parking_lot::Mutex;
pub use profiles::fresh_id;
pub use reviews::{StepChange, StoredReview};
use rows::{list_parsed, list_rows};
pub use values::{ValueName, change_shared_value, find_value};
pub use watched_files::WatchedFile;

/// Runs the work off the asynchronous threads.
///
/// # Errors
/// [`StoreError::Interrupted`] where the thread ended early; else the work's own errors.
pub async fn run_off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    off_thread::run_work(work).await.ok_or(StoreError::Interrupted)?
}

/// How long a writer waits for another process.
const BUSY_WITHIN: Duration = Duration::from_secs(5);
const FILE: &str = "desk.sqlite";

/// The store of a data folder, or of an office together with this computer's own data in the folder.
#[derive(Clone)]
pub struct Store {
    open: Arc<OpenStore>,
    /// The folder's own file; the same as the store without an office.
    own: Arc<OpenStore>,
    /// The seat in the office; `None` for a folder.
    office: Option<Arc<workspace::OfficeSeat>>,
    folder: Arc<PathBuf>,
    /// Why it is read-only; `None` where it can be written.
    obstacle: Option<WriteObstacle>,
    /// Its key; `None` where it isn't encrypted.
    key: Option<DataKey>,
    /// Why a requested encryption or decryption of the folder failed.
    change_failure: Option<Arc<StoreError>>,
    /// The change number of each draft opened by this process, by id.
    draft_turns: Arc<Mutex<HashMap<String, i64>>>,
}

/// Dropped in this order: the store stays in use until its last connection is closed, even that of work still
/// running.
struct OpenStore {
    connection: Mutex<Connection>,
    _in_use: Option<fs::File>,
}

impl Store {
    /// Opens the store in the folder, creating and migrating it as needed. A store that can't be written is opened
    /// read-only.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        Store::open_with_key(folder, None)
    }

    /// The same with a key: a new store is encrypted with it, an existing one opens as it is.
    ///
    /// # Errors
    /// [`StoreError::NoKey`], [`StoreError::WrongKey`] without the key of an encrypted store: nothing was changed.
    pub fn open_with_key(folder: &Path, key: Option<DataKey>) -> Result<Store, StoreError> {
        make_private_folder(folder)?;
        let (in_use, change_failure) = open_store::hold_folder(folder, key.as_ref());
        // Before it is opened: see `file_form`.
        let form = file_form(&folder.join(FILE))?;
        let key = fitting_key(form, key.as_ref())?.cloned();
        let (connection, obstacle) = open_store::open_connection(folder, key.as_ref())?;
        let own = Arc::new(OpenStore { connection: Mutex::new(connection), _in_use: in_use });
        Ok(Store {
            open: Arc::clone(&own),
            own,
            office: None,
            folder: Arc::new(folder.to_owned()),
            obstacle,
            key,
            change_failure: change_failure.map(Arc::new),
            draft_turns: Arc::default(),
        })
    }

    /// The same store on an office's workspace; this computer's own data stays in the folder. The workspace must
    /// exist, in the version that this program knows.
    ///
    /// # Errors
    /// [`StoreError::TooNew`] where a newer version wrote it.
    pub fn join_office(self, database: OfficeDatabase) -> Result<Store, StoreError> {
        // On a separate thread: the caller may be on an asynchronous one.
        let opened = std::thread::scope(|scope| scope.spawn(|| workspace::open_seat(database)).join());
        let (connection, seat) = opened.map_err(|_| StoreError::Interrupted)??;
        let open = Arc::new(OpenStore { connection: Mutex::new(connection), _in_use: None });
        Ok(Store { open, office: Some(Arc::new(seat)), ..self })
    }

    /// The seat in the office; `None` for a folder.
    pub fn office(&self) -> Option<&workspace::OfficeSeat> {
        self.office.as_deref()
    }

    /// The key; `None` where the store isn't encrypted.
    pub fn data_key(&self) -> Option<&DataKey> {
        self.key.as_ref()
    }

    /// Why a requested encryption or decryption of the folder failed.
    pub fn change_failure(&self) -> Option<&StoreError> {
        self.change_failure.as_deref()
    }

    /// Why it is read-only; `None` where it can be written.
    pub fn write_obstacle(&self) -> Option<WriteObstacle> {
        if self.office.is_some() { None } else { self.obstacle }
    }

    /// Where its file can't be written: works on a copy of it in memory from now on, which ends with this process.
    /// Whether it does.
    pub fn work_in_memory(&self) -> Result<bool, StoreError> {
        if self.write_obstacle().is_none() {
            return Ok(false);
        }
        let mut connection = self.own.connection.lock();
        // Behind a slash, a name is the same database for every connection of this process.
        let address = format!("file:/{}?vfs=memdb&key=", fresh_id(&connection)?);
        let memory = open_database::open_again(Path::new(&address), None)?;
        connection.execute("VACUUM INTO ?1", [&address])?;
        memory.pragma_update(None, "foreign_keys", true)?;
        *connection = memory.into();
        Ok(true)
    }

    /// Its data folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs the work off the asynchronous threads.
    pub async fn with_connection<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.run(&self.open, self.write_obstacle(), work).await
    }

    /// The same with this computer's own data.
    pub async fn with_own_connection<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.run(&self.own, self.obstacle, work).await
    }

    async fn run<T: Send + 'static>(
        &self,
        store: &Arc<OpenStore>,
        obstacle: Option<WriteObstacle>,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = Arc::clone(store);
        // A panic in earlier work rolled its transaction back: the connection itself is fine.
        let done = run_off_thread(move || {
            let mut connection = store.connection.lock();
            workspace::make_ready(&mut connection)?;
            work(&mut connection)
        })
        .await;
        // A read-only store refuses every write alike: the reason was found when it was opened.
        done.map_err(|error| match (error.write_obstacle(), obstacle) {
            (Some(_), Some(obstacle)) => StoreError::NotWritable(obstacle),
            _ => error,
        })
    }

    /// As [`Store::with_connection`], and a commit in it also survives a power loss: for everything that decides
    /// whether something is sent.
    pub async fn run_durably<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.with_connection(move |connection| {
            set_synchronous(connection, "FULL")?;
            let outcome = work(connection);
            set_synchronous(connection, "NORMAL")?;
            outcome
        })
        .await
    }
}

/// Sets how durable a commit to the file is; an office's database always commits to its disk.
fn set_synchronous(connection: &Connection, how: &str) -> Result<(), StoreError> {
    connection.as_file().map_or(Ok(()), |file| Ok(file.pragma_update(None, "synchronous", how)?))
}
