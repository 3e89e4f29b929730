//! Exports search results: CSV or a workbook, with amounts as numbers and dates as dates.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use bordereau_money::Usd;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::columns::{ColumnValue, RecordColumn, choose_columns};
use super::export_watch::ExportWatch;
use super::index::ProfileIndex;
use super::record_reading::RecordReading;
use crate::search::search_key;
use crate::transaction_indexes::{TransactionIndexes, active_index};
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::files::{NOT_SAVED, fill_chosen, safe_name};
use bordereau_session::ports::FileFilter;
use bordereau_tables::{csv_line, escape_formula};
use bordereau_transaction_index::records::{StoredRecord, find_records};
use bordereau_transaction_index::search::find_ids;

/// Rows of a workbook without its header.
const WORKBOOK_ROWS_MAX: usize = 1_048_575;
/// Characters of a cell of a workbook.
const CELL_MAX: usize = 32_767;
/// Records read at a time, ahead of the writing.
const AHEAD: usize = 500;

/// What goes into a file: checked, before the person is asked where.
struct PreparedExport {
    index: ProfileIndex,
    reading: RecordReading,
    ids: Arc<Vec<i64>>,
    columns: Vec<&'static RecordColumn>,
    format: TableFormat,
}

/// Saves everything a search finds; asks where first, then writes, with progress and until it is canceled.
///
/// # Errors
/// [`ErrorCode::Validation`] where nothing is found, a column is not known, the rows do not fit into a workbook, or
/// another file is being written; [`ErrorCode::Storage`].
pub async fn transactions_export(
    ctx: &Context,
    request: TransactionsExport,
) -> Result<FileOutcome, BoundaryError> {
    let prepared = prepare_export(ctx, &request).await?;
    let (today, extension) = (ctx.ports().clock.today(), request.format.extension());
    let suggested = safe_name(&format!("Transactions {today}.{extension}"), "transactions");
    let filter = FileFilter::for_table(request.format);
    let Some(path) = ctx.ports().dialogs.choose_save_path(suggested, filter).await else {
        return Ok(NOT_SAVED);
    };
    let watch = ExportWatch::for_rows(prepared.ids.len());
    let transactions = TransactionIndexes::from_context(ctx);
    let Some(_turn) = transactions.exports.begin_export(&watch) else {
        return Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "Another file of transactions is being written: wait for it, or cancel it.",
        ));
    };
    match write(prepared, &watch, path).await {
        // What was begun of it is gone.
        Err(_) if watch.is_canceled() => Ok(NOT_SAVED),
        outcome => outcome,
    }
}

/// The file of transactions that is being written.
pub async fn transactions_export_state(
    ctx: &Context,
    _request: Nothing,
) -> Result<ExportState, BoundaryError> {
    Ok(TransactionIndexes::from_context(ctx).exports.export_state())
}

/// Ends writing the file of transactions: nothing of it stays, and what was under its name before is as it was.
/// A file that is complete already is kept.
pub async fn transactions_export_cancel(
    ctx: &Context,
    _request: Nothing,
) -> Result<ExportState, BoundaryError> {
    if let Some(watch) = TransactionIndexes::from_context(ctx).exports.current_watch() {
        watch.cancel();
    }
    Ok(TransactionIndexes::from_context(ctx).exports.export_state())
}

async fn prepare_export(
    ctx: &Context,
    request: &TransactionsExport,
) -> Result<PreparedExport, BoundaryError> {
    let (key, columns) = (search_key(ctx, &request.search)?, choose_columns(&request.columns)?);
    let (profile, index) = active_index(ctx).await?;
    let reading = RecordReading::for_profile(ctx, &profile);
    let cache = index.file.cache();
    let ids = index.file.read(move |db| Ok(find_ids(db, &cache, &key)?.0)).await?;
    let refused = |message: &str| Err(BoundaryError::with_code(ErrorCode::Validation, message));
    if ids.is_empty() {
        return refused("Nothing matches this search: there is nothing to save.");
    }
    if request.format == TableFormat::Xlsx && ids.len() > WORKBOOK_ROWS_MAX {
        return refused("A workbook holds 1,048,575 rows. Narrow the search, or save it as CSV.");
    }
    Ok(PreparedExport { index, reading, ids, columns, format: request.format })
}

/// Records on their way from the index to the file, `None` behind the last: without it the file is not whole.
type Parts = Receiver<Option<Vec<StoredRecord>>>;

/// Reads on one thread and writes on another, into a file beside the one that was chosen, which takes its name when
/// it is whole. However large it is, only some of its rows are in memory; of a workbook, whose parts are packed
/// together, all cells are.
async fn write(
    prepared: PreparedExport,
    watch: &Arc<ExportWatch>,
    path: PathBuf,
) -> Result<FileOutcome, BoundaryError> {
    let PreparedExport { index, reading, ids, columns, format } = prepared;
    let (send, parts) = sync_channel(8);
    let watching = Arc::clone(watch);
    let fetching = index.file.read(move |db| {
        for part in ids.chunks(AHEAD) {
            if watching.is_canceled() || send.send(Some(find_records(db, part)?)).is_err() {
                return Ok(());
            }
        }
        // No one takes it where the writing failed, which says so itself.
        let _ = send.send(None);
        Ok(())
    });
    let watching = Arc::clone(watch);
    let writing = fill_chosen(path, move |file| {
        let sheet = ExportSheet { columns, reading: &reading, watch: &watching };
        let mut file = BufWriter::new(file);
        match format {
            TableFormat::Csv => sheet.write_csv(&parts, &mut file)?,
            TableFormat::Xlsx => sheet.write_workbook(&parts, &mut file)?,
        }
        if watching.is_canceled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        file.flush()
    });
    let (read, written) = tokio::join!(fetching, writing);
    read?;
    written
}

