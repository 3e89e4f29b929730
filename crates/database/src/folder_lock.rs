//! One process at a time works on a data folder.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::PathBuf;

use parking_lot::Mutex;

/// Lets one process at a time work on a data folder.
pub struct FolderLock {
    file: PathBuf,
    obstacle: Mutex<Option<ErrorKind>>,
}

impl FolderLock {
    /// The lock of this name in the folder.
    pub fn new(folder: PathBuf, name: &str) -> FolderLock {
        FolderLock { file: folder.join(name), obstacle: Mutex::new(None) }
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
    /// another one has it, and where it cannot be had at all ([`FolderLock::obstacle`]).
    pub fn try_acquire(&self) -> Option<File> {
        let tried = self.open().and_then(|file| match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        });
        *self.obstacle.lock() = tried.as_ref().err().map(std::io::Error::kind);
        tried.inspect_err(|error| tracing::warn!(%error, "the folder cannot be locked")).ok().flatten()
    }

    /// Why the lock could not be had when it was last tried, if it was not another process.
    pub fn obstacle(&self) -> Option<ErrorKind> {
        *self.obstacle.lock()
    }
}
