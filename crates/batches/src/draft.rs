//! What is stored of a draft beside its source and its steps.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use bordereau_api::RowMessage;
use bordereau_spreadsheets::{Mapping, ReadOptions};
use serde::{Deserialize, Serialize};

/// What kind of source the bytes of a draft are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    #[default]
    File,
    Paste,
}

/// What is stored of a draft beside its source and its steps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DraftState {
    pub kind: SourceKind,
    /// There while the copy of the source may not be whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrival: Option<FileIdentity>,
    /// Its workbook is being read. Where that is still stored when the draft is opened again, the reading never came
    /// to its end, and a person decides whether to read it once more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_being_read: bool,
    pub options: ReadOptions,
    pub mapping: Option<Mapping>,
    pub mapping_name: String,
    /// Columns are matched and questions answered.
    pub matched: bool,
    /// One transaction that was entered by hand: it is sent as a single import.
    pub is_single: bool,
    /// Mark of the quote it was made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// The batch that is corrected.
    pub batch: Option<String>,
    /// The batch that a stopped command has made of it, for the next one that resumes it.
    pub sent_as: Option<String>,
    /// A correction or a blank transaction that was only opened: it is no work of a person's yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_unchanged: bool,
    /// For a correction: the line of the first file, by row of the table.
    pub lines: Vec<u32>,
    /// For a correction: what the service said, by row of the table.
    pub messages: BTreeMap<u32, Vec<RowMessage>>,
    /// For a correction: `documents.CODE` of what was uploaded after the row was sent, by row of the table.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub uploaded: BTreeMap<u32, Vec<String>>,
    pub documents: Vec<AttachedDocument>,
}

impl DraftState {
    /// The batch whose rows are its own: that they were sent is no fault of theirs.
    pub fn own_batch(&self) -> Option<&str> {
        self.batch.as_deref().or(self.sent_as.as_deref())
    }

    /// Document codes by row.
    pub fn attached_codes(&self) -> BTreeMap<usize, Vec<String>> {
        let mut codes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for document in &self.documents {
            codes.entry(document.row as usize).or_default().push(document.code.clone());
        }
        for (row, fields) in &self.uploaded {
            let uploaded = fields.iter().filter_map(|field| field.strip_prefix("documents."));
            codes.entry(*row as usize).or_default().extend(uploaded.map(str::to_owned));
        }
        codes
    }
}

/// A file attached to a transaction. Its content stays where it is until it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttachedDocument {
    /// First row of the transaction.
    pub row: u32,
    /// Where the file is on this machine.
    pub path: String,
    /// Its name, without its folder.
    pub file_name: String,
    /// Document code, such as `POLIC`.
    pub code: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of the content, hexadecimal.
    pub sha256: String,
}

/// What a draft is read from while its own copy may not be whole: stored with it before the first byte is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileIdentity {
    /// The person's file; `None` for what came without one.
    path: Option<String>,
    bytes: u64,
    /// When it was changed, in milliseconds since 1970.
    modified: Option<u64>,
}

impl FileIdentity {
    /// Of a paste, or of rows of a batch.
    pub fn of_bytes(bytes: &[u8]) -> FileIdentity {
        FileIdentity { bytes: bytes.len() as u64, ..FileIdentity::default() }
    }

    pub async fn of_file(path: &Path) -> FileIdentity {
        // That a file is missing is said by the reading itself.
        let metadata = tokio::fs::metadata(path).await.ok().filter(std::fs::Metadata::is_file);
        let modified = metadata.as_ref().and_then(|found| found.modified().ok());
        let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        FileIdentity {
            path: path.to_str().map(str::to_owned),
            bytes: metadata.map_or(0, |found| found.len()),
            modified: since.and_then(|since| u64::try_from(since.as_millis()).ok()),
        }
    }

    /// Whether these are all bytes there were.
    pub fn is_whole(&self, copy: &[u8]) -> bool {
        self.bytes > 0 && copy.len() as u64 == self.bytes
    }

    /// The person's file, while it is the one that was read.
    pub async fn unchanged_file(&self) -> Option<PathBuf> {
        let path = PathBuf::from(self.path.as_ref()?);
        (self.modified.is_some() && FileIdentity::of_file(&path).await == *self).then_some(path)
    }
}
