//! What a reader notices in a cell. It knows no fields; the checks make findings of it.

use serde::{Deserialize, Serialize};

use crate::limits::NOTES_MAX;
use crate::table::Table;

/// What is wrong with a cell that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// A quote that does not close.
    QuoteNotClosed,
    /// A text that was longer than a cell is.
    CellCut,
    /// Characters that the encoding does not have.
    NotInEncoding,
    /// A cell beyond the last column.
    ExtraCells,
    /// A row that the sheet hides.
    RowHidden,
    /// A column that the sheet hides.
    ColumnHidden,
    /// A row most of whose cells are struck out.
    RowStruckOut,
}

/// A note on a cell of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellNote {
    /// What is wrong.
    pub kind: NoteKind,
    /// Row of the table.
    pub row: u32,
    /// Column of the table.
    pub column: u32,
}

impl CellNote {
    pub(crate) fn new(kind: NoteKind, row: usize, column: usize) -> CellNote {
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        CellNote { kind, row: small(row), column: small(column) }
    }
}

/// Adds a note; once there are very many, only the first of each row.
pub(crate) fn push_note(notes: &mut Vec<CellNote>, note: CellNote, most: usize) {
    if notes.len() < most || notes.last().is_none_or(|last| last.row != note.row) {
        notes.push(note);
    }
}

/// Notes the cells that have bytes of another encoding.
pub(crate) fn note_unreadable_cells(table: &Table, notes: &mut Vec<CellNote>) {
    for row in 0..table.row_count() {
        for column in 0..table.row_len(row) {
            if table.text_at(row, column).contains('\u{fffd}') {
                push_note(notes, CellNote::new(NoteKind::NotInEncoding, row, column), NOTES_MAX);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_many_notes_each_row_has_one() {
        let mut notes = Vec::new();
        for (row, column) in [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0)] {
            push_note(&mut notes, CellNote::new(NoteKind::CellCut, row, column), 2);
        }
        let left: Vec<_> = notes.iter().map(|note| (note.row, note.column)).collect();
        assert_eq!(left, [(1, 0), (1, 1), (2, 0), (3, 0)]);
    }
}
