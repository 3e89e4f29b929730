//! The daily work, by keyboard alone once the file is dropped: an agency's messy export is matched, repaired
//! by group, sent, corrected where the service warns, and only what changed is sent again. Three hundred rows
//! of `samples/batches/messy-5000.xlsx`, as CSV.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use fantoccini::key::Key;
use serde_json::json;

use crate::batches::{drops, sends, waits_for_count, waits_for_end};
use crate::driver::Desktop;
use crate::person::Person;
use crate::within;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/messy.csv");
/// Rows with content: 300 transactions and a line of totals.
const ROWS: usize = 301;
/// The agency's own words for lines of business.
pub const CODES: [(&str, &str); 5] = [
    ("PKG", "GEN-1001"),
    ("PROF", "GEN-1006"),
    ("CGL", "GEN-1002"),
    ("PROP", "GEN-1004"),
    ("XS", "GEN-1008"),
];

/// An action of the palette, by its words.
pub async fn does(person: &Person, words: &str) {
    person.presses_control('k').await;
    person
        .waits_until(
            "return document.activeElement?.getAttribute('aria-controls') === 'palette-list';",
            "the palette",
        )
        .await;
    person.types(words).await;
    let found = format!(
        "return document.querySelector('[role=option][aria-selected=true]')?.innerText.includes({}) ?? false;",
        json!(words)
    );
    person.waits_until(&found, words).await;
    person.presses(Key::Enter).await;
}

/// The repair of a group, shown first, then done.
async fn repairs(person: &Person, group: &str) {
    does(person, group).await;
    person.waits_for_text("Apply to").await;
    person.tabs_to_button("Apply to").await;
    person.presses(Key::Enter).await;
    person.waits_until("return document.querySelector('[role=dialog]') === null;", "the grid again").await;
}

/// A count of the batch on screen, or of the review, by the word of its chip.
pub async fn count_of(person: &Person, word: &str) -> i64 {
    let script = format!(
        "const chip = [...document.querySelectorAll('.chips .chip')].find((chip) => chip.innerText.includes({}));
         return Number((chip?.querySelector('b')?.innerText ?? '0').replace(/,/g, ''));",
        json!(word)
    );
    person.asks(&script).await.as_i64().unwrap_or_default()
}

/// Transactions the practice service has, and how many different ones, by their own ids.
pub fn stored(desktop: &Desktop) -> (i64, i64) {
    let database = desktop.data_dir().join("practice/practice.sqlite");
    let script = "import sqlite3, sys
database = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True)
print(*database.execute('SELECT count(*), count(DISTINCT own_id) FROM filing').fetchone())";
    let output = Command::new("/usr/bin/python3").arg("-c").arg(script).arg(database).output();
    let output = output.expect("Python runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = text.split_whitespace().map(|number| number.parse::<i64>().expect("a count"));
    let mut next = || numbers.next().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (next(), next())
}

async fn matches_words(person: &Person) {
    person.waits_for_text("Value mapping").await;
    for (word, code) in CODES {
        person.tabs_to(&format!("/values/line_of_business_list/{word}")).await;
        person.types(code).await;
        person.presses(Key::Tab).await;
        let script = format!(
            "return document.querySelector('[data-pointer=\"/values/line_of_business_list/{word}\"] .suffix')?.innerText === '{code}';"
        );
        person.waits_until(&script, &format!("{word} as {code}")).await;
    }
    person.pictures("messy-match").await;
    person.tabs_to_button("Review 301 rows").await;
    person.presses(Key::Enter).await;
    let rows = format!(
        "return document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '{}';",
        ROWS + 1
    );
    person.waits_until(&rows, "the rows").await;
}

/// Rows that no repair of a group can fix are excluded for today.
async fn leaves_out_the_rest(person: &Person) {
    does(person, "Show rows with errors").await;
    let errors = count_of(person, "Errors").await;
    let shown = format!(
        "return document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '{}';",
        errors + 1
    );
    person.waits_until(&shown, "the rows with errors").await;
    person.asks("document.querySelector('[role=grid]').focus(); return null;").await;
    person.presses_control('a').await;
    person.presses_control(Key::Delete).await;
    waits_for_count(person, "Errors", 0).await;
    does(person, "Show all rows").await;
}

#[test]
fn a_messy_export_is_sent_corrected_and_nothing_is_lost_or_doubled() {
    within(Duration::from_secs(170), async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        drops(&desktop, &[Path::new(FILE)]).await;
        matches_words(&person).await;
        person.pictures("messy-review").await;

        for group in ["The same id twice", "A line of totals", "A value mapped to a code", "A ZIP code"] {
            repairs(&person, group).await;
        }
        leaves_out_the_rest(&person).await;
        let left_out = count_of(&person, "Excluded").await;
        let ready = ROWS as i64 - left_out;
        person.pictures("messy-repaired").await;
        sends(&person, usize::try_from(ready).expect("a count")).await;
        waits_for_end(&person).await;
        let warned = count_of(&person, "Warnings").await;
        assert!(warned > 0, "the service warns of wrong taxes");
        assert_eq!(stored(&desktop), (ready, ready), "every row once");
        person.pictures("messy-results").await;

        person.presses_control('e').await;
        person.waits_for_text("correction").await;
        repairs(&person, "Reported by the service: Surplus lines tax").await;
        let changed = count_of(&person, "Changed").await;
        assert!(changed > 0 && changed <= warned, "{changed} of {warned}");
        sends(&person, usize::try_from(changed).expect("a count")).await;
        waits_for_end(&person).await;
        assert_eq!(count_of(&person, "All").await, changed, "only what changed was sent again");
        assert_eq!(stored(&desktop), (ready, ready), "and nothing twice");
        person.pictures("messy-resent").await;
        person.leaves().await;
    });
}
