//! The audit log: listed, and for an examiner as CSV, as PDF, and its head. A head that is kept elsewhere shows whether
//! the log was rewritten.

use bordereau_contract::{format_day_text, format_timestamp, parse_instant, pluralize_as};
use bordereau_pdf::{BODY, BOLD, FontSet, LABEL, PageFlow, RowColumn, SMALL, WIDTH, render_pdf};
use serde::{Deserialize, Serialize};

use crate::dropped_files::dropped_path;
use crate::files::{read_text, save_through};
use crate::ports::FileFilter;
use crate::settings::settings_load;
use crate::{Context, run_off_thread};
use bordereau_api::*;
use bordereau_spreadsheets::{csv_line, escape_formula};
use bordereau_store::audit;

/// Largest file of a head, in bytes.
const HEAD_BYTES_MAX: u64 = 4 * 1024;
/// Counts up when older versions can't read the file any more.
const HEAD_VERSION: u32 = 1;
/// Digits of a hash in a row of the sheet; the CSV file has all.
const HASH_SHOWN: usize = 16;

const NUMBER: RowColumn = RowColumn::right_aligned(0.0, 34.0);
const TIME: RowColumn = RowColumn::left_aligned(42.0, 92.0);
const PERSON: RowColumn = RowColumn::left_aligned(138.0, 64.0);
const ENTRY: RowColumn = RowColumn::left_aligned(206.0, WIDTH - 296.0);
const HASH: RowColumn = RowColumn::left_aligned(WIDTH - 84.0, 84.0);

/// The audit log, newest first, and whether its hash chain is intact.
pub async fn audit_list(ctx: &Context, _request: Nothing) -> Result<AuditLog, BoundaryError> {
    Ok(ctx.store().with_connection(|connection| audit::list_entries(connection)).await?)
}

/// The file of a head.
#[derive(Serialize, Deserialize)]
struct HeadFile {
    bordereau_audit_head: u32,
    #[serde(flatten)]
    head: AuditHead,
}

/// The last entry of the log: its day in UTC, its number and its hash, which is made from all before it.
fn head_of(log: &AuditLog) -> Option<AuditHead> {
    let last = log.entries.first()?;
    let day = last.at.split('T').next().unwrap_or_default().to_owned();
    Some(AuditHead { day, number: last.number, hash: last.hash.clone() })
}

/// Saves the log or its head to a file.
///
/// # Errors
/// [`ErrorCode::Validation`] while the log is empty; errors of writing.
pub async fn audit_export(ctx: &Context, request: AuditExport) -> Result<FileOutcome, BoundaryError> {
    let log = audit_list(ctx, Nothing {}).await?;
    let Some(head) = head_of(&log) else {
        let message = "The audit log has no entries yet. Nothing was saved.";
        return Err(BoundaryError::with_code(ErrorCode::Validation, message));
    };
    let agency = settings_load(ctx, Nothing {}).await?.agency;
    let clock = &ctx.ports().clock;
    let printed = format_timestamp(&clock.local(clock.now()));
    let (kind, extension, day) = match request.kind {
        AuditExportKind::Csv => ("CSV table", "csv", head.day.clone()),
        AuditExportKind::Pdf => ("PDF document", "pdf", head.day.clone()),
        AuditExportKind::Head => ("Audit log checkpoint", "json", format!("checkpoint {}", head.day)),
    };
    let make = move || match request.kind {
        AuditExportKind::Csv => Some(csv_bytes(&log)),
        AuditExportKind::Pdf => pdf_bytes(&log, &head, &agency, &printed),
        AuditExportKind::Head => {
            let file = HeadFile { bordereau_audit_head: HEAD_VERSION, head };
            serde_json::to_vec_pretty(&file).ok().map(|bytes| [bytes, b"\n".to_vec()].concat())
        }
    };
    let what = "making the file";
    let bytes = run_off_thread(what, make).await?.ok_or_else(|| BoundaryError::internal_error(what))?;
    let filter = FileFilter { name: kind.to_owned(), extensions: vec![extension.to_owned()] };
    save_through(ctx.ports(), format!("Audit log {day}.{extension}"), filter, bytes).await
}

