//! The first rows of a large file as a small file of their own, which is read and checked as all of it will be.

use std::io::{Cursor, Read, Write};
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::Event;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::archive::{WorkbookKind, open_archive};
use crate::file_check::is_workbook;

/// Bytes of a text file that are enough for [`cut_beginning`]: some hundred rows.
pub const BEGINNING_BYTES: usize = 1 << 16;
/// Bytes of a sheet: as many rows, with the marks around each cell.
const SHEET_BYTES: u64 = 1 << 18;
/// Sheets looked at: one of notes may stand before the rows, not a hundred.
const SHEETS_MAX: usize = 16;
/// Bytes of the texts that sheets share. A row with one behind them is none of the first.
const SHARED_TEXT_BYTES: u64 = 4 << 20;
/// Packed bytes of what else a workbook has to have.
const OTHER_PART_BYTES: u64 = 1 << 20;
const OTHER_PARTS: [&str; 5] =
    ["[content_types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml"];
const SHARED_TEXTS: &str = "xl/sharedstrings.xml";

/// The first rows of a text file, of which [`BEGINNING_BYTES`] are enough, or of an XLSX, of which all bytes are needed.
/// `None` where there are none that could be had sooner than all: of other workbooks, and of what is no table.
pub fn cut_beginning(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    if is_workbook(&bytes) {
        return cut_workbook(&bytes);
    }
    bytes.truncate(BEGINNING_BYTES);
    if bytes.contains(&0) {
        return None;
    }
    let mut is_quoted = false;
    let ends = bytes.iter().enumerate().filter(|(_, byte)| {
        is_quoted ^= **byte == b'"';
        **byte == b'\n' && !is_quoted
    });
    let end = ends.last()?.0;
    bytes.truncate(end + 1);
    Some(bytes)
}

/// A workbook of the first rows of each sheet and the texts they share. It goes through all checks of a whole one;
/// nothing of it is held here beyond its bounds.
fn cut_workbook(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut archive, names, kind) = open_archive(bytes).ok()?;
    if kind != WorkbookKind::Xlsx {
        return None;
    }
    let find = |name: &str| names.iter().position(|other| other == name);
    let shared = match find(SHARED_TEXTS) {
        Some(index) => unpack_beginning(&mut archive, index, SHARED_TEXT_BYTES)?,
        None => String::new(),
    };
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for index in OTHER_PARTS.iter().filter_map(|name| find(name)) {
        let part =
            archive.by_index_raw(index).ok().filter(|part| part.compressed_size() <= OTHER_PART_BYTES)?;
        writer.raw_copy_file(part).ok()?;
    }
    let texts = find_elements(&shared, "si");
    let (mut text_count, mut has_rows) = (0, false);
    let is_sheet = |name: &str| name.starts_with("xl/worksheets/") && name.ends_with(".xml");
    for (index, name) in names.iter().enumerate().filter(|(_, name)| is_sheet(name)).take(SHEETS_MAX) {
        let sheet = unpack_beginning(&mut archive, index, SHEET_BYTES)?;
        let mut rows = find_elements(&sheet, "row");
        let counts = rows.iter().map(|row| count_shared_texts(&sheet[row.clone()]));
        let counts: Vec<usize> = counts.take_while(|count| *count <= texts.len()).collect();
        rows.truncate(counts.len());
        text_count = counts.into_iter().fold(text_count, usize::max);
        has_rows |= !rows.is_empty();
        write_part(
            &mut writer,
            name,
            ["<worksheet><sheetData>", joined(&sheet, &rows), "</sheetData></worksheet>"],
        )?;
    }
    write_part(&mut writer, SHARED_TEXTS, ["<sst>", joined(&shared, &texts[..text_count]), "</sst>"])?;
    if has_rows { Some(writer.finish().ok()?.into_inner()) } else { None }
}

/// The text at the beginning of a part; none where it is not in UTF-8, as it nearly always is.
fn unpack_beginning(archive: &mut ZipArchive<Cursor<&[u8]>>, index: usize, most: u64) -> Option<String> {
    let mut bytes = Vec::new();
    archive.by_index(index).ok()?.take(most).read_to_end(&mut bytes).ok()?;
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        // The last character is cut.
        Err(error) if error.utf8_error().error_len().is_none() => {
            let end = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            bytes.truncate(end);
            String::from_utf8(bytes).ok()
        }
        Err(_) => None,
    }
}

/// Where the elements of this name are that are whole.
fn find_elements(xml: &str, name: &str) -> Vec<Range<usize>> {
    let mut reader = Reader::from_str(xml);
    let position = |reader: &Reader<&[u8]>| usize::try_from(reader.buffer_position()).unwrap_or(xml.len());
    let mut found = Vec::new();
    loop {
        let start = position(&reader);
        match reader.read_event() {
            Ok(Event::Start(tag)) if tag.local_name().as_ref() == name => {
                if reader.read_to_end(tag.name()).is_err() {
                    return found;
                }
                found.push(start..position(&reader));
            }
            Ok(Event::Empty(tag)) if tag.local_name().as_ref() == name => {
                found.push(start..position(&reader))
            }
            Ok(Event::Eof) | Err(_) => return found,
            Ok(_) => {}
        }
    }
}

/// How many of the shared texts a row needs: up to the highest one in it.
fn count_shared_texts(row: &str) -> usize {
    let mut reader = Reader::from_str(row);
    let (mut is_shared, mut count) = (false, 0);
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) if tag.local_name().as_ref() == "c" => {
                is_shared =
                    tag.try_get_attribute("t").is_ok_and(|kind| kind.is_some_and(|kind| kind.value == "s"));
            }
            Ok(Event::Text(text)) if is_shared => {
                // What is no number is read as the first.
                count = count.max(text.parse::<usize>().unwrap_or_default().saturating_add(1));
            }
            Ok(Event::Eof) | Err(_) => return count,
            Ok(_) => {}
        }
    }
}

/// From the first to the last.
fn joined<'x>(xml: &'x str, elements: &[Range<usize>]) -> &'x str {
    match elements {
        [first, .., last] => &xml[first.start..last.end],
        [only] => &xml[only.clone()],
        [] => "",
    }
}

fn write_part(writer: &mut ZipWriter<Cursor<Vec<u8>>>, name: &str, content: [&str; 3]) -> Option<()> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file(name, options).ok()?;
    writer.write_all(content.concat().as_bytes()).ok()
}
