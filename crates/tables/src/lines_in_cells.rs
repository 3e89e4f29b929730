//! Whole lines of a delimited file in the cells of one column, as a spreadsheet program saves a file that it did not
//! take apart.

use crate::delimited_text::{self, DelimitedTable};
use crate::delimiter;
use crate::detection::DetectedValue;
use crate::table::Table;

/// Fewer columns may be commas in a text.
const COLUMNS_MIN: usize = 3;

/// What the lines are taken apart into, row by row, and the delimiter; `None` where the cells are no such lines.
pub(crate) fn split_lines_in_cells(
    table: &Table,
    asked: Option<char>,
) -> Option<(DelimitedTable, DetectedValue<char>)> {
    if table.width() != 1 || table.row_count() < 2 {
        return None;
    }
    let cells: Vec<&str> = (0..table.row_count()).map(|row| table.text_at(row, 0)).collect();
    let text = cells.join("\n");
    let mut delimiter = delimiter::detect_delimiter(&text, asked);
    let read = delimited_text::read(text, u8::try_from(delimiter.value).ok()?, None).ok()?;
    // Each row is still the same one, and most have as many cells as there are columns: titles have fewer.
    let columns = read.table.width();
    let filled = cells.iter().filter(|cell| !cell.trim().is_empty()).count();
    let alike = (0..read.table.row_count()).filter(|row| read.table.raw_len(*row) == columns).count();
    let same_lines = || (0..cells.len()).all(|row| read.table.line(row) == table.line(row));
    let are_lines =
        columns >= COLUMNS_MIN && alike * 2 > filled && read.table.row_count() == cells.len() && same_lines();
    delimiter.evidence = format!("each line is in one cell, where {}", delimiter.evidence);
    are_lines.then_some((read, delimiter))
}
