//! Texts of cells as a person reads them; the file's own text stays what is stored, checked and sent.

use std::borrow::Cow;

use bordereau_mapping::ValueKind;
use bordereau_money::Usd;
use bordereau_tables::{Cell, CellKind, DecimalMark, amount, date};

use crate::review::Review;
use crate::written_day::day_in_order;

/// The text of a cell as a person reads it: a day that a workbook or the file has as yyyy-mm-dd is written as the
/// file's other dates are, `24390.8` is 24,390.80. Both read back the same.
pub fn shown_text(review: &Review, row: usize, column: usize) -> Cow<'_, str> {
    cell_as_shown(review, column, review.source().table.cell(row, column))
}

/// The same of a text that the cell may have.
pub fn text_as_shown<'t>(review: &Review, column: usize, text: &'t str) -> Cow<'t, str> {
    cell_as_shown(review, column, Cell { text, kind: CellKind::Text })
}

/// The same of a cell that the column may have, with its kind.
pub fn cell_as_shown<'t>(review: &Review, column: usize, cell: Cell<'t>) -> Cow<'t, str> {
    let is_amount =
        || review.layout().field_of(column).is_some_and(|field| field.kind() == ValueKind::Amount);
    match text_with_day(review, column, cell.text) {
        Cow::Borrowed(text) if review.values().decimal_mark.value == DecimalMark::Point && is_amount() => {
            grouped_amount(Cell { text, ..cell }).map_or(Cow::Borrowed(text), Cow::Owned)
        }
        shown => shown,
    }
}

/// A text of a message: days as people write them, amounts as the file has them.
pub(crate) fn text_with_day<'t>(review: &Review, column: usize, text: &'t str) -> Cow<'t, str> {
    let is_date = review.layout().field_of(column).is_some_and(|field| field.kind() == ValueKind::Date);
    let day = if is_date { date::iso_day(text).zip(review.values().date_order.value) } else { None };
    day.map_or(Cow::Borrowed(text), |(day, order)| Cow::Owned(day_in_order(day, order)))
}

/// An amount in digits with its thousands apart and two decimals, in dollars without their sign; `None` where it is
/// written in another way, or has fractions of a cent.
fn grouped_amount(cell: Cell<'_>) -> Option<String> {
    let trimmed = cell.text.trim();
    let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b',' | b'.' | b'$' | b'-');
    if trimmed.is_empty() || !trimmed.bytes().all(is_plain) {
        return None;
    }
    let cents = amount::parse_cents(Cell { text: trimmed, ..cell }, DecimalMark::Point).ok()?;
    let sign = if cents < 0 { "-" } else { "" };
    Some(format!("{sign}{}", Usd::from_cents(cents).abs().to_grouped()))
}

/// Whether a cell has the needle, which is in lower case: in the file's text, or as it is shown.
pub fn has_cell_text(review: &Review, row: usize, column: usize, needle: &str) -> bool {
    let text = review.source().table.text_at(row, column);
    // Only what is shown otherwise has these.
    contains_text(text, needle)
        || (needle.contains(['/', ',', '.']) && contains_text(&shown_text(review, row, column), needle))
}

/// Whether the text has the needle, which is in lower case.
fn contains_text(text: &str, needle: &str) -> bool {
    if text.len() < needle.len() && text.is_ascii() {
        return false;
    }
    if text.is_ascii() && needle.is_ascii() {
        return text
            .as_bytes()
            .windows(needle.len())
            .any(|part| part.eq_ignore_ascii_case(needle.as_bytes()));
    }
    text.to_lowercase().contains(needle)
}
