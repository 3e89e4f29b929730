//! Files of tables into cells: bytes in, a [`Table`] with notes on its cells out.
//!
//! Pure: no IO, no clock, no environment, no randomness, no floats. What a column means is not known here; the names
//! that headers may have are given by who reads. A file that can be read at all gives all its rows; what is wrong with
//! a cell is a [`CellNote`], and a file that is not read ends in an [`ImportRefusal`], which is a sentence.

pub mod amount;
mod archive;
mod bundle;
mod cell_formats;
mod cell_text;
mod chunk_place;
mod combined_source;
mod computed_columns;
pub mod date;
mod delimited_text;
mod delimiter;
mod detection;
mod encoding;
mod file_beginning;
mod file_check;
mod file_chunks;
mod file_survey;
mod fixed_width;
mod formula_escape;
mod group_headings;
mod header;
mod header_rows;
mod hidden_ranges;
mod html_tables;
pub mod limits;
mod lines_in_cells;
mod literal;
mod markup;
mod note;
mod number_format;
mod ods_formats;
mod read_source;
mod record_bytes;
mod refusal;
mod sheet_choice;
mod source;
mod struck_rows;
mod table;
mod table_filler;
mod text_cut;
mod unit_format;
mod workbook;
mod workbook_transfer;
mod xls_stream;
mod xlsb_formats;
mod xml_spreadsheet;

pub use bundle::{BundledFile, bundle_files};
pub use chunk_place::ChunkPlace;
pub use combined_source::SOURCE_COLUMN;
pub use computed_columns::{CellRecipe, ComputedColumns, DefaultCell};
pub use delimiter::{DELIMITERS, name as delimiter_name};
pub use detection::{DateOrder, DecimalMark, DetectedValue, SourceDetection};
pub use encoding::ENCODINGS;
pub use file_beginning::{BEGINNING_BYTES, cut_beginning};
pub use file_check::{check_bytes, is_workbook};
pub use file_chunks::{ChunkBounds, ChunkCutter, FileChunk};
pub use file_survey::{FileSurvey, SurveyedFile};
pub use formula_escape::{REJECT_COLUMNS, csv_line, escape_formula};
pub use header::{HeaderFields, count_occurrences, normalize_header};
pub use note::{CellNote, NoteKind};
pub use read_source::{read_paste, read_with};
pub use refusal::ImportRefusal;
pub use sheet_choice::{SheetRequest, SheetSink, WorkbookContent, WorkbookSheet};
pub use source::{ExcludedFile, ImportSource, ReadOptions, SourceFormat, SourcePart, source_headers};
pub use table::{Cell, CellKind, RowCells, ShownNumber, Table, column_letters, trim_blanks};
pub use text_cut::{TextCut, cut_text};
pub use workbook::read_workbook;
pub use workbook_transfer::{receive_workbook, send_workbook};

/// A text of which no header is known.
#[cfg(test)]
fn read_text(text: &[u8]) -> ImportSource {
    let no_workbook = |_: &[u8], _: SheetRequest<'_>, _: SheetSink<'_>| Err(ImportRefusal::NoCells);
    read_with(
        "x.csv",
        text.to_vec(),
        &ReadOptions::default(),
        HeaderFields::of_headers(|_| None),
        no_workbook,
    )
    .expect("it is a table")
}
