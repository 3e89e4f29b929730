//! How rows of a table become values.

use crate::StoreError;
use crate::engine::{Connection, Parameters, Row};

/// All rows that a question finds.
pub(crate) fn list_rows<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Parameters,
    read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    connection.prepare(sql)?.query_map(parameters, read)?.collect()
}
