//! A source that was read: its table, and what was detected and noticed.

use serde::{Deserialize, Serialize};

use crate::chunk_place::ChunkPlace;
use crate::detection::SourceDetection;
use crate::note::CellNote;
use crate::refusal::ImportRefusal;
use crate::sheet_choice::WorkbookSheet;
use crate::table::{Table, column_letters};

/// What a person chose instead of what would be detected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadOptions {
    /// Sheet of a workbook.
    pub sheet: Option<String>,
    /// One of [`crate::ENCODINGS`], or any label of the WHATWG encoding standard.
    pub encoding: Option<String>,
    /// An ASCII character.
    pub delimiter: Option<char>,
    /// Row of the table with the headers; `Some(None)` for none.
    pub header: Option<Option<u32>>,
    /// Numbers of a workbook as they are stored, not as their formats show them.
    pub stored_numbers: bool,
    /// All sheets of a workbook that have columns in common, as one table.
    pub all_sheets: bool,
    /// The columns are the file's own: no headings of groups as a column, no lines in the cells of one taken apart, no
    /// headers in two rows. So drafts of earlier versions were read, and their changes are by column.
    #[serde(default = "of_earlier_version")]
    pub keeps_columns: bool,
    /// The file is a chunk of a longer one: where in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk: Option<ChunkPlace>,
}

/// What is stored without a word of it was read before there was any.
const fn of_earlier_version() -> bool {
    true
}

/// What kind of source it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceFormat {
    /// Text with delimiters.
    Delimited,
    /// A workbook.
    Workbook,
    /// Cells from the clipboard.
    Paste,
    /// Several files or sheets as one.
    Several,
}

/// A file or sheet of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePart {
    /// The file, and its sheet where that is not its only one.
    pub name: String,
    /// The first of its rows in the table.
    pub first_row: usize,
    /// Rows below its headers.
    pub rows: usize,
    /// What it has otherwise than those before it; empty where it is the same.
    pub difference: String,
}

/// A file of several that was not read with the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludedFile {
    /// Its name.
    pub name: String,
    /// Why.
    pub why: ImportRefusal,
}

impl ExcludedFile {
    /// Whether the same file is among those that were read: nothing of it is missing.
    pub const fn is_duplicate(&self) -> bool {
        matches!(self.why, ImportRefusal::SameFile { .. })
    }
}

/// A source that was read.
#[derive(Clone, Debug)]
pub struct ImportSource {
    /// The file's name, for messages.
    pub file: String,
    /// What kind it was.
    pub format: SourceFormat,
    /// Sheets of a workbook.
    pub sheets: Vec<WorkbookSheet>,
    /// The sheet that was read.
    pub sheet: Option<String>,
    /// The files or sheets, where there are several; in the order of their rows.
    pub parts: Vec<SourcePart>,
    /// Files that were not read with the others.
    pub left_out: Vec<ExcludedFile>,
    /// The cells.
    pub table: Table,
    /// Rows of the table that say what those below them have in common, in order; it is in columns of its own.
    pub group_headings: Vec<u32>,
    /// What was detected.
    pub detection: SourceDetection,
    /// What was noticed while reading.
    pub notes: Vec<CellNote>,
}

impl ImportSource {
    /// The file or sheet of a row, where there are several.
    pub fn part_of(&self, row: usize) -> Option<&SourcePart> {
        let at = self.parts.partition_point(|part| part.first_row <= row).checked_sub(1)?;
        self.parts.get(at)
    }

    /// Whether a row is the heading of a group.
    pub fn is_group_heading(&self, row: usize) -> bool {
        u32::try_from(row).is_ok_and(|row| self.group_headings.binary_search(&row).is_ok())
    }

    /// The row of the headers.
    pub fn header_row(&self) -> Option<usize> {
        self.detection.header.value.map(|row| row as usize)
    }
}

/// The headers as found, one per column. Without a header row the column's letters stand for it.
pub fn source_headers(source: &ImportSource) -> Vec<String> {
    let header = source.header_row();
    (0..source.table.width())
        .map(|column| match header {
            Some(row) => source.table.text_at(row, column).trim().to_owned(),
            None => format!("Column {}", column_letters(column)),
        })
        .collect()
}
