//! Opens the data file: for writing, and where that cannot be, for reading.

use std::fs::File;
use std::path::Path;

use bordereau_database::{Connection, DatabaseError};
use rusqlite::{ErrorCode, OpenFlags};

use crate::data_key::DataKey;
use crate::open_database::{open_database, open_database_as};
use crate::{BUSY_WITHIN, FILE, StoreError, WriteObstacle, make_private_file};
use crate::{backup, copy_notice, encryption, health, migrations};

/// SQLite's way to files without locks of the system, for reading where no lock can be taken; with its cipher.
const WITHOUT_LOCKS: &str =
    if cfg!(windows) { "multipleciphers-win32-none" } else { "multipleciphers-unix-none" };
const READ_ONLY: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Held by every process that has the store open: a backup is put in place while no one has.
const IN_USE: &str = "store.lock";

/// Where documents lie that other programs opened.
const OPENED: &str = "opened";
const BACKUPS: &str = "backups";

/// Does what waits for a moment at which no one else has the store open: a backup takes its place, the folder is
/// encrypted or not any more, and opened documents go. Then holds the store; with why the form of the folder was not
/// changed where it was to be.
pub(crate) fn hold_folder(folder: &Path, key: Option<&DataKey>) -> (Option<File>, Option<StoreError>) {
    let lock =
        File::options().create(true).truncate(false).read(true).write(true).open(folder.join(IN_USE)).ok();
    let Some(lock) = lock else { return (None, None) };
    let mut failure = None;
    if lock.try_lock().is_ok() {
        if backup::is_staged(folder)
            && let Err(error) = backup::put_in_place(folder)
        {
            tracing::warn!(%error, "a backup could not be put in place");
        }
        failure = encryption::carry_out_requested(folder, key).err();
        if let Some(error) = &failure {
            tracing::warn!(%error, "the data folder could not be encrypted, or its encryption could not be \
                 removed");
        }
        remove_plain_files(folder);
        let _ = lock.unlock();
    }
    let held = lock.lock_shared().is_ok();
    (held.then_some(lock), failure)
}

/// What was on the disk in clear for a moment only: documents that were opened, and backups that a process which ended
/// was about to seal or had opened.
fn remove_plain_files(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder.join(OPENED));
    for entry in std::fs::read_dir(folder.join(BACKUPS)).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().contains(backup::UNFINISHED) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The connection, and why it is for reading only where it is.
pub(crate) fn open_connection(
    folder: &Path,
    key: Option<&DataKey>,
) -> Result<(Connection, Option<WriteObstacle>), StoreError> {
    let error = match open_for_writing(folder, key) {
        Ok(connection) => return Ok((connection, None)),
        Err(error) => error,
    };
    let Some(obstacle) = error.write_obstacle().or_else(|| permission_obstacle(&error)) else {
        let is_cut = health::is_damage(&error) && is_cut_off(&folder.join(FILE), key);
        return Err(if is_cut { StoreError::CutOff } else { error });
    };
    tracing::warn!(%error, "the store is opened for reading only");
    match open_for_reading(&folder.join(FILE), key) {
        Ok(connection) => Ok((connection, Some(obstacle))),
        Err(_) => Err(error),
    }
}

/// Whether the file is shorter than it says: SQLite refuses every question then, and overlooks it when it is told to.
fn is_cut_off(path: &Path, key: Option<&DataKey>) -> bool {
    let is_readable = |overlooked: bool| -> Result<i64, StoreError> {
        let connection = open_database_as(path, key, READ_ONLY, None)?;
        connection.pragma_update(None, "writable_schema", overlooked)?;
        Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
    };
    is_readable(false).is_err() && is_readable(true).is_ok()
}

fn permission_obstacle(error: &StoreError) -> Option<WriteObstacle> {
    let is_permission = match error {
        StoreError::Folder(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
        StoreError::Database(DatabaseError::Sqlite(error)) => {
            matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied))
        }
        _ => false,
    };
    is_permission.then_some(WriteObstacle::ReadOnly)
}

fn open_for_writing(folder: &Path, key: Option<&DataKey>) -> Result<Connection, StoreError> {
    let path = folder.join(FILE);
    let connection = open_database(&path, key)?;
    make_private_file(&path)?;
    connection.busy_timeout(BUSY_WITHIN)?;
    // On macOS a plain sync ends in the cache of the disk; elsewhere these change nothing. Before the first write: a log
    // beside a data file whose first page is lost is taken for nothing.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    // WAL lets the window read while the command line writes; FULL would only add a sync per commit.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What is removed is overwritten: insureds' names do not linger in free pages.
    connection.pragma_update(None, "secure_delete", true)?;
    let mut connection = Connection::from(connection);
    migrations::migrate_schema(&mut connection, &path, migrations::MIGRATIONS)?;
    copy_notice::bind_place(&mut connection, folder)?;
    Ok(connection)
}

/// Without a byte written. Where not even the memory that processes share can be made, the file is read without it
/// and without locks.
fn open_for_reading(path: &Path, key: Option<&DataKey>) -> Result<Connection, StoreError> {
    open_database_as(path, key, READ_ONLY, None).and_then(ready_to_read).or_else(|_| {
        let connection = open_database_as(path, key, READ_ONLY, Some(WITHOUT_LOCKS))?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        ready_to_read(connection)
    })
}

fn ready_to_read(connection: rusqlite::Connection) -> Result<Connection, StoreError> {
    connection.busy_timeout(BUSY_WITHIN)?;
    let connection = Connection::from(connection);
    migrations::ensure_current(&connection)?;
    Ok(connection)
}
