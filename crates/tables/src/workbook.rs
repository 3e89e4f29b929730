//! XLSX, XLSM, XLSB, XLS and ODS into a table, by the crate calamine; and which reader is whose.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{DataRef, Font, Ods, Reader, SheetType, SheetVisible, Style, Xls, Xlsb, Xlsx, XlsxError};

use crate::archive::{WorkbookKind, check_archive};
use crate::cell_formats::{CellFormats, ShownFormat};
use crate::cell_text::data_ref;
use crate::header::HeaderFields;
use crate::hidden_ranges::HiddenOfSheets;
use crate::html_tables::read_html;
use crate::markup::MarkupKind;
use crate::ods_formats::read_shown_numbers;
use crate::refusal::ImportRefusal;
use crate::sheet_choice::{SheetChoice, SheetRequest, SheetSink, WorkbookSheet, choose_sheet};
use crate::table_filler::TableFiller;
use crate::xls_stream::checked_stream;
use crate::xlsb_formats::XlsbFormats;
use crate::xml_spreadsheet::read_xml_spreadsheet;

/// Reads the sheets asked for, each with known names in its headers.
///
/// # Errors
/// [`ImportRefusal`] when the workbook is not read.
pub fn read_workbook(
    bytes: &[u8],
    asked: SheetRequest<'_>,
    fields: HeaderFields,
    sink: SheetSink<'_>,
) -> Result<(), ImportRefusal> {
    let choice = SheetChoice { asked, fields };
    match MarkupKind::of_bytes(bytes) {
        Some(MarkupKind::WebPage) => return read_html(bytes, choice, sink),
        Some(MarkupKind::XmlSpreadsheet) => return read_xml_spreadsheet(bytes, choice, sink),
        None => {}
    }
    if !bytes.starts_with(b"PK") {
        return catch_panics(|| {
            if is_protected(bytes) {
                return Err(ImportRefusal::Protected);
            }
            let checked = checked_stream(bytes)?;
            read_ranges::<Xls<_>>(&checked.container, checked.formats, choice, sink)
        });
    }
    let archive = check_archive(bytes)?;
    let bytes = archive.bytes.as_slice();
    match archive.kind {
        WorkbookKind::Xlsx => catch_panics(|| read_xlsx(bytes, &archive.hidden, choice, sink)),
        WorkbookKind::Xlsb => catch_panics(|| read_xlsb(bytes, choice, sink)),
        WorkbookKind::Ods => {
            catch_panics(|| read_ranges::<Ods<_>>(bytes, read_shown_numbers(bytes), choice, sink))
        }
        WorkbookKind::SomethingElse => {
            Err(ImportRefusal::NotATable { found: "an archive without a workbook".into() })
        }
    }
}

/// A damaged file must end in a sentence even where the workbook reader does not expect it.
fn catch_panics(read: impl FnOnce() -> Result<(), ImportRefusal>) -> Result<(), ImportRefusal> {
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
        .map(|s| WorkbookSheet::new(s.name.clone(), s.visible != SheetVisible::Visible))
        .collect()
}

/// Cell by cell: the sheet's XML is never held as a whole.
fn read_xlsx(
    bytes: &[u8],
    hidden: &HiddenOfSheets,
    choice: SheetChoice<'_>,
    sink: SheetSink<'_>,
) -> Result<(), ImportRefusal> {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(damaged_workbook)?;
    let sheets = sheets_of(workbook.sheets_metadata());
    let counts_from_1904 = workbook.has_1904_epoch();
    choose_sheet(sheets, choice, sink, |name, rows| {
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
        hidden.note_ranges(bytes, name, &mut filling);
        filling.note_struck_out(&formats.struck);
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
    let is_struck = |style: &Style| style.font.as_ref().is_some_and(Font::has_strikethrough);
    let struck: Vec<bool> = reader.styles().iter().map(is_struck).collect();
    if formats.is_empty() && !struck.contains(&true) {
        return Ok(formats);
    }
    while let Some((row, column, style)) = reader.next_style_id()?.filter(|(row, ..)| (*row as usize) < rows)
    {
        formats.add_place(row, column, style);
        if struck.get(style) == Some(&true) {
            formats.struck.add_cell(row);
        }
    }
    Ok(formats)
}

/// Cell by cell, too: a range is as large as the place of its last cell says.
fn read_xlsb(bytes: &[u8], choice: SheetChoice<'_>, sink: SheetSink<'_>) -> Result<(), ImportRefusal> {
    let mut workbook: Xlsb<_> = Xlsb::new(Cursor::new(bytes)).map_err(damaged_workbook)?;
    let mut xlsb_formats = XlsbFormats::open(bytes);
    let sheets = sheets_of(workbook.sheets_metadata());
    let counts_from_1904 = workbook.has_1904_epoch();
    choose_sheet(sheets, choice, sink, |name, rows| {
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
        filling.note_hidden(&formats.hidden);
        filling.note_struck_out(&formats.struck);
        Ok(filling)
    })
}

/// Formats whose reader gives a whole range; the formats of cells are in the order of sheets.
fn read_ranges<'b, R>(
    bytes: &'b [u8],
    formats: Vec<CellFormats>,
    choice: SheetChoice<'_>,
    sink: SheetSink<'_>,
) -> Result<(), ImportRefusal>
where
    R: Reader<Cursor<&'b [u8]>>,
    R::Error: std::fmt::Display,
{
    let mut workbook = R::new(Cursor::new(bytes)).map_err(damaged_workbook)?;
    let names: Vec<String> = workbook.sheets_metadata().iter().map(|sheet| sheet.name.clone()).collect();
    let sheets = sheets_of(workbook.sheets_metadata());
    choose_sheet(sheets, choice, sink, |name, rows| {
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
        filling.note_hidden(&formats.hidden);
        filling.note_struck_out(&formats.struck);
        Ok(filling)
    })
}
