//! Cells that the rules of a mapping make, beside those that were read.

use std::collections::BTreeMap;

use crate::column_rules::{ColumnRules, TextCut, cut_text, default_kind};
use crate::delimited_text::cut_cell;
use crate::field::Field;
use crate::layout::ColumnLayout;
use crate::table::{Cell, CellKind, Table};

/// By column of the table: a field's place, or the first of its columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComputedColumns(BTreeMap<u16, ComputedColumn>);

#[derive(Clone, Debug)]
struct ComputedColumn {
    field: Field,
    recipe: Option<CellRecipe>,
    texts: String,
    /// Where in the texts those of the rows are, from the first row behind the headers on.
    cells: Vec<ComputedCell>,
    default: Option<DefaultCell>,
}

#[derive(Clone, Copy, Debug)]
struct ComputedCell {
    start: u32,
    length: u16,
    kind: CellKind,
}

#[derive(Clone, Debug)]
struct DefaultCell {
    text: Box<str>,
    kind: CellKind,
    /// The first row behind the headers.
    from: usize,
    /// Further columns of the field: where one has a value nothing is missing.
    others: Vec<u16>,
}

/// How a cell is made of others.
#[derive(Clone, Debug)]
enum CellRecipe {
    Part { from: u16, cut: TextCut, nth: usize, parts: usize },
    Merge { from: Vec<u16>, separator: String },
}

impl ComputedColumns {
    /// The columns that the rules make of this table.
    pub(crate) fn new(
        table: &Table,
        rules: &ColumnRules,
        layout: &ColumnLayout,
        from: usize,
    ) -> ComputedColumns {
        let mut all = ComputedColumns::default();
        for split in &rules.splits {
            let Some(column) = layout.column_named(&split.from) else { continue };
            for (nth, field) in split.fields.iter().enumerate() {
                let recipe =
                    CellRecipe::Part { from: column, cut: split.cut.clone(), nth, parts: split.fields.len() };
                all.add_recipe(*field, recipe, table, layout, from);
            }
        }
        for merge in &rules.merges {
            let columns: Option<Vec<u16>> = merge.from.iter().map(|name| layout.column_named(name)).collect();
            let Some(columns) = columns else { continue };
            let recipe = CellRecipe::Merge { from: columns, separator: merge.separator.clone() };
            all.add_recipe(Some(merge.field), recipe, table, layout, from);
        }
        for (field, value) in &rules.defaults {
            let column = all.0.entry(layout.column_of(*field)).or_insert_with(|| ComputedColumn::new(*field));
            column.default = Some(DefaultCell {
                text: value.as_str().into(),
                kind: default_kind(*field),
                from,
                others: layout.columns_of(*field).iter().skip(1).copied().collect(),
            });
        }
        all
    }

    /// A field that the file has a column for keeps it.
    fn add_recipe(
        &mut self,
        field: Option<Field>,
        recipe: CellRecipe,
        table: &Table,
        layout: &ColumnLayout,
        from: usize,
    ) {
        let Some(field) = field.filter(|field| layout.columns_of(*field).is_empty()) else { return };
        let mut column = ComputedColumn { recipe: Some(recipe), ..ComputedColumn::new(field) };
        column.cells.resize(from, ComputedCell { start: 0, length: 0, kind: CellKind::Text });
        for row in from..table.row_count() {
            column.compute_row(table, row);
        }
        self.0.insert(layout.column_of(field), column);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields that have a value by a rule, with the columns they stand in.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (u16, Field)> {
        self.0.iter().map(|(column, made)| (*column, made.field))
    }

    /// The columns that the cells of a field are made of; none for a value for every row.
    pub(crate) fn columns_behind(&self, column: u16) -> &[u16] {
        match self.0.get(&column).and_then(|made| made.recipe.as_ref()) {
            Some(CellRecipe::Part { from, .. }) => std::slice::from_ref(from),
            Some(CellRecipe::Merge { from, .. }) => from,
            None => &[],
        }
    }

    /// The fields whose cells change with those of a column.
    pub(crate) fn fields_made_from(&self, column: usize) -> impl Iterator<Item = Field> {
        let is_behind =
            move |at: &u16| self.columns_behind(*at).iter().any(|from| usize::from(*from) == column);
        self.0.iter().filter(move |(at, _)| is_behind(at)).map(|(_, made)| made.field)
    }

    /// What a rule makes of a cell that was read empty.
    pub(crate) fn cell(&self, table: &Table, row: usize, column: usize) -> Option<Cell<'_>> {
        let made = self.0.get(&u16::try_from(column).ok()?)?;
        if let Some(own) = made.cells.get(row).filter(|own| own.length > 0) {
            let range = own.start as usize..own.start as usize + usize::from(own.length);
            return Some(Cell { text: made.texts.get(range)?, kind: own.kind });
        }
        let default = made.default.as_ref().filter(|default| row >= default.from)?;
        let is_there = |other: &u16| !table.text_at(row, usize::from(*other)).trim().is_empty();
        let is_missing = !default.others.iter().any(is_there);
        is_missing.then_some(Cell { text: &default.text, kind: default.kind })
    }

    /// Whether the cell has the value for every row.
    pub(crate) fn is_default(&self, table: &Table, row: usize, column: usize) -> bool {
        let made = u16::try_from(column).ok().and_then(|column| self.0.get(&column));
        let has_own = |made: &ComputedColumn| made.cells.get(row).is_some_and(|own| own.length > 0);
        made.is_some_and(|made| !has_own(made)) && self.cell(table, row, column).is_some()
    }

    /// Makes the cells of a row again that come from a column that was changed.
    pub(crate) fn refresh_row(&mut self, table: &Table, row: usize, column: usize) {
        for made in self.0.values_mut() {
            if made.recipe.as_ref().is_some_and(|recipe| recipe.needs(column)) {
                made.compute_row(table, row);
            }
        }
    }
}

impl ComputedColumn {
    fn new(field: Field) -> ComputedColumn {
        ComputedColumn { field, recipe: None, texts: String::new(), cells: Vec::new(), default: None }
    }

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
            self.cells.resize(row + 1, ComputedCell { start: 0, length: 0, kind: CellKind::Text });
        }
        self.cells[row] = cell;
    }
}

impl CellRecipe {
    fn needs(&self, column: usize) -> bool {
        match self {
            CellRecipe::Part { from, .. } => usize::from(*from) == column,
            CellRecipe::Merge { from, .. } => from.iter().any(|from| usize::from(*from) == column),
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
        }
    }
}
