//! The table `event_follows`: how far a listener on a server was followed.

use bordereau_database::{Connection, OptionalRow, params};

use crate::StoreError;

/// Writes down how far a listener was followed.
pub(super) fn store_follow(
    connection: &Connection,
    profile_id: &str,
    address: &str,
    last_id: i64,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO event_follows (profile_id, address, last_id) VALUES (?1, ?2, ?3)
         ON CONFLICT (profile_id) DO UPDATE SET address = excluded.address, last_id = excluded.last_id",
        params![profile_id, address, last_id],
    )?;
    Ok(())
}

/// How far a listener was followed; none where this address was not.
pub fn last_followed_id(
    connection: &Connection,
    profile_id: &str,
    address: &str,
) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT last_id FROM event_follows WHERE profile_id = ?1 AND address = ?2";
    Ok(connection.query_row(sql, [profile_id, address], |row| row.get(0)).optional()?)
}
