//! What the words of an answer say where its status does not: that something is not known, or that nothing of an import
//! was taken.

use bordereau_contract::FieldProblem;
use serde_json::{Map, Value};

use crate::markup::plain_text;
use crate::refusal::shorten_text;

/// Names in any case, with or without `_`, as in every answer.
pub(crate) fn normalize_names(body: &Map<String, Value>) -> Map<String, Value> {
    let normal = |name: &str| name.to_ascii_lowercase().replace('_', "");
    body.iter().map(|(name, value)| (normal(name), value.clone())).collect()
}

/// The first of the named fields that says something.
pub(crate) fn first_sentence(fields: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names
        .iter()
        .filter_map(|name| fields.get(*name)?.as_str())
        .map(|text| shorten_text(&plain_text(text)))
        .find(|text| !text.is_empty())
}

/// Every text in a value.
pub(crate) fn collect_sentences(said: &Value) -> Vec<String> {
    match said {
        Value::String(text) => vec![shorten_text(&plain_text(text))],
        Value::Array(items) => items.iter().flat_map(collect_sentences).collect(),
        Value::Null => Vec::new(),
        other => vec![shorten_text(&other.to_string())],
    }
}

/// Words of a sentence, without case.
fn words_of(text: &str) -> Vec<String> {
    let text = text.replace(['\'', '’'], "").to_ascii_lowercase();
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn has_words(words: &[String], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words.windows(phrase.len()).any(|at| at.iter().zip(&phrase).all(|(word, of)| word == of))
}

/// Whether a sentence says that there are none, such as `No transactions found.`; that there is no such address is
/// something else.
pub(crate) fn says_none(text: &str) -> bool {
    const NAMES: [&str; 8] =
        ["transaction", "transactions", "record", "records", "result", "results", "matches", "filings"];
    let words = words_of(text);
    words.split(|word| *word == "no").skip(1).any(|after| {
        let is_other = after.first().is_some_and(|word| {
            matches!(word.as_str(), "such" | "handler" | "route" | "endpoint" | "service")
        });
        !is_other && after.iter().take(2).any(|word| NAMES.contains(&word.as_str()))
    })
}

/// Whether a sentence says that what was asked for is not known there, such as `Transaction not found`. That an address, a
/// key, or an account is not known says nothing of it.
pub(crate) fn says_unknown(text: &str) -> bool {
    const PHRASES: [&str; 19] = [
        "not found",
        "no such",
        "not exist",
        "doesnt exist",
        "does not exist",
        "didnt find",
        "could not find",
        "couldnt find",
        "cannot find",
        "cant find",
        "not be found",
        "cannot be found",
        "cant be found",
        "not known",
        "isnt known",
        "unknown transaction",
        "unknown invoice",
        "unknown id",
        "unknown batch",
    ];
    const OTHERS: [&str; 24] = [
        "endpoint", "route", "path", "url", "page", "api", "key", "apikey", "token", "account", "user",
        "agency", "host", "handler", "method", "service", "server", "upstream", "gateway", "database",
        "table", "column", "file", "dns",
    ];
    let words = words_of(text);
    let is_other = words.iter().any(|word| OTHERS.contains(&word.as_str()));
    !is_other && (says_none(text) || PHRASES.iter().any(|phrase| has_words(&words, phrase)))
}

/// Whether a body that names the rows or fields at fault says that the import as a whole was refused for them: without a
/// word or a count of rows that were taken, and in words of validation unless its status is a failure already.
pub(crate) fn says_refused_whole(body: &Value, problems: &[FieldProblem], is_failure: bool) -> bool {
    let is_at_row = |problem: &FieldProblem| !problem.pointer.is_empty() || begins_with_row(&problem.detail);
    let Value::Object(fields) = body else { return false };
    let mut said = WholeWords::default();
    said.read(fields, 2);
    problems.iter().any(is_at_row) && said.is_refusal(is_failure)
}

/// Whether a text begins with the number of a row: `Row 3: ...`.
fn begins_with_row(text: &str) -> bool {
    let words = words_of(text);
    let is_number = |word: &String| word.bytes().all(|b| b.is_ascii_digit());
    let is_row = |word: &str| matches!(word, "row" | "line" | "record" | "transaction" | "item" | "index");
    words.first().is_some_and(|word| is_row(word)) && words.get(1).is_some_and(is_number)
}

/// Whether an entry of a list says that its row was taken: by a number of the service's own, a flag, or its status.
pub(crate) fn is_taken(entry: &Map<String, Value>) -> bool {
    const STATUSES: [&str; 12] = [
        "ok",
        "success",
        "succeeded",
        "successful",
        "accepted",
        "imported",
        "saved",
        "created",
        "stored",
        "processed",
        "queued",
        "warning",
    ];
    entry.iter().any(|(name, value)| {
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let number = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
        match name.to_ascii_lowercase().as_str() {
            "transactionid" | "transactionnumber" => number != Some(0) && !matches!(value, Value::Null),
            "success" | "ok" | "imported" | "accepted" | "saved" | "created" => *value == Value::Bool(true),
            "status" | "result" | "outcome" | "state" => {
                let word = value.as_str().unwrap_or_default().trim().to_ascii_lowercase();
                matches!(number, Some(0 | 200..=299)) || STATUSES.contains(&word.as_str())
            }
            _ => false,
        }
    })
}

/// What an answer says of the whole.
#[derive(Default)]
struct WholeWords {
    words: Vec<String>,
    has_refusal_status: bool,
    has_taken: bool,
}

impl WholeWords {
    /// Reads the texts and counts of an object, and of objects in it; lists are about single rows.
    fn read(&mut self, fields: &Map<String, Value>, levels: usize) {
        const TAKEN: [&str; 7] = ["accepted", "imported", "succe", "saved", "stored", "created", "processed"];
        for (name, value) in fields {
            let name = name.to_ascii_lowercase();
            let count = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
            self.has_refusal_status |=
                matches!(name.as_str(), "status" | "code" | "statuscode" | "status_code" | "http_status")
                    && matches!(count, Some(400 | 422));
            let is_some = count.is_some_and(|count| count > 0)
                || *value == Value::Bool(true)
                || value.as_array().is_some_and(|list| !list.is_empty());
            self.has_taken |= is_some && TAKEN.iter().any(|part| name.contains(part));
            let is_name = matches!(name.replace(['_', '-'], "").as_str(), "id" | "batchid" | "transactionid");
            self.has_taken |= is_name && !matches!(value, Value::Null);
            match value {
                Value::String(text) => self.words.extend(words_of(text)),
                Value::Array(list) => {
                    self.has_taken |= list.iter().filter_map(Value::as_object).any(is_taken);
                }
                Value::Object(inner) if levels > 0 && !matches!(name.as_str(), "errors" | "warnings") => {
                    self.read(inner, levels - 1);
                }
                _ => {}
            }
            // Between two texts.
            self.words.push(String::new());
        }
    }

    fn is_refusal(&self, is_failure: bool) -> bool {
        const NOTHING: [&str; 13] = [
            "nothing",
            "no rows",
            "no row",
            "no transactions",
            "no records",
            "none",
            "not imported",
            "not accepted",
            "not saved",
            "not stored",
            "not processed",
            "rolled back",
            "rollback",
        ];
        const SOME: [&str; 15] = [
            "partial",
            "partially",
            "partly",
            "some",
            "other",
            "others",
            "remaining",
            "rest",
            "accepted",
            "imported",
            "saved",
            "stored",
            "succeeded",
            "created",
            "queued",
        ];
        const REFUSED: [&str; 8] =
            ["validat", "invalid", "reject", "refus", "unprocess", "constraint", "malformed", "bad"];
        let has = |phrase: &&str| has_words(&self.words, phrase);
        if self.has_taken {
            return false;
        }
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        let is_share = self.words.windows(2).any(|pair| is_number(&pair[0]) && pair[1] == "of");
        let is_refused = is_failure
            || self.has_refusal_status
            || self.words.iter().any(|word| REFUSED.iter().any(|part| word.starts_with(part)))
            || has_words(&self.words, "not valid");
        NOTHING.iter().any(has) || (is_refused && !is_share && !SOME.iter().any(has))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_said_in_many_ways() {
        for (text, expected) in [
            ("Transaction not found", true),
            ("Transaction 17 was not found.", true),
            ("No transaction matches that invoice number", true),
            ("The transaction does not exist", true),
            ("The transaction doesn’t exist.", true),
            ("We couldn't find this transaction", true),
            ("Unknown transaction", true),
            ("No such transaction", true),
            ("Invoice 5 cannot be found", true),
            ("Endpoint not found", false),
            ("API key not found", false),
            ("No such route", false),
            ("The account does not exist", false),
            ("The transaction is being processed", false),
            ("Try again later", false),
            ("", false),
        ] {
            assert_eq!(says_unknown(text), expected, "{text}");
        }
    }

    #[test]
    fn an_import_is_refused_as_a_whole_only_in_plain_words() {
        let at =
            |pointer: &str, detail: &str| FieldProblem { pointer: pointer.into(), detail: detail.into() };
        let placed = vec![at("/transactions/3/premium", "No")];
        for (body, expected) in [
            (r#"{"message":"Validation failed","errors":[]}"#, true),
            (r#"{"error":{"code":"VALIDATION_ERROR","message":"2 rows are wrong"}}"#, true),
            (r#"{"title":"One or more validation errors occurred.","status":400}"#, true),
            (r#"{"message":"1 of 60 rows is invalid; nothing was imported"}"#, true),
            (r#"{"message":"The batch was rejected"}"#, true),
            (r#"{"code":422}"#, true),
            // Others may have been taken.
            (r#"{"message":"1 of 60 rows is invalid"}"#, false),
            (r#"{"message":"Validation failed for some rows"}"#, false),
            (r#"{"message":"Validation failed","accepted":59}"#, false),
            (r#"{"message":"Validation failed","imported":["a"]}"#, false),
            (r#"{"message":"Validation failed","batch_id":"b"}"#, false),
            (r#"{"message":"Invalid rows were skipped, the others were imported"}"#, false),
            // What went wrong is not said.
            (r#"{"message":"Internal error"}"#, false),
            (r#"{"errors":[{"index":3,"message":"invalid"}]}"#, false),
        ] {
            let body: Value = serde_json::from_str(body).expect(body);
            assert_eq!(says_refused_whole(&body, &placed, false), expected, "{body}");
        }
        for (body, expected) in [
            (r#"{"message":"Internal error","errors":[{"index":3,"message":"invalid"}]}"#, true),
            (r#"{"message":"Row 3 failed, the other rows were imported"}"#, false),
            (r#"{"message":"Stopped","processed":3}"#, false),
            (r#"{"rows":[{"index":0,"status":"ok"},{"index":3,"error":"invalid"}]}"#, false),
            (r#"{"rows":[{"index":0,"transaction_id":17},{"index":3,"error":"invalid"}]}"#, false),
        ] {
            let body: Value = serde_json::from_str(body).expect(body);
            assert_eq!(says_refused_whole(&body, &placed, true), expected, "{body}");
        }
        let body = serde_json::json!({ "message": "Validation failed" });
        for (problems, expected) in [
            (vec![], false),
            (vec![at("", "The import could not be read")], false),
            (vec![at("", "Row 3: the premium is missing")], true),
            (vec![at("", "Transaction date is missing")], false),
            (vec![at("/premium", "missing")], true),
        ] {
            assert_eq!(says_refused_whole(&body, &problems, false), expected, "{problems:?}");
        }
    }
}
