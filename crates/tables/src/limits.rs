//! Bounds of what is read. Each has a refusal or an issue that says it in a sentence.

/// Bytes of a file: 200 MB.
pub const FILE_BYTES_MAX: usize = 200 * 1024 * 1024;
/// Bytes of a delimited file's text, where it is not the file's own bytes: 220 MB.
pub const DECODED_BYTES_MAX: usize = 220 << 20;
/// Bytes from one line break of a delimited file to the next: a row of every field, each as long as a cell may be.
pub const LINE_BYTES_MAX: usize = 4 << 20;
/// Bytes from a quote to the one that closes it: one that is further away is none of the same cell, of which
/// [`CELL_BYTES_MAX`] would be kept.
pub const QUOTED_BYTES_MAX: usize = LINE_BYTES_MAX;
/// Bytes of one record of a file that is read in chunks.
pub const RECORD_BYTES_MAX: usize = 16 << 20;
/// Line breaks of a delimited file, those within cells too.
pub const LINE_BREAKS_MAX: usize = 16_000_000;
/// Rows of a table: a million of data and the headings above them.
pub const ROWS_MAX: usize = 1_000_001;
/// Columns of a row.
pub const COLUMNS_MAX: usize = 10_000;
/// Cells that are not at the empty end of a row; bounds the memory of the widest and longest tables: a million rows of
/// every column of the template.
pub const CELLS_MAX: usize = 45_000_000;
/// Bytes of one cell that are kept: what a spreadsheet itself holds in a cell. The rest is cut with an issue.
pub const CELL_BYTES_MAX: usize = 32_767;
/// Bytes of all cells of a workbook together.
pub const TEXT_BYTES_MAX: usize = 1 << 30;
/// Bytes a workbook's parts may have when unpacked, all together: a million rows of twenty columns have 1 to 1.5 GB.
pub const UNPACKED_BYTES_MAX: u64 = 2 << 30;
/// Bytes the parts of a small workbook may have.
pub const UNPACKED_BYTES_MIN: u64 = 512 << 20;
/// Between the two, how many times the size of the file they may have.
pub const UNPACKED_RATIO_MAX: u64 = 32;
/// Bytes one part of a workbook may have when unpacked, such as the texts of all sheets; but for an XLSX or XLSB sheet,
/// which is never held.
pub const PART_BYTES_MAX: u64 = 256 << 20;
/// Bytes of one text in a part: thirty times what a spreadsheet itself holds in a cell.
pub const TEXT_NODE_BYTES_MAX: usize = 1 << 20;
/// Bytes of a web page or an XML spreadsheet, which are held as they came and as text: 100 MB.
pub const MARKUP_BYTES_MAX: usize = 100 << 20;
/// Bytes from one tag of it to the next: a picture within a page may be as large.
pub const MARKUP_TEXT_BYTES_MAX: usize = 8 << 20;
/// Tags of it, or what begins as one does: a hundred thousand rows of every column of the template, each cell with a tag
/// before and behind; in the XML form 100 MB have as many. Those of all
/// pages of an archive together.
pub const MARKUP_TAGS_MAX: usize = 9_500_000;
/// Rows of it, all tables and all pages of an archive together: a program that saves so many rows as a page has failed
/// to open it long before.
pub const MARKUP_ROWS_MAX: usize = 500_000;
/// Places between the first and the last cell of a sheet whose reader holds all of them, those of XLS and ODS.
pub const RANGE_CELLS_MAX: usize = 16_000_000;
/// Shared texts of a workbook.
pub const SHARED_TEXTS_MAX: usize = 8_000_000;
/// Notes on cells made while they are read: beyond that a workbook is refused, and of a delimited file each row has one.
pub const NOTES_MAX: usize = 100_000;
/// Files, or sheets, that are read as one table.
pub const BUNDLE_FILES_MAX: usize = 200;
/// Tables of a web page, or sheets of an XML spreadsheet, which are all read at once.
pub const TABLES_MAX: usize = 1_000;
/// Parts in a workbook's archive.
pub const ARCHIVE_PARTS_MAX: usize = 10_000;
/// Bytes a damaged file may make the reader go over again, looking for the ends of quotes.
pub(crate) const REREAD_BYTES_MAX: usize = 64 << 20;
/// Bytes looked at to detect the delimiter.
pub(crate) const SAMPLE_BYTES: usize = 64 * 1024;
