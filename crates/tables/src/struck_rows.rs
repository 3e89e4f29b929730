//! Rows that a person has struck out in a sheet. The workbook reader gives them like the others.

use crate::note::NoteKind;
use crate::table_filler::TableFiller;

/// How many cells of each row are struck out, in the order in which the cells are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct StruckRows(Vec<(u32, usize)>);

impl StruckRows {
    /// Counts a cell that is struck out.
    pub(crate) fn add_cell(&mut self, row: u32) {
        match self.0.last_mut().filter(|(last, _)| *last == row) {
            Some((_, count)) => *count += 1,
            None => self.0.push((row, 1)),
        }
    }

    /// Adds a row with so many of them.
    pub(crate) fn add_row(&mut self, row: u32, cells: usize) {
        self.0.push((row, cells));
    }
}

impl TableFiller {
    /// Notes rows of which most cells are struck out: a single one may be an old value beside the new one.
    pub(crate) fn note_struck_out(&mut self, struck: &StruckRows) {
        let is_most = |row: u32, count: usize| {
            let cells = (0..self.table.row_len(row as usize))
                .filter(|column| !self.table.text_at(row as usize, *column).trim().is_empty());
            2 * count > cells.count()
        };
        let there = self.table.row_count();
        let own = struck.0.iter().filter(|(row, count)| (*row as usize) < there && is_most(*row, *count));
        let rows: Vec<u32> = own.map(|(row, _)| *row).collect();
        self.note_rows(NoteKind::RowStruckOut, &rows);
    }
}
