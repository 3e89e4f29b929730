//! Documents sent with a row.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_contract::ImportDocument;
use bordereau_database::{Connection, params};

use crate::stored_files::{StoredContent, read_contents};
use crate::{Store, StoreError, list_rows};

/// A file as it is stored with its row.
#[derive(Clone, Debug, Default)]
pub struct BatchFile {
    /// The document's name.
    pub name: String,
    /// Document code, such as `POLIC`.
    pub code: String,
    /// Name of the file.
    pub file_name: String,
    /// Its bytes.
    pub content: Vec<u8>,
    /// Number of the office's place where it was written, because it is too large for the database; 0 for none.
    pub place: i64,
    /// Its name there.
    pub stored_name: String,
}

/// The files of a row as they are stored: one in a place of the office comes without its bytes.
pub(crate) fn files_of_row(
    connection: &Connection,
    batch: i64,
    row: i64,
) -> Result<Vec<BatchFile>, StoreError> {
    let sql = "SELECT name, code, file_name, content, place, stored_name FROM batch_documents
         WHERE batch = ?1 AND row = ?2 ORDER BY number";
    let file = row_as!(BatchFile: name, code, file_name, content, place, stored_name);
    list_rows(connection, sql, params![batch, row], file)
}

/// Reads its bytes where they are in a place of the office.
pub(crate) async fn read_file(store: &Store, file: &mut BatchFile) -> Result<(), StoreError> {
    if file.place > 0 {
        let (place, name) = (file.place, file.stored_name.clone());
        let stored = StoredContent { place, name, ..StoredContent::default() };
        file.content = read_contents(store, vec![stored]).await?;
    }
    Ok(())
}

/// A file in wire form.
pub fn on_the_wire(file: BatchFile) -> ImportDocument {
    ImportDocument {
        content: STANDARD.encode(&file.content),
        name: file.name,
        code: file.code,
        file_name: file.file_name,
    }
}

/// Fields of messages about missing documents that were uploaded after their transaction was sent, such as
/// `documents.POLIC`.
pub fn uploaded_since(
    connection: &Connection,
    batch: i64,
    transaction_id: Option<i64>,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT DISTINCT 'documents.' || u.code FROM document_uploads u JOIN batches b ON b.profile_id = u.profile_id
         WHERE b.seq = ?1 AND u.transaction_id = ?2 AND u.state = 'sent' ORDER BY 1";
    list_rows(connection, sql, params![batch, transaction_id], |found| found.get(0))
}
