//! What differs between two versions of a rule file, in words for the changelog of the rules. The files are
//! compared as TOML, so that a version with other keys is compared as well.

#![allow(dead_code, reason = "the example and the test each use a part")]

use std::collections::BTreeSet;
use std::str::FromStr;

use bordereau_money::Rate;
use toml::{Table, Value};

/// What differs, one sentence each. An empty text is a file that is not there.
pub fn differences(before: &str, after: &str) -> Result<Vec<String>, toml::de::Error> {
    let mut found = Vec::new();
    let (mut before, mut after): (Table, Table) = (before.parse()?, after.parse()?);
    tell_chargers_apart(&mut before, &after);
    tell_chargers_apart(&mut after, &before);
    compare_tables(&[], &before, &after, &mut found);
    Ok(found)
}

/// One entry for the agency fee covers both who may charge it, where the other version has an entry for each.
fn tell_chargers_apart(rules: &mut Table, other: &Table) {
    let splits = other.get("fees").and_then(Value::as_table).is_some_and(|fees| fees.contains_key("retail"));
    let Some(fees) = rules.get_mut("fees").and_then(Value::as_table_mut) else { return };
    if splits && let Some(agency) = fees.remove("agency") {
        fees.insert("retail".into(), agency.clone());
        fees.insert("licensee".into(), agency);
    }
}

fn compare_tables(path: &[String], before: &Table, after: &Table, found: &mut Vec<String>) {
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for key in keys.into_iter().filter(|key| *key != "checked_on") {
        match (before.get(key), after.get(key)) {
            (Some(Value::Table(before)), Some(Value::Table(after))) => {
                compare_tables(&[path, std::slice::from_ref(key)].concat(), before, after, found);
            }
            (Some(Value::Table(before)), None) => {
                compare_tables(&[path, std::slice::from_ref(key)].concat(), before, &Table::new(), found);
            }
            (None, Some(Value::Table(after))) => {
                compare_tables(&[path, std::slice::from_ref(key)].concat(), &Table::new(), after, found);
            }
            (before, after) if before.or(after).is_some_and(is_list_of_tables) => {
                compare_lists(path, key, list(before), list(after), found);
            }
            (before, after) if before != after => {
                found.push(format!("{}: {} -> {}", title(path, key), said(key, before), said(key, after)));
            }
            _ => {}
        }
    }
}

/// Pairs what is the same, then what is called the same, in order; the rest is new or gone.
fn compare_lists(
    path: &[String],
    key: &str,
    before: Vec<&Table>,
    after: Vec<&Table>,
    found: &mut Vec<String>,
) {
    let (mut gone, mut new) = (before, after);
    gone.retain(|item| match new.iter().position(|other| other == item) {
        Some(at) => {
            new.remove(at);
            false
        }
        None => true,
    });
    for item in gone {
        let same_name = new.iter().position(|other| name(key, other) == name(key, item));
        // A rate whose first day was found is still the same rate.
        let same_rate = |other: &&Table| key == "rate" && rate_value(other) == rate_value(item);
        match same_name.or_else(|| new.iter().position(same_rate)) {
            Some(at) => {
                let other = new.remove(at);
                compare_tables(&[path, &[name(key, item)]].concat(), item, other, found);
            }
            None => found.push(title(path, &format!("no longer {}", described(key, item)))),
        }
    }
    for item in new {
        found.push(title(path, &format!("new {}", described(key, item))));
    }
}

fn is_list_of_tables(value: &Value) -> bool {
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(Value::is_table))
}

fn list(value: Option<&Value>) -> Vec<&Table> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table).collect()
}

fn text<'t>(item: &'t Table, key: &str) -> Option<&'t str> {
    item.get(key).and_then(Value::as_str)
}

