//! The table at the end of `cargo xtask test`.

use std::time::Duration;

use crate::command::Summary;

/// What became of a part.
pub enum Verdict {
    /// Everything passed.
    Passed,
    /// Passed, but something was skipped: why.
    Partly(String),
    /// Skipped: why.
    Skipped(String),
    /// Failed: why.
    Failed(String),
}

/// One line of the table.
pub struct Entry {
    /// Name of the part.
    pub name: &'static str,
    /// How long it took.
    pub took: Duration,
    /// What became of it.
    pub verdict: Verdict,
    /// The runner's own summary.
    pub summary: Summary,
}

/// Prints times and verdicts, then the runners' own last lines.
pub fn print(entries: &[Entry]) {
    println!("\n{:<12} {:>9}  result", "part", "time");
    for entry in entries {
        let result = match &entry.verdict {
            Verdict::Passed => "passed".to_owned(),
            Verdict::Partly(why) => format!("passed; skipped: {why}"),
            Verdict::Skipped(why) => format!("SKIPPED: {why}"),
            Verdict::Failed(why) => format!("FAILED: {why}"),
        };
        println!("{:<12} {:>9}  {result}", entry.name, clock(entry.took));
    }
    let all = entries.iter().map(|entry| entry.took).sum();
    println!("{:<12} {:>9}", "all", clock(all));
    for entry in entries.iter().filter(|entry| !entry.summary.is_empty()) {
        println!("\n{}:", entry.name);
        entry.summary.iter().for_each(|line| println!("{line}"));
    }
}

fn clock(time: Duration) -> String {
    if time.as_secs() < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{}:{:02} min", time.as_secs() / 60, time.as_secs() % 60)
    }
}
