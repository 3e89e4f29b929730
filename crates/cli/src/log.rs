//! The log of commands that run for long.

use bordereau_desk::Desk;
use bordereau_desk::api::BoundaryError;
pub(crate) use bordereau_host::terminal_text::log_line;
use bordereau_host::{DataFolder, DraftWorkLock};

/// Registers a command as working on drafts, and reports removed leftovers of earlier ones.
pub(crate) async fn enter_draft_work(
    data: &DataFolder,
    desk: &Desk,
    only_checks: bool,
) -> Result<DraftWorkLock, BoundaryError> {
    let lock = DraftWorkLock::acquire(data, desk, only_checks).await?;
    if lock.removed > 0 {
        log_line(&format!("Removed unfinished files of {} earlier commands", lock.removed));
    }
    Ok(lock)
}
