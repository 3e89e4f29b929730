//! From rows to stored transactions: each own id exactly once.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_contract::{
    DOCUMENT_BYTES_MAX, DOCUMENT_TOO_LARGE, DocumentOutcome, ImportDocument, ImportTransaction, ResultStatus,
    TransactionStatus, document_fault,
};
use bordereau_service_store::documents::{self, NewDocument};
use bordereau_service_store::filings::{self, KnownFiling, NewFiling};
use bordereau_tax::{LocalTables, RuleBook};
use chrono::NaiveDate;
use rusqlite::Connection;
use serde::Serialize;

use super::assess::{AssessmentMessages, TransactionAssessment, assess_transaction};
use super::form::nonblank_text;
use crate::secrets;

/// A document as it is kept.
pub(crate) struct DecodedFile {
    pub(crate) content: Vec<u8>,
    pub(crate) sha256: String,
}

/// The file of a document; `None` if it is not base64.
fn decode_content(document: &ImportDocument) -> Option<DecodedFile> {
    Some(hash_content(STANDARD.decode(&document.content).ok()?))
}

/// The file of a document, or why it is refused: its base64 cannot be read, it is empty, too large, or not
/// what its name says.
pub(crate) fn decode_file(document: &ImportDocument) -> Result<DecodedFile, String> {
    if document.content.len() > DOCUMENT_BYTES_MAX.div_ceil(3) * 4 {
        return Err(DOCUMENT_TOO_LARGE.to_owned());
    }
    let content = STANDARD.decode(&document.content);
    let content = content.map_err(|_| "The content is not base64.".to_owned())?;
    match document_fault(&document.file_name, &content) {
        Some(why) => Err(why),
        None => Ok(hash_content(content)),
    }
}

fn hash_content(content: Vec<u8>) -> DecodedFile {
    let sha256 = secrets::hash(&content);
    DecodedFile { content, sha256 }
}

/// A row with all that can be known of it without the database.
pub(super) struct PreparedFiling {
    own_id: String,
    policy_number: Option<String>,
    invoice_number: Option<String>,
    policy_effective_date: Option<String>,
    transaction_effective_date: Option<String>,
    documents: Vec<ImportDocument>,
    files: Vec<Option<DecodedFile>>,
    opinion: TransactionAssessment,
    body: String,
    content_hash: String,
}

/// Looks at a row and makes it ready to be stored.
pub(super) fn prepare_row(
    mut row: ImportTransaction,
    rules: &RuleBook,
    local: &LocalTables,
    today: NaiveDate,
) -> PreparedFiling {
    let opinion = assess_transaction(&row, rules, local, today);
    let sent = std::mem::take(&mut row.documents);
    let files = sent.iter().map(decode_content).collect();
    let documents = sent.into_iter().map(|document| ImportDocument { content: String::new(), ..document });
    let body = serde_json::to_string(&row).expect("amounts and strings serialize");
    let content_hash = secrets::hash(&body);
    // The rest of the row is not needed for storing: the body has it.
    PreparedFiling {
        own_id: row.id,
        policy_number: row.policy_number,
        invoice_number: row.invoice_number,
        policy_effective_date: row.policy_effective_date,
        transaction_effective_date: row.transaction_effective_date,
        documents: documents.collect(),
        files,
        opinion,
        body,
        content_hash,
    }
}

/// The result of one row as it travels.
#[derive(Serialize)]
struct RowResult<'a> {
    id: &'a str,
    policy_number: Option<&'a str>,
    transaction_id: i64,
    status: i64,
    status_message: &'static str,
    warnings: &'a AssessmentMessages,
    errors: &'a AssessmentMessages,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<DocumentOutcome>,
}

/// Stores rows of one import inside one transaction of the database.
pub(super) struct RowWriter<'a> {
    pub(super) db: &'a Connection,
    pub(super) account_id: &'a str,
    pub(super) batch_seq: i64,
    /// Seconds since 1970.
    pub(super) now: i64,
}

