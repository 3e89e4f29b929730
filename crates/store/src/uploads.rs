//! The table `document_uploads`: each step committed before the next is taken.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use bordereau_api::*;

use crate::audit::append as append_audit;
use crate::batches::touch;
use crate::{Moment, Store, StoreError, fresh_id};

/// Uploads that are listed.
const LISTED: u32 = 500;
const COLUMNS: &str = "id, state, transaction_id, invoice_number, code, name, file_name, kind, bytes, sha256, \
                       profile_name, environment, message, created_at, created_by, ended_at";

/// The step of the schema that made it, with the table `due_marks`.
pub(crate) const CREATE_UPLOADS: &str = include_str!("documents.sql");

/// The step that added the day of an upload.
pub(crate) const ADD_UPLOAD_DAY: &str = "
    -- The person's day of an upload: the first send of a day to production is confirmed.
    ALTER TABLE document_uploads ADD COLUMN day TEXT NOT NULL DEFAULT '';
";

/// The step that moved the content into files.
pub(crate) const ADD_CONTENT_FILE: &str = "
    -- Documents on their way lie in a folder, one file each, so that none is ever whole in memory.
    ALTER TABLE document_uploads ADD COLUMN content_file TEXT NOT NULL DEFAULT '';
";

const STATES: [(UploadState, &str); 6] = [
    (UploadState::Queued, "queued"),
    (UploadState::Sending, "sending"),
    (UploadState::Unknown, "unknown"),
    (UploadState::Sent, "sent"),
    (UploadState::Refused, "refused"),
    (UploadState::Cancelled, "cancelled"),
];

/// A state as it stands in the store: the word that also crosses to the UI.
fn word(state: UploadState) -> &'static str {
    STATES.iter().find(|(each, _)| *each == state).map_or("refused", |(_, word)| word)
}

/// The state of a word.
fn state(word: &str) -> UploadState {
    STATES.iter().find(|(_, each)| *each == word).map_or(UploadState::Refused, |(state, _)| *state)
}

/// Whether nothing more happens to it by itself.
pub const fn is_ended(state: UploadState) -> bool {
    matches!(state, UploadState::Sent | UploadState::Refused | UploadState::Cancelled)
}

/// An upload that is not at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenUpload {
    /// Its number.
    pub seq: i64,
    /// Its id.
    pub id: String,
    /// How far it is.
    pub state: UploadState,
    /// The profile it goes to.
    pub profile_id: String,
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
    /// Name of its copy; empty where the store itself has the content, as versions before this one did it.
    pub content_file: String,
    /// Looked for and not found, this often in a row.
    pub not_found: u32,
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
    /// What it is by its content.
    pub kind: String,
    /// Its size.
    pub bytes: u64,
    /// Of its content.
    pub sha256: String,
    /// Name of its copy in the data folder.
    pub content_file: String,
}

/// Stores a document for upload; the same content for the same transaction and code is stored once, and the first
/// upload answers.
pub async fn insert_upload(
    store: &Store,
    profile: Profile,
    upload: NewUpload,
    now: Moment,
    day: String,
) -> Result<(UploadView, Stored), StoreError> {
    store.run_durably(move |connection| insert(connection, &profile, &upload, &now, &day)).await
}

fn insert(
    connection: &mut Connection,
    profile: &Profile,
    upload: &NewUpload,
    now: &Moment,
    day: &str,
) -> Result<(UploadView, Stored), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let sql = format!(
        "SELECT {COLUMNS} FROM document_uploads WHERE profile_id = ?1 AND sha256 = ?2 AND code = ?3
         AND (transaction_id = ?4 OR invoice_number = ?5) AND state IN ('queued', 'sending', 'unknown', 'sent')
         LIMIT 1"
    );
    let (id, invoice) = (upload.transaction_id, &upload.invoice_number);
    let same = params![profile.id, upload.sha256, upload.code, id, invoice];
    if let Some(before) = transaction.query_row(&sql, same, view).optional()? {
        return Ok((before, Stored::Before));
    }
    let own = fresh_id(&transaction)?;
    transaction.execute(
        "INSERT INTO document_uploads (id, profile_id, profile_name, environment, transaction_id, invoice_number,
         name, code, file_name, kind, bytes, sha256, state, created_at, created_by, day,
         content_file)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'queued', ?13, ?14, ?15, ?16)",
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
        ],
    )?;
    let view = one(&transaction, &own)?;
    transaction.commit()?;
    Ok((view, Stored::New))
}

/// Whether an upload is a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It is new.
    New,
    /// The same document was stored before: that upload is the answer.
    Before,
}

