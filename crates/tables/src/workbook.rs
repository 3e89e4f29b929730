//! XLSX, XLSM, XLSB, XLS and ODS into a table, by the crate calamine.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{
    DataRef, Ods, Reader, SheetType, SheetVisible, Style, Xls, Xlsb, Xlsx, XlsxError, XlsxFormulaMetadata,
};
use serde::{Deserialize, Serialize};

use crate::archive::{WorkbookKind, check_archive};
use crate::cell_formats::{CellFormats, ShownFormat};
use crate::cell_text::{self, data_ref};
use crate::delimited_text::cut_cell;
use crate::header::{self, HeaderNames};
use crate::limits::{CELL_BYTES_MAX, CELLS_MAX, COLUMNS_MAX, NOTES_MAX, ROWS_MAX, TEXT_BYTES_MAX};
use crate::note::{CellNote, NoteKind};
use crate::ods_formats::read_shown_numbers;
use crate::refusal::ImportRefusal;
use crate::table::{CellKind, Table};
use crate::xls_stream::checked_stream;
use crate::xlsb_formats::XlsbFormats;

/// A sheet of a workbook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkbookSheet {
    /// Its name.
    pub name: String,
    /// Whether the spreadsheet program hides it.
    pub hidden: bool,
}

/// A sheet's cells, and the sheets there are.
#[derive(Debug)]
pub struct WorkbookContent {
    pub(crate) sheets: Vec<WorkbookSheet>,
    pub(crate) sheet: String,
    pub(crate) table: Table,
    pub(crate) notes: Vec<CellNote>,
}

/// Reads the sheet asked for, or the first with known names in its headers.
///
/// # Errors
/// [`ImportRefusal`] when the workbook is not read.
pub fn read_workbook(
    bytes: &[u8],
    asked: Option<&str>,
    is_known: HeaderNames,
) -> Result<WorkbookContent, ImportRefusal> {
    let choice = SheetChoice { asked, is_known };
    if !bytes.starts_with(b"PK") {
        return catch_panics(|| {
            if is_protected(bytes) {
                return Err(ImportRefusal::Protected);
            }
            let checked = checked_stream(bytes)?;
            read_ranges::<Xls<_>>(&checked.container, checked.formats, choice)
        });
    }
    let archive = check_archive(bytes)?;
    let bytes = archive.bytes.as_slice();
    match archive.kind {
        WorkbookKind::Xlsx => catch_panics(|| read_xlsx(bytes, choice)),
        WorkbookKind::Xlsb => catch_panics(|| read_xlsb(bytes, choice)),
        WorkbookKind::Ods => catch_panics(|| read_ranges::<Ods<_>>(bytes, read_shown_numbers(bytes), choice)),
        WorkbookKind::SomethingElse => {
            Err(ImportRefusal::NotATable { found: "an archive without a workbook".into() })
        }
    }
}

/// A damaged file must end in a sentence even where the workbook reader does not expect it.
fn catch_panics(
    read: impl FnOnce() -> Result<WorkbookContent, ImportRefusal>,
) -> Result<WorkbookContent, ImportRefusal> {
    let result = catch_unwind(AssertUnwindSafe(read));
    result
        .unwrap_or_else(|_| Err(ImportRefusal::Damaged { detail: "its structure contradicts itself".into() }))
}

/// An encrypted XLSX is wrapped in the old container format and names its parts in UTF-16.
fn is_protected(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    memchr::memmem::find(&bytes[..bytes.len().min(1 << 20)], &name).is_some()
        || memchr::memmem::find(&bytes[bytes.len().saturating_sub(1 << 20)..], &name).is_some()
}

fn damaged_workbook(error: impl std::fmt::Display) -> ImportRefusal {
    let detail: String = error.to_string().chars().take(160).collect();
    if detail.to_lowercase().contains("password") {
        ImportRefusal::Protected
    } else {
        ImportRefusal::Damaged { detail }
    }
}

fn sheets_of(metadata: &[calamine::Sheet]) -> Vec<WorkbookSheet> {
    metadata
        .iter()
        .filter(|s| s.typ == SheetType::WorkSheet)
        .map(|s| WorkbookSheet { name: s.name.clone(), hidden: s.visible != SheetVisible::Visible })
        .collect()
}

