//! The first view: what a person has to look at now.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{BatchView, EventView, MissingEntry, OwnWork, QuoteSummary, ReviewSummary};

/// What is overdue and due within a week in one state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StateDue {
    /// Two letters.
    pub state: String,
    pub overdue: u32,
    /// How many are due today or within seven days.
    pub soon: u32,
    /// The first day, `yyyy-mm-dd`.
    pub first: String,
    /// What is due first.
    pub title: String,
}

/// What a new person has tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FirstSteps {
    /// A quote was calculated or saved.
    pub quoted: bool,
    /// A file was opened or sent.
    pub imported: bool,
    /// A profile besides the practice one can be used.
    pub connected: bool,
}

/// What a person has to look at now. Lists are cut to what fits on a screen; each has its whole count beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TodayView {
    /// Today on the person's calendar, `yyyy-mm-dd`.
    pub today: String,
    /// States with something overdue or due within a week, the first day first.
    pub due: Vec<StateDue>,
    pub overdue: u32,
    /// All that is due today or within seven days.
    pub soon: u32,
    /// Sentences on the due dates that are not known.
    pub due_gaps: Vec<String>,
    /// Batches with rows to correct, newest first.
    pub to_correct: Vec<BatchView>,
    /// How many batches these are.
    pub to_correct_total: u32,
    /// Batches with rows accepted with warnings and none to correct, newest first.
    pub with_warnings: Vec<BatchView>,
    /// How many batches these are.
    pub with_warnings_total: u32,
    /// Files that are being prepared, newest first.
    pub drafts: Vec<ReviewSummary>,
    /// How many files these are.
    pub drafts_total: u32,
    /// Transactions that miss a document: what a filing waits for first, the nearest filing first.
    pub missing: Vec<MissingEntry>,
    /// How many transactions these are.
    pub missing_total: u32,
    /// Those of them whose filing waits for a document; of the others it is only requested.
    pub missing_required: u32,
    /// Events not read, newest first.
    pub events: Vec<EventView>,
    /// How many events these are.
    pub events_total: u32,
    /// Batches that wait for a person's decision, newest first.
    pub to_decide: Vec<BatchView>,
    /// How many batches these are.
    pub to_decide_total: u32,
    /// Documents that the service refused.
    pub refused_uploads: u32,
    /// Batches that are being sent.
    pub sending: Vec<BatchView>,
    /// How many batches these are.
    pub sending_total: u32,
    /// Documents that are being sent.
    pub uploads: u32,
    /// Quotes of the last seven days, newest first.
    pub quotes: Vec<QuoteSummary>,
    /// How many quotes these are.
    pub quotes_total: u32,
    /// What is assigned to the person at this desk; null while this computer's own data is in use.
    pub own_work: Option<OwnWork>,
    /// What a new person has tried.
    pub steps: FirstSteps,
}

/// What helps to find a fault: versions, states and counts, without names and secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Diagnostics {
    /// Lines of text.
    pub text: String,
}