fn view(row: &Row<'_>) -> rusqlite::Result<UploadView> {
    let state = state(row.get_ref(1)?.as_str().unwrap_or_default());
    let id: Option<i64> = row.get(2)?;
    let environment: String = row.get(11)?;
    Ok(UploadView {
        id: row.get(0)?,
        state,
        transaction_id: id.map(|id| id.to_string()).unwrap_or_default(),
        invoice_number: row.get::<_, Option<String>>(3)?.unwrap_or_default(),
        code: row.get(4)?,
        name: row.get(5)?,
        file_name: row.get(6)?,
        kind: row.get(7)?,
        bytes: row.get::<_, i64>(8)?.unsigned_abs(),
        sent_bytes: 0,
        sha256: row.get(9)?,
        profile: row.get(10)?,
        // What cannot be read is treated as what needs the most care.
        environment: serde_json::from_str(&environment).unwrap_or(Environment::Production),
        message: row.get(12)?,
        created_at: row.get(13)?,
        by: row.get(14)?,
        ended_at: row.get(15)?,
        can_cancel: state == UploadState::Queued,
        can_retry: matches!(state, UploadState::Refused | UploadState::Cancelled),
    })
}

fn one(connection: &Connection, id: &str) -> Result<UploadView, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM document_uploads WHERE id = ?1");
    let found = connection.query_row(&sql, [id], view).optional()?;
    found.ok_or(StoreError::Missing("upload"))
}

/// The queue, newest first.
pub fn queue(connection: &Connection) -> Result<UploadQueue, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM document_uploads ORDER BY seq DESC LIMIT {LISTED}");
    let mut statement = connection.prepare_cached(&sql)?;
    let uploads: Vec<UploadView> = statement.query_map([], view)?.collect::<Result<_, _>>()?;
    let open = "state IN ('queued', 'sending', 'unknown')";
    let sums = format!(
        "SELECT count(*) FILTER (WHERE {open}), coalesce(sum(bytes) FILTER (WHERE {open}), 0),
         count(*) FILTER (WHERE state = 'refused'), min(seq) FILTER (WHERE {open}) FROM document_uploads"
    );
    let (open, open_bytes, refused, first): (u32, i64, u32, Option<i64>) =
        connection.query_row(&sums, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let ended = "SELECT coalesce(sum(bytes), 0) FROM document_uploads WHERE state = 'sent' AND seq > ?1";
    let ended_bytes: i64 = match first {
        Some(first) => connection.query_row(ended, [first], |row| row.get(0))?,
        None => 0,
    };
    Ok(UploadQueue {
        uploads,
        open,
        open_bytes: open_bytes.unsigned_abs(),
        ended_bytes: ended_bytes.unsigned_abs(),
        refused,
    })
}

/// Uploads of one transaction, newest first; those addressed by its invoice too.
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
    let mut statement = connection.prepare_cached(&sql)?;
    let uploads = statement.query_map(params![profile_id, id, invoice], view)?.collect::<Result<_, _>>()?;
    Ok(uploads)
}

/// Transaction by number or invoice, document code, and whether it was sent.
pub type OnTheirWay = Vec<(Option<i64>, Option<String>, String, bool)>;

/// Codes that are there or on their way for a profile's transactions, by number or invoice.
pub fn on_their_way(connection: &Connection, profile_id: &str) -> Result<OnTheirWay, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT transaction_id, invoice_number, code, state = 'sent' FROM document_uploads
         WHERE profile_id = ?1 AND state IN ('queued', 'sending', 'unknown', 'sent')",
    )?;
    let rows = statement
        .query_map([profile_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
        .collect::<Result<_, _>>()?;
    Ok(rows)
}

/// Uploads that are not at their end, the oldest first; bounded.
pub async fn open_uploads(store: &Store) -> Result<Vec<OpenUpload>, StoreError> {
    store.run(|connection| {
        let mut statement = connection.prepare_cached(
            "SELECT seq, state, profile_id, transaction_id, invoice_number, name, code, file_name, sha256, bytes,
             not_found, id, content_file FROM document_uploads WHERE state IN ('queued', 'sending', 'unknown') ORDER BY seq LIMIT 2000",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(OpenUpload {
                seq: row.get(0)?,
                state: state(row.get_ref(1)?.as_str().unwrap_or_default()),
                profile_id: row.get(2)?,
                transaction_id: row.get(3)?,
                invoice_number: row.get(4)?,
                name: row.get(5)?,
                code: row.get(6)?,
                file_name: row.get(7)?,
                sha256: row.get(8)?,
                bytes: row.get::<_, i64>(9)?.unsigned_abs(),
                not_found: row.get(10)?,
                id: row.get(11)?,
                content_file: row.get(12)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    })
    .await
}

/// Whether more of the same profile is on its way to the same transaction.
pub async fn more_for_target(store: &Store, upload: &OpenUpload) -> Result<bool, StoreError> {
    let upload = upload.clone();
    store
        .run(move |connection| {
            let mut statement = connection.prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM document_uploads WHERE state IN ('queued', 'sending', 'unknown')
             AND profile_id = ?1 AND transaction_id IS ?2 AND invoice_number IS ?3 AND seq <> ?4)",
        )?;
            let target = params![upload.profile_id, upload.transaction_id, upload.invoice_number, upload.seq];
            Ok(statement.query_row(target, |row| row.get(0))?)
        })
        .await
}

