//! Spreadsheets in the XML form of 2003 ("SpreadsheetML"), which many systems write and name .xls.

use std::collections::{HashMap, HashSet};

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::cell_formats::{HiddenRanges, ShownFormat};
use crate::limits::{CELL_BYTES_MAX, COLUMNS_MAX, MARKUP_ROWS_MAX, ROWS_MAX, TABLES_MAX};
use crate::markup::decode_markup;
use crate::note::note_unreadable_cells;
use crate::refusal::ImportRefusal;
use crate::sheet_choice::{SheetChoice, SheetSink, WorkbookSheet, choose_table};
use crate::struck_rows::StruckRows;
use crate::table::CellKind;
use crate::table_filler::TableFiller;

/// Styles of a workbook.
const STYLES_MAX: usize = 65_536;

/// Reads the sheets asked for.
pub(crate) fn read_xml_spreadsheet(
    bytes: &[u8],
    choice: SheetChoice<'_>,
    sink: SheetSink<'_>,
) -> Result<(), ImportRefusal> {
    let decoded = decode_markup(bytes)?;
    let mut walk = SheetWalk::default();
    let mut reader = Reader::from_str(&decoded.text);
    reader.config_mut().expand_empty_elements = true;
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => walk.begin_element(&tag)?,
            Ok(Event::End(tag)) => walk.end_element(tag.local_name().as_ref())?,
            Ok(Event::Text(text)) => walk.add_text(&text.xml10_content()),
            Ok(Event::CData(text)) => walk.add_text(&text.xml10_content()),
            Ok(Event::GeneralRef(reference)) => walk.add_text(&resolve_reference(&reference)),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                let detail = error.to_string().chars().take(160).collect();
                return Err(ImportRefusal::Damaged { detail });
            }
        }
    }
    if walk.depth > 0 {
        return Err(ImportRefusal::Damaged { detail: "it ends in the middle of a sheet".into() });
    }
    walk.sheets.iter_mut().for_each(|(_, filling)| filling.end_open_row());
    let counts_from_1904 = walk.counts_from_1904;
    choose_table(walk.sheets, choice, &mut |mut content| {
        if counts_from_1904 {
            content.table.count_from_1904();
        }
        if decoded.replaced {
            note_unreadable_cells(&content.table, &mut content.notes);
        }
        sink(content)
    })
}

/// A character, or the text as it is where nothing is known of it.
fn resolve_reference(reference: &quick_xml::events::BytesRef<'_>) -> String {
    if let Ok(Some(c)) = reference.resolve_char_ref() {
        return c.to_string();
    }
    match quick_xml::escape::resolve_predefined_entity(reference) {
        Some(text) => text.to_owned(),
        None => format!("&{};", &**reference),
    }
}

/// Where the walk through the workbook is.
#[derive(Default)]
struct SheetWalk {
    sheets: Vec<(WorkbookSheet, TableFiller)>,
    formats: HashMap<String, Option<ShownFormat>>,
    struck_styles: HashSet<String>,
    style: String,
    counts_from_1904: bool,
    /// Worksheets that are open.
    depth: u32,
    /// Rows that there are, all sheets together.
    rows: usize,
    /// Rows of the sheets before.
    rows_before: u32,
    row: u32,
    column: u32,
    /// Styles of cells without one of their own.
    row_style: Option<String>,
    cell_style: Option<String>,
    /// How far the cell reaches to the right.
    across: u32,
    has_formula: bool,
    value: Option<CellValue>,
    is_in_value: bool,
    /// A note on a cell has the same elements as the cell.
    is_in_note: bool,
    is_visibility: bool,
    hidden: HiddenRanges,
    /// Behind the last column that the sheet said something of.
    next_column: u32,
    /// Cells of the row that are struck out.
    struck: StruckRows,
}

struct CellValue {
    kind: CellKind,
    is_date_time: bool,
    text: String,
}

impl SheetWalk {
    fn begin_element(&mut self, tag: &BytesStart<'_>) -> Result<(), ImportRefusal> {
        match tag.local_name().as_ref() {
            "Style" => self.style = attribute(tag, "ID").unwrap_or_default(),
            "NumberFormat" if self.depth == 0 && self.formats.len() < STYLES_MAX => {
                let format = attribute(tag, "Format").and_then(|code| ShownFormat::parse(&code));
                self.formats.insert(self.style.clone(), format);
            }
            "Font"
                if self.depth == 0
                    && self.struck_styles.len() < STYLES_MAX
                    && attribute(tag, "StrikeThrough").as_deref() == Some("1") =>
            {
                self.struck_styles.insert(self.style.clone());
            }
            "Date1904" => self.counts_from_1904 = true,
            "Worksheet" => self.begin_sheet(tag)?,
            "Column" if self.depth > 0 => self.begin_column(tag),
            "Row" if self.depth > 0 => self.begin_row(tag)?,
            "Cell" if self.depth > 0 => self.begin_cell(tag)?,
            "Comment" => self.is_in_note = true,
            "Data" if self.depth > 0 && !self.is_in_note => {
                self.is_in_value = true;
                let kind = attribute(tag, "Type");
                self.value = Some(CellValue {
                    kind: match kind.as_deref() {
                        Some("Number") => CellKind::Number,
                        Some("DateTime") => CellKind::Date,
                        Some("Boolean") => CellKind::Flag,
                        Some("Error") => CellKind::Error,
                        _ => CellKind::Text,
                    },
                    is_date_time: kind.as_deref() == Some("DateTime"),
                    text: String::new(),
                });
            }
            "Visible" => self.is_visibility = true,
            _ => {}
        }
        Ok(())
    }

