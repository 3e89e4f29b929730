//! A workbook's archive, unpacked within bounds and packed again for the workbook reader.
//!
//! calamine unpacks by itself and has no bound, and a file can hold two directories or lie about sizes. So every part
//! that is read is unpacked here, up to a limit, and looked through, a sheet without ever being held; what calamine gets
//! is an archive made of these parts, packed as they are. It cannot see anything that was not checked.

use std::io::{Cursor, Read};

use zip::{ZipArchive, ZipWriter};

use crate::cell_formats::HiddenRanges;
use crate::hidden_ranges::{HiddenOfSheets, scan_hidden_ranges};
use crate::limits::{
    ARCHIVE_PARTS_MAX, PART_BYTES_MAX, RANGE_CELLS_MAX, SHARED_TEXTS_MAX, TEXT_NODE_BYTES_MAX,
    UNPACKED_BYTES_MAX, UNPACKED_BYTES_MIN, UNPACKED_RATIO_MAX,
};
use crate::refusal::ImportRefusal;

/// What kind of workbook an archive holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkbookKind {
    Xlsx,
    Xlsb,
    Ods,
    SomethingElse,
}

/// An archive whose parts were checked.
pub(crate) struct CheckedArchive {
    pub kind: WorkbookKind,
    /// Rows and columns that its sheets hide.
    pub hidden: HiddenOfSheets,
    /// An archive of the checked parts alone.
    pub bytes: Vec<u8>,
}

/// Unpacks and checks what a workbook reader may read.
pub(crate) fn check_archive(bytes: &[u8]) -> Result<CheckedArchive, ImportRefusal> {
    let (mut archive, names, kind) = open_archive(bytes)?;
    let file = bytes.len() as u64;
    check_declared_sizes(&archive, file, unpacked_max(file))?;
    let mut hidden = HiddenOfSheets::default();
    let mut writer = ZipWriter::new(Cursor::new(Vec::with_capacity(bytes.len())));
    for (index, name) in names.iter().enumerate().filter(|(_, name)| is_read(name)) {
        let of_part = check_part(&mut archive, index, name, kind)?;
        if of_part != HiddenRanges::default() {
            hidden.0.insert(name.clone(), of_part);
        }
        let part = archive.by_index_raw(index).map_err(|_| damaged_archive("its archive is broken"))?;
        writer.raw_copy_file(part).map_err(|_| damaged_archive("two parts have the same name"))?;
    }
    let bytes = writer.finish().map_err(|_| damaged_archive("its archive is broken"))?.into_inner();
    Ok(CheckedArchive { kind, hidden, bytes })
}

/// An archive, the names of its parts in lower case, and what it holds.
type OpenArchive<'b> = (ZipArchive<Cursor<&'b [u8]>>, Vec<String>, WorkbookKind);

pub(crate) fn open_archive(bytes: &[u8]) -> Result<OpenArchive<'_>, ImportRefusal> {
    // Counted before the directory is read, whichever of several in one file it would be.
    if memchr::memmem::find_iter(bytes, b"PK\x01\x02").nth(ARCHIVE_PARTS_MAX).is_some() {
        return Err(damaged_archive("it has too many parts"));
    }
    let archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged_archive("its archive is broken"))?;
    let names = part_names(&archive)?;
    let kind = workbook_kind(&names);
    Ok((archive, names, kind))
}

/// The names of the parts in lower case, as the workbook reader compares them.
fn part_names(archive: &ZipArchive<Cursor<&[u8]>>) -> Result<Vec<String>, ImportRefusal> {
    let names =
        archive.file_names().map(|name| name.map(|name| name.replace('\\', "/").to_ascii_lowercase()));
    names.collect::<Result<_, _>>().map_err(|_| damaged_archive("a part has no name"))
}

/// Whether an archive has the parts of a workbook.
pub(crate) fn has_workbook(archive: &ZipArchive<Cursor<&[u8]>>) -> bool {
    part_names(archive).is_ok_and(|names| workbook_kind(&names) != WorkbookKind::SomethingElse)
}

