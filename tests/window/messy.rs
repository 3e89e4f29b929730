//! An agency's messy export from the drop to the last corrected row, by keyboard or by mouse: matched, repaired by
//! group, sent, corrected with what the service calculated, and only what changed is sent again. Then the service's own
//! data tells whether every row is there once.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fantoccini::key::Key;
use serde_json::json;

use crate::batches::drops;
use crate::driver::Desktop;
use crate::person::Person;
use crate::within;

/// An export, and its rows with content: transactions and a line of totals.
#[derive(Clone, Copy)]
pub struct Export {
    file: &'static str,
    rows: i64,
}

/// Three hundred rows of the larger one, as CSV.
pub const SHORT: Export =
    Export { file: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/messy.csv"), rows: 301 };
pub const WHOLE: Export =
    Export { file: concat!(env!("CARGO_MANIFEST_DIR"), "/samples/batches/messy-5000.xlsx"), rows: 5_001 };
/// The agency's own words for lines of business, and what they are suggested to mean.
const CODES: [(&str, &str); 5] = [
    ("PKG", "GEN-1004"),
    ("PROF", "GEN-1006"),
    ("CGL", "GEN-1002"),
    ("PROP", "GEN-1001"),
    ("XS", "GEN-1008"),
];

/// The program is built for finding faults here, not for speed, and the machine is shared.
const PATIENCE: Duration = Duration::from_secs(240);

/// What a person has in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    Keyboard,
    Mouse,
}

/// A person who is watched by the clock.
pub struct Worker {
    pub desktop: Desktop,
    pub person: Person,
    pub hand: Hand,
    pub export: Export,
    /// What its pictures are named with.
    pub album: &'static str,
}

impl Worker {
    pub async fn pictures(&self, name: &str) {
        self.person.pictures(&format!("{}-{name}", self.album)).await;
    }

    /// How long the person waited since then.
    fn tells(&self, step: &str, since: Instant) {
        println!("{:?} | {step} | {} ms", self.hand, since.elapsed().as_millis());
    }

    pub async fn sees(&self, script: &str, what: &str) {
        self.person.waits_at_most(PATIENCE, script, what).await;
    }

    /// Presses a button by its words, within what the selector tells.
    async fn presses(&self, within: &str, words: &str) {
        match self.hand {
            Hand::Keyboard => {
                self.person.tabs_to_button(words).await;
                self.person.presses(Key::Enter).await;
            }
            Hand::Mouse => self.person.clicks(&button(within, words)).await,
        }
    }

    async fn waits_for_no_dialog(&self) {
        self.sees("return document.querySelector('[role=dialog]') === null;", "no dialog").await;
    }

    async fn waits_for_grid(&self, rows: i64) {
        let script = format!(
            "const grid = document.querySelector('[role=grid]');
             return grid?.getAttribute('aria-rowcount') === '{}'
                 && ({rows} === 0 || grid.querySelectorAll('[role=gridcell]').length > 0);",
            rows + 1
        );
        self.sees(&script, &format!("{rows} rows in the grid")).await;
    }

    async fn uses_suggestions(&self) {
        self.presses(".match", &format!("Use {} suggestions", CODES.len())).await;
        for (word, code) in CODES {
            let pointer = format!("/values/line_of_business_list/{word}");
            let taken = format!(
                "return document.querySelector('[data-pointer=\"{pointer}\"] .suffix')?.innerText === '{code}';"
            );
            self.sees(&taken, &format!("{word} as {code}")).await;
        }
    }

    /// The repair of a group, shown first, then done.
    async fn repairs(&self, group: &str) {
        let began = Instant::now();
        match self.hand {
            Hand::Keyboard => does(&self.person, group).await,
            Hand::Mouse => {
                let fix = format!(
                    "[...document.querySelectorAll('.group')].find((group) => group.title.includes({}))
                        ?.querySelector('.group-buttons button')",
                    json!(group)
                );
                self.person.clicks(&fix).await;
            }
        }
        self.sees(
            "return [...document.querySelectorAll('[role=dialog] button')]
                .some((button) => button.innerText.startsWith('Apply'));",
            "what would change",
        )
        .await;
        self.tells(&format!("{group}: shown"), began);
        self.pictures(&format!("repair-{}", name_of(group))).await;
        let began = Instant::now();
        self.presses("[role=dialog]", "Apply").await;
        self.waits_for_no_dialog().await;
        self.tells(&format!("{group}: done"), began);
        let focused = "return document.activeElement?.matches('[role=grid]') ?? false;";
        self.sees(focused, "the focus in the grid").await;
    }

