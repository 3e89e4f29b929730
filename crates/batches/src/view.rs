//! A review as it is shown: counts, totals, groups; pages of rows; issues as sentences.

use bordereau_api::to_u32;
use std::collections::{BTreeSet, HashSet};

use bordereau_spreadsheets::{
    ExcludedFile, Field, Finding, RepairKind, Table, column_letters, is_word_without_code, propose_code,
    shown_text,
};

use super::acknowledgement::{KEPT, kept_finding, kept_message};
use super::column_answers;
use super::column_rules::rule_set;
use super::explanation::explain;
use super::group::{finding_word, issue_groups, severity_name, value_matches};
use super::prepare::send_totals;
use super::row_filter::{query_rows, refresh_row_index};
use super::session::{ReviewSession, single_name};
use super::step::UndoStep;
use bordereau_api::*;
use bordereau_contract::{format_count, format_money_text};

/// Rows of a page, at most.
const PAGE_MAX: u32 = 500;

/// A view with nothing in it yet.
pub fn blank_view(id: &str, name: &str) -> ReviewView {
    ReviewView { id: id.into(), name: name.into(), ..ReviewView::default() }
}

/// Makes the lists and the view again, after a change.
pub fn refresh(session: &mut ReviewSession) {
    refresh_row_index(session);
    show_columns(session);
    if let Some(name) = single_name(session, &[Field::PolicyNumber, Field::InsuredName]) {
        session.name = name;
    }
    session.view = review_view(session);
}

/// A place behind the last column that once had a value or a problem stays, while no column of the file has its field.
fn show_columns(session: &mut ReviewSession) {
    let review = session.review();
    let layout = review.layout();
    let behind = review.findings().iter().filter_map(Finding::column);
    let edited = review.source().table.edits().map(|(_, column, _)| column);
    let made = review.source().table.computed().columns().map(usize::from);
    let made = made.filter(|column| !layout.is_in_file(*column));
    let mut shown = session.shown.clone();
    shown.extend(behind.chain(edited).chain(made).filter(|column| !layout.is_in_file(*column)));
    let is_free = |column: usize| {
        layout.field_of(column).is_some_and(|field| usize::from(layout.column_of(field)) == column)
    };
    shown.retain(|column| is_free(*column));
    session.shown = shown;
}

fn review_view(session: &ReviewSession) -> ReviewView {
    let source = session.review().source();
    let label = |step: Option<&UndoStep>| step.map_or_else(String::new, |s| s.label.clone());
    ReviewView {
        stage: if session.draft.matched { ReviewStage::Review } else { ReviewStage::Match },
        sheets: source.sheets.iter().filter(|s| !s.hidden).map(|s| s.name.clone()).collect(),
        left_out: source.left_out.iter().map(excluded_source).collect(),
        detected: column_answers::detected_views(session),
        columns: column_matches(session),
        values: value_matches(session),
        rules: rule_set(session),
        mapping: session.draft.mapping_name.clone(),
        counts: session.index.counts,
        totals: send_totals(session, SendScope::Valid),
        groups: issue_groups(session),
        documents_matched: to_u32(session.draft.documents.len()),
        undo: label(session.position.checked_sub(1).and_then(|at| session.steps.get(at))),
        redo: label(session.steps.get(session.position)),
        stored_at: session.stored_at.clone(),
        batch: session.draft.batch.clone(),
        is_single: session.draft.is_single,
        ..blank_view(&session.id, &session.name)
    }
}

fn excluded_source(file: &ExcludedFile) -> ExcludedSource {
    ExcludedSource { name: file.name.clone(), why: file.why.to_string(), is_duplicate: file.is_duplicate() }
}

