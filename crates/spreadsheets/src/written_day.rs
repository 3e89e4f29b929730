//! Days as a column writes them.

use bordereau_contract::format_day;
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
