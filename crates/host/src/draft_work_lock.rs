//! Lets commands work on drafts at the same time.

use std::fs::File;

use bordereau_desk::Desk;
use bordereau_desk::api::{BoundaryError, ErrorCode};

use crate::DataFolder;

/// Drafts of stopped commands kept for the next command with the same file.
const LEFT_BEHIND_MAX: u32 = 10;

/// Held by a command while it works on drafts.
#[derive(Debug)]
pub struct DraftWorkLock {
    _file: File,
    /// No other command is working: leftover drafts belong to no one.
    pub is_alone: bool,
    /// Unfinished files of earlier commands that were removed.
    pub removed: usize,
}

impl DraftWorkLock {
    /// Registers a command as working. The first one removes old leftovers.
    ///
    /// # Errors
    /// [`ErrorCode::Storage`] where the folder can't be written.
    pub async fn acquire(
        data: &DataFolder,
        desk: &Desk,
        only_checks: bool,
    ) -> Result<DraftWorkLock, BoundaryError> {
        let path = data.join("commands.lock");
        let failed = |error: std::io::Error| {
            let message = format!("{} cannot be locked: {error}.", path.display());
            BoundaryError::with_code(ErrorCode::Storage, message)
        };
        let open = || File::options().create(true).truncate(false).read(true).write(true).open(&path);
        let file = open().map_err(failed)?;
        desk.work_unattended(only_checks);
        let is_alone = file.try_lock().is_ok();
        let removed = if is_alone { desk.remove_abandoned(LEFT_BEHIND_MAX).await? } else { 0 };
        // Closed, not unlocked: Wine answers the standard library's second `UnlockFile` differently from Windows.
        drop(file);
        let file = open().map_err(failed)?;
        // Waits at most until another command has removed its leftovers.
        file.lock_shared().map_err(failed)?;
        Ok(DraftWorkLock { _file: file, is_alone, removed })
    }
}
