//! Reading with the names of fields that this program knows: by them the headers of a table are found.

use bordereau_mapping::synonyms::{field_number, heading_label};
use bordereau_tables::{
    self as tables, ChunkBounds, ChunkCutter, HeaderFields, ImportRefusal, ImportSource, ReadOptions,
    SheetRequest, SheetSink, SurveyedFile,
};

/// What headers and headings are known as.
const FIELDS: HeaderFields = HeaderFields { of_header: field_number, of_heading: heading_label };

/// Reads a file of any kind. It is recognized by its content, never by its name.
///
/// # Errors
/// [`ImportRefusal`] when the file is not read at all; everything less is an issue of the review.
pub fn read(file: &str, bytes: Vec<u8>, options: &ReadOptions) -> Result<ImportSource, ImportRefusal> {
    read_with(file, bytes, options, read_workbook)
}

/// As [`read`]; the cells of a workbook are read by what is given, such as another process.
pub fn read_with(
    file: &str,
    bytes: Vec<u8>,
    options: &ReadOptions,
    read_workbook: impl Fn(&[u8], SheetRequest<'_>, SheetSink<'_>) -> Result<(), ImportRefusal>,
) -> Result<ImportSource, ImportRefusal> {
    tables::read_with(file, bytes, options, FIELDS, read_workbook)
}

/// Reads cells pasted from a spreadsheet: tab-separated, quoted where a cell holds a line break.
///
/// # Errors
/// [`ImportRefusal`] when nothing can be read.
pub fn read_paste(text: &str, options: &ReadOptions) -> Result<ImportSource, ImportRefusal> {
    tables::read_paste(text, options, FIELDS)
}

/// Reads the sheets asked for.
///
/// # Errors
/// [`ImportRefusal`] when the workbook is not read.
pub fn read_workbook(
    bytes: &[u8],
    asked: SheetRequest<'_>,
    sink: SheetSink<'_>,
) -> Result<(), ImportRefusal> {
    tables::read_workbook(bytes, asked, FIELDS, sink)
}

/// Cuts a delimited file that is more than is read at once into chunks.
///
/// # Errors
/// [`ImportRefusal`] where its beginning cannot be read.
pub fn cut_file(
    file: &SurveyedFile,
    options: &ReadOptions,
    bounds: ChunkBounds,
) -> Result<ChunkCutter, ImportRefusal> {
    ChunkCutter::new(file, options, FIELDS, bounds)
}
