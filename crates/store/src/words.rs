//! Words of the API as they stand in the store: the same that cross to the UI.

use std::error::Error;
use std::str::FromStr;

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

/// A value of an enumeration as its word.
#[derive(Clone, Copy, Debug)]
pub struct Word<T>(pub T);

impl<T: Copy + Into<&'static str>> ToSql for Word<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let word: &'static str = self.0.into();
        Ok(ToSqlOutput::from(word))
    }
}

impl<T: FromStr<Err: Error + Send + Sync + 'static>> FromSql for Word<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map(Word).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}
