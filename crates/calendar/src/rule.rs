//! What a rule says.

use bordereau_contract::{DueKind, Jurisdiction};
use bordereau_money::Usd;
use bordereau_tax::{ConfidenceNote, RuleSource};
use chrono::NaiveDate;
use serde::Deserialize;

/// From where days are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountedFrom {
    /// The transaction's effective date.
    Effective,
    /// The day it was procured or placed: no record has it, the effective date is taken for it.
    Procured,
    /// The later of the effective and the issue date.
    LaterOfEffectiveAndIssue,
    /// The end of the month of procurement.
    EndOfMonth,
    /// The end of the calendar quarter.
    EndOfQuarter,
}

/// How long a period is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeriodLength {
    /// A calendar month.
    Month,
    /// A calendar quarter.
    Quarter,
    /// January to June, July to December.
    HalfYear,
    /// A calendar year.
    Year,
}

impl PeriodLength {
    /// Months in one.
    pub const fn month_count(self) -> u32 {
        match self {
            PeriodLength::Month => 1,
            PeriodLength::Quarter => 3,
            PeriodLength::HalfYear => 6,
            PeriodLength::Year => 12,
        }
    }
}

/// By which date a transaction falls into a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeriodBy {
    /// The transaction's effective date.
    Effective,
    /// The day it was filed; until then its effective date is used, which is never too late.
    Filed,
}

/// A month and a day of it.
pub(crate) type MonthDay = (u32, u32);

/// When a period's payment is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PeriodDue {
    /// The first such day after the period; one for each period of the year.
    Days(Vec<MonthDay>),
    /// So many days after its end.
    DaysAfter(u16),
    /// A day of the month that comes so many months after the period's last; 31 for the last day.
    DayOfMonth(u8, u32),
}

/// A duty of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DutyPeriod {
    /// How long it is.
    pub length: PeriodLength,
    /// By which date a transaction falls into it.
    pub by: PeriodBy,
    pub(crate) due: PeriodDue,
}

/// When a duty is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DueRule {
    /// So many calendar days after a date.
    After(u16, CountedFrom),
    /// By period.
    Period(DutyPeriod),
    /// Not a day, or none was found: what is known in a sentence.
    Undated(String),
}

/// When the office sends its bill for a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BillingWindow {
    pub(crate) months_after: u8,
    pub(crate) from: u32,
    pub(crate) until: u32,
}

/// A duty of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DutyRule {
    /// What has to be done.
    pub kind: DueKind,
    /// What people call it.
    pub title: String,
    /// When.
    pub when: DueRule,
    /// When it is billed, where known.
    pub billing: Option<BillingWindow>,
    /// Whether a rest day moves it, where that is known of this duty and not of the whole state.
    pub moves: Option<bool>,
    /// First policy effective date it applies to.
    pub from: Option<NaiveDate>,
    /// Last policy effective date it applies to.
    pub until: Option<NaiveDate>,
    /// On what it depends, in words.
    pub condition: Option<String>,
    /// Remark.
    pub note: Option<String>,
    /// How sure.
    pub checked: ConfidenceNote,
    /// Where it is from.
    pub sources: Vec<RuleSource>,
}

/// What being late costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PenaltyRule {
    /// For which duty.
    pub kind: DueKind,
    /// In a sentence.
    pub text: String,
    /// What is charged anyway, USD, where the penalty comes on top of a flat fee.
    pub standard: Option<Usd>,
    /// The fixed amount, USD.
    pub late: Option<Usd>,
    /// Whether the insured may be charged with it.
    pub passed_on: bool,
    /// First effective date.
    pub from: Option<NaiveDate>,
    /// How sure.
    pub checked: ConfidenceNote,
    /// Where it is from.
    pub sources: Vec<RuleSource>,
}

/// Everything known of one jurisdiction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCalendar {
    /// Which.
    pub state: Jurisdiction,
    /// When the file was checked.
    pub checked_on: NaiveDate,
    /// Whether a date on a weekend or federal holiday moves to the next business day; otherwise that was not
    /// found.
    pub moves: bool,
    /// Duties in the file's order.
    pub duties: Vec<DutyRule>,
    /// What being late costs.
    pub penalties: Vec<PenaltyRule>,
}
