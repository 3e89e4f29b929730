//! Which events were confirmed by asking the service, and the facts that the outbox learned.

use bordereau_api::{EventCheck, EventKind};
use bordereau_database::{Connection, OptionalRow, params};

use super::{mark_events_changed, read_word};
use crate::{StoreError, list_rows};

/// An event whose fact wasn't checked yet.
pub struct UncheckedEvent {
    /// Its number.
    pub seq: i64,
    /// The profile it is for.
    pub profile_id: String,
    /// Key of its fact.
    pub fact: String,
    /// Kind of the event.
    pub what: EventKind,
    /// The service's id of the batch it is about; empty for none.
    pub batch: String,
    /// The service's number of the transaction it is about; empty for none.
    pub transaction: String,
}

/// A part of a batch that the service has ended.
pub struct EndedPart {
    /// The profile it was sent with.
    pub profile_id: String,
    /// The service's id.
    pub remote_id: String,
    /// Processed, or failed.
    pub is_processed: bool,
}

/// Received events that weren't compared with the service yet, oldest first.
pub fn list_unchecked_events(connection: &Connection, limit: u32) -> Result<Vec<UncheckedEvent>, StoreError> {
    let sql = "SELECT seq, profile_id, fact, what, batch_id, transaction_id FROM events
         WHERE checked = 'unchecked' AND fact IS NOT NULL AND what <> 'stamp_wording'
         ORDER BY seq LIMIT ?1";
    list_rows(connection, sql, [limit], |row| {
        Ok(UncheckedEvent {
            seq: row.get(0)?,
            profile_id: row.get(1)?,
            fact: row.get(2)?,
            what: read_word(row, 3, EventKind::Other)?,
            batch: row.get(4)?,
            transaction: row.get(5)?,
        })
    })
}

/// Records the service's answer about an event.
pub fn record_check(
    connection: &Connection,
    seq: i64,
    check: EventCheck,
    sentence: &str,
    at: &str,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE events SET checked = ?2, check_says = ?3,
         found_at = CASE WHEN ?2 = 'confirmed' THEN coalesce(found_at, ?4) ELSE found_at END WHERE seq = ?1",
        params![seq, <&str>::from(check), sentence, at],
    )?;
    mark_events_changed(connection)
}

/// Ended parts that have no event found by asking yet.
pub fn list_unannounced_parts(connection: &Connection) -> Result<Vec<EndedPart>, StoreError> {
    let sql = "SELECT b.profile_id, p.remote_id, p.state = 'processed' FROM batch_parts p JOIN batches b ON b.seq = p.batch
         WHERE p.state IN ('processed', 'failed') AND p.remote_id IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM events e WHERE e.profile_id = b.profile_id AND e.found_at IS NOT NULL
          AND e.fact = 'batch ' || p.remote_id || ' ' || p.state)";
    list_rows(connection, sql, [], row_as!(EndedPart: profile_id, remote_id, is_processed))
}

/// Whether a part was processed; `None` where it hasn't ended, or wasn't sent from here.
pub fn is_part_processed(connection: &Connection, remote_id: &str) -> Result<Option<bool>, StoreError> {
    let sql = "SELECT state FROM batch_parts WHERE instr(', ' || remote_id || ', ', ', ' || ?1 || ', ') > 0 LIMIT 1";
    let state: Option<String> =
        connection.prepare_cached(sql)?.query_row([remote_id], |row| row.get(0)).optional()?;
    Ok(match state.as_deref() {
        Some("processed") => Some(true),
        Some("failed") => Some(false),
        _ => None,
    })
}
