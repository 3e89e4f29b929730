//! Due dates of filings and payments.

use bordereau_contract::{Confidence, DueKind, SourceRef};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Assignment;

/// Which due dates; empty for all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct DueRequest {
    /// Nothing due after this day, `yyyy-mm-dd`; empty for no limit.
    pub by: String,
    /// States, two letters.
    pub states: Vec<String>,
    pub kinds: Vec<DueKind>,
    /// Only of this transaction, the service's number as digits; empty for all.
    pub transaction_id: String,
    /// What a person marked as done or as not ours, instead of what is open.
    pub marked: bool,
    /// Assigned to this person of the office, empty for those that nobody has; null for all.
    pub assigned_to: Option<String>,
    /// Words of the due date or of a transaction that it is for; empty for all.
    pub search: String,
}

/// How urgent it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DueUrgency {
    /// The day has passed.
    Overdue,
    /// Today or within seven days.
    Soon,
    Later,
    /// No day is known.
    Undated,
}

/// Something to be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DueEntry {
    /// The same for the same thing at every time: the UID of its calendar entry.
    pub id: String,
    /// How urgent it is.
    pub standing: DueUrgency,
    /// Kind as in the rule file.
    pub kind: String,
    /// What people call it.
    pub title: String,
    pub state: String,
    /// The service's number of the transaction; of the first where it is for several.
    pub transaction_id: String,
    /// Transactions it is for: more than one for the report of a period.
    pub count: u32,
    pub policy_number: String,
    pub insured: String,
    /// Transaction type code.
    pub transaction_type: String,
    /// Last day, `yyyy-mm-dd`; null where no day is known.
    pub due: Option<String>,
    /// The day as the rule has it, where the state moves it.
    pub statutory: Option<String>,
    /// Last business day on which it is certainly in time, where `due` is none.
    pub act_by: Option<String>,
    /// Days until `due`; below zero when it has passed.
    pub days_left: Option<i32>,
    /// First and last day of its period, or null.
    pub period: Option<(String, String)>,
    /// The period is of the days of filing, not of the effective dates.
    pub by_filing: bool,
    /// First and last day of the bill, or null.
    pub billed: Option<(String, String)>,
    /// Amount, USD, where one is known.
    pub amount: Option<String>,
    /// The rule's sentence on the date: where no date is known, what is known.
    pub rule: String,
    /// What was assumed for a date that is not known.
    pub assumed: Option<String>,
    /// The condition under which it is due.
    pub condition: Option<String>,
    /// Remark of the rule.
    pub note: Option<String>,
    /// What being late costs.
    pub late: Option<String>,
    /// How reliable the source is.
    pub sureness: Confidence,
    /// How reliable the source is, as a sentence.
    pub checked: String,
    pub sources: Vec<SourceRef>,
    /// What a person noted about it, or null.
    pub mark: Option<DueMarkView>,
    /// Who of the office does it, or null.
    pub assigned: Option<Assignment>,
}

/// What is due, overdue first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DueList {
    /// In the order of their days; at most 5,000.
    pub entries: Vec<DueEntry>,
    /// Today on the person's calendar.
    pub today: String,
    /// All that match, also beyond those listed.
    pub total: u32,
    pub overdue: u32,
    /// Today or within seven days.
    pub soon: u32,
    /// Without a day.
    pub undated: u32,
    /// Marked as done or as not ours, whatever the filter.
    pub marked: u32,
    /// States with something due, whatever the filter.
    pub states: Vec<String>,
    /// Transactions this desk has seen.
    pub transactions: u32,
    /// Of them without a state, type or date: no due date can be given for these.
    pub unreadable: u32,
    /// Sentences on what the list can't have; empty where nothing is missing.
    pub gaps: Vec<String>,
}

/// What a person says of a due date.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, strum::EnumString, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DueMarkKind {
    /// Still to be done.
    Open,
    Done,
    /// Not ours: someone else does it, or it doesn't apply.
    NotOurs,
}

/// A person's mark on a due date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DueMarkView {
    /// What it says.
    pub kind: DueMarkKind,
    /// A note; the reason where it is not ours.
    pub note: String,
    /// RFC 3339 UTC.
    pub at: String,
    /// Who marked it: their name in the office, or their account on this computer.
    pub by: String,
    /// Changes with each change of it.
    pub revision: String,
}

/// Mark a due date, or note something about it. Open without a note removes the mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DueMark {
    /// Id of the entry.
    pub id: String,
    /// What is said of it.
    pub kind: DueMarkKind,
    /// A note; the reason where it is not ours.
    pub note: String,
    /// The revision of the mark that was changed, empty where there was none; null replaces whatever is there.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub revision: Option<String>,
}

/// A mark was saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DueMarkSaved {
    /// Its revision; empty where it was removed.
    pub revision: String,
}

/// A notice about due dates that come near.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueNotice {
    /// How many, and when.
    pub title: String,
    /// The first of them.
    pub text: String,
}
