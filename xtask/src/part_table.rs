//! The table at the end of `cargo xtask test`.

use std::time::Duration;

use crate::command::RunSummary;

/// What became of a part.
pub enum PartVerdict {
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
pub struct PartEntry {
    /// Name of the part.
    pub name: &'static str,
    /// How long it took.
    pub took: Duration,
    /// What became of it.
    pub verdict: PartVerdict,
    /// The runner's own summary.
    pub summary: RunSummary,
}

/// Prints times and verdicts, then the runners' own last lines.
pub fn print_table(entries: &[PartEntry]) {
    println!("\n{:<12} {:>9}  result", "part", "time");
    for entry in entries {
        let result = match &entry.verdict {
            PartVerdict::Passed => "passed".to_owned(),
            PartVerdict::Partly(why) => format!("passed; skipped: {why}"),
            PartVerdict::Skipped(why) => format!("SKIPPED: {why}"),
            PartVerdict::Failed(why) => format!("FAILED: {why}"),
        };
        println!("{:<12} {:>9}  {result}", entry.name, format_clock(entry.took));
    }
    let all = entries.iter().map(|entry| entry.took).sum();
    println!("{:<12} {:>9}", "all", format_clock(all));
    for entry in entries.iter().filter(|entry| !entry.summary.is_empty()) {
        println!("\n{}:", entry.name);
        entry.summary.iter().for_each(|line| println!("{line}"));
    }
}

fn format_clock(time: Duration) -> String {
    if time.as_secs() < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{}:{:02} min", time.as_secs() / 60, time.as_secs() % 60)
    }
}
