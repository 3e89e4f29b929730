//! A table of cells as text: one text for all cells, a span per cell.
//!
//! A file of 100,000 rows and 44 columns has 4.4 million cells. A `String` for each would take ten times the
//! file; here a CSV file's own text is kept once and every cell is four bytes beside it.

use std::collections::BTreeMap;

mod spans;

pub(crate) use spans::packed;
use spans::{Begin, RowSpans, Spans, small};

/// What a spreadsheet says a cell is. Cells of CSV and pasted tables are all text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum CellKind {
    /// Text, or a cell without a kind.
    #[default]
    Text,
    /// A number, written in the shortest form that reads back as the same number.
    Number,
    /// A date, written `yyyy-mm-dd`.
    Date,
    /// TRUE or FALSE.
    Flag,
    /// An error value such as `#REF!`.
    Error,
}

/// A cell: its text as found and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The text; empty where there is no cell.
    pub text: &'a str,
    /// What the spreadsheet says it is.
    pub kind: CellKind,
}

#[derive(Clone, Copy, Debug)]
struct RowSpan {
    first: u32,
    line: u32,
    /// Cells the row had, those at its empty end included.
    raw: u32,
    begin: Begin,
}

/// The cells of one sheet, file or paste.
#[derive(Clone, Debug, Default)]
pub struct Table {
    text: String,
    spans: Spans,
    /// Where the texts of the row that is being read begin.
    begin: Begin,
    /// Empty when every cell is text.
    kinds: Vec<CellKind>,
    rows: Vec<RowSpan>,
    width: usize,
    from_1904: bool,
    edits: BTreeMap<(u32, u16), Box<str>>,
}

impl Table {
    /// Puts the text under spans made before: the file's own, then `extra`.
    pub(crate) fn resting_on(mut self, text: String, extra: &str) -> Table {
        self.text = text;
        self.text.push_str(extra);
        self.finish()
    }

