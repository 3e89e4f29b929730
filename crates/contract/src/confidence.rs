//! How sure a value of the rules, the calendar or the forms is, and where it was read.

use serde::{Deserialize, Serialize};

/// How sure a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Confirmed by a page of the current or the previous year.
    Confirmed,
    /// Announced, not yet in force when checked.
    Announced,
    /// Only private tables or a carrier's own tests say it: not the state, and no public page.
    Secondary,
    /// Only an older page was found.
    Older,
    /// Sources disagree.
    Conflicting,
    /// Looked for and not found: nothing is charged on a guess.
    NotFound,
}

/// Where a value was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SourceRef {
    /// Statute, bulletin or page.
    pub title: String,
    /// Its address; empty for a private source, which has none.
    pub url: String,
}
