//! The tables of batches: `batches`, `batch_parts`, `batch_rows` and `batch_documents`.

pub mod decision;
pub mod documents;
pub mod keeping;
pub mod known;
pub mod message;
pub mod outcome;
pub mod queue;
pub mod rows;
pub mod sent_rows;
pub mod transition;
pub mod view;

use rusqlite::Connection;

use crate::StoreError;

/// Tells every view that something changed.
pub fn touch(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("UPDATE outbox_revision SET revision = revision + 1", [])?;
    Ok(())
}
