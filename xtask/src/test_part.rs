//! A part of `cargo xtask test`, and what came of it.

use crate::command::{RunSummary, TaskFailure};

/// A part of the tests.
pub struct TestPart {
    /// As given to `--only`.
    pub name: &'static str,
    /// In a few words.
    pub about: &'static str,
    /// Runs it.
    pub run: fn() -> Result<PartResult, TaskFailure>,
}

/// A part that passed.
#[derive(Default)]
pub struct PartResult {
    /// The runner's own summary.
    pub summary: RunSummary,
    /// What could not be checked here, and why.
    pub left_out: Option<String>,
}

impl From<RunSummary> for PartResult {
    fn from(summary: RunSummary) -> Self {
        PartResult { summary, left_out: None }
    }
}
