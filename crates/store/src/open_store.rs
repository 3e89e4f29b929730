//! Opens the data file: for writing, and where that cannot be, for reading.

use std::fs::File;
use std::path::Path;

use rusqlite::{ErrorCode, OpenFlags};

use crate::engine::Connection;
use crate::{BUSY_WITHIN, FILE, StoreError, WriteObstacle, make_private_file};
use crate::{backup, copy_notice, migrations};

/// SQLite's way to files without locks of the system, for reading where no lock can be taken.
const WITHOUT_LOCKS: &str = if cfg!(windows) { "win32-none" } else { "unix-none" };

/// Held by every process that has the store open: a backup is put in place while no one has.
const IN_USE: &str = "store.lock";

/// Puts a backup in place that waits for it, where no one else has the store open; then holds the store.
pub(crate) fn hold_folder(folder: &Path) -> Option<File> {
    let lock =
        File::options().create(true).truncate(false).read(true).write(true).open(folder.join(IN_USE)).ok()?;
    if backup::is_staged(folder) && lock.try_lock().is_ok() {
        if let Err(error) = backup::put_in_place(folder) {
            tracing::warn!(%error, "a backup could not be put in place");
        }
        let _ = lock.unlock();
    }
    lock.lock_shared().ok()?;
    Some(lock)
}

/// The connection, and why it is for reading only where it is.
pub(crate) fn open_connection(folder: &Path) -> Result<(Connection, Option<WriteObstacle>), StoreError> {
    let error = match open_for_writing(folder) {
        Ok(connection) => return Ok((connection, None)),
        Err(error) => error,
    };
    let Some(obstacle) = error.write_obstacle().or_else(|| permission_obstacle(&error)) else {
        return Err(error);
    };
    tracing::warn!(%error, "the store is opened for reading only");
    match open_for_reading(&folder.join(FILE)) {
        Ok(connection) => Ok((connection, Some(obstacle))),
        Err(_) => Err(error),
    }
}

fn permission_obstacle(error: &StoreError) -> Option<WriteObstacle> {
    let is_permission = match error {
        StoreError::Folder(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
        StoreError::Sqlite(error) => {
            matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied))
        }
        _ => false,
    };
    is_permission.then_some(WriteObstacle::ReadOnly)
}

fn open_for_writing(folder: &Path) -> Result<Connection, StoreError> {
    let path = folder.join(FILE);
    let connection = rusqlite::Connection::open(&path)?;
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
    let mut connection = Connection::from(connection);
    migrations::migrate_schema(&mut connection, &path, migrations::MIGRATIONS)?;
    copy_notice::bind_place(&mut connection, folder)?;
    Ok(connection)
}

/// Without a byte written. Where not even the memory that processes share can be made, the file is read without it
/// and without locks.
fn open_for_reading(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let usual =
        rusqlite::Connection::open_with_flags(path, flags).map_err(StoreError::from).and_then(ready_to_read);
    usual.or_else(|_| {
        let connection = rusqlite::Connection::open_with_flags_and_vfs(path, flags, WITHOUT_LOCKS)?;
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
