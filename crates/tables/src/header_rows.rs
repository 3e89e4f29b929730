//! Headers in two rows, one word above the other as printed reports have them: `Policy` above `Number`.

use crate::combined_source::{copy_cell, repeats_header};
use crate::header::{HeaderFields, HeaderRows};
use crate::source::ImportSource;
use crate::table::{CellKind, Table};

/// Puts the words above the header row into it, and into each repetition of it further down.
pub(crate) fn join_header_rows(source: &mut ImportSource, fields: HeaderFields) {
    let table = &source.table;
    let Some((above, header)) = source.header_row().and_then(|row| Some((row.checked_sub(1)?, row))) else {
        return;
    };
    let rows = HeaderRows::new(table, [above, header], fields);
    if rows.count_names().is_none() {
        return;
    }
    let joined: Vec<String> = (0..rows.width()).map(|column| rows.header(column)).collect();
    let mut filled = Table::default();
    for row in 0..table.row_count() {
        let first = filled.cell_count();
        if row == header || (row > header && repeats_header(source, row, header)) {
            joined.iter().for_each(|text| filled.push_cell(text, CellKind::Text));
            filled.end_row(first, table.line(row));
        } else {
            (0..table.row_len(row)).for_each(|column| copy_cell(table, row, column, &mut filled));
            filled.end_row_of(first, table.line(row), u32::try_from(table.raw_len(row)).unwrap_or(u32::MAX));
        }
    }
    if table.counts_from_1904() {
        filled.count_from_1904();
    }
    source.table = filled;
}
