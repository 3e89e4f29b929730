//! Sending a document to a transaction and, after an unknown outcome, asking whether it arrived.

use std::sync::Arc;

use bordereau_contract::{DOCUMENT_BYTES_MAX, DocumentOutcome, DocumentsImported, TransactionRecord};

use super::document_body::OutgoingDocument;
use super::file::DocumentFile;
use crate::transport::RequestPayload;
use crate::{Client, ClientError, ServiceOperation, TransactionLookup};

/// Documents of one transaction that are looked into.
const LOOKED_INTO_MAX: usize = 50;

/// To which transaction a document belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentTarget {
    /// By the service's own number \[pub].
    Transaction(i64),
    /// By the invoice it was imported with \[pub]; of several the newest.
    Invoice(String),
}

impl DocumentTarget {
    /// How the transaction itself is looked up.
    pub fn transaction_lookup(&self) -> TransactionLookup {
        match self {
            DocumentTarget::Transaction(number) => TransactionLookup::TransactionId(*number),
            DocumentTarget::Invoice(number) => TransactionLookup::InvoiceNumber(number.clone()),
        }
    }
}

/// A document the service has answered for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadedDocument {
    /// The transaction it belongs to, as the service says.
    pub transaction_id: Option<i64>,
    /// Whether it was imported, and why not.
    pub outcome: DocumentOutcome,
    /// SHA-256 of what was sent, hexadecimal.
    pub sha256: String,
}

/// Whether a document is at the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentPresence {
    /// The transaction has a document with these very bytes.
    Arrived,
    /// The transaction is there and lists no such document.
    NotListed,
    /// The service shows no such transaction, which proves nothing of the document.
    NoTransaction,
    /// It has documents of this code that could not be fetched to compare them.
    Unsure,
}

impl Client {
    /// Sends one document. Its base64 is made while it is sent: neither the file nor its text is ever whole in
    /// memory. `on_sent` hears the bytes of the file that are on their way. Never repeated by itself.
    ///
    /// A document the service does not take is no error: the outcome says why.
    ///
    /// # Errors
    /// [`ClientError::NotSendable`] where the file cannot be read, is empty, larger than 25 MiB, changed while
    /// it was read, or has not the hash it must have: nothing was sent or accepted. [`ClientError::OutcomeUnknown`] where the service may have
    /// accepted it: ask [`Client::document_arrived`] before sending it again. [`ClientError::Rejected`] with 404
    /// where there is no such transaction. Others as everywhere; after those nothing was accepted.
    pub async fn upload_document(
        &self,
        to: &DocumentTarget,
        document: &DocumentFile,
        on_sent: impl Fn(u64) + Send + Sync + 'static,
    ) -> Result<UploadedDocument, ClientError> {
        let outgoing = Arc::new(OutgoingDocument::new(to, document.clone(), Arc::new(on_sent)));
        let path = fill_number(&self.inner.transport.config.paths.document_import, to)?;
        let payload = RequestPayload::Document(outgoing.clone());
        let answer =
            self.inner.send_write::<DocumentsImported>(ServiceOperation::ImportDocuments, &path, payload);
        let answer = answer.await;
        let report = outgoing.send_report();
        if let (Err(error), Some(trouble)) = (&answer, &report.trouble) {
            tracing::debug!(%error, "a document could not be read to its end");
            let reason = format!("{} cannot be read: {trouble}", document.file_name);
            return Err(ClientError::NotSendable { reason });
        }
        let (DocumentsImported { transaction_id, documents }, _) = answer?;
        let sha256 = report.sha256.unwrap_or_default();
        // Some answer with every document of the transaction.
        let is_it = |outcome: &DocumentOutcome| {
            let is_hash = |theirs: &String| theirs.eq_ignore_ascii_case(&sha256);
            outcome.sha256.as_ref().is_some_and(is_hash) || outcome.file_name.trim() == document.file_name
        };
        let at = documents.iter().position(is_it).unwrap_or_default();
        let outcome = documents.into_iter().nth(at).ok_or_else(|| {
            let detail = "the service returned no result for the document".to_owned();
            let answer = Box::new(self.unread_answers().into_iter().next().unwrap_or_default());
            ClientError::Unreadable { status: 200, path: "documents[0]".to_owned(), detail, answer }
                .of_write()
        })?;
        Ok(UploadedDocument { transaction_id, outcome: compare_hash(outcome, &sha256), sha256 })
    }

