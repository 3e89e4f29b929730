//! What the dialects do to transaction records and the answers around them, a function each.

use serde_json::{Map, Value, json};

use crate::ServiceEndpoint;
use crate::answer_changes::{is_charge, quote, records, remove};

pub(super) fn types_in_words(operation: ServiceEndpoint, value: &mut Value) {
    for record in records(operation, value) {
        let word = match record["transaction_type"].as_str() {
            Some("PN") => "New Policy",
            Some("PR") => "Renewal",
            Some("APE") => "Add'l premium",
            _ => continue,
        };
        record["transaction_type"] = json!(word);
    }
}

pub(super) fn invoice_own(operation: ServiceEndpoint, value: &mut Value) {
    for record in records(operation, value) {
        record["extra_invoice_number"] =
            json!(format!("2026-{:06}", record["id"].as_i64().unwrap_or_default()));
    }
}

pub(super) fn own_id_prefixed(operation: ServiceEndpoint, value: &mut Value) {
    for record in records(operation, value) {
        if let Some(id) = record["unique_id"].as_str() {
            record["unique_id"] = json!(format!("IMPORT-{id}"));
        }
    }
}

/// Members of a record that are days.
const DAYS: &[&str] = &[
    "policy_effective_date",
    "transaction_effective_date",
    "policy_expiration_date",
    "date_filed",
    "date_ready_to_file",
    "sl_tax_paid_date",
    "stamping_fee_paid_date",
    "other_taxes_paid_date",
];

fn days(operation: ServiceEndpoint, value: &mut Value, rewrite: impl Fn(&str) -> Value) {
    for record in records(operation, value) {
        for name in DAYS {
            let day = record[*name].as_str().filter(|day| day.len() == 10).map(&rewrite);
            if let Some(day) = day {
                record[*name] = day;
            }
        }
    }
}

pub(super) fn dates_american(operation: ServiceEndpoint, value: &mut Value) {
    days(operation, value, |day| json!(format!("{}/{}/{}", &day[5..7], &day[8..], &day[..4])));
}

pub(super) fn dates_with_time(operation: ServiceEndpoint, value: &mut Value) {
    days(operation, value, |day| json!(format!("{day}T00:00:00.000Z")));
}

pub(super) fn dates_zero(operation: ServiceEndpoint, value: &mut Value) {
    for record in records(operation, value) {
        for name in DAYS {
            if record[*name].is_null() {
                record[*name] = json!("0000-00-00");
            }
        }
    }
}

pub(super) fn amounts_written(operation: ServiceEndpoint, value: &mut Value) {
    if let Some(quote) = quote(operation, value) {
        write_amounts(quote);
    }
    records(operation, value).into_iter().filter_map(Value::as_object_mut).for_each(write_amounts);
}

/// `$1,234.50`, and a credit in brackets.
fn write_amounts(members: &mut Map<String, Value>) {
    for (name, amount) in members.iter_mut() {
        let Some(number) = amount.as_number().filter(|_| name == "premium" || is_charge(name)) else {
            continue;
        };
        let text = number.to_string();
        let (whole, cents) =
            text.trim_start_matches('-').split_once('.').unwrap_or((text.trim_start_matches('-'), "00"));
        let mut grouped = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        let written = format!("${grouped}.{cents:0<2}");
        *amount = json!(if text.starts_with('-') { format!("({written})") } else { written });
    }
}

pub(super) fn pagination_absent(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::Search {
        remove(value, &["pagination"]);
    }
}

pub(super) fn record_in_list(operation: ServiceEndpoint, value: &mut Value) {
    if operation == ServiceEndpoint::TransactionStatus {
        *value = json!({"data": [value.take()]});
    }
}

/// The groups of `members-grouped`: name, the members that it takes, and how these begin without it.
const GROUPS: &[(&str, &[&str], &str)] = &[
    ("policy", &["policy_number", "policy_effective_date", "policy_expiration_date"], "policy_"),
    ("dates", &["date_filed", "date_ready_to_file"], "date_"),
    ("insured", &["mailing_insured_name"], "mailing_insured_"),
    ("invoice", &["extra_invoice_number"], "extra_invoice_"),
    ("risk", &["physical_state"], "physical_"),
];

pub(super) fn members_grouped(operation: ServiceEndpoint, value: &mut Value) {
    if let Some(quote) = quote(operation, value) {
        group_amounts(quote);
    }
    for record in records(operation, value).into_iter().filter_map(Value::as_object_mut) {
        group_amounts(record);
        for (group, names, begin) in GROUPS {
            let take = |name: &&str| Some((name.strip_prefix(begin)?.to_owned(), record.remove(*name)?));
            let taken: Map<String, Value> = names.iter().filter_map(take).collect();
            record.insert((*group).to_owned(), Value::Object(taken));
        }
    }
}

fn group_amounts(members: &mut Map<String, Value>) {
    let (amounts, rest) =
        std::mem::take(members).into_iter().partition(|(name, _)| name == "premium" || is_charge(name));
    *members = rest;
    members.insert("amounts".to_owned(), Value::Object(amounts));
}
