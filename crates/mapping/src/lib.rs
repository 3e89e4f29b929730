//! Which column of a file is which field, and which word which code.
//!
//! Pure. The fields of an imported transaction, the names that headers have for them and the words that cells have for
//! codes, by tables of the trade's own (`data/`) and by likeness; and a [`Mapping`], which keeps what a person decided of
//! the columns of a file, with rules for values that no column has by itself. What the cells are taken for and what is wrong with
//! them is in the crate `bordereau-spreadsheets`.

mod column_rules;
mod doubtful_names;
mod field;
mod likeness;
mod mapping;
mod mapping_changes;
pub mod synonyms;
pub mod words;

pub use column_rules::{
    CHARGE_WORDS_MAX, COLUMN_PARTS_MAX, ChargeRows, ColumnMerge, ColumnName, ColumnRules, ColumnSplit,
    LineColumn, LinePremiums, charge_word, is_charge_word, normalize_default,
};
pub use doubtful_names::doubtful_field;
pub use field::{AMOUNTS, CHARGE_FIELDS, DATES, FIELD_COUNT, FLAGS, Field, ValueKind};
pub use likeness::{CodeProposal, is_trade_word, line_named, propose_code, trade_code, trade_words_of};
pub use mapping::{ColumnChoice, ColumnChoices, Mapping, MappingError, RowAmounts, RowGrouping};
pub use mapping_changes::mapping_changes;
