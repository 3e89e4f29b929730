//! Queries of reviews: rows that were sent before, and rows that were rejected and can be corrected.

use bordereau_contract::ImportTransaction;
use bordereau_database::{Connection, params};
use bordereau_spreadsheets::SentKeys;

use super::documents::uploaded_since;
use super::view::{OPEN_ROW, batch_seq};
use crate::{StoreError, list_parsed};
use bordereau_api::RowMessage;

/// A row that came back from a batch.
#[derive(Clone, Debug)]
pub struct CorrectionRow {
    /// Line of the file it first came from.
    pub line: u32,
    /// That file or sheet, in a batch of several; else empty.
    pub source: String,
    /// As it was sent.
    pub transaction: ImportTransaction,
    /// The service took it, with warnings.
    pub is_accepted: bool,
    /// The service's messages on it.
    pub messages: Vec<RowMessage>,
    /// What `documents.CODE` names was uploaded after the row was sent.
    pub uploaded: Vec<String>,
}

/// The open rows of a batch: to correct, or with warnings.
#[derive(Clone, Debug)]
pub struct BatchCorrection {
    /// Local id of the batch.
    pub batch: String,
    /// Its name.
    pub name: String,
    /// It was a single import.
    pub is_single: bool,
    /// Id of the draft it was made from.
    pub review: Option<String>,
    /// Rows with warnings, errors and missing values.
    pub rows: Vec<CorrectionRow>,
}

/// Keys of everything sent to a profile, without the transactions of the batch being corrected.
pub fn sent_keys(
    connection: &Connection,
    profile_id: &str,
    except: Option<&str>,
) -> Result<SentKeys, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT r.own_id, r.same_key, b.day FROM batch_rows r JOIN batches b ON b.seq = r.batch
         WHERE b.profile_id = ?1 AND r.row_state NOT IN ('not_sent', 'error') AND (?2 IS NULL OR r.own_id NOT IN
             (SELECT o.own_id FROM batch_rows o JOIN batches c ON c.seq = o.batch WHERE c.id = ?2))
         ORDER BY r.batch, r.row",
    )?;
    let mut rows = statement.query(params![profile_id, except])?;
    let mut keys = SentKeys::default();
    while let Some(row) = rows.next_row()? {
        let key: Option<String> = row.get(1)?;
        let key = key.map(|key| serde_json::from_str(&key)).transpose()?;
        let day: String = row.get(2)?;
        keys.add(row.get_ref(0)?.as_str().unwrap_or_default(), key, &day);
    }
    Ok(keys)
}

/// Open rows of a batch.
pub fn open_rows(connection: &Connection, id: &str) -> Result<BatchCorrection, StoreError> {
    let batch = batch_seq(connection, id)?;
    let sql = "SELECT name, single, review FROM batches WHERE seq = ?1";
    let (name, is_single, review) = connection.query_row(sql, [batch], |row| row.try_into())?;
    let sql = format!(
        "SELECT r.line, r.wire, r.messages, r.transaction_id, r.source,
         r.row_state = 'warning' FROM batch_rows r WHERE r.batch = ?1 AND {OPEN_ROW} ORDER BY r.row"
    );
    let rows = list_parsed(connection, &sql, [batch], |row| {
        let mut messages: Vec<RowMessage> = serde_json::from_str(row.get_ref(2)?.as_str().unwrap_or("[]"))?;
        let uploaded = uploaded_since(connection, batch, row.get(3)?)?;
        messages.retain(|message| !uploaded.contains(&message.field));
        Ok(CorrectionRow {
            line: row.get(0)?,
            source: row.get(4)?,
            is_accepted: row.get(5)?,
            transaction: serde_json::from_str(row.get_ref(1)?.as_str().unwrap_or_default())?,
            messages,
            uploaded,
        })
    })?;
    Ok(BatchCorrection { batch: id.to_owned(), name, is_single, review, rows })
}
