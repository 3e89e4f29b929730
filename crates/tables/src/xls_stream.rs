//! The one stream of an XLS file that is read, checked and put into its own container.
//!
//! calamine takes memory for every place between the first and the last cell of every sheet, and for as many as a sheet
//! says it has: two cells in the corners, or one lying record, would take more than any machine has. The format itself
//! ends at 65,536 rows and 256 columns; what is beyond is refused before anything is allocated, and the size that a
//! sheet says it has is taken out. What calamine gets is made again
//! of what was checked, as with the parts of an archive.

use std::io::{Cursor, Read, Write};

use std::collections::BTreeMap;

use cfb::{CompoundFile, Version};

use crate::cell_formats::{CellFormats, HiddenRanges, ShownFormat};
use crate::limits::RANGE_CELLS_MAX;
use crate::record_bytes::{u16_at, u32_at, utf16_text};
use crate::refusal::ImportRefusal;
use crate::struck_rows::StruckRows;
use crate::unit_format::BUILT_IN_PERCENT;

/// Columns of the format.
const COLUMNS: u16 = 256;
/// Rows of the format.
const ROWS: u32 = 65_536;
/// Records that begin with the row and column of a cell, in the forms of all versions.
const CELL_RECORDS: [u16; 15] = [
    0x0001, 0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x00D6, 0x00FD, 0x0201, 0x0203, 0x0204, 0x0205, 0x0206,
    0x027E, 0x0406,
];
/// Records of several cells side by side, which end with the last one's column.
const ROW_RECORDS: [u16; 2] = [0x00BD, 0x00BE];
const DIMENSIONS: [u16; 2] = [0x0000, 0x0200];
const BOF: u16 = 0x0809;
const EOF: u16 = 0x000A;
const BOUND_SHEET: u16 = 0x0085;
const FORMAT: u16 = 0x041E;
const XF: u16 = 0x00E0;
const FORMULA: u16 = 0x0006;
const NUMBER: u16 = 0x0203;
const RK: u16 = 0x027E;
const MULRK: u16 = 0x00BD;
const LABEL: u16 = 0x0204;
const SHARED_LABEL: u16 = 0x00FD;
/// A yes or no, or an error.
const FLAG: u16 = 0x0205;
const FONT: u16 = 0x0031;
/// In the flags of a font.
const IS_STRUCK: u16 = 0x0008;
const ROW: u16 = 0x0208;
const COLUMN_INFO: u16 = 0x007D;
/// In the flags of a row.
const IS_HIDDEN: u8 = 0x20;
/// In those of columns.
const ARE_HIDDEN: u16 = 0x0001;

/// An XLS workbook whose records were checked.
pub(crate) struct CheckedStream {
    /// A container with the workbook's stream alone.
    pub container: Vec<u8>,
    /// The formats of each sheet, in the order of sheets.
    pub formats: Vec<CellFormats>,
}

/// Takes the workbook's stream out of its container and checks its records.
pub(crate) fn checked_stream(bytes: &[u8]) -> Result<CheckedStream, ImportRefusal> {
    let mut file = CompoundFile::open(Cursor::new(bytes)).map_err(|_| damaged("its container is broken"))?;
    let name = ["/Workbook", "/Book"].into_iter().find(|name| file.is_stream(name));
    let name = name
        .ok_or_else(|| ImportRefusal::NotATable { found: "an Office document without a workbook".into() })?;
    let mut stream = Vec::new();
    let opened = file.open_stream(name).map_err(|_| damaged("its workbook cannot be read"))?;
    // A damaged chain of sectors may never end; a stream is never larger than its file.
    opened
        .take(bytes.len() as u64)
        .read_to_end(&mut stream)
        .map_err(|_| damaged("its workbook cannot be read"))?;
    let formats = check_sheets(&mut stream)?;
    let container = repacked(name, &stream).map_err(|_| damaged("its workbook cannot be read"))?;
    Ok(CheckedStream { container, formats })
}

fn repacked(name: &str, stream: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut file = CompoundFile::create_with_version(Version::V3, Cursor::new(Vec::new()))?;
    file.create_stream(name)?.write_all(stream)?;
    file.flush()?;
    Ok(file.into_inner().into_inner())
}

