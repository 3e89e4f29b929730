//! Why a database did not do what it was to do.

use crate::{OfficeError, OfficeObstacle};

/// Why a database did not do what it was to do.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// SQLite refused.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// The database of an office refused, or can't be reached.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// The schema is of another version than the one expected.
    #[error("the schema is of version {found}, and {expected} is expected")]
    OtherVersion {
        /// Its version.
        found: i64,
        /// The one that this program knows.
        expected: i64,
    },
    /// A question that has an answer found no row.
    #[error("there is no such row")]
    NoRow,
    /// A value is of another kind than the one that is read; says which.
    #[error("what is stored is not {0}")]
    UnexpectedValue(&'static str),
}

impl DatabaseError {
    /// Whether an office's database can't be reached or is busy, which a moment may change.
    pub const fn is_waiting(&self) -> bool {
        let DatabaseError::Office(error) = self else { return false };
        matches!(error.obstacle, OfficeObstacle::Unreachable | OfficeObstacle::Busy)
    }
}
