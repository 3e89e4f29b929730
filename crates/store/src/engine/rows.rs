//! Rows that a question finds.

use rusqlite::types::ValueRef;

use super::postgres::ColumnValue;
use super::values::{FromValue, Value, ValueKind};
use crate::StoreError;

/// One row.
#[derive(Clone, Copy)]
pub(crate) enum Row<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Office(&'r tokio_postgres::Row),
}

impl<'r> Row<'r> {
    /// The value of a column, from 0.
    pub(crate) fn get<T: FromValue>(&self, at: usize) -> Result<T, StoreError> {
        T::from_value(self.get_ref(at)?)
    }

    /// The same, borrowed.
    pub(crate) fn get_ref(&self, at: usize) -> Result<Value<'r>, StoreError> {
        match self {
            Row::Sqlite(row) => Ok(match row.get_ref(at)? {
                ValueRef::Null => Value::Null(ValueKind::Text),
                ValueRef::Integer(number) => Value::Integer(number),
                ValueRef::Text(text) => Value::Text(
                    str::from_utf8(text).map_err(|_| StoreError::UnexpectedValue("a text of Unicode"))?,
                ),
                ValueRef::Blob(bytes) => Value::Blob(bytes),
                ValueRef::Real(_) => return Err(StoreError::UnexpectedValue("a whole number")),
            }),
            Row::Office(row) => {
                let read: Result<ColumnValue<'r>, _> = row.try_get(at);
                read.map(|column| column.0).map_err(|error| {
                    tracing::warn!(%error, at, "a column could not be read");
                    StoreError::UnexpectedValue("of a kind that is stored")
                })
            }
        }
    }
}

macro_rules! tuples {
    ($($($type:ident $at:literal),+;)+) => { $(
        impl<$($type: FromValue),+> TryFrom<&Row<'_>> for ($($type),+) {
            type Error = StoreError;

            fn try_from(row: &Row<'_>) -> Result<Self, StoreError> {
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
pub(crate) enum Rows<'s> {
    Sqlite(rusqlite::Rows<'s>),
    /// Those to come, and the one that is read.
    Office(std::vec::IntoIter<tokio_postgres::Row>, Option<tokio_postgres::Row>),
}

impl Rows<'_> {
    /// The next one; none at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Row<'_>>, StoreError> {
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
pub(crate) struct ReadRows<'s, F> {
    pub(super) rows: Rows<'s>,
    pub(super) read: F,
}

impl<T, F: FnMut(&Row<'_>) -> Result<T, StoreError>> Iterator for ReadRows<'_, F> {
    type Item = Result<T, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.rows.next() {
            Ok(row) => row.map(|row| (self.read)(&row)),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Where there may be no row.
pub(crate) trait OptionalRow<T> {
    /// None where there is no row.
    fn optional(self) -> Result<Option<T>, StoreError>;
}

impl<T> OptionalRow<T> for Result<T, StoreError> {
    fn optional(self) -> Result<Option<T>, StoreError> {
        match self {
            Ok(found) => Ok(Some(found)),
            Err(StoreError::NoRow) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
