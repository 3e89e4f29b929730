//! Headings of groups in a printed report, such as `State: TX` above the rows of Texas: what they say becomes a column.

use std::collections::BTreeMap;

use crate::combined_source::{copy_cell, repeats_header};
use crate::header::{HeaderFields, normalize_header};
use crate::limits::{CELLS_MAX, COLUMNS_MAX, TEXT_BYTES_MAX};
use crate::source::{ImportSource, source_headers};
use crate::table::{CellKind, Table, trim_blanks};

/// Cells of a heading, up to its last text: reports indent them.
const HEADING_CELLS_MAX: usize = 4;

/// Longer labels are sentences, in bytes.
const LABEL_BYTES_MAX: usize = 100;

/// Columns that are made of headings: one for each kind of group within another.
const LABELS_MAX: usize = 4;

/// Different labels whose fields are looked for.
const DIFFERENT_LABELS_MAX: usize = 200;

/// Texts that a row of a transaction has at least; a line of sums has no word.
const ROW_TEXTS_MIN: usize = 3;

/// What headings of one kind say.
struct HeadingLabel<'t> {
    label: &'t str,
    field: usize,
    /// The blank column that there is for it.
    column: Option<usize>,
    /// The column of headings that say their values alone.
    unlabeled_place: Option<usize>,
}

/// Adds a column for each label of headings that names a field which no column has, or fills the blank one, with what each
/// row's heading says. The rows of the headings are remembered as such.
pub(crate) fn add_heading_columns(source: &mut ImportSource, fields: HeaderFields) {
    let Some(header) = source.header_row() else { return };
    let table = &source.table;
    // A report that groups by state may keep the column of states, without one in it.
    let is_blank = |column: usize| {
        (header + 1..table.row_count()).all(|row| trim_blanks(table.text_at(row, column)).is_empty())
    };
    let of_columns = source_headers(source).iter().map(|header| fields.number(header)).collect::<Vec<_>>();
    let mut labels: Vec<HeadingLabel<'_>> = Vec::new();
    // The row, its label, and its value: none where it has more than a heading, which a person looks at.
    let mut headings: Vec<(u32, usize, Option<&str>)> = Vec::new();
    let mut known_fields: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    let mut is_begun = false;
    for row in header + 1..table.row_count() {
        let number = u32::try_from(row).unwrap_or(u32::MAX);
        let Some((label, value)) = heading_of(table, row, fields) else {
            is_begun = is_begun || is_transaction(table, row);
            if is_begun && labels.is_empty() {
                return;
            }
            // The rows below "State: FL, Page 3" are not of the state before.
            let label = first_text(table, row).split_once(':').map(|(label, _)| label.trim());
            let field = label.and_then(|label| known_fields.get(label).copied().flatten());
            let known = labels.iter().position(|known| Some(known.field) == field);
            // Nor are those below a text in the place of the states that is none.
            let alone = lone_text(table, row).filter(|(_, text)| !text.to_lowercase().starts_with("page"));
            let unlabeled = alone
                .and_then(|(place, _)| labels.iter().position(|known| known.unlabeled_place == Some(place)));
            headings.extend(known.or(unlabeled).map(|at| (number, at, None)));
            continue;
        };
        // A file of other things may have a label of its own in each of a million rows.
        if known_fields.len() >= DIFFERENT_LABELS_MAX && !known_fields.contains_key(label) {
            continue;
        }
        let Some(field) = *known_fields.entry(label).or_insert_with(|| fields.number(label)) else {
            continue;
        };
        let known = labels.iter().position(|known| known.field == field);
        let at = known.unwrap_or(labels.len());
        // Headings are above the rows that they are of, the first ones too: what comes below them first is a sum.
        if known.is_none() && (is_begun || at == LABELS_MAX) {
            continue;
        }
        if known.is_none() {
            let column = of_columns.iter().position(|of| *of == Some(field));
            if column.is_some_and(|column| !is_blank(column)) {
                known_fields.insert(label, None);
                continue;
            }
            let alone = lone_text(table, row).filter(|(_, text)| *text == value);
            let unlabeled_place = alone.map(|(place, _)| place);
            labels.push(HeadingLabel { label, field, column, unlabeled_place });
        }
        headings.push((number, at, Some(value)));
    }
    let (width, rows) = (table.width(), table.row_count());
    let added = labels.iter().filter(|label| label.column.is_none()).count();
    let added_bytes: usize = headings
        .iter()
        .filter_map(|(.., value)| Some(value.as_ref()?.len()))
        .max()
        .unwrap_or(0)
        .saturating_mul(rows);
    let is_within = width + added <= COLUMNS_MAX
        && rows.saturating_mul(width + added) <= CELLS_MAX
        && added_bytes.saturating_mul(labels.len()).saturating_add(table.text_len()) <= TEXT_BYTES_MAX;
    if headings.is_empty() || !is_within {
        return;
    }
    let mut filled = Table::default();
    let mut values: Vec<&str> = vec![""; labels.len()];
    let mut next = headings.iter().peekable();
    for row in 0..rows {
        if let Some((_, at, value)) = next.next_if(|(of, ..)| *of as usize == row) {
            values[*at] = value.unwrap_or_default();
            // A group within another one ends with it.
            values[at + 1..].fill("");
        }
        let first = filled.cell_count();
        let is_header = row == header || repeats_header(source, row, header);
        let is_filled = !is_header && row > header && is_transaction(table, row);
        let last = if is_header || is_filled { width } else { table.row_len(row) };
        for column in 0..last {
            match labels.iter().position(|label| label.column == Some(column)) {
                Some(at) if is_filled => filled.push_cell(values[at], CellKind::Text),
                _ => copy_cell(table, row, column, &mut filled),
            }
        }
        for (label, value) in labels.iter().zip(&values).filter(|(label, _)| label.column.is_none()) {
            match (is_header, is_filled) {
                (true, _) => filled.push_cell(label.label, CellKind::Text),
                (_, true) => filled.push_cell(value, CellKind::Text),
                _ => {}
            }
        }
        let raw = if is_header || is_filled { width + added } else { table.raw_len(row) };
        filled.end_row_of(first, table.line(row), u32::try_from(raw).unwrap_or(u32::MAX));
    }
    if table.counts_from_1904() {
        filled.count_from_1904();
    }
    let headings: Vec<u32> = headings.into_iter().filter_map(|(row, _, value)| value.map(|_| row)).collect();
    source.table = filled;
    source.group_headings = headings;
}

