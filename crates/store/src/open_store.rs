//! Opens the data file: for writing, or if that isn't possible, read-only.

use std::fs::File;
use std::path::Path;

use bordereau_database::{Connection, DatabaseError};
use bordereau_sealing::private_files::numbered_files;
use rusqlite::{ErrorCode, OpenFlags};

use crate::data_key::DataKey;
use crate::open_database::{open_database, open_database_as, open_unchanging};
use crate::{BUSY_WITHIN, FILE, StoreError, WriteObstacle, make_private_file};
use crate::{backup, copy_notice, encryption, health, migrations, place};

/// SQLite's VFS without the system's locks, for reading where no lock can be taken; with its cipher.
const WITHOUT_LOCKS: &str =
    if cfg!(windows) { "multipleciphers-win32-none" } else { "multipleciphers-unix-none" };
const READ_ONLY: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Held by every process that has the store open: a backup replaces it while no one has.
const IN_USE: &str = "store.lock";

const BACKUPS: &str = "backups";

/// Does what must wait until no one else has the store open: replaces it by a staged backup, encrypts or decrypts
/// the folder, removes opened documents. Then locks the store for use; also returns why a requested encryption or
/// decryption failed.
pub(crate) fn hold_folder(folder: &Path, key: Option<&DataKey>) -> (Option<File>, Option<StoreError>) {
    let opened =
        File::options().create(true).truncate(false).read(true).write(true).open(folder.join(IN_USE));
    let Ok(lock) = opened else { return (None, None) };
    let mut failure = None;
    if lock.try_lock().is_ok() {
        if backup::is_staged(folder)
            && let Err(error) = backup::put_in_place(folder)
        {
            tracing::warn!(%error, "a backup could not be put in place");
        }
        let carried_out = encryption::carry_out_requested(folder, key);
        let warn = |error: &StoreError| tracing::warn!(%error, "encrypting the data folder, or decrypting it, failed");
        failure = carried_out.inspect_err(warn).err();
        remove_plain_files(folder);
        let _ = lock.unlock();
    }
    let held = lock.lock_shared().is_ok();
    (held.then_some(lock), failure)
}

