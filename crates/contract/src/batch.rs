//! Imports and their results (section 3).

use std::collections::HashSet;
use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::field_messages::message_text;
use crate::{
    AnswerLoss, DocumentOutcome, FieldMessages, FieldProblem, ImportTransaction, Pagination, ResultStatus,
    ServiceStatus,
};

/// Characters of an imported transaction's own id [pub, section 3].
pub const TRANSACTION_ID_CHARS_MAX: usize = 255;
/// Characters of a policy number [pub, section 3].
pub const POLICY_NUMBER_CHARS_MAX: usize = 50;

/// Body of the single import, version 1 \[pub].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SingleTransaction {
    /// Groups single transactions; the caller's own.
    #[serde(default)]
    pub batch_id: String,
    /// How many belong together.
    #[serde(default)]
    pub total_items: u32,
    /// Which this one is, from 1.
    #[serde(default)]
    pub current_item: u32,
    /// The transaction itself.
    pub transaction: ImportTransaction,
}

/// Body of the batch import \[ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportRequest {
    /// The transactions; each with an id of its own.
    pub transactions: Vec<ImportTransaction>,
}

/// The state of a batch: `processed` and `failed` \[spec], the others \[ours].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BatchStatus {
    /// Accepted, not begun.
    Queued,
    /// Begun.
    Processing,
    /// Done: every transaction has its result.
    Processed,
    /// Given up as a whole.
    Failed,
    /// A word or number this version does not know, as it came; empty where none came. Waited for, never taken for
    /// done.
    #[serde(untagged)]
    Unknown(String),
}

impl BatchStatus {
    /// The state of a word, in whatever case.
    pub fn of(word: &str) -> BatchStatus {
        match word.trim().to_ascii_lowercase().as_str() {
            "queued" => BatchStatus::Queued,
            "processing" => BatchStatus::Processing,
            "processed" => BatchStatus::Processed,
            "failed" => BatchStatus::Failed,
            _ => BatchStatus::Unknown(word.to_owned()),
        }
    }
}

impl Default for BatchStatus {
    fn default() -> BatchStatus {
        BatchStatus::Unknown(String::new())
    }
}

impl<'de> Deserialize<'de> for BatchStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(BatchStatus::of(&String::deserialize(deserializer)?))
    }
}

/// Between the numbers of a batch of which the service made several.
const NUMBERS_BETWEEN: &str = ", ";

/// The numbers in the name of a batch: one, or one of each batch that the service made of it.
pub fn batch_numbers(batch_id: &str) -> impl Iterator<Item = &str> {
    batch_id.split(NUMBERS_BETWEEN)
}

/// [`ImportAccepted`] as it comes: its name is `batch_id`, or `id`, or those of the batches made of it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct AcceptedForm {
    #[serde(deserialize_with = "crate::lenient::real_text")]
    batch_id: String,
    #[serde(deserialize_with = "crate::lenient::real_text")]
    id: String,
    #[serde(alias = "state")]
    status: BatchStatus,
    total_items: u32,
    #[serde(alias = "results", alias = "responses")]
    transactions: Vec<ImportResult>,
    #[serde(alias = "accepted", alias = "successful", alias = "successes", alias = "imported")]
    #[serde(alias = "created", alias = "success")]
    succeeded: ListedResults,
    #[serde(alias = "rejected", alias = "failures", alias = "refused", alias = "invalid")]
    failed: ListedResults,
    errors: ListedResults,
    batches: Vec<BatchForm>,
    batch_ids: Vec<BatchNumber>,
}

/// A batch's number in a list; empty where it is none, such as 0.
#[derive(Deserialize)]
struct BatchNumber(#[serde(deserialize_with = "crate::lenient::real_text")] String);

/// One of several batches in an acceptance.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BatchForm {
    #[serde(deserialize_with = "crate::lenient::real_text")]
    batch_id: String,
    #[serde(deserialize_with = "crate::lenient::real_text")]
    id: String,
    total_items: u32,
}