/// The sheets to try, in order.
fn candidate_sheets(sheets: &[WorkbookSheet], asked: Option<&str>) -> Result<Vec<String>, ImportRefusal> {
    let Some(asked) = asked else {
        let visible = sheets.iter().filter(|s| !s.hidden).chain(sheets.iter().filter(|s| s.hidden));
        return Ok(visible.map(|s| s.name.clone()).collect());
    };
    let found = sheets.iter().find(|s| s.name == asked);
    let found = found.or_else(|| sheets.iter().find(|s| s.name.eq_ignore_ascii_case(asked)));
    found.map(|s| vec![s.name.clone()]).ok_or_else(|| ImportRefusal::NoSuchSheet {
        asked: asked.chars().take(60).collect(),
        there: sheets.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", "),
    })
}

/// Which sheet is read.
#[derive(Clone, Copy)]
struct SheetChoice<'a> {
    asked: Option<&'a str>,
    is_known: HeaderNames,
}

/// The first sheet with known names near its top; without any, the first with cells. `cells` reads the first
/// rows of a sheet, of another than the first only as many as are looked at: instructions often stand on a sheet before the data.
fn choose_sheet(
    sheets: Vec<WorkbookSheet>,
    choice: SheetChoice<'_>,
    mut cells: impl FnMut(&str, usize) -> Result<TableFiller, ImportRefusal>,
) -> Result<WorkbookContent, ImportRefusal> {
    let mut first = None;
    for name in candidate_sheets(&sheets, choice.asked)? {
        if first.is_none() {
            let filling = cells(&name, usize::MAX)?;
            if filling.table.cell_count() == 0 {
                continue;
            }
            let is_it = header::has_header(&filling.table, choice.is_known);
            first = Some((name, filling));
            if is_it {
                break;
            }
        } else if is_visible(&sheets, &name)
            && cells(&name, header::ROWS_LOOKED_AT)
                .is_ok_and(|look| header::has_header(&look.table, choice.is_known))
        {
            first = Some((name.clone(), cells(&name, usize::MAX)?));
            break;
        }
    }
    let (sheet, filling) = first.ok_or(ImportRefusal::NoCells)?;
    Ok(WorkbookContent { sheets, sheet, table: filling.table.trim_blank_rows(), notes: filling.notes })
}

fn is_visible(sheets: &[WorkbookSheet], name: &str) -> bool {
    sheets.iter().any(|sheet| sheet.name == name && !sheet.hidden)
}

/// Cell by cell: the sheet's XML is never held as a whole.
fn read_xlsx(bytes: &[u8], choice: SheetChoice<'_>) -> Result<WorkbookContent, ImportRefusal> {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(damaged_workbook)?;
    let sheets = sheets_of(workbook.sheets_metadata());
    let counts_from_1904 = workbook.has_1904_epoch();
    choose_sheet(sheets, choice, |name, rows| {
        let mut filling = TableFiller::default();
        if counts_from_1904 {
            filling.table.count_from_1904();
        }
        let mut formats = match xlsx_formats(&mut workbook, name, rows) {
            Ok(formats) => formats,
            Err(XlsxError::NotAWorksheet(_)) => return Ok(filling),
            Err(error) => return Err(damaged_workbook(error)),
        };
        let mut reader = workbook.worksheet_cells_reader(name).map_err(damaged_workbook)?;
        while let Some(cell) = reader.next_cell_with_formula_metadata().map_err(damaged_workbook)? {
            let (row, column) = cell.pos;
            if row as usize >= rows {
                break;
            }
            let format = formats.next_of(cell.pos);
            match (&cell.value, &cell.formula) {
                // Written by a program that does not calculate: blank would be taken for nothing.
                (DataRef::Empty, Some(formula)) => filling.add_formula(row, column, formula)?,
                (value, _) => filling.formatted_cell(row, column, value, format)?,
            }
        }
        filling.end_row();
        Ok(filling)
    })
}

/// A workbook without such formats is gone through once only.
fn xlsx_formats(
    workbook: &mut Xlsx<Cursor<&[u8]>>,
    name: &str,
    rows: usize,
) -> Result<CellFormats, XlsxError> {
    let mut reader = workbook.worksheet_cells_reader(name)?;
    let of_style = |style: &Style| ShownFormat::parse(&style.number_format.as_ref()?.format_code);
    let mut formats = CellFormats::of_styles(reader.styles().iter().map(of_style).collect(), Vec::new());
    if formats.is_empty() {
        return Ok(formats);
    }
    while let Some((row, column, style)) = reader.next_style_id()?.filter(|(row, ..)| (*row as usize) < rows)
    {
        formats.add_place(row, column, style);
    }
    Ok(formats)
}

