//! Time and author of a change.

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
