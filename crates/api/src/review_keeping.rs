//! What a review keeps beside its rows: warnings with a reason, mappings in files, widths of columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::ReviewView;

/// Keep warnings as they are, with a reason; or open them again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewKeep {
    /// Review.
    pub id: String,
    /// Code of the issues.
    pub code: String,
    /// Only the issues of this row; null for all.
    pub row: Option<u32>,
    /// Only those of this column; null for all.
    pub column: Option<u32>,
    /// Keep them, or open them again.
    pub keep: bool,
    /// Why they are right as they are: asked for when they are kept, told in the audit log when they are sent.
    pub reason: String,
}

/// A warning that was kept, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeptWarning {
    /// What it said.
    pub warning: String,
    /// Why it was kept.
    pub reason: String,
}

/// A mapping file that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MappingOpened {
    /// Name it is remembered under; empty when the dialog was cancelled.
    pub name: String,
    /// The review afterwards.
    pub review: ReviewView,
}

/// How wide the person made the columns of the grid: pixels at usual size, by the contract's field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ColumnWidths {
    /// Only those that are not as usual.
    pub widths: BTreeMap<String, u32>,
}
