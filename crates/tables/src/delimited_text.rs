//! CSV and its relatives: text with delimiters and quotes into a table.
//!
//! A reader of our own instead of the `csv` crate, for one reason: a quote that never closes is an issue at its row
//! and eats no rows, where that crate takes the rest of the file for one cell. Cells are ranges of the file's own
//! text, and every bound is checked while reading. A test holds it to the `csv` crate's result on well-formed input
//! of every dialect.

use crate::chunk_place::ChunkPlace;
use crate::limits::{
    CELL_BYTES_MAX, CELLS_MAX, COLUMNS_MAX, NOTES_MAX, QUOTED_BYTES_MAX, REREAD_BYTES_MAX, ROWS_MAX,
};
use crate::note::{CellNote, NoteKind, push_note};
use crate::refusal::ImportRefusal;
use crate::table::Table;
use crate::text_cut::cut_cell;

/// A table and what was noticed while reading it.
pub(crate) struct DelimitedTable {
    pub table: Table,
    pub notes: Vec<CellNote>,
}

/// Reads all rows of `text`; those of a chunk are counted as its file does.
pub(crate) fn read(
    mut text: String,
    delimiter: u8,
    chunk: Option<ChunkPlace>,
) -> Result<DelimitedTable, ImportRefusal> {
    trim_end_mark(&mut text);
    let mut reader = DelimitedReader::new(&text, delimiter);
    reader.reserve_cells()?;
    reader.quote_limit = chunk.map_or(text.len(), |place| place.head_bytes);
    while reader.at < text.len() {
        if let Some(place) = chunk.filter(|place| reader.table.row_count() == place.head_rows as usize) {
            reader.line = place.first_line;
            reader.quote_limit = text.len();
        }
        reader.read_row()?;
    }
    let DelimitedReader { table, notes, unquoted, .. } = reader;
    Ok(DelimitedTable { table: table.with_appended_text(text, &unquoted), notes })
}

/// Removes the mark that older systems put behind the last line of a file (Ctrl+Z).
pub(crate) fn trim_end_mark(text: &mut String) {
    text.truncate(text.trim_end_matches('\u{1a}').len());
}

/// Spreadsheets write `sep=;` as a first line that is no data; its bytes without the line break, or none.
pub(crate) fn separator_line_len(text: &str) -> usize {
    let first = text.lines().next().unwrap_or_default();
    let is_separator =
        first.len() == 5 && first.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("sep="));
    if is_separator { first.len() } else { 0 }
}

struct DelimitedReader<'t> {
    text: &'t str,
    delimiter: u8,
    at: usize,
    /// The row as a spreadsheet program numbers it: a cell in several lines is in one row, and `sep=;` in none.
    line: u32,
    /// Where a quote has to be closed.
    quote_limit: usize,
    /// Bytes looked through again after quotes that did not close.
    reread: usize,
    table: Table,
    notes: Vec<CellNote>,
    /// The texts of cells with doubled quotes, which are put behind the file's own text.
    unquoted: String,
}

