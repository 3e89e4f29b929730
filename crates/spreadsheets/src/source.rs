//! Reading: bytes or a paste into a table, with what was detected and noticed.

use serde::{Deserialize, Serialize};

use crate::bundle::{BundledFile, bundled_files};
use crate::combined_source::{SourcePart, combine_sources, have_common_column};
use crate::detection::{DetectedValue, SourceDetection};
use crate::encoding::DecodedText;
use crate::issue::{Code, Finding, push_note};
use crate::limits::{BUNDLE_FILES_MAX, FILE_BYTES_MAX, LINE_BREAKS_MAX, LINE_BYTES_MAX, NOTES_MAX};
use crate::markup::MarkupKind;
use crate::refusal::ImportRefusal;
use crate::table::Table;
use crate::workbook::{WorkbookContent, WorkbookSheet, read_workbook};
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
    /// All sheets of a workbook that have columns in common, as one table.
    pub all_sheets: bool,
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
    /// Several files or sheets as one.
    Several,
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
    /// The files or sheets, where there are several; in the order of their rows.
    pub parts: Vec<SourcePart>,
    /// The cells.
    pub table: Table,
    /// What was detected.
    pub detection: SourceDetection,
    /// What was noticed while reading.
    pub findings: Vec<Finding>,
}

impl ImportSource {
    /// The file or sheet of a row, where there are several.
    pub fn part_of(&self, row: usize) -> Option<&SourcePart> {
        let at = self.parts.partition_point(|part| part.first_row <= row).checked_sub(1)?;
        self.parts.get(at)
    }
}

/// Reads a file of any kind. It is recognized by its content, never by its name.
///
/// # Errors
/// [`ImportRefusal`] when the file is not read at all; everything less is an issue of the review.
pub fn read(file: &str, bytes: Vec<u8>, options: &ReadOptions) -> Result<ImportSource, ImportRefusal> {
    read_with(file, bytes, options, read_workbook)
}

/// As [`read`]; the cells of a workbook are read by what is given, such as another process.
pub fn read_with(
    file: &str,
    bytes: Vec<u8>,
    options: &ReadOptions,
    read_workbook: impl Fn(&[u8], Option<&str>) -> Result<WorkbookContent, ImportRefusal>,
) -> Result<ImportSource, ImportRefusal> {
    check_bytes(&bytes)?;
    let mut source = match bundled_files(&bytes) {
        Some(files) => {
            drop(bytes);
            return read_several(file, files?, options, &read_workbook);
        }
        None if options.all_sheets && is_workbook(&bytes) => read_sheets(file, &bytes, &read_workbook)?,
        None => return read_one(file, bytes, options, &read_workbook),
    };
    if options.stored_numbers {
        source.table.keep_stored_numbers();
    }
    Ok(source)
}

/// A reader of workbooks: bytes and the sheet asked for.
type WorkbookReader<'r> = &'r dyn Fn(&[u8], Option<&str>) -> Result<WorkbookContent, ImportRefusal>;

/// Files as one table. Of a workbook the sheet that would be read of it alone, or all of them.
fn read_several(
    name: &str,
    files: Vec<BundledFile>,
    options: &ReadOptions,
    read_workbook: WorkbookReader<'_>,
) -> Result<ImportSource, ImportRefusal> {
    let mut sources = Vec::with_capacity(files.len());
    for file in files {
        let refuse =
            |why: ImportRefusal| ImportRefusal::InFile { file: file.name.clone(), why: why.to_string() };
        check_bytes(&file.bytes).map_err(refuse)?;
        if bundled_files(&file.bytes).is_some() {
            return Err(refuse(ImportRefusal::NotATable { found: "an archive within an archive".into() }));
        }
        let source = if options.all_sheets && is_workbook(&file.bytes) {
            read_sheets(&file.name, &file.bytes, read_workbook).map_err(refuse)?
        } else {
            read_one(&file.name, file.bytes, &ReadOptions::default(), read_workbook).map_err(refuse)?
        };
        sources.push((file.name, source));
    }
    let mut source = match <[_; 1]>::try_from(sources) {
        Ok([(_, only)]) => only,
        Err(sources) => combine_sources(name, &sources)?,
    };
    if options.stored_numbers {
        source.table.keep_stored_numbers();
    }
    Ok(source)
}

