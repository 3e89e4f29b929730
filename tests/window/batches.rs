//! A batch in the real window: a file is dropped from outside, its rows are reviewed, a group is repaired,
//! the rows are sent and processed. The drop takes the pointer it needs; all else is the keyboard.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::key::Key;
use serde_json::json;

use crate::driver::Desktop;
use crate::person::Person;
use crate::within_limit;

/// Six transactions; in four of them the tax is a dollar too low.
pub const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/batch.csv");
pub const ROWS: usize = 6;
const WRONG: usize = 4;
const XDND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/xdnd.py");

/// Drops files on the middle of the window, as a file manager does. Tells when, in milliseconds since 1970.
pub async fn drops(desktop: &Desktop, files: &[&Path]) -> i64 {
    let (x, y) = desktop.middle_of_window();
    // The system's own Python has GTK; another one on the path may not.
    let mut source = Command::new("/usr/bin/python3")
        .arg(XDND)
        .args([x.to_string(), y.to_string()])
        .args(files)
        .env("DISPLAY", desktop.screen.display())
        .env_remove("WAYLAND_DISPLAY")
        .env("GDK_BACKEND", "x11")
        .env("NO_AT_BRIDGE", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the source of the drop starts");
    let started = Instant::now();
    let status = loop {
        if let Some(status) = source.try_wait().expect("the source of the drop") {
            break status;
        }
        if started.elapsed() > Duration::from_secs(20) {
            source.kill().ok();
            source.wait().ok();
            panic!("the source of the drop did not end");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(status.success(), "the window did not take the files ({status})");
    let mut told = String::new();
    source.stdout.take().expect("its words").read_to_string(&mut told).expect("its words");
    told.lines().last().and_then(|line| line.trim().parse().ok()).expect("the time of the drop")
}

/// Rows the grid says it has, without its head.
async fn rows_in_grid(person: &Person) -> i64 {
    let script =
        "return Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') ?? 0) - 1;";
    person.asks(script).await.as_i64().unwrap_or_default()
}

/// Waits for the grid with its rows.
pub async fn waits_for_rows(person: &Person, rows: usize) {
    let script = format!(
        "const grid = document.querySelector('[role=grid]');
         return grid?.getAttribute('aria-rowcount') === '{}'
             && grid.querySelectorAll('[role=gridcell]').length > 0
             && grid.innerText.includes('0010000');",
        rows + 1
    );
    person.waits_until(&script, &format!("{rows} rows in the grid")).await;
}

/// The batch on screen came to its end: "being processed" is not "processed".
pub async fn waits_for_end(person: &Person) {
    let script = "return document.querySelector('.batch-progress')?.dataset.state === 'processed';";
    person.waits_until(script, "a processed batch").await;
}

/// The count behind a word above the grid, such as `Errors`.
pub async fn waits_for_count(person: &Person, word: &str, count: usize) {
    let script = format!(
        "return [...document.querySelectorAll('.chips .chip')]
             .some((chip) => chip.innerText.replace(/\\s+/g, ' ').trim().endsWith({}));",
        json!(format!("{word} {count}"))
    );
    person.waits_until(&script, &format!("{word} {count}")).await;
}

/// One repair for the whole group, shown before it is done.
async fn repairs_the_taxes(person: &Person) {
    person.tabs_to_button("Use calculated in").await;
    person.presses(Key::Enter).await;
    person.waits_for_text(&format!("Apply {WRONG} change")).await;
    person.tabs_to_button(&format!("Apply {WRONG} change")).await;
    person.pictures("batch-repair").await;
    person.presses(Key::Enter).await;
    waits_for_count(person, "Warnings", 0).await;
    waits_for_count(person, "Changed", WRONG).await;
    person.waits_for_text("No issues found").await;
}

/// Sends what is ready. The grid may have the focus, where Tab goes from cell to cell.
pub async fn sends(person: &Person, rows: usize) {
    person.presses_control(Key::Enter).await;
    person.waits_for_text(&format!("Send {rows} transactions")).await;
    person.pictures("batch-send").await;
    person.tabs_to_button(&format!("Send {rows} transactions")).await;
    person.presses(Key::Enter).await;
}

#[test]
fn a_dropped_file_is_reviewed_repaired_and_sent() {
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;

        drops(&desktop, &[Path::new(FILE)]).await;
        waits_for_rows(&person, ROWS).await;
        assert_eq!(rows_in_grid(&person).await, 6);
        person.waits_for_text("batch.csv").await;
        waits_for_count(&person, "Errors", 0).await;
        waits_for_count(&person, "Warnings", WRONG).await;
        person.waits_for_text("a tax that differs from the calculation").await;
        person.pictures("batch-review").await;

        repairs_the_taxes(&person).await;
        sends(&person, ROWS).await;
        waits_for_count(&person, "Accepted", ROWS).await;
        waits_for_end(&person).await;
        person.pictures("batch-results").await;
        person.leaves().await;
    });
}

#[test]
fn what_came_back_with_warnings_is_corrected_and_only_that_is_sent_again() {
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        drops(&desktop, &[Path::new(FILE)]).await;
        waits_for_rows(&person, ROWS).await;
        person.waits_for_text(&format!("Send {ROWS} ready rows")).await;
        sends(&person, ROWS).await;
        waits_for_count(&person, "Warnings", WRONG).await;
        waits_for_count(&person, "Accepted", ROWS - WRONG).await;
        waits_for_end(&person).await;
        person.pictures("batch-warnings").await;

        person.waits_for_text(&format!("Correct {WRONG} rows")).await;
        person.presses_control('e').await;
        waits_for_rows(&person, WRONG).await;
        repairs_the_taxes(&person).await;
        sends(&person, WRONG).await;
        waits_for_count(&person, "Accepted", WRONG).await;
        waits_for_end(&person).await;
        person.pictures("batch-resent").await;
        person.leaves().await;
    });
}
