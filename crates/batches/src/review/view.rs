//! A review as it is shown: counts, totals, groups; pages of rows; issues in words.

use bordereau_spreadsheets::{Finding, column_letters};

use super::correction::group_of;
use super::group::{groups, is_offered, severity, values};
use super::index::filtered;
use super::keep::KEPT;
use super::open::{Open, grouped};
use super::{matching, send};
use bordereau_api::*;

/// Rows of a page, at most.
const PAGE_MAX: u32 = 500;

/// A view with nothing in it yet.
pub fn blank(id: &str, name: &str) -> ReviewView {
    ReviewView {
        id: id.into(),
        stage: ReviewStage::Reading,
        name: name.into(),
        read_bytes: 0,
        total_bytes: 0,
        read_rows: 0,
        checked_rows: 0,
        is_draft: false,
        asks: false,
        refusal: None,
        sheets: Vec::new(),
        detected: Vec::new(),
        columns: Vec::new(),
        values: Vec::new(),
        mapping: String::new(),
        counts: ReviewCounts::default(),
        totals: ReviewTotals::default(),
        groups: Vec::new(),
        documents_matched: 0,
        undo: String::new(),
        redo: String::new(),
        stored_at: String::new(),
        batch: None,
    }
}

/// The review as it stands.
pub fn of(open: &Open) -> ReviewView {
    let source = open.review().source();
    let label = |step: Option<&super::step::Step>| step.map_or_else(String::new, |s| s.label.clone());
    ReviewView {
        stage: if open.body.matched { ReviewStage::Review } else { ReviewStage::Match },
        sheets: source.sheets.iter().filter(|s| !s.hidden).map(|s| s.name.clone()).collect(),
        detected: matching::detected(open),
        columns: columns(open),
        values: values(open),
        mapping: open.body.mapping_name.clone(),
        counts: open.index.counts,
        totals: send::totals(open, SendScope::Valid),
        groups: groups(open),
        documents_matched: u32::try_from(open.body.documents.len()).unwrap_or(u32::MAX),
        undo: label(open.position.checked_sub(1).and_then(|at| open.steps.get(at))),
        redo: label(open.steps.get(open.position)),
        stored_at: open.stored_at.clone(),
        batch: open.body.batch.clone(),
        ..blank(&open.id, &open.name)
    }
}

/// The columns shown: those of the file, then the places behind it that have a value or a problem.
fn columns(open: &Open) -> Vec<ColumnMatch> {
    let layout = open.review().layout();
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let of_file = open.proposed.iter().map(|proposed| {
        let field = layout.field_of(proposed.column);
        ColumnMatch {
            column: small(proposed.column),
            letters: column_letters(proposed.column),
            header: proposed.header.clone(),
            field: field.map(|field| field.name().into()),
            reason: matching::reason(proposed, field).into(),
            examples: proposed.examples.clone(),
        }
    });
    let added = open.shown.iter().filter_map(|column| {
        let field = layout.field_of(*column)?;
        Some(ColumnMatch {
            column: small(*column),
            letters: String::new(),
            header: field.title().into(),
            field: Some(field.name().into()),
            reason: "added".into(),
            examples: Vec::new(),
        })
    });
    of_file.chain(added).collect()
}

/// A page of rows that pass the filter.
pub fn page(open: &mut Open, request: &RowsRequest) -> RowsPage {
    let rows = filtered(open, request.filter, &request.code);
    let total = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    let from = (request.from as usize).min(rows.len());
    let to = from.saturating_add(request.count.min(PAGE_MAX) as usize).min(rows.len());
    let rows = rows[from..to].to_vec();
    let from = u32::try_from(from).unwrap_or(u32::MAX);
    RowsPage { total, from, rows: rows.into_iter().map(|row| row_view(open, row)).collect() }
}

