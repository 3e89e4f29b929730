//! Numbers of an OpenDocument sheet as they are shown, the rows and columns that are not, and the rows that are struck out:
//! the file has both, the number and the text that the program showed.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use crate::cell_formats::{CellFormats, ShownFormat};
use crate::limits::{COLUMNS_MAX, ROWS_MAX};
use crate::unit_format::UnitFormat;

/// Styles of a workbook.
const STYLES_MAX: usize = 65_536;
/// Rows of a sheet that stand for more than this many are blank or a mistake: nothing is read from them.
const REPEATS_MAX: u32 = 10_000;

/// The shown numbers of every sheet, in order. What cannot be read has none: the workbook reader tells what is wrong.
pub(crate) fn read_shown_numbers(checked: &[u8]) -> Vec<CellFormats> {
    let content = ZipArchive::new(Cursor::new(checked)).ok().and_then(|mut parts| {
        let mut content = String::new();
        parts.by_name("content.xml").ok()?.read_to_string(&mut content).ok()?;
        Some(content)
    });
    let mut sheets = SheetWalk::default();
    let content = content.unwrap_or_default();
    let mut reader = Reader::from_str(&content);
    reader.config_mut().expand_empty_elements = true;
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) => sheets.begin_element(&tag),
            Event::End(tag) => sheets.end_element(tag.name().as_ref()),
            Event::Text(text) => sheets.add_text(&text.xml10_content()),
            Event::Eof => break,
            _ => {}
        }
    }
    sheets.sheets
}

/// Where the walk through the content is.
#[derive(Default)]
struct SheetWalk {
    sheets: Vec<CellFormats>,
    /// Tables within tables, which are in a cell's drawing, are not read.
    depth: usize,
    row: u32,
    row_repeats: u32,
    is_row_hidden: bool,
    /// Behind the last column that the sheet said something of.
    next_column: u32,
    /// Styles that strike text out, and the one whose properties are read.
    struck_styles: HashSet<String>,
    style: String,
    /// That of the row's cells without their own.
    row_style: Option<String>,
    /// Shown numbers of the row: columns and how they are shown.
    of_row: Vec<(std::ops::Range<u32>, ShownFormat)>,
    /// Cells of the row that are struck out.
    struck_cells: u32,
    column: u32,
    cell_repeats: u32,
    /// The text of a number's cell, while it is read.
    shown: Option<String>,
    /// What the cell's number is of.
    unit: Option<UnitFormat>,
    is_in_paragraph: bool,
    is_in_note: bool,
}

impl SheetWalk {
    fn begin_element(&mut self, tag: &BytesStart<'_>) {
        match tag.name().as_ref() {
            "table:table" => {
                self.depth += 1;
                if self.depth == 1 {
                    self.sheets.push(CellFormats::default());
                    (self.row, self.row_repeats, self.next_column) = (0, 0, 0);
                }
            }
            "style:style" => self.style = attribute(tag, "style:name").unwrap_or_default().into_owned(),
            "style:text-properties" if self.struck_styles.len() < STYLES_MAX => {
                let line = attribute(tag, "style:text-line-through-style");
                if line.is_some_and(|line| line != "none") {
                    self.struck_styles.insert(self.style.clone());
                }
            }
            _ if self.depth != 1 => {}
            "table:table-column" => {
                let first = self.next_column;
                let repeats = repeat_count(tag, "table:number-columns-repeated");
                self.next_column = first.saturating_add(repeats);
                if let Some(sheet) = self.sheets.last_mut().filter(|_| is_hidden(tag) && repeats > 0) {
                    sheet.hidden.add_columns(first..=self.next_column - 1);
                }
            }
            "table:table-row" => {
                self.row_style = attribute(tag, "table:default-cell-style-name").map(Cow::into_owned);
                self.row_repeats = repeat_count(tag, "table:number-rows-repeated");
                self.is_row_hidden = is_hidden(tag);
                self.column = 0;
            }
            "table:table-cell" | "table:covered-table-cell" => {
                self.cell_repeats = repeat_count(tag, "table:number-columns-repeated");
                let kind = attribute(tag, "office:value-type");
                self.shown = (kind.as_deref() == Some("float")).then(String::new);
                self.unit = match kind.as_deref() {
                    Some("percentage") => Some(UnitFormat::Percent),
                    Some("currency") => attribute(tag, "office:currency").and_then(UnitFormat::of_currency),
                    _ => None,
                };
                let style = attribute(tag, "table:style-name").or(self.row_style.as_deref().map(Cow::from));
                if kind.is_some() && style.is_some_and(|style| self.struck_styles.contains(&*style)) {
                    self.struck_cells = self.struck_cells.saturating_add(self.cell_repeats);
                }
            }
            "office:annotation" => self.is_in_note = true,
            "text:p" => self.is_in_paragraph = !self.is_in_note,
            "text:s" => self.add_text(" "),
            _ => {}
        }
    }

    fn end_element(&mut self, name: &str) {
        match name {
            "table:table" => self.depth = self.depth.saturating_sub(1),
            _ if self.depth != 1 => {}
            "table:table-cell" | "table:covered-table-cell" => {
                let end = self.column.saturating_add(self.cell_repeats);
                let columns = self.column..end.min(u32::try_from(COLUMNS_MAX).unwrap_or(u32::MAX));
                self.column = end;
                // Without zeros in front or marks it is the number itself.
                let is_formatted = |shown: &String| shown.starts_with('0') || shown.contains(['-', '(']);
                if let Some(shown) = self.shown.take().filter(is_formatted) {
                    self.of_row.push((columns, ShownFormat::Text(shown.into())));
                } else if let Some(unit) = self.unit.take() {
                    self.of_row.push((columns, ShownFormat::Unit(unit)));
                }
            }
            "table:table-row" => self.end_row(),
            "office:annotation" => self.is_in_note = false,
            "text:p" => self.is_in_paragraph = false,
            _ => {}
        }
    }

    fn add_text(&mut self, text: &str) {
        if let Some(shown) = self.shown.as_mut().filter(|_| self.is_in_paragraph && !self.is_in_note) {
            shown.push_str(text);
        }
    }

    fn end_row(&mut self) {
        let of_row = std::mem::take(&mut self.of_row);
        let struck_cells = std::mem::take(&mut self.struck_cells) as usize;
        if let Some(sheet) = self.sheets.last_mut().filter(|_| self.row_repeats <= REPEATS_MAX) {
            let end = self.row.saturating_add(self.row_repeats);
            for row in self.row..end.min(u32::try_from(ROWS_MAX).unwrap_or(u32::MAX)) {
                if self.is_row_hidden {
                    sheet.hidden.rows.push(row);
                }
                if struck_cells > 0 {
                    sheet.struck.add_row(row, struck_cells);
                }
                for (columns, format) in &of_row {
                    sheet.add_format(row, columns.clone(), format.clone());
                }
            }
        }
        self.row = self.row.saturating_add(self.row_repeats);
    }
}

fn attribute<'t>(tag: &'t BytesStart<'_>, name: &str) -> Option<Cow<'t, str>> {
    Some(tag.try_get_attribute(name).ok()??.value)
}

fn is_hidden(tag: &BytesStart<'_>) -> bool {
    matches!(attribute(tag, "table:visibility").as_deref(), Some("collapse" | "filter"))
}

fn repeat_count(tag: &BytesStart<'_>, name: &str) -> u32 {
    attribute(tag, name).and_then(|value| value.parse().ok()).unwrap_or(1)
}
