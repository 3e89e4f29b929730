//! The table `document_uploads`: each step of an upload is committed before the next begins.

use std::collections::HashSet;

use bordereau_database::{Connection, DatabaseError, OptionalRow, Row, params};

use bordereau_api::*;

use crate::audit::append_entry as append_audit;
use crate::batches::bump_revision;
use crate::stored_files::{StoredContent, read_contents, set_aside};
use crate::{
    ActorTimestamp, Destination, Store, StoreError, Word, bound_address, fresh_id, list_rows, place,
};

/// Uploads that are listed.
const LISTED: u32 = 500;
const COLUMNS: &str = "id, state, transaction_id, invoice_number, code, name, file_name, kind, bytes, sha256, \
                       profile_name, environment, message, created_at, created_by, ended_at, asks, \
                       evidence, content_file <> '' OR seq IN (SELECT upload FROM document_contents)";
/// Condition for an upload whose copy was kept long enough.
const LET_GO: &str =
    "The copy on this computer was deleted after its retention period. Add the document again to send it.";

/// The step of the schema that made it, with the table `due_marks`.
pub(crate) const CREATE_UPLOADS: &str = include_str!("documents.sql");

/// The step that added an upload's day in the person's calendar: the first send of a day to production is confirmed.
pub(crate) const ADD_UPLOAD_DAY: &str =
    "ALTER TABLE document_uploads ADD COLUMN day TEXT NOT NULL DEFAULT '';";

/// The step that moved the content into files, so that none is ever completely in memory.
pub(crate) const ADD_CONTENT_FILE: &str =
    "ALTER TABLE document_uploads ADD COLUMN content_file TEXT NOT NULL DEFAULT '';";

/// An upload that hasn't ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenUpload {
    /// Its number.
    pub seq: i64,
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: UploadState,
    /// The service and environment confirmed for it.
    pub destination: Destination,
    /// The service's number of its transaction.
    pub transaction_id: Option<i64>,
    /// The invoice number of its transaction.
    pub invoice_number: Option<String>,
    /// Name of the document.
    pub name: String,
    /// Its code.
    pub code: String,
    /// Name of the file.
    pub file_name: String,
    /// Of its content.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
    /// Name of its copy; empty where the store itself has the content, as in earlier versions.
    pub content_file: String,
    /// Milliseconds for which it was looked up while the service answered.
    pub observed_ms: i64,
    /// Whether it was sent from here; an upload waiting in a copy may have been sent from elsewhere.
    pub was_sent: bool,
}

/// A document to be stored for upload.
pub struct NewUpload {
    /// The service's number of the transaction.
    pub transaction_id: Option<i64>,
    /// Its invoice number, where the number is not known.
    pub invoice_number: Option<String>,
    /// Name of the document.
    pub name: String,
    /// Its code.
    pub code: String,
    /// Name of the file.
    pub file_name: String,
    /// Its kind by content.
    pub kind: String,
    /// Its size.
    pub bytes: u64,
    /// Of its content.
    pub sha256: String,
    /// Name of its copy in the data folder; empty where the store has its bytes.
    pub content_file: String,
    /// Its bytes in an office, where every desk can send it; else empty. Large content goes to its file storage.
    pub content: Vec<u8>,
}

/// Stores a document for upload. The same content for the same transaction and code is stored once: the first upload
/// is returned.
pub async fn insert_upload(
    store: &Store,
    profile: Profile,
    mut upload: NewUpload,
    now: ActorTimestamp,
    day: String,
) -> Result<(UploadView, UploadInsert), StoreError> {
    let content = set_aside(store, std::mem::take(&mut upload.content)).await?;
    store.run_durably(move |connection| insert(connection, &profile, &upload, &content, &now, &day)).await
}

