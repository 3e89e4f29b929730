//! Files that a person saves.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What became of a save dialog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FileOutcome {
    /// Written; false when the person canceled.
    pub saved: bool,
    /// Name of the file, without its folder.
    pub file_name: String,
    /// Size of the file in bytes.
    pub bytes: u32,
}

/// The format of a file of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TableFormat {
    #[default]
    Xlsx,
    Csv,
}

impl TableFormat {
    pub const ALL: [TableFormat; 2] = [TableFormat::Xlsx, TableFormat::Csv];

    /// Extension of its files, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            TableFormat::Xlsx => "xlsx",
            TableFormat::Csv => "csv",
        }
    }

    /// As a save dialog calls it.
    pub const fn title(self) -> &'static str {
        match self {
            TableFormat::Xlsx => "Excel workbook",
            TableFormat::Csv => "CSV",
        }
    }
}
