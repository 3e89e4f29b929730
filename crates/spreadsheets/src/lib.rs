//! Spreadsheets into rows and issues: bytes in, every row and every issue out.
//!
//! Pure: no IO, no clock, no environment, no randomness, no floats. A file that can be read at all gives all
//! its rows and everything that is wrong with them; nothing stops at the first problem, no row is dropped, an
//! amount that cannot be read is never zero. [`read`] makes a [`Source`], [`propose`] a [`Mapping`],
//! [`Review`] the rest.

mod amount;
mod archive;
mod cell_text;
mod check;
mod columns;
mod date;
mod delimited;
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
pub mod limits;
mod literal;
mod mapping;
mod message;
mod number_format;
mod proposal;
mod reading;
mod refusal;
mod repair;
mod review;
mod row;
mod sent;
mod share;
mod short_identifier;
mod source;
mod synonyms;
mod table;
mod template;
mod transaction;
mod wire;
mod words;
mod workbook;
mod xls_stream;

pub use check::Checks;
pub use delimiter::{DELIMITERS, name as delimiter_name};
pub use detection::{DateOrder, DecimalMark, Detected, Detection, ValueDetection};
pub use encoding::ENCODINGS;
pub use field::{CHARGE_FIELDS, FIELD_COUNT, Field, Kind};
pub use formula_escape::{REJECT_COLUMNS, escape_formula};
pub use grouping::{Outcome, Transactions};
pub use issue::{Change, Code, Finding, Fix, Issue, Location, Severity};
pub use layout::Layout;
pub use mapping::{ColumnChoice, Grouping, Mapping, MappingError, RowAmounts};
pub use proposal::{Proposal, ProposedColumn, Reason, headers, propose};
pub use refusal::Refusal;
pub use review::{CheckProgress, Rechecked, Review};
pub use row::TypedRow;
pub use sent::{SameTransaction, SentKeys};
pub use source::{Format, ReadOptions, Source, read, read_paste};
pub use table::{Cell, CellKind, ShownNumber, Table};
pub use template::template_csv;
pub use words::codes_of;
pub use workbook::{Sheet, column_letters};