fn workbook_kind(names: &[String]) -> WorkbookKind {
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    if has("xl/workbook.bin") {
        WorkbookKind::Xlsb
    } else if has("content.xml") && has("mimetype") {
        WorkbookKind::Ods
    } else if has("[content_types].xml") && names.iter().any(|name| name.starts_with("xl/")) {
        WorkbookKind::Xlsx
    } else {
        WorkbookKind::SomethingElse
    }
}

/// Whether a workbook reader may read the part.
fn is_read(name: &str) -> bool {
    name == "mimetype" || [".xml", ".rels", ".bin", ".vml"].iter().any(|end| name.ends_with(end))
}

/// How many bytes the parts of a file may have together: repeated rows pack well, but a small file has no claim to much.
fn unpacked_max(file: u64) -> u64 {
    (file * UNPACKED_RATIO_MAX).clamp(UNPACKED_BYTES_MIN, UNPACKED_BYTES_MAX)
}

/// Refuses what says itself that it is too large, before anything is unpacked.
fn check_declared_sizes(
    archive: &ZipArchive<Cursor<&[u8]>>,
    file: u64,
    most: u64,
) -> Result<(), ImportRefusal> {
    let (mut packed, mut unpacked) = (Some(0u64), Some(0u64));
    for index in 0..archive.len() {
        let part = archive.by_index_data(index).map_err(|_| damaged_archive("its archive is broken"))?;
        packed = packed.and_then(|sum| sum.checked_add(part.compressed_size()));
        unpacked = unpacked.and_then(|sum| sum.checked_add(part.size()));
    }
    if packed.is_none_or(|sum| sum > file) {
        return Err(damaged_archive("its parts overlap"));
    }
    if unpacked.is_none_or(|sum| sum > most) { Err(oversized_archive(most)) } else { Ok(()) }
}

/// Unpacks a part and looks through it for what the workbook reader would take for true without asking; none that is
/// larger than it says or may be. Its checksum is compared while it is unpacked. Returns the rows that a sheet hides.
fn check_part(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    index: usize,
    name: &str,
    kind: WorkbookKind,
) -> Result<HiddenRanges, ImportRefusal> {
    let part = archive.by_index(index).map_err(|_| damaged_archive("a part cannot be unpacked"))?;
    let says = part.size();
    let has_texts = name.ends_with("sharedstrings.xml");
    let is_whole = has_texts || (kind == WorkbookKind::Ods && name == "content.xml");
    // A sheet is read cell by cell; the others are held.
    let is_held = is_whole || !name.starts_with("xl/worksheets/");
    if is_held && says > PART_BYTES_MAX {
        return Err(oversized_archive(PART_BYTES_MAX));
    }
    let mut part = part.take(says + 1);
    let (mut xml, mut hidden) = (Vec::new(), HiddenRanges::default());
    let size = if is_whole {
        // At once: growing would take twice of it for a moment, which the process that reads has not.
        xml.reserve_exact(usize::try_from(says + 1).unwrap_or_default());
        part.read_to_end(&mut xml).map_err(unpacking_failed)? as u64
    } else if name.ends_with(".bin") {
        std::io::copy(&mut part, &mut std::io::sink()).map_err(unpacking_failed)?
    } else {
        let ScannedXml { bytes, sheets, hidden: of_part } = check_text_nodes(&mut part, TEXT_NODE_BYTES_MAX)?;
        // Each sheet has a part of its own.
        if sheets > ARCHIVE_PARTS_MAX {
            return Err(damaged_archive("it has too many sheets"));
        }
        hidden = of_part;
        bytes
    };
    if size > says {
        return Err(damaged_archive(LARGER));
    }
    check_text_nodes(&mut xml.as_slice(), TEXT_NODE_BYTES_MAX)?;
    if has_texts { check_string_count(&xml) } else { check_repeats(&xml) }?;
    Ok(hidden)
}

const LARGER: &str = "a part is larger than it says";

fn unpacking_failed(error: std::io::Error) -> ImportRefusal {
    let is_larger = error.to_string().contains("larger than its declared");
    damaged_archive(if is_larger { LARGER } else { "a part cannot be unpacked" })
}

/// What was seen in a part of XML.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ScannedXml {
    bytes: u64,
    /// Sheets that it lists.
    sheets: usize,
    /// What it hides, where it is a sheet.
    hidden: HiddenRanges,
}

