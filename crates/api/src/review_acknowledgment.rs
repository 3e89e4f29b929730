//! What a review stores beside its rows: acknowledged warnings, mappings, the grid's columns.

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

/// Save the mapping of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MappingAdd {
    /// Handle of the file; empty to ask with the open dialog.
    pub handle: String,
    /// Only say what would be saved.
    pub preview: bool,
}

/// A mapping from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MappingAdded {
    /// Its name; empty when the dialog was canceled.
    pub name: String,
    /// Whether one of this name was saved already, which becomes an earlier version.
    pub replaces: bool,
}

/// A saved mapping by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MappingName {
    pub name: String,
}

/// Copy a saved mapping, or give it another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MappingCopy {
    pub name: String,
    /// Name of the copy; no other mapping has it.
    pub to: String,
    /// Remove the mapping under its old name.
    pub moves: bool,
}

/// What a mapping was before it was saved again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MappingVersion {
    /// Counted from 1.
    pub number: u32,
    /// RFC 3339 UTC: when it was replaced.
    pub replaced_at: String,
    /// What restoring it would change, as short sentences.
    pub changes: Vec<String>,
}

/// The earlier versions of a mapping, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MappingVersions {
    pub versions: Vec<MappingVersion>,
}

/// Restore an earlier version of a mapping; the present one becomes a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MappingRestore {
    pub name: String,
    /// Number of the version.
    pub number: u32,
}

/// How the person arranged the columns of the grid, by the contract's fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct GridLayout {
    /// Pixels at usual size, of those that are not as usual.
    pub widths: BTreeMap<String, u32>,
    /// Fields in the person's own order, those that are not named behind them; empty for the usual order.
    pub order: Vec<String>,
    pub hidden: Vec<String>,
    /// Columns at the left that stay while the others scroll.
    pub frozen: u32,
    /// Columns in the order of the file.
    pub file_order: bool,
    /// Columns without a value in any row are shown.
    pub shows_blank: bool,
}

/// Keep how the columns are arranged for a mapping.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SaveGridLayout {
    /// Name of the mapping; empty for files without one.
    pub mapping: String,
    pub layout: GridLayout,
}
