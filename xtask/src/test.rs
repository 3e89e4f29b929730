//! `cargo xtask test`: every check there is, each with its time.

use std::time::{Duration, Instant};

use crate::arguments::Arguments;
use crate::command::Failure;
use crate::parts::{PARTS, Part};
use crate::reckoning::{self, Entry, Verdict};

/// Runs the chosen parts; stops at the first failure unless told to keep going.
pub fn run(mut arguments: Arguments) -> Result<(), Failure> {
    let only = arguments.values("--only")?;
    let skip = arguments.values("--skip")?;
    let keep_going = arguments.switch("--keep-going");
    let list = arguments.switch("--list");
    arguments.finish()?;
    if list {
        PARTS.iter().for_each(|part| println!("{:<12} {}", part.name, part.about));
        return Ok(());
    }
    for name in only.iter().chain(&skip) {
        if !PARTS.iter().any(|part| part.name == name) {
            return Err(Failure::usage(format!("no part is called \"{name}\"; cargo xtask test --list")));
        }
    }
    let chosen = |part: &Part| {
        (only.is_empty() || only.iter().any(|name| name == part.name))
            && !skip.iter().any(|name| name == part.name)
    };

    let mut entries: Vec<Entry> = Vec::new();
    let mut failed = Vec::new();
    for part in PARTS {
        let entry = if !chosen(part) {
            if !only.is_empty() {
                continue;
            }
            skipped(part, "skipped with --skip")
        } else if !failed.is_empty() && !keep_going {
            skipped(part, "not reached")
        } else {
            run_part(part)
        };
        if matches!(entry.verdict, Verdict::Failed(_)) {
            failed.push(part.name);
        }
        entries.push(entry);
    }
    reckoning::print(&entries);
    if failed.is_empty() { Ok(()) } else { Err(Failure::new(format!("failed: {}", failed.join(", ")))) }
}

fn skipped(part: &Part, why: &str) -> Entry {
    Entry {
        name: part.name,
        took: Duration::ZERO,
        verdict: Verdict::Skipped(why.to_owned()),
        summary: Vec::new(),
    }
}

fn run_part(part: &Part) -> Entry {
    println!("\n== {}: {}", part.name, part.about);
    let started = Instant::now();
    let outcome = (part.run)();
    let took = started.elapsed();
    let (verdict, summary) = match outcome {
        Ok(done) => (done.left_out.map_or(Verdict::Passed, Verdict::Partly), done.summary),
        Err(failure) => {
            println!("{failure}");
            (Verdict::Failed(failure.to_string()), failure.summary)
        }
    };
    Entry { name: part.name, took, verdict, summary }
}
