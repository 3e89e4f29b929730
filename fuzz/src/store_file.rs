//! The data file. The input is a list of changes to a whole one, so that it stays small.

use std::fs;
use std::sync::LazyLock;

use bordereau_api::Profile;
use bordereau_store::profiles::{list_profiles, store_profile};
use bordereau_store::{Connection, Store, StoreError, audit, health};

const FILE: &str = "desk.sqlite";

/// The file of a store with a few entries.
static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| make_file().expect("a store can be made"));

fn make_file() -> Result<Vec<u8>, StoreError> {
    let folder = tempfile::tempdir().map_err(StoreError::Folder)?;
    drop(Store::open(folder.path())?);
    let path = folder.path().join(FILE);
    let mut connection = Connection::open(&path)?;
    for at in 0..20 {
        audit::append_entry(&connection, "2026-02-23T10:00:00Z", "a person", &format!("entry {at}"))?;
        store_profile(&mut connection, Profile { name: format!("Office {at}"), ..Profile::default() })?;
    }
    // The last one that closes it writes everything into the file.
    drop(connection);
    fs::read(path).map_err(StoreError::Folder)
}

/// Four bytes of place and length, then as many bytes to put there, again and again. What is opened can be read or
/// is refused.
pub fn check_store(changes: &[u8]) {
    let mut bytes = WHOLE.clone();
    let mut rest = changes;
    while let [a, b, c, length, behind @ ..] = rest {
        let place = usize::from(*a) << 16 | usize::from(*b) << 8 | usize::from(*c);
        let (put, next) = behind.split_at(usize::from(*length).min(behind.len()));
        let end = bytes.len();
        for (byte, new) in bytes.iter_mut().skip(place % end).zip(put) {
            *byte = *new;
        }
        rest = next;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(FILE), bytes).expect("a file");
    // What is refused is refused with words.
    let opened = Store::open(folder.path());
    let said = opened.and_then(|store| read_all(&store)).err().map(|error| error.to_string());
    assert!(said.is_none_or(|said| !said.is_empty()));
}

fn read_all(store: &Store) -> Result<(), StoreError> {
    let connection = Connection::open(store.folder().join(FILE))?;
    list_profiles(&connection)?;
    audit::list_entries(&connection)?;
    health::full_check(&connection)
}
