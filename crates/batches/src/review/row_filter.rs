//! Which rows pass which filter.

use std::collections::BTreeSet;

use bordereau_spreadsheets::{Severity, TableRowOutcome};

use super::acknowledgement::{kept_finding, kept_message, kept_rows};
use super::group_key::{KEPT, is_in_group, message_group};
use super::row_index::RowIndex;
use super::session::ReviewSession;
use bordereau_api::{ReviewCounts, RowFilter};

/// What a row has.
#[derive(Clone, Copy, Default)]
struct RowClass {
    error: bool,
    warning: bool,
}

/// One pass over rows and findings, which are in the order of rows.
pub fn refresh_row_index(session: &mut ReviewSession) {
    // Which rows are changed says which messages are done, and is needed for all that follows.
    session.index = RowIndex { changed: changed_rows(session), ..RowIndex::default() };
    let review = session.review();
    let table = &review.source().table;
    let mut all = Vec::new();
    let mut findings = review.findings().iter().peekable();
    let mut classes = vec![RowClass::default(); table.row_count()];
    for (row, outcome) in review.transactions().row_outcomes().iter().enumerate() {
        while findings.next_if(|f| f.row() < row).is_some() {}
        let class = &mut classes[row];
        while let Some(finding) = findings.next_if(|f| f.row() == row) {
            class.error |= finding.severity() == Severity::Error;
            class.warning |=
                finding.severity() == Severity::Warning && kept_finding(session, finding).is_none();
        }
        if !matches!(outcome, TableRowOutcome::Transaction | TableRowOutcome::FurtherRow) {
            continue;
        }
        all.push(u32::try_from(row).unwrap_or(u32::MAX));
    }
    let rows = classes.len();
    for row in session.draft.messages.keys().map(|row| *row as usize).filter(|row| *row < rows) {
        for (column, message) in session.messages(row) {
            let is_error = message.severity == "error";
            classes[row].error |= is_error;
            classes[row].warning |= !is_error && kept_message(session, row, column, message).is_none();
        }
    }
    session.index = sorted_rows(session, all, &classes);
}

fn changed_rows(session: &ReviewSession) -> Vec<u32> {
    let table = &session.review().source().table;
    let edits = table.edits().filter(|(row, column, text)| table.original_cell(*row, *column).text != *text);
    let rows: BTreeSet<usize> = edits.map(|(row, ..)| row).collect();
    rows.into_iter().filter_map(|row| u32::try_from(row).ok()).collect()
}

fn sorted_rows(session: &ReviewSession, all: Vec<u32>, classes: &[RowClass]) -> RowIndex {
    let mut index = RowIndex { all, changed: session.index.changed.clone(), ..RowIndex::default() };
    let review = session.review();
    let transactions = review.transactions();
    for row in &index.all {
        let class = classes[*row as usize];
        if review.is_excluded(*row as usize) {
            index.excluded.push(*row);
        } else if class.error {
            index.errors.push(*row);
        } else if class.warning {
            index.warnings.push(*row);
        }
    }
    let mut ready_rows = 0;
    for transaction in 0..transactions.count() {
        let rows = transactions.rows_of(transaction);
        let is_ready = rows.iter().all(|r| !classes[*r as usize].error && !review.is_excluded(*r as usize));
        if is_ready {
            ready_rows += 1;
            index.ready.extend(rows);
        }
    }
    index.ready.sort_unstable();
    index.changed.retain(|row| index.all.binary_search(row).is_ok());
    let count = |rows: &Vec<u32>| u32::try_from(rows.len()).unwrap_or(u32::MAX);
    index.counts = ReviewCounts {
        rows: count(&index.all),
        transactions: u32::try_from(transactions.count()).unwrap_or(u32::MAX),
        ready: ready_rows,
        errors: count(&index.errors),
        warnings: count(&index.warnings),
        changed: count(&index.changed),
        excluded: count(&index.excluded),
    };
    index
}

/// The rows of a filter and, unless it is empty, of the group with this code.
pub fn filter_rows<'o>(session: &'o mut ReviewSession, filter: RowFilter, code: &str) -> &'o [u32] {
    if code.is_empty() {
        return session.index.rows(filter);
    }
    let asked = (filter, code.to_owned());
    if session.index.of_group.0.as_ref() != Some(&asked) {
        let rows = group_rows(session, code);
        let rows = session.index.rows(filter).iter().copied().filter(|row| rows.binary_search(row).is_ok());
        session.index.of_group = (Some(asked), rows.collect());
    }
    &session.index.of_group.1
}

/// The rows of a group, in order.
fn group_rows(session: &ReviewSession, code: &str) -> Vec<u32> {
    let mut rows = if code == KEPT {
        kept_rows(session)
    } else {
        let findings = session.review().findings().iter();
        let own = findings.filter(|f| is_in_group(f, code) && kept_finding(session, f).is_none());
        let mut rows = Vec::new();
        for row in own.filter_map(|f| u32::try_from(f.row()).ok()) {
            if rows.last() != Some(&row) {
                rows.push(row);
            }
        }
        rows
    };
    if code.starts_with("service") {
        let told = session.draft.messages.keys().copied();
        rows.extend(told.filter(|row| {
            let at = *row as usize;
            session
                .messages(at)
                .any(|(column, m)| message_group(m) == code && kept_message(session, at, column, m).is_none())
        }));
    }
    rows.sort_unstable();
    rows
}
