//! The tables of events: delivered, refused and followed ones, and what is asked for again.

pub mod follows;
pub mod inbox;
pub mod listing;
pub mod refusals;
pub mod service_checks;
pub mod watches;
pub mod wordings;

use std::str::FromStr;

use bordereau_database::{Connection, DatabaseError, Row};

use crate::StoreError;

/// The step of the schema that made the inbox.
pub(crate) const CREATE_EVENTS: &str = include_str!("events.sql");
/// The step that added the stamp wordings.
pub(crate) const CREATE_EVENT_WORDINGS: &str = include_str!("event_wordings.sql");

/// The step that added what each person of an office has read. On one computer `events.is_read` has it.
pub(crate) const CREATE_EVENT_READS: &str = include_str!("event_reads.sql");

/// Notifies every view of a change.
pub fn mark_events_changed(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("UPDATE events_revision SET revision = revision + 1", [])?;
    Ok(())
}

/// Grows with every change.
pub fn events_revision(connection: &Connection) -> Result<u32, StoreError> {
    Ok(connection
        .prepare_cached("SELECT revision & 4294967295 FROM events_revision")?
        .query_row([], |row| row.get(0))?)
}

/// Reads a word; one that only a newer version knows is `unknown`.
fn read_word<T: FromStr>(row: &Row<'_>, at: usize, unknown: T) -> Result<T, DatabaseError> {
    Ok(row.get_ref(at)?.as_str().ok().and_then(|word| word.parse().ok()).unwrap_or(unknown))
}
