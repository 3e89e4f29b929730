//! One import at a time in a data folder: two nightly runs must not send beside each other.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};

use bordereau_host::DataFolder;

use crate::ending::Ending;

/// Held as long as the command runs; the system lets go of it however the process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Takes the lock, or says who has it.
pub(crate) fn take(data: &DataFolder) -> Result<Lock, Ending> {
    let path = data.join("import.lock");
    let failed = |error: &dyn std::fmt::Display| {
        Ending::failed(format!("{} cannot be locked: {error}", path.display()))
    };
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
            // On some systems a locked file cannot be read; the sentence does without then.
            let _ = file.take(64).read_to_string(&mut holder);
            let holder = holder.trim();
            let who = if holder.is_empty() { String::new() } else { format!(" (process {holder})") };
            let sentence =
                format!("another import{who} is at work in {}; this one did nothing", data.path().display());
            return Err(Ending::failed(sentence));
        }
        Err(TryLockError::Error(error)) => return Err(failed(&error)),
    }
    let kept = file.set_len(0).and_then(|()| file.rewind());
    // Only for the sentence above: the lock holds without it.
    let _ = kept.and_then(|()| writeln!(file, "{}", std::process::id()));
    Ok(Lock { _file: file })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_one_is_told_who_has_it_and_the_third_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::find(Some(folder.path().to_owned())).unwrap();
        let first = take(&data).unwrap();
        let ending = format!("{:?}", take(&data).unwrap_err());
        assert!(ending.contains(&format!("process {}", std::process::id())), "{ending}");
        drop(first);
        assert!(take(&data).is_ok());
    }
}
