//! The table `visits`: when the person last opened the view, so that newer records can be marked.

use rusqlite::{Connection, OptionalExtension, params};

use bordereau_store::StoreError;

/// Two instants, RFC 3339, UTC; empty where there was none.
#[derive(Default)]
pub struct LastVisits {
    /// End of the visit before this one.
    pub before: String,
    /// When this one was last seen.
    pub seen: String,
}

/// The last two visits.
pub fn last_visits(connection: &Connection) -> Result<LastVisits, StoreError> {
    let mut statement = connection.prepare_cached("SELECT before, seen FROM visits")?;
    let visits = statement
        .query_row([], |row| Ok(LastVisits { before: row.get(0)?, seen: row.get(1)? }))
        .optional()?;
    Ok(visits.unwrap_or_default())
}

/// Keeps the last two visits.
pub fn store_visits(connection: &Connection, visits: &LastVisits) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO visits VALUES (1, ?1, ?2)";
    connection.execute(sql, params![visits.before, visits.seen])?;
    Ok(())
}
