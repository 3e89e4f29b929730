//! Imports, their results, and looking a transaction up (contract sections 3 and 4).

use std::collections::HashSet;
use std::sync::Arc;

use bordereau_contract::{
    DOCUMENT_BYTES_MAX, DocumentImport, DocumentsImported, FieldProblem, IMPORT_BODY_BYTES_MAX,
    IMPORT_ROWS_MAX, ImportAccepted, ImportResult, ImportResults, ImportTransaction, ReadAnswer,
    TransactionRecord, is_nothing, read_answer, read_in_spite,
};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, LOCATION};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;
use url::Url;

use crate::client::ClientInner;
use crate::documents::fill_addresses;
use crate::error::size_text;
use crate::problem_pointer::{place_by_number, resolve_places};
use crate::refusal::ServiceRefusal;
use crate::refusal_words::says_unknown;
use crate::transport::{OutgoingRequest, RequestPayload, ServiceAnswer};
use crate::{Client, ClientError, ServiceOperation};

/// Largest answer with the results of a batch: 10,000 rows, each with every warning there is.
const RESULTS_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Pages of results that are read at most: one for each row of the largest batch.
const RESULT_PAGES_MAX: u64 = IMPORT_ROWS_MAX as u64;

/// By what a transaction is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransactionLookup {
    /// The service's own number \[spec].
    TransactionId(i64),
    /// The invoice it was imported with \[pub].
    InvoiceNumber(String),
    /// The id the caller gave it \[ours].
    OwnId(String),
}

impl TransactionLookup {
    fn query_pair(&self) -> (&'static str, String) {
        match self {
            TransactionLookup::TransactionId(number) => ("transaction_id", number.to_string()),
            TransactionLookup::InvoiceNumber(number) => ("invoice_number", number.clone()),
            TransactionLookup::OwnId(id) => ("id", id.clone()),
        }
    }
}

/// As [`bordereau_contract::ImportRequest`], without a copy of the transactions.
#[derive(Serialize)]
struct BatchBody<'a> {
    transactions: &'a [ImportTransaction],
}

impl Client {
    /// Sends a batch (contract section 3). The answer says that all of it was accepted, or which rows
    /// are at fault; it is processed later. Never repeated by itself.
    ///
    /// # Errors
    /// [`ClientError::OutcomeUnknown`] where the service may have accepted it: look the rows up before
    /// sending them again. [`ClientError::Rejected`] with the rows at fault by pointer
    /// (`/transactions/17/id`): nothing was kept. [`ClientError::NotSendable`] beyond 10,000 rows or
    /// 64 MiB. Others as everywhere; after those nothing was accepted.
    pub async fn import_batch(
        &self,
        transactions: &[ImportTransaction],
    ) -> Result<ImportAccepted, ClientError> {
        if transactions.len() > IMPORT_ROWS_MAX {
            let reason = format!(
                "the batch has {} transactions, at most {IMPORT_ROWS_MAX} are possible at once",
                transactions.len()
            );
            return Err(ClientError::NotSendable { reason });
        }
        let path = &self.inner.transport.config.paths.batch_import;
        let body = BatchBody { transactions };
        let sent = self.inner.write(ServiceOperation::ImportBatch, path, &body).await;
        let (accepted, said) = match sent {
            Ok((accepted, answer)) => {
                let ServiceAnswer { status, headers, body, secrets, .. } = &answer;
                (accepted, ServiceRefusal::read(*status, headers, body, secrets))
            }
            Err(mut error) => {
                if let ClientError::Rejected { problems, .. } = &mut error {
                    find_places(problems, transactions);
                }
                let refused = refused_rows(&error, transactions).ok_or(error)?;
                (ImportAccepted::default(), refused)
            }
        };
        let ServiceRefusal { text, mut problems, mut warnings, .. } = said;
        find_places(&mut problems, transactions);
        find_places(&mut warnings, transactions);
        // Without a sentence the text is the answer itself.
        let message = if text.starts_with('{') { String::new() } else { text };
        Ok(ImportAccepted { message, problems, warnings, ..accepted })
    }

    /// Sends one transaction (version 2) and learns at once what became of it. Never repeated by itself.
    ///
    /// # Errors
    /// As [`Client::import_batch`].
    pub async fn import_single(&self, transaction: &ImportTransaction) -> Result<ImportResult, ClientError> {
        let path = &self.inner.transport.config.paths.single_v2;
        self.inner.write(ServiceOperation::ImportSingle, path, transaction).await.map(|(result, _)| result)
    }

