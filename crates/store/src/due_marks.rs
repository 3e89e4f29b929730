//! The table `due_marks`: reports and affidavits that a person marked as done, since no record shows it.

use std::collections::HashSet;

use rusqlite::{Connection, params};

use crate::{Moment, StoreError};

/// Ids of the entries marked as done.
pub fn list_due_marks(connection: &Connection, profile_id: &str) -> Result<HashSet<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT entry FROM due_marks WHERE profile_id = ?1")?;
    Ok(statement.query_map([profile_id], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// Marks an entry as done, or opens it again.
pub fn mark_due(
    connection: &Connection,
    profile_id: &str,
    entry: &str,
    done: bool,
    now: &Moment,
) -> Result<(), StoreError> {
    if done {
        connection.execute(
            "INSERT OR IGNORE INTO due_marks (profile_id, entry, at, by_whom) VALUES (?1, ?2, ?3, ?4)",
            params![profile_id, entry, now.at, now.by],
        )?;
    } else {
        connection
            .execute("DELETE FROM due_marks WHERE profile_id = ?1 AND entry = ?2", [profile_id, entry])?;
    }
    Ok(())
}