/// The columns shown: those of the file, then the places behind it that have a value or a problem.
fn column_matches(session: &ReviewSession) -> Vec<ColumnMatch> {
    let (layout, source) = (session.review().layout(), session.review().source());
    let marked: HashSet<usize> = session.review().findings().iter().filter_map(Finding::column).collect();
    let first = source.header_row().map_or(0, |row| row + 1);
    let blank = blank_columns(&source.table, first, &marked);
    let mapping = session.review().mapping();
    let in_rules: HashSet<usize> =
        mapping.rules.column_names().filter_map(|name| mapping.column_named(name)).collect();
    let of_file = session.proposed.iter().map(|proposed| {
        let field = layout.field_of(proposed.column);
        let is_in_rule = field.is_none() && in_rules.contains(&proposed.column);
        ColumnMatch {
            column: to_u32(proposed.column),
            letters: column_letters(proposed.column),
            header: proposed.header.clone(),
            field: field.map(|field| field.name().into()),
            reason: if is_in_rule { "in_rule" } else { column_answers::reason_text(proposed, field) }.into(),
            examples: proposed.examples.clone(),
            is_blank: blank.contains(&proposed.column),
            proposed: proposed.suggestion.clone().filter(|_| field.is_none() && !is_in_rule).map(
                |suggested| ProposedField {
                    field: suggested.field.map(|field| field.name().into()),
                    reason: suggested.reason,
                },
            ),
        }
    });
    let made: HashSet<usize> = source.table.computed().columns().map(usize::from).collect();
    let added = session.shown.iter().filter_map(|column| {
        let field = layout.field_of(*column)?;
        Some(ColumnMatch {
            column: to_u32(*column),
            letters: String::new(),
            header: field.title().into(),
            field: Some(field.name().into()),
            reason: if made.contains(column) { "rule" } else { "added" }.into(),
            examples: Vec::new(),
            is_blank: false,
            proposed: None,
        })
    });
    of_file.chain(added).collect()
}

/// Columns without a text below the headers and without a problem. Each cell is looked at once: a file of a few bytes may
/// have ten thousand columns and a million rows.
fn blank_columns(table: &Table, first: usize, marked: &HashSet<usize>) -> BTreeSet<usize> {
    let has_text = |text: &str| !text.trim().is_empty();
    let rows = || first..table.row_count();
    let mut blank: BTreeSet<usize> = (0..table.width()).filter(|column| !marked.contains(column)).collect();
    for (_, column, _) in table.edits().filter(|(row, _, text)| *row >= first && has_text(text)) {
        blank.remove(&column);
    }
    let made = table.computed().columns().map(usize::from);
    for column in made.filter(|column| rows().any(|row| has_text(table.text_at(row, *column)))) {
        blank.remove(&column);
    }
    for row in rows() {
        let here = blank.range(..table.row_len(row)).copied();
        let filled: Vec<usize> = here.filter(|column| has_text(table.own_text(row, *column))).collect();
        for column in filled {
            blank.remove(&column);
        }
    }
    blank
}

pub fn rows_page(session: &mut ReviewSession, request: &RowsRequest) -> RowsPage {
    let rows = query_rows(session, &request.rows);
    let total = to_u32(rows.len());
    let from = (request.from as usize).min(rows.len());
    let to = from.saturating_add(request.count.min(PAGE_MAX) as usize).min(rows.len());
    let rows = rows[from..to].to_vec();
    let from = to_u32(from);
    RowsPage { total, from, rows: rows.into_iter().map(|row| row_view(session, row)).collect() }
}

fn row_view(session: &ReviewSession, row: u32) -> RowView {
    let at = row as usize;
    let review = session.review();
    let shown = || (0..session.proposed.len()).chain(session.shown.iter().copied());
    let mark = |finding: &Finding| CellMark {
        column: session.matched_column(finding.column()).map(to_u32),
        severity: match kept_finding(session, finding) {
            Some(_) => KEPT.into(),
            None => severity_name(finding.severity()).into(),
        },
        code: finding.code().code().into(),
    };
    let told = |(column, message): (Option<usize>, &RowMessage)| CellMark {
        column: column.map(to_u32),
        severity: match kept_message(session, at, column, message) {
            Some(_) => KEPT.into(),
            None => message.severity.clone(),
        },
        code: message.group(),
    };
    let marks = review.findings_of(at).iter().map(mark).chain(session.messages(at).map(told)).collect();
    let transaction = review.transactions().of_row(at);
    let first = transaction.map(|t| review.transactions().rows_of(t)[0]);
    let documents = session.draft.documents.iter().filter(|d| Some(d.row) == first).count();
    RowView {
        row,
        line: session.line(at),
        cells: shown().map(|column| shown_text(review, at, column).into_owned()).collect(),
        changed: shown().filter(|column| session.is_changed(at, *column)).map(to_u32).collect(),
        marks,
        excluded: review.is_excluded(at),
        documents: to_u32(documents),
    }
}