    /// What became of a batch so far. Repeated after a failure: it changes nothing.
    ///
    /// # Errors
    /// [`ClientError`]; [`ClientError::Rejected`] with 404 where the service does not know the batch.
    pub async fn import_results(&self, batch_id: &str) -> Result<ImportResults, ClientError> {
        let unknown = || ClientError::Rejected {
            status: 404,
            text: format!("there is no batch {batch_id}"),
            problems: Vec::new(),
        };
        let mut results = self.inner.fetch_results(("batch_id", batch_id)).await?.ok_or_else(unknown)?;
        if results.batch_id.trim().is_empty() {
            // It was asked for by this id.
            batch_id.clone_into(&mut results.batch_id);
        }
        Ok(results)
    }

    /// The newest batch with a transaction of this own id \[ours]: after an unknown outcome one question
    /// shows whether a batch was accepted, and its number. `None` where there is none, or the service does
    /// not know this question.
    pub async fn import_results_with(&self, own_id: &str) -> Result<Option<ImportResults>, ClientError> {
        match self.inner.fetch_results(("id", own_id)).await {
            // A provider without this question misses the batch's number.
            Err(ClientError::Rejected { status: 400 | 422, .. }) => Ok(None),
            outcome => outcome,
        }
    }

    /// One transaction; `None` where the service does not know it: 404, a sentence that says so whatever its status, or
    /// nothing at all. Repeated after a failure: it changes nothing.
    pub async fn transaction_status(
        &self,
        lookup: &TransactionLookup,
    ) -> Result<Option<TransactionRecord>, ClientError> {
        let (name, value) = lookup.query_pair();
        let config = &self.inner.transport.config;
        let mut url = self.inner.transport.base.endpoint_url(&config.paths.transaction_status)?;
        url.query_pairs_mut().append_pair(name, &value);
        let operation = ServiceOperation::TransactionStatus;
        let is_none = |answer: &ServiceAnswer| {
            let body = answer.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&answer.body).trim_ascii();
            body.is_empty() || is_nothing(body)
        };
        let read = self.inner.read(operation, url, config.answer_bytes_max, is_none).await?;
        Ok(read.map(|mut read| {
            fill_addresses(&mut read.value);
            read.value
        }))
    }

    /// Sends documents for a transaction (contract section 4). Never repeated by itself.
    ///
    /// # Errors
    /// As [`Client::import_batch`]; 404 as [`ClientError::Rejected`] where there is no such transaction.
    pub async fn import_documents(
        &self,
        documents: &DocumentImport,
    ) -> Result<DocumentsImported, ClientError> {
        // Base64 writes 3 bytes as 4 characters.
        let most = DOCUMENT_BYTES_MAX.div_ceil(3) * 4;
        if let Some(large) = documents.documents.iter().find(|document| document.content.len() > most) {
            let limit = size_text(DOCUMENT_BYTES_MAX as u64);
            let reason = format!("{} is larger than {limit}", large.file_name);
            return Err(ClientError::NotSendable { reason });
        }
        let path = &self.inner.transport.config.paths.document_import;
        self.inner
            .write(ServiceOperation::ImportDocuments, path, documents)
            .await
            .map(|(imported, _)| imported)
    }
}

impl ClientInner {
    /// A write: sent once, and honest about what is not known afterwards.
    async fn write<T: DeserializeOwned>(
        self: &Arc<Self>,
        operation: ServiceOperation,
        path: &str,
        what: &impl Serialize,
    ) -> Result<(T, ServiceAnswer), ClientError> {
        let body = serde_json::to_vec(what).expect("amounts and strings serialize");
        if body.len() > IMPORT_BODY_BYTES_MAX {
            let [size, limit] = [body.len(), IMPORT_BODY_BYTES_MAX].map(|bytes| size_text(bytes as u64));
            let reason = format!("it has {size}, at most {limit} are possible at once; send it in parts");
            return Err(ClientError::NotSendable { reason });
        }
        self.send_write(operation, path, body.into()).await
    }