    /// Rows that no repair of a group can fix are excluded for today.
    async fn leaves_out_the_rest(&self) {
        let errors = count_of(&self.person, "Errors").await;
        match self.hand {
            Hand::Keyboard => does(&self.person, "Show rows with errors").await,
            Hand::Mouse => self.person.clicks(&button(".chips", "Errors")).await,
        }
        self.waits_for_grid(errors).await;
        self.pictures("errors").await;
        match self.hand {
            Hand::Keyboard => {
                self.person.asks("document.querySelector('[role=grid]').focus(); return null;").await;
                self.person.presses_control('a').await;
                self.person.presses_control(Key::Delete).await;
            }
            Hand::Mouse => {
                self.person.clicks("document.querySelector('[role=grid] [role=columnheader].number')").await;
                // Among the chips "Excluded" would be found first.
                self.person.clicks(&button(".grid-tools", "Exclude")).await;
            }
        }
        let began = Instant::now();
        self.waits_for_chip("Errors", 0).await;
        self.tells(&format!("{errors} rows excluded"), began);
        match self.hand {
            Hand::Keyboard => does(&self.person, "Show all rows").await,
            Hand::Mouse => self.person.clicks(&button(".chips", "All")).await,
        }
        self.waits_for_grid(self.export.rows).await;
    }

    async fn waits_for_chip(&self, word: &str, count: i64) {
        let script = format!(
            "const chip = [...document.querySelectorAll('.chips .chip')].find((chip) => chip.innerText.includes({}));
             return Number((chip?.querySelector('b')?.innerText ?? '-1').replace(/,/g, '')) === {count};",
            json!(word)
        );
        self.sees(&script, &format!("{word} {count}")).await;
    }

    async fn sends(&self, rows: i64, step: &str) {
        let began = Instant::now();
        match self.hand {
            Hand::Keyboard => self.person.presses_control(Key::Enter).await,
            Hand::Mouse => self.person.clicks(&button(".totals", "Send")).await,
        }
        let words = format!("Send {} transactions", grouped(rows));
        let ready = format!("return {} !== undefined;", button("[role=dialog]", &words));
        self.sees(&ready, &words).await;
        self.tells(&format!("{step}: what is sent, shown"), began);
        self.pictures(&format!("{step}-confirm")).await;
        let began = Instant::now();
        self.presses("[role=dialog]", &words).await;
        self.sees("return document.querySelector('.batch-progress') !== null;", "the batch").await;
        self.tells(&format!("{step}: stored and being sent"), began);
        self.pictures(&format!("{step}-under-way")).await;
        self.sees(
            "return document.querySelector('.batch-progress')?.dataset.state === 'processed';",
            "processed",
        )
        .await;
        self.tells(&format!("{step}: every row answered"), began);
        self.pictures(&format!("{step}-results")).await;
    }

    /// Groups of problems by their titles, with their counts.
    async fn lists_groups(&self) {
        let script = "return [...document.querySelectorAll('.group')].map((each) => each.innerText.replace(/\\s+/g, ' '));";
        for group in self.person.asks(script).await.as_array().into_iter().flatten() {
            println!("    {}", group.as_str().unwrap_or_default());
        }
    }

    async fn begins(&self) {
        let began = Instant::now();
        let dropped = drops(&self.desktop, &[Path::new(self.export.file)]).await;
        self.sees("return document.body.innerText.includes('Value mapping');", "the words").await;
        self.tells("drop to the columns, with the drop's own gesture", began);
        println!("dropped at {dropped}");
        self.pictures("match").await;
        self.uses_suggestions().await;
        let began = Instant::now();
        self.presses(".match", &format!("Review {} rows", grouped(self.export.rows))).await;
        self.waits_for_grid(self.export.rows).await;
        self.tells("matched to rows", began);
        self.pictures("review").await;
        self.lists_groups().await;
    }
}