impl AcceptedForm {
    /// The batch's number or its numbers, and whether they came as `id`, as a service calls a row too.
    fn number(&self) -> (String, bool) {
        if !self.batch_id.is_empty() {
            return (self.batch_id.clone(), false);
        }
        let of_batches = self.batches.iter().map(|batch| [&batch.batch_id, &batch.id]);
        let of_batches = of_batches.map(|names| names.into_iter().find(|name| !name.is_empty()));
        let Some(mut numbers) = of_batches.collect::<Option<Vec<&String>>>() else {
            return (String::new(), false);
        };
        if self.batch_ids.iter().any(|number| !number.0.is_empty()) {
            numbers.extend(self.batch_ids.iter().map(|number| &number.0));
        }
        // Of several batches each has to be asked for.
        if numbers.iter().any(|number| number.is_empty()) {
            return (String::new(), false);
        }
        let mut seen = HashSet::new();
        numbers.retain(|number| seen.insert(number.trim()));
        match numbers.as_slice() {
            [] => (self.id.clone(), true),
            numbers if numbers.iter().any(|number| number.contains(',')) => (String::new(), false),
            numbers => {
                let numbers: Vec<&str> = numbers.iter().map(|number| number.trim()).collect();
                (numbers.join(NUMBERS_BETWEEN), true)
            }
        }
    }
}

impl TryFrom<AcceptedForm> for ImportAccepted {
    type Error = &'static str;

    fn try_from(form: AcceptedForm) -> Result<ImportAccepted, &'static str> {
        let (batch_id, is_named_id) = form.number();
        let transactions = joined_results(form.transactions, form.succeeded, form.failed, form.errors);
        let is_named = |row: &ImportResult| {
            !row.id.is_empty() || !row.external_id.is_empty() || row.policy_number.is_some()
        };
        let says = |row: &ImportResult| {
            row.status.is_told() || row.success.is_some() || row.transaction_id.is_some()
        };
        let is_result = |row: &ImportResult| says(row) && is_named(row);
        if batch_id.is_empty() && !transactions.iter().any(is_result) {
            return Err("it has no batch number");
        }
        Ok(ImportAccepted {
            batch_id,
            is_named_id,
            status: form.status,
            total_items: match form.total_items {
                0 => form.batches.iter().fold(0, |sum, batch| sum.saturating_add(batch.total_items)),
                total => total,
            },
            transactions,
            ..ImportAccepted::default()
        })
    }
}

/// Immediate answer to a batch import \[ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "AcceptedForm")]
pub struct ImportAccepted {
    /// The service's name of the batch, 32 hexadecimal digits at the practice service; empty only where the answer
    /// has the results instead.
    // Of several batches that the service made of it all their names: see [`batch_numbers`].
    pub batch_id: String,
    /// Its name came as `id`: so a service calls a row too.
    #[serde(skip)]
    pub is_named_id: bool,
    /// `queued`; unknown where the service does not say.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    #[serde(default)]
    pub status: BatchStatus,
    /// Transactions in it.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(default)]
    pub total_items: u32,
    /// Results in the answer itself.
    #[serde(skip)]
    pub transactions: Vec<ImportResult>,
    /// What it refuses of single rows, by pointer or own id.
    #[serde(skip)]
    pub problems: Vec<FieldProblem>,
    /// What it warns of, by pointer or own id where it says of which row.
    #[serde(skip)]
    pub warnings: Vec<FieldProblem>,
    /// Its sentence, as far as it has one.
    #[serde(skip)]
    pub message: String,
}

/// The result of one transaction \[pub]. `status` 0 is success.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ImportResult {
    /// Empty where a provider does not repeat it.
    pub id: String,
    pub policy_number: Option<String>,
    /// The service's own number, once there is one.
    #[serde(deserialize_with = "crate::lenient::optional_number")]
    pub transaction_id: Option<i64>,
    /// 0 is success; a word is kept as it came.
    #[cfg_attr(feature = "schema", schema(value_type = i64))]
    #[serde(alias = "result", alias = "outcome")]
    pub status: ServiceStatus,
    /// A sentence; messages in any other form are read as one.
    #[serde(alias = "message", alias = "reason", alias = "error", alias = "error_message", alias = "detail")]
    #[serde(deserialize_with = "message_text")]
    pub status_message: Option<String>,
    pub warnings: FieldMessages,
    #[serde(alias = "problem", alias = "problems", alias = "validation_errors")]
    pub errors: FieldMessages,
    /// Of the documents that came along, one each, in order \[ours].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<DocumentOutcome>,
    /// Whether it succeeded, of a service that says so beside or in place of a status.
    #[serde(skip_serializing, alias = "succeeded", alias = "is_success", alias = "ok")]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub success: Option<bool>,
    /// What is said of it, of a service that does not call it warnings or errors.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub messages: FieldMessages,
    /// The caller's own id, of a service that has its own number as `id`.
    #[serde(
        skip_serializing,
        alias = "client_reference",
        alias = "client_id",
        alias = "external_reference",
        alias = "own_id",
        alias = "source_id",
        alias = "reference_id",
        alias = "unique_id"
    )]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub external_id: String,
    /// Which of the rows that were sent it is, of a service that counts them.
    #[serde(skip_serializing, alias = "row", alias = "index", alias = "line_number", alias = "row_number")]
    #[serde(alias = "row_index", alias = "position", deserialize_with = "place_number")]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub line: Option<u32>,
}

