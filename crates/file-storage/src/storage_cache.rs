//! The places of an office's files, each opened when it is first needed.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::{FileStorage, FileStorageError, OfficeFiles};

/// What knows this computer's key for them, `ID:SECRET`; asked only once it is needed.
pub type KeySource = Box<dyn Fn() -> String + Send + Sync>;

/// The places of an office's files by their numbers, and this computer's key for them.
pub struct StorageCache {
    key: Mutex<KeySource>,
    opened: Mutex<HashMap<i64, Arc<FileStorage>>>,
}

/// Without its key.
impl fmt::Debug for StorageCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StorageCache").finish_non_exhaustive()
    }
}

impl StorageCache {
    /// With this key, `ID:SECRET`; empty for none.
    #[must_use]
    pub fn with_key(key: &str) -> StorageCache {
        let key = key.to_owned();
        StorageCache { key: Mutex::new(Box::new(move || key.clone())), opened: Mutex::default() }
    }

    /// From now on the key is asked for there.
    pub fn ask_key_of(&self, source: KeySource) {
        *self.key.lock() = source;
        self.forget_key();
    }

    /// The key is another one now.
    pub fn forget_key(&self) {
        self.opened.lock().clear();
    }

    /// The place of this number, which always means the same one.
    ///
    /// # Errors
    /// As [`FileStorage::open`].
    pub fn open(&self, number: i64, files: &OfficeFiles) -> Result<Arc<FileStorage>, FileStorageError> {
        if let Some(storage) = self.opened.lock().get(&number) {
            return Ok(Arc::clone(storage));
        }
        let key = if files.place.needs_key() { self.key.lock()() } else { String::new() };
        let storage = Arc::new(FileStorage::open(files, &key)?);
        self.opened.lock().insert(number, Arc::clone(&storage));
        Ok(storage)
    }
}
