//! Due dates of filings and payments.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{SourceRef, Sureness};

/// Which due dates; empty for all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct DueRequest {
    /// Nothing due after this day, `yyyy-mm-dd`; empty for no limit.
    pub by: String,
    /// States, two letters.
    pub states: Vec<String>,
    /// Kinds: `filing`, `affidavit`, `report`, `tax`, `stamping_fee`, `other_tax`.
    pub kinds: Vec<String>,
    /// Only of this transaction, the service's number as digits; empty for all.
    pub transaction_id: String,
}

/// How urgent it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DueStanding {
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
    pub standing: DueStanding,
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
    pub sureness: Sureness,
    /// How reliable the source is, as a sentence.
    pub checked: String,
    pub sources: Vec<SourceRef>,
    /// Whether a person marks it as done, since no record shows it.
    pub can_mark: bool,
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
    /// Of them overdue.
    pub overdue: u32,
    /// Today or within seven days.
    pub soon: u32,
    /// Without a day.
    pub undated: u32,
    /// States with something due, whatever the filter.
    pub states: Vec<String>,
    /// Transactions this desk has seen.
    pub transactions: u32,
    /// Of them without a state, type or date: no due date can be given for these.
    pub unreadable: u32,
}

/// Mark a report or an affidavit of a period as done, or take that back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DueMark {
    /// Id of the entry.
    pub id: String,
    /// Done, or open again.
    pub done: bool,
}