impl RowWriter<'_> {
    /// Stores a row: its result as JSON.
    pub(super) fn store_row(&self, prepared: PreparedFiling) -> rusqlite::Result<String> {
        let PreparedFiling { documents, files, mut opinion, .. } = prepared;
        let complete = opinion.missing.is_empty();
        let status = if complete { TransactionStatus::Submitted } else { TransactionStatus::Saved };
        let filing = NewFiling {
            account_id: self.account_id,
            own_id: &prepared.own_id,
            batch_seq: self.batch_seq,
            content_hash: &prepared.content_hash,
            status: status.wire_number(),
            invoice_number: nonblank_text(prepared.invoice_number.as_deref()),
            policy_effective_date: nonblank_text(prepared.policy_effective_date.as_deref()),
            // Where none is given it is the policy's, in the record and in the search.
            transaction_effective_date: nonblank_text(prepared.transaction_effective_date.as_deref())
                .or(nonblank_text(prepared.policy_effective_date.as_deref())),
            body: &prepared.body,
            now: self.now,
        };
        let (id, outcome) = match filings::add(self.db, &filing)? {
            Some(id) => (id, StoredRowOutcome::New),
            None => {
                let known = filings::find_known(self.db, self.account_id, filing.own_id)?;
                let outcome = StoredRowOutcome::from_known(&known, &filing);
                if outcome == StoredRowOutcome::Updated {
                    filings::replace_filing(self.db, known.id, &filing)?;
                }
                for code in documents::document_codes(self.db, self.account_id, filing.own_id)? {
                    opinion.warnings.has_document(&code);
                }
                (known.id, outcome)
            }
        };
        if let StoredRowOutcome::Refused(why) = &outcome {
            opinion = TransactionAssessment::default();
            opinion.missing.add_message("id", why.clone());
        }
        let refused = matches!(outcome, StoredRowOutcome::Refused(_));
        let documents =
            if refused { Vec::new() } else { attach_documents(self.db, id, documents, files, self.now)? };
        let (status, status_message) = outcome.words(complete, opinion.warnings.is_empty());
        let result = RowResult {
            id: &prepared.own_id,
            policy_number: prepared.policy_number.as_deref(),
            transaction_id: id,
            status: status.wire_number(),
            status_message,
            warnings: &opinion.warnings,
            errors: &opinion.missing,
            documents,
        };
        Ok(serde_json::to_string(&result).expect("texts and numbers serialize"))
    }
}

fn attach_documents(
    db: &Connection,
    id: i64,
    documents: Vec<ImportDocument>,
    files: Vec<Option<DecodedFile>>,
    now: i64,
) -> rusqlite::Result<Vec<DocumentOutcome>> {
    let mut outcomes = Vec::with_capacity(documents.len());
    for (document, file) in documents.into_iter().zip(files) {
        if let Some(file) = &file {
            let new = NewDocument {
                name: &document.name,
                code: &document.code,
                file_name: &document.file_name,
                sha256: &file.sha256,
                content: &file.content,
            };
            documents::insert(db, id, &new, now)?;
        }
        outcomes.push(DocumentOutcome {
            name: document.name,
            code: document.code,
            file_name: document.file_name,
            imported: file.is_some(),
            reason: if file.is_some() { None } else { Some("The content is not base64.".into()) },
            sha256: file.map(|file| file.sha256),
        });
    }
    Ok(outcomes)
}

/// What became of a row.
#[derive(Debug, PartialEq, Eq)]
enum StoredRowOutcome {
    New,
    /// The same was there already.
    Duplicate,
    /// A new version took the place of the old one.
    Updated,
    Refused(String),
}

impl StoredRowOutcome {
    /// A transaction with this own id is there already.
    fn from_known(known: &KnownFiling, new: &NewFiling<'_>) -> StoredRowOutcome {
        if known.content_hash == new.content_hash {
            return StoredRowOutcome::Duplicate;
        }
        if known.batch_seq == new.batch_seq {
            return StoredRowOutcome::Refused(
                "The id is in this batch more than once, with different content; the first was accepted."
                    .into(),
            );
        }
        if known.batch_seq > new.batch_seq {
            return StoredRowOutcome::Refused(
                "A later import has changed this transaction meanwhile; this version was rejected.".into(),
            );
        }
        match TransactionStatus::from_number(known.status) {
            Some(TransactionStatus::Saved | TransactionStatus::Submitted) => StoredRowOutcome::Updated,
            _ => StoredRowOutcome::Refused(format!(
                "Transaction {} has this id and other content, and can no longer be changed (status {}).",
                known.id, known.status
            )),
        }
    }

    /// The status message of the row.
    fn words(&self, complete: bool, without_warnings: bool) -> (ResultStatus, &'static str) {
        match self {
            StoredRowOutcome::Refused(_) => (ResultStatus::Failed, "Not imported: the id is taken"),
            StoredRowOutcome::Duplicate if !complete => {
                (ResultStatus::SavedIncomplete, "Duplicate: saved as incomplete before")
            }
            StoredRowOutcome::Duplicate => {
                (ResultStatus::Success, "Duplicate: imported before with the same content")
            }
            _ if !complete => {
                (ResultStatus::SavedIncomplete, "Saved as incomplete: required values are missing")
            }
            StoredRowOutcome::Updated => (ResultStatus::Success, "Updated"),
            StoredRowOutcome::New if without_warnings => (ResultStatus::Success, "Success"),
            StoredRowOutcome::New => (ResultStatus::Success, "Success, with warnings"),
        }
    }
}
