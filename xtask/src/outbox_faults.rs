//! `cargo xtask faults`: the outbox and the sender of events against kill -9, the outbox against every fault.

use std::time::Duration;

use crate::arguments::Arguments;
use crate::command::{self, Failure, words};

/// Compiling and the whole run on a slow machine.
const LIMIT: Duration = Duration::from_secs(3 * 60 * 60);

/// Runs the tests of the outbox with the large number of kills; `--kills`, `--rows` and `--events` change it.
pub fn run(mut arguments: Arguments) -> Result<(), Failure> {
    let last =
        |values: Vec<String>, absent: &str| values.last().cloned().unwrap_or_else(|| absent.to_owned());
    let kills = last(arguments.values("--kills")?, "100");
    let rows = last(arguments.values("--rows")?, "5000");
    let events = last(arguments.values("--events")?, "100000");
    arguments.finish()?;
    println!("\n== {kills} kills while {rows} rows are sent");
    let mut tests =
        words(&["cargo", "test", "--locked", "--package", "bordereau-desk", "--test", "it", "--"]);
    tests.args(["outbox_kills::killed", "--nocapture"]);
    tests.env("BORDEREAU_FAULTS_KILLS", &kills).env("BORDEREAU_FAULTS_ROWS", rows);
    command::run(tests, LIMIT)?;
    println!("\n== {kills} kills while {events} events are sent");
    let mut tests =
        words(&["cargo", "test", "--locked", "--package", "bordereau-service", "--test", "it", "--"]);
    tests.args(["webhooks_kills::killed", "--nocapture"]);
    tests.env("BORDEREAU_FAULTS_KILLS", kills).env("BORDEREAU_FAULTS_EVENTS", events);
    command::run(tests, LIMIT)?;
    println!("\n== every fault of the practice service at every step");
    let mut tests =
        words(&["cargo", "test", "--locked", "--package", "bordereau-desk", "--test", "it", "--"]);
    tests.arg("outbox_faults::");
    command::run(tests, LIMIT).map(drop)
}
