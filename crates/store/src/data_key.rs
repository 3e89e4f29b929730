//! The key of a data folder, and what is derived from it: a key for pages of databases, a key for files, and the
//! name by which an encrypted file says which key opens it.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use ring::hmac;
use rusqlite::{Connection, OpenFlags};
use zeroize::Zeroizing;

use crate::StoreError;
use crate::seal::{KEY_BYTES, SealKey};

/// Purposes that keys are derived for. Final: what was encrypted is opened with the same.
const FOR_PAGES: &[u8] = b"Bordereau pages 1";
const FOR_FILES: &[u8] = b"Bordereau files 1";
const FOR_NAME: &[u8] = b"Bordereau key name 1";
const NAME_BYTES: usize = 16;

/// What a database that is not encrypted begins with.
const PLAIN_HEAD: &[u8; NAME_BYTES] = b"SQLite format 3\0";
/// What the cipher leaves as it is of the head, behind the size of a page and whether there is a log: of each page 64
/// bytes are the cipher's.
const CIPHER_HEAD: [u8; 4] = [64, 64, 32, 32];
const PAGE_SIZES: std::ops::RangeInclusive<u16> = 1_024..=32_768;

/// The key of a data folder, wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct DataKey(SealKey);

impl fmt::Debug for DataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DataKey({})", self.key_name())
    }
}

/// Which key opens a file. Says nothing about the key itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyName([u8; NAME_BYTES]);

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// How a database lies on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileForm {
    /// There is none, or nothing in it.
    Absent,
    /// Not encrypted.
    Plain,
    /// Encrypted with the key of this name.
    Encrypted(KeyName),
}

impl DataKey {
    /// Of these bytes.
    pub fn new(key: SealKey) -> DataKey {
        DataKey(key)
    }

    /// What backups are sealed with.
    pub fn seal_key(&self) -> &SealKey {
        &self.0
    }

    /// The name by which files say that this key opens them.
    pub fn key_name(&self) -> KeyName {
        let derived = self.derive(FOR_NAME);
        KeyName(std::array::from_fn(|at| derived.get(at).copied().unwrap_or_default()))
    }

    /// What files beside the database are sealed with.
    pub fn file_key(&self) -> SealKey {
        self.derive(FOR_FILES)
    }

    /// What SQLite takes: the key of the pages, and the name of this key for the head of the file.
    fn page_key(&self) -> Zeroizing<String> {
        let key = self.derive(FOR_PAGES);
        let mut text = Zeroizing::new(String::with_capacity(4 + 2 * (KEY_BYTES + NAME_BYTES)));
        text.push_str("raw:");
        for byte in key.iter().chain(&self.key_name().0) {
            for digit in [byte >> 4, byte & 15] {
                text.extend(char::from_digit(u32::from(digit), 16));
            }
        }
        text
    }

    /// HMAC-SHA256 of the purpose: the key is random, so what comes out is as good as random, and says nothing of it.
    fn derive(&self, purpose: &[u8]) -> SealKey {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, self.0.as_slice()), purpose);
        let mut key = SealKey::new([0; KEY_BYTES]);
        key.iter_mut().zip(tag.as_ref()).for_each(|(byte, derived)| *byte = *derived);
        key
    }
}

/// How a database lies on the disk, by its head.
pub fn file_form(path: &Path) -> io::Result<FileForm> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FileForm::Absent),
        opened => opened?,
    };
    let mut head = Vec::new();
    file.by_ref().take(24).read_to_end(&mut head)?;
    let Some((name, rest)) = head.split_first_chunk::<NAME_BYTES>() else {
        return Ok(if head.is_empty() { FileForm::Absent } else { FileForm::Plain });
    };
    let is_page = rest.first_chunk().is_some_and(|size| {
        let size = u16::from_be_bytes(*size);
        PAGE_SIZES.contains(&size) && size.is_power_of_two()
    });
    let is_encrypted = name != PLAIN_HEAD && is_page && rest.get(4..).is_some_and(|rest| rest == CIPHER_HEAD);
    Ok(if is_encrypted { FileForm::Encrypted(KeyName(*name)) } else { FileForm::Plain })
}