/// Removes files that are unencrypted only for a moment: opened documents, and what a process that ended left of a
/// backup that it was about to seal or had opened, or of a copy before a migration.
fn remove_plain_files(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder.join("opened"));
    for (folder, part) in
        [(&folder.join(BACKUPS), backup::UNFINISHED), (&folder.to_owned(), "desk.sqlite.copy-")]
    {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().contains(part) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// The connection, and why it is read-only if it is.
pub(crate) fn open_connection(
    folder: &Path,
    key: Option<&DataKey>,
) -> Result<(Connection, Option<WriteObstacle>), StoreError> {
    let path = folder.join(FILE);
    // It had content; where there is no file, one is made.
    let has_sent = || !numbered_files::<i64>(folder, place::WITNESS).is_empty();
    if std::fs::metadata(&path).is_ok_and(|file| file.len() == 0) && has_sent() {
        return Err(StoreError::CutOff);
    }
    let error = match open_for_writing(folder, key) {
        Ok(connection) => return Ok((connection, None)),
        Err(error) => error,
    };
    let Some(obstacle) = find_obstacle(&error) else {
        let is_cut = health::is_damage(&error) && is_cut_off(&path, key);
        return Err(if is_cut { StoreError::CutOff } else { error });
    };
    tracing::warn!(%error, "the store is opened for reading only");
    let read = read_unwritable(&path, key, &error, ready_to_read);
    read.map(|connection| (connection, Some(obstacle))).map_err(|_| error)
}

/// Opens a database that could not be opened for writing, for reading: without writing a byte. If not even the shared
/// memory can be created, the file is read without it and without locks; on a disk that nobody can write, also without
/// a log, which SQLite would want to make where there is none.
pub fn read_unwritable<T>(
    path: &Path,
    key: Option<&DataKey>,
    error: &StoreError,
    ready: impl Fn(rusqlite::Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let read = open_database_as(path, key, READ_ONLY, None).and_then(&ready).or_else(|_| {
        let connection = open_database_as(path, key, READ_ONLY, Some(WITHOUT_LOCKS))?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        ready(connection)
    });
    let is_unchanging = error.write_obstacle() == Some(WriteObstacle::ReadOnly)
        && std::fs::metadata(path.with_extension("sqlite-wal")).map_or(true, |log| log.len() == 0);
    if is_unchanging { read.or_else(|_| ready(open_unchanging(path, key)?)) } else { read }
}

/// Whether the file is shorter than its header says: SQLite then refuses every statement, or ignores it if told to.
fn is_cut_off(path: &Path, key: Option<&DataKey>) -> bool {
    let is_readable = |overlooked: bool| -> Result<i64, StoreError> {
        let connection = open_database_as(path, key, READ_ONLY, None)?;
        connection.pragma_update(None, "writable_schema", overlooked)?;
        Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
    };
    is_readable(false).is_err() && is_readable(true).is_ok()
}

/// Why a database that can't be opened for writing may still be read; `None` for any other error.
pub fn find_obstacle(error: &StoreError) -> Option<WriteObstacle> {
    let is_permission = match error {
        StoreError::Folder(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
        StoreError::Database(DatabaseError::Sqlite(error)) => {
            matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied))
        }
        _ => false,
    };
    error.write_obstacle().or(is_permission.then_some(WriteObstacle::ReadOnly))
}

fn open_for_writing(folder: &Path, key: Option<&DataKey>) -> Result<Connection, StoreError> {
    let path = folder.join(FILE);
    let connection = open_database(&path, key)?;
    make_private_file(&path)?;
    connection.busy_timeout(BUSY_WITHIN)?;
    // On macOS a plain sync ends in the disk's cache; elsewhere these change nothing. Set before the first write: a
    // log beside a data file whose first page was lost would be ignored.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    // WAL lets the window read while the command line writes; FULL would only add a sync per commit.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Overwrite what is deleted: insureds' names don't remain in free pages.
    connection.pragma_update(None, "secure_delete", true)?;
    let mut connection = Connection::from(connection);
    migrations::migrate_schema(&mut connection, &path, migrations::MIGRATIONS)?;
    copy_notice::bind_place(&mut connection, folder)?;
    Ok(connection)
}

fn ready_to_read(connection: rusqlite::Connection) -> Result<Connection, StoreError> {
    connection.busy_timeout(BUSY_WITHIN)?;
    let connection = Connection::from(connection);
    migrations::ensure_current(&connection)?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_data_file_that_was_emptied_is_told_and_a_new_one_is_made_where_there_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(crate::FILE);
        std::fs::write(&path, "").unwrap();
        drop(crate::Store::open(folder.path()).unwrap());
        std::fs::write(folder.path().join("desk.sends-000000000001"), "").unwrap();
        drop(crate::Store::open(folder.path()).unwrap());
        std::fs::write(&path, "").unwrap();
        let emptied = crate::Store::open(folder.path()).map(drop);
        assert!(matches!(emptied, Err(crate::StoreError::CutOff)), "{emptied:?}");
        std::fs::remove_file(&path).unwrap();
        drop(crate::Store::open(folder.path()).unwrap());
    }

    #[test]
    fn what_a_process_that_ended_left_of_a_copy_goes_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let left =
            ["desk.sqlite.copy-17", "desk.sqlite.copy-17-journal"].map(|name| folder.path().join(name));
        let done = folder.path().join("desk.sqlite.before-2");
        left.iter().chain([&done]).for_each(|path| std::fs::write(path, "in clear").unwrap());
        let first = crate::Store::open(folder.path()).unwrap();
        assert!(left.iter().all(|path| !path.exists()) && done.exists());
        // Another process may be making one while the store is in use.
        std::fs::write(&left[0], "").unwrap();
        drop(crate::Store::open(folder.path()).unwrap());
        assert!(left[0].exists());
        drop(first);
    }
}
