//! A workbook's archive, unpacked within bounds and packed again for the workbook reader.
//!
//! calamine unpacks by itself and has no bound, and a file can hold two directories or lie about sizes. So every part
//! that is read is unpacked here, once, up to a limit and looked through; what calamine gets is an archive made of
//! these parts, without compression. It cannot see anything that was not checked.

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::limits::{
    ARCHIVE_PARTS_MAX, PART_BYTES_MAX, RANGE_CELLS_MAX, SHARED_TEXTS_MAX, TEXT_NODE_BYTES_MAX,
    UNPACKED_BYTES_MAX,
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
    /// An archive of the checked parts alone.
    pub bytes: Vec<u8>,
}

/// Unpacks and checks what a workbook reader may read.
pub(crate) fn check_archive(bytes: &[u8]) -> Result<CheckedArchive, ImportRefusal> {
    // Counted before the directory is read, whichever of several in one file it would be.
    if memchr::memmem::find_iter(bytes, b"PK\x01\x02").nth(ARCHIVE_PARTS_MAX).is_some() {
        return Err(damaged_archive("it has too many parts"));
    }
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged_archive("its archive is broken"))?;
    let names = part_names(&archive)?;
    let kind = workbook_kind(&names);
    let room = check_declared_sizes(&archive, bytes.len(), &names)?;
    // At once: growing would take twice of it for a moment, which the process that reads has not.
    let mut writer = ZipWriter::new(Cursor::new(Vec::with_capacity(room)));
    let mut left = UNPACKED_BYTES_MAX;
    let mut parts = Vec::new();
    for (index, name) in names.iter().enumerate().filter(|(_, name)| is_read(name)) {
        // By its own name: some are looked for as they are written.
        let Some(Ok(own_name)) = archive.name_for_index(index) else { continue };
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        writer.start_file(own_name, options).map_err(|_| damaged_archive("two parts have the same name"))?;
        let size = unpack_part(&mut archive, index, left, &mut writer)?;
        left -= size;
        parts.push((name.as_str(), usize::try_from(size).unwrap_or(usize::MAX)));
    }
    let bytes = writer.finish().map_err(|_| damaged_archive("its archive is broken"))?.into_inner();
    check_parts(&bytes, &parts, kind)?;
    Ok(CheckedArchive { kind, bytes })
}

/// Looks through the unpacked parts where they lie in the new archive, one behind the other: they are held once only.
fn check_parts(archive: &[u8], parts: &[(&str, usize)], kind: WorkbookKind) -> Result<(), ImportRefusal> {
    const HEADER: usize = 30;
    let mut at = 0;
    for (name, size) in parts {
        let header = archive.get(at..at + HEADER).filter(|header| header.starts_with(b"PK\x03\x04"));
        let header = header.ok_or_else(|| damaged_archive("its archive is broken"))?;
        let length = |field: usize| usize::from(u16::from_le_bytes([header[field], header[field + 1]]));
        let start = at + HEADER + length(26) + length(28);
        let content = archive.get(start..start.saturating_add(*size));
        check_part(name, kind, content.ok_or_else(|| damaged_archive("its archive is broken"))?)?;
        at = start + size;
    }
    Ok(())
}

/// The names of the parts in lower case, as the workbook reader compares them.
fn part_names(archive: &ZipArchive<Cursor<&[u8]>>) -> Result<Vec<String>, ImportRefusal> {
    let names =
        archive.file_names().map(|name| name.map(|name| name.replace('\\', "/").to_ascii_lowercase()));
    names.collect::<Result<_, _>>().map_err(|_| damaged_archive("a part has no name"))
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

/// Refuses what says itself that it is too large, before anything is unpacked. Gives the bytes of the parts that are
/// read, with their names around them.
fn check_declared_sizes(
    archive: &ZipArchive<Cursor<&[u8]>>,
    file: usize,
    names: &[String],
) -> Result<usize, ImportRefusal> {
    let (mut packed, mut unpacked, mut room) = (Some(0u64), Some(0u64), 0u64);
    for (index, name) in names.iter().enumerate() {
        let part = archive.by_index_data(index).map_err(|_| damaged_archive("its archive is broken"))?;
        if is_read(name) {
            room = room.saturating_add(part.size()).saturating_add(2 * name.len() as u64 + 128);
        }
        packed = packed.and_then(|sum| sum.checked_add(part.compressed_size()));
        unpacked = unpacked.and_then(|sum| sum.checked_add(part.size()));
    }
    if packed.is_none_or(|sum| sum > file as u64) {
        return Err(damaged_archive("its parts overlap"));
    }
    if unpacked.is_none_or(|sum| sum > UNPACKED_BYTES_MAX) {
        Err(oversized_archive(UNPACKED_BYTES_MAX))
    } else {
        Ok(usize::try_from(room).unwrap_or_default())
    }
}

/// Unpacks a part; none that is larger than it says or may be. Its checksum is compared while it is unpacked.
fn unpack_part(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    index: usize,
    left: u64,
    target: &mut impl Write,
) -> Result<u64, ImportRefusal> {
    let part = archive.by_index(index).map_err(|_| damaged_archive("a part cannot be unpacked"))?;
    let (says, most) = (part.size(), PART_BYTES_MAX.min(left));
    if says > most {
        return Err(oversized_archive(most));
    }
    let size = std::io::copy(&mut part.take(says + 1), target).map_err(|error| {
        let is_larger = error.to_string().contains("larger than its declared");
        damaged_archive(if is_larger { LARGER } else { "a part cannot be unpacked" })
    })?;
    if size > says { Err(damaged_archive(LARGER)) } else { Ok(size) }
}

const LARGER: &str = "a part is larger than it says";

/// What the workbook reader would take for true without asking.
fn check_part(name: &str, kind: WorkbookKind, content: &[u8]) -> Result<(), ImportRefusal> {
    if name.ends_with(".bin") {
        return Ok(());
    }
    check_text_nodes(content)?;
    if name.ends_with("sharedstrings.xml") {
        check_string_count(content)?;
    }
    if kind == WorkbookKind::Ods && name == "content.xml" { check_repeats(content) } else { Ok(()) }
}

/// Refuses a text of an XML part that is longer than any cell: the reader holds it whole, several times over.
fn check_text_nodes(xml: &[u8]) -> Result<(), ImportRefusal> {
    let too_long = || Err(damaged_archive("a text in it is longer than 1 MB"));
    // From a tag to the last one within reach: between two tags that are farther apart nothing is found.
    let mut at = 0;
    while xml.len() - at > TEXT_NODE_BYTES_MAX {
        match memchr::memrchr(b'<', &xml[at + 1..=at + TEXT_NODE_BYTES_MAX]) {
            Some(before) => at += 1 + before,
            None => return too_long(),
        }
    }
    // The one text that may have tags in it.
    for start in memchr::memmem::find_iter(xml, b"<![CDATA[") {
        let reach = &xml[start..xml.len().min(start + TEXT_NODE_BYTES_MAX)];
        if memchr::memmem::find(reach, b"]]>").is_none() {
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