impl<'t> DelimitedReader<'t> {
    fn new(text: &'t str, delimiter: u8) -> DelimitedReader<'t> {
        let mut reader = DelimitedReader {
            text,
            delimiter,
            at: 0,
            line: 1,
            quote_limit: text.len(),
            reread: 0,
            table: Table::default(),
            notes: Vec::new(),
            unquoted: String::new(),
        };
        reader.skip_separator_line();
        reader
    }

    fn skip_separator_line(&mut self) {
        self.at = separator_line_len(self.text);
        if self.at > 0 {
            self.skip_line_break();
            self.line = 1;
        }
    }

    /// Makes room for all cells at once: growing would hold those of a large file twice. A delimiter may be within a
    /// cell or at the empty end of a row, but hardly every other one.
    fn reserve_cells(&mut self) -> Result<(), ImportRefusal> {
        let count = |byte| memchr::memchr_iter(byte, self.text.as_bytes()).count();
        let most = count(self.delimiter) + count(b'\n') + 1;
        if most > 2 * CELLS_MAX {
            return Err(ImportRefusal::TooManyCells);
        }
        self.table.reserve_cells(most.min(CELLS_MAX));
        Ok(())
    }

    fn skip_line_break(&mut self) {
        let bytes = self.text.as_bytes();
        if bytes.get(self.at) == Some(&b'\r') {
            self.at += 1;
        }
        if bytes.get(self.at) == Some(&b'\n') {
            self.at += 1;
        }
        self.line += 1;
    }

    fn read_row(&mut self) -> Result<(), ImportRefusal> {
        let (first, line) = (self.table.cell_count(), self.line);
        if self.table.row_count() >= ROWS_MAX {
            return Err(ImportRefusal::TooManyRows);
        }
        let mut columns = 0;
        loop {
            self.read_cell(columns);
            columns += 1;
            if columns > COLUMNS_MAX {
                return Err(ImportRefusal::TooManyColumns { row: line });
            }
            match self.text.as_bytes().get(self.at) {
                Some(end) if *end == self.delimiter => self.at += 1,
                Some(_) => {
                    self.skip_line_break();
                    break;
                }
                None => break,
            }
        }
        self.table.end_row(first, line);
        if self.table.cell_count() > CELLS_MAX {
            return Err(ImportRefusal::TooManyCells);
        }
        Ok(())
    }

    /// Reads up to the delimiter, line break or end of the text behind the next cell.
    fn read_cell(&mut self, column: usize) {
        let (bytes, from) = (self.text.as_bytes(), self.at);
        if bytes.get(from) == Some(&b'"') {
            if let Some((to, has_doubled)) = self.find_closing_quote(from + 1) {
                self.at = to + 1;
                return self.push_quoted(&self.text[from + 1..to], from + 1, has_doubled, column);
            }
            let note = CellNote::new(NoteKind::QuoteNotClosed, self.table.row_count(), column);
            push_note(&mut self.notes, note, NOTES_MAX);
        }
        self.at = find_cell_end(bytes, from, self.delimiter);
        let length = self.at - from;
        let is_short = length <= CELL_BYTES_MAX;
        let kept = if is_short { length } else { self.limit_cell(&self.text[from..self.at], column).len() };
        self.table.push_range(from, kept);
    }

    fn push_quoted(&mut self, text: &'t str, from: usize, has_doubled: bool, column: usize) {
        let text = self.limit_cell(text, column);
        if has_doubled {
            let start = self.unquoted.len();
            self.unquoted.push_str(&text.replace("\"\"", "\""));
            self.table.push_range(self.text.len() + start, self.unquoted.len() - start);
        } else {
            self.table.push_range(from, text.len());
        }
    }

    fn limit_cell(&mut self, text: &'t str, column: usize) -> &'t str {
        cut_cell(text, || {
            let note = CellNote::new(NoteKind::CellCut, self.table.row_count(), column);
            push_note(&mut self.notes, note, NOTES_MAX);
        })
    }

    /// Where the quote opened before `from` closes, and whether quotes are doubled inside.
    fn find_closing_quote(&mut self, from: usize) -> Option<(usize, bool)> {
        let bytes = self.text.as_bytes().get(..self.quote_limit).unwrap_or_default();
        match find_closing_quote(bytes, from, self.delimiter, &mut self.reread) {
            QuoteEnd::Closed { at, has_doubled } | QuoteEnd::ClosedByEnd { at, has_doubled } => {
                Some((at, has_doubled))
            }
            QuoteEnd::NotClosed | QuoteEnd::TextEnds => None,
        }
    }
}

/// Where a cell without quotes ends: at the next delimiter, at a line break, or with the text.
///
/// Eight bytes at a time. Cells are a few bytes long and each of another length: a search made for long texts, and one
/// byte after the other, took a third of reading a large file more.
fn find_cell_end(bytes: &[u8], from: usize, delimiter: u8) -> usize {
    let ends = [delimiter, b'\n', b'\r'];
    let repeated = ends.map(|end| u64::from_le_bytes([end; 8]));
    let (words, rest) = bytes[from..].as_chunks();
    let mut at = from;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let found = repeated.iter().fold(0, |found, end| found | mark_zero_bytes(word ^ end));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    rest.iter().position(|byte| ends.contains(byte)).map_or(bytes.len(), |length| at + length)
}

/// Marks the lowest zero byte at its highest bit; a byte above it may be marked that is not zero.
fn mark_zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080
}

/// How a quote ends.
pub(crate) enum QuoteEnd {
    /// By the quote at this place; whether quotes are doubled inside.
    Closed { at: usize, has_doubled: bool },
    /// The same, by the last byte there is: another one behind it could make it an ordinary character.
    ClosedByEnd { at: usize, has_doubled: bool },
    /// Not at all: it is an ordinary character.
    NotClosed,
    /// Not in the text there is.
    TextEnds,
}

/// Where the quote opened before `from` closes.
///
/// A closing quote comes before a delimiter, an end of line or the end of the file, within
/// [`QUOTED_BYTES_MAX`]. Without one the quote is an ordinary character. A damaged file could make this look ahead
/// again and again, which `reread` counts: past its bound a quote has to close on its own line.
pub(crate) fn find_closing_quote(bytes: &[u8], from: usize, delimiter: u8, reread: &mut usize) -> QuoteEnd {
    let mut limit = bytes.len().min(from + QUOTED_BYTES_MAX);
    if *reread > REREAD_BYTES_MAX {
        let rest = bytes.get(from..limit).unwrap_or_default();
        limit = from + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }
    let (mut at, mut has_doubled) = (from, false);
    while let Some(length) = bytes.get(at..limit).and_then(|rest| memchr::memchr(b'"', rest)) {
        let quote = at + length;
        match bytes.get(quote + 1) {
            Some(b'"') => {
                has_doubled = true;
                at = quote + 2;
            }
            None => return QuoteEnd::ClosedByEnd { at: quote, has_doubled },
            Some(b'\n' | b'\r') => return QuoteEnd::Closed { at: quote, has_doubled },
            Some(next) if *next == delimiter => return QuoteEnd::Closed { at: quote, has_doubled },
            Some(_) => {
                *reread += quote - from;
                return QuoteEnd::NotClosed;
            }
        }
    }
    *reread += limit.saturating_sub(from);
    if limit == bytes.len() { QuoteEnd::TextEnds } else { QuoteEnd::NotClosed }
}
