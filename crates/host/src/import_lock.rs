//! Allows one import at a time in a data folder: two nightly runs must not send at the same time.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};

use crate::DataFolder;

/// Held while the command runs; the system releases it however the process ends.
#[derive(Debug)]
pub struct ImportLock {
    _file: File,
}

impl ImportLock {
    /// Takes the lock, or says who has it.
    ///
    /// # Errors
    /// A sentence for the person at the command line.
    pub fn acquire(data: &DataFolder) -> Result<ImportLock, String> {
        let path = data.join("import.lock");
        let failed = |error: &dyn std::fmt::Display| format!("{} cannot be locked: {error}", path.display());
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|error| failed(&error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Some systems can't read a locked file; then the sentence has no process number.
                let _ = file.take(64).read_to_string(&mut holder);
                let holder = holder.trim();
                let who = if holder.is_empty() { String::new() } else { format!(" (process {holder})") };
                return Err(format!(
                    "another import{who} is running in {}; this one did nothing",
                    data.path().display()
                ));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&error)),
        }
        let kept = file.set_len(0).and_then(|()| file.rewind());
        // Only for the sentence above: the lock works without it.
        let _ = kept.and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(ImportLock { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_one_is_told_who_has_it_and_the_third_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::find(Some(folder.path().to_owned())).unwrap();
        let first = ImportLock::acquire(&data).unwrap();
        let why = ImportLock::acquire(&data).unwrap_err();
        assert!(why.contains(&format!("process {}", std::process::id())), "{why}");
        drop(first);
        assert!(ImportLock::acquire(&data).is_ok());
    }
}
