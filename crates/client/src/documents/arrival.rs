//! After an unknown outcome: whether a document arrived.

use bordereau_contract::DOCUMENT_BYTES_MAX;

use super::upload::DocumentTarget;
use crate::{Client, ClientError};

/// Documents of one transaction that are looked into.
const LOOKED_INTO_MAX: usize = 50;

/// Whether a document is at the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
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
    ) -> Result<Arrival, ClientError> {
        let Some(record) = self.transaction_status(&to.lookup()).await? else {
            return Ok(Arrival::NoTransaction);
        };
        // An object without a number is a sentence, and one with another number another transaction.
        let is_it = match to {
            DocumentTarget::Transaction(number) => record.id == *number,
            DocumentTarget::Invoice(number) => {
                record.id > 0 && record.extra_invoice_number.as_ref().is_none_or(|theirs| theirs == number)
            }
        };
        if !is_it {
            return Ok(Arrival::NoTransaction);
        }
        let mut arrival = Arrival::NotListed;
        let same_code = |known: &str| known.trim().eq_ignore_ascii_case(code.trim());
        let documents = record.transaction_documents.iter().filter(|document| same_code(&document.code));
        for (number, document) in documents.enumerate() {
            if number == LOOKED_INTO_MAX {
                return Ok(Arrival::Unsure);
            }
            let largest = DOCUMENT_BYTES_MAX as u64;
            match self.download_to(&document.download_url, largest, &mut tokio::io::sink()).await {
                Ok(saved) if saved.sha256.eq_ignore_ascii_case(sha256) => return Ok(Arrival::Arrived),
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(%error, "a document could not be fetched to compare it");
                    arrival = Arrival::Unsure;
                }
            }
        }
        Ok(arrival)
    }
}
