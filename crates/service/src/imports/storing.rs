//! From rows to stored transactions: each own id exactly once.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_contract::{
    DOCUMENT_BYTES_MAX, DocumentOutcome, ImportDocument, ImportTransaction, ResultStatus, TransactionStatus,
    document_fault,
};
use bordereau_tax::{Local, RuleBook};
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::assess::{Messages, Opinion, assess};
use super::form::given;
use crate::secrets;
use crate::store::documents::{self, NewDocument};
use crate::store::filings::{self, Known, NewFiling};

/// A document as it is kept.
pub(crate) struct Decoded {
    pub(crate) content: Vec<u8>,
    pub(crate) sha256: String,
}

/// The file of a document; `None` if it is not base64.
fn decoded(document: &ImportDocument) -> Option<Decoded> {
    Some(hashed(STANDARD.decode(&document.content).ok()?))
}

/// The file of a document, or why it is not taken: its base64 cannot be read, it is empty, too large, or not
/// what its name says.
pub(crate) fn file(document: &ImportDocument) -> Result<Decoded, String> {
    if document.content.len() > DOCUMENT_BYTES_MAX.div_ceil(3) * 4 {
        return Err(format!("The file is larger than {DOCUMENT_BYTES_MAX} bytes."));
    }
    let content = STANDARD.decode(&document.content);
    let content = content.map_err(|error| format!("The content is not base64: {error}."))?;
    match document_fault(&document.file_name, &content) {
        Some(why) => Err(why),
        None => Ok(hashed(content)),
    }
}

fn hashed(content: Vec<u8>) -> Decoded {
    let sha256 = secrets::hex(&Sha256::digest(&content).into());
    Decoded { content, sha256 }
}

/// A row with all that can be known of it without the database.
pub(super) struct Prepared {
    own_id: String,
    policy_number: Option<String>,
    invoice_number: Option<String>,
    policy_effective_date: Option<String>,
    transaction_effective_date: Option<String>,
    documents: Vec<ImportDocument>,
    files: Vec<Option<Decoded>>,
    opinion: Opinion,
    body: String,
    content_hash: String,
}

/// Looks at a row and makes it ready to be stored.
pub(super) fn prepare(mut row: ImportTransaction, rules: &RuleBook, local: &Local, today: Date) -> Prepared {
    let opinion = assess(&row, rules, local, today);
    let sent = std::mem::take(&mut row.documents);
    let files = sent.iter().map(decoded).collect();
    let documents = sent.into_iter().map(|document| ImportDocument { content: String::new(), ..document });
    let body = serde_json::to_string(&row).expect("amounts and strings serialise");
    let content_hash = secrets::hex(&Sha256::digest(&body).into());
    // The rest of the row is not carried to where it is stored: the body has it.
    Prepared {
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

/// The result of one row, as it travels.
#[derive(Serialize)]
pub(super) struct RowResult {
    id: String,
    policy_number: Option<String>,
    transaction_id: Option<i64>,
    status: i64,
    status_message: &'static str,
    warnings: Messages,
    errors: Messages,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<DocumentOutcome>,
}

/// Stores a row inside the transaction of its chunk.
pub(super) fn store(
    db: &Connection,
    account_id: &str,
    batch_seq: i64,
    prepared: Prepared,
    now: i64,
) -> rusqlite::Result<RowResult> {
    let Prepared { documents, files, mut opinion, body, content_hash, .. } = prepared;
    let complete = opinion.missing.is_empty();
    let status = if complete { TransactionStatus::Submitted } else { TransactionStatus::Saved };
    let filing = NewFiling {
        account_id,
        own_id: &prepared.own_id,
        batch_seq,
        content_hash: &content_hash,
        status: status.number(),
        invoice_number: given(prepared.invoice_number.as_deref()),
        policy_effective_date: given(prepared.policy_effective_date.as_deref()),
        // Where none is given it is the policy's, in the record and in the search.
        transaction_effective_date: given(prepared.transaction_effective_date.as_deref())
            .or(given(prepared.policy_effective_date.as_deref())),
        body: &body,
        now,
    };
    let (id, outcome) = match filings::insert(db, &filing)? {
        Some(id) => (id, Outcome::New),
        None => {
            let known = filings::known(db, account_id, &prepared.own_id)?;
            let outcome = Outcome::of(&known, &filing);
            if outcome == Outcome::Updated {
                filings::replace(db, known.id, &filing)?;
            }
            for code in documents::codes(db, account_id, &prepared.own_id)? {
                opinion.warnings.has_document(&code);
            }
            (known.id, outcome)
        }
    };
    let refused = matches!(outcome, Outcome::Refused(_));
    let documents = if refused { Vec::new() } else { attach(db, id, documents, files, now)? };
    Ok(result(prepared.own_id, prepared.policy_number, id, outcome, opinion, documents))
}

fn attach(
    db: &Connection,
    id: i64,
    documents: Vec<ImportDocument>,
    files: Vec<Option<Decoded>>,
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
enum Outcome {
    New,
    /// The same was there already.
    Duplicate,
    /// A new version took the place of the old one.
    Updated,
    Refused(String),
}

impl Outcome {
    /// A transaction with this own id is there already.
    fn of(known: &Known, new: &NewFiling<'_>) -> Outcome {
        if known.content_hash == new.content_hash {
            return Outcome::Duplicate;
        }
        if known.batch_seq == new.batch_seq {
            return Outcome::Refused(
                "The id stands in this batch more than once, with different content; the first was taken."
                    .into(),
            );
        }
        if known.batch_seq > new.batch_seq {
            return Outcome::Refused(
                "A later import has changed this transaction meanwhile; this version was not taken.".into(),
            );
        }
        match TransactionStatus::of(known.status) {
            Some(TransactionStatus::Saved | TransactionStatus::Submitted) => Outcome::Updated,
            _ => Outcome::Refused(format!(
                "Transaction {} has this id and other content, and can no longer be changed (status {}).",
                known.id, known.status
            )),
        }
    }
}

fn result(
    own_id: String,
    policy_number: Option<String>,
    id: i64,
    outcome: Outcome,
    opinion: Opinion,
    documents: Vec<DocumentOutcome>,
) -> RowResult {
    let saved = !opinion.missing.is_empty();
    let mut errors = opinion.missing;
    let mut warnings = opinion.warnings;
    let (status, message) = match outcome {
        Outcome::Refused(why) => {
            errors = Messages::default();
            warnings = Messages::default();
            errors.say("id", why);
            (ResultStatus::Failed, "Not imported: the id is taken")
        }
        Outcome::Duplicate if saved => {
            (ResultStatus::SavedIncomplete, "Duplicate: saved as incomplete before")
        }
        Outcome::Duplicate => (ResultStatus::Success, "Duplicate: imported before with the same content"),
        _ if saved => (ResultStatus::SavedIncomplete, "Saved as incomplete: required values are missing"),
        Outcome::Updated => (ResultStatus::Success, "Updated"),
        Outcome::New if warnings.is_empty() => (ResultStatus::Success, "Success"),
        Outcome::New => (ResultStatus::Success, "Success, with warnings"),
    };
    RowResult {
        id: own_id,
        policy_number,
        transaction_id: Some(id),
        status: status.number(),
        status_message: message,
        warnings,
        errors,
        documents,
    }
}
