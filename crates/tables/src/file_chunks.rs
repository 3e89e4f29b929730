//! A delimited file of any length, cut between its records into chunks, each of which is read as a file of its own.
//!
//! The records are those of [`crate::delimited_text`]: the same quotes, line breaks and bounds. Every chunk begins with
//! the rows up to the file's headers; its options say how the whole file is read, and where in it the chunk is.

use encoding_rs::{Decoder, UTF_8};

use crate::chunk_place::ChunkPlace;
use crate::delimited_text::{QuoteEnd, find_closing_quote, separator_line_len, trim_end_mark};
use crate::file_survey::SurveyedFile;
use crate::header::HeaderFields;
use crate::limits::RECORD_BYTES_MAX;
use crate::read_source::header_of;
use crate::refusal::ImportRefusal;
use crate::source::ReadOptions;
use crate::table::Table;
use crate::{delimited_text, delimiter};

/// How much a chunk has at most: it ends with the record that reaches one of them.
#[derive(Clone, Copy, Debug)]
pub struct ChunkBounds {
    /// Records.
    pub rows: u32,
    /// Bytes of text.
    pub bytes: usize,
}

/// A part of a file, as a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChunk {
    /// The rows up to the headers, and its own.
    pub text: String,
    /// How it is read.
    pub options: ReadOptions,
    /// Records behind the headers.
    pub rows: u32,
}

/// Cuts a file that is given piece by piece. What it holds is bounded by a chunk and a record.
pub struct ChunkCutter {
    decoder: Decoder,
    bounds: ChunkBounds,
    options: ReadOptions,
    delimiter: u8,
    /// The rows up to the headers, once they have come.
    head: Option<String>,
    head_rows: u32,
    text: String,
    is_whole: bool,
    scan: RecordScan,
    /// The line of the first record of the next chunk.
    line: u32,
}

/// How far the text was looked through.
#[derive(Clone, Copy, Debug, Default)]
struct RecordScan {
    at: usize,
    lines: u32,
    rows: u32,
    reread: usize,
}

/// The delimiter, and the rows at the beginning.
fn read_start(file: &SurveyedFile, options: &ReadOptions) -> Result<(char, Table), ImportRefusal> {
    let mut start = String::new();
    let mut decoder = file.encoding.new_decoder_with_bom_removal();
    start.reserve(decoder.max_utf8_buffer_length(file.start.len()).unwrap_or_default());
    let _ = decoder.decode_to_string(&file.start, &mut start, false);
    let separator = delimiter::detect_delimiter(&start, options.delimiter).value;
    let table = delimited_text::read(start, u8::try_from(separator).unwrap_or(b','), None)?.table;
    Ok((separator, table))
}

impl SurveyedFile {
    /// The row of the table that begins in this line of the file.
    ///
    /// # Errors
    /// [`ImportRefusal`] where the beginning cannot be read, or has no such row.
    pub fn row_of_line(&self, options: &ReadOptions, line: u32) -> Result<u32, ImportRefusal> {
        let (_, table) = read_start(self, options)?;
        let row = (0..table.row_count()).find(|row| table.line(*row) == line);
        row.and_then(|row| u32::try_from(row).ok()).ok_or(ImportRefusal::NoSuchRow { row: line })
    }
}

impl ChunkCutter {
    /// For a file that was looked through; delimiter and headers are found at its beginning, or said by `options`.
    ///
    /// # Errors
    /// [`ImportRefusal`] where the beginning cannot be read.
    pub fn new(
        file: &SurveyedFile,
        options: &ReadOptions,
        fields: HeaderFields,
        bounds: ChunkBounds,
    ) -> Result<ChunkCutter, ImportRefusal> {
        let (separator, table) = read_start(file, options)?;
        let delimiter = u8::try_from(separator).unwrap_or(b',');
        let header = header_of(&table, options, fields).value;
        Ok(ChunkCutter {
            decoder: file.encoding.new_decoder_with_bom_removal(),
            bounds: ChunkBounds { rows: bounds.rows.max(1), ..bounds },
            options: ReadOptions {
                encoding: Some(UTF_8.name().to_owned()),
                delimiter: Some(separator),
                header: Some(header),
                ..options.clone()
            },
            delimiter,
            head: None,
            head_rows: header.map_or(0, |row| row + 1),
            text: String::new(),
            is_whole: false,
            scan: RecordScan::default(),
            line: 1,
        })
    }

