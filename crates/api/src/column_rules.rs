//! Values that no column of a file has by itself, as they are set in the match step.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One value of a field for all rows that have none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FieldDefault {
    /// The contract's field.
    pub field: String,
    /// As typed; answered as it is read.
    pub value: String,
    /// Rows that have it; of no matter in a request.
    #[serde(default)]
    pub rows: u32,
}

/// Where the text of a split column is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SplitMethod {
    /// At one separator after the other, the last as often as is needed.
    Separators,
    /// The same from the end of the text: the first part has what is left.
    SeparatorsFromEnd,
    /// After so many characters.
    Positions,
}

/// A part of a split column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SplitPart {
    /// The contract's field, or null where the part is not imported.
    pub field: Option<String>,
    /// What it is in the first rows; of no matter in a request.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// One column split into several fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ColumnSplitRule {
    /// Column of the table.
    pub column: u32,
    pub method: SplitMethod,
    pub separators: Vec<String>,
    pub positions: Vec<u16>,
    pub parts: Vec<SplitPart>,
    /// Rows whose text has fewer parts; of no matter in a request.
    #[serde(default)]
    pub short_rows: u32,
}

/// Several columns merged into one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ColumnMergeRule {
    /// Columns of the table, in order.
    pub columns: Vec<u32>,
    /// What is put between them.
    pub separator: String,
    /// The contract's field.
    pub field: String,
    /// What it is in the first rows; of no matter in a request.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// What the amounts are that have one word beside them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChargeWord {
    /// The text of the file, in upper or lower case.
    pub word: String,
    /// The contract's field; null where nobody has chosen one, or the amounts are not imported.
    pub field: Option<String>,
    /// Whether the amounts are not imported.
    #[serde(default)]
    pub ignored: bool,
    /// Rows that have it; of no matter in a request.
    #[serde(default)]
    pub rows: u32,
}

/// Rows that have one charge each: a premium, a tax or a fee of their transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChargeRowsRule {
    /// Column of the table that says what each amount is for.
    pub charge: u32,
    /// Column of the table with the amounts.
    pub amount: u32,
    /// Whether the premium's words are the transaction's type as well, as `NB` beside `SLT`.
    pub is_type: bool,
    /// A request without words gets those that are known.
    pub words: Vec<ChargeWord>,
}

/// The column with the premium of a line of business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LineColumnRule {
    /// Column of the table.
    pub column: u32,
    /// Code of the line, such as `GEN-1002`.
    pub line: String,
}

/// Columns with the premium of one line of business each: in a row, those that aren't empty or 0 are its lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LinePremiumsRule {
    pub columns: Vec<LineColumnRule>,
    /// The lines of the first rows; of no matter in a request.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// Values that no column of the file has by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ColumnRuleSet {
    pub defaults: Vec<FieldDefault>,
    pub splits: Vec<ColumnSplitRule>,
    pub merges: Vec<ColumnMergeRule>,
    #[serde(default)]
    pub charges: Vec<ChargeRowsRule>,
    #[serde(default)]
    pub lines: Vec<LinePremiumsRule>,
}
