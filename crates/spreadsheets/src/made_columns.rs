//! The columns that the rules of a mapping make of a source.

use bordereau_mapping::{ColumnMerge, Field, Mapping, ValueKind};
use bordereau_tables::{CellKind, CellRecipe, ComputedColumns, DefaultCell, ImportSource};

use crate::columns::column_mark;
use crate::layout::ColumnLayout;

/// What kind of cell a value for every row is: amounts have a point and dates an order of their own.
fn default_kind(field: Field) -> CellKind {
    match field.kind() {
        ValueKind::Amount | ValueKind::Percent => CellKind::Number,
        ValueKind::Date => CellKind::Date,
        _ => CellKind::Text,
    }
}

/// How the columns of a merge are put together.
fn merge_recipe(source: &ImportSource, mapping: &Mapping, merge: &ColumnMerge, from: Vec<u16>) -> CellRecipe {
    if merge.field.kind() != ValueKind::Amount {
        return CellRecipe::Merge { from, separator: merge.separator.clone() };
    }
    let mark = mapping.decimal_mark.unwrap_or_else(|| column_mark(source, &from));
    CellRecipe::Sum { from, is_difference: merge.separator == "-", mark }
}

/// The columns that the rules of a mapping make of a source.
pub(crate) fn compute_columns(
    source: &ImportSource,
    mapping: &Mapping,
    layout: &ColumnLayout,
) -> ComputedColumns {
    let rules = &mapping.rules;
    let mut computed = ComputedColumns::new(source.header_row().map_or(0, |row| row + 1));
    // A field that the file has a column for keeps it.
    let mut add = |field: Option<Field>, recipe| {
        if let Some(field) = field.filter(|field| layout.columns_of(*field).is_empty()) {
            computed.add_recipe(&source.table, layout.column_of(field), recipe);
        }
    };
    for split in &rules.splits {
        let Some(from) = layout.column_named(&split.from) else { continue };
        let parts = split.fields.len();
        for (nth, field) in split.fields.iter().enumerate() {
            add(*field, CellRecipe::Part { from, cut: split.cut.clone(), nth, parts });
        }
    }
    for merge in &rules.merges {
        let columns: Option<Vec<u16>> = merge.from.iter().map(|name| layout.column_named(name)).collect();
        let Some(from) = columns else { continue };
        add(Some(merge.field), merge_recipe(source, mapping, merge, from));
    }
    for lines in &rules.lines {
        let columns: Option<Vec<u16>> =
            lines.columns.iter().map(|column| layout.column_named(&column.from)).collect();
        let Some(from) = columns else { continue };
        let mark = mapping.decimal_mark.unwrap_or_else(|| column_mark(source, &from));
        let names = lines.columns.iter().map(|column| column.line.trim().into()).collect();
        add(Some(Field::LineOfBusiness), CellRecipe::Entries { from: from.clone(), names, mark });
        add(Some(Field::LinePremium), CellRecipe::Entries { from, names: Vec::new(), mark });
    }
    for rows in &rules.charges {
        let columns = layout.column_named(&rows.amount).zip(layout.column_named(&rows.charge));
        let Some((amount, charge)) = columns else { continue };
        for field in rows.made_fields() {
            let (from, of) = match field {
                Field::TransactionType => ([charge, charge], Field::Premium),
                field => ([amount, charge], field),
            };
            // In a column of the file's own, its empty cells: an amount that nobody adds would be lost.
            let recipe = CellRecipe::OfRows { from, texts: rows.words_of(of) };
            computed.add_recipe(&source.table, layout.column_of(field), recipe);
        }
    }
    for (field, value) in &rules.defaults {
        let default = DefaultCell {
            text: value.as_str().into(),
            kind: default_kind(*field),
            others: layout.columns_of(*field).iter().skip(1).copied().collect(),
        };
        computed.set_default(layout.column_of(*field), default);
    }
    computed
}
