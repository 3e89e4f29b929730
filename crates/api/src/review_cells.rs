//! Ranges of cells of a review: what is done with all of them at once, and what they add up to.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{ReviewView, RowsQuery};

/// A range of cells of the rows shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CellArea {
    /// Place of its first row among the rows shown.
    pub first: u32,
    /// Place of its last row; beyond the end is the end.
    pub last: u32,
    /// Columns of the table, in the order in which they are shown.
    pub columns: Vec<u32>,
}

/// What the cells of a range get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AreaContent {
    /// The same text in each; an empty one clears them.
    Text { text: String },
    /// What another range has, repeated down and to the right.
    Copy { area: CellArea },
}

/// A range and what it gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AreaChange {
    pub area: CellArea,
    pub content: AreaContent,
}

/// Change ranges as one step of undo. The answer is that of a repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewAreas {
    pub id: String,
    /// Rows that are shown.
    pub rows: RowsQuery,
    /// What the step is called before its number of cells, such as `Fill`.
    pub verb: String,
    pub changes: Vec<AreaChange>,
    /// The view's `changes_of_others` that it was decided on; null changes whatever is there.
    #[serde(default)]
    pub seen_changes: Option<u32>,
}

/// Exclude the rows of ranges, or include them again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewExclude {
    pub id: String,
    /// Rows that are shown.
    pub rows: RowsQuery,
    pub areas: Vec<CellArea>,
    /// Whether they are excluded or included; null excludes them, or includes them where all are excluded.
    pub excluded: Option<bool>,
    /// The view's `changes_of_others` that it was decided on; null changes whatever is there.
    #[serde(default)]
    pub seen_changes: Option<u32>,
}

/// Rows that were excluded or included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExcludeOutcome {
    /// How many, with the other rows of their transactions.
    pub rows: u32,
    /// Whether they are excluded now.
    pub excluded: bool,
    pub review: ReviewView,
}

/// Add up the cells of ranges; a cell that is in two of them counts once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewFigures {
    pub id: String,
    /// Rows that are shown.
    pub rows: RowsQuery,
    pub areas: Vec<CellArea>,
}

/// What the cells of ranges add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CellFigures {
    /// Cells with a value.
    pub filled: u32,
    /// Those of them that are amounts.
    pub amounts: u32,
    /// USD.
    pub sum: String,
    /// USD to the cent, half a cent away from zero; `0.00` without an amount.
    pub average: String,
}

/// A date of a cell as its column writes dates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CellDateRequest {
    pub id: String,
    /// Row of the table.
    pub row: u32,
    /// Column of the table.
    pub column: u32,
    /// The date to write, `yyyy-mm-dd`; empty to read the cell alone.
    pub date: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CellDate {
    /// What the cell says, `yyyy-mm-dd`; null where it says no date.
    pub date: Option<String>,
    /// The date that was asked for, as the column writes dates; empty without one.
    pub text: String,
}