/// Refuses a text of an XML part that is longer than any cell: the reader holds it whole, several times over. It is read
/// in windows that overlap by half, so that each place and what is in its reach are in one.
pub(crate) fn check_text_nodes(part: &mut impl Read, reach: usize) -> Result<ScannedXml, ImportRefusal> {
    let (mut window, mut seen) = (Vec::with_capacity(2 * reach), ScannedXml::default());
    loop {
        let before = window.len();
        let room = (2 * reach - before) as u64;
        part.by_ref().take(room).read_to_end(&mut window).map_err(unpacking_failed)?;
        seen.bytes += (window.len() - before) as u64;
        let is_last = window.len() < 2 * reach;
        check_window(&window, reach, is_last)?;
        let own = if is_last { window.len() } else { reach };
        let sheets = memchr::memmem::find_iter(&window, b"sheet ").take_while(|at| *at <= own);
        seen.sheets += sheets.filter(|at| *at > 0 && matches!(window[at - 1], b'<' | b':')).count();
        scan_hidden_ranges(&window, own, &mut seen.hidden);
        if is_last {
            return Ok(seen);
        }
        window.drain(..reach);
    }
}

fn check_window(xml: &[u8], reach: usize, is_last: bool) -> Result<(), ImportRefusal> {
    let too_long = || {
        let megabytes = (reach >> 20).max(1);
        Err(damaged_archive(&format!("a text in it is longer than {megabytes} MB")))
    };
    // From a tag to the last one within reach: between two tags that are farther apart nothing is found.
    let mut at = 0;
    while xml.len() - at > reach {
        match memchr::memrchr(b'<', &xml[at + 1..=at + reach]) {
            Some(before) => at += 1 + before,
            None => return too_long(),
        }
    }
    // The one text that may have tags in it.
    let starts = memchr::memmem::find_iter(xml, b"<![CDATA[");
    for start in starts.take_while(|start| is_last || *start < reach) {
        let text = &xml[start..xml.len().min(start + reach)];
        if memchr::memmem::find(text, b"]]>").is_none() {
            return too_long();
        }
    }
    Ok(())
}

/// Refuses more shared strings than the part has room for: the reader asks for that much memory at once, and where
/// there is not as much the whole program ends.
fn check_string_count(xml: &[u8]) -> Result<(), ImportRefusal> {
    const SHORTEST: &[u8] = b"<si/>";
    for at in memchr::memmem::find_iter(xml, b"niqueCount") {
        let value = xml[at..].iter().skip_while(|byte| !matches!(byte, b'"' | b'\'' | b'>' | b'<'));
        let digits = value.skip(1).skip_while(|byte| **byte == b'+').take_while(|byte| byte.is_ascii_digit());
        if parse_digits(digits) > (xml.len() / SHORTEST.len()) as u64 {
            return Err(damaged_archive("it says that it has more texts than there is room for"));
        }
    }
    // Each takes its place in memory, the empty ones as well.
    match memchr::memmem::find_iter(xml, b"<si").nth(SHARED_TEXTS_MAX) {
        Some(_) => Err(ImportRefusal::TooManyCells),
        None => Ok(()),
    }
}

/// Refuses an OpenDocument sheet whose repeats make more cells than can be held: one cell can stand for
/// a thousand million. The reader holds every place up to the last row and the widest one that have a cell; empty cells
/// and rows at the end, which every such file repeats up to the sheet's edge, do not count.
fn check_repeats(xml: &[u8]) -> Result<(), ImportRefusal> {
    let mut sheet = SheetArea::default();
    let (mut cells, mut empty) = (0u64, 0u64);
    let (mut row_repeats, mut at) = (1u64, 0);
    while let Some(n) = memchr::memmem::find(&xml[at..], b"<table:") {
        let tag = &xml[at + n..];
        let end = memchr::memchr(b'>', tag).unwrap_or(tag.len());
        let (tag, closed) = (&tag[..end], tag[..end].ends_with(b"/"));
        at += n + end.max(1);
        let is_sheet = tag.starts_with(b"<table:table") && !tag.starts_with(b"<table:table-");
        if is_sheet || tag.starts_with(b"<table:table-row") {
            sheet.add_row(cells, row_repeats)?;
            (cells, empty) = (0, 0);
            row_repeats = repeat_count(tag, b"number-rows-repeated=");
            if is_sheet {
                sheet = SheetArea::default();
            }
        } else if tag.starts_with(b"<table:table-cell") || tag.starts_with(b"<table:covered-table-cell") {
            let repeats = repeat_count(tag, b"number-columns-repeated=");
            if closed && memchr::memmem::find(tag, b"value").is_none() {
                empty = empty.saturating_add(repeats);
            } else {
                cells = cells.saturating_add(empty).saturating_add(repeats);
                empty = 0;
            }
        }
    }
    sheet.add_row(cells, row_repeats)
}