/// What is written, and for whom.
struct ExportSheet<'w> {
    columns: Vec<&'static RecordColumn>,
    reading: &'w RecordReading,
    watch: &'w ExportWatch,
}

impl ExportSheet<'_> {
    /// Hands every record over, in order; an error where they end before the last.
    fn for_each_record(
        &self,
        parts: &Parts,
        mut take: impl FnMut(StoredRecord) -> io::Result<()>,
    ) -> io::Result<()> {
        for part in parts {
            let Some(part) = part else { return Ok(()) };
            for held in part {
                take(held)?;
                self.watch.count_row();
            }
        }
        Err(io::ErrorKind::Interrupted.into())
    }

    fn write_csv(&self, parts: &Parts, file: &mut impl Write) -> io::Result<()> {
        // By this mark spreadsheet programs know that it is UTF-8.
        file.write_all("\u{feff}".as_bytes())?;
        file.write_all(csv_line(self.columns.iter().map(|column| column.title)).as_bytes())?;
        self.for_each_record(parts, |held| {
            let cells: Vec<String> = self
                .columns
                .iter()
                .map(|column| as_text(column.value_of(&held.record, self.reading)))
                .collect();
            file.write_all(csv_line(cells.iter().map(String::as_str)).as_bytes())
        })
    }

    fn write_workbook(&self, parts: &Parts, file: &mut impl Write) -> io::Result<()> {
        let mut workbook = Workbook::new();
        self.lay_out(parts, &mut workbook)?;
        self.watch.start_packing();
        if self.watch.is_canceled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        // Packed first: what packs it hides what the disk says.
        let packed = workbook.save_to_buffer().map_err(io::Error::other)?;
        file.write_all(&packed)
    }

    fn lay_out(&self, parts: &Parts, workbook: &mut Workbook) -> io::Result<()> {
        let formats = CellFormats::new();
        let bold = Format::new().set_bold();
        let sheet = workbook.add_worksheet().set_name("Transactions").map_err(io::Error::other)?;
        let place = |at: usize| u16::try_from(at).unwrap_or(u16::MAX);
        for (at, column) in self.columns.iter().enumerate() {
            let width = if column.name == "insured" { 32 } else { 14 };
            sheet
                .write_string_with_format(0, place(at), column.title, &bold)
                .and_then(|sheet| sheet.set_column_width(place(at), width))
                .map_err(io::Error::other)?;
        }
        sheet.set_freeze_panes(1, 0).map_err(io::Error::other)?;
        let mut rows = 0;
        self.for_each_record(parts, |held| {
            rows += 1;
            for (at, column) in self.columns.iter().enumerate() {
                let cell = column.value_of(&held.record, self.reading);
                put_cell(sheet, (rows, place(at)), cell, &formats).map_err(io::Error::other)?;
            }
            Ok(())
        })?;
        if let Some(last) = self.columns.len().checked_sub(1) {
            sheet.autofilter(0, 0, rows, place(last)).map_err(io::Error::other)?;
        }
        Ok(())
    }
}

fn as_text(cell: ColumnValue) -> String {
    match cell {
        ColumnValue::Text(text) => escape_formula(&text),
        ColumnValue::Date(date) => date,
        ColumnValue::Amount(amount) => amount.to_string(),
        ColumnValue::Number(number) => number.to_string(),
        ColumnValue::Empty => String::new(),
    }
}

struct CellFormats {
    text: Format,
    date: Format,
    amount: Format,
    number: Format,
}

impl CellFormats {
    fn new() -> CellFormats {
        CellFormats {
            // Text is written as text: nothing runs as a formula, and identifiers keep their leading zeros.
            text: Format::new().set_num_format("@"),
            date: Format::new().set_num_format("mm/dd/yyyy"),
            amount: Format::new().set_num_format("#,##0.00"),
            number: Format::new().set_num_format("0"),
        }
    }
}

fn put_cell(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: ColumnValue,
    formats: &CellFormats,
) -> Result<(), XlsxError> {
    match cell {
        ColumnValue::Empty => {}
        ColumnValue::Text(text) if text.len() > CELL_MAX => {
            let text: String = text.chars().take(CELL_MAX).collect();
            sheet.write_string_with_format(row, column, text, &formats.text)?;
        }
        ColumnValue::Text(text) => {
            sheet.write_string_with_format(row, column, text, &formats.text)?;
        }
        ColumnValue::Date(date) => match ExcelDateTime::parse_from_str(&date) {
            Ok(day) => {
                sheet.write_datetime_with_format(row, column, &day, &formats.date)?;
            }
            // Before 1900 there are no dates in a workbook.
            Err(_) => {
                sheet.write_string_with_format(row, column, date, &formats.text)?;
            }
        },
        ColumnValue::Amount(amount) => {
            sheet.write_number_with_format(row, column, as_number(amount), &formats.amount)?;
        }
        ColumnValue::Number(number) => {
            sheet.write_number_with_format(row, column, number as f64, &formats.number)?;
        }
    }
    Ok(())
}

/// A workbook knows only binary numbers; cents stay exact as far as its 15 digits go.
fn as_number(amount: Usd) -> f64 {
    let exact = amount.as_decimal();
    exact.mantissa() as f64 / 10_f64.powi(i32::try_from(exact.scale()).unwrap_or_default())
}