fn insert(
    connection: &mut Connection,
    profile: &Profile,
    upload: &NewUpload,
    content: &StoredContent,
    now: &ActorTimestamp,
    day: &str,
) -> Result<(UploadView, UploadInsert), StoreError> {
    let transaction = connection.transaction()?;
    let sql = format!(
        "SELECT {COLUMNS} FROM document_uploads WHERE profile_id = ?1 AND sha256 = ?2 AND code = ?3
         AND (transaction_id = ?4 OR invoice_number = ?5) AND state IN ('queued', 'sending', 'unknown', 'sent')
         LIMIT 1"
    );
    let (id, invoice) = (upload.transaction_id, &upload.invoice_number);
    let same = params![profile.id, upload.sha256, upload.code, id, invoice];
    if let Some(before) = transaction.query_row(&sql, same, read_view).optional()? {
        return Ok((before, UploadInsert::Before));
    }
    let own = fresh_id(&transaction)?;
    let (state, message) = first_state(&transaction)?;
    transaction.execute(
        "INSERT INTO document_uploads (id, profile_id, profile_name, environment, transaction_id, invoice_number,
         name, code, file_name, kind, bytes, sha256, state, created_at, created_by, day,
         content_file, address, message, copied)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?18, ?13, ?14, ?15, ?16, ?17, ?19, ?20)",
        params![
            own,
            profile.id,
            profile.name,
            serde_json::to_string(&profile.environment)?,
            id,
            invoice,
            upload.name,
            upload.code,
            upload.file_name,
            upload.kind,
            i64::try_from(upload.bytes).unwrap_or(i64::MAX),
            upload.sha256,
            now.at,
            now.by,
            day,
            upload.content_file,
            bound_address(profile),
            Word(state),
            message,
            state == UploadState::Unknown,
        ],
    )?;
    if !content.bytes.is_empty() || content.place > 0 {
        let sql = "INSERT INTO document_contents (upload, content, place, stored_name)
             SELECT seq, ?2, ?3, ?4 FROM document_uploads WHERE id = ?1";
        transaction.execute(sql, params![own, content.bytes, content.place, content.name])?;
    }
    let view = load_upload(&transaction, &own)?;
    transaction.commit()?;
    Ok((view, UploadInsert::New))
}

/// Queued, or in a copy of a data folder to be looked up first; with its message.
fn first_state(connection: &Connection) -> Result<(UploadState, String), StoreError> {
    let (state, message) = place::first_state(connection)?;
    Ok((if state == BatchState::Queued { UploadState::Queued } else { UploadState::Unknown }, message))
}

/// Whether an upload is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadInsert {
    /// It is new.
    New,
    /// The same document was stored before: that upload is returned.
    Before,
}

fn read_view(row: &Row<'_>) -> Result<UploadView, DatabaseError> {
    let state = row.get::<Word<UploadState>>(1)?.0;
    let evidence: Option<String> = row.get(17)?;
    let id: Option<i64> = row.get(2)?;
    let environment: String = row.get(11)?;
    let has_ended_unsent = matches!(state, UploadState::Refused | UploadState::Canceled);
    let has_copy: bool = row.get(18)?;
    let mut message: String = row.get(12)?;
    if has_ended_unsent && !has_copy {
        message = format!("{message} {LET_GO}").trim().to_owned();
    }
    Ok(UploadView {
        id: row.get(0)?,
        state,
        transaction_id: id.map(|id| id.to_string()).unwrap_or_default(),
        invoice_number: row.get::<Option<String>>(3)?.unwrap_or_default(),
        code: row.get(4)?,
        name: row.get(5)?,
        file_name: row.get(6)?,
        kind: row.get(7)?,
        bytes: row.get(8)?,
        sent_bytes: 0,
        sha256: row.get(9)?,
        profile: row.get(10)?,
        // If it can't be read, assume the one that needs the most care.
        environment: serde_json::from_str(&environment).unwrap_or(Environment::Production),
        message,
        created_at: row.get(13)?,
        by: row.get(14)?,
        ended_at: row.get(15)?,
        can_cancel: state == UploadState::Queued,
        can_retry: has_ended_unsent && has_copy,
        asks: row.get(16)?,
        stage: state.stage(),
        evidence: evidence.and_then(|evidence| serde_json::from_str(&evidence).ok()),
    })
}

fn load_upload(connection: &Connection, id: &str) -> Result<UploadView, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM document_uploads WHERE id = ?1");
    let found = connection.query_row(&sql, [id], read_view).optional()?;
    found.ok_or(StoreError::Missing("upload"))
}

/// The queue, newest first.
pub fn load_queue(connection: &Connection) -> Result<UploadQueue, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM document_uploads ORDER BY seq DESC LIMIT {LISTED}");
    let uploads: Vec<UploadView> = list_rows(connection, &sql, [], read_view)?;
    let open = "state IN ('queued', 'sending', 'unknown')";
    let sums = format!(
        "SELECT count(*) FILTER (WHERE {open}), CAST(coalesce(sum(bytes) FILTER (WHERE {open}), 0) AS BIGINT),
         count(*) FILTER (WHERE state = 'refused'), min(seq) FILTER (WHERE {open}) FROM document_uploads"
    );
    let (open, open_bytes, refused, first): (u32, u64, u32, Option<i64>) =
        connection.query_row(&sums, [], |row| row.try_into())?;
    let ended = "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM document_uploads WHERE state = 'sent' AND seq > ?1";
    let ended_bytes = match first {
        Some(first) => connection.query_row(ended, [first], |row| row.get(0))?,
        None => 0,
    };
    Ok(UploadQueue { uploads, open, open_bytes, ended_bytes, refused })
}

