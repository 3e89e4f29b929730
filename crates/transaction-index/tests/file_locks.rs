//! The system's locks on the files of a data folder that is open.
#![cfg(target_os = "linux")]

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use bordereau_store::data_key::DataKey;
use bordereau_store::seal::new_key;
use bordereau_store::{Store, backup};
use bordereau_transaction_index::TransactionIndex;

/// Whether this process has a lock on the file, as the system says.
fn is_locked(path: &Path) -> bool {
    let (own, file) = (std::process::id(), std::fs::metadata(path).expect("a file").ino());
    let is_its_lock = |line: &str| line.contains(&format!(" {own} ")) && line.contains(&format!(":{file} "));
    std::fs::read_to_string("/proc/locks").expect("a list of locks").lines().any(is_its_lock)
}

/// Where it had none, another process that ends would take itself for the last one and could remove the log in which
/// this one writes.
#[test]
fn a_store_that_is_open_keeps_its_lock_whatever_is_opened_besides() {
    let key = DataKey::new(new_key().unwrap());
    for key in [None, Some(key)] {
        let folder = tempfile::tempdir().unwrap();
        let (path, index_path) = (folder.path().join("desk.sqlite"), folder.path().join("index.sqlite"));
        let store = Store::open_with_key(folder.path(), key).unwrap();
        assert!(is_locked(&path), "the store was opened");
        let _index = TransactionIndex::open(&index_path, store.data_key()).unwrap();
        assert!(is_locked(&index_path), "the index was opened, by three connections");
        backup::write_copy(folder.path(), &folder.path().join("copy"), store.data_key()).unwrap();
        assert!(is_locked(&path), "a backup was made");
    }
}
