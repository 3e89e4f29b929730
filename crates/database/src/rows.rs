//! Rows that a question finds.

use rusqlite::types::ValueRef;

use super::postgres::ColumnValue;
use super::values::{FromValue, Value, ValueKind};
use crate::DatabaseError;

/// One row.
#[derive(Clone, Copy)]
pub enum Row<'r> {
    /// Of a file.
    Sqlite(&'r rusqlite::Row<'r>),
    /// Of an office.
    Office(&'r tokio_postgres::Row),
}

impl<'r> Row<'r> {
    /// The value of a column, from 0.
    pub fn get<T: FromValue>(&self, at: usize) -> Result<T, DatabaseError> {
        T::from_value(self.get_ref(at)?)
    }

    /// The same, borrowed.
    pub fn get_ref(&self, at: usize) -> Result<Value<'r>, DatabaseError> {
        match self {
            Row::Sqlite(row) => Ok(match row.get_ref(at)? {
                ValueRef::Null => Value::Null(ValueKind::Text),
                ValueRef::Integer(number) => Value::Integer(number),
                ValueRef::Text(text) => Value::Text(
                    str::from_utf8(text).map_err(|_| DatabaseError::UnexpectedValue("a text of Unicode"))?,
                ),
                ValueRef::Blob(bytes) => Value::Blob(bytes),
                ValueRef::Real(_) => return Err(DatabaseError::UnexpectedValue("a whole number")),
            }),
            Row::Office(row) => {
                let read: Result<ColumnValue<'r>, _> = row.try_get(at);
                read.map(|column| column.0).map_err(|error| {
                    tracing::warn!(%error, at, "a column could not be read");
                    DatabaseError::UnexpectedValue("of a kind that is stored")
                })
            }
        }
    }
}

macro_rules! tuples {
    ($($($type:ident $at:literal),+;)+) => { $(
        impl<$($type: FromValue),+> TryFrom<&Row<'_>> for ($($type),+) {
            type Error = DatabaseError;

            fn try_from(row: &Row<'_>) -> Result<Self, DatabaseError> {
                Ok(($(row.get::<$type>($at)?),+))
            }
        }
    )+ };
}

tuples! {
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
}

/// The rows of a question, one after another.
pub enum Rows<'s> {
    /// Of a file.
    Sqlite(rusqlite::Rows<'s>),
    /// Of an office: those to come, and the one that is read.
    Office(std::vec::IntoIter<tokio_postgres::Row>, Option<tokio_postgres::Row>),
}

impl Rows<'_> {
    /// The next one; none at the end.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, DatabaseError> {
        match self {
            Rows::Sqlite(rows) => Ok(rows.next()?.map(Row::Sqlite)),
            Rows::Office(rows, current) => {
                *current = rows.next();
                Ok(current.as_ref().map(Row::Office))
            }
        }
    }
}

/// The rows of a question as what is read of each.
pub struct ReadRows<'s, F> {
    pub(super) rows: Rows<'s>,
    pub(super) read: F,
}

impl<T, F: FnMut(&Row<'_>) -> Result<T, DatabaseError>> Iterator for ReadRows<'_, F> {
    type Item = Result<T, DatabaseError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.rows.next_row() {
            Ok(row) => row.map(|row| (self.read)(&row)),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Where there may be no row.
pub trait OptionalRow<T> {
    /// None where there is no row.
    fn optional(self) -> Result<Option<T>, DatabaseError>;
}

impl<T> OptionalRow<T> for Result<T, DatabaseError> {
    fn optional(self) -> Result<Option<T>, DatabaseError> {
        match self {
            Ok(found) => Ok(Some(found)),
            Err(DatabaseError::NoRow) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
