//! The day before and the day of every change in the rule files.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use asking::{new_policy, quote};
use bordereau_tax::{LinesTable, Quote};
use chrono::NaiveDate;
use toml::Value;

/// Every rule file, read without the loader.
fn files() -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/rules");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    paths.iter().map(|path| toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()).collect()
}

fn text<'v>(table: &'v Value, key: &str) -> Option<&'v str> {
    table.get(key).and_then(Value::as_str)
}

fn list<'v>(table: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    table.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// A new policy with every line of the table: so every charge has something to fall on.
fn everything(state: &str, day: NaiveDate) -> Quote {
    let lines: Vec<String> = LinesTable::builtin().iter().map(|line| format!("{}=1000", line.code)).collect();
    quote(&new_policy(state, &lines.join("|"), &day.to_string()))
}

/// Whether the charge is there with this value.
fn charged(quote: &Quote, kind: &str, value: &str) -> bool {
    quote.charges.iter().any(|charge| {
        let rate = charge.rate.map(|rate| rate.to_string());
        let flat = charge.flat.map(|flat| flat.to_string());
        let same = |found: &str| found.trim_end_matches('0') == value.trim_end_matches('0');
        &*charge.kind == kind && rate.or(flat).is_some_and(|found| same(&found))
    })
}

#[test]
fn every_change_takes_place_on_its_day() {
    let files = files();
    assert_eq!(files.len(), 53);
    let mut changes = 0;
    for file in &files {
        let state = text(file, "state").unwrap();
        for charge in list(file, "charge") {
            let kind = text(charge, "kind").unwrap();
            let mut before: Option<(&str, Option<&str>)> = None;
            for rate in list(charge, "rate") {
                let value = text(rate, "rate").or(text(rate, "flat")).unwrap();
                if let Some(from) = text(rate, "from") {
                    let day: NaiveDate = from.parse().unwrap();
                    let eve = day.pred_opt().unwrap();
                    let (at, ahead) = (everything_from(state, day), everything_from(state, eve));
                    if let Some(at) = at {
                        assert!(charged(&at, kind, value), "{state} {kind} {value} on {day}");
                        changes += 1;
                    }
                    if let (Some(ahead), Some((earlier, until))) = (ahead, before) {
                        let known = until == Some(eve.to_string().as_str());
                        assert_eq!(
                            charged(&ahead, kind, earlier),
                            known,
                            "{state} {kind} {earlier} on {eve}"
                        );
                        assert!(
                            !charged(&ahead, kind, value) || earlier == value,
                            "{state} {kind} {value} on {eve}"
                        );
                    } else if let (Some(ahead), None) = (everything_from(state, eve), before) {
                        assert!(!charged(&ahead, kind, value), "{state} {kind} {value} on {eve}");
                    }
                }
                before = Some((value, text(rate, "until")));
            }
        }
    }
    assert!(changes > 50, "{changes}");
}

/// `None` before the first day a question may have.
fn everything_from(state: &str, day: NaiveDate) -> Option<Quote> {
    (day >= NaiveDate::from_ymd_opt(1990, 1, 1).unwrap()).then(|| everything(state, day))
}

#[test]
fn every_value_carries_its_source_and_how_sure_it_is() {
    for file in files() {
        let state = text(&file, "state").unwrap().to_string();
        for charge in list(&file, "charge") {
            for rate in list(charge, "rate") {
                let sources: Vec<_> = list(rate, "source").collect();
                assert!(!sources.is_empty(), "{state}");
                let is_private = |s: &&&Value| s.get("private").is_some();
                let public = sources.iter().filter(|s| !is_private(s));
                assert!(public.clone().all(|s| text(s, "url").unwrap().starts_with("http")), "{state}");
                let level = text(rate.get("checked").unwrap(), "level").unwrap();
                assert!(
                    public.count() > 0 || level != "confirmed",
                    "{state}: confirmed by private sources alone"
                );
                assert!(!text(rate.get("checked").unwrap(), "text").unwrap().is_empty(), "{state}");
                assert!(matches!(text(rate, "status"), Some("enacted" | "announced")), "{state}");
            }
        }
    }
}
