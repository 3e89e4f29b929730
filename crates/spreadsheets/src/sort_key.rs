//! What rows are sorted by: amounts and dates by what they say, other cells by their text.

use bordereau_mapping::ValueKind;
use bordereau_tables::Cell;
use bordereau_tables::amount::{parse_cents, percent_millionths};
use bordereau_tables::date::{self, DateReading};
use chrono::NaiveDate;

use crate::review::Review;

/// The place of a cell in the order of its column: what can be read first, then texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortKey {
    /// Cents, or millionths of a percent.
    Amount(i64),
    /// A calendar date.
    Day(NaiveDate),
    /// In lower case.
    Text(String),
}

/// By what a cell is sorted; `None` for one without a value.
pub fn sort_key(review: &Review, row: usize, column: usize) -> Option<SortKey> {
    let cell = review.source().table.cell(row, column);
    let text = cell.text.trim();
    if text.is_empty() {
        return None;
    }
    let cell = Cell { text, ..cell };
    let mark = review.values().decimal_mark.value;
    let read = match review.layout().field_of(column).map(|field| field.kind()) {
        Some(ValueKind::Amount) => parse_cents(cell, mark).ok().map(SortKey::Amount),
        Some(ValueKind::Percent) => percent_millionths(cell, mark).ok().map(SortKey::Amount),
        Some(ValueKind::Date) => match date::read(cell, review.values().date_order.value) {
            DateReading::Day(day) | DateReading::Either(day, _) | DateReading::Serial(day) => {
                Some(SortKey::Day(day))
            }
            DateReading::Unreadable => None,
        },
        _ => None,
    };
    Some(read.unwrap_or_else(|| SortKey::Text(text.to_lowercase())))
}
