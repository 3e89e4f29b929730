//! `cargo xtask test`: every check there is, each with its time.

use std::time::{Duration, Instant};

use crate::arguments::Arguments;
use crate::command::{TaskFailure, command_output, from_words};
use crate::part_table::{self, PartEntry, PartVerdict};
use crate::parts::PARTS;
use crate::system_parts::SYSTEM_PARTS;
use crate::test_part::TestPart;

/// Runs the chosen parts; stops at the first failure unless told to keep going.
pub fn run_test(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let only = arguments.values("--only")?;
    let skip = arguments.values("--skip")?;
    let keep_going = arguments.switch("--keep-going");
    let list = arguments.switch("--list");
    // A release is not made where a part could not look at everything.
    let is_strict = arguments.switch("--strict");
    let parts = if arguments.switch("--systems") { SYSTEM_PARTS } else { PARTS };
    arguments.ensure_empty()?;
    if list {
        parts.iter().for_each(|part| println!("{:<12} {}", part.name, part.about));
        return Ok(());
    }
    for name in only.iter().chain(&skip) {
        if !parts.iter().any(|part| part.name == name) {
            return Err(TaskFailure::usage_error(format!(
                "no part is called \"{name}\"; cargo xtask test --list"
            )));
        }
    }
    let chosen = |part: &TestPart| {
        (only.is_empty() || only.iter().any(|name| name == part.name))
            && !skip.iter().any(|name| name == part.name)
    };

    let mut entries: Vec<PartEntry> = Vec::new();
    let mut failed = Vec::new();
    for part in parts {
        let entry = if !chosen(part) {
            if !only.is_empty() {
                continue;
            }
            skipped_entry(part, "skipped with --skip")
        } else if !failed.is_empty() && !keep_going {
            skipped_entry(part, "not reached")
        } else {
            run_part(part)
        };
        if is_failure(&entry.verdict, is_strict) {
            failed.push(part.name);
        }
        entries.push(entry);
    }
    part_table::print_table(&entries);
    if failed.is_empty() { Ok(()) } else { Err(TaskFailure::new(format!("failed: {}", failed.join(", ")))) }
}

/// What could not look at everything is enough to go on with, and not enough for a release.
fn is_failure(verdict: &PartVerdict, is_strict: bool) -> bool {
    match verdict {
        PartVerdict::Failed(_) => true,
        PartVerdict::Partly(_) => is_strict,
        _ => false,
    }
}

fn skipped_entry(part: &TestPart, why: &str) -> PartEntry {
    PartEntry {
        name: part.name,
        took: Duration::ZERO,
        verdict: PartVerdict::Skipped(why.to_owned()),
        summary: Vec::new(),
    }
}

fn run_part(part: &TestPart) -> PartEntry {
    println!("\n== {}: {}", part.name, part.about);
    let started = Instant::now();
    let outcome = (part.run)();
    let took = started.elapsed();
    let (verdict, summary) = match outcome {
        Ok(done) => (done.left_out.map_or(PartVerdict::Passed, PartVerdict::Partly), done.summary),
        Err(failure) => {
            let told = match free_disk_mb().filter(|free| *free < LOW_DISK_MB) {
                Some(free) => format!("{failure}; only {free} MB of disk are left"),
                None => failure.to_string(),
            };
            println!("{told}");
            (PartVerdict::Failed(told), failure.summary)
        }
    };
    PartEntry { name: part.name, took, verdict, summary }
}

/// Below this a full disk may be why a part failed: a linker only says that it failed.
const LOW_DISK_MB: u64 = 2_000;

/// What is left where things are built; `None` where nothing tells it.
fn free_disk_mb() -> Option<u64> {
    let output = command_output(from_words(&["df", "-Pk", "."]))?;
    parse_free_mb(&output)
}

/// From the second line of `df -Pk`, whose fourth column is kilobytes left.
fn parse_free_mb(output: &str) -> Option<u64> {
    let kilobytes: u64 = output.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()?;
    Some(kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_that_is_left_is_read_from_what_df_prints() {
        let told = "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 1000000 900000 99328 91% /\n";
        assert_eq!(parse_free_mb(told), Some(97));
        assert_eq!(parse_free_mb("df: not found"), None);
    }

    #[test]
    fn a_release_fails_where_a_part_could_not_look_at_everything() {
        let partly = PartVerdict::Partly("without advisories".to_owned());
        assert!(is_failure(&partly, true) && !is_failure(&partly, false));
        assert!(is_failure(&PartVerdict::Failed("a test".to_owned()), false));
        assert!(!is_failure(&PartVerdict::Skipped("not chosen".to_owned()), true));
    }
}
