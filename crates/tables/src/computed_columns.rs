//! Cells that are made of others, beside those that were read.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::amount;
use crate::detection::DecimalMark;
use crate::table::{Cell, CellKind, Table};
use crate::text_cut::{TextCut, cut_cell, cut_text};

/// Columns whose cells are made where none was read.
#[derive(Clone, Debug, Default)]
pub struct ComputedColumns {
    /// The first row behind the headers.
    first_row: usize,
    columns: BTreeMap<u16, ComputedColumn>,
}

#[derive(Clone, Debug, Default)]
struct ComputedColumn {
    recipe: Option<CellRecipe>,
    texts: String,
    /// Where in the texts those of the rows are, from the first row behind the headers on.
    cells: Vec<ComputedCell>,
    default: Option<DefaultCell>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ComputedCell {
    start: u32,
    length: u16,
    kind: CellKind,
}

/// A value for every row that has none.
#[derive(Clone, Debug)]
pub struct DefaultCell {
    /// The value.
    pub text: Box<str>,
    /// Its kind.
    pub kind: CellKind,
    /// Further columns of the same meaning: where one has a value nothing is missing.
    pub others: Vec<u16>,
}

/// How a cell is made of others.
#[derive(Clone, Debug)]
pub enum CellRecipe {
    /// A part of another one's text.
    Part {
        /// The column of the other.
        from: u16,
        /// Where it is cut.
        cut: TextCut,
        /// Which part, from 0.
        nth: usize,
        /// Into how many it is cut.
        parts: usize,
    },
    /// Several cells in one; empty ones are skipped.
    Merge {
        /// Their columns, in order.
        from: Vec<u16>,
        /// What is put between them.
        separator: String,
    },
    /// The sum of several amounts; a dash beside one is nothing, and a word such as CR says of the amount before it that it is
    /// a credit. Where one can't be read all of them are left as they are, for a person to see.
    Sum {
        /// Their columns, in order.
        from: Vec<u16>,
        /// Whether those behind the first are taken off it.
        is_difference: bool,
        /// Their decimal mark.
        mark: DecimalMark,
    },
    /// Those of several amounts that aren't nothing, or a name for each of them, with bars between them.
    Entries {
        /// Their columns, in order.
        from: Vec<u16>,
        /// What is written for each of them; none for the amounts themselves.
        names: Vec<Box<str>>,
        /// Their decimal mark.
        mark: DecimalMark,
    },
    /// Another one's cell, in rows where a second one has one of some texts.
    OfRows {
        /// Its column, and that of the text.
        from: [u16; 2],
        /// The texts, in lower case.
        texts: BTreeSet<String>,
    },
}

impl ComputedColumns {
    /// None yet, of a table whose rows begin here, behind the headers.
    pub fn new(first_row: usize) -> ComputedColumns {
        ComputedColumns { first_row, columns: BTreeMap::new() }
    }

    /// Makes the cells of a column of others.
    pub fn add_recipe(&mut self, table: &Table, column: u16, recipe: CellRecipe) {
        let mut made = ComputedColumn { recipe: Some(recipe), ..ComputedColumn::default() };
        made.cells.resize(self.first_row, ComputedCell::default());
        for row in self.first_row..table.row_count() {
            made.compute_row(table, row);
        }
        self.columns.insert(column, made);
    }

