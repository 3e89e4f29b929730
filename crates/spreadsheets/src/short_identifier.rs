//! Numbers that are shorter than their neighbors in the column of an identifier: leading zeros were lost there.
//!
//! Only where the neighbors prove it: three quarters of the column's numbers have the same count of digits, and some of
//! them begin with a zero. Numbers that merely grow, 9998, 9999, 10000, prove nothing.

use std::collections::BTreeMap;
use std::ops::Range;

use bordereau_mapping::{Field, ValueKind};
use bordereau_tables::{ImportSource, RowCells, trim_blanks};

use crate::issue::{Code, Finding, FindingData};
use crate::layout::ColumnLayout;

/// Numbers of a column from which on they say something about one another.
const NEIGHBORS_MIN: usize = 5;

/// Numbers of one length in a column.
#[derive(Default)]
struct SameLength {
    count: usize,
    /// Whether one of them begins with a zero.
    is_padded: bool,
}

/// One finding for each such number.
pub(crate) fn find_short_identifiers(source: &ImportSource, layout: &ColumnLayout) -> Vec<Finding> {
    // Of a ZIP code the count of digits is known without neighbors.
    let is_zip = |field: &Field| matches!(field, Field::MailingZip | Field::PhysicalZip);
    let is_identifier = |field: &&Field| field.kind() == ValueKind::Identifier && !is_zip(field);
    let columns = Field::ALL.iter().filter(is_identifier).flat_map(|field| layout.columns_of(*field));
    let mut lengths: Vec<(u16, BTreeMap<usize, SameLength>)> =
        columns.map(|column| (*column, BTreeMap::new())).collect();
    // Row by row, as the cells are in memory.
    for row in data_rows(source) {
        let cells = source.table.row_cells(row);
        for (column, of_column) in &mut lengths {
            if let Some(number) = number_in(&cells, *column) {
                let same = of_column.entry(number.len()).or_default();
                same.count += 1;
                same.is_padded |= number.starts_with('0');
            }
        }
    }
    let mut findings = Vec::new();
    for (column, of_column) in lengths {
        let Some(digits) = usual_length(&of_column) else { continue };
        for row in data_rows(source) {
            let number = number_in(&source.table.row_cells(row), column);
            if let Some(number) = number.filter(|number| number.len() < digits) {
                let data = FindingData::Text(format!("{number:0>digits$}").into());
                findings.push(Finding {
                    data,
                    ..Finding::at_cell(Code::IdentifierShort, row, usize::from(column))
                });
            }
        }
    }
    findings
}

fn data_rows(source: &ImportSource) -> Range<usize> {
    source.detection.header.value.map_or(0, |row| row as usize + 1)..source.table.row_count()
}

/// The text of a cell that has nothing but digits.
fn number_in<'t>(cells: &RowCells<'t>, column: u16) -> Option<&'t str> {
    let text = trim_blanks(cells.original_cell(usize::from(column)).text);
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

/// The count of digits that the numbers of a column have, where shorter ones among them have lost some.
fn usual_length(lengths: &BTreeMap<usize, SameLength>) -> Option<usize> {
    let all: usize = lengths.values().map(|same| same.count).sum();
    let (digits, most) = lengths.iter().max_by_key(|(_, same)| same.count)?;
    let is_rule = most.is_padded && most.count >= NEIGHBORS_MIN && most.count * 4 >= all * 3;
    (is_rule && lengths.range(..digits).next().is_some()).then_some(*digits)
}