    /// Whether a document arrived: the transaction's documents of this code are fetched and compared by their
    /// SHA-256, since the record itself names no hash. Changes nothing.
    ///
    /// # Errors
    /// [`ClientError`] where the service does not say which documents there are.
    pub async fn document_arrived(
        &self,
        to: &DocumentTarget,
        code: &str,
        sha256: &str,
    ) -> Result<DocumentPresence, ClientError> {
        let Some(record) = self.transaction_status(&to.transaction_lookup()).await? else {
            return Ok(DocumentPresence::NoTransaction);
        };
        // An object without a number is a sentence, and one with another number another transaction.
        let is_it = match to {
            DocumentTarget::Transaction(number) => record.id == *number,
            DocumentTarget::Invoice(number) => {
                record.id > 0 && record.extra_invoice_number.as_ref().is_none_or(|theirs| theirs == number)
            }
        };
        if !is_it {
            return Ok(DocumentPresence::NoTransaction);
        }
        let mut arrival = DocumentPresence::NotListed;
        let same_code = |known: &str| known.trim().eq_ignore_ascii_case(code.trim());
        let documents = record.transaction_documents.iter().filter(|document| same_code(&document.code));
        for (number, document) in documents.enumerate() {
            if number == LOOKED_INTO_MAX {
                return Ok(DocumentPresence::Unsure);
            }
            let largest = DOCUMENT_BYTES_MAX as u64;
            match self.download_to(&document.download_url, largest, &mut tokio::io::sink()).await {
                Ok(saved) if saved.sha256.eq_ignore_ascii_case(sha256) => {
                    return Ok(DocumentPresence::Arrived);
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(%error, "a document could not be fetched to compare it");
                    arrival = DocumentPresence::Unsure;
                }
            }
        }
        Ok(arrival)
    }
}

/// The places for the number of the transaction in a path.
const NUMBER_MARKS: [&str; 3] = ["{transaction_id}", "<transaction_id>", ":transaction_id"];

/// A path with the transaction's number in it.
fn fill_number(path: &str, to: &DocumentTarget) -> Result<String, ClientError> {
    let Some(mark) = NUMBER_MARKS.iter().find(|mark| path.contains(**mark)) else {
        return Ok(path.to_owned());
    };
    match to {
        DocumentTarget::Transaction(number) => Ok(path.replace(mark, &number.to_string())),
        DocumentTarget::Invoice(_) => Err(ClientError::NotSendable {
            reason:
                "this service takes documents by the number of their transaction only; choose the transaction"
                    .to_owned(),
        }),
    }
}

/// The download addresses of a record, with its number where the service left a mark for it.
pub(crate) fn fill_addresses(record: &mut TransactionRecord) {
    let number = record.id.to_string();
    for document in &mut record.transaction_documents {
        for mark in NUMBER_MARKS {
            document.download_url = document.download_url.replace(mark, &number);
        }
    }
}

/// A service that says which bytes it has must have those that were sent.
fn compare_hash(mut outcome: DocumentOutcome, sha256: &str) -> DocumentOutcome {
    let other = outcome.sha256.as_deref().filter(|theirs| !theirs.eq_ignore_ascii_case(sha256));
    if let Some(theirs) = other.filter(|_| outcome.imported) {
        outcome.reason =
            Some(format!("the service has other bytes than were sent: their SHA-256 is {theirs}"));
        outcome.imported = false;
    }
    outcome
}

#[cfg(test)]
mod tests {
    use bordereau_contract::RecordDocument;

    use super::*;

    #[test]
    fn a_path_with_the_number_in_it_is_filled_in() {
        let number = DocumentTarget::Transaction(17);
        for (path, expected) in [
            ("/api/v1/document-import.json", "/api/v1/document-import.json"),
            ("/transactions/{transaction_id}/documents", "/transactions/17/documents"),
            ("/transactions/<transaction_id>/documents", "/transactions/17/documents"),
            ("/transactions/:transaction_id/documents", "/transactions/17/documents"),
        ] {
            assert_eq!(fill_number(path, &number).ok().as_deref(), Some(expected));
        }
        let invoice = DocumentTarget::Invoice("I-1".into());
        assert!(fill_number("/api/v1/document-import.json", &invoice).is_ok());
        assert!(matches!(
            fill_number("/transactions/{transaction_id}/documents", &invoice),
            Err(ClientError::NotSendable { .. })
        ));
        for (address, expected) in [
            ("/transaction/document/{transaction_id}/4/download", "/transaction/document/17/4/download"),
            ("https://x.example/d/4", "https://x.example/d/4"),
        ] {
            let document = RecordDocument { download_url: address.to_owned(), ..RecordDocument::default() };
            let mut record = TransactionRecord {
                id: 17,
                transaction_documents: vec![document],
                ..TransactionRecord::default()
            };
            fill_addresses(&mut record);
            assert_eq!(record.transaction_documents[0].download_url, expected);
        }
    }
}