/// What an item of a list is called: by that it is found again in the other version.
fn name(key: &str, item: &Table) -> String {
    let of =
        |keys: &[&str]| keys.iter().find_map(|key| text(item, key)).unwrap_or_default().replace('_', " ");
    match key {
        "charge" => {
            let (kind, field) = (of(&["kind"]), of(&["field"]));
            if kind == field { kind } else { format!("{kind} ({field})") }
        }
        "rate" => match text(item, "from") {
            Some(from) => format!("from {from}"),
            None => "without a first day".into(),
        },
        "source" => format!("source {}", of(&["url", "title"])),
        _ => format!("{} {}", key.replace('_', " "), of(&["code", "name", "kind", "lines", "title"]))
            .trim_end()
            .into(),
    }
}

/// An item that is new or gone, with what counts of it.
fn described(key: &str, item: &Table) -> String {
    let name = name(key, item);
    match key {
        "rate" => {
            let until = text(item, "until").map(|until| format!(" until {until}")).unwrap_or_default();
            format!("value {} {name}{until}{}", rate_value(item), level(item))
        }
        "charge" => {
            let rates = list(item.get("rate"));
            let values: Vec<String> = rates.into_iter().map(|rate| described("rate", rate)).collect();
            let concerned = ["classes", "lines", "except_classes"].iter().filter_map(|key| {
                item.get(*key).map(|value| format!("; {}: {}", key.replace('_', " "), said(key, Some(value))))
            });
            format!("charge {name}: {}{}", values.join(", "), concerned.collect::<String>())
        }
        "source" if item.contains_key("url") => {
            format!("{name} ({})", text(item, "title").unwrap_or_default())
        }
        _ => match text(item, "text").or_else(|| text(item, "note")) {
            Some(words) => format!("{name}: {words}{}", level(item)),
            None => name,
        },
    }
}

fn level(item: &Table) -> String {
    let checked = item.get("checked").and_then(Value::as_table);
    checked.and_then(|checked| text(checked, "text")).map(|words| format!(" ({words})")).unwrap_or_default()
}

fn rate_value(item: &Table) -> String {
    match text(item, "rate") {
        Some(rate) => percent(rate),
        None => format!("${}", text(item, "flat").unwrap_or("?")),
    }
}

fn percent(fraction: &str) -> String {
    Rate::from_str(fraction)
        .map_or_else(|_| fraction.into(), |rate| format!("{}%", rate.to_percent().normalize()))
}

/// `agency fee, taxed` of the path `fees agency` and the key `taxed`.
fn title(path: &[String], key: &str) -> String {
    let words = path.iter().filter(|part| *part != "fees").map(|part| part.replace('_', " "));
    let mut parts: Vec<String> = words.collect();
    if path.first().is_some_and(|part| part == "fees") && !parts.is_empty() {
        match parts[0].as_str() {
            "retail" => parts[0] = "retail agent's fee".into(),
            "licensee" => parts[0] = "surplus lines licensee's fee".into(),
            _ => parts[0].push_str(" fee"),
        }
    }
    let key = match key {
        "from" => "first day",
        "until" => "last day",
        "rate" | "flat" => "value",
        "level" => "how sure",
        "assumed" => "agency fee, who charges it when nobody says",
        other => other,
    };
    parts.push(if key.contains(' ') { key.into() } else { key.replace('_', " ") });
    parts.retain(|part| part != "checked");
    parts.join(", ")
}

fn said(key: &str, value: Option<&Value>) -> String {
    match (key, value) {
        (_, None) => "none".into(),
        (_, Some(Value::Array(items))) if items.is_empty() => "none".into(),
        ("rate", Some(Value::String(rate))) => percent(rate),
        ("flat", Some(Value::String(amount))) => format!("${amount}"),
        (_, Some(Value::Boolean(yes))) => if *yes { "yes" } else { "no" }.into(),
        (_, Some(Value::Array(items))) => {
            let words: Vec<String> = items.iter().map(|item| said(key, Some(item))).collect();
            words.join(", ")
        }
        // A code is one word; anything else is a sentence.
        (_, Some(Value::String(words))) if words.contains(' ') => format!("\"{words}\""),
        (_, Some(Value::String(word))) => word.clone(),
        (_, Some(Value::Integer(number))) => number.to_string(),
        (_, Some(other)) => format!("{other:?}"),
    }
}