/// Uploads of one transaction, newest first, also by its invoice number.
pub fn of_transaction(
    connection: &Connection,
    profile_id: &str,
    id: i64,
    invoice: Option<&str>,
) -> Result<Vec<UploadView>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM document_uploads WHERE profile_id = ?1
         AND (transaction_id = ?2 OR (transaction_id IS NULL AND invoice_number = ?3)) ORDER BY seq DESC LIMIT {LISTED}"
    );
    let uploads = list_rows(connection, &sql, params![profile_id, id, invoice], read_view)?;
    Ok(uploads)
}

/// Transaction by number or invoice, document code, and whether it was sent.
pub type AvailableCodes = Vec<(Option<i64>, Option<String>, String, bool)>;

/// Codes of a profile's transactions that are there or being sent, by number or invoice.
pub fn available_codes(connection: &Connection, profile_id: &str) -> Result<AvailableCodes, StoreError> {
    let sql = "SELECT transaction_id, invoice_number, code, state = 'sent' FROM document_uploads
         WHERE profile_id = ?1 AND state IN ('queued', 'sending', 'unknown', 'sent')";
    list_rows(connection, sql, [profile_id], |row| row.try_into())
}

const OPEN_COLUMNS: &str = "seq, id, state, profile_id, environment, address, transaction_id, invoice_number, name, code, \
                            file_name, sha256, bytes, content_file, observed_ms, copied = 0";

fn open_upload(row: &Row<'_>) -> Result<OpenUpload, DatabaseError> {
    let environment: String = row.get(4)?;
    Ok(OpenUpload {
        seq: row.get(0)?,
        id: row.get(1)?,
        state: row.get::<Word<_>>(2)?.0,
        destination: Destination {
            profile_id: row.get(3)?,
            environment: serde_json::from_str(&environment).unwrap_or(Environment::Production),
            address: row.get(5)?,
        },
        transaction_id: row.get(6)?,
        invoice_number: row.get(7)?,
        name: row.get(8)?,
        code: row.get(9)?,
        file_name: row.get(10)?,
        sha256: row.get(11)?,
        bytes: row.get(12)?,
        content_file: row.get(13)?,
        observed_ms: row.get(14)?,
        was_sent: row.get(15)?,
    })
}

/// Unfinished uploads that don't wait for a person's decision, oldest first; bounded. Or only this one.
pub async fn open_uploads(store: &Store, only: Option<i64>) -> Result<Vec<OpenUpload>, StoreError> {
    store
        .with_connection(move |connection| {
            let sql = format!(
                "SELECT {OPEN_COLUMNS} FROM document_uploads
                 WHERE state IN ('queued', 'sending', 'unknown') AND asks = 0 AND seq = coalesce(?1, seq)
                 ORDER BY seq LIMIT 2000"
            );
            list_rows(connection, &sql, [only], open_upload)
        })
        .await
}

/// Up to this many documents that the service is known to have: sent earlier from here to the same place, newest
/// first.
pub async fn known_uploads(
    store: &Store,
    upload: &OpenUpload,
    most: u32,
) -> Result<Vec<OpenUpload>, StoreError> {
    let upload = upload.clone();
    store
        .with_connection(move |connection| {
            let sql = format!(
                "SELECT {OPEN_COLUMNS} FROM document_uploads WHERE state = 'sent' AND profile_id = ?1 AND address = ?2
                 AND transaction_id IS NOT NULL ORDER BY seq DESC LIMIT ?3"
            );
            let place = &upload.destination;
            list_rows(connection, &sql, params![place.profile_id, place.address, most], open_upload)
        })
        .await
}

/// Whether more documents of the same profile are being sent to the same transaction.
pub async fn more_for_target(store: &Store, upload: &OpenUpload) -> Result<bool, StoreError> {
    let upload = upload.clone();
    store
        .with_connection(move |connection| {
            let mut statement = connection.prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM document_uploads WHERE state IN ('queued', 'sending', 'unknown')
             AND profile_id = ?1 AND transaction_id IS NOT DISTINCT FROM ?2
             AND invoice_number IS NOT DISTINCT FROM ?3 AND seq <> ?4)",
        )?;
            let target = params![
                upload.destination.profile_id,
                upload.transaction_id,
                upload.invoice_number,
                upload.seq
            ];
            Ok(statement.query_row(target, |row| row.get(0))?)
        })
        .await
}

