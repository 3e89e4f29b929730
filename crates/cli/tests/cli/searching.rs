//! `bordereau search` and `bordereau status` against a practice service of its own.

use crate::command::Place;
use crate::imports::sample;
use crate::service::{Served, add};

#[test]
fn what_was_sent_is_found_saved_and_followed() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "sandbox", "");
    let line = format!("import {} --send valid --wait --profile Office", sample("good.csv"));
    assert_eq!(place.json(&line)["batch"]["state"], "processed");

    let all = place.json("search --profile Office --policy-effective 2020-01-01..2030-12-31");
    assert_eq!(all["total"], 60, "{all}");
    let first = &all["transactions"][0];
    let (id, state) = (first["id"].as_str().unwrap(), first["state"].as_str().unwrap());
    assert_eq!(
        first["status_word"],
        format!("Status {}", first["status"].as_str().unwrap()),
        "words are no guess"
    );
    let policy = first["policy_number"].as_str().unwrap();
    let found = place.json(&format!("search --profile Office --offline --text {policy} --state {state}"));
    let plain = place.json(&format!("search {policy} --profile Office --offline --state {state}"));
    assert_eq!(plain, found, "words need no option");
    assert!(found["transactions"].as_array().unwrap().iter().any(|row| row["id"] == id), "{found}");

    let invoice = first["invoice_number"].as_str().unwrap();
    for line in
        [format!("status {id} --profile Office"), format!("status --invoice {invoice} --profile Office")]
    {
        let shown = place.json(&line);
        assert_eq!(shown["row"]["id"], id);
        assert!(shown["amounts"].as_array().unwrap().iter().any(|amount| amount["field"] == "total"));
    }
    let file = place.folder().join("found.xlsx");
    let saved = place.line(&format!("search --profile Office --offline --xlsx {}", file.display()));
    assert_eq!(saved.code, 0, "{saved:?}");
    assert!(std::fs::read(&file).unwrap().starts_with(b"PK"));
    let twice = place.line("search --profile Office --offline --filed 2026-02-30");
    assert_eq!(twice.err.matches("is not a date").count(), 1, "{twice:?}");
    for (line, code) in [
        ("search --profile Office --offline --filed yesterday..", 3),
        ("search --profile Office --offline --state Texas", 2),
        ("search --profile Office --offline --xlsx found.csv", 2),
        ("status 999999 --profile Office", 2),
        ("status", 2),
        ("status 1 --invoice 2", 2),
    ] {
        assert_eq!(place.line(line).code, code, "{line}");
    }
}
