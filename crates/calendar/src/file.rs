//! A rule file as it is written.

use bordereau_contract::DueKind;
use bordereau_tax::{Confidence, ConfidenceNote, RuleSource, RuleText};
use serde::Deserialize;

use crate::rule::{CountedFrom, PeriodBy, PeriodLength};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileText {
    pub(crate) state: String,
    pub(crate) checked_on: String,
    pub(crate) rest_days: Option<RestDaysText>,
    #[serde(default)]
    pub(crate) duty: Vec<DutyText>,
    #[serde(default)]
    pub(crate) penalty: Vec<PenaltyText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RestDaysText {
    pub(crate) moves: RestDayShift,
    pub(crate) checked: CheckedText,
    pub(crate) source: Vec<SourceText>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RestDayShift {
    ToTheNextBusinessDay,
    NotAtAll,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DutyText {
    pub(crate) kind: DueKind,
    pub(crate) title: String,
    pub(crate) after: Option<AfterText>,
    pub(crate) period: Option<PeriodText>,
    pub(crate) undated: Option<String>,
    pub(crate) billed: Option<BilledText>,
    /// What a rest day does to this duty; otherwise what the state says of all.
    pub(crate) moves: Option<RestDayShift>,
    pub(crate) from: Option<String>,
    pub(crate) until: Option<String>,
    pub(crate) condition: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) checked: CheckedText,
    pub(crate) source: Vec<SourceText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AfterText {
    pub(crate) days: u16,
    pub(crate) from: CountedFrom,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PeriodText {
    pub(crate) length: PeriodLength,
    pub(crate) by: PeriodBy,
    pub(crate) due: Option<Vec<String>>,
    pub(crate) days_after: Option<u16>,
    pub(crate) months_after: Option<u8>,
    pub(crate) day: Option<u32>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BilledText {
    pub(crate) months_after: u8,
    pub(crate) from: u32,
    pub(crate) until: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PenaltyText {
    pub(crate) kind: DueKind,
    pub(crate) text: String,
    pub(crate) standard: Option<String>,
    pub(crate) late: Option<String>,
    pub(crate) passed_on: bool,
    pub(crate) from: Option<String>,
    pub(crate) checked: CheckedText,
    pub(crate) source: Vec<SourceText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckedText {
    pub(crate) level: Confidence,
    pub(crate) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceText {
    pub(crate) title: String,
    pub(crate) url: String,
}

impl CheckedText {
    pub(crate) fn to_note(&self) -> ConfidenceNote {
        ConfidenceNote { level: self.level, text: RuleText::from(self.text.as_str()) }
    }
}

impl SourceText {
    pub(crate) fn to_source(&self) -> RuleSource {
        RuleSource { title: RuleText::from(self.title.as_str()), url: RuleText::from(self.url.as_str()) }
    }
}
