//! Numbers and ids in the store by which a lost part can be looked up.

use bordereau_api::StageEvidence;
use bordereau_contract::ImportTransaction;
use bordereau_database::{OptionalRow, params};

use super::transition::OpenPart;
use crate::{Store, StoreError, list_parsed};

/// A transaction that the service is known to have.
#[derive(Clone, Debug)]
pub struct KnownRow {
    /// As it was sent.
    pub sent: ImportTransaction,
    /// The service's number of it.
    pub transaction_id: i64,
    /// The service's number of its batch.
    pub remote_id: Option<String>,
}

/// A row without an outcome.
#[derive(Clone, Debug)]
pub struct WaitingRow {
    /// Number of the row in its batch.
    pub row: i64,
    /// In wire form.
    pub transaction: ImportTransaction,
    /// Whether it is what was confirmed; not checked where its files weren't requested.
    pub is_intact: bool,
    /// Evidence that there is for it without an outcome.
    pub evidence: Option<StageEvidence>,
}

/// Waiting rows of a part whose ids no earlier batch has, but where it was refused: finding one proves that this part arrived.
pub async fn telling_rows(store: &Store, part: &OpenPart) -> Result<Vec<WaitingRow>, StoreError> {
    let (batch, part) = (part.batch, part.part);
    store.with_connection(move |connection| {
        let sql = "SELECT r.row, r.wire FROM batch_rows r WHERE r.batch = ?1 AND r.part = ?2 AND r.row_state = 'pending' AND NOT EXISTS
             (SELECT 1 FROM batch_rows e WHERE e.own_id = r.own_id AND e.batch < r.batch AND e.row_state <> 'not_sent'
              AND (e.row_state <> 'error' OR e.transaction_id IS NOT NULL))
             ORDER BY r.row";
        list_parsed(connection, sql, params![batch, part], |row| {
            let transaction = serde_json::from_str(row.get_ref(1)?.as_str()?)?;
            Ok(WaitingRow { row: row.get(0)?, transaction, is_intact: true, evidence: None })
        })
    })
    .await
}

/// Up to this many transactions of the part's profile that the service is known to have, newest first; none whose id
/// the part has too. Only unfiled ones: a service may show what is filed in a list of its own.
pub async fn known_rows(store: &Store, part: &OpenPart, most: u32) -> Result<Vec<KnownRow>, StoreError> {
    let part = part.clone();
    store
        .with_connection(move |connection| {
            let sql = "SELECT r.wire, r.transaction_id, p.remote_id FROM batch_rows r
             JOIN batches b ON b.seq = r.batch JOIN batch_parts p ON p.batch = r.batch AND p.part = r.part
             WHERE b.profile_id = ?1 AND b.address = ?3 AND r.transaction_id IS NOT NULL AND r.wire <> ''
             AND r.row_state IN ('accepted', 'warning', 'saved_incomplete') AND r.filed = 0
             AND NOT EXISTS (SELECT 1 FROM batch_rows l WHERE l.own_id = r.own_id AND l.batch > r.batch)
             ORDER BY r.batch DESC, r.row DESC LIMIT ?2";
            let of = params![part.destination.profile_id, most, part.destination.address];
            list_parsed(connection, sql, of, |row| {
                let sent = serde_json::from_str(row.get_ref(0)?.as_str()?)?;
                Ok(KnownRow { sent, transaction_id: row.get(1)?, remote_id: row.get(2)? })
            })
        })
        .await
}

/// The batch of this desk with a part under this number of the service; a part that it split has several.
pub async fn batch_of_remote(store: &Store, remote_id: &str) -> Result<Option<String>, StoreError> {
    let remote_id = remote_id.to_owned();
    store
        .with_connection(move |connection| {
            let sql = "SELECT b.id FROM batch_parts p JOIN batches b ON b.seq = p.batch
                 WHERE instr(', ' || p.remote_id || ', ', ', ' || ?1 || ', ') > 0 ORDER BY p.batch DESC LIMIT 1";
            Ok(connection.query_row(sql, [&remote_id], |row| row.get(0)).optional()?)
        })
        .await
}

/// Whether a part has this batch of the service: then it isn't the lost answer of another part.
pub async fn is_remote_known(store: &Store, remote_id: &str) -> Result<bool, StoreError> {
    Ok(batch_of_remote(store, remote_id).await?.is_some())
}

/// Whether another row of the profile has this number of the service.
pub async fn is_number_of_other(
    store: &Store,
    profile_id: &str,
    number: i64,
    own_id: &str,
) -> Result<bool, StoreError> {
    let (profile_id, own_id) = (profile_id.to_owned(), own_id.to_owned());
    store
        .with_connection(move |connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM batch_rows r JOIN batches b ON b.seq = r.batch
                 WHERE r.transaction_id = ?1 AND b.profile_id = ?2 AND r.own_id <> ?3)";
            Ok(connection.query_row(sql, params![number, profile_id, own_id], |row| row.get(0))?)
        })
        .await
}
