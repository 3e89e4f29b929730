//! The tables of batches: `batches`, `batch_parts`, `batch_rows` and `batch_documents`.

pub mod decision;
pub mod documents;
pub mod keeping;
pub mod known;
pub mod message;
pub mod outcome;
pub mod queue;
pub mod rows;
pub mod transition;
pub mod view;

use rusqlite::Connection;
use sha2::{Digest, Sha256};

use crate::StoreError;
use bordereau_api::BatchState;

/// Tells every view that something changed.
pub fn touch(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("UPDATE outbox_revision SET revision = revision + 1", [])?;
    Ok(())
}

/// Whether nothing more happens to it.
pub const fn is_ended(state: BatchState) -> bool {
    matches!(state, BatchState::Processed | BatchState::Failed | BatchState::Cancelled)
}

/// Of what was confirmed to be sent of a row: its transaction and its files.
pub(crate) fn wire_sha256(wire: &str, files: &[documents::File]) -> String {
    let mut digest = Sha256::new();
    for part in std::iter::once(wire.as_bytes()).chain(files.iter().map(|file| file.content.as_slice())) {
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part);
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