/// After a start: what was being sent when an earlier process ended has an unknown outcome.
pub async fn recover_uploads(store: &Store) -> Result<(), StoreError> {
    store
        .run_durably(|connection| {
            connection
                .execute("UPDATE document_uploads SET state = 'unknown' WHERE state = 'sending'", [])?;
            Ok(())
        })
        .await
}

/// Names of all copies that are still needed.
pub async fn upload_files(store: &Store) -> Result<HashSet<String>, StoreError> {
    store
        .run(|connection| {
            let sql = "SELECT content_file FROM document_uploads WHERE content_file <> ''";
            let mut statement = connection.prepare(sql)?;
            let files = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            Ok(files)
        })
        .await
}

/// The content of an upload that the store itself has.
pub async fn upload_content(store: &Store, seq: i64) -> Result<Vec<u8>, StoreError> {
    store
        .run(move |connection| {
            let sql = "SELECT content FROM document_contents WHERE upload = ?1";
            Ok(connection.query_row(sql, [seq], |row| row.get(0))?)
        })
        .await
}

/// Moves an upload on, only from the state it was seen in; says whether it did.
pub async fn move_upload(
    store: &Store,
    upload: &OpenUpload,
    to: UploadState,
    message: String,
    not_found: u32,
) -> Result<bool, StoreError> {
    let (seq, from) = (upload.seq, upload.state);
    store.run_durably(move |connection| {
        let moved = connection.execute(
            "UPDATE document_uploads SET state = ?1, message = ?2, not_found = ?3 WHERE seq = ?4 AND state = ?5",
            params![word(to), message, not_found, seq, word(from)],
        )?;
        Ok(moved == 1)
    })
    .await
}

/// Ends an upload. What was sent is told in the audit log and its copy no longer needed; what was refused is
/// kept, so that it can be sent again.
pub async fn end_upload(
    store: &Store,
    upload: &OpenUpload,
    to: UploadState,
    message: String,
    transaction_id: Option<i64>,
    now: Moment,
) -> Result<(), StoreError> {
    let upload = upload.clone();
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let id = transaction_id.or(upload.transaction_id);
            transaction.execute(
                "UPDATE document_uploads SET state = ?1, message = ?2, ended_at = ?3, transaction_id = ?4
             WHERE seq = ?5",
                params![word(to), message, now.at, id, upload.seq],
            )?;
            if to == UploadState::Sent {
                transaction.execute("DELETE FROM document_contents WHERE upload = ?1", [upload.seq])?;
                transaction
                    .execute("UPDATE document_uploads SET content_file = '' WHERE seq = ?1", [upload.seq])?;
                let target = id.map_or_else(
                    || format!("invoice {}", upload.invoice_number.as_deref().unwrap_or_default()),
                    |id| format!("transaction {id}"),
                );
                let text = format!(
                    "Uploaded {} ({}) for {target}, SHA-256 {}",
                    upload.file_name, upload.code, upload.sha256
                );
                append_audit(&transaction, &now.at, &now.by, &text)?;
                // Batches whose rows missed it are shown anew.
                touch(&transaction)?;
            }
            transaction.commit()?;
            Ok(())
        })
        .await
}

/// Takes an upload back that was not begun, or puts one that ended without success back into the queue.
pub async fn turn_upload(
    store: &Store,
    id: String,
    to: UploadState,
    now: Moment,
) -> Result<bool, StoreError> {
    store
        .run_durably(move |connection| {
            let found = one(connection, &id)?;
            let may = match to {
                UploadState::Cancelled => found.can_cancel,
                _ => found.can_retry,
            };
            if !may {
                return Ok(false);
            }
            let ended = is_ended(to).then_some(now.at);
            let moved = connection.execute(
                "UPDATE document_uploads SET state = ?1, message = '', not_found = 0, ended_at = ?2
             WHERE id = ?3 AND state = ?4",
                params![word(to), ended, id, word(found.state)],
            )?;
            Ok(moved == 1)
        })
        .await
}
