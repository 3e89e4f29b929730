//! The tables of batches: `batches`, `batch_parts`, `batch_rows` and `batch_documents`.

pub mod acknowledgments;
pub mod decision;
pub mod documents;
pub mod lookup_keys;
pub mod outcome;
pub mod queue;
pub mod rows;
pub mod sent_rows;
pub mod transition;
pub mod view;

use bordereau_database::Connection;
use sha2::{Digest, Sha256};

use crate::StoreError;

/// The step of the schema that made them.
pub(crate) const CREATE_BATCHES: &str = include_str!("../batches.sql");

/// The step that added warnings kept with a reason.
pub(crate) const ADD_KEPT_WARNINGS: &str = include_str!("../kept_warnings.sql");

/// The step that added parts whose answer was lost.
pub(crate) const ADD_LOST_SINCE: &str = include_str!("../lost_since.sql");

/// The step that added evidence, observed time and the destination's address, for rows and documents.
pub(crate) const ADD_EVIDENCE: &str = include_str!("../evidence.sql");

/// The step that changed the spelling of the canceled state, for rows and documents.
pub(crate) const RESPELL_CANCELED: &str = include_str!("../canceled.sql");

/// The step that added batches of one transaction that is sent as a single import.
pub(crate) const ADD_SINGLE: &str =
    "ALTER TABLE batches ADD COLUMN single INTEGER NOT NULL DEFAULT 0 CHECK (single IN (0, 1));";

/// The step that added the file of each row, for batches of several.
pub(crate) const ADD_ROW_SOURCE: &str = "ALTER TABLE batch_rows ADD COLUMN source TEXT NOT NULL DEFAULT '';";

/// The step that added documents of rows outside of an office's database.
pub(crate) const ADD_DOCUMENT_PLACE: &str = "
    ALTER TABLE batch_documents ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batch_documents ADD COLUMN stored_name TEXT NOT NULL DEFAULT '';
";

/// Notifies every view that something changed.
pub fn bump_revision(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("UPDATE outbox_revision SET revision = revision + 1", [])?;
    Ok(())
}

/// Hash of what was confirmed for a row: its transaction and its files.
pub(crate) fn wire_sha256(wire: &str, files: &[documents::BatchFile]) -> String {
    let mut digest = Sha256::new();
    for part in std::iter::once(wire.as_bytes()).chain(files.iter().map(|file| file.content.as_slice())) {
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part);
    }
    bordereau_contract::hex_text(&digest.finalize())
}
