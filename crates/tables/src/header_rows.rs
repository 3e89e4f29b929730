//! Headers in two rows, one word above the other as printed reports have them: `Policy` above `Number`.

use crate::combined_source::{copy_cell, repeats_header};
use crate::header::{HeaderFields, count_known_names, only_texts};
use crate::source::ImportSource;
use crate::table::{CellKind, Table, trim_blanks};

/// Columns whose name is in both rows, at least: one may be chance.
const JOINED_MIN: usize = 2;

/// How many columns two rows name together, where some names are in both of them and no column is known by one row alone
/// only; `None` where each is for itself.
pub(crate) fn count_joined_names(table: &Table, rows: [usize; 2], fields: HeaderFields) -> Option<usize> {
    let are_texts = rows.iter().all(|row| *row < table.row_count() && only_texts(table, *row));
    if !are_texts {
        return None;
    }
    let columns = 0..table.row_len(rows[0]).max(table.row_len(rows[1]));
    let is_known = |column: &usize| fields(&joined_header(table, rows, *column, fields)).is_some();
    let is_in_both =
        |column: &usize| rows.iter().all(|row| !trim_blanks(table.text_at(*row, *column)).is_empty());
    let joined: Vec<usize> = columns.filter(is_known).collect();
    let alone = rows.map(|row| count_known_names(table, row, fields)).into_iter().max()?;
    (joined.len() >= alone && joined.iter().filter(|column| is_in_both(column)).count() >= JOINED_MIN)
        .then_some(joined.len())
}

/// `State` below `Tax` is the state's tax.
fn joined_header(table: &Table, rows: [usize; 2], column: usize, fields: HeaderFields) -> String {
    let [above, below] = rows.map(|row| trim_blanks(table.text_at(row, column)));
    let join = |first: &str, second: &str| format!("{first} {second}").trim().to_owned();
    let turned = Some(join(below, above)).filter(|turned| fields(turned).is_some());
    turned.filter(|_| fields(&join(above, below)).is_none()).unwrap_or_else(|| join(above, below))
}

/// Puts the words above the header row into it, and into each repetition of it further down.
pub(crate) fn join_header_rows(source: &mut ImportSource, fields: HeaderFields) {
    let table = &source.table;
    let Some((above, header)) = source.header_row().and_then(|row| Some((row.checked_sub(1)?, row))) else {
        return;
    };
    if count_joined_names(table, [above, header], fields).is_none() {
        return;
    }
    let columns = 0..table.row_len(above).max(table.row_len(header));
    let name = |column| joined_header(table, [above, header], column, fields);
    let joined: Vec<String> = columns.map(name).collect();
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
