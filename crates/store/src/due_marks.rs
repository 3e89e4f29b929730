//! Reports and affidavits that the person has marked as done: no record tells of them.

use std::collections::HashSet;

use rusqlite::params;

use crate::Moment;
use crate::{Store, StoreError};

/// Ids of the entries marked as done.
pub async fn due_marks(store: &Store, profile_id: &str) -> Result<HashSet<String>, StoreError> {
    let profile_id = profile_id.to_owned();
    store
        .run(move |connection| {
            let mut statement =
                connection.prepare_cached("SELECT entry FROM due_marks WHERE profile_id = ?1")?;
            let marks = statement.query_map([profile_id], |row| row.get(0))?.collect::<Result<_, _>>()?;
            Ok(marks)
        })
        .await
}

/// Marks an entry as done, or opens it again.
pub async fn mark_due(
    store: &Store,
    profile_id: &str,
    entry: String,
    done: bool,
    now: Moment,
) -> Result<(), StoreError> {
    let profile_id = profile_id.to_owned();
    store
        .run(move |connection| {
            if done {
                connection.execute(
                "INSERT OR IGNORE INTO due_marks (profile_id, entry, at, by_whom) VALUES (?1, ?2, ?3, ?4)",
                params![profile_id, entry, now.at, now.by],
            )?;
            } else {
                connection.execute(
                    "DELETE FROM due_marks WHERE profile_id = ?1 AND entry = ?2",
                    params![profile_id, entry],
                )?;
            }
            Ok(())
        })
        .await
}