/// A number from 0, if it is one.
fn place_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let place = Value::deserialize(deserializer)?;
    Ok(place.as_str().map_or_else(|| place.to_string(), |text| text.trim().to_owned()).parse().ok())
}

/// Gives results that name rows by nothing but their place the ids of those rows. Only where every row that was sent
/// has one, and the places follow each other, is it certain which row is meant, from whatever number a service counts. A
/// number of the service's own still needs its record.
pub fn name_by_place(results: &mut [ImportResult], ids: &[&str]) {
    let is_nameless = |result: &ImportResult| {
        let is_blank = |text: &str| text.trim().is_empty();
        is_blank(&result.id)
            && is_blank(&result.external_id)
            && result.policy_number.as_deref().is_none_or(is_blank)
    };
    let mut places: Vec<u32> = results.iter().filter_map(|result| result.line).collect();
    places.sort_unstable();
    let first = places.first().copied().unwrap_or_default();
    let is_unique = ids.iter().collect::<HashSet<_>>().len() == ids.len();
    let is_whole = places.len() == ids.len() && results.len() == ids.len() && first <= 2 && is_unique;
    if !is_whole || !results.iter().all(is_nameless) || !places.iter().copied().eq((first..).take(ids.len()))
    {
        return;
    }
    for result in results {
        let at = result.line.and_then(|line| usize::try_from(line - first).ok());
        let Some(id) = at.and_then(|at| ids.get(at)) else { continue };
        (*id).clone_into(&mut result.id);
        if ResultStatus::of(&result.status).is_some_and(|status| status != ResultStatus::Failed) {
            result.status = ServiceStatus::NotTold;
        }
    }
}

impl ImportResult {
    /// Whether it says how it ended.
    pub fn is_told(&self) -> bool {
        ResultStatus::of(&self.status).is_some()
    }

    /// Whether it is refused in plain words once it is over: by its flag where it has no status, by errors without a
    /// status or beside one that is a number nobody knows, by a number below zero, or by a status of HTTP with a reason,
    /// without a number of the service's own.
    pub fn is_plain_failure(&self) -> bool {
        let is_flagged = self.success == Some(false) && !self.status.is_told();
        let has_number = self.transaction_id.is_some_and(|number| number > 0);
        let is_invalid =
            matches!(self.status, ServiceStatus::Number(400 | 422)) && self.status_message.is_some();
        let is_negative = matches!(self.status, ServiceStatus::Number(..0));
        let is_coded = !matches!(self.status, ServiceStatus::Word(_))
            && self.success != Some(true)
            && (!self.errors.is_empty() || is_invalid || is_negative)
            && !has_number;
        is_flagged || is_coded
    }
}

/// A list of results that are all said to have succeeded, or to have failed.
#[derive(Default)]
struct ListedResults(Vec<ImportResult>);

impl<'de> Deserialize<'de> for ListedResults {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ListVisitor;
        impl<'de> Visitor<'de> for ListVisitor {
            type Value = ListedResults;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of results")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<ListedResults, A::Error> {
                let mut results = Vec::new();
                while let Some(result) = list.next_element()? {
                    results.push(result);
                }
                Ok(ListedResults(results))
            }
            /// Reasons by own id.
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ListedResults, A::Error> {
                let mut results = Vec::new();
                while let Some((id, errors)) = map.next_entry()? {
                    results.push(ImportResult {
                        id,
                        errors,
                        success: Some(false),
                        ..ImportResult::default()
                    });
                }
                Ok(ListedResults(results))
            }
        }
        deserializer.deserialize_any(ListVisitor)
    }
}