/// Cell by cell, too: a range is as large as the place of its last cell says.
fn read_xlsb(bytes: &[u8], choice: SheetChoice<'_>) -> Result<WorkbookContent, ImportRefusal> {
    let mut workbook: Xlsb<_> = Xlsb::new(Cursor::new(bytes)).map_err(damaged_workbook)?;
    let mut xlsb_formats = XlsbFormats::open(bytes);
    let sheets = sheets_of(workbook.sheets_metadata());
    let counts_from_1904 = workbook.has_1904_epoch();
    choose_sheet(sheets, choice, |name, rows| {
        let mut filling = TableFiller::default();
        if counts_from_1904 {
            filling.table.count_from_1904();
        }
        let mut formats = xlsb_formats.of_sheet(name, rows);
        let mut reader = workbook.worksheet_cells_reader(name).map_err(damaged_workbook)?;
        while let Some(cell) = reader.next_cell().map_err(damaged_workbook)? {
            let (row, column) = cell.get_position();
            if row as usize >= rows {
                break;
            }
            filling.formatted_cell(row, column, cell.get_value(), formats.next_of((row, column)))?;
        }
        filling.end_row();
        Ok(filling)
    })
}

/// Formats whose reader gives a whole range; the formats of cells are in the order of sheets.
fn read_ranges<'b, R>(
    bytes: &'b [u8],
    formats: Vec<CellFormats>,
    choice: SheetChoice<'_>,
) -> Result<WorkbookContent, ImportRefusal>
where
    R: Reader<Cursor<&'b [u8]>>,
    R::Error: std::fmt::Display,
{
    let mut workbook = R::new(Cursor::new(bytes)).map_err(damaged_workbook)?;
    let names: Vec<String> = workbook.sheets_metadata().iter().map(|sheet| sheet.name.clone()).collect();
    let sheets = sheets_of(workbook.sheets_metadata());
    choose_sheet(sheets, choice, |name, rows| {
        let range = workbook.worksheet_range(name).map_err(damaged_workbook)?;
        let at = names.iter().position(|other| other == name);
        // Read once more after its first rows were looked at: the formats are kept for that.
        let mut formats = at.and_then(|at| formats.get(at)).cloned().unwrap_or_default();
        let mut filling = TableFiller::default();
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, value) in range.used_cells().take_while(|(row, ..)| *row < rows) {
            let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            let (row, column) = (top + small(row), left + small(column));
            filling.formatted_cell(row, column, &data_ref(value), formats.next_of((row, column)))?;
        }
        filling.end_row();
        Ok(filling)
    })
}

/// A table being filled in the order of rows and columns.
#[derive(Default)]
struct TableFiller {
    table: Table,
    notes: Vec<CellNote>,
    row: u32,
    first: usize,
    scratch: String,
}

impl TableFiller {
    fn add_cell(&mut self, row: u32, column: u32, value: &DataRef<'_>) -> Result<(), ImportRefusal> {
        if matches!(value, DataRef::Empty) {
            return Ok(());
        }
        self.scratch.clear();
        let kind = cell_text::write_cell(value, &mut self.scratch);
        self.put_text(row, column, kind)
    }

    /// A cell with its number as its format shows it.
    fn formatted_cell(
        &mut self,
        row: u32,
        column: u32,
        value: &DataRef<'_>,
        format: Option<&ShownFormat>,
    ) -> Result<(), ImportRefusal> {
        let Some(format) = format else { return self.add_cell(row, column, value) };
        self.scratch.clear();
        let kind = cell_text::write_cell(value, &mut self.scratch);
        let shown = (kind == CellKind::Number).then(|| format.shown(&self.scratch)).flatten();
        let Some(shown) = shown.filter(|shown| shown.len() <= CELL_BYTES_MAX) else {
            return self.add_cell(row, column, value);
        };
        self.make_room(row, column)?;
        self.table.push_formatted(&self.scratch, &shown);
        self.check_size()
    }

    /// A formula that has no result.
    fn add_formula(
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
        self.go_to(row)?;
        if column as usize >= COLUMNS_MAX {
            return Err(ImportRefusal::TooManyColumns { row: row + 1 });
        }
        let there = self.table.cell_count() - self.first;
        let column = column as usize;
        if column < there {
            // A sheet whose cells come out of order is made by a program that errs; the later cell is kept
            // behind the others rather than lost.
            self.notes.push(CellNote::new(NoteKind::ExtraCells, self.row as usize, there));
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
            Err(ImportRefusal::Damaged { detail: "too many of its cells are out of order".into() })
        } else {
            Ok(())
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

    fn end_row(&mut self) {
        self.row += 1;
        self.table.end_row(self.first, self.row);
        self.first = self.table.cell_count();
    }
}

/// Column letters as a spreadsheet shows them: 0 is `A`, 27 is `AB`.
pub fn column_letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        letters.push(char::from(b'A' + u8::try_from((rest - 1) % 26).unwrap_or(0)));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}
