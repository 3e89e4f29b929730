//! A table filled cell by cell from a workbook, within its bounds.

use calamine::{DataRef, XlsxFormulaMetadata};

use crate::cell_formats::ShownFormat;
use crate::cell_text;
use crate::limits::{CELL_BYTES_MAX, CELLS_MAX, COLUMNS_MAX, NOTES_MAX, ROWS_MAX, TEXT_BYTES_MAX};
use crate::note::{CellNote, NoteKind};
use crate::refusal::ImportRefusal;
use crate::table::{CellKind, Table};
use crate::text_cut::cut_cell;

/// A table being filled in the order of rows and columns.
#[derive(Default)]
pub(crate) struct TableFiller {
    pub(crate) table: Table,
    pub(crate) notes: Vec<CellNote>,
    row: u32,
    first: usize,
    scratch: String,
}

impl TableFiller {
    /// A cell with its number as its format shows it.
    pub(crate) fn formatted_cell(
        &mut self,
        row: u32,
        column: u32,
        value: &DataRef<'_>,
        format: Option<&ShownFormat>,
    ) -> Result<(), ImportRefusal> {
        if matches!(value, DataRef::Empty) {
            return Ok(());
        }
        self.scratch.clear();
        let kind = cell_text::write_cell(value, &mut self.scratch);
        self.put_formatted(row, column, kind, format)
    }

    /// A cell with its text and kind.
    pub(crate) fn add_text(
        &mut self,
        place: (u32, u32),
        text: &str,
        kind: CellKind,
        format: Option<&ShownFormat>,
    ) -> Result<(), ImportRefusal> {
        self.scratch.clear();
        self.scratch.push_str(text);
        self.put_formatted(place.0, place.1, kind, format)
    }

    /// Puts the text at hand into its place; a number as its format shows it.
    fn put_formatted(
        &mut self,
        row: u32,
        column: u32,
        kind: CellKind,
        format: Option<&ShownFormat>,
    ) -> Result<(), ImportRefusal> {
        let format = format.filter(|_| kind == CellKind::Number);
        let shown = format.and_then(|format| format.shown(&self.scratch));
        let Some(shown) = shown.filter(|shown| shown.len() <= CELL_BYTES_MAX) else {
            return self.put_text(row, column, kind);
        };
        self.make_room(row, column)?;
        self.table.push_formatted(&self.scratch, &shown);
        self.check_size()
    }

    /// A formula that has no result.
    pub(crate) fn add_formula(
        &mut self,
        row: u32,
        column: u32,
        formula: &XlsxFormulaMetadata,
    ) -> Result<(), ImportRefusal> {
        self.scratch.clear();
        self.scratch.push('=');
        match formula {
            XlsxFormulaMetadata::Normal { formula } | XlsxFormulaMetadata::Shared { formula, .. } => {
                self.scratch.push_str(formula);
            }
            // The formula of a cell above.
            _ => self.scratch.push('…'),
        }
        self.put_text(row, column, CellKind::Error)
    }

    /// Puts the text at hand into its place.
    fn put_text(&mut self, row: u32, column: u32, kind: CellKind) -> Result<(), ImportRefusal> {
        self.make_room(row, column)?;
        let at = self.table.cell_count() - self.first;
        let kept = cut_cell(&self.scratch, || {
            self.notes.push(CellNote::new(NoteKind::CellCut, self.row as usize, at));
        });
        self.table.push_cell(kept, kind);
        self.check_size()
    }

    /// Fills the table up to the place of the next cell.
    fn make_room(&mut self, row: u32, column: u32) -> Result<(), ImportRefusal> {
        if row < self.row {
            return Err(cells_out_of_order(row));
        }
        self.go_to(row)?;
        if column as usize >= COLUMNS_MAX {
            return Err(ImportRefusal::TooManyColumns { row: row + 1 });
        }
        let there = self.table.cell_count() - self.first;
        let column = column as usize;
        if column < there {
            return Err(cells_out_of_order(row));
        }
        for _ in there..column {
            self.table.push_cell("", CellKind::Text);
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), ImportRefusal> {
        let is_too_large = self.table.cell_count() > CELLS_MAX || self.table.text_len() > TEXT_BYTES_MAX;
        if is_too_large {
            Err(ImportRefusal::TooManyCells)
        } else if self.notes.len() > NOTES_MAX {
            Err(ImportRefusal::Damaged { detail: "too many of its cells are too long".into() })
        } else {
            Ok(())
        }
    }

    /// Ends the rows up to this one, which may have no cell.
    pub(crate) fn finish_row(&mut self, row: u32) -> Result<(), ImportRefusal> {
        self.go_to(row)?;
        self.end_row();
        Ok(())
    }

    /// Ends the row at hand where it has cells: a damaged file may leave it open.
    pub(crate) fn end_open_row(&mut self) {
        if self.table.cell_count() > self.first {
            self.end_row();
        }
    }

    fn go_to(&mut self, row: u32) -> Result<(), ImportRefusal> {
        if row as usize >= ROWS_MAX {
            return Err(ImportRefusal::TooManyRows);
        }
        while self.row < row {
            self.end_row();
        }
        Ok(())
    }

    pub(crate) fn end_row(&mut self) {
        self.row += 1;
        self.table.end_row(self.first, self.row);
        self.first = self.table.cell_count();
    }
}

/// A sheet whose cells are not in order, or that has one twice: read as they come, a row would be lost in another.
fn cells_out_of_order(row: u32) -> ImportRefusal {
    ImportRefusal::Damaged { detail: format!("the cells of row {} are not in order", row + 1) }
}
