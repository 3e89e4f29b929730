//! Files that are sent with a row.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_contract::ImportDocument;
use rusqlite::{Connection, params};

use crate::StoreError;

/// A file as it is stored with its row.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// What it is called.
    pub name: String,
    /// Document code, such as `POLIC`.
    pub code: String,
    /// Name of the file.
    pub file_name: String,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// The files of a row as they are stored.
pub fn files_of_row(connection: &Connection, batch: i64, row: i64) -> Result<Vec<File>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT name, code, file_name, content FROM batch_documents WHERE batch = ?1 AND row = ?2 ORDER BY number",
    )?;
    let rows = statement.query_map(params![batch, row], |found| {
        Ok(File {
            name: found.get(0)?,
            code: found.get(1)?,
            file_name: found.get(2)?,
            content: found.get(3)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A file as it travels.
pub fn on_the_wire(file: File) -> ImportDocument {
    ImportDocument {
        content: STANDARD.encode(&file.content),
        name: file.name,
        code: file.code,
        file_name: file.file_name,
    }
}

/// Fields of messages about missing documents of a transaction that were uploaded after it was sent, as
/// `documents.POLIC`.
pub fn uploaded_since(
    connection: &Connection,
    batch: i64,
    transaction_id: Option<i64>,
) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT 'documents.' || u.code FROM document_uploads u JOIN batches b ON b.profile_id = u.profile_id
         WHERE b.seq = ?1 AND u.transaction_id = ?2 AND u.state = 'sent' ORDER BY 1",
    )?;
    let fields = statement.query_map(params![batch, transaction_id], |found| found.get(0))?;
    Ok(fields.collect::<Result<_, _>>()?)
}