/// Results with those of the lists that say how theirs ended. A success still needs the service's number and its
/// record; a result that contradicts its list says nothing.
fn joined_results(
    mut all: Vec<ImportResult>,
    ListedResults(succeeded): ListedResults,
    ListedResults(failed): ListedResults,
    ListedResults(errors): ListedResults,
) -> Vec<ImportResult> {
    for result in &mut all {
        let is_failed = ResultStatus::of(&result.status) == Some(ResultStatus::Failed);
        let said = if is_failed { &mut result.errors } else { &mut result.warnings };
        for (field, texts) in std::mem::take(&mut result.messages.0) {
            said.0.entry(field).or_default().extend(texts);
        }
    }
    for mut result in succeeded.into_iter().filter(|result| result.success != Some(false)) {
        let status = ResultStatus::of(&result.status);
        if status == Some(ResultStatus::Failed) {
            result.status = ServiceStatus::NotTold;
        }
        result.success = Some(true);
        all.push(result);
    }
    let has_lists = !failed.is_empty() || all.iter().any(|result| result.success == Some(true));
    let name = |result: &ImportResult| match result.external_id.trim() {
        "" => result.id.trim().to_owned(),
        external => external.to_owned(),
    };
    let named: HashSet<String> = all.iter().chain(&failed).map(name).collect();
    let is_other = |result: &ImportResult| has_lists && !named.contains(&name(result));
    for mut result in failed.into_iter().chain(errors.into_iter().filter(is_other)) {
        if !matches!(
            ResultStatus::of(&result.status),
            Some(ResultStatus::Failed | ResultStatus::SavedIncomplete)
        ) {
            result.status = ServiceStatus::Word("failed".to_owned());
        }
        all.push(result);
    }
    all
}

/// [`ImportResults`] as they come.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ResultsForm {
    batch_id: String,
    #[serde(alias = "state")]
    status: BatchStatus,
    #[serde(alias = "results", alias = "responses", alias = "data", alias = "items", alias = "value")]
    #[serde(alias = "content", alias = "included")]
    transactions: Vec<ImportResult>,
    #[serde(alias = "accepted", alias = "successful", alias = "successes", alias = "imported")]
    #[serde(alias = "created", alias = "success")]
    succeeded: ListedResults,
    #[serde(alias = "rejected", alias = "failures", alias = "refused", alias = "invalid")]
    failed: ListedResults,
    errors: ListedResults,
    #[serde(alias = "meta", alias = "paging", alias = "page_info", alias = "pager")]
    pagination: Pagination,
    #[serde(alias = "next_page_url", alias = "next_page")]
    next: String,
    #[serde(alias = "has_next", alias = "has_next_page")]
    has_more: bool,
    total: u64,
    #[serde(alias = "page_size")]
    per_page: u64,
    #[serde(alias = "error", alias = "reason", alias = "error_message")]
    #[serde(deserialize_with = "message_text")]
    message: Option<String>,
}

impl From<ResultsForm> for ImportResults {
    fn from(form: ResultsForm) -> ImportResults {
        // Beside numbers by own id alone, errors by own id are those of the other rows.
        let is_number = |result: &ImportResult| result.transaction_id.is_some() && !result.status.is_told();
        let are_numbers = !form.transactions.is_empty() && form.transactions.iter().all(is_number);
        let (failed, errors) = match are_numbers && form.failed.0.is_empty() {
            true => (form.errors, ListedResults::default()),
            false => (form.failed, form.errors),
        };
        let mut transactions = joined_results(form.transactions, form.succeeded, failed, errors);
        // A batch that failed has its own reason for the rows that it names without an outcome.
        let is_untold = |result: &&mut ImportResult| {
            !result.status.is_told() && result.success != Some(true) && result.transaction_id.is_none()
        };
        for result in transactions.iter_mut().filter(is_untold).filter(|_| form.status == BatchStatus::Failed)
        {
            result.status = ServiceStatus::Word("failed".to_owned());
            result.status_message = result.status_message.take().or_else(|| form.message.clone());
        }
        let is_failed = form.status == BatchStatus::Failed;
        let mut pagination = form.pagination;
        if !pagination.is_told() {
            (pagination.total, pagination.per_page) = (form.total, form.per_page);
        }
        ImportResults {
            batch_id: form.batch_id,
            status: form.status,
            transactions,
            pagination,
            next: form.next,
            has_more: form.has_more,
            message: form.message.filter(|_| is_failed).unwrap_or_default(),
            losses: Vec::new(),
        }
    }
}

/// Answer of the import results \[pub].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(from = "ResultsForm")]
pub struct ImportResults {
    /// The batch asked for; empty where the service does not repeat it.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub batch_id: String,
    #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
    pub status: BatchStatus,
    /// One per transaction processed so far.
    pub transactions: Vec<ImportResult>,
    /// Which page of them this is, of a service that answers in pages.
    #[serde(skip)]
    pub pagination: Pagination,
    /// Where the next page is, where the service says so; empty otherwise.
    #[serde(skip)]
    pub next: String,
    /// Whether the service says that there is a page behind this one.
    #[serde(skip)]
    pub has_more: bool,
    /// Why the batch failed as a whole; empty where it did not, or gave no reason.
    #[serde(skip)]
    pub message: String,
    /// What could not be read; results among them are not in `transactions`.
    #[serde(skip)]
    pub losses: Vec<AnswerLoss>,
}
