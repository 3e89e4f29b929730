//! A nightly run that meets a batch whose answer was lost, at a service that cannot be asked.

use serde_json::Value;

use crate::command::{Ended, Place};
use crate::imports::sample;
use crate::service::{Served, add};
use crate::stored::{fault, no_faults, stored};

/// A batch of 60 rows as a run leaves it that was killed an hour ago while it was sending.
fn killed_while_sending(place: &Place, served: &Served, options: &str) -> String {
    fault(served, "batch_import", "cut_before", 1000);
    let good = sample("good.csv");
    let line = format!("import {good} --send valid --wait --at-most 0 --profile Office {options}");
    let ended = place.line(&line);
    assert_eq!(ended.code, 5, "{ended:?}");
    let batch = place.json("batch list")["batches"][0].clone();
    let store = rusqlite::Connection::open(place.folder().join("data/desk.sqlite")).unwrap();
    let hour_ago = "(CAST(strftime('%s', 'now') AS INTEGER) - 3600) * 1000";
    let left =
        format!("UPDATE batch_parts SET state = 'unknown', lost_ms = {hour_ago}, observed_ms = 3600000");
    assert_eq!(store.execute(&left, []).unwrap(), 1);
    store.execute("UPDATE batches SET state = 'unknown'", []).unwrap();
    no_faults(served);
    batch["id"].as_str().unwrap().to_owned()
}

fn is_told(ended: &Ended, id: &str) {
    assert_eq!(ended.code, 5, "{ended:?}");
    let line = ended.err.lines().last().unwrap();
    for words in [
        "alone proves nothing",
        "it was received, or send again",
        &format!("`bordereau batch arrived {id}`"),
        &format!("`bordereau batch send-again {id}`"),
    ] {
        assert!(line.contains(words), "{words}: {line}");
    }
}

#[test]
fn a_lost_batch_is_asked_about_and_decided_from_the_command_line() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "sandbox", "");
    let id = killed_while_sending(&place, &served, "");
    fault(&served, "import_results", "not_found", 100_000);
    fault(&served, "transaction_status", "not_found", 100_000);
    for _ in 0..2 {
        is_told(&place.line("import --resume --profile Office"), &id);
    }
    assert!(stored(&served).is_empty(), "nothing is sent by itself");
    let shown = place.json(&format!("batch show {id}"));
    assert_eq!((&shown["batch"]["state"], &shown["batch"]["asks"]), (&"unknown".into(), &true.into()));
    no_faults(&served);

    let sent = place.line(&format!("batch send-again {id} --wait --json"));
    assert_eq!(sent.code, 0, "{sent:?}");
    let sent: Value = serde_json::from_str(&sent.out).unwrap();
    assert_eq!(sent["batch"]["state"], "processed");
    let there = stored(&served);
    assert!(there.len() == 60 && there.values().all(|count| *count == 1), "{there:?}");

    for line in ["arrived", "send-again", "look-again"] {
        let late = place.line(&format!("batch {line} {id}"));
        assert_eq!((late.code, late.err.contains("isn't waiting for a decision")), (3, true), "{late:?}");
        assert_eq!(place.line(&format!("batch {line} nobody")).code, 2, "{line}");
    }
    assert_eq!(place.line("import --resume --profile Office").code, 0);
}

#[test]
fn a_batch_that_arrived_is_not_sent_again() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "sandbox", "");
    let id = killed_while_sending(&place, &served, "");
    fault(&served, "import_results", "not_found", 100_000);
    fault(&served, "transaction_status", "not_found", 100_000);
    is_told(&place.line("import --resume --profile Office"), &id);
    let arrived = place.line(&format!("batch arrived {id}"));
    assert_eq!((arrived.code, arrived.out.contains("60 accepted")), (0, true), "{arrived:?}");
    assert_eq!(place.line("import --resume --profile Office").code, 0);
    assert!(stored(&served).is_empty());
}

#[test]
fn what_goes_to_production_once_more_asks_for_yes() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "production", "");
    let id = killed_while_sending(&place, &served, "--yes");
    fault(&served, "import_results", "not_found", 100_000);
    fault(&served, "transaction_status", "not_found", 100_000);
    is_told(&place.line("import --resume --profile Office"), &id);
    no_faults(&served);
    // Sent on another day: today nothing was confirmed yet.
    let store = rusqlite::Connection::open(place.folder().join("data/desk.sqlite")).unwrap();
    store.execute("UPDATE batches SET day = '2020-01-01'", []).unwrap();
    drop(store);
    // Whichever profile is in use.
    assert_eq!(place.line("profile use Practice").code, 0);
    let refused = place.line(&format!("batch send-again {id} --wait"));
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("PRODUCTION") && refused.err.contains("--yes"), "{refused:?}");
    assert!(stored(&served).is_empty(), "nothing went there");
    let sent = place.line(&format!("batch send-again {id} --wait --yes"));
    assert_eq!(sent.code, 0, "{sent:?}");
    let there = stored(&served);
    assert!(there.len() == 60 && there.values().all(|count| *count == 1), "{there:?}");
}
