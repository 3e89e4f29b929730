//! What a review stores beside its rows: acknowledged warnings, mappings in files, column widths.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::ReviewView;

/// Keep warnings as they are, with a reason; or open them again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewKeep {
    pub id: String,
    /// Code of the issues.
    pub code: String,
    /// Only the issues of this row; null for all.
    pub row: Option<u32>,
    /// Only those of this column; null for all.
    pub column: Option<u32>,
    /// Keep them, or open them again.
    pub keep: bool,
    /// Why they are right, required when they are acknowledged; in the audit log when the rows are sent.
    pub reason: String,
}

/// A warning that was acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeptWarning {
    pub warning: String,
    /// Reason for which it was acknowledged.
    pub reason: String,
}

/// A mapping file that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MappingOpened {
    /// Name it is remembered under; empty when the dialog was canceled.
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
