//! Time and author of a change.

use bordereau_contract::format_timestamp;
use chrono::DateTime;

/// When something happens, and on whose behalf.
#[derive(Clone, Debug)]
pub struct ActorTimestamp {
    /// RFC 3339, UTC.
    pub at: String,
    /// Milliseconds since 1970.
    pub ms: i64,
    /// The person's account on this machine.
    pub by: String,
}

/// `Nov 21, 2026, 10:15 PM UTC`: for the audit log, which has no time zone.
pub fn utc_clock(ms: i64) -> String {
    DateTime::from_timestamp_millis(ms).map(|at| format!("{} UTC", format_timestamp(&at))).unwrap_or_default()
}
