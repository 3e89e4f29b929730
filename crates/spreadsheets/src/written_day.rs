//! Days as a column writes them.

use std::borrow::Cow;

use bordereau_contract::format_day;
use bordereau_mapping::ValueKind;
use bordereau_tables::DateOrder;
use bordereau_tables::date::{self, DateReading};
use chrono::NaiveDate;

use crate::review::Review;

/// A day as its column writes days, so that it reads back the same: like the first cell there that has one.
pub fn written_day(review: &Review, column: Option<usize>, day: NaiveDate) -> String {
    let table = &review.source().table;
    let Some(order) = review.values().date_order.value else { return day.to_string() };
    let is_iso = column.is_some_and(|column| {
        (0..table.row_count())
            .map(|row| table.cell(row, column))
            .find(|cell| matches!(date::read(*cell, Some(order)), DateReading::Day(_)))
            .is_some_and(|cell| cell.text.trim().get(4..5) == Some("-"))
    });
    if is_iso { day.to_string() } else { day_in_order(day, order) }
}

pub(crate) fn day_in_order(day: NaiveDate, order: DateOrder) -> String {
    match order {
        DateOrder::DayFirst => day.format("%d/%m/%Y").to_string(),
        DateOrder::MonthFirst => format_day(day),
    }
}

/// The text of a cell as a person reads it: a day that a workbook or the file has as yyyy-mm-dd is written as the
/// file's other dates are, and reads back the same.
pub fn shown_text(review: &Review, row: usize, column: usize) -> Cow<'_, str> {
    text_as_shown(review, column, review.source().table.text_at(row, column))
}

/// The same of a text that the cell may have.
pub fn text_as_shown<'t>(review: &Review, column: usize, text: &'t str) -> Cow<'t, str> {
    let is_date = review.layout().field_of(column).is_some_and(|field| field.kind() == ValueKind::Date);
    let shown = || Some(day_in_order(date::iso_day(text)?, review.values().date_order.value?));
    is_date.then(shown).flatten().map_or(Cow::Borrowed(text), Cow::Owned)
}
