//! One import at a time in a data folder: two nightly runs must not send beside each other.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};

use bordereau_desk::Desk;
use bordereau_host::DataFolder;

use crate::exit::CommandExit;
use crate::log;

/// Held as long as the command runs; the system lets go of it however the process ends.
#[derive(Debug)]
pub(crate) struct CommandLock {
    _file: File,
}

/// Drafts of stopped commands that are kept for the next one with the same file.
const LEFT_BEHIND_MAX: u32 = 10;

/// A command that works on drafts; held as long as it does.
#[derive(Debug)]
pub(crate) struct DraftWorkLock {
    _file: File,
    /// No other one is at work: what is left behind belongs to no one.
    pub(crate) is_alone: bool,
}

/// Says that a command is at work. The first one removes what has long been left behind.
pub(crate) async fn enter_draft_work(
    data: &DataFolder,
    desk: &Desk,
    only_checks: bool,
) -> Result<DraftWorkLock, CommandExit> {
    let path = data.join("commands.lock");
    let failed = |error: std::io::Error| {
        CommandExit::with_failure(format!("{} cannot be locked: {error}", path.display()))
    };
    let open = || File::options().create(true).truncate(false).read(true).write(true).open(&path);
    let file = open().map_err(failed)?;
    desk.work_unattended(only_checks);
    let is_alone = file.try_lock().is_ok();
    if is_alone {
        let removed = desk.remove_abandoned(LEFT_BEHIND_MAX).await?;
        if removed > 0 {
            log::log_line(&format!("Removed unfinished files of {removed} earlier commands"));
        }
    }
    // Closed, not unlocked: Wine answers the second `UnlockFile` that the standard library makes otherwise than Windows.
    drop(file);
    let file = open().map_err(failed)?;
    // Waits at most for another one's removal.
    file.lock_shared().map_err(failed)?;
    Ok(DraftWorkLock { _file: file, is_alone })
}

/// Takes the lock, or says who has it.
pub(crate) fn acquire_lock(data: &DataFolder) -> Result<CommandLock, CommandExit> {
    let path = data.join("import.lock");
    let failed = |error: &dyn std::fmt::Display| {
        CommandExit::with_failure(format!("{} cannot be locked: {error}", path.display()))
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
                format!("another import{who} is running in {}; this one did nothing", data.path().display());
            return Err(CommandExit::with_failure(sentence));
        }
        Err(TryLockError::Error(error)) => return Err(failed(&error)),
    }
    let kept = file.set_len(0).and_then(|()| file.rewind());
    // Only for the sentence above: the lock holds without it.
    let _ = kept.and_then(|()| writeln!(file, "{}", std::process::id()));
    Ok(CommandLock { _file: file })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_one_is_told_who_has_it_and_the_third_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::find(Some(folder.path().to_owned())).unwrap();
        let first = acquire_lock(&data).unwrap();
        let ending = format!("{:?}", acquire_lock(&data).unwrap_err());
        assert!(ending.contains(&format!("process {}", std::process::id())), "{ending}");
        drop(first);
        assert!(acquire_lock(&data).is_ok());
    }
}
