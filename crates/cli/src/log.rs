//! What happens, line by line on standard error: for a person at a terminal plain, for the file of a nightly
//! job with the time in front.

use std::io::{IsTerminal, Write};

use bordereau_contract::format_instant;

use bordereau_host::terminal_text::on_one_line;

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
