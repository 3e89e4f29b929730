//! Spreadsheets into rows and issues: a table in, every row and every issue out.
//!
//! Pure: no IO, no clock, no environment, no randomness, no floats. A file that the crate `bordereau-tables` can read gives
//! all its rows and everything that is wrong with them; nothing stops at the first problem, no row is dropped, an
//! amount that cannot be read is never zero. [`read`] makes a [`ImportSource`], [`propose_mapping`] a [`Mapping`],
//! [`Review`] the rest.

mod advice;
mod cell_filter;
mod charge_rows;
mod check;
mod column_content;
mod column_fit;
mod columns;
mod detection;
mod duplicate_index;
mod finding_group;
mod group_repair;
mod grouping;
mod headline;
mod insurer_names;
mod insurer_number;
mod issue;
mod joined_columns;
mod layout;
mod made_columns;
mod message;
mod numbered_taxes;
mod policy_term;
mod postal_address;
mod premium_parts;
mod proposal;
mod proposed_column;
mod read_source;
mod repair;
mod review;
mod row;
mod row_amounts;
mod row_reader;
mod sent_rows;
mod share;
mod shared_names;
mod short_identifier;
mod shown_text;
mod sort_key;
mod stamping_fees;
mod totals;
mod transaction;
mod transaction_cells;
mod unimported_cells;
mod wire;
mod written_day;

/// What the name of a file with transactions ends with.
pub const TABLE_ENDINGS: [&str; 14] =
    ["csv", "tsv", "tab", "txt", "prn", "xlsx", "xlsm", "xlsb", "xls", "ods", "xml", "htm", "html", "zip"];

/// What those who read need of the columns' fields and of words.
pub use bordereau_mapping::{
    CHARGE_FIELDS, COLUMN_PARTS_MAX, ChargeRows, CodeProposal, ColumnChoice, ColumnMerge, ColumnName,
    ColumnRules, ColumnSplit, FIELD_COUNT, Field, LineColumn, LinePremiums, Mapping, MappingError,
    RowAmounts, RowGrouping, ValueKind, mapping_changes, propose_code, synonyms::field_named, trade_words_of,
    words::codes_of,
};
pub use bordereau_tables::amount::cents_text;
/// What those who read need of the tables themselves.
pub use bordereau_tables::{
    BEGINNING_BYTES, BundledFile, Cell, CellKind, CellNote, ChunkBounds, ChunkCutter, DELIMITERS, DateOrder,
    DecimalMark, DetectedValue, ENCODINGS, ExcludedFile, FileChunk, FileSurvey, ImportRefusal, ImportSource,
    NoteKind, REJECT_COLUMNS, ReadOptions, SOURCE_COLUMN, SheetRequest, SheetSink, ShownNumber,
    SourceDetection, SourceFormat, SourcePart, SurveyedFile, Table, TextCut, WorkbookContent, WorkbookSheet,
    bundle_files, check_bytes, column_letters, csv_line, cut_beginning, delimiter_name, escape_formula,
    is_workbook, limits, receive_workbook, send_workbook, source_headers,
};
pub use cell_filter::CellFilter;
pub use charge_rows::with_known_words;
pub use check::CheckSettings;
pub use detection::ValueDetection;
pub use finding_group::{finding_group, is_by_field, is_in_group};
pub use group_repair::{is_word_without_code, set_value, takes_one_value};
pub use grouping::{TableRowOutcome, TransactionRows};
pub use headline::group_headline;
pub use insurer_names::InsurerNames;
pub use issue::{CellChange, Code, Finding, Issue, IssueLocation, IssueRepair, RepairKind, Severity};
pub use layout::ColumnLayout;
pub use message::shorten_text;
pub use postal_address::{find_insurer_number, split_mailing_address};
pub use proposal::{MappingProposal, propose_mapping};
pub use proposed_column::{FieldSuggestion, MappingReason, ProposedColumn};
pub use read_source::{cut_file, read, read_paste, read_with, read_workbook};
pub use review::{ChargeWordRows, CheckProgress, RecheckScope, Review, RuleEffects, SplitEffect};
pub use row::TransactionFigures;
pub use sent_rows::{SameTransaction, SentKeys, TransactionKey};
pub use shown_text::{cell_as_shown, has_cell_text, shown_text, text_as_shown};
pub use sort_key::{SortKey, sort_key};
pub use transaction_cells::transaction_cells;
pub use written_day::written_day;