/// Marks uploads as unknown that were being sent when an earlier process ended: all of them, or in an office one.
/// Called once no one else sends them.
pub async fn recover_uploads(store: &Store, only: Option<i64>) -> Result<(), StoreError> {
    store
        .run_durably(move |connection| {
            let sql = "UPDATE document_uploads SET state = 'unknown' WHERE state = 'sending' AND seq = coalesce(?1, seq)";
            connection.execute(sql, [only])?;
            Ok(())
        })
        .await
}

/// The profile of an upload.
pub async fn profile_of_upload(store: &Store, id: String) -> Result<String, StoreError> {
    store
        .with_connection(move |connection| {
            let sql = "SELECT profile_id FROM document_uploads WHERE id = ?1";
            let found = connection.query_row(sql, [&id], |row| row.get(0)).optional()?;
            found.ok_or(StoreError::Missing("upload"))
        })
        .await
}

/// Names of all copies in the data folder that are still needed.
pub async fn upload_files(store: &Store) -> Result<HashSet<String>, StoreError> {
    store
        .with_own_connection(|connection| {
            let sql = "SELECT content_file FROM document_uploads WHERE content_file <> ''";
            Ok(list_rows(connection, sql, [], |row| row.get(0))?.into_iter().collect())
        })
        .await
}

/// The content of an upload, from the store itself or the office's file storage.
pub async fn upload_content(store: &Store, seq: i64) -> Result<Vec<u8>, StoreError> {
    let sql = "SELECT content, place, stored_name FROM document_contents WHERE upload = ?1";
    let find =
        move |connection: &mut Connection| Ok(connection.query_row(sql, [seq], StoredContent::of_row)?);
    read_contents(store, vec![store.with_connection(find).await?]).await
}

/// A change of an upload in one step.
#[derive(Clone, Debug, Default)]
pub struct UploadChange {
    /// Its state afterwards.
    pub to: UploadState,
    /// Message to the person about it; empty for none.
    pub message: String,
    /// Evidence for the state.
    pub evidence: Option<StageEvidence>,
    /// The service's number of its transaction, once it is known.
    pub transaction_id: Option<i64>,
    /// Text for the audit log, such as `is sent again`; empty for none.
    pub audit: String,
    /// It waits for a person's decision.
    pub asks: bool,
}

impl UploadChange {
    /// A change of the state only.
    pub fn to(to: UploadState) -> UploadChange {
        UploadChange { to, ..UploadChange::default() }
    }
}

/// Changes an upload if its state is still the one that was read; returns whether it was. A sent document goes into
/// the audit log, and its copy is no longer needed; a refused one keeps its copy, so that it can be sent again.
pub async fn change_upload(
    store: &Store,
    upload: &OpenUpload,
    change: UploadChange,
    now: ActorTimestamp,
) -> Result<bool, StoreError> {
    let (upload, folder) = (upload.clone(), store.folder().to_owned());
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction()?;
            let changed = apply_change(&transaction, &upload, &change, &now)?;
            let is_send = changed && change.to == UploadState::Sending;
            let sends = is_send.then(|| place::count_send(&transaction)).transpose()?.flatten();
            transaction.commit()?;
            sends.into_iter().for_each(|sends| place::leave_witness(&folder, sends));
            Ok(changed)
        })
        .await
}

fn apply_change(
    connection: &Connection,
    upload: &OpenUpload,
    change: &UploadChange,
    now: &ActorTimestamp,
) -> Result<bool, StoreError> {
    let evidence = change.evidence.clone().map(|evidence| StageEvidence { at: now.at.clone(), ..evidence });
    let moved = connection.execute(
        "UPDATE document_uploads SET state = ?1, message = ?2, ended_at = ?3, asks = ?4,
         transaction_id = coalesce(?5, transaction_id), evidence = coalesce(?6, evidence),
         observed_ms = CASE WHEN state = ?1 THEN observed_ms ELSE 0 END,
         copied = CASE WHEN ?1 = 'sending' THEN 0 ELSE copied END WHERE seq = ?7 AND state = ?8",
        params![
            Word(change.to),
            change.message,
            change.to.is_ended().then_some(&now.at),
            change.asks,
            change.transaction_id,
            evidence.map(|evidence| serde_json::to_string(&evidence)).transpose()?,
            upload.seq,
            Word(upload.state),
        ],
    )?;
    if moved == 0 {
        return Ok(false);
    }
    let target = change.transaction_id.or(upload.transaction_id).map_or_else(
        || format!("invoice {}", upload.invoice_number.as_deref().unwrap_or_default()),
        |id| format!("transaction {id}"),
    );
    let named = format!("{} ({}) for {target}, SHA-256 {}", upload.file_name, upload.code, upload.sha256);
    if !change.audit.is_empty() {
        append_audit(connection, &now.at, &now.by, &format!("Document {named}: {}", change.audit))?;
    }
    if change.to == UploadState::Sent {
        connection.execute("DELETE FROM document_contents WHERE upload = ?1", [upload.seq])?;
        connection.execute("UPDATE document_uploads SET content_file = '' WHERE seq = ?1", [upload.seq])?;
        append_audit(connection, &now.at, &now.by, &format!("Uploaded {named}"))?;
        // Refreshes batches whose rows miss the document.
        bump_revision(connection)?;
    }
    Ok(true)
}

