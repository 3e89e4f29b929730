//! Documents of transactions: each file once for a transaction and code, known by its hash.

use rusqlite::{Connection, OptionalExtension, Result, params, params_from_iter};

/// A document to be kept.
pub struct NewDocument<'a> {
    /// Title, such as `Policy`.
    pub name: &'a str,
    /// Code of section 4, such as `POLIC`.
    pub code: &'a str,
    /// As the caller named the file.
    pub file_name: &'a str,
    /// Hexadecimal.
    pub sha256: &'a str,
    /// Bytes of the file.
    pub content: &'a [u8],
}

/// A document without its content.
pub struct DocumentEntry {
    /// The service's number.
    pub id: i64,
    /// Title, such as `Policy`.
    pub name: String,
    /// Code of section 4, such as `POLIC`.
    pub code: String,
}

/// A document's file.
pub struct DocumentBody {
    /// As the caller named the file.
    pub file_name: String,
    /// Bytes of the file.
    pub content: Vec<u8>,
}

/// Keeps a document; the same file under the same code is kept once.
pub fn insert(db: &Connection, filing_id: i64, document: &NewDocument<'_>, now: i64) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO document (filing_id, name, code, file_name, sha256, content, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (filing_id, code, sha256) DO NOTHING",
    )?
    .execute(params![
        filing_id,
        document.name,
        document.code,
        document.file_name,
        document.sha256,
        document.content,
        now
    ])?;
    Ok(())
}

/// The documents of a transaction, oldest first.
pub fn list_documents(db: &Connection, filing_id: i64) -> Result<Vec<DocumentEntry>> {
    let mut statement =
        db.prepare_cached("SELECT id, name, code FROM document WHERE filing_id = $1 ORDER BY id")?;
    statement.query_map(params![filing_id], row_as!(DocumentEntry: id, name, code))?.collect()
}

/// The documents of several transactions, each with the number of its transaction, oldest first.
pub(crate) fn documents_of(db: &Connection, filing_ids: &[i64]) -> Result<Vec<(i64, DocumentEntry)>> {
    let places = super::search::numbered_parameters(filing_ids.len());
    let statement = format!(
        "SELECT filing_id, id, name, code FROM document WHERE filing_id IN ({places}) ORDER BY filing_id, id"
    );
    db.prepare_cached(&statement)?
        .query_map(params_from_iter(filing_ids), |row| {
            Ok((row.get(0)?, DocumentEntry { id: row.get(1)?, name: row.get(2)?, code: row.get(3)? }))
        })?
        .collect()
}

/// The codes of a transaction's documents.
pub fn document_codes(db: &Connection, account_id: &str, own_id: &str) -> Result<Vec<String>> {
    let mut statement = db.prepare_cached(
        "SELECT document.code FROM document JOIN filing ON filing.id = document.filing_id \
         WHERE filing.account_id = $1 AND filing.own_id = $2",
    )?;
    statement.query_map(params![account_id, own_id], |row| row.get(0))?.collect()
}

/// When a document was stored, seconds since 1970.
pub fn created_at(db: &Connection, id: i64) -> Result<Option<i64>> {
    db.prepare_cached("SELECT created_at FROM document WHERE id = $1")?
        .query_row(params![id], |row| row.get(0))
        .optional()
}

/// The file of an account's document.
pub fn load_file(db: &Connection, account_id: &str, filing_id: i64, id: i64) -> Result<Option<DocumentBody>> {
    db.prepare_cached(
        "SELECT document.file_name, document.content FROM document \
         JOIN filing ON filing.id = document.filing_id \
         WHERE document.id = $1 AND filing.id = $2 AND filing.account_id = $3",
    )?
    .query_row(params![id, filing_id, account_id], |row| {
        Ok(DocumentBody { file_name: row.get(0)?, content: row.get(1)? })
    })
    .optional()
}
