//! Live update: from the service's commit to the pixel in the real window. `cargo xtask bench --only live` runs
//! this and reads the figure it prints.
//!
//! The service writes down when an event was committed (just before, in fact: the figure includes the commit). The
//! screen is watched from outside, where the newest row of the list is: nothing the page says about itself
//! counts.

use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fantoccini::key::Key;
use serde_json::{Value, json};
use xtask::desktop_session::Area;

use crate::driver::Desktop;
use crate::person::Person;
use crate::within;

/// One change each, so that every new row looks different from the one before it.
const STATES: [&str; 22] = [
    "TX", "FL", "CA", "NY", "IL", "GA", "LA", "NJ", "WA", "CO", "AZ", "OH", "MI", "PA", "VA", "NC", "SC",
    "TN", "KY", "MN", "OR", "UT",
];
const TARGET_MS: u128 = 200;
/// The screen is at rest when nothing changed for so long.
const REST: Duration = Duration::from_millis(400);

#[test]
#[ignore = "a measurement: cargo xtask bench --only live"]
fn bench_from_the_commit_to_the_pixel() {
    within(Duration::from_secs(240), async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        person.presses_control('8').await;
        person.waits_for_text("No events yet").await;
        person.tabs_to_button("Receive events").await;
        person.presses(Key::Enter).await;
        let receives =
            "return document.querySelector('.events-status')?.innerText.trim().startsWith('Receiving');";
        person.waits_until(receives, "the receiver").await;
        // The first one only brings the list; the second finds everything loaded.
        for (round, state) in STATES.iter().enumerate().take(2) {
            changes_wording(&person, state).await;
            shows_rows(&person, round + 1).await;
        }
        let area = newest_row(&desktop, &person).await;
        let mut seen = Vec::new();
        for (round, state) in STATES.iter().enumerate().skip(2) {
            seen.push(sees_change(&desktop, &person, area, state).await);
            shows_rows(&person, round + 1).await;
        }
        let mut times: Vec<u128> = committed(&desktop)
            .into_iter()
            .skip(2)
            .zip(seen)
            .map(|(committed, seen)| seen.saturating_sub(committed))
            .collect();
        println!("milliseconds from commit to pixel: {times:?}");
        assert_eq!(times.len(), STATES.len() - 2);
        times.sort_unstable();
        let (median, late, slowest) =
            (times[times.len() / 2], times[times.len() - 2], times[times.len() - 1]);
        let verdict = if late < TARGET_MS { "pass" } else { "MISS" };
        println!(
            "service's commit to pixel, 95 of 100 | {late} ms (median {median}, slowest {slowest}) | under \
             {TARGET_MS} ms | {verdict}"
        );
        person.leaves().await;
    });
}

/// Plays the state behind the page's back.
async fn changes_wording(person: &Person, state: &str) {
    let request = json!({ "kind": "stamp_wording", "state": state, "text": "Another wording." });
    let script = format!(
        "void window.__TAURI_INTERNALS__.invoke('call', {{ op: 'practice_act', request: {request} }}); return null;"
    );
    person.asks(&script).await;
}

async fn shows_rows(person: &Person, count: usize) {
    let script = format!("return document.querySelectorAll('.event-row').length === {count};");
    person.waits_until(&script, "the event in the list").await;
}

/// The position of the newest row on the screen.
async fn newest_row(desktop: &Desktop, person: &Person) -> Area {
    let script =
        "const { x, y, width, height } = document.querySelector('.event-row').getBoundingClientRect();
        return [x, y, width, height, innerWidth, innerHeight].map(Math.round);";
    let found: Value = person.asks(script).await;
    let number = |at: usize| found[at].as_i64().and_then(|n| i32::try_from(n).ok()).expect("a rectangle");
    let [left, top, width, height] = desktop.geometry();
    // Menu and edges are above and beside the page.
    let (x, y) = (left + width - number(4) + number(0), top + height - number(5) + number(1));
    Area { x, y, width: number(2), height: number(3) }
}

/// Changes a wording and gives the moment at which the row's pixels changed, in milliseconds since 1970.
async fn sees_change(desktop: &Desktop, person: &Person, area: Area, state: &str) -> u128 {
    let watch = desktop.screen.watch(area);
    let (at_rest, watched) = tokio::sync::oneshot::channel();
    let watching = tokio::task::spawn_blocking(move || {
        let before = watch.at_rest(REST);
        let _ = at_rest.send(());
        watch.changes_from(&before, Duration::from_secs(20))
    });
    watched.await.expect("the screen comes to rest");
    changes_wording(person, state).await;
    let seen: SystemTime = watching.await.expect("watched").expect("the row changes within 20 seconds");
    seen.duration_since(UNIX_EPOCH).expect("after 1970").as_millis()
}

/// When the service committed each of its events, in milliseconds since 1970, oldest first.
fn committed(desktop: &Desktop) -> Vec<u128> {
    let database = desktop.data_dir().join("practice/practice.sqlite");
    let script = "import sqlite3, sys
database = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True)
for row in database.execute('SELECT created_at FROM event ORDER BY id'):
    print(row[0])";
    let output = Command::new("python3").arg("-c").arg(script).arg(database).output().expect("Python runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter_map(|line| line.trim().parse().ok()).collect()
}