    /// Gives the rows of a column that have nothing a value.
    pub fn set_default(&mut self, column: u16, default: DefaultCell) {
        self.columns.entry(column).or_default().default = Some(default);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The columns that are made.
    pub fn columns(&self) -> impl Iterator<Item = u16> {
        self.columns.keys().copied()
    }

    /// The columns whose texts the cells of a column have; none for a value for every row.
    pub fn columns_behind(&self, column: u16) -> &[u16] {
        match self.columns.get(&column).and_then(|made| made.recipe.as_ref()) {
            Some(CellRecipe::Part { from, .. }) => std::slice::from_ref(from),
            Some(
                CellRecipe::Merge { from, .. }
                | CellRecipe::Sum { from, .. }
                | CellRecipe::Entries { from, .. },
            ) => from,
            Some(CellRecipe::OfRows { from: [from, _], .. }) => std::slice::from_ref(from),
            None => &[],
        }
    }

    /// The columns whose cells change with those of a column.
    pub fn columns_made_from(&self, column: usize) -> impl Iterator<Item = u16> {
        let is_from = move |made: &ComputedColumn| made.recipe.as_ref().is_some_and(|own| own.needs(column));
        self.columns.iter().filter(move |(_, made)| is_from(made)).map(|(at, _)| *at)
    }

    /// What is made of a cell that was read empty.
    pub(crate) fn cell(&self, table: &Table, row: usize, column: usize) -> Option<Cell<'_>> {
        let made = self.columns.get(&u16::try_from(column).ok()?)?;
        if let Some(own) = made.cells.get(row).filter(|own| own.length > 0) {
            let range = own.start as usize..own.start as usize + usize::from(own.length);
            return Some(Cell { text: made.texts.get(range)?, kind: own.kind });
        }
        let default = made.default.as_ref().filter(|_| row >= self.first_row)?;
        let is_there = |other: &u16| !table.text_at(row, usize::from(*other)).trim().is_empty();
        let is_missing = !default.others.iter().any(is_there);
        is_missing.then_some(Cell { text: &default.text, kind: default.kind })
    }

    /// Whether the cell has the value for every row.
    pub(crate) fn is_default(&self, table: &Table, row: usize, column: usize) -> bool {
        let made = u16::try_from(column).ok().and_then(|column| self.columns.get(&column));
        let has_own = |made: &ComputedColumn| made.cells.get(row).is_some_and(|own| own.length > 0);
        made.is_some_and(|made| !has_own(made)) && self.cell(table, row, column).is_some()
    }

    /// Makes the cells of a row again that come from a column that was changed.
    pub(crate) fn refresh_row(&mut self, table: &Table, row: usize, column: usize) {
        for made in self.columns.values_mut() {
            if made.recipe.as_ref().is_some_and(|recipe| recipe.needs(column)) {
                made.compute_row(table, row);
            }
        }
    }
}

impl ComputedColumn {
    /// Texts are put behind those that are there: what was changed before keeps its room.
    fn compute_row(&mut self, table: &Table, row: usize) {
        let Some(recipe) = &self.recipe else { return };
        let start = self.texts.len();
        let kind = recipe.write_cell(table, row, &mut self.texts);
        // A text as long as that is too long for its field, which is an issue.
        let length = cut_cell(&self.texts[start..], || {}).len();
        self.texts.truncate(start + length);
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let cell =
            ComputedCell { start: small(start), length: u16::try_from(length).unwrap_or(u16::MAX), kind };
        if self.cells.len() <= row {
            self.cells.resize(row + 1, ComputedCell::default());
        }
        self.cells[row] = cell;
    }
}

impl CellRecipe {
    fn needs(&self, column: usize) -> bool {
        match self {
            CellRecipe::Part { from, .. } => usize::from(*from) == column,
            CellRecipe::Merge { from, .. }
            | CellRecipe::Sum { from, .. }
            | CellRecipe::Entries { from, .. } => from.iter().any(|from| usize::from(*from) == column),
            CellRecipe::OfRows { from, .. } => from.iter().any(|from| usize::from(*from) == column),
        }
    }

