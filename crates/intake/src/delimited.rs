//! CSV and its relatives: text with delimiters and quotes into a table.
//!
//! Our own reader instead of the `csv` crate, for three reasons: cells are spans into the file's text instead
//! of copies; a quote that never closes is an issue at its row and eats no rows; and every bound is checked
//! while reading. A test holds it to the `csv` crate's result on well-formed input of every dialect.

use crate::issue::{Code, Finding};
use crate::limits::{CELL_BYTES_MAX, CELLS_MAX, COLUMNS_MAX, REREAD_BYTES_MAX, ROWS_MAX, SAMPLE_BYTES};
use crate::refusal::Refusal;
use crate::table::{Table, packed};

mod ahead;
mod marks;

use marks::Marks;

/// A table and what was noticed while reading it.
pub(crate) struct Delimited {
    pub table: Table,
    pub notes: Vec<Finding>,
}

/// Rows being read: cells as spans, and the texts of cells with doubled quotes, which lie behind the file's own.
#[derive(Default)]
struct Rows {
    table: Table,
    notes: Vec<Finding>,
    extra: String,
}

struct Reader<'t> {
    text: &'t str,
    delimiter: u8,
    marks: Marks,
    at: usize,
    line: u32,
    /// Bytes gone over again after quotes that did not close.
    reread: usize,
    /// Whether a quote was looked for up to the end of the text and found open there.
    is_open: bool,
}

/// Fields that are read in one go.
const RUN: usize = 64;

/// What stands between a field and the next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Field,
    Row,
    File,
}

enum Content {
    /// Between `from` and `to` as it stands.
    Plain(usize, usize),
    /// Between `from` and `to` with doubled quotes.
    Doubled(usize, usize),
}

/// Reads `text`, at most its first `rows`, a large one on several threads.
pub(crate) fn read(text: String, delimiter: u8, rows: usize, threads: usize) -> Result<Delimited, Refusal> {
    let source = text;
    let mut read = Rows::default();
    let whole = rows > ROWS_MAX;
    let mut reader = Reader::new(&source, delimiter);
    reader.skip_separator_line();
    if whole && threads > 1 {
        reader.on_threads(threads, &mut read)?;
    } else {
        if whole {
            read.table.expect_cells(expected_cells(source.as_bytes(), delimiter));
        }
        reader.rows(source.len(), rows, &mut read)?;
    }
    Ok(Delimited { table: read.table.resting_on(source, &read.extra), notes: read.notes })
}

/// Reads at most the first `rows` of a text whose rest is not there. It ends behind a line break. What is read is
/// what [`read`] would read of the whole: a row that may go on in the rest is the end.
pub(crate) fn read_beginning(text: String, delimiter: u8, rows: usize) -> Result<Delimited, Refusal> {
    let source = text;
    let mut read = Rows::default();
    let mut reader = Reader::new(&source, delimiter);
    reader.skip_separator_line();
    while reader.at < source.len() && read.table.row_count() < rows {
        let (width, notes) = (read.table.width(), read.notes.len());
        reader.row(&mut read)?;
        if reader.is_open {
            read.table.take_back_row(width);
            read.notes.truncate(notes);
            break;
        }
    }
    Ok(Delimited { table: read.table.resting_on(source, &read.extra), notes: read.notes })
}

