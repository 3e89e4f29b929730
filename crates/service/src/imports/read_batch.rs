//! From the body of an import to its rows, with every row at fault named.

use std::borrow::Cow;

use bordereau_contract::{FieldProblem, IMPORT_ROWS_MAX, ImportTransaction, read_request};
use bordereau_service_store::batches::NewChunk;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::form;
use crate::body;
use crate::refusal::Refusal;

/// Fields at fault one refusal names.
const PROBLEMS_MAX: usize = 1_000;
/// Rows of a chunk: what is stored in one transaction.
const CHUNK_ROWS_MAX: usize = 500;
/// Steps in which the results of a batch grow at least, as far as it has rows.
const STEPS_MIN: usize = 20;

/// A batch that can be processed.
pub(super) struct AcceptedBatch {
    pub(super) own_ids: Vec<String>,
    pub(super) chunks: Vec<NewChunk>,
}

#[derive(serde::Deserialize)]
struct BatchText<'a> {
    #[serde(borrow, default)]
    transactions: Option<Vec<&'a RawValue>>,
}

/// Reads a batch.
///
/// # Errors
/// A refusal that names the rows at fault by pointer; then nothing is kept.
pub(super) fn read_batch(text: &str) -> Result<AcceptedBatch, Refusal> {
    let rows = split_rows(text)?;
    let mut problems = Vec::new();
    let mut own_ids = Vec::with_capacity(rows.len());
    let (mut at_fault, mut beyond) = (0usize, 0usize);
    let step = rows.len().div_ceil(STEPS_MIN).clamp(1, CHUNK_ROWS_MAX);
    for (number, raw) in rows.iter().enumerate() {
        let mut found = Vec::new();
        if let Some(row) = read_row(raw.get(), number, &mut found) {
            own_ids.push(row.id);
        }
        at_fault += usize::from(!found.is_empty());
        let room = PROBLEMS_MAX.saturating_sub(problems.len());
        beyond += found.len().saturating_sub(room);
        problems.extend(found.into_iter().take(room));
    }
    if at_fault > 0 {
        let more =
            if beyond > 0 { format!(" {beyond} more fields are not named here.") } else { String::new() };
        let sentence =
            format!("{at_fault} of {} transactions cannot be read; nothing was kept.{more}", rows.len());
        return Err(Refusal::invalid_fields(problems).with_detail(sentence));
    }
    Ok(AcceptedBatch { own_ids, chunks: rows.chunks(step).map(new_chunk).collect() })
}

fn split_rows(text: &str) -> Result<Vec<&RawValue>, Refusal> {
    if !text.trim_start().starts_with('{') {
        body::check_object(text)?;
    }
    let parsed: BatchText<'_> = match serde_json::from_str(text) {
        Ok(parsed) => parsed,
        Err(error) if error.is_data() => {
            return Err(Refusal::invalid_field(
                "/transactions",
                "transactions must be an array of transactions, given once.",
            ));
        }
        Err(error) => return Err(body::not_json(&error)),
    };
    let rows = parsed.transactions.unwrap_or_default();
    match rows.len() {
        0 => Err(Refusal::invalid_field("/transactions", "At least one transaction is expected.")),
        count if count > IMPORT_ROWS_MAX => Err(Refusal::invalid_field(
            "/transactions",
            format!("{count} transactions are given; at most {IMPORT_ROWS_MAX} are allowed in one batch."),
        )),
        _ => Ok(rows),
    }
}

/// A row as far as it can be read.
fn read_row(raw: &str, number: usize, problems: &mut Vec<FieldProblem>) -> Option<ImportTransaction> {
    let at = format!("/transactions/{number}");
    let row = read_request::<ImportTransaction>(raw, &at, problems)?;
    check_rest(&row, &at, problems);
    Some(row)
}

/// Checks the form of what could be read; what could not is missing in it, and named already.
fn check_rest(row: &ImportTransaction, at: &str, problems: &mut Vec<FieldProblem>) {
    let mut found = Vec::new();
    form::check_form(row, at, &mut found);
    found.retain(|problem| problems.iter().all(|known| known.pointer != problem.pointer));
    problems.append(&mut found);
}

fn new_chunk(rows: &[&RawValue]) -> NewChunk {
    let texts: Vec<&str> = rows.iter().map(|row| row.get()).collect();
    let rows = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    NewChunk { body: format!("[{}]", texts.join(",")), rows }
}

/// One transaction, or what is wrong with it.
pub(super) fn read_single<T: DeserializeOwned>(
    text: &str,
    at: &str,
    of: impl Fn(&T) -> &ImportTransaction,
) -> Result<T, Refusal> {
    body::check_object(text)?;
    let mut problems = Vec::new();
    let value = read_request::<T>(text, "", &mut problems);
    if let Some(value) = &value {
        check_rest(of(value), at, &mut problems);
    }
    match value {
        Some(value) if problems.is_empty() => Ok(value),
        _ => Err(Refusal::invalid_fields(problems)),
    }
}

/// The last value of a query parameter that is not blank.
pub(crate) fn query_value<'a>(query: Option<&'a str>, name: &str) -> Option<Cow<'a, str>> {
    let pairs = url::form_urlencoded::parse(query?.as_bytes());
    pairs.filter(|(key, _)| key == name).map(|(_, value)| value).last().filter(|value| !value.is_empty())
}
