//! What happens, line by line on standard error: for a person at a terminal plain, for the file of a nightly
//! job with the time in front.

use std::io::{IsTerminal, Write};

use bordereau_contract::format_instant;

use bordereau_desk::Desk;
use bordereau_desk::api::BoundaryError;
use bordereau_host::terminal_text::on_one_line;
use bordereau_host::{DataFolder, DraftWorkLock};

/// One line.
pub(crate) fn log_line(text: &str) {
    let text = on_one_line(text);
    let mut error = std::io::stderr();
    let line = if error.is_terminal() {
        format!("{text}\n")
    } else {
        let now = chrono::Utc::now();
        let now = format_instant(chrono::DateTime::from_timestamp(now.timestamp(), 0).unwrap_or(now));
        format!("{now} {text}\n")
    };
    // Standard error may be closed; the job goes on.
    let _ = error.write_all(line.as_bytes());
}

/// Says that a command is at work on drafts, and what of earlier ones was removed.
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
