//! Rows with errors as a file that can be imported again: the same columns, the error and the row beside them.

use bordereau_spreadsheets::{Finding, Mapping, REJECT_COLUMNS, Severity};
use rust_xlsxwriter::{Format, Workbook};

use super::changes::slot_with_rows;
use super::column_answers::key_of;
use super::correction::{as_table, file_mapping};
use super::mapping::remember_for_headers;
use super::sent_before::correction_rows;
use super::session::ReviewSession;
use super::slots::{blocking, with_session};
use bordereau_api::{BoundaryError, ErrorCode, FileOutcome, SaveRejects, TableFormat, to_u32};
use bordereau_session::Context;
use bordereau_session::files::{safe_name, save_through};
use bordereau_session::ports::FileFilter;
use bordereau_spreadsheets::{csv_line, escape_formula};
use bordereau_store::batches::rows::BatchCorrection;

/// Characters of a cell of a workbook.
const CELL_MAX: usize = 32_767;

/// What goes into the file.
struct RejectsFile {
    name: String,
    headers: Vec<String>,
    /// How it is read again.
    mapping: Mapping,
    /// Cells, the error, and the row of the first file.
    rows: Vec<(Vec<String>, String, u32)>,
}

/// Saves the rows with errors of a review, or those of a batch that have to be corrected; rows with warnings only
/// where asked. The file is matched when it is opened again.
///
/// # Errors
/// [`ErrorCode::NotFound`], [`ErrorCode::Storage`]; [`ErrorCode::Validation`] when there are none.
pub async fn rejects_save(ctx: &Context, request: SaveRejects) -> Result<FileOutcome, BoundaryError> {
    let SaveRejects { format, with_warnings, .. } = request;
    let rejects = match slot_with_rows(ctx, &request.id).await {
        Ok(slot) => {
            blocking(move || with_session(&slot, |session| Ok(of_review(session, with_warnings)))).await??
        }
        Err(error) if error.code == ErrorCode::NotFound => {
            let mut correction = correction_rows(ctx, &request.id).await?;
            correction.rows.retain(|row| with_warnings || !row.is_accepted);
            of_batch(&correction, &file_mapping(ctx, &correction).await)
        }
        Err(error) => return Err(error),
    };
    if rejects.rows.is_empty() {
        return Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "No row has an error: there is nothing to save.",
        ));
    }
    let stem = rejects.name.rsplit_once('.').map_or(rejects.name.as_str(), |(stem, _)| stem);
    let suggested = safe_name(&format!("{stem} rejected.{}", format.extension()), "rejected");
    let key = key_of(rejects.headers.iter().map(String::as_str).chain(REJECT_COLUMNS));
    let mapping = rejects.mapping.clone();
    let written = blocking(move || match format {
        TableFormat::Csv => Ok(as_csv(&rejects)),
        TableFormat::Xlsx => as_workbook(&rejects),
    });
    let filter = FileFilter::for_table(format);
    let outcome = save_through(ctx.ports(), suggested, filter, written.await??).await?;
    if outcome.saved {
        remember_for_headers(ctx, &key, &mapping).await?;
    }
    Ok(outcome)
}

fn of_review(session: &ReviewSession, with_warnings: bool) -> RejectsFile {
    let review = session.review();
    let table = &review.source().table;
    let mut rejected: Vec<usize> = Vec::new();
    for transaction in 0..review.transactions().count() {
        let of_transaction = review.transactions().rows_of(transaction);
        let first = of_transaction[0];
        let is_sent = of_transaction.iter().all(|row| session.index.sent.binary_search(row).is_ok());
        let is_warned = with_warnings
            && of_transaction.iter().any(|row| session.index.warnings.binary_search(row).is_ok());
        let is_done = is_sent || session.index.is_ready(first) && !is_warned;
        if review.is_excluded(first as usize) || is_done {
            continue;
        }
        rejected.extend(of_transaction.iter().map(|row| *row as usize));
    }
    // What rules make is made again, of columns that may have been corrected, unless a person typed it.
    let is_made = |column: usize| {
        let is_made = u16::try_from(column).is_ok_and(|at| !table.computed().columns_behind(at).is_empty());
        is_made && !rejected.iter().any(|row| table.is_edited(*row, column))
    };
    let shown = session.shown.iter().copied().filter(|column| !is_made(*column));
    // An earlier file of rejected rows has the two columns already.
    let is_kept = |column: &usize| !REJECT_COLUMNS.contains(&review.layout().header_of(*column));
    let columns: Vec<usize> = (0..session.proposed.len()).chain(shown).filter(is_kept).collect();
    let rows = rejected.into_iter().map(|row| {
        let cells = columns.iter().map(|column| table.text_at(row, *column).to_owned()).collect();
        (cells, row_reasons(session, row, with_warnings), session.line(row))
    });
    let rows = rows.collect();
    let headers = columns.iter().map(|column| review.layout().header_of(*column).to_owned()).collect();
    let mapping = Mapping {
        date_order: review.values().date_order.value,
        decimal_mark: Some(review.values().decimal_mark.value),
        ..review.mapping().clone()
    };
    RejectsFile { name: session.name.clone(), headers, mapping, rows }
}

