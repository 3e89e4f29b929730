//! Sending a document to a transaction.

use std::sync::Arc;

use bordereau_contract::{DocumentOutcome, DocumentsImported};

use super::file::DocumentFile;
use super::outgoing::Outgoing;
use crate::transport::Payload;
use crate::{Client, ClientError, Operation, TransactionLookup};

/// To which transaction a document belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentTarget {
    /// By the service's own number [pub].
    Transaction(i64),
    /// By the invoice it was imported with [pub]; of several the newest.
    Invoice(String),
}

impl DocumentTarget {
    /// How the transaction itself is looked up.
    #[must_use]
    pub fn lookup(&self) -> TransactionLookup {
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
        let outgoing = Arc::new(Outgoing::new(to, document.clone(), Arc::new(on_sent)));
        let path = self.inner.transport.config.paths.document_import.clone();
        let payload = Payload::Document(outgoing.clone());
        let answer = self.inner.send_write::<DocumentsImported>(Operation::ImportDocuments, &path, payload);
        let answer = answer.await;
        let report = outgoing.report();
        if let (Err(error), Some(trouble)) = (&answer, &report.trouble) {
            tracing::debug!(%error, "a document could not be read to its end");
            let reason = format!("{} cannot be read: {trouble}", document.file_name);
            return Err(ClientError::NotSendable { reason });
        }
        let DocumentsImported { transaction_id, documents } = answer?;
        let sha256 = report.sha256.unwrap_or_default();
        let outcome = documents.into_iter().next().ok_or_else(|| {
            let detail = "the service returned no result for the document".to_owned();
            let answer = Box::new(self.unread_answers().into_iter().next().unwrap_or_default());
            ClientError::Unreadable { status: 200, path: "documents[0]".to_owned(), detail, answer }
                .of_write()
        })?;
        Ok(UploadedDocument { transaction_id, outcome: compared(outcome, &sha256), sha256 })
    }
}

/// A service that says which bytes it has must have those that were sent.
fn compared(mut outcome: DocumentOutcome, sha256: &str) -> DocumentOutcome {
    let other = outcome.sha256.as_deref().filter(|theirs| !theirs.eq_ignore_ascii_case(sha256));
    if let Some(theirs) = other.filter(|_| outcome.imported) {
        outcome.reason =
            Some(format!("the service has other bytes than were sent: their SHA-256 is {theirs}"));
        outcome.imported = false;
    }
    outcome
}
