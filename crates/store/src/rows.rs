//! Converts rows of a table to values.

use bordereau_database::{Connection, DatabaseError, Parameters, Row};

use crate::StoreError;

/// A function that fills a struct from a row's columns in order: `row_as!(NamedRow: row, own_id, policy_number)`.
macro_rules! row_as {
    ($type:ident: $($field:ident),+) => {
        |row: &bordereau_database::Row<'_>| -> Result<$type, bordereau_database::DatabaseError> {
            let mut columns = 0usize..;
            Ok($type { $($field: row.get(columns.next().unwrap_or_default())?),+ })
        }
    };
}

/// All rows of a query that hold more than values, such as JSON.
pub(crate) fn list_parsed<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Parameters,
    mut parse: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    let mut all = Vec::new();
    while let Some(row) = rows.next_row()? {
        all.push(parse(&row)?);
    }
    Ok(all)
}

/// All rows of a query.
pub(crate) fn list_rows<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Parameters,
    read: impl FnMut(&Row<'_>) -> Result<T, DatabaseError>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(parameters, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}
