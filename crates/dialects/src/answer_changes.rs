//! What the dialects do to the JSON of an answer, a function each.

use bordereau_contract::Charge;
use serde_json::{Map, Value, json};

use crate::ServiceEndpoint;

const UNAUTHORIZED: u16 = 401;
const NOT_FOUND: u16 = 404;
const TOO_MANY_REQUESTS: u16 = 429;

/// Whether it is an amount of a quote or record beyond the premium.
pub(super) fn is_charge(name: &str) -> bool {
    Charge::ALL.iter().any(|charge| charge.name() == name)
}

/// The transaction records of an answer.
pub fn records(operation: ServiceEndpoint, value: &mut Value) -> Vec<&mut Value> {
    match operation {
        ServiceEndpoint::TransactionStatus => vec![value],
        ServiceEndpoint::Search => value["data"].as_array_mut().into_iter().flatten().collect(),
        _ => Vec::new(),
    }
}

/// The rows of an import's results.
fn rows(operation: ServiceEndpoint, value: &mut Value) -> Vec<&mut Value> {
    match operation {
        ServiceEndpoint::SingleImport => vec![value],
        ServiceEndpoint::ImportResults => {
            value["transactions"].as_array_mut().into_iter().flatten().collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn remove(value: &mut Value, names: &[&str]) {
    if let Some(members) = value.as_object_mut() {
        members.retain(|name, _| !names.contains(&name.as_str()));
    }
}

pub(super) fn refresh_token_alone(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::Token && value.get("refresh_token").is_none() {
        remove(value, &["expires_in"]);
    }
}

pub(super) fn expires_as_text(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::Token && value.get("expires_in").is_some() {
        value["expires_in"] = json!(value["expires_in"].to_string());
    }
}

fn is_nothing(amount: &Value) -> bool {
    amount.is_null() || amount.as_f64() == Some(0.0)
}

pub(super) fn quote_zeros_null(operation: ServiceEndpoint, value: &mut Value) {
    let Some(quote) = quote(operation, value) else { return };
    for (name, amount) in quote.iter_mut() {
        if is_charge(name) && is_nothing(amount) {
            *amount = Value::Null;
        }
    }
}

pub(super) fn quote_zeros_absent(operation: ServiceEndpoint, value: &mut Value) {
    let Some(quote) = quote(operation, value) else { return };
    quote.retain(|name, amount| !(is_charge(name) && is_nothing(amount)));
}

pub(super) fn quote(operation: ServiceEndpoint, value: &mut Value) -> Option<&mut Map<String, Value>> {
    if operation == ServiceEndpoint::Calculator { value.as_object_mut() } else { None }
}

pub(super) fn quote_loose_types(operation: ServiceEndpoint, value: &mut Value) {
    if operation != ServiceEndpoint::Calculator {
        return;
    }
    value["state_properties"]["state_stamp_wording_font_size"] = json!("12px");
    value["rpg"] = json!(2);
    value["export_list"] = json!(2);
    let county = value["county_tax_settings"].as_array().and_then(|all| all.first()).cloned();
    value["county_tax_settings"] = county.unwrap_or_else(|| json!({}));
}

pub(super) fn acceptance_without_status(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::BatchImport {
        remove(value, &["status", "total_items"]);
    }
}

/// Rewrites the state of a batch.
fn state(operation: ServiceEndpoint, value: &mut Value, rewrite: impl Fn(&str) -> Value) {
    if matches!(operation, ServiceEndpoint::BatchImport | ServiceEndpoint::ImportResults)
        && let Some(state) = value["status"].as_str()
    {
        value["status"] = rewrite(state);
    }
}

pub(super) fn states_capitalized(operation: ServiceEndpoint, value: &mut Value) {
    state(operation, value, |state| json!(capitalized(state)));
}

pub(super) fn states_as_numbers(operation: ServiceEndpoint, value: &mut Value) {
    state(operation, value, |state| {
        json!(["queued", "processing", "processed", "failed"].iter().position(|known| *known == state))
    });
}

pub(super) fn states_own_words(operation: ServiceEndpoint, value: &mut Value) {
    state(operation, value, |state| {
        json!(match state {
            "queued" => "Received",
            "processing" => "In progress",
            "processed" => "Complete",
            _ => "Error",
        })
    });
}

pub(super) fn row_status_as_text(operation: ServiceEndpoint, value: &mut Value) {
    for row in rows(operation, value) {
        let word = match row["status"].as_i64() {
            Some(0) => "Success",
            Some(2) => "Incomplete",
            _ => "Failed",
        };
        row["status"] = json!(word);
    }
}

/// Rewrites warnings and errors of each row.
fn messages(operation: ServiceEndpoint, value: &mut Value, rewrite: impl Fn(&Map<String, Value>) -> Value) {
    for row in rows(operation, value) {
        for name in ["warnings", "errors"] {
            if let Some(texts) = row[name].as_object() {
                row[name] = rewrite(texts);
            }
        }
    }
}

pub(super) fn warnings_as_objects(operation: ServiceEndpoint, value: &mut Value) {
    messages(operation, value, |texts| {
        texts.iter().map(|(field, text)| json!({"field": field, "message": text})).collect()
    });
}

pub(super) fn warnings_null(operation: ServiceEndpoint, value: &mut Value) {
    messages(operation, value, |texts| if texts.is_empty() { Value::Null } else { json!(texts) });
}

pub(super) fn partial_results(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::ImportResults
        && let Some(rows) = value["transactions"].as_array_mut()
    {
        let mut at = 0;
        rows.retain(|_| {
            at += 1;
            at % 2 == 1
        });
    }
}

pub(super) fn results_reversed(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::ImportResults
        && let Some(rows) = value["transactions"].as_array_mut()
    {
        rows.reverse();
    }
}

/// Each row as it was received, then as it ended, twice.
pub(super) fn results_with_history(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::ImportResults
        && let Some(rows) = value["transactions"].as_array_mut()
    {
        let received = |row: &Value| json!({"id": row["id"], "status_message": "Received"});
        *rows = rows.drain(..).flat_map(|row| [received(&row), row.clone(), row]).collect();
    }
}

pub(super) fn results_share_number(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::ImportResults {
        rows(operation, value).into_iter().for_each(|row| row["transaction_id"] = json!(1));
    }
}

pub(super) fn row_status_of_http(operation: ServiceEndpoint, value: &mut Value) {
    for row in rows(operation, value) {
        let status = if row["status"] == 0 { 200 } else { 422 };
        row["status"] = json!(status);
    }
}

pub(super) fn batch_id_dashed(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::ImportResults
        && let Some(id) = value["batch_id"].as_str().filter(|id| id.len() == 32).map(str::to_uppercase)
    {
        let parts = [&id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..]];
        value["batch_id"] = json!(parts.join("-"));
    }
}

pub(super) fn policy_zeros_dropped(operation: ServiceEndpoint, value: &mut Value) {
    let mut both = rows(operation, value);
    if both.is_empty() {
        both = records(operation, value);
    }
    for row in both {
        // Also where letters follow, as a spreadsheet between the two would not.
        let policy = row["policy_number"].as_str().map(|text| text.trim_start_matches('0').to_owned());
        if let Some(policy) = policy {
            row["policy_number"] = json!(policy);
        }
    }
}

pub(super) fn missing_as_nothing(operation: ServiceEndpoint, status: u16, _: &str) -> Option<Value> {
    (operation == ServiceEndpoint::TransactionStatus && status == NOT_FOUND).then(|| json!({"data": null}))
}

pub(super) fn lists_numbered(_: ServiceEndpoint, value: &mut Value) {
    lists(value, &|_, items| {
        items.into_iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect::<Map<_, _>>().into()
    });
}

pub(super) fn lists_wrapped(_: ServiceEndpoint, value: &mut Value) {
    lists(value, &|name, items| json!({name.trim_end_matches('s'): items}));
}

/// Rewrites every list of objects that is a member whose name is a plural.
fn lists(value: &mut Value, rewrite: &impl Fn(&str, Vec<Value>) -> Value) {
    each_object(value, &|members| {
        for (name, value) in members.iter_mut() {
            if let Value::Array(items) = value
                && name.ends_with('s')
                && !items.is_empty()
                && items.iter().all(Value::is_object)
            {
                *value = rewrite(name, std::mem::take(items));
            }
        }
    });
}

pub(super) fn numbers_with_fraction(_: ServiceEndpoint, value: &mut Value) {
    write_fractions(value);
}

fn write_fractions(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(whole) = number.as_i64().and_then(|whole| i32::try_from(whole).ok()) {
                *value = json!(f64::from(whole));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(write_fractions),
        Value::Object(members) => members.values_mut().for_each(write_fractions),
        _ => {}
    }
}

pub(super) fn flags_as_letters(_: ServiceEndpoint, value: &mut Value) {
    write_flags(value);
}

fn write_flags(value: &mut Value) {
    match value {
        Value::Bool(truth) => *value = json!(if *truth { "Y" } else { "N" }),
        Value::Array(items) => items.iter_mut().for_each(write_flags),
        Value::Object(members) => members.values_mut().for_each(write_flags),
        _ => {}
    }
}

pub(super) fn nulls_blank(_: ServiceEndpoint, value: &mut Value) {
    each_object(value, &|members| {
        members.values_mut().filter(|value| value.is_null()).for_each(|value| *value = json!(""));
    });
}

pub(super) fn envelope_with_message(operation: ServiceEndpoint, value: &mut Value) {
    if operation != ServiceEndpoint::Token {
        *value = json!({"code": 200, "message": "OK", "data": value.take()});
    }
}

pub(super) fn policy_as_number(operation: ServiceEndpoint, value: &mut Value) {
    let mut both = rows(operation, value);
    if both.is_empty() {
        both = records(operation, value);
    }
    for row in both {
        let text = row["policy_number"].as_str().unwrap_or_default();
        if let Some(number) = text.parse::<u64>().ok().filter(|number| number.to_string() == text) {
            row["policy_number"] = json!(number);
        }
    }
}

pub(super) fn unique_id_null(operation: ServiceEndpoint, value: &mut Value) {
    records(operation, value).into_iter().for_each(|record| record["unique_id"] = Value::Null);
}

pub(super) fn transaction_status_words(operation: ServiceEndpoint, value: &mut Value) {
    for record in records(operation, value) {
        let word = match record["transaction_status"].as_i64() {
            Some(0) => "Draft",
            Some(1) => "In review",
            Some(2) => "Approved",
            Some(3) => "Transmitted",
            _ => "Complete",
        };
        record["transaction_status"] = json!(word);
    }
}

pub(super) fn search_odd_member(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::Search
        && let Some(first) = records(operation, value).into_iter().next()
    {
        first["transaction_documents"] = json!("see portal");
        first["created_date"] = json!({"seconds": 0});
    }
}

pub(super) fn documents_success_only(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::DocumentImport {
        *value = json!({"success": true});
    }
}

pub(super) fn documents_own_words(operation: ServiceEndpoint, value: &mut Value) {
    if operation != ServiceEndpoint::DocumentImport {
        return;
    }
    let document = |document: &Value| {
        let failed = document["imported"] != true;
        json!({"title": document["name"], "type": document["code"], "status": i64::from(failed)})
    };
    let documents: Vec<Value> = value["documents"].as_array().into_iter().flatten().map(document).collect();
    *value = json!({"status": "success", "documents": documents});
}

pub(super) fn documents_unlisted(operation: ServiceEndpoint, value: &mut Value) {
    records(operation, value).into_iter().for_each(|record| record["transaction_documents"] = json!([]));
}

pub(super) fn missing_as_message(_: ServiceEndpoint, status: u16, sentence: &str) -> Option<Value> {
    (status == NOT_FOUND).then(|| json!({"message": sentence}))
}

/// Sign-in and the limit of requests keep their status: a client could not even wait or sign in again.
pub(super) fn refusals_success_false(
    operation: ServiceEndpoint,
    status: u16,
    sentence: &str,
) -> Option<Value> {
    let keeps = [UNAUTHORIZED, TOO_MANY_REQUESTS].contains(&status);
    (operation != ServiceEndpoint::Token && !keeps).then(|| json!({"success": false, "error": sentence}))
}

/// Every object of an answer, those keyed by what is no member's name apart.
fn each_object(value: &mut Value, change: &impl Fn(&mut Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            for (_, value) in members.iter_mut().filter(|(name, _)| !is_keyed_by_field(name)) {
                each_object(value, change);
            }
            change(members);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_object(item, change)),
        _ => {}
    }
}

fn is_keyed_by_field(name: &str) -> bool {
    matches!(name, "warnings" | "errors")
}

pub(super) fn nulls_absent(_: ServiceEndpoint, value: &mut Value) {
    each_object(value, &|members| members.retain(|_, value| !value.is_null()));
}

pub(super) fn absent_null(operation: ServiceEndpoint, value: &mut Value) {
    let names: &[&str] = match operation {
        ServiceEndpoint::Token => &["refresh_token", "scope"],
        ServiceEndpoint::Calculator => &["premium_tax", "premium_tax_life", "surcharge"],
        ServiceEndpoint::SingleImport | ServiceEndpoint::ImportResults => &["documents", "message"],
        ServiceEndpoint::TransactionStatus | ServiceEndpoint::Search => &["office", "municipal_name"],
        _ => &["message", "error"],
    };
    let add = |value: &mut Value| {
        if let Some(members) = value.as_object_mut() {
            names.iter().for_each(|name| _ = members.entry(*name).or_insert(Value::Null));
        }
    };
    if operation == ServiceEndpoint::ImportResults {
        rows(operation, value).into_iter().for_each(add);
    } else if operation == ServiceEndpoint::Search {
        records(operation, value).into_iter().for_each(add);
    } else {
        add(value);
    }
}

pub(super) fn single_object(_: ServiceEndpoint, value: &mut Value) {
    each_object(value, &|members| {
        for (_, value) in members.iter_mut() {
            if let Value::Array(items) = value
                && items.len() == 1
                && items[0].is_object()
            {
                *value = items.remove(0);
            }
        }
    });
}

pub(super) fn numbers_as_text(_: ServiceEndpoint, value: &mut Value) {
    write_numbers_as_text(value);
}

fn write_numbers_as_text(value: &mut Value) {
    match value {
        Value::Number(number) => *value = json!(number.to_string()),
        Value::Array(items) => items.iter_mut().for_each(write_numbers_as_text),
        Value::Object(members) => members.values_mut().for_each(write_numbers_as_text),
        _ => {}
    }
}

/// Renames the members of every object; of a sign-in nobody calls them otherwise.
fn rename(operation: ServiceEndpoint, value: &mut Value, name: impl Fn(&str) -> String) {
    if operation != ServiceEndpoint::Token {
        each_object(value, &|members| {
            *members = std::mem::take(members).into_iter().map(|(old, value)| (name(&old), value)).collect();
        });
    }
}

pub(super) fn members_camel_case(operation: ServiceEndpoint, value: &mut Value) {
    rename(operation, value, |name| {
        let mut words = name.split('_');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |name, word| name + &capitalized(word))
    });
}

pub(super) fn members_pascal_case(operation: ServiceEndpoint, value: &mut Value) {
    rename(operation, value, |name| {
        let first = name.chars().next().is_some_and(char::is_lowercase);
        if first { name.split('_').map(capitalized).collect() } else { name.to_owned() }
    });
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn envelope(operation: ServiceEndpoint, value: &mut Value, name: &str) {
    if operation != ServiceEndpoint::Token {
        *value = json!({name: value.take()});
    }
}

pub(super) fn envelope_data(operation: ServiceEndpoint, value: &mut Value) {
    envelope(operation, value, "data");
}

pub(super) fn envelope_result(operation: ServiceEndpoint, value: &mut Value) {
    envelope(operation, value, "result");
}

pub(super) fn envelope_transaction(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::TransactionStatus {
        envelope(operation, value, "transaction");
    }
}
