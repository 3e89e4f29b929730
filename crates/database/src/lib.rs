//! What the functions of a table work with: a connection, its statements and rows, whichever engine is behind them.
//!
//! There is one text of SQL for all engines, in the words that they share. No table is known here.

mod change_notices;
mod connection;
mod failure;
mod file_address;
mod file_identity;
mod folder_lock;
pub mod off_thread;
mod office;
mod office_failure;
mod postgres;
mod row_hash;
mod rows;
mod sql_text;
mod values;
mod words;

// The SQLite that rusqlite calls.
use bordereau_sqlite as _;
pub use change_notices::{ChangeNotices, ChangeTurns};
pub use connection::{Connection, Statement, Transaction};
pub use failure::DatabaseError;
pub use file_address::file_address;
pub use file_identity::find_file_identity;
pub use folder_lock::FolderLock;
pub use office::{OfficeDatabase, OfficeProof, OfficeTrust, office_tls};
pub use office_failure::{OfficeError, OfficeObstacle};
pub use postgres::{Hold, office_runtime};
pub use row_hash::RowHash;
pub use rows::{OptionalRow, ReadRows, Row, Rows};
pub use sql_text::postgres_step;
pub use values::{FromValue, OfKind, Parameters, ToValue, Value, ValueKind};
pub use words::Word;

/// The values of a statement, of whatever kinds: `params![id, name]`.
#[macro_export]
macro_rules! params {
    ($($value:expr),+ $(,)?) => { &[$(&$value as &dyn $crate::ToValue),+] as &[&dyn $crate::ToValue] };
}
