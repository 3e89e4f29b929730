//! What the functions of a table work with: a connection, its statements and rows, whichever engine is behind them.
//!
//! There is one text of SQL for all engines, in the words that they share.

mod connection;
mod postgres;
mod rows;
mod sql_text;
mod values;

pub use connection::Connection;
pub(crate) use rows::{OptionalRow, Row};
pub(crate) use sql_text::postgres_step;
pub(crate) use values::{Parameters, ToValue, Value};

/// The values of a statement, of whatever kinds: `params![id, name]`.
macro_rules! params {
    ($($value:expr),+ $(,)?) => { &[$(&$value as &dyn $crate::engine::ToValue),+] as &[&dyn $crate::engine::ToValue] };
}
pub(crate) use params;

/// A function that makes a struct of a row's columns in their order: `row_as!(NamedRow: row, own_id, policy_number)`.
macro_rules! row_as {
    ($type:ident: $($field:ident),+) => {
        |row: &$crate::engine::Row<'_>| -> Result<$type, $crate::StoreError> {
            let mut columns = 0usize..;
            Ok($type { $($field: row.get(columns.next().unwrap_or_default())?),+ })
        }
    };
}
pub(crate) use row_as;