/// Compares the log with a head saved earlier: is everything up to it unchanged?
///
/// # Errors
/// [`ErrorCode::Validation`] where the file isn't a head.
pub async fn audit_check_head(
    ctx: &Context,
    request: AuditHeadFile,
) -> Result<AuditHeadCheck, BoundaryError> {
    let path = if request.handle.is_empty() {
        let filter =
            FileFilter { name: "Audit log checkpoint".to_owned(), extensions: vec!["json".to_owned()] };
        ctx.ports().dialogs.open("Open a checkpoint of the audit log".to_owned(), filter).await
    } else {
        Some(dropped_path(ctx, &request.handle)?)
    };
    let Some(path) = path else { return Ok(AuditHeadCheck::default()) };
    let refuse = |why: String| BoundaryError::with_code(ErrorCode::Validation, why);
    let text = read_text(&path, HEAD_BYTES_MAX).await.map_err(refuse)?;
    let no_head =
        || refuse("This is not a checkpoint of an audit log. Choose one that was saved here.".to_owned());
    let file: HeadFile = serde_json::from_str(&text).map_err(|_| no_head())?;
    if file.bordereau_audit_head != HEAD_VERSION {
        return Err(no_head());
    }
    let (holds, message) = compare(&audit_list(ctx, Nothing {}).await?, &file.head);
    Ok(AuditHeadCheck { head: Some(file.head), holds, message })
}

/// Whether the log has all entries that the head covers, and what that means.
fn compare(log: &AuditLog, head: &AuditHead) -> (bool, String) {
    let (number, day) = (head.number, format_day_text(&head.day));
    if !log.intact {
        return (false, "The hash chain is broken: entries were changed or removed.".to_owned());
    }
    let mut all = log.entries.iter().chain(&log.copied);
    if all.any(|entry| entry.number == number && entry.hash == head.hash) {
        return (true, format!("Everything up to entry {number} is as it was on {day}."));
    }
    let why = match log.entries.iter().any(|entry| entry.number == number) {
        true => {
            "is not the one of that day: the log was rewritten since, or it is the log of another data folder"
        }
        false => "is missing: the log was replaced by an older or another one",
    };
    (false, format!("Entry {number} of {day} {why}."))
}

fn csv_bytes(log: &AuditLog) -> Vec<u8> {
    let mut text = csv_line(["Number", "Time (UTC)", "Person", "Entry", "Hash", "Signed in as"].into_iter());
    // Logs of copied data folders come last, each with its own numbers.
    for entry in log.entries.iter().rev().chain(log.copied.iter().rev()) {
        let (number, by, what) =
            (entry.number.to_string(), escape_formula(&entry.by), escape_formula(&entry.text));
        let signed_by = escape_formula(&entry.signed_by);
        let cells = [number.as_str(), &entry.at, &by, &what, &entry.hash, &signed_by];
        text.push_str(&csv_line(cells.into_iter()));
    }
    text.into_bytes()
}

fn pdf_bytes(log: &AuditLog, head: &AuditHead, agency: &str, printed: &str) -> Option<Vec<u8>> {
    let fonts = FontSet::embedded()?;
    let mut flow = PageFlow::new(&fonts);
    if !agency.trim().is_empty() {
        flow.add_paragraph(agency, BOLD);
        flow.add_space(2.0);
    }
    flow.add_title("Audit log");
    flow.add_space(4.0);
    if !log.intact {
        flow.add_band("The hash chain is broken: entries were changed or removed outside of Bordereau.");
        flow.add_space(4.0);
    }
    let count = pluralize_as(log.entries.len(), "entry", "entries");
    let from = log.entries.last().map(|entry| format_day_text(&entry.at)).unwrap_or_default();
    let facts = [
        ("Contents", format!("{count}, {from} to {}", format_day_text(&head.day))),
        ("Last entry", format!("number {} of {}", head.number, format_day_text(&head.day))),
        ("Its hash", head.hash.clone()),
        ("Printed", printed.to_owned()),
    ];
    for (label, text) in &facts {
        flow.add_row(&[
            (RowColumn::left_aligned(0.0, 80.0), label, LABEL),
            (RowColumn::left_aligned(84.0, WIDTH - 84.0), text, BODY),
        ]);
    }
    flow.add_space(4.0);
    flow.add_paragraph(
        "Each entry has a hash (SHA-256) of the hash before it, its number, time, person and text. Whoever has the hash of the last entry can prove that no entry before it was changed.",
        SMALL,
    );
    flow.add_heading("Entries");
    flow.add_row(&[
        (NUMBER, "No.", LABEL),
        (TIME, "Time (UTC)", LABEL),
        (PERSON, "Person", LABEL),
        (ENTRY, "Entry", LABEL),
        (HASH, "Hash begins", LABEL),
    ]);
    for entry in log.entries.iter().rev().chain(log.copied.iter().rev()) {
        let at = parse_instant(&entry.at).map_or_else(|| entry.at.clone(), |at| format_timestamp(&at));
        flow.add_row(&[
            (NUMBER, &entry.number.to_string(), SMALL),
            (TIME, &at, SMALL),
            (PERSON, &entry.author(), SMALL),
            (ENTRY, &entry.text, SMALL),
            (HASH, &entry.hash.chars().take(HASH_SHOWN).collect::<String>(), SMALL),
        ]);
    }
    let foot = format!("Audit log to entry {} of {}", head.number, format_day_text(&head.day));
    render_pdf(&fonts, &flow.finish_pages(&foot), "Audit log")
}
