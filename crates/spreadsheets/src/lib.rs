//! Spreadsheets into rows and issues: bytes in, every row and every issue out.
//!
//! Pure: no IO, no clock, no environment, no randomness, no floats. A file that can be read at all gives all
//! its rows and everything that is wrong with them; nothing stops at the first problem, no row is dropped, an
//! amount that cannot be read is never zero. [`read`] makes a [`ImportSource`], [`propose_mapping`] a [`Mapping`],
//! [`Review`] the rest.

mod amount;
mod archive;
mod cell_formats;
mod cell_text;
mod check;
mod columns;
mod date;
mod delimited_text;
mod delimiter;
mod detection;
mod duplicate_index;
mod encoding;
mod field;
mod formula_escape;
mod grouping;
mod header;
mod issue;
mod layout;
mod likeness;
pub mod limits;
mod literal;
mod mapping;
mod message;
mod note;
mod number_format;
mod ods_formats;
mod proposal;
mod reading;
mod record_bytes;
mod refusal;
mod repair;
mod review;
mod row;
mod row_reader;
mod sent_rows;
mod share;
mod short_identifier;
mod sort_key;
mod source;
mod synonyms;
mod table;
mod transaction;
mod wire;
mod words;
mod workbook;
mod workbook_transfer;
mod written_day;
mod xls_stream;
mod xlsb_formats;

pub use check::CheckSettings;
pub use delimiter::{DELIMITERS, name as delimiter_name};
pub use detection::{DateOrder, DecimalMark, DetectedValue, SourceDetection, ValueDetection};
pub use encoding::ENCODINGS;
pub use field::{CHARGE_FIELDS, FIELD_COUNT, Field, ValueKind};
pub use formula_escape::{REJECT_COLUMNS, escape_formula};
pub use grouping::{TableRowOutcome, TransactionRows};
pub use issue::{CellChange, Code, Finding, Issue, IssueLocation, IssueRepair, Severity};
pub use layout::ColumnLayout;
pub use likeness::{CodeProposal, propose_code};
pub use mapping::{ColumnChoice, Mapping, MappingError, RowAmounts, RowGrouping};
pub use note::{CellNote, NoteKind};
pub use proposal::{MappingProposal, MappingReason, ProposedColumn, propose_mapping, source_headers};
pub use reading::{read, read_paste, read_with, read_workbook};
pub use refusal::ImportRefusal;
pub use review::{CheckProgress, RecheckScope, Review};
pub use row::TypedRow;
pub use sent_rows::{SameTransaction, SentKeys};
pub use sort_key::{SortKey, sort_key};
pub use source::{ImportSource, ReadOptions, SourceFormat, check_bytes, is_workbook};
pub use table::{Cell, CellKind, ShownNumber, Table};
pub use words::codes_of;
pub use workbook::{WorkbookContent, WorkbookSheet, column_letters};
pub use workbook_transfer::{receive_workbook, send_workbook};
pub use written_day::written_day;
