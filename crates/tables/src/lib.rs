//! Files of tables into cells: bytes in, a [`Table`] with notes on its cells out.
//!
//! Pure: no IO, no clock, no environment, no randomness, no floats. What a column means is not known here; the names
//! that headers may have are given by who reads. A file that can be read at all gives all its rows; what is wrong with
//! a cell is a [`CellNote`], and a file that is not read ends in an [`ImportRefusal`], which is a sentence.

mod archive;
mod cell_formats;
mod cell_text;
mod delimited_text;
mod delimiter;
mod detection;
mod encoding;
mod formula_escape;
mod header;
pub mod limits;
mod literal;
mod note;
mod number_format;
mod ods_formats;
mod record_bytes;
mod refusal;
mod source;
mod table;
mod workbook;
mod workbook_transfer;
mod xls_stream;
mod xlsb_formats;

pub use delimiter::{DELIMITERS, name as delimiter_name};
pub use detection::{DetectedValue, SourceDetection};
pub use encoding::ENCODINGS;
pub use formula_escape::{REJECT_COLUMNS, escape_formula};
pub use header::HeaderNames;
pub use note::{CellNote, NoteKind};
pub use refusal::ImportRefusal;
pub use source::{ImportSource, ReadOptions, SourceFormat, check_bytes, is_workbook, read_paste, read_with};
pub use table::{Cell, CellKind, ShownNumber, Table, trim_blanks};
pub use workbook::{WorkbookContent, WorkbookSheet, column_letters, read_workbook};
pub use workbook_transfer::{receive_workbook, send_workbook};

/// A text of which no header is known.
#[cfg(test)]
fn read_text(text: &[u8]) -> ImportSource {
    let no_workbook = |_: &[u8], _: Option<&str>| Err(ImportRefusal::NoCells);
    read_with("x.csv", text.to_vec(), &ReadOptions::default(), |_| false, no_workbook).expect("it is a table")
}
