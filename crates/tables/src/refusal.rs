//! Why a file is not read at all. Everything less than that is an issue, and the file is read.

use serde::{Deserialize, Serialize};

/// A refusal: what was found, what is expected, what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum ImportRefusal {
    /// No bytes, or nothing but blanks.
    #[error("The file is empty. Choose a file with a header row and at least one row of data.")]
    Empty,
    /// More than [`crate::limits::FILE_BYTES_MAX`].
    #[error("The file has {megabytes} MB; at most 200 MB can be read. Split it into smaller files.")]
    TooLarge {
        /// Its size in megabytes, rounded up.
        megabytes: usize,
    },
    /// More than [`crate::limits::DECODED_BYTES_MAX`].
    #[error(
        "The file has more than {megabytes} MB of text. Save it as UTF-8, or split it into smaller files."
    )]
    TooMuchText {
        /// How much can be read.
        megabytes: usize,
    },
    /// More than [`crate::limits::LINE_BYTES_MAX`].
    #[error(
        "Line {line} is longer than {megabytes} MB, longer than any row. The file was not saved as a table; \
             save it again as CSV."
    )]
    LineTooLong {
        /// The line, from 1.
        line: usize,
        /// How long a line may be.
        megabytes: usize,
    },
    /// More than [`crate::limits::ROWS_MAX`].
    #[error("The table has more than 1,000,000 rows. Split it into smaller files.")]
    TooManyRows,
    /// More than [`crate::limits::MARKUP_ROWS_MAX`].
    #[error(
        "The web page or XML spreadsheet has more than 500,000 rows. Save it as CSV or XLSX, or split it into smaller files."
    )]
    TooManyMarkupRows,
    /// A row that was to have the headers.
    #[error("Row {row}, which should have the headers, does not begin in the first 1 MB of the file.")]
    NoSuchRow {
        /// The row as the file counts it.
        row: u32,
    },
    /// More than [`crate::limits::COLUMNS_MAX`].
    #[error(
        "Row {row} has more than 10,000 columns. Check the delimiter, or delete the columns that are not needed."
    )]
    TooManyColumns {
        /// The row as the file counts it.
        row: u32,
    },
    /// More than [`crate::limits::CELLS_MAX`] or [`crate::limits::TEXT_BYTES_MAX`].
    #[error(
        "The table has more cells than can be held at once. Split it, or delete the columns that are not needed."
    )]
    TooManyCells,
    /// An archive that unpacks to more than [`crate::limits::UNPACKED_BYTES_MAX`], or to far more than its size.
    #[error(
        "The workbook unpacks to more than {megabytes} MB, more than is read from a file of its size. Save the sheet as CSV or split it. If it is not as large as that in the spreadsheet program, the file is damaged; save it again there."
    )]
    Bomb {
        /// The bound it passed, in megabytes.
        megabytes: u64,
    },
    /// A workbook that cannot be read.
    #[error("The workbook cannot be read: {detail}. Open it in the spreadsheet program and save it again.")]
    Damaged {
        /// What the reader said.
        detail: String,
    },
    /// Reading it took more memory or time than a workbook of its size needs.
    #[error(
        "Reading this workbook took more memory or time than a file of its size needs, so the reading was ended. The file is damaged or malicious; open it in the spreadsheet program and save it again, or save the sheet as CSV."
    )]
    ReaderEnded,
    /// The process that reads it was ended from outside, or no longer answered.
    #[error(
        "The workbook was not read: the process that reads it was ended from outside, or no longer answered. Try again."
    )]
    ReaderStopped,
    /// The process that reads workbooks cannot be started.
    #[error(
        "The workbook was not read, because no process could be started for it ({why}). Close other programs and try again, or save the sheet as CSV."
    )]
    ReaderMissing {
        /// What the system said.
        why: String,
    },
    /// An encrypted workbook.
    #[error(
        "The workbook has a password, so it can't be read. Open it in Excel, choose File, Info, Protect Workbook, Encrypt with Password, clear the password, and save it. Then choose it again."
    )]
    Protected,
    /// A zip with a password, or compressed as few are.
    #[error(
        "The zip file has a password, or is compressed in a way that can't be read. Unpack it, then choose its files."
    )]
    ProtectedArchive,
    /// Something else.
    #[error("This is {found}, not a table. A CSV, XLSX, XLSM, XLS or ODS file is expected.")]
    NotATable {
        /// What it looks like, such as `a PDF document`.
        found: String,
    },
    /// More than [`crate::limits::BUNDLE_FILES_MAX`].
    #[error("There are more than 200 files. Import them in several batches.")]
    TooManyFiles,
    /// One of several files is refused.
    #[error("{file}: {why}")]
    InFile {
        /// Its name.
        file: String,
        /// Why it is not read.
        why: Box<ImportRefusal>,
    },
    /// A file whose columns have nothing to do with those of the others.
    #[error("It has no column in common with {first}. Import it as a batch of its own.")]
    NotTogether {
        /// The one they were compared with.
        first: String,
    },
    /// A sheet with the columns of the one that is read.
    #[error(
        "It has the columns of sheet \"{read}\", but isn't read. Choose it, or all sheets, as the sheet to read."
    )]
    OtherSheet {
        /// The one that is read.
        read: String,
    },
    /// A file that is among the others twice.
    #[error("It is the same file as {first}, so its rows are read once.")]
    SameFile {
        /// The other.
        first: String,
    },
    /// A workbook that counts days from another day than the others.
    #[error(
        "It counts days from 1904 and the others from 1900, or the other way around. Import it as a batch of its own."
    )]
    OtherEpoch,
    /// The sheet asked for is not there.
    #[error("There is no sheet \"{asked}\". The sheets are: {there}.")]
    NoSuchSheet {
        /// The name asked for.
        asked: String,
        /// The names that are there, joined by commas.
        there: String,
    },
    /// No sheet has any cells.
    #[error("No sheet of the workbook has any cells.")]
    NoCells,
    /// The encoding asked for does not fit.
    #[error("The encoding \"{0}\" is not known. Use UTF-8, UTF-16LE, UTF-16BE or windows-1252.")]
    UnknownEncoding(String),
}

impl ImportRefusal {
    /// Whether it is a matter of this computer: the same file may be read later.
    pub const fn is_passing(&self) -> bool {
        matches!(self, ImportRefusal::ReaderStopped | ImportRefusal::ReaderMissing { .. })
    }

    /// Whether the reading of a workbook, alone or among others, was ended because it took too much.
    pub fn has_ended_reader(&self) -> bool {
        match self {
            ImportRefusal::InFile { why, .. } => why.has_ended_reader(),
            why => *why == ImportRefusal::ReaderEnded,
        }
    }
}
