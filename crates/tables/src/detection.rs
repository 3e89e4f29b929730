//! What was detected about a source, with the evidence, for a person to confirm or change.

use serde::{Deserialize, Serialize};

/// A detected value, why, and what else it could be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetectedValue<T> {
    /// The value in use.
    pub value: T,
    /// Why, in words.
    pub evidence: String,
    /// What a person can choose instead.
    pub alternatives: Vec<T>,
}

impl<T: PartialEq + Clone> DetectedValue<T> {
    /// A value with what else there is of `all`.
    pub fn new(value: T, evidence: String, all: &[T]) -> DetectedValue<T> {
        let alternatives = all.iter().filter(|other| **other != value).cloned().collect();
        DetectedValue { value, evidence, alternatives }
    }
}

/// What was detected while reading and while looking at the cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceDetection {
    /// Text encoding; `None` for a workbook.
    pub encoding: Option<DetectedValue<String>>,
    /// Delimiter; `None` for a workbook.
    pub delimiter: Option<DetectedValue<char>>,
    /// Index of the header row in the table; `None` when there is none.
    pub header: DetectedValue<Option<u32>>,
}

impl SourceDetection {
    /// Nothing of it was detected here: it holds for the whole file, of which this is a chunk.
    pub(crate) fn mark_known(&mut self) {
        const HOLDS: &str = "the same in the whole file";
        self.encoding.iter_mut().for_each(|found| found.evidence = HOLDS.to_owned());
        self.delimiter.iter_mut().for_each(|found| found.evidence = HOLDS.to_owned());
        self.header.evidence = HOLDS.to_owned();
    }
}

/// The decimal mark of amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecimalMark {
    /// `1,250.50`
    Point,
    /// `1.250,50`
    Comma,
}

/// The order of day, month and year in dates such as `03/04/2026`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    /// `mm/dd/yyyy`
    MonthFirst,
    /// `dd/mm/yyyy`
    DayFirst,
}

impl DateOrder {
    /// As people write it.
    pub fn pattern(self) -> &'static str {
        match self {
            DateOrder::MonthFirst => "mm/dd/yyyy",
            DateOrder::DayFirst => "dd/mm/yyyy",
        }
    }
}
