//! From the body of an import to its rows, with every row at fault named.

use std::borrow::Cow;

use bordereau_contract::{FieldProblem, IMPORT_ROWS_MAX, ImportTransaction};
use bordereau_service_store::batches::NewChunk;
use serde::de::{DeserializeOwned, IgnoredAny};
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
        serde_json::from_str::<IgnoredAny>(text).map_err(|error| body::not_json(&error))?;
        return Err(Refusal::malformed("The body is not a JSON object."));
    }
    let parsed: BatchText<'_> = match serde_json::from_str(text) {
        Ok(parsed) => parsed,
        Err(error) if error.is_data() => {
            return Err(Refusal::invalid_field(
                "/transactions",
                "An array of transactions is expected, once.",
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

/// A row, if it can be read.
fn read_row(raw: &str, number: usize, problems: &mut Vec<FieldProblem>) -> Option<ImportTransaction> {
    let at = format!("/transactions/{number}");
    let row = parse::<ImportTransaction>(raw, &at, problems)?;
    form::check_form(&row, &at, problems);
    Some(row)
}

/// Reads a value; where it does not fit, the field is named.
pub(super) fn parse<T: DeserializeOwned>(raw: &str, at: &str, problems: &mut Vec<FieldProblem>) -> Option<T> {
    // Reading that names the field costs twice as much, so it is done only where there is something to name.
    if let Ok(value) = serde_json::from_str(raw) {
        return Some(value);
    }
    let mut reader = serde_json::Deserializer::from_str(raw);
    match serde_path_to_error::deserialize::<_, T>(&mut reader) {
        Ok(value) => return Some(value),
        Err(error) => {
            let pointer = format!("{at}{}", form::pointer_of(&error.path().to_string()));
            let why = error.into_inner().to_string();
            let why = why.split(" at line").next().unwrap_or_default();
            problems.push(FieldProblem { pointer, detail: format!("{why}.") });
        }
    }
    None
}

fn new_chunk(rows: &[&RawValue]) -> NewChunk {
    let texts: Vec<&str> = rows.iter().map(|row| row.get()).collect();
    let rows = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    NewChunk { body: format!("[{}]", texts.join(",")), rows }
}

/// An object, or what is wrong with it.
pub(crate) fn parse_object<T: DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| body::not_json(&error))?;
    if !text.trim_start().starts_with('{') {
        return Err(Refusal::malformed("The body is not a JSON object."));
    }
    let mut problems = Vec::new();
    parse::<T>(text, "", &mut problems).ok_or_else(|| Refusal::invalid_fields(problems))
}

/// One transaction, or what is wrong with it.
pub(super) fn read_single<T: DeserializeOwned>(
    text: &str,
    at: &str,
    of: impl Fn(&T) -> &ImportTransaction,
) -> Result<T, Refusal> {
    let value = parse_object::<T>(text)?;
    let mut problems = Vec::new();
    form::check_form(of(&value), at, &mut problems);
    if problems.is_empty() { Ok(value) } else { Err(Refusal::invalid_fields(problems)) }
}

/// The last value of a query parameter that is not blank.
pub(crate) fn query_value<'a>(query: Option<&'a str>, name: &str) -> Option<Cow<'a, str>> {
    let pairs = url::form_urlencoded::parse(query?.as_bytes());
    pairs.filter(|(key, _)| key == name).map(|(_, value)| value).last().filter(|value| !value.is_empty())
}
