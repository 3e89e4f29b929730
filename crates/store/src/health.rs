//! Checks of the data file.

use bordereau_database::Connection;

use crate::{StoreError, audit};

/// Whether the store can be written now: a listener that can't store a delivery isn't ready.
///
/// # Errors
/// [`StoreError`] where a change can't even begin.
pub fn check_writable(connection: &mut Connection) -> Result<(), StoreError> {
    Ok(connection.transaction()?.rollback()?)
}

/// Looks for damaged pages: quick, without the order of the indexes.
pub fn quick_check(connection: &Connection) -> Result<(), StoreError> {
    run_check(connection, "PRAGMA quick_check(1)")
}

/// Looks for any damage: pages, indexes, references, and the chain of the audit log.
pub fn full_check(connection: &Connection) -> Result<(), StoreError> {
    integrity_check(connection)?;
    if !audit::list_entries(connection)?.intact {
        return Err(StoreError::Damaged("the chain of the audit log is broken".to_owned()));
    }
    Ok(())
}

pub(crate) fn integrity_check(connection: &Connection) -> Result<(), StoreError> {
    run_check(connection, "PRAGMA integrity_check(1)")
}

fn run_check(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    // The server of an office's database checks its own pages.
    if connection.is_office() {
        return Ok(());
    }
    let found: String = connection.query_row(sql, [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(StoreError::Damaged(found)) }
}

/// Whether an error means that the data file is damaged.
pub fn is_damage(error: &StoreError) -> bool {
    use bordereau_database::DatabaseError;
    use rusqlite::ErrorCode as E;
    match error {
        StoreError::Damaged(_) => true,
        StoreError::Database(DatabaseError::Sqlite(error)) => {
            matches!(error.sqlite_error_code(), Some(E::DatabaseCorrupt | E::NotADatabase))
        }
        _ => false,
    }
}