    fn begin_sheet(&mut self, tag: &BytesStart<'_>) -> Result<(), ImportRefusal> {
        if self.sheets.len() >= TABLES_MAX {
            return Err(ImportRefusal::Damaged { detail: "it has more than 1,000 sheets".into() });
        }
        let number = self.sheets.len() + 1;
        let name = attribute(tag, "Name").unwrap_or_else(|| format!("Sheet {number}"));
        self.sheets.push((WorkbookSheet::new(name, false), TableFiller::default()));
        self.depth += 1;
        self.rows_before = self.rows_before.saturating_add(self.row);
        (self.row, self.column, self.next_column) = (0, 0, 0);
        Ok(())
    }

    /// Rows are counted from 1 in the file; one without a number follows the one before it.
    fn begin_row(&mut self, tag: &BytesStart<'_>) -> Result<(), ImportRefusal> {
        if let Some(index) = number(tag, "Index") {
            // One that goes back is made by a program that errs: it is kept behind the others.
            self.row = self.row.max(index.saturating_sub(1));
        }
        self.rows += 1;
        if self.rows > MARKUP_ROWS_MAX {
            return Err(ImportRefusal::TooManyMarkupRows);
        }
        // All sheets together: a row takes room, whatever is in it.
        if self.rows_before.saturating_add(self.row) as usize >= ROWS_MAX {
            return Err(ImportRefusal::TooManyRows);
        }
        self.column = 0;
        self.row_style = attribute(tag, "StyleID");
        if is_hidden(tag) {
            self.hidden.rows.push(self.row);
        }
        Ok(())
    }

    /// Columns are counted as rows are; one may stand for several.
    fn begin_column(&mut self, tag: &BytesStart<'_>) {
        let first = number(tag, "Index").map_or(self.next_column, |index| index.saturating_sub(1));
        let last = first.saturating_add(number(tag, "Span").unwrap_or(0));
        if is_hidden(tag) {
            self.hidden.add_columns(first..=last);
        }
        self.next_column = last.saturating_add(1);
    }

    fn begin_cell(&mut self, tag: &BytesStart<'_>) -> Result<(), ImportRefusal> {
        if let Some(index) = number(tag, "Index") {
            self.column = self.column.max(index.saturating_sub(1));
        }
        if self.column as usize >= COLUMNS_MAX {
            return Err(ImportRefusal::TooManyColumns { row: self.row + 1 });
        }
        self.across = number(tag, "MergeAcross").unwrap_or(0);
        self.cell_style = attribute(tag, "StyleID");
        self.has_formula = attribute(tag, "Formula").is_some();
        Ok(())
    }

    fn end_element(&mut self, name: &str) -> Result<(), ImportRefusal> {
        match name {
            "Worksheet" => {
                self.depth = self.depth.saturating_sub(1);
                let hidden = std::mem::take(&mut self.hidden);
                if let Some((_, filling)) = self.sheets.last_mut() {
                    filling.note_hidden(&hidden);
                }
            }
            "Row" if self.depth > 0 => {
                if let Some((_, filling)) = self.sheets.last_mut() {
                    filling.finish_row(self.row)?;
                    filling.note_struck_out(&std::mem::take(&mut self.struck));
                }
                self.row = self.row.saturating_add(1);
            }
            "Cell" if self.depth > 0 => {
                self.end_cell()?;
                self.column = self.column.saturating_add(1).saturating_add(self.across);
            }
            "Data" => self.is_in_value = false,
            "Comment" => self.is_in_note = false,
            "Visible" => self.is_visibility = false,
            _ => {}
        }
        Ok(())
    }

    fn end_cell(&mut self) -> Result<(), ImportRefusal> {
        let value = self.value.take();
        let Some((_, filling)) = self.sheets.last_mut() else { return Ok(()) };
        let place = (self.row, self.column);
        let Some(value) = value.filter(|value| !value.text.is_empty()) else {
            // Written by a program that does not calculate: blank would be taken for nothing.
            return if self.has_formula {
                filling.add_text(place, "=…", CellKind::Error, None)
            } else {
                Ok(())
            };
        };
        let text = match value.kind {
            _ if value.is_date_time => value.text.split('T').next().unwrap_or_default(),
            CellKind::Flag if value.text == "1" => "TRUE",
            CellKind::Flag if value.text == "0" => "FALSE",
            CellKind::Number => value.text.trim(),
            _ => &value.text,
        };
        let style = self.cell_style.as_ref().or(self.row_style.as_ref());
        let format = style.and_then(|style| self.formats.get(style)).and_then(Option::as_ref);
        if style.is_some_and(|style| self.struck_styles.contains(style)) {
            self.struck.add_cell(self.row);
        }
        filling.add_text(place, text, value.kind, format)
    }

    fn add_text(&mut self, text: &str) {
        if self.is_visibility {
            if let Some((sheet, _)) = self.sheets.last_mut() {
                sheet.hidden = matches!(text.trim(), "SheetHidden" | "SheetVeryHidden");
            }
        } else if self.is_in_value
            && let Some(value) = self.value.as_mut().filter(|value| value.text.len() <= CELL_BYTES_MAX)
        {
            value.text.push_str(text);
        }
    }
}

/// The value of an attribute, whatever prefix its name has.
fn is_hidden(tag: &BytesStart<'_>) -> bool {
    attribute(tag, "Hidden").as_deref() == Some("1")
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes();
    let found = attributes
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)?;
    found.normalized_value(XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
}

fn number(tag: &BytesStart<'_>, name: &str) -> Option<u32> {
    attribute(tag, name)?.trim().parse().ok()
}
