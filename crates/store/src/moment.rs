//! When something happens.

use chrono::DateTime;

/// When something happens, and in whose name.
#[derive(Clone, Debug)]
pub struct ActorTimestamp {
    /// RFC 3339, UTC.
    pub at: String,
    /// Milliseconds since 1970.
    pub ms: i64,
    /// The person's account on this machine.
    pub by: String,
}

/// `2026-11-21 22:15 UTC`.
pub fn utc_clock(ms: i64) -> String {
    DateTime::from_timestamp_millis(ms)
        .map(|at| at.format("%Y-%m-%d %H:%M UTC").to_string())
        .unwrap_or_default()
}
