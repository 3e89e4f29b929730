//! When something happens.

/// When something happens, and in whose name.
#[derive(Clone, Debug)]
pub struct Moment {
    /// RFC 3339, UTC.
    pub at: String,
    /// Milliseconds since 1970.
    pub ms: i64,
    /// The person's account on this machine.
    pub by: String,
}