    /// A write whose body is ready, with its answer as it came.
    pub(crate) async fn send_write<T: DeserializeOwned>(
        self: &Arc<Self>,
        operation: ServiceOperation,
        path: &str,
        payload: RequestPayload,
    ) -> Result<(T, ServiceAnswer), ClientError> {
        let config = &self.transport.config;
        let url = self.transport.base.endpoint_url(path)?;
        let request = OutgoingRequest::post(operation, url, payload, config.answer_bytes_max);
        let deadline = Instant::now() + config.timeouts.upload;
        let mut answer = self.call_service(&request, deadline).await.map_err(ClientError::of_import)?;
        // A list without a name is the results, the batches that were made of it, or the documents.
        if read_answer::<T>(&answer.body).is_err() {
            let listed =
                ["transactions", "batches", "documents"].into_iter().filter_map(|n| answer.listed_as(n));
            let understood = listed.into_iter().find(|body| read_answer::<T>(body).is_ok());
            answer.body = understood.unwrap_or(answer.body);
        }
        let read = self.understand(&answer).or_else(|error| match (operation, &error) {
            // A batch with a number is there, whatever the answer says besides: its results tell of its rows. So is a
            // document that is called imported, and each has its own outcome.
            (
                ServiceOperation::ImportBatch | ServiceOperation::ImportDocuments,
                ClientError::Unreadable { .. },
            ) => {
                let place = || read_in_spite(&self.named_batch(operation, &answer)?);
                read_in_spite(&answer.body).or_else(place).ok_or(error)
            }
            _ => Err(error),
        });
        let is_unread = operation.is_row_import() && matches!(read, Err(ClientError::Unreadable { .. }));
        let ServiceAnswer { status, headers, body, secrets, .. } = &answer;
        let said = is_unread.then(|| ServiceRefusal::read(*status, headers, body, secrets));
        if let Some(said) = said.filter(|said| said.is_refused_whole) {
            return Err(said.into_rejection());
        }
        read.map(|read| (read.value, answer)).map_err(ClientError::of_import)
    }

    /// An acceptance with the number that the address of what was made has, on the service's own host: a `batch_id` in
    /// its query, or the last part of its path. `None` where it names nothing.
    fn named_batch(&self, operation: ServiceOperation, answer: &ServiceAnswer) -> Option<Vec<u8>> {
        let is_made = matches!(answer.status, StatusCode::CREATED | StatusCode::ACCEPTED);
        if operation != ServiceOperation::ImportBatch || !is_made {
            return None;
        }
        let location = answer.headers.get(LOCATION)?.to_str().ok()?;
        let number = batch_of_address(&self.transport.base.own_link(&answer.url, location)?)?;
        serde_json::to_vec(&serde_json::json!({ "batch_id": number })).ok()
    }

    /// Results to their last page, of a service that answers in pages.
    async fn fetch_results(
        self: &Arc<Self>,
        (name, value): (&str, &str),
    ) -> Result<Option<ImportResults>, ClientError> {
        let mut url = self.transport.base.endpoint_url(&self.transport.config.paths.batch_results)?;
        url.query_pairs_mut().append_pair(name, value);
        let Some(mut all) = self.read_results(url.clone()).await? else { return Ok(None) };
        let (mut next, mut known) = (std::mem::take(&mut all.next), HashSet::new());
        for page in 2..=RESULT_PAGES_MAX {
            let Some(address) = self.results_page(&url, page, &all, &next) else { break };
            let Some(more) = self.read_results(address).await? else { break };
            let text = |row: &ImportResult| format!("{row:?}");
            if known.is_empty() {
                known.extend(all.transactions.iter().map(text));
            }
            let count = known.len();
            known.extend(more.transactions.iter().map(text));
            // A page without anything new says that the service gives the same one each time.
            if known.len() == count {
                break;
            }
            (next, all.has_more) = (more.next, more.has_more);
            all.transactions.extend(more.transactions);
            all.losses.extend(more.losses);
        }
        Ok(Some(all))
    }

    async fn read_results(self: &Arc<Self>, url: Url) -> Result<Option<ImportResults>, ClientError> {
        let operation = ServiceOperation::ImportResults;
        let read = self.read::<ImportResults>(operation, url, RESULTS_BYTES_MAX, |_| false).await?;
        Ok(read.map(|read| ImportResults { losses: read.losses, ..read.value }))
    }

    /// The address of a further page: as the service names it on its own host, or by its number. `None` behind the last.
    fn results_page(&self, url: &Url, page: u64, all: &ImportResults, next: &str) -> Option<Url> {
        if !next.trim().is_empty() {
            return self.transport.base.own_link(url, next);
        }
        let mut url = url.clone();
        url.query_pairs_mut().append_pair("page", &page.to_string());
        (all.has_more || page <= all.pagination.page_count()).then_some(url)
    }