    /// A failed formula makes a failed cell.
    fn write_cell(&self, table: &Table, row: usize, text: &mut String) -> CellKind {
        let kind_of = |cell: &Cell<'_>| match cell.kind {
            CellKind::Error => CellKind::Error,
            _ => CellKind::Text,
        };
        match self {
            CellRecipe::Part { from, cut, nth, parts } => {
                let cell = table.cell(row, usize::from(*from));
                text.push_str(cut_text(cell.text, cut, *parts).get(*nth).copied().unwrap_or_default());
                kind_of(&cell)
            }
            CellRecipe::Merge { from, separator } => {
                let start = text.len();
                let mut kind = CellKind::Text;
                for column in from {
                    let cell = table.cell(row, usize::from(*column));
                    let own = cell.text.trim();
                    if own.is_empty() {
                        continue;
                    }
                    if text.len() > start {
                        text.push_str(separator);
                    }
                    text.push_str(own);
                    if cell.kind == CellKind::Error {
                        kind = CellKind::Error;
                    }
                }
                kind
            }
            CellRecipe::Sum { from, is_difference, mark } => {
                let cells = from.iter().map(|column| table.cell(row, usize::from(*column))).enumerate();
                let cells: Vec<_> = cells.filter(|(_, cell)| !cell.text.trim().is_empty()).collect();
                let is_word = |cell: &Cell<'_>| amount::credit_word(cell.text).is_some();
                if cells.iter().all(|(_, cell)| is_word(cell)) {
                    CellKind::Text
                } else if let Some(sum) = sum_cells(&cells, *is_difference, *mark) {
                    text.push_str(&amount::cents_text(sum));
                    CellKind::Number
                } else {
                    let texts: Vec<&str> = cells.iter().map(|(_, cell)| cell.text.trim()).collect();
                    text.push_str(&texts.join(if *is_difference { " - " } else { " + " }));
                    let has_failed = cells.iter().any(|(_, cell)| cell.kind == CellKind::Error);
                    if has_failed { CellKind::Error } else { CellKind::Text }
                }
            }
            CellRecipe::Entries { from, names, mark } => {
                let cells: Vec<_> = from.iter().map(|column| table.cell(row, usize::from(*column))).collect();
                let cents: Vec<_> = cells.iter().map(|cell| amount::parse_cents(*cell, *mark).ok()).collect();
                let is_there = |at: &usize| {
                    let text = cells[*at].text.trim();
                    cents[*at] != Some(0) && !text.is_empty() && !amount::is_dash(text)
                };
                let there: Vec<usize> = (0..cells.len()).filter(is_there).collect();
                // Where one can't be read all of them are left as they are, for a person to see.
                let are_read = there.iter().all(|at| cents[*at].is_some());
                let entries = there.iter().map(|at| match (names.get(*at), cents[*at]) {
                    (Some(name), _) => Cow::Borrowed(&**name),
                    (None, Some(cents)) if are_read => Cow::Owned(amount::cents_text(cents)),
                    (None, _) => Cow::Borrowed(cells[*at].text.trim()),
                });
                text.push_str(&entries.collect::<Vec<_>>().join(" | "));
                if names.is_empty() && are_read { CellKind::Number } else { CellKind::Text }
            }
            CellRecipe::OfRows { from: [from, by], texts } => {
                if !texts.contains(&table.text_at(row, usize::from(*by)).trim().to_lowercase()) {
                    return CellKind::Text;
                }
                let cell = table.cell(row, usize::from(*from));
                text.push_str(cell.text);
                cell.kind
            }
        }
    }
}

/// The cents of all cells, those behind the first column taken off where that is asked for; `None` where one can't be read, or
/// a word contradicts its amount's sign, or there are only dashes.
fn sum_cells(cells: &[(usize, Cell<'_>)], is_difference: bool, mark: DecimalMark) -> Option<i64> {
    let (mut sum, mut last, mut is_said) = (0_i64, 0_i64, false);
    for (nth, cell) in cells {
        if let Some(is_credit) = amount::credit_word(cell.text) {
            if last < 0 && !is_credit {
                return None;
            }
            let signed = if is_credit { -last.abs() } else { last };
            (sum, last) = (sum.checked_add(signed.checked_sub(last)?)?, signed);
        } else if !amount::is_dash(cell.text) {
            let cents = amount::parse_cents(*cell, mark).ok()?;
            last = if *nth > 0 && is_difference { -cents } else { cents };
            (sum, is_said) = (sum.checked_add(last)?, true);
        }
    }
    is_said.then_some(sum)
}
