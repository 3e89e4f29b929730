//! The request limit that an office's desks share for one key: requests are reserved before they are sent.

use std::time::Duration;

use bordereau_database::{Connection, params};

use crate::StoreError;

/// Result of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestReservation {
    /// This many may be sent.
    Given(u32),
    /// None is left until this time has passed.
    Full(Duration),
}

/// Reserves up to this many requests of a limit over this many time slots, by the server's clock.
pub fn reserve_requests(
    connection: &Connection,
    account: &str,
    wanted: u32,
    limit: u32,
    (slot, slots): (Duration, u32),
) -> Result<RequestReservation, StoreError> {
    let slot_ms = i64::try_from(slot.as_millis()).unwrap_or(i64::MAX).max(1);
    let given: i64 = connection
        .prepare_cached("SELECT reserve_requests(?1, ?2, ?3, ?4, ?5)")?
        .query_row(params![account, wanted, limit, slot_ms, slots], |row| row.get(0))?;
    Ok(match u32::try_from(given) {
        Ok(given) => RequestReservation::Given(given),
        Err(_) => RequestReservation::Full(Duration::from_millis(given.unsigned_abs())),
    })
}
