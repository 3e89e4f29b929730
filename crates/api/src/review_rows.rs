//! Rows of a review: which are shown and in which order, what is found and replaced in them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::CellArea;

/// Which rows are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RowFilter {
    /// All rows with content.
    #[default]
    All,
    /// Without an error and not excluded.
    Ready,
    /// With an error that can be corrected.
    Errors,
    /// Sent before, with nothing else to correct.
    Sent,
    Warnings,
    Changed,
    /// Whether the row is excluded.
    Excluded,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewCounts {
    /// Rows with content.
    pub rows: u32,
    /// Transactions they make.
    pub transactions: u32,
    /// Transactions without an error and not excluded.
    pub ready: u32,
    /// Rows with errors, those of `sent` among them.
    pub errors: u32,
    /// Rows that were sent before, with nothing else to correct.
    #[serde(default)]
    pub sent: u32,
    /// Rows with warnings only.
    pub warnings: u32,
    /// Rows changed by the person.
    pub changed: u32,
    pub excluded: u32,
}

impl ReviewCounts {
    /// Rows with something to correct: what was sent before is no error of the file.
    #[must_use]
    pub const fn to_correct(&self) -> u32 {
        self.errors.saturating_sub(self.sent)
    }
}

/// What a column of the rows shown has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ColumnFilter {
    /// Column of the table.
    pub column: u32,
    /// Text within the cell, in any case; empty for every text.
    pub text: String,
    /// The cell is one of these; an empty list for every value, an empty text for cells without one.
    pub values: Vec<String>,
}

/// A column that the rows are sorted by. Cells without a value come last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct ColumnSort {
    /// Column of the table.
    pub column: u32,
    pub descending: bool,
}

/// Which rows are shown and in which order. What is sent does not depend on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RowsQuery {
    pub filter: RowFilter,
    /// Only rows with issues of this code; empty for all.
    pub code: String,
    /// A row meets all of them.
    pub columns: Vec<ColumnFilter>,
    /// Null for the order of the file.
    pub sort: Option<ColumnSort>,
    /// Counts how often a person chose rows: those of one choice stay while cells change, so that none moves away from
    /// the person who edits it. 0 for the rows as they are now.
    pub choice: u32,
}

/// A page of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RowsRequest {
    pub id: String,
    /// Which rows, in which order.
    pub rows: RowsQuery,
    /// First row of the page, counted among these rows.
    pub from: u32,
    /// At most 500.
    pub count: u32,
}

/// Find a text, or the next problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewFind {
    pub id: String,
    /// Text; empty for the next problem.
    pub text: String,
    /// Rows that are shown.
    pub rows: RowsQuery,
    /// Start after this row of the table.
    pub row: u32,
    /// And after this column.
    pub column: u32,
    /// Towards the beginning.
    pub backwards: bool,
    /// Columns as they are shown; those not named follow in the order of the file.
    pub order: Vec<u32>,
}

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundCell {
    /// Whether there is one.
    pub found: bool,
    /// Row of the table.
    pub row: u32,
    /// Its place among the rows shown.
    pub index: u32,
    /// Column of the table.
    pub column: u32,
    /// How many there are, at most 10,000 counted.
    pub total: u32,
}

/// Find the edge of the data in a column: the end of the filled cells that the place is in, or the next filled cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewEdge {
    pub id: String,
    /// Rows that are shown.
    pub rows: RowsQuery,
    /// Place among the rows shown to begin at.
    pub index: u32,
    /// Column of the table.
    pub column: u32,
    /// Towards the beginning.
    pub backwards: bool,
}

/// The values of a column, to choose some of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewValues {
    pub id: String,
    /// Rows that are shown; what they ask of the column itself does not count.
    pub rows: RowsQuery,
    /// Column of the table.
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ColumnValue {
    /// Text of the cell without blanks around it; empty for cells without one.
    pub text: String,
    /// Rows that have it.
    pub rows: u32,
}

/// The values of a column, the most frequent first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ColumnValues {
    /// The first five hundred.
    pub values: Vec<ColumnValue>,
    /// Whether there are more.
    pub has_more: bool,
}

/// Replace a text in the cells of the rows shown: one step of undo. The answer is that of a repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewReplace {
    pub id: String,
    /// Rows that are shown.
    pub rows: RowsQuery,
    /// Text to replace; empty fills cells without a value, and then `is_whole` is required.
    pub text: String,
    pub replacement: String,
    /// Upper and lower case have to be the same.
    pub has_case: bool,
    /// Only cells that have this text and no other.
    pub is_whole: bool,
    /// Where it is replaced; empty for all rows shown and all columns that are matched.
    pub areas: Vec<CellArea>,
    /// Preview the changes without making them.
    pub preview: bool,
    /// The view's `changes_of_others` that it was decided on; null changes whatever is there.
    #[serde(default)]
    pub seen_changes: Option<u32>,
}