/// The places up to the last row and the widest one that have a cell.
#[derive(Default)]
struct SheetArea {
    rows: u64,
    blank_rows: u64,
    width: u64,
}

impl SheetArea {
    fn add_row(&mut self, cells: u64, repeats: u64) -> Result<(), ImportRefusal> {
        self.blank_rows = self.blank_rows.saturating_add(repeats);
        if cells > 0 {
            self.rows = self.rows.saturating_add(self.blank_rows);
            self.blank_rows = 0;
            self.width = self.width.max(cells);
        }
        if self.rows.saturating_mul(self.width) > RANGE_CELLS_MAX as u64 {
            Err(ImportRefusal::TooManyCells)
        } else {
            Ok(())
        }
    }
}

/// The number of an attribute; 1 where it is absent, the largest where it is too large.
fn repeat_count(tag: &[u8], name: &[u8]) -> u64 {
    let Some(at) = memchr::memmem::find(tag, name) else { return 1 };
    let digits = tag[at + name.len()..].iter().skip(1).take_while(|byte| byte.is_ascii_digit());
    parse_digits(digits).max(1)
}

fn parse_digits<'d>(digits: impl Iterator<Item = &'d u8>) -> u64 {
    digits.fold(0, |number, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
}

fn damaged_archive(detail: &str) -> ImportRefusal {
    ImportRefusal::Damaged { detail: detail.to_owned() }
}

fn oversized_archive(limit: u64) -> ImportRefusal {
    ImportRefusal::Bomb { megabytes: limit >> 20 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_too_long_wherever_it_is() {
        const REACH: usize = 64;
        let is_right =
            |xml: &str| check_text_nodes(&mut xml.as_bytes(), REACH).map(|seen| seen.bytes as usize);
        for before in 0..3 * REACH {
            let rows = "<r>".repeat(before / 3);
            let text = |length: usize| {
                format!("{rows}{}<t>{}</t>{rows}", " ".repeat(before % 3), "x".repeat(length))
            };
            let data = |length: usize| format!("{rows}<![CDATA[{}]]>{rows}", "<".repeat(length));
            for right in [text(REACH - 4), data(REACH - 12)] {
                assert_eq!(is_right(&right), Ok(right.len()), "{right}");
            }
            for wrong in [text(REACH), data(REACH)] {
                assert!(is_right(&wrong).is_err(), "{wrong}");
            }
        }
    }

    #[test]
    fn sheets_and_what_they_hide_are_found_wherever_they_are() {
        for before in 0..200 {
            let xml = format!(
                "{}<sheets><sheet name='a'/><x:sheet name='b'/><sheetView/></sheets>\
                 <cols><col min='3' max='4' hidden='1'/><col min=\"20\" max=\"99\" hidden=\"0\"/></cols><row r=\"7\" hidden=\"1\"/>\
                 <x:row hidden='true' r='9'><c/></x:row><row r=\"11\" hidden=\"0\"/><row hidden=\"1\"/><arrow r=\"3\" hidden=\"1\"/>",
                " <p/>".repeat(before)
            );
            let seen = check_text_nodes(&mut xml.as_bytes(), 64).unwrap();
            let hidden = HiddenRanges { rows: vec![6, 8], columns: vec![2, 3] };
            let expected = ScannedXml { bytes: xml.len() as u64, sheets: 2, hidden };
            assert_eq!(seen, expected, "{before}");
        }
    }

    #[test]
    fn a_large_workbook_may_unpack_to_more_and_a_small_one_not() {
        let of = |megabytes: u64| unpacked_max(megabytes << 20) >> 20;
        assert_eq!([of(0), of(8), of(20), of(80), of(200)], [512, 512, 640, 2_048, 2_048]);
    }
}
