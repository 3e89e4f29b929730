//! How rows of a table become values.

use rusqlite::{Connection, Params, Row};

use crate::StoreError;

/// A function that makes a struct of a row's columns in their order: `row_as!(NamedRow: row, own_id, policy_number)`.
macro_rules! row_as {
    ($type:ident: $($field:ident),+) => {
        |row: &rusqlite::Row<'_>| -> rusqlite::Result<$type> {
            let mut columns = 0usize..;
            Ok($type { $($field: row.get(columns.next().unwrap_or_default())?),+ })
        }
    };
}

/// All rows that a question finds.
pub(crate) fn list_rows<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(parameters, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}