/// Checks every sheet from where it begins, as the workbook reader goes through it.
fn check_sheets(stream: &mut [u8]) -> Result<Vec<CellFormats>, ImportRefusal> {
    let globals = read_globals(stream);
    let (mut walked, mut places) = (0, 0u64);
    let mut formats = Vec::new();
    for begin in globals.sheets {
        if stream.get(begin..begin + 2) != Some(&BOF.to_le_bytes()) {
            return Err(damaged("a sheet is not where it says"));
        }
        let mut sheet = SheetRecords::default();
        let end = sheet.read_records(stream, begin, &globals.are_struck)?;
        walked += end - begin;
        if walked > stream.len() {
            return Err(damaged("its sheets overlap"));
        }
        places = places.saturating_add(sheet.place_count());
        if places > RANGE_CELLS_MAX as u64 {
            return Err(ImportRefusal::TooManyCells);
        }
        // What the file says of its size is what memory is taken for: it gets the size there is.
        for at in std::mem::take(&mut sheet.dimensions) {
            stream[at..at + 8].fill(0);
        }
        let mut of_sheet = CellFormats::of_styles(globals.formats.clone(), sheet.styles);
        (of_sheet.hidden, of_sheet.struck) = (sheet.hidden, sheet.struck);
        formats.push(of_sheet);
    }
    Ok(formats)
}

/// What a workbook says for all its sheets.
struct WorkbookGlobals {
    /// By the number of a style.
    formats: Vec<Option<ShownFormat>>,
    are_struck: Vec<bool>,
    /// Where each sheet begins.
    sheets: Vec<usize>,
}

fn read_globals(stream: &[u8]) -> WorkbookGlobals {
    let mut codes: BTreeMap<u16, String> = BUILT_IN_PERCENT.map(|(id, code)| (id, code.to_owned())).into();
    let (mut fonts, mut styles, mut sheets) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_biff8 = true;
    for (_, kind, data) in records(stream, 0).take_while(|(_, kind, _)| *kind != EOF) {
        match kind {
            BOF => is_biff8 = u16_at(data, 0) != 0x0500,
            FORMAT => drop(codes.insert(u16_at(data, 0), format_code(data, is_biff8))),
            FONT => fonts.push(u16_at(data, 2) & IS_STRUCK != 0),
            XF => styles.push((u16_at(data, 2), u16_at(data, 0))),
            BOUND_SHEET => sheets.push(u32_at(data, 0) as usize),
            _ => {}
        }
    }
    let format = |id: u16| codes.get(&id).and_then(|code| ShownFormat::parse(code));
    // No font has the number 4.
    let is_struck = |font: u16| fonts.get(usize::from(if font > 4 { font - 1 } else { font })) == Some(&true);
    let (formats, are_struck) = styles.iter().map(|(id, font)| (format(*id), is_struck(*font))).unzip();
    WorkbookGlobals { formats, are_struck, sheets }
}

/// The code of a format; formats of digits are of plain characters in all versions.
fn format_code(data: &[u8], is_biff8: bool) -> String {
    let (length, is_wide, text) = match is_biff8 {
        true => {
            (usize::from(u16_at(data, 2)), data.get(4).is_some_and(|flags| flags & 1 != 0), data.get(5..))
        }
        false => (data.get(2).map_or(0, |length| usize::from(*length)), false, data.get(3..)),
    };
    let text = text.unwrap_or_default();
    match is_wide {
        true => utf16_text(&text[..text.len().min(2 * length)]),
        false => text.iter().take(length).map(|byte| char::from(*byte)).collect(),
    }
}

/// Places, kinds and contents of records, from one on until they are cut off.
fn records(stream: &[u8], from: usize) -> impl Iterator<Item = (usize, u16, &[u8])> {
    let mut at = from;
    std::iter::from_fn(move || {
        let head = stream.get(at..at.checked_add(4)?)?;
        let (kind, begin) = (u16_at(head, 0), at + 4);
        at = begin + usize::from(u16_at(head, 2));
        Some((begin, kind, stream.get(begin..at)?))
    })
}