fn row_reasons(session: &ReviewSession, row: usize, with_warnings: bool) -> String {
    let review = session.review();
    let is_told = |f: &&Finding| with_warnings || f.severity() == Severity::Error;
    let own = review.findings_of(row).iter().filter(is_told);
    let own = own.map(|finding| review.describe_finding(finding).message);
    let told = session.messages(row);
    own.chain(told.map(|(_, message)| message.text.clone())).collect::<Vec<_>>().join(" ")
}

fn of_batch(correction: &BatchCorrection, of_file: &Mapping) -> RejectsFile {
    let (mapping, cells) = as_table(correction, of_file);
    let rows = cells.into_iter().zip(&correction.rows).map(|(cells, row)| {
        let said: Vec<&str> = row.messages.iter().map(|message| message.text.as_str()).collect();
        (cells, said.join(" "), row.line)
    });
    RejectsFile {
        name: correction.name.clone(),
        headers: mapping.columns.iter().map(|column| column.header.clone()).collect(),
        mapping,
        rows: rows.collect(),
    }
}

fn as_csv(rejects: &RejectsFile) -> Vec<u8> {
    // By this mark spreadsheet programs know that it is UTF-8.
    let mut text = String::from("\u{feff}");
    let headers: Vec<String> = rejects.headers.iter().map(|header| escape_formula(header)).collect();
    text.push_str(&csv_line(headers.iter().map(String::as_str).chain(REJECT_COLUMNS)));
    for (cells, error, line) in &rejects.rows {
        let line = line.to_string();
        let safe: Vec<String> = cells.iter().chain([error, &line]).map(|cell| escape_formula(cell)).collect();
        text.push_str(&csv_line(safe.iter().map(String::as_str)));
    }
    text.into_bytes()
}

fn as_workbook(rejects: &RejectsFile) -> Result<Vec<u8>, BoundaryError> {
    write_workbook(rejects).map_err(|error| {
        tracing::warn!(%error, "rejected rows as a workbook");
        BoundaryError::with_code(
            ErrorCode::Storage,
            "The rows do not fit into a workbook. Save them as CSV instead.",
        )
    })
}

/// All cells as text: nothing is run as a formula, and an identifier keeps its leading zeros.
fn write_workbook(rejects: &RejectsFile) -> Result<Vec<u8>, rust_xlsxwriter::XlsxError> {
    let mut workbook = Workbook::new();
    let (text, bold) = (Format::new().set_num_format("@"), Format::new().set_bold());
    let sheet = workbook.add_worksheet().set_name("Rejected rows")?;
    let column = |at: usize| u16::try_from(at).unwrap_or(u16::MAX);
    for (at, header) in rejects.headers.iter().map(String::as_str).chain(REJECT_COLUMNS).enumerate() {
        sheet.write_string_with_format(0, column(at), header, &bold)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    for (row, (cells, error, line)) in rejects.rows.iter().enumerate() {
        let row = to_u32(row + 1);
        for (at, cell) in cells.iter().chain([error, &line.to_string()]).enumerate() {
            if !cell.is_empty() {
                let cell: String = cell.chars().take(CELL_MAX).collect();
                sheet.write_string_with_format(row, column(at), cell, &text)?;
            }
        }
    }
    workbook.save_to_buffer()
}
