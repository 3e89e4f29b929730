//! Reading: a file, several of them, or a paste into a table, with what was detected and noticed.

use crate::bundle::{BundledFile, bundled_files};
use crate::combined_source::{combine_sources, have_common_column};
use crate::delimited_text::DelimitedTable;
use crate::delimiter::{DELIMITERS, FIXED_WIDTH};
use crate::detection::{DetectedValue, SourceDetection};
use crate::encoding::{self, DecodedText};
use crate::file_check::{check_bytes, check_lines, count_tags, is_workbook};
use crate::group_headings::add_heading_columns;
use crate::header::{HeaderFields, detect_header, has_header};
use crate::header_rows::join_header_rows;
use crate::limits::{
    BUNDLE_FILES_MAX, CELLS_MAX, FILE_BYTES_MAX, LINE_BREAKS_MAX, LINE_BYTES_MAX, MARKUP_ROWS_MAX,
    MARKUP_TAGS_MAX, ROWS_MAX, TEXT_BYTES_MAX,
};
use crate::lines_in_cells::split_lines_in_cells;
use crate::markup::MarkupKind;
use crate::note::note_unreadable_cells;
use crate::refusal::ImportRefusal;
use crate::sheet_choice::{SheetRequest, SheetSink, WorkbookContent, WorkbookSheet};
use crate::source::{ExcludedFile, ImportSource, ReadOptions, SourceFormat};
use crate::table::Table;
use crate::{delimited_text, delimiter, fixed_width, formula_escape, literal};

/// Reads a file of any kind, recognized by its content, never by its name. The cells of a workbook are read by what is
/// given, such as another process.
///
/// # Errors
/// [`ImportRefusal`] when the file is not read at all; everything less is a note.
pub fn read_with(
    file: &str,
    bytes: Vec<u8>,
    options: &ReadOptions,
    fields: HeaderFields,
    read_workbook: impl Fn(&[u8], SheetRequest<'_>, SheetSink<'_>) -> Result<(), ImportRefusal>,
) -> Result<ImportSource, ImportRefusal> {
    check_bytes(&bytes)?;
    let reader = SourceReader { options, fields, read_workbook: &read_workbook };
    let mut source = match bundled_files(&bytes) {
        Some(files) => {
            drop(bytes);
            reader.read_several(file, files?)?
        }
        None => reader.read_one(file, bytes)?,
    };
    if options.stored_numbers {
        source.table.keep_stored_numbers();
    }
    Ok(source)
}

/// A reader of workbooks: bytes, the sheets asked for, and what takes them.
type WorkbookReader<'r> = &'r dyn Fn(&[u8], SheetRequest<'_>, SheetSink<'_>) -> Result<(), ImportRefusal>;

/// How files are read.
struct SourceReader<'r> {
    options: &'r ReadOptions,
    fields: HeaderFields,
    read_workbook: WorkbookReader<'r>,
}