/// Stores the reason why an upload waits.
pub async fn keep_upload_message(store: &Store, seq: i64, message: String) -> Result<(), StoreError> {
    store
        .with_connection(move |connection| {
            let sql = "UPDATE document_uploads SET message = ?2 WHERE seq = ?1 AND message <> ?2";
            connection.execute(sql, params![seq, message])?;
            Ok(())
        })
        .await
}

/// Adds time for which a lost upload was looked up while the service answered.
pub async fn add_observed(store: &Store, seq: i64, ms: i64) -> Result<(), StoreError> {
    store
        .with_connection(move |connection| {
            let sql = "UPDATE document_uploads SET observed_ms = observed_ms + ?2 WHERE seq = ?1";
            connection.execute(sql, params![seq, ms])?;
            Ok(())
        })
        .await
}

/// Carries out a person's decision about an upload whose answer was lost. Returns the upload as it was, or `None`
/// where no answer is lost.
pub async fn decide_upload(
    store: &Store,
    id: String,
    decision: LostDecision,
    now: ActorTimestamp,
) -> Result<Option<OpenUpload>, StoreError> {
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction()?;
            load_upload(&transaction, &id)?;
            let sql =
                format!("SELECT {OPEN_COLUMNS} FROM document_uploads WHERE id = ?1 AND state = 'unknown'");
            let Some(upload) = transaction.query_row(&sql, [&id], open_upload).optional()? else {
                return Ok(None);
            };
            let (to, said, audit) = match decision {
                LostDecision::Arrived => (
                    UploadState::Sent,
                    "it arrived",
                    "arrived, as a person confirmed; the service was not asked.",
                ),
                LostDecision::SendAgain => (
                    UploadState::Queued,
                    "it did not arrive",
                    "did not arrive, as a person confirmed; it is sent again.",
                ),
                LostDecision::LookAgain => {
                    (UploadState::Unknown, "look again", "is looked up once more, as a person requested.")
                }
            };
            let answer = format!("{}: {said}", now.by);
            let evidence = StageEvidence::of("a person was asked whether it arrived", answer);
            let evidence = (decision != LostDecision::LookAgain).then_some(evidence);
            let change = UploadChange { evidence, audit: audit.to_owned(), ..UploadChange::to(to) };
            apply_change(&transaction, &upload, &change, &now)?;
            transaction
                .execute("UPDATE document_uploads SET observed_ms = 0 WHERE seq = ?1", [upload.seq])?;
            transaction.commit()?;
            Ok(Some(upload))
        })
        .await
}

/// Cancels an upload that hasn't begun, or queues one again that was refused or canceled.
pub async fn turn_upload(
    store: &Store,
    id: String,
    to: UploadState,
    now: ActorTimestamp,
) -> Result<bool, StoreError> {
    store
        .run_durably(move |connection| {
            let found = load_upload(connection, &id)?;
            let may = match to {
                UploadState::Canceled => found.can_cancel,
                _ => found.can_retry,
            };
            if !may {
                return Ok(false);
            }
            let (to, message) =
                if to == UploadState::Queued { first_state(connection)? } else { (to, String::new()) };
            let ended = to.is_ended().then_some(now.at);
            let moved = connection.execute(
                "UPDATE document_uploads SET state = ?1, message = ?5, ended_at = ?2, evidence = NULL,
             copied = CASE WHEN ?1 = 'unknown' THEN 1 ELSE 0 END WHERE id = ?3 AND state = ?4",
                params![Word(to), ended, id, Word(found.state), message],
            )?;
            Ok(moved == 1)
        })
        .await
}
