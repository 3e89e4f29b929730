//! `bordereau import --send` and `bordereau batch` against a practice service of its own.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::command::Place;
use crate::imports::sample;
use crate::service::{Served, add};
use crate::stored::{speed, stored};

pub(crate) fn office(served: &Served, environment: &str) -> Place {
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, served, environment, "");
    place
}

#[test]
fn a_file_is_sent_processed_and_listed() {
    let served = Served::start();
    let place = office(&served, "sandbox");
    let line = format!("import {} --send valid --wait --profile Office", sample("good.csv"));
    let sent = place.json(&line);
    assert_eq!(sent["batch"]["state"], "processed", "{sent}");
    assert_eq!(
        sent["batch"]["counts"]["accepted"].as_u64().unwrap()
            + sent["batch"]["counts"]["warning"].as_u64().unwrap(),
        60
    );
    let there = stored(&served);
    assert_eq!((there.len(), there.values().all(|count| *count == 1)), (60, true), "{there:?}");

    let again = place.line(&line);
    assert_eq!(again.code, 3, "what was sent is not sent again: {again:?}");
    assert_eq!(stored(&served).len(), 60);

    let id = sent["batch"]["id"].as_str().unwrap();
    let listed = place.json("batch list");
    assert_eq!(listed["batches"][0]["id"], id);
    let shown = place.json(&format!("batch show {id}"));
    assert_eq!(shown["rows"].as_array().unwrap().len(), 60);
    assert!(shown["rows"][0]["transaction_id"].is_string(), "{}", shown["rows"][0]);
    for (line, code) in
        [(format!("batch show {id}"), 0), ("batch show nobody".into(), 2), ("batch list".into(), 0)]
    {
        assert_eq!(place.line(&line).code, code, "{line}");
    }
    let saved = place.folder().join("warned.csv");
    let rejects = format!("batch rejects {id} {}", saved.display());
    assert_eq!(place.line(&rejects).code, 3, "no row was rejected");
    assert_eq!(place.line(&format!("{rejects} --with-warnings")).code, 0);
    let warned = sent["batch"]["counts"]["warning"].as_u64().unwrap() as usize;
    assert!(warned > 0, "{sent}");
    assert_eq!(std::fs::read_to_string(saved).unwrap().lines().count(), warned + 1);
}

#[test]
fn only_what_a_repair_changed_is_sent_again() {
    let served = Served::start();
    let place = office(&served, "sandbox");
    let line = format!("import {} --send valid --wait --profile Office --json", sample("bad.csv"));
    let ended = place.line(&line);
    assert_eq!(ended.code, 3, "rows with errors stay: {ended:?}");
    assert!(ended.err.contains("33 rows with errors were not sent"), "{ended:?}");
    let sent: Value = serde_json::from_str(&ended.out).unwrap();
    let id = sent["batch"]["id"].as_str().unwrap();
    let nothing = place.line(&format!("batch resend {id} --repair trim_nothing --profile Office"));
    assert_eq!(nothing.code, 3, "{nothing:?}");
    assert!(nothing.err.contains("use_calculated"), "says what there is: {nothing:?}");
    let again =
        place.line(&format!("batch resend {id} --repair use_calculated --wait --profile Office --json"));
    assert_eq!(again.code, 0, "{again:?}");
    let again: Value = serde_json::from_str(&again.out).unwrap();
    let resent = again["batch"]["counts"]["total"].as_u64().unwrap();
    assert!(resent > 0 && resent < 27, "only the changed ones: {again}");
    assert_eq!(again["batch"]["corrects"], id, "{again}");
}

#[test]
fn production_asks_for_yes() {
    let served = Served::start();
    let place = office(&served, "production");
    let line = format!("import {} --send valid --wait --profile Office", sample("good.csv"));
    let ended = place.line(&line);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.err.contains("60 transactions would go to PRODUCTION"), "{ended:?}");
    assert!(ended.err.contains("506475.79"), "the totals come before: {ended:?}");
    assert_eq!(stored(&served).len(), 0);
    let ended = place.line(&format!("{line} --yes"));
    assert_eq!((ended.code, stored(&served).len()), (0, 60), "{ended:?}");
}