impl SourceReader<'_> {
    /// Files as one table. One that cannot be read, or was read already, is skipped and named; the others are read.
    fn read_several(&self, name: &str, files: Vec<BundledFile>) -> Result<ImportSource, ImportRefusal> {
        let ReadOptions { all_sheets, keeps_columns, .. } = *self.options;
        let alone = ReadOptions { all_sheets, keeps_columns, ..ReadOptions::default() };
        let reader = SourceReader { options: if files.len() == 1 { self.options } else { &alone }, ..*self };
        // Each page takes its time by its tags, and all of them together no more than one may.
        if files.iter().map(|file| count_tags(&file.bytes)).sum::<usize>() > MARKUP_TAGS_MAX {
            return Err(ImportRefusal::TooManyCells);
        }
        let (mut sum, mut markup_rows) = (TableSum::default(), 0);
        let mut sources = Vec::with_capacity(files.len());
        let mut left_out = Vec::new();
        let same: Vec<Option<usize>> = (0..files.len()).map(|at| same_before(&files, at)).collect();
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        for (at, file) in files.into_iter().enumerate() {
            let is_markup = MarkupKind::of_bytes(&file.bytes).is_some();
            let read = match same[at] {
                Some(first) => Err(ImportRefusal::SameFile { first: names[first].clone() }),
                None => reader.read_bundled(&file.name, file.bytes),
            };
            match read {
                Ok(source) => {
                    sum.add_table(&source.table)?;
                    markup_rows += if is_markup { source.table.row_count() } else { 0 };
                    if markup_rows > MARKUP_ROWS_MAX {
                        return Err(ImportRefusal::TooManyMarkupRows);
                    }
                    sources.push((file.name, source));
                }
                // Read later, it is a file as the others are: none is sent without it.
                Err(why) if why.is_passing() => return Err(why),
                // What took all memory or time there is must not be tried once for each file.
                Err(why @ (ImportRefusal::ReaderEnded | ImportRefusal::Bomb { .. })) => {
                    return Err(ImportRefusal::InFile { file: file.name, why: Box::new(why) });
                }
                Err(why) => left_out.push(ExcludedFile { name: file.name, why }),
            }
        }
        if sources.is_empty()
            && let Some(ExcludedFile { name: file, why }) = left_out.first().cloned()
        {
            return Err(ImportRefusal::InFile { file, why: Box::new(why) });
        }
        let mut source = combine_sources(name, sources, self.fields)?;
        left_out.append(&mut source.left_out);
        Ok(ImportSource { left_out, ..source })
    }

    fn read_bundled(&self, name: &str, bytes: Vec<u8>) -> Result<ImportSource, ImportRefusal> {
        check_bytes(&bytes)?;
        match bundled_files(&bytes) {
            Some(_) => Err(ImportRefusal::NotATable { found: "an archive within an archive".into() }),
            None => self.read_one(name, bytes),
        }
    }

    fn read_one(&self, file: &str, bytes: Vec<u8>) -> Result<ImportSource, ImportRefusal> {
        if is_workbook(&bytes) {
            return self.read_sheets(file, &bytes);
        }
        let decoded = encoding::decode_bytes(bytes.into(), self.options.encoding.as_deref())?;
        let DecodedText { text, encoding, replaced } = decoded;
        let format = SourceFormat::Delimited;
        let mut source = read_delimited_source(file, text.into_owned(), self.options, format, self.fields)?;
        source.detection.encoding = Some(encoding);
        if self.options.chunk.is_some() {
            source.detection.mark_known();
        }
        if replaced {
            note_unreadable_cells(&source.table, &mut source.notes);
        }
        Ok(source)
    }

    /// The sheet asked for; of all, the visible ones that have columns in common with the one that would be read alone.
    fn read_sheets(&self, file: &str, bytes: &[u8]) -> Result<ImportSource, ImportRefusal> {
        let asked = match (self.options.all_sheets, self.options.sheet.as_deref()) {
            (true, _) => SheetRequest::All,
            (false, Some(name)) => SheetRequest::Named(name),
            (false, None) => SheetRequest::First,
        };
        let mut sources: Vec<(String, ImportSource)> = Vec::new();
        let mut sum = TableSum::default();
        (self.read_workbook)(bytes, asked, &mut |book| {
            let visible = book.sheets.iter().filter(|sheet| !sheet.hidden).count();
            if asked == SheetRequest::All && visible > BUNDLE_FILES_MAX {
                return Err(ImportRefusal::TooManyFiles);
            }
            let name = book.sheet.clone();
            let read = self.workbook_source(file, book);
            // A sheet of notes is none of the table.
            if sources.first().is_none_or(|(_, first)| have_common_column(first, &read, self.fields)) {
                sum.add_table(&read.table)?;
                sources.push((name, read));
            }
            Ok(())
        })?;
        let all = sources.first().map(|(_, first)| first.sheets.clone()).ok_or(ImportRefusal::NoCells)?;
        let source = combine_sources(file, sources, self.fields)?;
        Ok(ImportSource { sheets: all, ..source })
    }

    fn workbook_source(&self, file: &str, mut book: WorkbookContent) -> ImportSource {
        let mut delimiter = None;
        let keeps_columns = self.options.keeps_columns;
        if !keeps_columns
            && let Some((read, detected)) = split_lines_in_cells(&book.table, self.options.delimiter)
        {
            (book.table, delimiter) = (read.table, Some(detected));
            book.notes.extend(read.notes);
        }
        let header = header_of(&book.table, self.options, self.fields);
        let alike = book.sheets.iter().filter(|sheet| sheet.is_alike);
        let why = ImportRefusal::OtherSheet { read: book.sheet.clone() };
        let excluded =
            |sheet: &WorkbookSheet| ExcludedFile { name: format!("Sheet {}", sheet.name), why: why.clone() };
        let left_out = alike.map(excluded).collect();
        let mut source = ImportSource {
            file: file.to_owned(),
            format: SourceFormat::Workbook,
            sheets: book.sheets,
            sheet: Some(book.sheet),
            parts: Vec::new(),
            left_out,
            detection: SourceDetection { encoding: None, delimiter, header },
            table: book.table,
            group_headings: Vec::new(),
            notes: book.notes,
        };
        if !keeps_columns {
            join_header_rows(&mut source, self.fields);
            add_heading_columns(&mut source, self.fields);
        }
        source
    }
}