    /// Takes the next piece of the file.
    pub fn push(&mut self, piece: &[u8]) {
        self.decode(piece, false);
    }

    /// There are no more pieces.
    pub fn finish(&mut self) {
        self.decode(&[], true);
        trim_end_mark(&mut self.text);
        self.is_whole = true;
    }

    fn decode(&mut self, piece: &[u8], is_last: bool) {
        self.text.reserve(self.decoder.max_utf8_buffer_length(piece.len()).unwrap_or_default());
        let _ = self.decoder.decode_to_string(piece, &mut self.text, is_last);
    }

    /// The next chunk; `None` where more pieces are needed, or nothing is left of a file that is finished.
    ///
    /// # Errors
    /// [`ImportRefusal::LineTooLong`] for a record that no table has.
    pub fn next_chunk(&mut self) -> Result<Option<FileChunk>, ImportRefusal> {
        if self.head.is_none() && !self.cut_head()? {
            return Ok(None);
        }
        while self.scan.rows < self.bounds.rows && self.scan.at < self.bounds.bytes {
            if !self.scan_record()? {
                if self.is_whole && self.scan.rows > 0 {
                    break;
                }
                return Ok(None);
            }
        }
        let scan = std::mem::take(&mut self.scan);
        let head = self.head.as_deref().unwrap_or_default();
        let text = [head, self.text.get(..scan.at).unwrap_or_default()].concat();
        let place = ChunkPlace { head_rows: self.head_rows, head_bytes: head.len(), first_line: self.line };
        let options = ReadOptions { chunk: Some(place), ..self.options.clone() };
        self.text.drain(..scan.at);
        self.line = self.line.saturating_add(scan.lines);
        Ok(Some(FileChunk { text, options, rows: scan.rows }))
    }

    /// Takes the rows up to the headers off the text; false where more pieces are needed.
    fn cut_head(&mut self) -> Result<bool, ImportRefusal> {
        if self.scan.at == 0 {
            let first = self.text.as_bytes().iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            // The line break of such a line may be two bytes.
            if first.is_none_or(|at| at + 1 >= self.text.len()) && !self.is_whole {
                return Ok(false);
            }
            let length = separator_line_len(&self.text);
            if length > 0 {
                self.scan.at = length;
                self.skip_line_break();
                self.scan.lines = 0;
            }
        }
        while self.scan.rows < self.head_rows {
            if !self.scan_record()? {
                if !self.is_whole {
                    return Ok(false);
                }
                break;
            }
        }
        let scan = std::mem::take(&mut self.scan);
        let mut head: String = self.text.drain(..scan.at).collect();
        if head.ends_with('\r') {
            // A line feed at the beginning of a chunk is a line break of its own.
            head.push('\n');
        }
        self.head = Some(head);
        self.line += scan.lines;
        Ok(true)
    }

    fn skip_line_break(&mut self) {
        let bytes = self.text.as_bytes();
        self.scan.at += usize::from(bytes.get(self.scan.at) == Some(&b'\r'));
        self.scan.at += usize::from(bytes.get(self.scan.at) == Some(&b'\n'));
        self.scan.lines += 1;
    }

    /// Goes behind the next record; false where it does not end in the text there is.
    fn scan_record(&mut self) -> Result<bool, ImportRefusal> {
        let before = self.scan;
        if before.at >= self.text.len() {
            return Ok(false);
        }
        loop {
            if !self.scan_cell() {
                self.scan = before;
                return self.check_record(before).map(|()| false);
            }
            match self.text.as_bytes().get(self.scan.at) {
                Some(end) if *end == self.delimiter => self.scan.at += 1,
                Some(b'\r') if self.scan.at + 1 == self.text.len() && !self.is_whole => {
                    self.scan = before;
                    return Ok(false);
                }
                Some(_) => {
                    self.skip_line_break();
                    break;
                }
                None => break,
            }
        }
        self.scan.rows += 1;
        self.check_record(before).map(|()| true)
    }

