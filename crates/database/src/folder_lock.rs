//! One process at a time works on a data folder.

use std::fs::{File, TryLockError};
use std::path::PathBuf;

/// Lets one process at a time work on a data folder.
pub struct FolderLock {
    file: PathBuf,
}

impl FolderLock {
    /// The lock of this name in the folder.
    pub fn new(folder: PathBuf, name: &str) -> FolderLock {
        FolderLock { file: folder.join(name) }
    }

    /// Waits for the lock; as [`FolderLock::try_acquire`].
    ///
    /// # Errors
    /// Those of the system; a folder of the network may know no locks.
    pub fn acquire(&self) -> std::io::Result<File> {
        let file = self.open()?;
        file.lock()?;
        Ok(file)
    }

    fn open(&self) -> std::io::Result<File> {
        File::options().create(true).truncate(false).read(true).write(true).open(&self.file)
    }

    /// The lock of the folder; the system frees it when its process ends, kill -9 included. `None` while
    /// another one has it.
    pub fn try_acquire(&self) -> Option<File> {
        let file =
            self.open().inspect_err(|error| tracing::warn!(%error, "the folder cannot be locked")).ok()?;
        match file.try_lock() {
            Ok(()) => Some(file),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, "the folder cannot be locked");
                None
            }
        }
    }
}
