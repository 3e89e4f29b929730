//! A table of cells as text: one text for all cells, and where in it each cell's text is.
//!
//! A file of 100,000 rows and 44 columns has 4.4 million cells. A `String` for each would take ten times the
//! file; here a CSV file's own text is kept once and every cell is six bytes beside it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::computed_columns::ComputedColumns;

/// What a spreadsheet says a cell is. Cells of CSV and pasted tables are all text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

/// Where a cell's text is: all bounds of what is read are far below four gigabytes, and no cell keeps more than
/// [`crate::limits::CELL_BYTES_MAX`]. Packed, as there are millions.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed(2))]
struct CellRange {
    start: u32,
    length: u16,
}

impl CellRange {
    #[inline]
    fn new(start: usize, length: usize) -> CellRange {
        CellRange { start: to_u32(start), length: u16::try_from(length).unwrap_or(u16::MAX) }
    }

    #[inline]
    fn bytes(self) -> Range<usize> {
        self.start as usize..self.start as usize + usize::from(self.length)
    }
}

#[derive(Clone, Copy, Debug)]
struct RowRange {
    first: u32,
    line: u32,
    /// Cells the row had, those at its empty end included.
    raw: u32,
}

/// A number with both its texts, one of which is its cell's.
#[derive(Clone, Copy, Debug)]
struct FormattedNumber {
    cell: u32,
    stored: CellRange,
    shown: CellRange,
}

/// A number that its workbook shows otherwise than it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownNumber<'a> {
    /// Row of the table.
    pub row: usize,
    /// Column of the table.
    pub column: usize,
    /// As the workbook shows it, such as `00123`.
    pub shown: &'a str,
    /// As the workbook stores it, such as `123`.
    pub stored: &'a str,
}

impl ShownNumber<'_> {
    /// Whether it is shown as percent or with a currency, and not with zeros and marks alone.
    pub fn has_unit(&self) -> bool {
        has_unit(self.shown)
    }
}

fn has_unit(shown: &str) -> bool {
    shown.contains(|c: char| !c.is_ascii_digit() && !matches!(c, '-' | ' ' | '(' | ')'))
}

/// The cells of one sheet, file or paste.
#[derive(Clone, Debug, Default)]
pub struct Table {
    text: String,
    cells: Vec<CellRange>,
    /// Empty when every cell is text.
    kinds: Vec<CellKind>,
    rows: Vec<RowRange>,
    width: usize,
    from_1904: bool,
    /// Numbers that a format shows with other digits or marks than are stored, in the order of cells.
    formatted: Vec<FormattedNumber>,
    is_as_stored: bool,
    edits: BTreeMap<(u32, u16), Box<str>>,
    computed: ComputedColumns,
}

impl Table {
    /// Puts the text under ranges made before: the file's own, then `appended`.
    pub(crate) fn with_appended_text(mut self, text: String, appended: &str) -> Table {
        self.text = text;
        self.text.push_str(appended);
        self.trim_blank_rows()
    }

    /// Bytes of the texts of all cells.
    pub fn text_len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// Makes room for this many cells at once.
    pub(crate) fn reserve_cells(&mut self, count: usize) {
        self.cells.reserve_exact(count);
    }

    /// Adds a cell of `length` bytes from `start` on, of a text that is given later.
    #[inline]
    pub(crate) fn push_range(&mut self, start: usize, length: usize) {
        self.cells.push(CellRange::new(start, length));
    }

    /// Adds a cell with its own text, behind the others.
    pub(crate) fn push_cell(&mut self, text: &str, kind: CellKind) {
        self.push_range(self.text.len(), text.len());
        self.text.push_str(text);
        self.kinds.push(kind);
    }

    /// Adds a number whose format shows it as another text: that is the cell's, until [`Table::show_numbers`].
    pub(crate) fn push_formatted(&mut self, stored: &str, shown: &str) {
        let cell = to_u32(self.cells.len());
        let from = self.text.len();
        self.text.push_str(stored);
        let stored = CellRange::new(from, stored.len());
        self.push_cell(shown, CellKind::Text);
        if let Some(shown) = self.cells.last().copied() {
            self.formatted.push(FormattedNumber { cell, stored, shown });
        }
    }

    /// Takes numbers as they are stored, whatever zeros and marks their formats show: a person has chosen so.
    pub(crate) fn keep_stored_numbers(&mut self) {
        self.is_as_stored = true;
        self.show_numbers(|_| true);
    }

    /// Whether a person has chosen stored numbers.
    pub fn is_as_stored(&self) -> bool {
        self.is_as_stored
    }

