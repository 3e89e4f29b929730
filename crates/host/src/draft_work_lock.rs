//! Commands that work on drafts beside each other.

use std::fs::File;

use bordereau_desk::Desk;
use bordereau_desk::api::{BoundaryError, ErrorCode};

use crate::DataFolder;

/// Drafts of stopped commands that are kept for the next one with the same file.
const LEFT_BEHIND_MAX: u32 = 10;

/// A command that works on drafts; held as long as it does.
#[derive(Debug)]
pub struct DraftWorkLock {
    _file: File,
    /// No other one is at work: what is left behind belongs to no one.
    pub is_alone: bool,
    /// Unfinished files of earlier commands that were removed.
    pub removed: usize,
}

impl DraftWorkLock {
    /// Says that a command is at work. The first one removes what has long been left behind.
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
        // Closed, not unlocked: Wine answers the second `UnlockFile` that the standard library makes otherwise than Windows.
        drop(file);
        let file = open().map_err(failed)?;
        // Waits at most for another one's removal.
        file.lock_shared().map_err(failed)?;
        Ok(DraftWorkLock { _file: file, is_alone, removed })
    }
}