/// What the records of a sheet say.
#[derive(Default)]
struct SheetRecords {
    /// First and last row, first and last column with a cell.
    area: Option<[u32; 4]>,
    /// Where the size that the sheet says it has is.
    dimensions: Vec<usize>,
    /// Numbers with their styles.
    styles: Vec<(u32, u32, usize)>,
    hidden: HiddenRanges,
    struck: StruckRows,
}

impl SheetRecords {
    /// Reads the records of a sheet, without those of charts in it; gives the place behind them.
    fn read_records(
        &mut self,
        stream: &[u8],
        begin: usize,
        are_struck: &[bool],
    ) -> Result<usize, ImportRefusal> {
        let (mut depth, mut end) = (0usize, begin);
        for (at, kind, data) in records(stream, begin) {
            end = at + data.len();
            match kind {
                BOF => depth += 1,
                EOF => depth = depth.saturating_sub(1),
                _ if depth > 1 => continue,
                _ => self.read_record(at, kind, data, are_struck)?,
            }
            if depth == 0 {
                break;
            }
        }
        Ok(end)
    }

    fn read_record(
        &mut self,
        at: usize,
        kind: u16,
        data: &[u8],
        are_struck: &[bool],
    ) -> Result<(), ImportRefusal> {
        let (row, column) = (u32::from(u16_at(data, 0)), u16_at(data, 2));
        if CELL_RECORDS.contains(&kind) {
            self.add_cell(row, column)?;
        } else if ROW_RECORDS.contains(&kind) {
            self.add_cell(row, column)?;
            self.add_cell(row, u16_at(data, data.len().saturating_sub(2)))?;
        } else if DIMENSIONS.contains(&kind) {
            if !are_dimensions_possible(data) {
                return Err(damaged("it says that it is larger than its format can be"));
            }
            if data.len() >= 8 {
                self.dimensions.push(at);
            }
        }
        let (styles, struck) = (&mut self.styles, &mut self.struck);
        let mut count_struck = |style: u16| {
            if are_struck.get(usize::from(style)) == Some(&true) {
                struck.add_cell(row);
            }
        };
        let mut add_style = |column: u16, style: u16| {
            styles.push((row, u32::from(column), usize::from(style)));
            count_struck(style);
        };
        match kind {
            ROW if data.get(12).is_some_and(|flags| flags & IS_HIDDEN != 0) => self.hidden.rows.push(row),
            COLUMN_INFO if u16_at(data, 8) & ARE_HIDDEN != 0 => {
                // The first and the last of them.
                self.hidden.add_columns(row..=u32::from(column));
            }
            FORMULA | NUMBER | RK => add_style(column, u16_at(data, 4)),
            LABEL | SHARED_LABEL | FLAG => count_struck(u16_at(data, 4)),
            // Style and number of each, between the first and the last column.
            MULRK => data
                .get(4..data.len().saturating_sub(2))
                .unwrap_or_default()
                .chunks_exact(6)
                .zip(column..)
                .for_each(|(cell, column)| add_style(column, u16_at(cell, 0))),
            _ => {}
        }
        Ok(())
    }

    fn add_cell(&mut self, row: u32, column: u16) -> Result<(), ImportRefusal> {
        if column >= COLUMNS {
            return Err(damaged("a cell is beyond the last column of its format"));
        }
        let column = u32::from(column);
        let [top, bottom, left, right] = self.area.unwrap_or([row, row, column, column]);
        self.area = Some([top.min(row), bottom.max(row), left.min(column), right.max(column)]);
        Ok(())
    }

    /// Places between the first and the last cell; formulas and values have them each.
    fn place_count(&self) -> u64 {
        self.area
            .map_or(0, |[top, bottom, left, right]| u64::from(bottom - top + 1) * u64::from(right - left + 1))
    }
}