/// The label and the value of a row that has nothing else: `State: TX` in one cell or in two, or `Texas`, which says it
/// without a label. A value may be empty: the rows below are not of the group before.
fn heading_of(table: &Table, row: usize, fields: HeaderFields) -> Option<(&str, &str)> {
    if table.row_len(row) > HEADING_CELLS_MAX {
        return None;
    }
    let texts = texts_of(table, row);
    let (label, value) = match texts[..] {
        [text] => match (fields.of_heading)(text) {
            Some(label) => (label, text),
            None => text.split_once(':')?,
        },
        [label, value] => (label.strip_suffix(':')?, value),
        _ => return None,
    };
    let (label, value) = (label.trim(), value.trim());
    let is_label = label.len() <= LABEL_BYTES_MAX && normalize_header(label).starts_with(char::is_alphabetic);
    is_label.then_some((label, value))
}

/// The only text of a row, and its column.
fn lone_text(table: &Table, row: usize) -> Option<(usize, &str)> {
    let texts = (0..table.row_len(row)).map(|column| (column, trim_blanks(table.text_at(row, column))));
    let mut texts = texts.filter(|(_, text)| !text.is_empty());
    texts.next().filter(|_| texts.next().is_none())
}

fn first_text(table: &Table, row: usize) -> &str {
    let mut texts = (0..table.row_len(row)).map(|column| trim_blanks(table.text_at(row, column)));
    texts.find(|text| !text.is_empty()).unwrap_or_default()
}

fn texts_of(table: &Table, row: usize) -> Vec<&str> {
    let texts = (0..table.row_len(row)).map(|column| trim_blanks(table.text_at(row, column)));
    texts.filter(|text| !text.is_empty()).collect()
}

fn is_transaction(table: &Table, row: usize) -> bool {
    let texts = texts_of(table, row);
    texts.len() >= ROW_TEXTS_MIN && texts.iter().any(|text| text.contains(char::is_alphabetic))
}