    /// Shows formatted numbers as their workbook does, in the columns that are given; one of percent or of another
    /// currency everywhere.
    pub fn show_numbers(&mut self, is_shown: impl Fn(usize) -> bool) {
        for number in &self.formatted {
            let at = number.cell as usize;
            let row = self.rows.partition_point(|row| row.first <= number.cell).saturating_sub(1);
            let column = at - self.rows.get(row).map_or(0, |row| row.first) as usize;
            let has_unit = has_unit(&self.text[number.shown.bytes()]);
            let is_shown = has_unit || (!self.is_as_stored && is_shown(column));
            let (range, kind) =
                if is_shown { (number.shown, CellKind::Text) } else { (number.stored, CellKind::Number) };
            if let (Some(cell), Some(of_cell)) = (self.cells.get_mut(at), self.kinds.get_mut(at)) {
                (*cell, *of_cell) = (range, kind);
            }
        }
    }

    /// Numbers that the workbook shows otherwise than it stores them, whichever of the two is taken.
    pub fn formatted_numbers(&self) -> impl ExactSizeIterator<Item = ShownNumber<'_>> {
        let text = |range: CellRange| &self.text[range.bytes()];
        self.formatted.iter().map(move |number| {
            let row = self.rows.partition_point(|row| row.first <= number.cell).saturating_sub(1);
            let column = (number.cell - self.rows.get(row).map_or(0, |row| row.first)) as usize;
            ShownNumber { row, column, shown: text(number.shown), stored: text(number.stored) }
        })
    }

    /// The number of a cell that the workbook shows otherwise than it stores it.
    pub(crate) fn formatted_number(&self, row: usize, column: usize) -> Option<ShownNumber<'_>> {
        let range = self.row_cells(row).own;
        let cell = to_u32(range.start + column);
        let at = self.formatted.binary_search_by_key(&cell, |number| number.cell).ok()?;
        let text = |range: CellRange| &self.text[range.bytes()];
        let number = self.formatted.get(at).filter(|_| column < range.len())?;
        Some(ShownNumber { row, column, shown: text(number.shown), stored: text(number.stored) })
    }

    /// Ends the row that began at cell `first`; empty cells at its end are not kept.
    pub(crate) fn end_row(&mut self, first: usize, line: u32) {
        let raw = self.cells.len() - first;
        self.width = self.width.max(raw);
        while self.cells.len() > first && self.cells.last().is_some_and(|cell| cell.length == 0) {
            self.cells.pop();
        }
        self.kinds.truncate(self.cells.len());
        self.rows.push(RowRange { first: to_u32(first), line, raw: to_u32(raw) });
    }

    /// Ends a row that had so many cells, those at its empty end included.
    pub(crate) fn end_row_of(&mut self, first: usize, line: u32, raw: u32) {
        self.end_row(first, line);
        if let Some(row) = self.rows.last_mut() {
            row.raw = raw;
        }
        self.width = self.width.max(raw as usize);
    }

    /// Blank rows at the end say nothing and are let go.
    pub(crate) fn trim_blank_rows(mut self) -> Table {
        while self.rows.last().is_some_and(|row| row.first as usize == self.cells.len()) {
            self.rows.pop();
        }
        self.cells.shrink_to_fit();
        self.rows.shrink_to_fit();
        self
    }

    /// How many rows, header and blank rows included.
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The most columns any row has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number, from 1, that a spreadsheet program shows of the row.
    pub fn line(&self, row: usize) -> u32 {
        self.rows.get(row).map_or(0, |r| r.line)
    }

    /// How many cells the row has up to its last one that is not empty.
    pub fn row_len(&self, row: usize) -> usize {
        self.row_cells(row).own.len()
    }

    /// How many cells the row has, those at its empty end included.
    pub fn raw_len(&self, row: usize) -> usize {
        self.rows.get(row).map_or(0, |r| r.raw as usize)
    }

    /// Whether no cell of the row has a text, edits included.
    pub fn is_blank(&self, row: usize) -> bool {
        let end = self.row_len(row);
        (0..end).all(|column| trim_blanks(self.own_text(row, column)).is_empty())
            && (self.edits.is_empty() || self.edits_of(row).all(|(_, text)| text.trim().is_empty()))
    }

    /// The text of a cell; empty where there is none.
    pub fn text_at(&self, row: usize, column: usize) -> &str {
        self.cell(row, column).text
    }

    /// A cell.
    pub fn cell(&self, row: usize, column: usize) -> Cell<'_> {
        match self.edit_at(row, column) {
            Some(text) => Cell { text, kind: CellKind::Text },
            None => self.original_cell(row, column),
        }
    }

    /// The cells of a row, which is looked up once for all of them.
    #[inline]
    pub fn row_cells(&self, row: usize) -> RowCells<'_> {
        let begin = |row: usize| self.rows.get(row).map_or(self.cells.len(), |own| own.first as usize);
        RowCells {
            table: self,
            row,
            own: begin(row)..begin(row.saturating_add(1)),
            is_as_read: self.edits.is_empty() && self.computed.is_empty(),
        }
    }

    #[inline]
    fn edit_at(&self, row: usize, column: usize) -> Option<&str> {
        if self.edits.is_empty() {
            return None;
        }
        let place = (u32::try_from(row).ok()?, u16::try_from(column).ok()?);
        self.edits.get(&place).map(AsRef::as_ref)
    }

    /// The text of a cell without what is made of others.
    pub fn own_text(&self, row: usize, column: usize) -> &str {
        self.edit_at(row, column).unwrap_or_else(|| self.read_cell(row, column).text)
    }

    /// A cell as it was read or made of others, without edits.
    pub fn original_cell(&self, row: usize, column: usize) -> Cell<'_> {
        let cell = self.read_cell(row, column);
        if self.computed.is_empty() || !trim_blanks(cell.text).is_empty() {
            return cell;
        }
        self.computed.cell(self, row, column).unwrap_or(cell)
    }

    /// Puts columns that are made in the place of those there were.
    pub fn set_computed(&mut self, computed: ComputedColumns) {
        self.computed = computed;
    }

    /// The columns that are made of others.
    pub fn computed(&self) -> &ComputedColumns {
        &self.computed
    }

    /// Whether the cell has the value for every row that has none.
    pub fn is_default(&self, row: usize, column: usize) -> bool {
        self.edit_at(row, column).is_none()
            && trim_blanks(self.read_cell(row, column).text).is_empty()
            && self.computed.is_default(self, row, column)
    }

    /// A cell as it was read.
    fn read_cell(&self, row: usize, column: usize) -> Cell<'_> {
        self.row_cells(row).read_cell(column)
    }

    /// Takes bytes at the front and at the back of a cell's text away; they are of ASCII, and the text has as many.
    pub(crate) fn narrow_cell(&mut self, row: usize, column: usize, front: u16, back: u16) {
        let range = self.row_cells(row).own;
        if column < range.len()
            && let Some(cell) = self.cells.get_mut(range.start + column)
            && cell.length >= front + back
        {
            (cell.start, cell.length) = (cell.start + u32::from(front), cell.length - front - back);
        }
    }

    /// Says that bare day numbers of the workbook are counted from 1904.
    pub(crate) fn count_from_1904(&mut self) {
        self.from_1904 = true;
    }

    /// Whether bare day numbers of the workbook are counted from 1904.
    pub(crate) fn counts_from_1904(&self) -> bool {
        self.from_1904
    }

    /// Days by which the workbook's day numbers are behind those of the usual epoch.
    pub fn epoch_days(&self) -> u64 {
        if self.from_1904 { 1_462 } else { 0 }
    }

    /// Changes a cell; `None` takes an earlier change back. Gives what the change was before.
    pub fn edit_cell(&mut self, row: usize, column: usize, text: Option<&str>) -> Option<Box<str>> {
        let (Ok(r), Ok(c)) = (u32::try_from(row), u16::try_from(column)) else { return None };
        let before = match text {
            Some(text) => self.edits.insert((r, c), text.into()),
            None => self.edits.remove(&(r, c)),
        };
        if !self.computed.is_empty() {
            let mut computed = std::mem::take(&mut self.computed);
            computed.refresh_row(self, row, column);
            self.computed = computed;
        }
        before
    }

    /// Every change in force: row, column, text.
    pub fn edits(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        self.edits.iter().map(|((row, column), text)| (*row as usize, usize::from(*column), text.as_ref()))
    }

    /// Whether a change of the cell is in force.
    pub fn is_edited(&self, row: usize, column: usize) -> bool {
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
        self.rows.push(RowRange { first: to_u32(self.cells.len()), line, raw: 0 });
        self.rows.len() - 1
    }
}