    /// A read that knows "there is none": 404, and an answer that says so.
    async fn read<T: DeserializeOwned>(
        self: &Arc<Self>,
        operation: ServiceOperation,
        url: Url,
        answer_max: u64,
        is_none: impl Fn(&ServiceAnswer) -> bool,
    ) -> Result<Option<ReadAnswer<T>>, ClientError> {
        let request = OutgoingRequest::get(operation, url, answer_max);
        match self.call_service(&request, self.call_deadline()).await {
            Ok(answer) if is_none(&answer) => Ok(None),
            // Results that are not there yet.
            Ok(answer)
                if answer.status == StatusCode::NO_CONTENT
                    && operation == ServiceOperation::ImportResults =>
            {
                let text = "there is nothing yet".to_owned();
                Err(ClientError::Rejected { status: 204, text, problems: Vec::new() })
            }
            Ok(answer) => match self.understand(&answer) {
                Err(error) if is_unknown(&error) => Ok(None),
                read => read.map(Some),
            },
            Err(error) if is_unknown(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Whether a failure says that there is no such thing: 404, or a sentence that says so.
fn is_unknown(error: &ClientError) -> bool {
    match error {
        ClientError::Rejected { status: 404, .. } => true,
        ClientError::Rejected { text, problems, .. } => {
            says_unknown(text) || (text.is_empty() && problems.iter().any(|said| says_unknown(&said.detail)))
        }
        ClientError::ServiceFailed { text, .. } => says_unknown(text),
        _ => false,
    }
}

/// What an answer says that has neither a number nor results, where it refuses rows by their own ids or their places.
fn refused_rows(error: &ClientError, sent: &[ImportTransaction]) -> Option<ServiceRefusal> {
    let ClientError::OutcomeUnknown { cause } = error else { return None };
    let ClientError::Unreadable { answer, .. } = cause.as_ref() else { return None };
    let mut said = ServiceRefusal::read(StatusCode::OK, &HeaderMap::new(), answer.body.as_bytes(), &[]);
    find_places(&mut said.problems, sent);
    let id_of = |problem: &FieldProblem| problem.pointer.split('/').nth(1).map(str::to_owned);
    let named: HashSet<String> = said.problems.iter().filter_map(id_of).collect();
    let is_placed = said.problems.iter().any(|problem| problem.pointer.starts_with("/transactions/"));
    (is_placed || sent.iter().any(|transaction| named.contains(&transaction.id))).then_some(said)
}

/// Makes pointers to the rows that were sent of their places and numbers.
fn find_places(problems: &mut [FieldProblem], sent: &[ImportTransaction]) {
    let is_id = |number: &str| sent.iter().any(|transaction| transaction.id == number);
    place_by_number(problems, is_id, sent.len());
    resolve_places(problems, sent.len());
}

/// The number of a batch in the address of its results: what a query calls so, or a last part of the path that has
/// digits, as a word of an address has none.
fn batch_of_address(url: &Url) -> Option<String> {
    let is_name = |name: &str| {
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        matches!(name.to_ascii_lowercase().as_str(), "batchid" | "batch" | "id")
    };
    let of_query = url.query_pairs().find(|(name, _)| is_name(name)).map(|(_, value)| value.into_owned());
    let last = || Some(url.path_segments()?.next_back()?.trim_end_matches(".json").to_owned());
    let number = of_query.or_else(last)?;
    let is_number = number.len() <= 100
        && number.bytes().any(|b| b.is_ascii_digit())
        && number.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    is_number.then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_have_the_number_of_a_batch() {
        for (address, expected) in [
            ("/api/v4/transaction-import-results.json?batch_id=c9f0", Some("c9f0")),
            ("/api/v4/results?BatchId=17&page=1", Some("17")),
            ("/api/v4/batches/0f3a-9", Some("0f3a-9")),
            ("/api/v4/batches/17.json", Some("17")),
            ("/api/v4/transaction-import-results.json", None),
            ("/api/v4/batches/", None),
            ("/api/v4/batches/status?batch_id=", None),
            ("/api/v4/batches/a%201", None),
        ] {
            let url = format!("https://filing.example{address}").parse().expect("an address");
            assert_eq!(batch_of_address(&url).as_deref(), expected, "{address}");
        }
    }
}
