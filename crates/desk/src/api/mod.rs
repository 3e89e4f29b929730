//! What crosses between the UI and the core: requests, answers, errors, and the list of operations.
//!
//! Amounts are text (`"1250.50"`, USD), rates are text, dates are `yyyy-mm-dd`, instants RFC 3339 in UTC.
//! The TypeScript bindings in `ui/src/bindings/` are made from these types by `cargo xtask codegen`.

mod batch;
mod error;
#[macro_use]
mod operations;
mod profile;
mod quote;
mod reference;
mod review;
mod saved;
mod settings;

pub use batch::*;
pub use error::{BoundaryError, ErrorCode, FieldError};
pub use operations::{OPERATIONS, bindings};
pub use profile::*;
pub use quote::*;
pub use reference::*;
pub use review::*;
pub use saved::*;
pub use settings::*;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A request or an answer that says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Nothing {}