/// The cells of one row of a table.
#[derive(Clone, Debug)]
pub struct RowCells<'t> {
    table: &'t Table,
    row: usize,
    own: Range<usize>,
    /// Whether no cell of the table is edited or made of others.
    is_as_read: bool,
}

impl<'t> RowCells<'t> {
    /// The cell in this column, the same as [`Table::cell`].
    #[inline]
    pub fn cell(&self, column: usize) -> Cell<'t> {
        if self.is_as_read { self.read_cell(column) } else { self.table.cell(self.row, column) }
    }

    /// The cell in this column without edits, the same as [`Table::original_cell`].
    #[inline]
    pub fn original_cell(&self, column: usize) -> Cell<'t> {
        if self.is_as_read { self.read_cell(column) } else { self.table.original_cell(self.row, column) }
    }

    /// A cell as it was read.
    #[inline]
    fn read_cell(&self, column: usize) -> Cell<'t> {
        let at = self.own.start + column;
        match self.table.cells.get(at) {
            Some(cell) if at < self.own.end => {
                let text = &self.table.text[cell.bytes()];
                Cell { text, kind: self.table.kinds.get(at).copied().unwrap_or_default() }
            }
            _ => Cell { text: "", kind: CellKind::Text },
        }
    }
}

/// The text without blanks around it. Most texts have none, which their first and last byte tell.
#[inline]
pub fn trim_blanks(text: &str) -> &str {
    match text.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        [only] if only.is_ascii_graphic() => text,
        _ => text.trim(),
    }
}

/// Column letters as a spreadsheet shows them: 0 is `A`, 27 is `AB`.
pub fn column_letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        letters.push(char::from(b'A' + u8::try_from((rest - 1) % 26).unwrap_or(0)));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

pub(crate) fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