/// As many cells as the first of the text would make of the whole, and a little more.
fn expected_cells(bytes: &[u8], delimiter: u8) -> usize {
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES)];
    let ends = memchr::memchr2_iter(delimiter, b'\n', sample).count() + 1;
    let parts = bytes.len() / sample.len().max(1);
    (ends * parts + ends * parts / 16).min(bytes.len() / 3 + 1).min(CELLS_MAX)
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, delimiter: u8) -> Reader<'t> {
        let marks = Marks::new(delimiter);
        Reader { text, delimiter, marks, at: 0, line: 1, reread: 0, is_open: false }
    }

    /// Spreadsheets write `sep=;` as a first line that is no data.
    fn skip_separator_line(&mut self) {
        let first = self.text.lines().next().unwrap_or_default();
        if first.len() == 5 && first.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("sep=")) {
            self.at = first.len();
            self.newline();
        }
    }

    fn newline(&mut self) {
        let bytes = self.text.as_bytes();
        if bytes.get(self.at) == Some(&b'\r') {
            self.at += 1;
        }
        if bytes.get(self.at) == Some(&b'\n') {
            self.at += 1;
        }
        self.line += 1;
    }

    /// Reads rows until one begins at `end` or behind it, or there are as many as `most`.
    fn rows(&mut self, end: usize, most: usize, read: &mut Rows) -> Result<(), Refusal> {
        while self.at < end && read.table.row_count() < most {
            self.row(read)?;
        }
        Ok(())
    }

    fn row(&mut self, read: &mut Rows) -> Result<(), Refusal> {
        let Rows { table, notes, extra } = read;
        let (first, line, row) = (table.cell_count(), self.line, table.row_count());
        if row >= ROWS_MAX {
            return Err(Refusal::TooManyRows);
        }
        let begin = self.at;
        table.begin_row(begin, self.text.len() + extra.len());
        let mut columns = 0usize;
        loop {
            let (count, end) = self.usual_run(begin, table);
            columns += count;
            if end.is_some() {
                break;
            }
            let from = self.at;
            let end = if let Some((len, end)) = self.usual() {
                table.push_span(from, len);
                end
            } else {
                let (content, end, unclosed) = self.field();
                if unclosed {
                    notes.push(Finding::at(Code::QuoteNotClosed, row, columns));
                }
                let cut = || notes.push(Finding::at(Code::CellCut, row, columns));
                self.push(&content, table, extra, cut);
                end
            };
            columns += 1;
            if end != End::Field {
                break;
            }
            if columns > COLUMNS_MAX {
                break;
            }
        }
        if columns > COLUMNS_MAX {
            return Err(Refusal::TooManyColumns { row: line });
        }
        table.end_row(first, line);
        if table.cell_count() > CELLS_MAX {
            return Err(Refusal::TooManyCells);
        }
        Ok(())
    }

    fn push(&self, content: &Content, table: &mut Table, extra: &mut String, cut: impl FnOnce()) {
        match *content {
            Content::Plain(from, to) => {
                let kept = bounded(&self.text[from..to], cut);
                table.push_span(from, kept.len());
            }
            Content::Doubled(from, to) => {
                let start = extra.len();
                let kept = bounded(&self.text[from..to], cut);
                extra.push_str(&kept.replace("\"\"", "\""));
                table.push_span_behind(self.text.len() + start, extra.len() - start);
            }
        }
    }

    /// The next fields as long as they have no quotes and are short: nearly all are so. How many there are, and what
    /// ended the row where it ended among them.
    ///
    /// What is said here again for one field of any length is said for speed: a field takes a few instructions.
    #[inline]
    fn usual_run(&mut self, begin: usize, table: &mut Table) -> (usize, Option<End>) {
        let bytes = self.text.as_bytes();
        let (mut marks, mut at, mut count) = (self.marks, self.at, 0);
        let mut cells = [0; RUN];
        let mut end = None;
        for cell in &mut cells {
            let from = at;
            let next = bytes.get(from);
            if next == Some(&b'"') {
                break;
            }
            let to = marks.next(bytes, from);
            let Some(packed) = packed(from - begin, to - from) else { break };
            (*cell, count, at) = (packed, count + 1, to);
            match bytes.get(to) {
                Some(mark) if *mark == self.delimiter => at += 1,
                Some(_) => {
                    end = Some(End::Row);
                    break;
                }
                None => {
                    end = Some(End::File);
                    break;
                }
            }
        }
        (self.marks, self.at) = (marks, at);
        if end == Some(End::Row) {
            self.newline();
        }
        table.push_packed(cells.get(..count).unwrap_or_default());
        (count, end)
    }

    /// The length of the next field and what ends it, where it has no quotes and is not too long.
    fn usual(&mut self) -> Option<(usize, End)> {
        let from = self.at;
        if self.text.as_bytes().get(from) == Some(&b'"') {
            return None;
        }
        let to = self.end_of_plain(from);
        if to - from > CELL_BYTES_MAX {
            return None;
        }
        self.at = to;
        Some((to - from, self.end()))
    }

    /// The next field, what ends it, and whether its quote never closed.
    fn field(&mut self) -> (Content, End, bool) {
        let bytes = self.text.as_bytes();
        let mut unclosed = false;
        if bytes.get(self.at) == Some(&b'"') {
            let from = self.at + 1;
            match self.closing(from) {
                Some((to, doubled)) => {
                    self.line += count_lines(&bytes[from..to]);
                    self.at = to + 1;
                    let content = if doubled { Content::Doubled(from, to) } else { Content::Plain(from, to) };
                    return (content, self.end(), false);
                }
                None => unclosed = true,
            }
        }
        let from = self.at;
        self.at = self.end_of_plain(from);
        (Content::Plain(from, self.at), self.end(), unclosed)
    }

    /// Where the field without quotes that begins at `from` ends.
    #[inline]
    fn end_of_plain(&mut self, from: usize) -> usize {
        self.marks.next(self.text.as_bytes(), from)
    }

    /// Steps over what ends a field.
    fn end(&mut self) -> End {
        match self.text.as_bytes().get(self.at) {
            None => End::File,
            Some(b) if *b == self.delimiter => {
                self.at += 1;
                End::Field
            }
            Some(_) => {
                self.newline();
                End::Row
            }
        }
    }

    /// Where the quote opened before `from` closes, and whether quotes are doubled inside.
    ///
    /// A closing quote stands before a delimiter, an end of line or the end of the file. Without one the quote
    /// is an ordinary character. A damaged file could make this look ahead again and again: past the bound a
    /// quote has to close on its own line.
    fn closing(&mut self, from: usize) -> Option<(usize, bool)> {
        let bytes = self.text.as_bytes();
        let mut limit = bytes.len();
        if self.reread > REREAD_BYTES_MAX {
            limit = from + memchr::memchr(b'\n', &bytes[from..]).unwrap_or(bytes.len() - from);
        }
        let (mut at, mut doubled) = (from, false);
        while let Some(n) = memchr::memchr(b'"', &bytes[at..limit]) {
            let quote = at + n;
            match bytes.get(quote + 1) {
                Some(b'"') => {
                    doubled = true;
                    at = quote + 2;
                    if at > limit {
                        break;
                    }
                }
                None | Some(b'\n' | b'\r') => return Some((quote, doubled)),
                Some(b) if *b == self.delimiter => return Some((quote, doubled)),
                Some(_) => {
                    self.reread += quote - from;
                    return None;
                }
            }
        }
        self.is_open = true;
        self.reread += limit.saturating_sub(from);
        None
    }
}

fn count_lines(bytes: &[u8]) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', bytes).count()).unwrap_or(0)
}

/// The text cut to [`CELL_BYTES_MAX`] at a character's edge.
pub(crate) fn bounded(text: &str, cut: impl FnOnce()) -> &str {
    if text.len() <= CELL_BYTES_MAX {
        return text;
    }
    cut();
    let mut end = CELL_BYTES_MAX;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