    fn check_record(&self, before: RecordScan) -> Result<(), ImportRefusal> {
        let end = if self.scan.at > before.at { self.scan.at } else { self.text.len() };
        if end - before.at <= RECORD_BYTES_MAX {
            return Ok(());
        }
        let line = usize::try_from(self.line.saturating_add(before.lines)).unwrap_or(usize::MAX);
        Err(ImportRefusal::LineTooLong { line, megabytes: RECORD_BYTES_MAX >> 20 })
    }

    /// Goes up to the delimiter or line break behind the next cell; false where that is not in the text there is.
    fn scan_cell(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let from = self.scan.at;
        let closed = match bytes.get(from) {
            Some(b'"') => find_closing_quote(bytes, from + 1, self.delimiter, &mut self.scan.reread),
            _ => QuoteEnd::NotClosed,
        };
        match closed {
            QuoteEnd::ClosedByEnd { .. } | QuoteEnd::TextEnds if !self.is_whole => return false,
            QuoteEnd::Closed { at, .. } | QuoteEnd::ClosedByEnd { at, .. } => {
                self.scan.at = at + 1;
                return true;
            }
            QuoteEnd::NotClosed | QuoteEnd::TextEnds => {}
        }
        let is_end = |byte: &u8| *byte == self.delimiter || matches!(byte, b'\n' | b'\r');
        let length = bytes.get(from..).unwrap_or_default().iter().position(is_end);
        self.scan.at = length.map_or(bytes.len(), |length| from + length);
        length.is_some() || self.is_whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_survey::FileSurvey;
    use crate::source::ImportSource;

    const NO_FIELDS: HeaderFields = HeaderFields::of_headers(|_| None);

    fn survey(bytes: &[u8], options: &ReadOptions, piece: usize) -> SurveyedFile {
        let mut survey = FileSurvey::default();
        bytes.chunks(piece).for_each(|piece| survey.push(piece).unwrap());
        survey.finish(options).unwrap().unwrap()
    }

    fn chunks(bytes: &[u8], options: &ReadOptions, rows: u32, piece: usize) -> Vec<FileChunk> {
        let file = survey(bytes, options, piece);
        let bounds = ChunkBounds { rows, bytes: 1 << 20 };
        let mut cutter = ChunkCutter::new(&file, options, NO_FIELDS, bounds).unwrap();
        let mut all = Vec::new();
        for piece in bytes.chunks(piece) {
            cutter.push(piece);
            while let Some(chunk) = cutter.next_chunk().unwrap() {
                all.push(chunk);
            }
        }
        cutter.finish();
        while let Some(chunk) = cutter.next_chunk().unwrap() {
            all.push(chunk);
        }
        all
    }

    fn read(bytes: Vec<u8>, options: &ReadOptions) -> Option<ImportSource> {
        let no_workbook =
            |_: &[u8], _: crate::SheetRequest<'_>, _: crate::SheetSink<'_>| Err(ImportRefusal::NoCells);
        crate::read_with("x.csv", bytes, options, NO_FIELDS, no_workbook).ok()
    }

    /// Lines with their cells, behind the headers; rows without any text say nothing.
    fn rows(source: &ImportSource) -> Vec<(u32, Vec<String>)> {
        let table = &source.table;
        let first = source.header_row().map_or(0, |row| row + 1);
        let cells = |row| (0..table.row_len(row)).map(|c| table.text_at(row, c).to_owned()).collect();
        let all = (first..table.row_count()).filter(|row| !table.is_blank(*row));
        all.map(|row| (table.line(row), cells(row))).collect()
    }

    fn assert_same(bytes: &[u8], options: &ReadOptions, rows_of_chunk: u32, piece: usize) {
        let Some(whole) = read(bytes.to_vec(), options) else { return };
        let all = chunks(bytes, options, rows_of_chunk, piece);
        let of_chunk = |chunk: &FileChunk| {
            let bytes = chunk.text.clone().into_bytes();
            read(bytes, &chunk.options).map_or_else(Vec::new, |source| rows(&source))
        };
        let found: Vec<_> = all.iter().flat_map(of_chunk).collect();
        assert_eq!(found, rows(&whole), "{:?} in pieces of {piece}", String::from_utf8_lossy(bytes));
        assert!(all.iter().all(|chunk| chunk.rows <= rows_of_chunk));
    }

    #[test]
    fn chunks_have_the_rows_of_the_file_with_their_lines() {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let marked = [vec![0xFF, 0xFE], wide("id;name\r\n1;Zoë\r\n2;\"a\r\nb\"\r\n3;c\r\n")].concat();
        let files: Vec<Vec<u8>> = vec![
            b"id,name\n1,a\n2,b\n3,c\n".to_vec(),
            b"Report of May\n\nid,name\n1,a\n\n\n2,b\n3,c".to_vec(),
            b"sep=;\r\nid;name\r\n1;a\r\n2;\"b;\r\nc\"\r\n3;d\r\n".to_vec(),
            b"id,name\r1,a\r2,\"b\rc\"\r3,d".to_vec(),
            b"id,name\r\n1,a\r\n2,b\r\n\x1a".to_vec(),
            b"id,name\n\"a,,c\nd\"e,,,f\n\n\",\nb1\n".to_vec(),
            "id,name\n1,\"a \"\"quoted\"\" word\"\n2,\"stays open\n3,c \"d\" e\n4,Zoë\n".as_bytes().to_vec(),
            b"\xEF\xBB\xBFid,name\n1,Zo\xC3\xAB\n2,b\n".to_vec(),
            b"id,name\n1,Zo\xEB\n2,b\n3,\xC9\n".to_vec(),
            marked,
        ];
        for bytes in files {
            for (rows, piece) in [(1, 1), (1, 7), (2, 3), (3, 1000), (100, 2)] {
                assert_same(&bytes, &ReadOptions::default(), rows, piece);
            }
        }
    }

    proptest::proptest! {
        /// Whatever a file has of quotes, delimiters and line breaks: chunks have the rows that the whole has.
        #[test]
        fn any_text_has_the_same_rows_in_chunks(
            words in proptest::collection::vec(
                proptest::sample::select(vec!["a", "b1", ",", ",", "\"", "\"\"", "\n", "\r\n", "\r", " ", "é"]),
                0..60,
            ),
            rows in 1u32..5,
            piece in 1usize..9,
        ) {
            let text = format!("id,name\n{}", words.concat());
            assert_same(text.as_bytes(), &ReadOptions::default(), rows, piece);
        }
    }

    #[test]
    fn a_quote_that_never_closes_holds_up_no_row() {
        let rows: String = (0..400_000).map(|n| format!("{n},value of row {n}\n")).collect();
        let text = format!("id,name\n\"open,x\n{rows}");
        let all = chunks(text.as_bytes(), &ReadOptions::default(), 50_000, 1 << 16);
        assert_eq!(all.iter().map(|chunk| chunk.rows).sum::<u32>(), 400_001);
        assert!(all.len() > 8 && all.iter().all(|chunk| chunk.text.len() < 2 << 20));
    }

    #[test]
    fn lines_and_bytes_decide_whether_one_table_is_enough() {
        let text = b"id\n1\r\n2\r3".to_vec();
        let file = survey(&text, &ReadOptions::default(), 1);
        assert_eq!((file.bytes, file.lines, file.is_beyond_one_table()), (9, 4, false));
        let many = "x\n".repeat(crate::limits::ROWS_MAX + 1);
        assert!(survey(many.as_bytes(), &ReadOptions::default(), 1 << 20).is_beyond_one_table());
        let mut workbook = FileSurvey::default();
        workbook.push(b"PK\x03\x04 and more").unwrap();
        assert!(workbook.finish(&ReadOptions::default()).unwrap().is_none());
    }
}