/// Whether the key opens a database in this form; none where it has none and needs none.
pub fn fitting_key(form: FileForm, key: Option<&DataKey>) -> Result<Option<&DataKey>, StoreError> {
    match (form, key) {
        (FileForm::Plain, _) => Ok(None),
        (FileForm::Absent, key) => Ok(key),
        (FileForm::Encrypted(name), Some(key)) if key.key_name() == name => Ok(Some(key)),
        (FileForm::Encrypted(_), Some(_)) => Err(StoreError::WrongKey),
        (FileForm::Encrypted(_), None) => Err(StoreError::NoKey),
    }
}

/// Opens a database, with the key where it is encrypted, and as a new one with the key where there is one.
pub(crate) fn open_database(path: &Path, key: Option<&DataKey>) -> Result<Connection, StoreError> {
    let key = fitting_key(file_form(path).map_err(StoreError::Folder)?, key)?;
    with_key(Connection::open(path)?, key)
}

/// The same with flags of SQLite, and where it is not the usual one, its way to files.
pub(crate) fn open_database_as(
    path: &Path,
    key: Option<&DataKey>,
    flags: OpenFlags,
    vfs: Option<&str>,
) -> Result<Connection, StoreError> {
    let key = fitting_key(file_form(path).map_err(StoreError::Folder)?, key)?;
    let connection = match vfs {
        Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs)?,
        None => Connection::open_with_flags(path, flags)?,
    };
    with_key(connection, key)
}

fn with_key(connection: Connection, key: Option<&DataKey>) -> Result<Connection, StoreError> {
    if let Some(key) = key {
        connection.pragma_update(None, "key", key.page_key().as_str())?;
    }
    Ok(connection)
}

/// Writes everything that is in a database into a new file, encrypted with this key, or not.
pub(crate) fn write_database(
    connection: &Connection,
    to: &Path,
    key: Option<&DataKey>,
) -> Result<(), StoreError> {
    let key = key.map(DataKey::page_key).unwrap_or_default();
    let address = Zeroizing::new(format!("{}?key={}", file_address(to), key.as_str()));
    connection.execute("VACUUM INTO ?1", [address.as_str()])?;
    crate::make_private_file(to)
}

/// The path as SQLite's address of a file: with a slash before a drive, and with every character that could be taken
/// for something else in hexadecimal.
fn file_address(path: &Path) -> String {
    let path = path.to_string_lossy();
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() };
    let slash = if path.starts_with('/') || !cfg!(windows) { "" } else { "/" };
    let mut address = format!("file:{slash}");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b':' => {
                address.push(char::from(byte));
            }
            other => address.push_str(&format!("%{other:02x}")),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::new_key;

    #[test]
    fn a_key_has_a_name_and_keys_that_differ() {
        let key = DataKey::new(SealKey::new(std::array::from_fn(|at| at as u8)));
        // Final: files that were encrypted with them are opened with them.
        assert_eq!(key.key_name().to_string(), "ef430fb3278ee08c3d9f8e0f2724ac44");
        assert_eq!(&key.page_key()[..20], "raw:a4d6dd02e68bd263");
        assert_ne!(key.file_key(), *key.seal_key());
        assert!(!format!("{key:?}").contains("00010203"));
    }

    #[test]
    fn a_file_says_which_key_opens_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b%?#ä.sqlite");
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
            let path = folder.path().join(name);
            write_database(&made, &path, to).unwrap();
            let read = |key| -> String {
                open_database(&path, key).unwrap().query_row("SELECT x FROM a", [], |row| row.get(0)).unwrap()
            };
            assert_eq!(read(to), "Example Diner");
            file_form(&path).unwrap()
        };
        assert_eq!(copy("plain ?key=1.sqlite", None), FileForm::Plain);
        assert_eq!(copy("other.sqlite", Some(&other)), FileForm::Encrypted(other.key_name()));
        for entry in std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap()) {
            let is_open = entry.file_name().to_string_lossy().starts_with("plain");
            let bytes = std::fs::read(entry.path()).unwrap();
            assert_eq!(bytes.windows(13).any(|part| part == b"Example Diner"), is_open, "{entry:?}");
        }
    }
}
