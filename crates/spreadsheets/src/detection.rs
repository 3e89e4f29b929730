//! What was detected in the cells of a source, for a person to confirm or change.

use bordereau_tables::DetectedValue;
use serde::{Deserialize, Serialize};

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

/// What was detected in the mapped columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueDetection {
    /// Decimal mark.
    pub decimal_mark: DetectedValue<DecimalMark>,
    /// Date order; `None` is an open question to the person.
    pub date_order: DetectedValue<Option<DateOrder>>,
}
