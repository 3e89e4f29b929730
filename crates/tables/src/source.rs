//! Reading: bytes or a paste into a table, with what was detected and noticed.

use serde::{Deserialize, Serialize};

use crate::detection::{DetectedValue, SourceDetection};
use crate::encoding::DecodedText;
use crate::header::HeaderNames;
use crate::limits::{FILE_BYTES_MAX, LINE_BREAKS_MAX, LINE_BYTES_MAX, NOTES_MAX};
use crate::note::{CellNote, NoteKind, push_note};
use crate::refusal::ImportRefusal;
use crate::table::Table;
use crate::workbook::{WorkbookContent, WorkbookSheet};
use crate::{delimited_text, delimiter, encoding, formula_escape, header, literal};

/// What a person chose instead of what would be detected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadOptions {
    /// Sheet of a workbook.
    pub sheet: Option<String>,
    /// One of [`crate::ENCODINGS`], or any label of the WHATWG encoding standard.
    pub encoding: Option<String>,
    /// An ASCII character.
    pub delimiter: Option<char>,
    /// Row of the table with the headers; `Some(None)` for none.
    pub header: Option<Option<u32>>,
    /// Numbers of a workbook as they are stored, not as their formats show them.
    pub stored_numbers: bool,
}

/// What kind of source it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceFormat {
    /// Text with delimiters.
    Delimited,
    /// A workbook.
    Workbook,
    /// Cells from the clipboard.
    Paste,
}

/// A source that was read.
#[derive(Clone, Debug)]
pub struct ImportSource {
    /// The file's name, for messages.
    pub file: String,
    /// What kind it was.
    pub format: SourceFormat,
    /// Sheets of a workbook.
    pub sheets: Vec<WorkbookSheet>,
    /// The sheet that was read.
    pub sheet: Option<String>,
    /// The cells.
    pub table: Table,
    /// What was detected.
    pub detection: SourceDetection,
    /// What was noticed while reading.
    pub notes: Vec<CellNote>,
}

/// Reads a file of any kind, recognized by its content, never by its name. The cells of a workbook are read by what is
/// given, such as another process.
///
/// # Errors
/// [`ImportRefusal`] when the file is not read at all; everything less is a note.
pub fn read_with(
    file: &str,
    bytes: Vec<u8>,
    options: &ReadOptions,
    is_known: HeaderNames,
    read_workbook: impl FnOnce(&[u8], Option<&str>) -> Result<WorkbookContent, ImportRefusal>,
) -> Result<ImportSource, ImportRefusal> {
    check_bytes(&bytes)?;
    if is_workbook(&bytes) {
        let mut book = read_workbook(&bytes, options.sheet.as_deref())?;
        drop(bytes);
        if options.stored_numbers {
            book.table.keep_stored_numbers();
        }
        let header = header_of(&book.table, options, is_known);
        return Ok(ImportSource {
            file: file.to_owned(),
            format: SourceFormat::Workbook,
            sheets: book.sheets,
            sheet: Some(book.sheet),
            detection: SourceDetection { encoding: None, delimiter: None, header },
            table: book.table,
            notes: book.notes,
        });
    }
    let decoded = encoding::decode_bytes(bytes, options.encoding.as_deref())?;
    let DecodedText { text, encoding, replaced } = decoded;
    let mut source = read_delimited_source(file, text, options, SourceFormat::Delimited, is_known)?;
    source.detection.encoding = Some(encoding);
    if replaced {
        unreadable_cells(&source.table, &mut source.notes);
    }
    Ok(source)
}

/// Refuses what is no table by its bytes alone, before they are stored or copied.
///
/// # Errors
/// [`ImportRefusal`], the same as of [`read`].
pub fn check_bytes(bytes: &[u8]) -> Result<(), ImportRefusal> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(ImportRefusal::TooLarge { megabytes: bytes.len().div_ceil(1 << 20) });
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ImportRefusal::Empty);
    }
    if is_workbook(bytes) {
        return Ok(());
    }
    match other_kind(bytes) {
        Some(found) => Err(ImportRefusal::NotATable { found: found.to_owned() }),
        None => check_lines(bytes, LINE_BYTES_MAX, LINE_BREAKS_MAX),
    }
}

/// In every encoding a line break has one of these bytes.
fn check_lines(bytes: &[u8], bytes_max: usize, breaks_max: usize) -> Result<(), ImportRefusal> {
    let (mut begin, mut line) = (0, 1);
    for (breaks, end) in memchr::memchr2_iter(b'\n', b'\r', bytes).chain([bytes.len()]).enumerate() {
        if end - begin > bytes_max {
            return Err(ImportRefusal::LineTooLong { line, megabytes: bytes_max >> 20 });
        }
        if breaks > breaks_max {
            return Err(ImportRefusal::TooManyRows);
        }
        line += usize::from(bytes.get(end) == Some(&b'\n'));
        begin = end + 1;
    }
    Ok(())
}

