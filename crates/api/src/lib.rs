//! The types that cross between the UI and the core: requests, answers, errors, and the list of operations.
//!
//! Amounts are text (`"1250.50"`, USD), rates are text, dates are `yyyy-mm-dd`, instants RFC 3339 in UTC.
//! The TypeScript bindings in `ui/src/bindings/` are generated from these types by `cargo xtask codegen`.

#![allow(missing_docs, reason = "a member whose name says it all has no label")]

mod assignments;
mod backup;
mod batch;
pub mod cell_spans;
mod column_rules;
mod conflict;
mod delivery_stage;
mod destination;
mod diligent;
mod documents;
mod due;
mod erase;
mod error;
mod events;
mod idle_lock;
mod office;
#[macro_use]
mod operations;
mod practice;
mod profile;
mod quote;
mod quote_premium;
mod reference;
mod retention;
mod review;
mod review_acknowledgment;
mod review_cells;
mod review_rows;
mod row_message;
mod rules;
mod saved_file;
mod saved_quotes;
mod settings;
mod today;
pub mod totals;
mod transactions;
mod unread_answers;
mod watched_folder;
mod webhooks;

pub use assignments::*;
pub use backup::*;
pub use batch::*;
pub use bordereau_contract::{Confidence, SourceRef};
pub use column_rules::*;
pub use conflict::{Conflict, revision_of};
pub use delivery_stage::{DeliveryStage, StageEvidence};
pub use destination::{Destination, bound_address};
pub use diligent::*;
pub use documents::*;
pub use due::*;
pub use erase::*;
pub use error::{BoundaryError, ErrorCode, FieldError};
pub use events::*;
pub use idle_lock::*;
pub use office::*;
pub use operations::{OPERATIONS, typescript_bindings};
pub use practice::*;
pub use profile::*;
pub use quote::*;
pub use quote_premium::*;
pub use reference::*;
pub use retention::*;
pub use review::*;
pub use review_acknowledgment::*;
pub use review_cells::*;
pub use review_rows::*;
pub use row_message::{parse_message, result_messages};
pub use rules::*;
pub use saved_file::*;
pub use saved_quotes::*;
pub use settings::*;
pub use today::*;
pub use transactions::*;
pub use unread_answers::*;
pub use watched_folder::*;
pub use webhooks::*;

/// A count or a place for the page. What is larger than a page can count is shown as the largest there is.
pub fn to_u32(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A request or an answer that says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Nothing {}