/// The file before that has the same bytes.
fn same_before(files: &[BundledFile], at: usize) -> Option<usize> {
    files[..at].iter().position(|other| other.bytes == files[at].bytes)
}

/// What several tables take together: no more than one may.
#[derive(Default)]
struct TableSum {
    rows: usize,
    cells: usize,
    bytes: usize,
}

impl TableSum {
    fn add_table(&mut self, table: &Table) -> Result<(), ImportRefusal> {
        self.rows += table.row_count();
        self.cells += table.cell_count();
        self.bytes += table.text_len();
        if self.rows > ROWS_MAX {
            Err(ImportRefusal::TooManyRows)
        } else if self.cells > CELLS_MAX || self.bytes > TEXT_BYTES_MAX {
            Err(ImportRefusal::TooManyCells)
        } else {
            Ok(())
        }
    }
}

/// Reads cells pasted from a spreadsheet: tab-separated, quoted where a cell holds a line break.
///
/// # Errors
/// [`ImportRefusal`] when nothing can be read.
pub fn read_paste(
    text: &str,
    options: &ReadOptions,
    fields: HeaderFields,
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
    read_delimited_source("Pasted cells", text.to_owned(), &options, SourceFormat::Paste, fields)
}

fn read_delimited_source(
    file: &str,
    text: String,
    options: &ReadOptions,
    format: SourceFormat,
    fields: HeaderFields,
) -> Result<ImportSource, ImportRefusal> {
    let mut delimiter = delimiter::detect_delimiter(&text, options.delimiter);
    let separator = u8::try_from(delimiter.value).unwrap_or(b',');
    // A chunk may begin behind the heading of its first rows.
    let keeps_columns = options.keeps_columns || options.chunk.is_some();
    let may_be_fixed = !keeps_columns && options.delimiter.is_none_or(|chosen| chosen == FIXED_WIDTH);
    let fixed = if may_be_fixed { fixed_width::split_columns(&text, fields) } else { None };
    let mut read = delimited_text::read(text, separator, options.chunk)?;
    if let Some((table, evidence)) = fixed.filter(|_| !has_header(&read.table, fields)) {
        read = DelimitedTable { table, notes: Vec::new() };
        delimiter = DetectedValue::new(FIXED_WIDTH, evidence, &DELIMITERS);
    }
    if !keeps_columns && let Some(lines) = split_lines_in_cells(&read.table, options.delimiter) {
        (read, delimiter) = lines;
    }
    if read.table.row_count() == 0 {
        return Err(ImportRefusal::Empty);
    }
    let header = header_of(&read.table, options, fields);
    let mut source = ImportSource {
        file: file.to_owned(),
        format,
        sheets: Vec::new(),
        sheet: None,
        parts: Vec::new(),
        left_out: Vec::new(),
        detection: SourceDetection { encoding: None, delimiter: Some(delimiter), header },
        table: read.table,
        group_headings: Vec::new(),
        notes: read.notes,
    };
    literal::unwrap_literals(&mut source.table);
    if formula_escape::is_of_rejects(&source) {
        formula_escape::unescape_formulas(&mut source);
    } else {
        literal::remove_apostrophes(&mut source);
    }
    if !options.keeps_columns {
        join_header_rows(&mut source, fields);
    }
    if !keeps_columns {
        add_heading_columns(&mut source, fields);
    }
    Ok(source)
}

pub(crate) fn header_of(
    table: &Table,
    options: &ReadOptions,
    fields: HeaderFields,
) -> DetectedValue<Option<u32>> {
    let detected = detect_header(table, fields);
    match options.header {
        None => detected,
        Some(chosen) => {
            let mut all = detected.alternatives;
            all.push(detected.value);
            DetectedValue::new(chosen, "chosen by you".to_owned(), &all)
        }
    }
}
