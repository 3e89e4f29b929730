//! The table `event_follows`: how far a listener on a server was followed.

use bordereau_api::{EventCheck, EventSignature};
use bordereau_database::{Connection, OptionalRow, params};

use crate::StoreError;

/// Records how far a listener was followed.
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

/// How far a listener was followed; `None` for an address that wasn't.
pub fn last_followed_id(
    connection: &Connection,
    profile_id: &str,
    address: &str,
) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT last_id FROM event_follows WHERE profile_id = ?1 AND address = ?2";
    Ok(connection.query_row(sql, [profile_id, address], |row| row.get(0)).optional()?)
}

/// Unconfirmed messages that listeners forwarded for a profile since then: their number, and the bytes of their
/// bodies.
pub fn count_unconfirmed(
    connection: &Connection,
    profile_id: &str,
    since: &str,
) -> Result<(u32, i64), StoreError> {
    let sql = "SELECT count(*), CAST(coalesce(sum(length(body)), 0) AS BIGINT) FROM events
         WHERE profile_id = ?1 AND checked <> ?2 AND signature = ?3 AND received_at > ?4";
    let (confirmed, forwarded) =
        (<&str>::from(EventCheck::Confirmed), <&str>::from(EventSignature::Forwarded));
    Ok(connection
        .query_row(sql, [profile_id, confirmed, forwarded, since], |row| Ok((row.get(0)?, row.get(1)?)))?)
}