/// The issues of a cell, or of a whole row, in words; errors first.
pub fn cell_issues(session: &ReviewSession, cell: &CellId) -> CellIssues {
    let row = cell.row as usize;
    let asked = |column: Option<usize>| match cell.column {
        None => true,
        Some(asked) => column == Some(asked as usize),
    };
    let findings = session.review().findings_of(row).iter();
    let findings = findings.filter(|f| asked(session.matched_column(f.column())));
    let told = session.messages(row).filter(|(column, _)| asked(*column));
    let mut issues: Vec<IssueView> = findings
        .map(|f| in_words(session, f))
        .chain(told.map(|(c, m)| service_message_text(session, row, c, m)))
        .collect();
    issues.sort_by_key(|issue| (issue.kept.is_some(), issue.severity != "error"));
    CellIssues { issues }
}

fn in_words(session: &ReviewSession, finding: &Finding) -> IssueView {
    let issue = session.review().describe_finding(finding);
    let place = place_text(session, finding.row(), finding.column());
    let why = issue.calculated.and_then(|_| explain(session, finding));
    let fix = issue.fix.as_ref().filter(|fix| fix.kind.is_offered(fix.certain));
    let fix = fix.map(|fix| (fix.kind, fix.label.clone()));
    let by_word =
        || is_word_without_code(finding.code()).then(|| (RepairKind::MatchValues, "Match values".into()));
    let (fix, fix_label) = fix.or_else(by_word).unzip();
    // A correction has the lines of the file that was sent first.
    let row = format!("Row {}", issue.location.row);
    let message = match issue.message.strip_prefix(&row) {
        // Of a transaction that was entered by hand nobody has a row.
        Some(rest) if session.is_by_hand() => match rest.split_once(": found ") {
            Some((_, found)) => format!("{place}: found {found}{}", code_to_write(session, finding)),
            None => rest.to_owned(),
        },
        Some(rest) => format!("Row {}{rest}", session.line(finding.row())),
        None => issue.message,
    };
    IssueView {
        code: issue.code.code().into(),
        title: finding.title(),
        severity: severity_name(issue.severity).into(),
        place,
        message,
        provided: issue.provided.map(|amount| amount.to_string()),
        calculated: issue.calculated.map(|amount| amount.to_string()),
        difference: issue.difference.map(|amount| amount.to_string()),
        fix: fix.map(|kind| <&str>::from(kind).into()),
        fix_label,
        why,
        kept: kept_finding(session, finding).map(str::to_owned),
    }
}

fn service_message_text(
    session: &ReviewSession,
    row: usize,
    column: Option<usize>,
    message: &RowMessage,
) -> IssueView {
    let fix = message.calculated.as_ref().filter(|_| column.is_some());
    IssueView {
        code: message.group(),
        title: "Reported by the service".into(),
        severity: message.severity.clone(),
        place: place_text(session, row, column),
        message: message.text.clone(),
        provided: message.provided.clone(),
        calculated: message.calculated.clone(),
        difference: message.difference.clone(),
        fix: fix.map(|_| "use_calculated".into()),
        fix_label: fix.map(|amount| format!("Use calculated {}", format_money_text(amount))),
        why: None,
        kept: kept_message(session, row, column, message).map(str::to_owned),
    }
}

/// `Row 1,207, column "SLT"`.
/// What a word without a code usually means, and the code to write: no mapping remembers the words of one transaction.
fn code_to_write(session: &ReviewSession, finding: &Finding) -> String {
    let field = finding.field().filter(|_| is_word_without_code(finding.code()));
    let propose =
        |field| propose_code(field, finding_word(session, finding), &session.check_context.local.lines);
    let told = field.and_then(propose).map(|found| format!(" {} Write {}.", found.reason, found.code));
    told.unwrap_or_default()
}

fn place_text(session: &ReviewSession, row: usize, column: Option<usize>) -> String {
    if session.is_by_hand() {
        let field = column.and_then(|column| session.review().layout().field_of(column));
        return field.map_or("The transaction", Field::title).to_owned();
    }
    let line = format_count(session.line(row) as usize);
    let line = match session.review().source().part_of(row) {
        Some(part) => format!("{line} of {}", part.name),
        None => line,
    };
    let layout = session.review().layout();
    match column {
        Some(column) if layout.is_in_file(column) && !layout.header_of(column).is_empty() => {
            format!("Row {line}, column \"{}\"", layout.header_of(column))
        }
        Some(column) => match layout.field_of(column) {
            Some(field) => format!("Row {line}, {}", field.title()),
            None => format!("Row {line}, column {}", column_letters(column)),
        },
        None => format!("Row {line}"),
    }
}
