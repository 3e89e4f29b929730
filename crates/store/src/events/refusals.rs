//! The tables `event_refusals` and `event_refusal_count`: deliveries that could not be authenticated.

use bordereau_api::{RefusedDelivery, RefusedList};
use bordereau_database::{Connection, params};

use super::mark_events_changed;
use crate::{StoreError, list_rows};

/// Refusals kept for a profile; older ones are only counted.
const REFUSALS_MAX: i64 = 200;
/// Characters kept of a refused body.
const BEGINNING_CHARS: usize = 2_000;

/// Records a refused delivery: counts it, and keeps the last ones. It never becomes an event.
pub fn store_refusal(
    connection: &mut Connection,
    profile_id: &str,
    at: &str,
    why: &str,
    body: &[u8],
) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    let beginning: String = String::from_utf8_lossy(body)
        .chars()
        .filter(|c| !c.is_control() || *c == '\n')
        .take(BEGINNING_CHARS)
        .collect();
    let bytes = i64::try_from(body.len()).unwrap_or(i64::MAX);
    transaction.execute(
        "INSERT INTO event_refusals (profile_id, at, why, bytes, beginning) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![profile_id, at, why, bytes, beginning],
    )?;
    transaction.execute(
        "DELETE FROM event_refusals WHERE profile_id = ?1 AND seq <= (SELECT seq FROM event_refusals
         WHERE profile_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)",
        params![profile_id, REFUSALS_MAX],
    )?;
    transaction.execute(
        "INSERT INTO event_refusal_count (profile_id, count) VALUES (?1, 1)
         ON CONFLICT (profile_id) DO UPDATE SET count = event_refusal_count.count + 1",
        [profile_id],
    )?;
    mark_events_changed(&transaction)?;
    Ok(transaction.commit()?)
}

/// Deliveries that were refused, newest first.
pub fn list_refusals(connection: &Connection, profile_id: &str) -> Result<RefusedList, StoreError> {
    let sql = "SELECT at, why, bytes, beginning FROM event_refusals WHERE profile_id = ?1 ORDER BY seq DESC";
    let row = row_as!(RefusedDelivery: at, why, bytes, beginning);
    Ok(RefusedList { deliveries: list_rows(connection, sql, [profile_id], row)?, summary: String::new() })
}