#[test]
fn a_second_run_beside_the_first_does_nothing() {
    let place = Place::new();
    let mut first = place
        .command()
        .args(["import", "-", "--send", "valid"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // It reads its standard input until that ends, and has the lock meanwhile.
    let lock = place.folder().join("data").join("import.lock");
    for _ in 0..200 {
        if std::fs::read_to_string(&lock).is_ok_and(|text| !text.is_empty()) {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let second = place.line(&format!("import {} --send valid", sample("good.csv")));
    assert_eq!(second.code, 5, "{second:?}");
    assert!(second.err.contains("another import"), "{second:?}");
    let check = place.line(&format!("import {}", sample("good.csv")));
    assert_eq!(check.code, 0, "a check goes on beside it: {check:?}");
    first.stdin.take().unwrap().write_all(b"no table").unwrap();
    first.wait().unwrap();
    assert_ne!(place.line("import --resume").code, 5, "the lock goes with its process");
}

/// Rows of the good sample with other ids and policies.
pub(crate) fn many(rows: usize) -> String {
    let text = std::fs::read_to_string(sample("good.csv")).unwrap();
    let mut lines = text.lines();
    let mut all = format!("{}\n", lines.next().unwrap());
    let rows_of_file: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    for n in 0..rows {
        let row = rows_of_file[n % rows_of_file.len()];
        let mut cells: Vec<&str> = row.splitn(4, ',').collect();
        let (id, policy) = (format!("NIGHT-{n:05}"), format!("{:010}", 7_000_000 + n));
        (cells[0], cells[2]) = (&id, &policy);
        all.push_str(&format!("{}\n", cells.join(",")));
    }
    all
}

/// A few transactions that the service is known to have: what it does not find after that is not there.
pub(crate) fn known(place: &Place) -> usize {
    let file = place.folder().join("known.csv");
    std::fs::write(&file, many(3).replace("NIGHT-", "KNOWN-").replace(",000700", ",8000700")).unwrap();
    let ended = place.line(&format!("import {} --send valid --wait --profile Office", file.display()));
    assert_eq!(ended.code, 0, "{ended:?}");
    3
}

/// What was being sent was lost an hour ago: long enough to know whether it arrived.
pub(crate) fn an_hour_goes_by(place: &Place) {
    let store = rusqlite::Connection::open(place.folder().join("data/desk.sqlite")).unwrap();
    let hour_ago = "(CAST(strftime('%s', 'now') AS INTEGER) - 3600) * 1000";
    let sql = format!(
        "UPDATE batch_parts SET state = 'unknown', lost_ms = {hour_ago}, observed_ms = 3600000
         WHERE state IN ('sending', 'unknown')"
    );
    store.execute(&sql, []).unwrap();
}

/// kill -9 in the middle; the next run looks up what is there, sends the rest, and nothing twice.
#[test]
fn a_killed_run_is_resumed_and_nothing_is_sent_twice() {
    let served = Served::start();
    let place = office(&served, "sandbox");
    let mut expected = known(&place);
    for (run, pause_ms) in [0, 20, 60, 150].into_iter().enumerate() {
        let file = place.folder().join(format!("night-{run}.csv"));
        let rows =
            many(300).replace("NIGHT-", &format!("NIGHT-{run}-")).replace(",000700", &format!(",9{run}0700"));
        std::fs::write(&file, rows).unwrap();
        let mut child = place
            .command()
            .args(["import", &file.to_string_lossy(), "--send", "valid", "--wait", "--profile", "Office"])
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let is_stored = said.any(|line| line.is_ok_and(|line| line.contains(" stored")));
        assert!(is_stored, "run {run} got as far as sending");
        std::thread::sleep(Duration::from_millis(pause_ms));
        child.kill().unwrap();
        child.wait().unwrap();
        an_hour_goes_by(&place);
        let ended = place.line("import --resume --wait --profile Office");
        assert_eq!(ended.code, 0, "{ended:?}");
        expected += 300;
        let there = stored(&served);
        assert_eq!(there.len(), expected, "run {run}: every row is there");
        assert!(there.values().all(|count| *count == 1), "run {run}: once");
        let states = place.json("batch list");
        assert_eq!(states["batches"][0]["state"], json!("processed"), "{states}");
    }
}

#[test]
fn without_the_service_the_batch_stays_for_the_next_run() {
    let mut served = Served::start();
    let place = office(&served, "sandbox");
    served.stop();
    let line = format!("import {} --send valid --wait --at-most 0 --profile Office", sample("good.csv"));
    let ended = place.line(&line);
    assert_eq!(ended.code, 5, "{ended:?}");
    assert!(ended.err.contains("stays in the outbox"), "{ended:?}");
    assert_eq!(place.json("batch list")["batches"][0]["counts"]["pending"], 60);
}

/// Rows without ids of their own: what makes them the same is the run that was stopped.
#[test]
fn the_same_command_after_a_kill_sends_nothing_twice() {
    let served = Served::start();
    let place = office(&served, "sandbox");
    let file = place.folder().join("night.csv");
    let rows = |n| format!("P-{n:05},TX,PN,2026-02-23,1000.00,48.50,INV-{n:05}\n");
    let head = "Policy Number,State,Type,Effective Date,Premium,SL Tax,Invoice Number\n";
    std::fs::write(&file, format!("{head}{}", (0..300).map(rows).collect::<String>())).unwrap();
    let shown = file.to_string_lossy().into_owned();
    let before = known(&place);
    // So slow that it is certainly not done when it is killed.
    speed(&served, 0);
    let line = ["import", &shown, "--send", "all", "--wait", "--accept-matches", "--profile", "Office"];
    let mut child = place.command().args(line).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(said.any(|line| line.is_ok_and(|line| line.contains(" stored"))), "it got as far as sending");
    child.kill().unwrap();
    child.wait().unwrap();
    an_hour_goes_by(&place);
    speed(&served, 100_000);

    let again = place.run(line);
    assert!(again.err.contains("was stopped after it stored batch"), "{again:?}");
    let there = stored(&served);
    let once = there.values().all(|count| *count == 1);
    assert_eq!((there.len(), once), (300 + before, true), "{again:?}");
    let batches = place.json("batch list")["batches"].as_array().map(Vec::len);
    assert_eq!(batches, Some(2), "one batch more: {again:?}");
    let left = place.line("batch list");
    assert!(left.out.contains("processed"), "{left:?}");

    // All rows is not all rows once more.
    let third = place.run(line);
    assert_eq!(third.code, 3, "{third:?}");
    assert!(third.err.contains("300 rows were sent before and excluded"), "{third:?}");
    assert_eq!(stored(&served).len(), 300 + before);
    let asked = place.run(line.into_iter().chain(["--again"]));
    assert_eq!(stored(&served).len(), 600 + before, "who asks for it gets it: {asked:?}");
}
