//! Opens databases of a data folder with its key if they are encrypted, and copies them to files with another key.

use std::path::Path;

use bordereau_database::file_address;
use bordereau_sealing::data_key::{DataKey, FileForm, file_form};
use rusqlite::{Connection, OpenFlags};
use zeroize::Zeroizing;

use crate::StoreError;

/// The key for a database in this form; `None` where it isn't encrypted.
pub fn fitting_key(form: FileForm, key: Option<&DataKey>) -> Result<Option<&DataKey>, StoreError> {
    match (form, key) {
        (FileForm::Plain, _) => Ok(None),
        (FileForm::Absent, key) => Ok(key),
        (FileForm::Encrypted(name), Some(key)) if key.key_name() == name => Ok(Some(key)),
        (FileForm::Encrypted(_), Some(_)) => Err(StoreError::WrongKey),
        (FileForm::Encrypted(_), None) => Err(StoreError::NoKey),
    }
}

/// Opens a database, with the key if it is encrypted; a new one gets the key, if any.
pub(crate) fn open_database(path: &Path, key: Option<&DataKey>) -> Result<Connection, StoreError> {
    open_again(path, fitting_key(file_form(path)?, key)?)
}

/// The same with SQLite's flags and, if not the usual one, its VFS.
pub(crate) fn open_database_as(
    path: &Path,
    key: Option<&DataKey>,
    flags: OpenFlags,
    vfs: Option<&str>,
) -> Result<Connection, StoreError> {
    let key = fitting_key(file_form(path)?, key)?;
    let connection = match vfs {
        Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs)?,
        None => Connection::open_with_flags(path, flags)?,
    };
    with_key(connection, key)
}

/// Opens a database that no process can change, for reading and without locks or a log.
pub(crate) fn open_unchanging(path: &Path, key: Option<&DataKey>) -> Result<Connection, StoreError> {
    let key = fitting_key(file_form(path)?, key)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    with_key(Connection::open_with_flags(format!("{}?immutable=1", file_address(path)), flags)?, key)
}

/// Opens a database, with the key if it is encrypted: another connection where this process has it open. Its header
/// isn't read (see [`file_form`]).
pub fn open_again(path: &Path, key: Option<&DataKey>) -> Result<Connection, StoreError> {
    with_key(Connection::open(path)?, key)
}

fn with_key(connection: Connection, key: Option<&DataKey>) -> Result<Connection, StoreError> {
    if let Some(key) = key {
        connection.pragma_update(None, "key", key.page_key().as_str())?;
    }
    Ok(connection)
}

/// Writes a whole database into a new file, encrypted with this key if there is one.
pub(crate) fn write_database(
    connection: &Connection,
    to: &Path,
    key: Option<&DataKey>,
) -> Result<(), StoreError> {
    let key = key.map(DataKey::page_key).unwrap_or_default();
    let address = Zeroizing::new(format!("{}?key={}", file_address(to), key.as_str()));
    connection.execute("VACUUM INTO ?1", [address.as_str()])?;
    Ok(crate::make_private_file(to)?)
}

/// Empties the log of the file, which has the overwritten content; another process may be using it.
pub fn empty_log(connection: &Connection) -> Result<(), StoreError> {
    let held: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if held != 0 {
        tracing::info!("the log is emptied later");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::new_key;

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_and_never_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("desk.sqlite");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = crate::Store::open(folder.path()).map(drop).unwrap_err();
        assert!(error.to_string().contains("a device or a pipe"), "{error}");
    }

    #[test]
    fn a_file_says_which_key_opens_it() {
        let folder = tempfile::tempdir().unwrap();
        // A question mark means something in an address, and is in no name on Windows.
        let named =
            |name: &str| folder.path().join(if cfg!(windows) { name.replace('?', "") } else { name.into() });
        let path = named("a b%?#ä.sqlite");
        assert_eq!(file_form(&path).unwrap(), FileForm::Absent);
        let (key, other) = (DataKey::new(new_key().unwrap()), DataKey::new(new_key().unwrap()));
        let made = open_database(&path, Some(&key)).unwrap();
        made.execute_batch(
            "PRAGMA journal_mode=WAL; CREATE TABLE a (x TEXT); INSERT INTO a VALUES ('Example Diner')",
        )
        .unwrap();
        assert_eq!(file_form(&path).unwrap(), FileForm::Encrypted(key.key_name()));
        assert!(matches!(open_database(&path, None), Err(StoreError::NoKey)));
        assert!(matches!(open_database(&path, Some(&other)), Err(StoreError::WrongKey)));

        let copy = |name: &str, to: Option<&DataKey>| {
            let path = named(name);
            write_database(&made, &path, to).unwrap();
            let read = |key| -> String {
                open_database(&path, key).unwrap().query_row("SELECT x FROM a", [], |row| row.get(0)).unwrap()
            };
            assert_eq!(read(to), "Example Diner");
            file_form(&path).unwrap()
        };
        assert_eq!(copy("plain ?key=1.sqlite", None), FileForm::Plain);
        assert_eq!(copy("other.sqlite", Some(&other)), FileForm::Encrypted(other.key_name()));
        // As on a disk that nobody can write: no log is made beside it.
        drop(made);
        let log = folder.path().join(format!("{}-wal", path.file_name().unwrap().to_string_lossy()));
        let read = open_unchanging(&path, Some(&key)).unwrap();
        let found: String = read.query_row("SELECT x FROM a", [], |row| row.get(0)).unwrap();
        assert!(found == "Example Diner" && !log.exists(), "{found}");
        for entry in std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap()) {
            let is_open = entry.file_name().to_string_lossy().starts_with("plain");
            let bytes = std::fs::read(entry.path()).unwrap();
            assert_eq!(bytes.windows(13).any(|part| part == b"Example Diner"), is_open, "{entry:?}");
        }
    }
}