/// The visible sheets of a workbook that have columns in common with the one that would be read alone.
fn read_sheets(
    file: &str,
    bytes: &[u8],
    read_workbook: WorkbookReader<'_>,
) -> Result<ImportSource, ImportRefusal> {
    let book = read_workbook(bytes, None)?;
    let (all, chosen) = (book.sheets.clone(), book.sheet.clone());
    let first = workbook_source(file, book, &ReadOptions::default());
    let names =
        all.iter().filter(|sheet| !sheet.hidden && sheet.name != chosen).map(|sheet| sheet.name.clone());
    let names: Vec<String> = names.collect();
    if names.len() >= BUNDLE_FILES_MAX {
        return Err(ImportRefusal::TooManyFiles);
    }
    let mut sources = vec![(chosen, first)];
    for name in names {
        let read = match read_workbook(bytes, Some(&name)) {
            Err(ImportRefusal::NoCells) => continue,
            other => workbook_source(file, other?, &ReadOptions::default()),
        };
        sources.push((name, read));
        // A sheet of notes is none of the table.
        if !have_common_column(&sources[0].1, &sources[sources.len() - 1].1) {
            sources.pop();
        }
    }
    let mut source = combine_sources(file, &sources)?;
    source.sheets = all;
    Ok(source)
}

fn workbook_source(file: &str, mut book: WorkbookContent, options: &ReadOptions) -> ImportSource {
    if options.stored_numbers {
        book.table.keep_stored_numbers();
    }
    let header = header_of(&book.table, options);
    ImportSource {
        file: file.to_owned(),
        format: SourceFormat::Workbook,
        sheets: book.sheets,
        sheet: Some(book.sheet),
        parts: Vec::new(),
        detection: SourceDetection { encoding: None, delimiter: None, header },
        table: book.table,
        findings: book.notes,
    }
}

fn read_one(
    file: &str,
    bytes: Vec<u8>,
    options: &ReadOptions,
    read_workbook: WorkbookReader<'_>,
) -> Result<ImportSource, ImportRefusal> {
    if is_workbook(&bytes) {
        return Ok(workbook_source(file, read_workbook(&bytes, options.sheet.as_deref())?, options));
    }
    let decoded = encoding::decode_bytes(bytes, options.encoding.as_deref())?;
    let DecodedText { text, encoding, replaced } = decoded;
    let mut source = read_delimited_source(file, text, options, SourceFormat::Delimited)?;
    source.detection.encoding = Some(encoding);
    if replaced {
        note_unreadable_cells(&source.table, &mut source.findings);
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
pub fn read_paste(text: &str, options: &ReadOptions) -> Result<ImportSource, ImportRefusal> {
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
    read_delimited_source("Pasted cells", text.to_owned(), &options, SourceFormat::Paste)
}

fn read_delimited_source(
    file: &str,
    text: String,
    options: &ReadOptions,
    format: SourceFormat,
) -> Result<ImportSource, ImportRefusal> {
    let delimiter = delimiter::detect_delimiter(&text, options.delimiter);
    let separator = u8::try_from(delimiter.value).unwrap_or(b',');
    let read = delimited_text::read(text, separator)?;
    if read.table.row_count() == 0 {
        return Err(ImportRefusal::Empty);
    }
    let header = header_of(&read.table, options);
    let mut source = ImportSource {
        file: file.to_owned(),
        format,
        sheets: Vec::new(),
        sheet: None,
        parts: Vec::new(),
        detection: SourceDetection { encoding: None, delimiter: Some(delimiter), header },
        table: read.table,
        findings: read.notes,
    };
    literal::unwrap_literals(&mut source.table);
    formula_escape::unescape_formulas(&mut source);
    Ok(source)
}

/// Notes the cells that have bytes of another encoding.
pub(crate) fn note_unreadable_cells(table: &Table, findings: &mut Vec<Finding>) {
    for row in 0..table.row_count() {
        for column in 0..table.row_len(row) {
            if table.text_at(row, column).contains('\u{fffd}') {
                push_note(findings, Finding::at_cell(Code::NotInEncoding, row, column), NOTES_MAX);
            }
        }
    }
}

fn header_of(table: &Table, options: &ReadOptions) -> DetectedValue<Option<u32>> {
    let detected = header::detect_header(table);
    match options.header {
        None => detected,
        Some(chosen) => {
            let mut all = detected.alternatives;
            all.push(detected.value);
            DetectedValue::new(chosen, "chosen by you".to_owned(), &all)
        }
    }
}

/// Whether these are the first bytes of a workbook, of something else in such a container, or of tables in markup: what
/// is read by a process of its own.
pub fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
        || bytes.starts_with(b"PK\x05\x06")
        || bytes.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
        || MarkupKind::of_bytes(bytes).is_some()
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
