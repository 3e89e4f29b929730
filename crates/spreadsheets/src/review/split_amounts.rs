//! Amounts whose commas have moved the cells of their row.

use bordereau_mapping::ValueKind;
use bordereau_tables::trim_blanks;

use super::Review;
use crate::issue::{Code, Finding, FindingData};

/// Of a row with more cells than headers: `2` and `000.00` were an amount of 2,000.00 that nobody had put in quotes.
pub(super) fn find_split_amount(review: &Review, row: usize) -> Option<Finding> {
    let table = &review.source().table;
    let text = |column: usize| trim_blanks(table.text_at(row, column));
    let has_digits = |text: &str, counts: std::ops::RangeInclusive<usize>| {
        counts.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_begun = |text: &str| has_digits(text.trim_start_matches(['(', '-', '$']), 1..=3);
    let goes_on = |text: &str| {
        let (whole, cents) = text.trim_end_matches(')').split_once('.').unwrap_or((text, "00"));
        has_digits(whole, 3..=3) && has_digits(cents, 1..=2)
    };
    let is_amount = |column: &usize| {
        review.layout().field_of(*column).is_some_and(|field| field.kind() == ValueKind::Amount)
    };
    let columns = (0..table.row_len(row)).filter(is_amount);
    let mut split = columns.filter(|column| is_begun(text(*column)) && goes_on(text(column + 1)));
    let column = split.next()?;
    let mut finding = Finding::at_cell(Code::AmountSplit, row, column);
    finding.data = FindingData::Text(text(column + 1).into());
    Some(finding)
}