fn row_view(open: &Open, row: u32) -> RowView {
    let at = row as usize;
    let review = open.review();
    let table = &review.source().table;
    let shown = || (0..open.proposed.len()).chain(open.shown.iter().copied());
    let small = |column: usize| u32::try_from(column).unwrap_or(u32::MAX);
    let mark = |finding: &Finding| CellMark {
        column: finding.column().map(small),
        severity: match open.kept_finding(finding) {
            Some(_) => KEPT.into(),
            None => severity(finding.severity()).into(),
        },
        code: finding.code().code().into(),
    };
    let told = |(column, message): (Option<usize>, &RowMessage)| CellMark {
        column: column.map(small),
        severity: match open.kept_message(at, column, message) {
            Some(_) => KEPT.into(),
            None => message.severity.clone(),
        },
        code: group_of(message),
    };
    let marks = review.findings_of(at).iter().map(mark).chain(open.messages(at).map(told)).collect();
    let transaction = review.transactions().of_row(at);
    let first = transaction.map(|t| review.transactions().rows(t)[0]);
    let documents = open.body.documents.iter().filter(|d| Some(d.row) == first).count();
    RowView {
        row,
        line: open.line(at),
        cells: shown().map(|column| table.text_at(at, column).to_owned()).collect(),
        changed: shown().filter(|column| open.is_changed(at, *column)).map(small).collect(),
        marks,
        excluded: review.is_excluded(at),
        documents: u32::try_from(documents).unwrap_or(u32::MAX),
    }
}

/// The issues of a cell, or of a whole row, in words; errors first.
pub fn issues(open: &Open, cell: &CellId) -> CellIssues {
    let row = cell.row as usize;
    let asked = |column: Option<usize>| match cell.column {
        None => true,
        Some(asked) => column == Some(asked as usize),
    };
    let findings = open.review().findings_of(row).iter().filter(|f| asked(f.column()));
    let told = open.messages(row).filter(|(column, _)| asked(*column));
    let mut issues: Vec<IssueView> = findings
        .map(|f| in_words(open, f))
        .chain(told.map(|(c, m)| told_in_words(open, row, c, m)))
        .collect();
    issues.sort_by_key(|issue| (issue.kept.is_some(), issue.severity != "error"));
    CellIssues { issues }
}

fn in_words(open: &Open, finding: &Finding) -> IssueView {
    let issue = open.review().issue(finding);
    let place = place(open, finding.row(), finding.column());
    let why = issue.calculated.and_then(|_| super::why::why(open, finding));
    let fix = issue.fix.as_ref().filter(|fix| is_offered(&fix.kind, fix.certain));
    IssueView {
        code: issue.code.code().into(),
        title: match issue.field {
            Some(field) => format!("{} ({})", issue.code.title(), field.title()),
            None => issue.code.title().into(),
        },
        severity: severity(issue.severity).into(),
        place,
        message: issue.message,
        provided: issue.provided.map(|amount| amount.to_string()),
        calculated: issue.calculated.map(|amount| amount.to_string()),
        difference: issue.difference.map(|amount| amount.to_string()),
        fix: fix.map(|fix| fix.kind.clone()),
        fix_label: fix.map(|fix| fix.label.clone()),
        why,
        kept: open.kept_finding(finding).map(str::to_owned),
    }
}

fn told_in_words(open: &Open, row: usize, column: Option<usize>, message: &RowMessage) -> IssueView {
    let fix = message.calculated.as_ref().filter(|_| column.is_some());
    IssueView {
        code: group_of(message),
        title: "Told by the service".into(),
        severity: message.severity.clone(),
        place: place(open, row, column),
        message: message.text.clone(),
        provided: message.provided.clone(),
        calculated: message.calculated.clone(),
        difference: message.difference.clone(),
        fix: fix.map(|_| "use_calculated".into()),
        fix_label: fix.map(|amount| format!("Use calculated {amount}")),
        why: None,
        kept: open.kept_message(row, column, message).map(str::to_owned),
    }
}

/// `Row 1,207, column "SLT"`.
fn place(open: &Open, row: usize, column: Option<usize>) -> String {
    let line = grouped(open.line(row) as usize);
    let layout = open.review().layout();
    match column {
        Some(column) if layout.is_in_file(column) && !layout.header(column).is_empty() => {
            format!("Row {line}, column \"{}\"", layout.header(column))
        }
        Some(column) => match layout.field_of(column) {
            Some(field) => format!("Row {line}, {}", field.title()),
            None => format!("Row {line}, column {}", column_letters(column)),
        },
        None => format!("Row {line}"),
    }
}