/// A control by its words, within what the selector tells, that can be pressed.
pub fn button(within: &str, words: &str) -> String {
    format!(
        "[...document.querySelectorAll({})].find((each) => each.innerText.trim().includes({})
            && !each.matches(':disabled, [aria-disabled=true]'))",
        json!(format!("{within} button")),
        json!(words)
    )
}

fn name_of(group: &str) -> String {
    group
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(24)
        .collect()
}

fn grouped(number: i64) -> String {
    let digits = number.to_string();
    match digits.len() {
        0..=3 => digits,
        length => format!("{},{}", &digits[..length - 3], &digits[length - 3..]),
    }
}

/// What a clerk repairs by group; the rows that are left need the invoice.
const GROUPS: [&str; 10] = [
    "The same id twice",
    "A line of totals",
    "A value mapped to a code",
    "A ZIP code",
    "A date that cannot be read: Policy effective date",
    "A date that cannot be read: Policy expiration date",
    "A date that cannot be read: Transaction effective date",
    "A date that cannot be read: Invoice date",
    "An amount that cannot be read: Surplus lines tax",
    "An amount that cannot be read: Total",
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

/// The story, to its last answer; how many rows were sent.
pub async fn from_the_drop_to_the_last_correction(worker: &Worker) -> i64 {
    worker.begins().await;
    for group in GROUPS {
        worker.repairs(group).await;
    }
    worker.lists_groups().await;
    worker.leaves_out_the_rest().await;
    worker.pictures("repaired").await;
    let left_out = count_of(&worker.person, "Excluded").await;
    assert!(left_out * 20 < worker.export.rows, "most rows are repaired: {left_out} excluded");
    let ready = worker.export.rows - left_out;
    println!("{left_out} excluded, {ready} ready");
    worker.sends(ready, "first").await;
    assert_eq!(stored(&worker.desktop), (ready, ready), "every row once");
    let warned = count_of(&worker.person, "Warnings").await;
    println!("{warned} with warnings");
    assert!(warned * 4 > ready, "much of it comes back with warnings: {warned} of {ready}");

    let began = Instant::now();
    match worker.hand {
        Hand::Keyboard => worker.person.presses_control('e').await,
        Hand::Mouse => worker.person.clicks(&button(".totals", "Correct ")).await,
    }
    worker
        .sees(
            "return document.querySelector('.head')?.innerText.includes('Correction of') ?? false;",
            "the rows",
        )
        .await;
    worker.tells("results to their correction", began);
    worker.pictures("correction").await;
    worker.lists_groups().await;
    worker.repairs("A tax that differs from the calculation").await;
    let changed = count_of(&worker.person, "Changed").await;
    assert!(changed > 0 && changed <= warned, "{changed} of {warned}");
    worker.pictures("corrected").await;
    worker.sends(changed, "again").await;
    assert_eq!(count_of(&worker.person, "All").await, changed, "only what changed was sent again");
    assert_eq!(stored(&worker.desktop), (ready, ready), "and nothing twice");
    ready
}

async fn tells_the_story(hand: Hand, export: Export, album: &'static str) {
    let desktop = Desktop::start().await;
    let person = desktop.open().await;
    let worker = Worker { desktop, person, hand, export, album };
    from_the_drop_to_the_last_correction(&worker).await;
    worker.person.leaves().await;
}

#[test]
fn a_messy_export_is_sent_corrected_and_nothing_is_lost_or_doubled() {
    within(Duration::from_secs(170), tells_the_story(Hand::Keyboard, SHORT, "messy"));
}

#[test]
#[ignore = "a story of minutes: all 5,000 rows by keyboard alone"]
fn story_by_keyboard() {
    within(Duration::from_secs(900), tells_the_story(Hand::Keyboard, WHOLE, "messy-whole"));
}
