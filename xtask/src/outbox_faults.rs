//! `cargo xtask faults`: the outbox and the events against kill -9, the outbox against every fault, in simulated worlds, and
//! in an office.

use std::time::Duration;

use crate::arguments::Arguments;
use crate::command::{self, TaskFailure, from_words};

/// Compiling and the whole run on a slow machine.
const LIMIT: Duration = Duration::from_secs(3 * 60 * 60);

/// What can be asked for with `--only`.
const PARTS: [&str; 5] = ["rows", "events", "service", "worlds", "office"];

/// What an office is tried with; each of its workers is killed so often.
const OFFICE_ROWS: &str = "20001";
const OFFICE_WORKERS: &str = "8";
const OFFICE_KILLS: &str = "18";

/// Runs the tests of outbox and events with the large number of kills and worlds; `--kills`, `--rows`, `--events` and
/// `--seeds` change it.
pub fn run_outbox_faults(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let last =
        |values: Vec<String>, absent: &str| values.last().cloned().unwrap_or_else(|| absent.to_owned());
    let kills = last(arguments.values("--kills")?, "100");
    let rows = last(arguments.values("--rows")?, "5000");
    let events = last(arguments.values("--events")?, "100000");
    let seeds = last(arguments.values("--seeds")?, "10000");
    let only = arguments.values("--only")?;
    arguments.ensure_empty()?;
    if let Some(unknown) = only.iter().find(|name| !PARTS.contains(&name.as_str())) {
        return Err(TaskFailure::usage_error(format!(
            "there is no \"{unknown}\"; there are {}",
            PARTS.join(", ")
        )));
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|asked| asked == name);
    if wanted("rows") {
        println!("\n== {kills} kills while {rows} rows are sent");
        let variables = [("BORDEREAU_FAULTS_KILLS", &kills), ("BORDEREAU_FAULTS_ROWS", &rows)];
        run_tests(&["outbox_kills::killed", "--nocapture"], &variables)?;
    }
    if wanted("events") {
        println!("\n== {kills} kills of both sides while {events} events pass");
        let variables = [("BORDEREAU_FAULTS_KILLS", &kills), ("BORDEREAU_FAULTS_EVENTS", &events)];
        run_tests(&["events_kills::killed", "--nocapture"], &variables)?;
    }
    if wanted("service") {
        println!("\n== every fault of the practice service at every step");
        run_tests(&["outbox_faults::"], &[])?;
    }
    if wanted("worlds") {
        println!("\n== {seeds} simulated worlds");
        run_tests(&["in_no_simulated_", "--nocapture"], &[("BORDEREAU_FAULTS_SEEDS", &seeds)])?;
    }
    if wanted("office") {
        println!("\n== {OFFICE_WORKERS} workers and three desks of an office send {OFFICE_ROWS} rows");
        let asked = [
            ("BORDEREAU_FAULTS_ROWS", OFFICE_ROWS),
            ("BORDEREAU_FAULTS_WORKERS", OFFICE_WORKERS),
            ("BORDEREAU_FAULTS_KILLS", OFFICE_KILLS),
            ("BORDEREAU_FAULTS_STANDBY", "1"),
        ];
        run_tests_of("bordereau-cli", "cli", &["every_row_of_an_office", "--nocapture"], &asked)?;
    }
    Ok(())
}

/// The desk's tests of these names, with these variables.
fn run_tests(which: &[&str], variables: &[(&str, &String)]) -> Result<(), TaskFailure> {
    let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    run_tests_of("bordereau-desk", "it", which, &variables)
}

fn run_tests_of(
    package: &str,
    program: &str,
    which: &[&str],
    variables: &[(&str, &str)],
) -> Result<(), TaskFailure> {
    let mut tests = from_words(&["cargo", "test", "--locked", "--package", package, "--test", program, "--"]);
    tests.args(which).envs(variables.iter().copied());
    command::run_command(tests, LIMIT).map(drop)
}