    pub(crate) fn text_len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.spans.len()
    }

    /// Begins a row whose texts are not before these places: in the file's own text, and behind it.
    pub(crate) fn begin_row(&mut self, own: usize, behind: usize) {
        self.begin = Begin { own: small(own), behind: small(behind) };
    }

    /// Adds a cell of `len` bytes from `start` on, in the file's own text.
    #[inline]
    pub(crate) fn push_span(&mut self, start: usize, len: usize) {
        self.spans.push(start, len, self.begin);
    }

    /// Adds cells in the file's own text, [`packed`] by their places from the row's begin and their lengths.
    #[inline]
    pub(crate) fn push_packed(&mut self, cells: &[u32]) {
        self.spans.extend(cells);
    }

    /// Adds a cell whose text is put behind the file's own.
    pub(crate) fn push_span_behind(&mut self, start: usize, len: usize) {
        self.spans.push_behind(start, len, self.begin);
    }

    /// Adds a cell with a text of its own, behind the others.
    pub(crate) fn push_cell(&mut self, text: &str, kind: CellKind) {
        self.push_span(self.text.len(), text.len());
        self.text.push_str(text);
        self.kinds.push(kind);
    }

    /// Ends the row that began at span `first`; empty cells at its end are not kept.
    pub(crate) fn end_row(&mut self, first: usize, line: u32) {
        let raw = self.spans.len() - first;
        self.width = self.width.max(raw);
        let kept = self.spans.trim_row(first);
        self.kinds.truncate(kept);
        self.rows.push(RowSpan { first: small(first), line, raw: small(raw), begin: self.begin });
        self.begin_row(self.text.len(), self.text.len());
    }

    /// Takes the last row back, before which the table was of this width.
    pub(crate) fn take_back_row(&mut self, width: usize) {
        if let Some(row) = self.rows.pop() {
            self.spans.truncate(row.first as usize);
            self.width = width;
        }
    }

    /// Blank rows at the end say nothing and are let go.
    pub(crate) fn finish(mut self) -> Table {
        while self.rows.last().is_some_and(|r| r.first as usize == self.spans.len()) {
            self.rows.pop();
        }
        self.spans.shrink_to_fit();
        self.rows.shrink_to_fit();
        self
    }

    /// Appends rows whose lines are counted from 0 instead of `line`, and whose texts behind the file's own
    /// `text_len` bytes come behind `extra_len` others.
    pub(crate) fn append_rows(&mut self, rows: Table, line: u32, text_len: usize, extra_len: usize) {
        let (first, extra) = (small(self.spans.len()), small(extra_len));
        self.spans.append(rows.spans, small(text_len), extra);
        self.rows.extend(rows.rows.into_iter().map(|row| RowSpan {
            first: row.first + first,
            line: row.line + line,
            raw: row.raw,
            begin: Begin { behind: row.begin.behind + extra, ..row.begin },
        }));
        self.width = self.width.max(rows.width);
    }

    /// How many rows, header and blank rows included.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The most columns any row has.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The row's number as the file counts it, from 1: the line of a CSV file, the row of a sheet.
    #[must_use]
    pub fn line(&self, row: usize) -> u32 {
        self.rows.get(row).map_or(0, |r| r.line)
    }

    /// Makes room for this many cells at once, so that growing does not hold them twice.
    pub(crate) fn expect_cells(&mut self, count: usize) {
        self.spans.reserve_exact(count);
    }

    /// The row as it was read, for many cells of one row; `None` where cells of the row were changed.
    pub(crate) fn unchanged_row(&self, row: usize) -> Option<RowCells<'_>> {
        if !self.edits.is_empty() && self.edits_of(row).next().is_some() {
            return None;
        }
        let range = self.range(row);
        let kinds = self.kinds.get(range.clone()).unwrap_or_default();
        Some(RowCells { text: &self.text, spans: self.spans.of(range, self.begin_of(row)), kinds })
    }

    fn begin_of(&self, row: usize) -> Begin {
        self.rows.get(row).map_or_else(Begin::default, |row| row.begin)
    }

    fn range(&self, row: usize) -> std::ops::Range<usize> {
        let Some(span) = self.rows.get(row) else { return 0..0 };
        let end = self.rows.get(row + 1).map_or(self.spans.len(), |next| next.first as usize);
        span.first as usize..end
    }

    /// How many cells the row has up to its last one that is not empty.
    #[must_use]
    pub fn row_len(&self, row: usize) -> usize {
        self.range(row).len()
    }

    /// How many cells the row has, those at its empty end included.
    pub(crate) fn raw_len(&self, row: usize) -> usize {
        self.rows.get(row).map_or(0, |r| r.raw as usize)
    }

    /// Whether no cell of the row has a text, edits included.
    #[must_use]
    pub fn is_blank(&self, row: usize) -> bool {
        let end = self.row_len(row);
        (0..end).all(|column| trimmed(self.text_at(row, column)).is_empty())
            && (self.edits.is_empty() || self.edits_of(row).all(|(_, text)| text.trim().is_empty()))
    }

    /// The text of a cell; empty where there is none.
    #[must_use]
    pub fn text_at(&self, row: usize, column: usize) -> &str {
        self.cell(row, column).text
    }

    /// A cell.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Cell<'_> {
        if !self.edits.is_empty()
            && let (Ok(r), Ok(c)) = (u32::try_from(row), u16::try_from(column))
            && let Some(text) = self.edits.get(&(r, c))
        {
            return Cell { text, kind: CellKind::Text };
        }
        self.original(row, column)
    }

    /// A cell as it was read, edits left out.
    #[must_use]
    pub fn original(&self, row: usize, column: usize) -> Cell<'_> {
        let empty = Cell { text: "", kind: CellKind::Text };
        let Some(own) = self.rows.get(row) else { return empty };
        let at = own.first as usize + column;
        if self.rows.get(row + 1).is_some_and(|next| at >= next.first as usize) {
            return empty;
        }
        match self.spans.at(at, own.begin) {
            Some(span) => {
                Cell { text: &self.text[span.range()], kind: self.kinds.get(at).copied().unwrap_or_default() }
            }
            None => Cell { text: "", kind: self.kinds.get(at).copied().unwrap_or_default() },
        }
    }

    /// Takes bytes at the front and at the back of a cell's text away; they are of ASCII, and the text has as many.
    pub(crate) fn narrow(&mut self, row: usize, column: usize, front: u32, back: u32) {
        let (range, begin) = (self.range(row), self.begin_of(row));
        if column < range.len() {
            self.spans.narrow(range.start + column, begin, front, back);
        }
    }

    /// Says that bare day numbers of the workbook are counted from 1904.
    pub(crate) fn count_from_1904(&mut self) {
        self.from_1904 = true;
    }

    /// Days by which the workbook's day numbers are behind those of the usual epoch.
    pub(crate) fn epoch_days(&self) -> u64 {
        if self.from_1904 { 1_462 } else { 0 }
    }

    /// Changes a cell; `None` takes an earlier change back. Gives what the change was before.
    pub fn edit(&mut self, row: usize, column: usize, text: Option<&str>) -> Option<Box<str>> {
        let (Ok(r), Ok(c)) = (u32::try_from(row), u16::try_from(column)) else { return None };
        match text {
            Some(text) => self.edits.insert((r, c), text.into()),
            None => self.edits.remove(&(r, c)),
        }
    }

    /// Every change in force: row, column, text.
    pub fn edits(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        self.edits.iter().map(|((row, column), text)| (*row as usize, usize::from(*column), text.as_ref()))
    }

    /// Whether a change of the cell is in force.
    pub(crate) fn is_edited(&self, row: usize, column: usize) -> bool {
        let (row, column) = (u32::try_from(row), u16::try_from(column));
        matches!((row, column), (Ok(row), Ok(column)) if self.edits.contains_key(&(row, column)))
    }

    fn edits_of(&self, row: usize) -> impl Iterator<Item = (u16, &str)> {
        let row = u32::try_from(row).unwrap_or(u32::MAX);
        self.edits.range((row, 0)..=(row, u16::MAX)).map(|((_, column), text)| (*column, text.as_ref()))
    }

    /// Adds an empty row at the end (a pasted range may need it) and gives its index.
    pub fn add_row(&mut self) -> usize {
        let line = self.rows.last().map_or(1, |r| r.line + 1);
        let first = small(self.spans.len());
        self.rows.push(RowSpan { first, line, raw: 0, begin: Begin::default() });
        self.rows.len() - 1
    }
}

/// The text without blanks around it. Most texts have none, which their first and last byte tell.
#[inline]
pub(crate) fn trimmed(text: &str) -> &str {
    match text.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        [only] if only.is_ascii_graphic() => text,
        _ => text.trim(),
    }
}

/// The cells of one row.
#[derive(Clone, Copy)]
pub(crate) struct RowCells<'t> {
    text: &'t str,
    spans: RowSpans<'t>,
    kinds: &'t [CellKind],
}

impl<'t> RowCells<'t> {
    #[inline]
    pub(crate) fn cell(&self, column: u16) -> Cell<'t> {
        let at = usize::from(column);
        match self.spans.get(at) {
            None => Cell { text: "", kind: CellKind::Text },
            Some(span) => {
                Cell { text: &self.text[span.range()], kind: self.kinds.get(at).copied().unwrap_or_default() }
            }
        }
    }
}
