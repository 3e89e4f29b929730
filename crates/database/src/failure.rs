//! Why a database did not do what it was to do.

/// Why a database did not do what it was to do.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// SQLite refused.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// A question that has an answer found no row.
    #[error("there is no such row")]
    NoRow,
    /// A value is of another kind than the one that is read; says which.
    #[error("what is stored is not {0}")]
    UnexpectedValue(&'static str),
}