/// The places behind the last row and the last column; both are in one of two forms.
fn are_dimensions_possible(data: &[u8]) -> bool {
    let (row, column) = match data.len() {
        8 | 10 => (u32::from(u16_at(data, 2)), u16_at(data, 6)),
        14 | 16 => (u32_at(data, 4), u16_at(data, 10)),
        // No reader takes it for dimensions.
        _ => return true,
    };
    row <= ROWS && column <= COLUMNS
}

fn damaged(detail: &str) -> ImportRefusal {
    ImportRefusal::Damaged { detail: detail.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream_of(records: &[(u16, &[u8])]) -> Vec<u8> {
        let mut stream = Vec::new();
        for (kind, data) in records {
            stream.extend_from_slice(&kind.to_le_bytes());
            stream.extend_from_slice(&u16::try_from(data.len()).unwrap().to_le_bytes());
            stream.extend_from_slice(data);
        }
        stream
    }

    /// A workbook of one sheet, or of several at the same place.
    fn container(records: &[(u16, &[u8])], sheets: usize) -> Vec<u8> {
        let globals = |begin: u32| {
            let bound = [&begin.to_le_bytes()[..], &[0, 0, 1, 0, b'S']].concat();
            let mut globals = vec![(BOF, vec![0, 6, 5, 0])];
            globals.extend((0..sheets).map(|_| (BOUND_SHEET, bound.clone())));
            globals.push((EOF, Vec::new()));
            let globals: Vec<(u16, &[u8])> = globals.iter().map(|(kind, data)| (*kind, &data[..])).collect();
            stream_of(&globals)
        };
        let begin = u32::try_from(globals(0).len()).unwrap();
        let sheet = [&[(BOF, &[0, 6, 16, 0][..])], records, &[(EOF, &[][..])]].concat();
        repacked("/Workbook", &[globals(begin), stream_of(&sheet)].concat()).unwrap()
    }

    #[test]
    fn cells_and_dimensions_beyond_the_format_are_refused() {
        let number = |column: u16| {
            let mut data = vec![0xFF, 0xFF];
            data.extend_from_slice(&column.to_le_bytes());
            data.extend_from_slice(&[0; 10]);
            data
        };
        let dimensions = |rows: u32, columns: u16| {
            let mut data = vec![0; 4];
            data.extend_from_slice(&rows.to_le_bytes());
            data.extend_from_slice(&[0; 2]);
            data.extend_from_slice(&columns.to_le_bytes());
            data.extend_from_slice(&[0; 2]);
            data
        };
        for (records, is_read) in [
            ([(0x0203, number(255))], true),
            ([(0x0203, number(256))], false),
            ([(0x00FD, number(65_535))], false),
            ([(0x00BD, [number(0), vec![0, 1]].concat())], false),
            ([(0x0207, number(65_535))], true),
            ([(0x0200, dimensions(65_536, 256))], true),
            ([(0x0200, dimensions(65_537, 1))], false),
            ([(0x0200, dimensions(1, 257))], false),
            ([(0x0200, dimensions(u32::MAX, u16::MAX))], false),
        ] {
            let records: Vec<(u16, &[u8])> =
                records.iter().map(|(kind, data)| (*kind, data.as_slice())).collect();
            assert_eq!(checked_stream(&container(&records, 1)).is_ok(), is_read, "{records:?}");
        }
        assert!(checked_stream(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1").is_err());
    }

    #[test]
    fn sheets_take_no_more_places_than_can_be_held() {
        let number = |row: u16, column: u16| {
            let place = [row.to_le_bytes(), column.to_le_bytes()].concat();
            [place, vec![0; 10]].concat()
        };
        let [first, corner] = [number(0, 0), number(65_535, 255)];
        // Memory for every place between them: 16,777,216.
        let corners = [(NUMBER, &first[..]), (NUMBER, &corner[..])];
        let refusal = checked_stream(&container(&corners, 1)).err();
        assert_eq!(refusal, Some(ImportRefusal::TooManyCells));
        let one = [(NUMBER, &first[..])];
        assert!(checked_stream(&container(&one, 1)).is_ok());
        let refusal = checked_stream(&container(&[one[0]; 50], 9)).err().unwrap();
        assert!(refusal.to_string().contains("overlap"), "{refusal}");
    }
}
