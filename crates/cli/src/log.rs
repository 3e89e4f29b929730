//! Logs to standard error line by line: plain for a person at a terminal, with the time in front for a nightly job's
//! file.

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
    // Standard error may be closed; the job continues.
    let _ = error.write_all(line.as_bytes());
}

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
