//! Which row holds the headers.

use crate::detection::DetectedValue;
use crate::table::{CellKind, Table};

/// Rows looked at from the top: exports put titles, dates and blank rows above their headers.
pub(crate) const ROWS_LOOKED_AT: usize = 30;

/// Tells whether a text is a name that a column may have.
pub type HeaderNames = fn(&str) -> bool;

/// The header row: the one with the most cells that are known names; without any, the first row of
/// texts as wide as the table.
pub(crate) fn detect_header(table: &Table, is_known: HeaderNames) -> DetectedValue<Option<u32>> {
    let rows = 0..table.row_count().min(ROWS_LOOKED_AT);
    let all: Vec<Option<u32>> =
        rows.clone().filter_map(|r| u32::try_from(r).ok()).map(Some).chain([None]).collect();
    let best = rows
        .clone()
        .map(|row| (count_known_names(table, row, is_known), row))
        .max_by_key(|(n, row)| (*n, std::cmp::Reverse(*row)));
    if let Some((count, row)) = best.filter(|(n, _)| *n >= 2) {
        let evidence = format!("row {} has {count} names of fields", table.line(row));
        return DetectedValue::new(u32::try_from(row).ok(), evidence, &all);
    }
    let widest = rows.clone().map(|r| table.row_len(r)).max().unwrap_or(0);
    let texts = rows.into_iter().find(|row| table.row_len(*row) * 2 > widest && only_texts(table, *row));
    match texts {
        Some(row) => {
            let evidence = format!("row {} is the first with a text in every cell", table.line(row));
            DetectedValue::new(u32::try_from(row).ok(), evidence, &all)
        }
        None => DetectedValue::new(None, "no row looks like headers".to_owned(), &all),
    }
}

/// Whether a row near the top has known names.
pub(crate) fn has_header(table: &Table, is_known: HeaderNames) -> bool {
    (0..table.row_count().min(ROWS_LOOKED_AT)).any(|row| count_known_names(table, row, is_known) >= 2)
}

/// How many cells of the row are known names.
fn count_known_names(table: &Table, row: usize, is_known: HeaderNames) -> usize {
    (0..table.row_len(row)).filter(|c| is_known(table.text_at(row, *c))).count()
}

fn only_texts(table: &Table, row: usize) -> bool {
    let cells = || (0..table.row_len(row)).map(|c| table.cell(row, c));
    let texts = cells().filter(|c| !c.text.trim().is_empty()).collect::<Vec<_>>();
    !texts.is_empty()
        && texts.iter().all(|c| c.kind == CellKind::Text && c.text.chars().any(char::is_alphabetic))
        && texts.iter().all(|c| !c.text.starts_with(|c: char| c.is_ascii_digit()))
}
