//! Number formats, rows and columns that are hidden, and rows that are struck out, of a binary workbook, which its reader
//! does not give: from the records of its styles and sheets.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use quick_xml::events::Event;
use zip::ZipArchive;

use crate::cell_formats::{CellFormats, ShownFormat};
use crate::record_bytes::{u16_at, u32_at, utf16_text};
use crate::unit_format::BUILT_IN_PERCENT;

/// The parts of a checked archive.
pub(crate) type CheckedParts<'b> = ZipArchive<Cursor<&'b [u8]>>;

const ROW: u16 = 0x0000;
const COLUMNS: u16 = 0x003C;
const RK: u16 = 0x0002;
const REAL: u16 = 0x0005;
const FORMULA_NUMBER: u16 = 0x0009;
/// Cells of all kinds, from one with a number to a formula's error.
const FIRST_CELL: u16 = 0x0002;
const LAST_CELL: u16 = 0x000B;
const FONT: u16 = 0x002B;
/// In the flags of a font.
const IS_STRUCK: u16 = 0x0008;
const FORMAT: u16 = 0x002C;
const STYLE: u16 = 0x002F;
const SHEET: u16 = 0x009C;
const BEGIN_CELL_STYLES: u16 = 0x0269;
/// In the flags of a row.
const IS_HIDDEN: u8 = 0x10;
/// In those of columns.
const ARE_HIDDEN: u16 = 0x0001;
const END_CELL_STYLES: u16 = 0x026A;

/// Formats of a binary workbook's cells.
pub(crate) struct XlsbFormats<'b> {
    parts: Option<CheckedParts<'b>>,
    styles: CellStyles,
}

/// What the styles of cells say, by their numbers.
#[derive(Default)]
struct CellStyles {
    formats: Vec<Option<ShownFormat>>,
    are_struck: Vec<bool>,
}

impl<'b> XlsbFormats<'b> {
    /// Reads the styles. What cannot be read has no formats: the workbook reader tells what is wrong.
    pub(crate) fn open(checked: &'b [u8]) -> XlsbFormats<'b> {
        let mut parts = open_parts(checked);
        let styles = parts.as_mut().and_then(|parts| part(parts, "xl/styles.bin"));
        XlsbFormats { parts, styles: read_styles(&styles.unwrap_or_default()) }
    }

    /// The formats of a sheet, down to a row.
    pub(crate) fn of_sheet(&mut self, name: &str, rows: usize) -> CellFormats {
        let mut formats = CellFormats::of_styles(self.styles.formats.clone(), Vec::new());
        let content = self.parts.as_mut().and_then(|parts| {
            let path = sheet_path(parts, name)?;
            part(parts, &path)
        });
        let mut row = 0;
        for (kind, data) in records(&content.unwrap_or_default()) {
            match kind {
                ROW => {
                    row = u32_at(data, 0);
                    if data.get(11).is_some_and(|flags| flags & IS_HIDDEN != 0) {
                        formats.hidden.rows.push(row);
                    }
                }
                COLUMNS if u16_at(data, 16) & ARE_HIDDEN != 0 => {
                    formats.hidden.add_columns(u32_at(data, 0)..=u32_at(data, 4));
                }
                FIRST_CELL..=LAST_CELL => {
                    let style = u32_at(data, 4) as usize & 0x00FF_FFFF;
                    if matches!(kind, RK | REAL | FORMULA_NUMBER) {
                        formats.add_place(row, u32_at(data, 0), style);
                    }
                    if self.styles.are_struck.get(style) == Some(&true) {
                        formats.struck.add_cell(row);
                    }
                }
                _ => {}
            }
            if row as usize >= rows {
                break;
            }
        }
        formats
    }
}

pub(crate) fn open_parts(checked: &[u8]) -> Option<CheckedParts<'_>> {
    ZipArchive::new(Cursor::new(checked)).ok()
}

/// A part by its path; the case of letters is the writer's own.
pub(crate) fn part(parts: &mut CheckedParts<'_>, path: &str) -> Option<Vec<u8>> {
    let name = parts.file_names().flatten().find(|name| name.eq_ignore_ascii_case(path))?.into_owned();
    let mut content = Vec::new();
    parts.by_name(&name).ok()?.read_to_end(&mut content).ok()?;
    Some(content)
}

fn read_styles(styles: &[u8]) -> CellStyles {
    let mut codes: BTreeMap<u16, String> = BUILT_IN_PERCENT.map(|(id, code)| (id, code.to_owned())).into();
    let (mut fonts, mut of_styles) = (Vec::new(), CellStyles::default());
    let mut is_cell_style = false;
    for (kind, data) in records(styles) {
        match kind {
            FONT => fonts.push(u16_at(data, 2) & IS_STRUCK != 0),
            FORMAT => drop(codes.insert(u16_at(data, 0), wide_text(data, 2).0)),
            BEGIN_CELL_STYLES => is_cell_style = true,
            END_CELL_STYLES => break,
            STYLE if is_cell_style => {
                let format = codes.get(&u16_at(data, 2)).and_then(|code| ShownFormat::parse(code));
                of_styles.formats.push(format);
                of_styles.are_struck.push(fonts.get(usize::from(u16_at(data, 4))) == Some(&true));
            }
            _ => {}
        }
    }
    of_styles
}

/// The path of a sheet's part.
fn sheet_path(parts: &mut CheckedParts<'_>, name: &str) -> Option<String> {
    let workbook = part(parts, "xl/workbook.bin")?;
    let relation = records(&workbook).filter(|(kind, _)| *kind == SHEET).find_map(|(_, data)| {
        let (relation, behind) = wide_text(data, 8);
        (wide_text(data, behind).0 == name).then_some(relation)
    })?;
    let relations = part(parts, "xl/_rels/workbook.bin.rels")?;
    Some(format!("xl/{}", relation_target(relations, &relation)?))
}

/// Where a relation leads, as it says.
pub(crate) fn relation_target(relations: Vec<u8>, relation: &str) -> Option<String> {
    let relations = String::from_utf8(relations).ok()?;
    let mut reader = quick_xml::Reader::from_str(&relations);
    reader.config_mut().expand_empty_elements = true;
    loop {
        let tag = match reader.read_event().ok()? {
            Event::Eof => return None,
            Event::Start(tag) => tag,
            _ => continue,
        };
        let value = |name: &str| Some(tag.try_get_attribute(name).ok()??.value.into_owned());
        if value("Id").as_deref() == Some(relation) {
            return value("Target");
        }
    }
}

/// Kinds and contents of records, until they are cut off.
fn records(part: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    let mut rest = part;
    std::iter::from_fn(move || {
        let (kind, behind) = read_number(rest, 2)?;
        let (length, behind) = read_number(behind, 4)?;
        let (data, next) = behind.split_at_checked(length)?;
        rest = next;
        Some((u16::try_from(kind).ok()?, data))
    })
}

/// A number of at most so many bytes, seven bits each.
fn read_number(bytes: &[u8], most: usize) -> Option<(usize, &[u8])> {
    let mut number = 0;
    for at in 0..most {
        let byte = *bytes.get(at)?;
        number |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[at + 1..]));
        }
    }
    Some((number, &bytes[most..]))
}

/// A text of two bytes a character with its length before it, and the place behind it.
fn wide_text(data: &[u8], at: usize) -> (String, usize) {
    let length = match u32_at(data, at) {
        u32::MAX => 0,
        length => length as usize,
    };
    let end = (at + 4).saturating_add(length.saturating_mul(2)).min(data.len());
    (utf16_text(data.get(at + 4..end).unwrap_or_default()), end)
}
