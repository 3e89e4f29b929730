//! Files that go along: read and checked when the batch is stored, so that a folder cleaned up later loses
//! nothing.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_contract::{DOCUMENT_BYTES_MAX, ImportDocument};
use rusqlite::{Connection, params};

use bordereau_api::{BoundaryError, ErrorCode};
use bordereau_session::content::Look;
use bordereau_store::StoreError;

/// A file as it is stored with its row.
#[derive(Clone, Debug, Default)]
pub struct File {
    pub name: String,
    /// Document code, such as `POLIC`.
    pub code: String,
    pub file_name: String,
    pub content: Vec<u8>,
}

/// Reads a file that was matched to a row; refused where it is no longer the one that was looked at, or by its
/// content no document.
pub fn read(path: &str, file_name: &str, code: &str, sha256: &str) -> Result<File, BoundaryError> {
    let not = |why: &str| {
        BoundaryError::of(
            ErrorCode::Storage,
            format!(
                "The document \"{file_name}\" cannot be sent: {why} Match the documents again. Nothing was sent."
            ),
        )
    };
    let unreadable = |error: std::io::Error| not(&format!("It cannot be read ({}).", error.kind()));
    let mut content = Vec::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(DOCUMENT_BYTES_MAX as u64 + 1).read_to_end(&mut content).map_err(unreadable)?;
    let mut look = Look::default();
    look.take(&content);
    let checked = look.end(file_name).map_err(|why| not(&why))?;
    if !sha256.is_empty() && checked.sha256 != sha256 {
        return Err(not("It has changed since it was matched."));
    }
    Ok(File { name: code.to_owned(), code: code.to_owned(), file_name: checked.file_name, content })
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

/// The files of a row as they travel.
pub fn of_row(connection: &Connection, batch: i64, row: i64) -> Result<Vec<ImportDocument>, StoreError> {
    let travelling = |file: File| ImportDocument {
        content: STANDARD.encode(&file.content),
        name: file.name,
        code: file.code,
        file_name: file.file_name,
    };
    Ok(files_of_row(connection, batch, row)?.into_iter().map(travelling).collect())
}

/// Fields of messages about missing documents of a transaction that were uploaded after it was sent, as
/// `documents.POLIC`.
pub(super) fn uploaded_since(
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
