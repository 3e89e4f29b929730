//! A column as a proposal has it: its header, some of its cells, the field and why.

use bordereau_mapping::Field;
use bordereau_tables::{Cell, ImportSource, Table};
use serde::{Deserialize, Serialize};

use crate::columns::SAMPLE_ROWS;

/// Why a column was given its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MappingReason {
    /// The header is the template's.
    Template,
    /// A remembered mapping says so.
    Remembered,
    /// The header is a usual name of the field.
    Name,
    /// The cells look like it.
    Content,
    /// No field was found.
    Unknown,
}

impl MappingReason {
    /// As it is answered; empty where no field was found.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            MappingReason::Template => "template",
            MappingReason::Remembered => "remembered",
            MappingReason::Name => "name",
            MappingReason::Content => "content",
            MappingReason::Unknown => "",
        }
    }
}

/// Why a column has no field, and which it may be: it is matched only when a person chooses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldSuggestion {
    /// The field; `None` where there is only the reason.
    pub field: Option<Field>,
    /// A sentence.
    pub reason: String,
}

/// A column with its header, some of its cells and why it was given its field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedColumn {
    /// Column of the table.
    pub column: usize,
    /// Header as found; empty without a header row.
    pub header: String,
    /// The field proposed.
    pub field: Option<Field>,
    /// Why.
    pub reason: MappingReason,
    /// The first texts that are not empty.
    pub examples: Vec<String>,
    /// What it may be, where no field is proposed.
    #[serde(default)]
    pub suggestion: Option<FieldSuggestion>,
}

/// A column that belongs to no field, and what it has.
pub(crate) fn release_column(column: &mut ProposedColumn, reason: &str) {
    (column.field, column.reason) = (None, MappingReason::Unknown);
    column.suggestion = Some(FieldSuggestion { field: None, reason: reason.to_owned() });
}

pub(crate) fn sample_column(source: &ImportSource, column: usize) -> impl Iterator<Item = &str> {
    sample_cells(source, column).map(|cell| cell.text.trim())
}

/// Cells that are not empty.
pub(crate) fn sample_cells(source: &ImportSource, column: usize) -> impl Iterator<Item = Cell<'_>> {
    let first = source.detection.header.value.map_or(0, |row| row as usize + 1);
    let table: &Table = &source.table;
    (first..table.row_count().min(first + SAMPLE_ROWS / 10))
        .filter(|row| !source.is_group_heading(*row))
        .map(move |row| table.cell(row, column))
        .filter(|cell| !cell.text.trim().is_empty())
}