/// Reads cells pasted from a spreadsheet: tab-separated, quoted where a cell holds a line break.
///
/// # Errors
/// [`ImportRefusal`] when nothing can be read.
pub fn read_paste(
    text: &str,
    options: &ReadOptions,
    is_known: HeaderNames,
) -> Result<ImportSource, ImportRefusal> {
    if text.len() > FILE_BYTES_MAX {
        return Err(ImportRefusal::TooLarge { megabytes: text.len().div_ceil(1 << 20) });
    }
    if text.trim().is_empty() {
        return Err(ImportRefusal::Empty);
    }
    check_lines(text.as_bytes(), LINE_BYTES_MAX, LINE_BREAKS_MAX)?;
    // A spreadsheet puts tabs between cells; text copied from elsewhere may have other delimiters.
    let has_tab = text.contains('\t');
    let chosen = options.delimiter.or(has_tab.then_some('\t'));
    let options = ReadOptions { delimiter: chosen, ..options.clone() };
    read_delimited_source("Pasted cells", text.to_owned(), &options, SourceFormat::Paste, is_known)
}

fn read_delimited_source(
    file: &str,
    text: String,
    options: &ReadOptions,
    format: SourceFormat,
    is_known: HeaderNames,
) -> Result<ImportSource, ImportRefusal> {
    let delimiter = delimiter::detect_delimiter(&text, options.delimiter);
    let separator = u8::try_from(delimiter.value).unwrap_or(b',');
    let read = delimited_text::read(text, separator)?;
    if read.table.row_count() == 0 {
        return Err(ImportRefusal::Empty);
    }
    let header = header_of(&read.table, options, is_known);
    let mut source = ImportSource {
        file: file.to_owned(),
        format,
        sheets: Vec::new(),
        sheet: None,
        detection: SourceDetection { encoding: None, delimiter: Some(delimiter), header },
        table: read.table,
        notes: read.notes,
    };
    literal::unwrap_literals(&mut source.table);
    formula_escape::unescape_formulas(&mut source);
    Ok(source)
}

fn unreadable_cells(table: &Table, notes: &mut Vec<CellNote>) {
    for row in 0..table.row_count() {
        for column in 0..table.row_len(row) {
            if table.text_at(row, column).contains('\u{fffd}') {
                push_note(notes, CellNote::new(NoteKind::NotInEncoding, row, column), NOTES_MAX);
            }
        }
    }
}

fn header_of(table: &Table, options: &ReadOptions, is_known: HeaderNames) -> DetectedValue<Option<u32>> {
    let detected = header::detect_header(table, is_known);
    match options.header {
        None => detected,
        Some(chosen) => {
            let mut all = detected.alternatives;
            all.push(detected.value);
            DetectedValue::new(chosen, "chosen by you".to_owned(), &all)
        }
    }
}

/// Whether these are the first bytes of a workbook, or of something else in such a container.
pub fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
        || bytes.starts_with(b"PK\x05\x06")
        || bytes.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
}

/// What a file is that is neither a workbook nor text.
fn other_kind(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 9] = [
        (b"%PDF", "a PDF document"),
        (b"\x89PNG", "a picture"),
        (b"\xFF\xD8\xFF", "a picture"),
        (b"GIF8", "a picture"),
        (b"\x1F\x8B", "a gzip archive"),
        (b"7z\xBC\xAF", "a 7-Zip archive"),
        (b"Rar!", "a RAR archive"),
        (b"{\\rtf", "a text document"),
        (b"\x7FELF", "a program"),
    ];
    if bytes.iter().all(|byte| *byte == 0) {
        return Some("a file of zero bytes (it was not copied or saved to its end)");
    }
    if let Some((_, found)) = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(found);
    }
    let start = bytes[..bytes.len().min(512)].trim_ascii_start().to_ascii_lowercase();
    if start.starts_with(b"<!doctype html") || start.starts_with(b"<html") {
        return Some("a web page (some systems name it .xls; open it and save it as XLSX)");
    }
    if start.starts_with(b"<?xml") {
        return Some("an XML document (open it in the spreadsheet program and save it as XLSX)");
    }
    let sample = &bytes[..bytes.len().min(4096)];
    let control = sample.iter().filter(|b| **b < 9 || (14..32).contains(*b)).filter(|b| **b != 0).count();
    (control * 20 > sample.len()).then_some("binary data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_no_table_has_are_refused() {
        assert_eq!(check_lines(b"id,premium\r\nA-1,100\r\n", 10, 4), Ok(()));
        let long = check_lines(b"id,premium\r\nA-1,100000000", 10, 4);
        assert_eq!(long, Err(ImportRefusal::LineTooLong { line: 2, megabytes: 0 }));
        assert_eq!(check_lines(b"id\n\n\n\n\n", 10, 4), Err(ImportRefusal::TooManyRows));
    }
}
