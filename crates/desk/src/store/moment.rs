//! When something happens.

/// When something happens, and in whose name.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// RFC 3339, UTC.
    pub(crate) at: String,
    /// Milliseconds since 1970.
    pub(crate) ms: i64,
    pub(crate) by: String,
}
