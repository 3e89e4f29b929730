//! What a search finds as a file: CSV or a workbook, with amounts as numbers and dates as dates.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use bordereau_money::Usd;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::columns::{Cell, Column, chosen};
use super::found::{Asked, found};
use super::index::{Index, Inner, StatusWord};
use super::row::{Held, all_held};
use crate::Desk;
use crate::api::*;
use crate::files::{safe_name, save_through};
use crate::ports::FileFilter;
use crate::review::{csv_line, harmless};
use crate::store::StoreError;

/// Rows of a workbook without its header.
const WORKBOOK_ROWS_MAX: usize = 1_048_575;
/// Characters of a cell of a workbook.
const CELL_MAX: usize = 32_767;
/// Records read at a time, ahead of the writing.
const AHEAD: usize = 500;

impl Desk {
    /// Saves everything a search finds; asks where.
    ///
    /// # Errors
    /// [`ErrorCode::Validation`] where nothing is found, the format is neither `csv` nor `xlsx`, a column is not
    /// known, or the rows do not fit into a workbook; [`ErrorCode::Storage`].
    pub async fn transactions_export(
        &self,
        request: TransactionsExport,
    ) -> Result<FileOutcome, BoundaryError> {
        let bytes = self.transactions_file(&request).await?;
        let is_csv = request.format == "csv";
        let filter = FileFilter {
            name: if is_csv { "CSV" } else { "Excel workbook" }.into(),
            extensions: vec![request.format.clone()],
        };
        let today = self.inner.ports.clock.today();
        let suggested = safe_name(&format!("Transactions {today}.{}", request.format), "transactions");
        save_through(&self.inner.ports, suggested, filter, bytes).await
    }

    /// The file that [`Desk::transactions_export`] saves.
    ///
    /// # Errors
    /// As there.
    pub async fn transactions_file(&self, request: &TransactionsExport) -> Result<Vec<u8>, BoundaryError> {
        if !matches!(request.format.as_str(), "csv" | "xlsx") {
            let message = "Transactions are saved as xlsx or csv.";
            return Err(BoundaryError::fields(vec![FieldError::at("/format", message)]));
        }
        let (asked, columns) = (self.asked(&request.search)?, chosen(&request.columns)?);
        let (_, index) = self.index().await?;
        let ids = {
            let asked: Asked = asked;
            index.read(move |db, inner| Ok(found(db, inner, &asked)?.0)).await?
        };
        let refused = |message: &str| Err(BoundaryError::of(ErrorCode::Validation, message));
        if ids.is_empty() {
            return refused("Nothing matches this search: there is nothing to save.");
        }
        if request.format == "csv" {
            return write(index, ids, columns, csv).await;
        }
        if ids.len() > WORKBOOK_ROWS_MAX {
            return refused("A workbook holds 1,048,575 rows. Narrow the search, or save it as CSV.");
        }
        write(index, ids, columns, workbook).await
    }
}

/// Records as they are read.
type Records<'r> = &'r mut dyn Iterator<Item = Held>;
type Writer = fn(&[&'static Column], Records<'_>, StatusWord) -> Result<Vec<u8>, BoundaryError>;

/// Reads on one thread and writes on another: the writing is most of the work.
async fn write(
    index: Index,
    ids: Arc<Vec<i64>>,
    columns: Vec<&'static Column>,
    writer: Writer,
) -> Result<Vec<u8>, BoundaryError> {
    let (send, receive) = sync_channel::<Vec<Held>>(8);
    let words = index.inner.status_word;
    let reading = index.read(move |db, _: &Inner| {
        for part in ids.chunks(AHEAD) {
            if send.send(all_held(db, part)?).is_err() {
                break;
            }
        }
        Ok::<_, StoreError>(())
    });
    let writing =
        tokio::task::spawn_blocking(move || writer(&columns, &mut receive.into_iter().flatten(), words));
    let (read, written) = tokio::join!(reading, writing);
    read?;
    written.map_err(|_| BoundaryError::internal("writing transactions"))?
}

fn csv(
    columns: &[&'static Column],
    records: Records<'_>,
    words: StatusWord,
) -> Result<Vec<u8>, BoundaryError> {
    // The mark tells spreadsheet programs that this is UTF-8.
    let mut text = String::from("\u{feff}");
    text.push_str(&csv_line(columns.iter().map(|column| column.title)));
    for held in records {
        let cells: Vec<String> =
            columns.iter().map(|column| as_text(column.cell(&held.record, words))).collect();
        text.push_str(&csv_line(cells.iter().map(String::as_str)));
    }
    Ok(text.into_bytes())
}

fn as_text(cell: Cell) -> String {
    match cell {
        Cell::Text(text) => harmless(&text),
        Cell::Date(date) => date,
        Cell::Amount(amount) => amount.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Empty => String::new(),
    }
}

fn workbook(
    columns: &[&'static Column],
    records: Records<'_>,
    words: StatusWord,
) -> Result<Vec<u8>, BoundaryError> {
    write_workbook(columns, records, words).map_err(|error| {
        tracing::warn!(%error, "transactions as a workbook");
        BoundaryError::of(
            ErrorCode::Storage,
            "The rows do not fit into a workbook. Save them as CSV instead.",
        )
    })
}

fn write_workbook(
    columns: &[&'static Column],
    records: Records<'_>,
    words: StatusWord,
) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let formats = Formats::new();
    let bold = Format::new().set_bold();
    let sheet = workbook.add_worksheet().set_name("Transactions")?;
    let place = |at: usize| u16::try_from(at).unwrap_or(u16::MAX);
    for (at, column) in columns.iter().enumerate() {
        sheet.write_string_with_format(0, place(at), column.title, &bold)?;
        sheet.set_column_width(place(at), if column.name == "insured" { 32 } else { 14 })?;
    }
    sheet.set_freeze_panes(1, 0)?;
    let mut rows = 0;
    for held in records {
        rows += 1;
        for (at, column) in columns.iter().enumerate() {
            put(sheet, (rows, place(at)), column.cell(&held.record, words), &formats)?;
        }
    }
    if let Some(last) = columns.len().checked_sub(1) {
        sheet.autofilter(0, 0, rows, place(last))?;
    }
    workbook.save_to_buffer()
}

struct Formats {
    text: Format,
    date: Format,
    amount: Format,
    number: Format,
}

impl Formats {
    fn new() -> Formats {
        Formats {
            // Text is written as text: nothing runs as a formula, and identifiers keep their leading zeros.
            text: Format::new().set_num_format("@"),
            date: Format::new().set_num_format("yyyy-mm-dd"),
            amount: Format::new().set_num_format("#,##0.00"),
            number: Format::new().set_num_format("0"),
        }
    }
}

fn put(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: Cell,
    formats: &Formats,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Empty => {}
        Cell::Text(text) if text.len() > CELL_MAX => {
            let text: String = text.chars().take(CELL_MAX).collect();
            sheet.write_string_with_format(row, column, text, &formats.text)?;
        }
        Cell::Text(text) => {
            sheet.write_string_with_format(row, column, text, &formats.text)?;
        }
        Cell::Date(date) => match ExcelDateTime::parse_from_str(&date) {
            Ok(day) => {
                sheet.write_datetime_with_format(row, column, &day, &formats.date)?;
            }
            // Before 1900 there are no dates in a workbook.
            Err(_) => {
                sheet.write_string_with_format(row, column, date, &formats.text)?;
            }
        },
        Cell::Amount(amount) => {
            sheet.write_number_with_format(row, column, as_number(amount), &formats.amount)?;
        }
        Cell::Number(number) => {
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
