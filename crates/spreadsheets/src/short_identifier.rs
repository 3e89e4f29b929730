//! Numbers that are shorter than their neighbors in the column of an identifier: leading zeros were lost there.
//!
//! Only where the neighbors prove it: three quarters of the column's numbers have the same count of digits, and some of
//! them begin with a zero. Numbers that merely grow, 9998, 9999, 10000, prove nothing.

use std::collections::BTreeMap;

use bordereau_tables::{ImportSource, trim_blanks};

use crate::field::{Field, ValueKind};
use crate::issue::{Code, Finding, FindingData};
use crate::layout::ColumnLayout;

/// Numbers of a column from which on they say something about one another.
const NEIGHBORS_MIN: usize = 5;

/// One finding for each such number.
pub(crate) fn find_short_identifiers(source: &ImportSource, layout: &ColumnLayout) -> Vec<Finding> {
    // Of a ZIP code the count of digits is known without neighbors.
    let is_zip = |field: &Field| matches!(field, Field::MailingZip | Field::PhysicalZip);
    let is_identifier = |field: &&Field| field.kind() == ValueKind::Identifier && !is_zip(field);
    let columns = Field::ALL.iter().filter(is_identifier).flat_map(|field| layout.columns_of(*field));
    columns.flat_map(|column| in_column(source, *column)).collect()
}

fn in_column(source: &ImportSource, column: u16) -> Vec<Finding> {
    let table = &source.table;
    let first = source.detection.header.value.map_or(0, |row| row as usize + 1);
    let text = |row: usize| trim_blanks(table.original_cell(row, usize::from(column)).text);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = || (first..table.row_count()).filter(|row| is_number(text(*row)));
    let mut lengths: BTreeMap<usize, (usize, bool)> = BTreeMap::new();
    for row in numbers() {
        let of_length = lengths.entry(text(row).len()).or_default();
        of_length.0 += 1;
        of_length.1 |= text(row).starts_with('0');
    }
    let all: usize = lengths.values().map(|(count, _)| count).sum();
    let Some((digits, (count, is_padded))) = lengths.into_iter().max_by_key(|(_, (count, _))| *count) else {
        return Vec::new();
    };
    let is_rule = is_padded && count >= NEIGHBORS_MIN && count * 4 >= all * 3;
    let is_short = |row: &usize| is_rule && text(*row).len() < digits;
    let finding = |row: usize| Finding {
        data: FindingData::Text(format!("{:0>digits$}", text(row)).into()),
        ..Finding::at_cell(Code::IdentifierShort, row, usize::from(column))
    };
    numbers().filter(is_short).map(finding).collect()
}
