//! Which rows are shown, and in which order.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use bordereau_spreadsheets::{
    Cell, CellFilter, CellKind, Code, Severity, SortKey, TableRowOutcome, cell_as_shown, is_in_group,
    sort_key,
};

use super::acknowledgement::{KEPT, kept_finding, kept_message, kept_rows};
use super::row_index::RowIndex;
use super::session::ReviewSession;
use bordereau_api::{ColumnSort, ColumnValue, ColumnValues, ReviewCounts, ReviewValues, RowsQuery, to_u32};

/// Queries whose rows are remembered.
const QUERIES_MAX: usize = 4;
/// Values of a column that are listed.
const VALUES_MAX: usize = 500;

/// What a row has.
#[derive(Clone, Copy, Default)]
struct RowClass {
    /// Something to correct.
    error: bool,
    sent: bool,
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
            let is_sent = finding.code() == Code::SentBefore;
            class.sent |= is_sent;
            class.error |= finding.severity() == Severity::Error && !is_sent;
            class.warning |=
                finding.severity() == Severity::Warning && kept_finding(session, finding).is_none();
        }
        if !matches!(outcome, TableRowOutcome::Transaction | TableRowOutcome::FurtherRow) {
            continue;
        }
        all.push(to_u32(row));
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
    let found = std::mem::take(&mut session.by_query);
    keep_chosen_rows(session, found);
}

/// Rows that a person chose stay, those of other queries are found again.
pub fn keep_chosen_rows(session: &mut ReviewSession, mut found: HashMap<RowsQuery, Vec<u32>>) {
    let count = session.review().source().table.row_count();
    found.retain(|query, rows| {
        rows.retain(|row| (*row as usize) < count);
        query.choice > 0
    });
    session.by_query = found;
}

fn changed_rows(session: &ReviewSession) -> Vec<u32> {
    let table = &session.review().source().table;
    let edits = table.edits().filter(|(row, column, text)| table.original_cell(*row, *column).text != *text);
    let mut rows: BTreeSet<usize> = edits.map(|(row, ..)| row).collect();
    // Of a correction, a word that a code was chosen for is sent otherwise than it was, without a changed cell.
    if session.draft.batch.is_some() && !session.review().mapping().values.is_empty() {
        let is_mapped = |row: &usize| (0..table.width()).any(|at| session.review().has_mapped_word(*row, at));
        rows.extend((0..table.row_count()).filter(is_mapped));
    }
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
        } else if class.sent {
            index.sent.push(*row);
        } else if class.warning {
            index.warnings.push(*row);
        }
    }
    let mut ready_rows = 0;
    for transaction in 0..transactions.count() {
        let rows = transactions.rows_of(transaction);
        let is_open = |row: usize| !classes[row].error && !classes[row].sent && !review.is_excluded(row);
        let is_ready = rows.iter().all(|row| is_open(*row as usize));
        if is_ready {
            ready_rows += 1;
            index.ready.extend(rows);
        }
    }
    index.ready.sort_unstable();
    index.changed.retain(|row| index.all.binary_search(row).is_ok());
    let count = |rows: &Vec<u32>| to_u32(rows.len());
    index.counts = ReviewCounts {
        rows: count(&index.all),
        transactions: to_u32(transactions.count()),
        ready: ready_rows,
        errors: count(&index.errors).saturating_add(count(&index.sent)),
        sent: count(&index.sent),
        warnings: count(&index.warnings),
        changed: count(&index.changed),
        excluded: count(&index.excluded),
    };
    index
}

pub fn query_rows<'o>(session: &'o mut ReviewSession, query: &RowsQuery) -> &'o [u32] {
    if (RowsQuery { filter: query.filter, ..RowsQuery::default() }) == *query {
        if session.sorted.take().is_some() {
            session.by_query.retain(|query, _| query.choice > 0);
        }
        return session.index.rows(query.filter);
    }
    if !session.by_query.contains_key(query) {
        rank_rows(session, query.sort);
        let rows = find_rows(session, query);
        if session.by_query.len() >= QUERIES_MAX {
            session.by_query.clear();
        }
        session.by_query.insert(query.clone(), rows);
    }
    &session.by_query[query]
}

fn find_rows(session: &ReviewSession, query: &RowsQuery) -> Vec<u32> {
    let mut rows = session.index.rows(query.filter).to_vec();
    if !query.code.is_empty() {
        let with = rows_with_issue(session, &query.code);
        rows.retain(|row| with.contains(row));
    }
    let review = session.review();
    for filter in &query.columns {
        let cells = CellFilter::new(&filter.text, &filter.values);
        rows.retain(|row| cells.passes(review, *row as usize, filter.column as usize));
    }
    if let Some((_, ranks)) = session.sorted.as_ref().filter(|_| query.sort.is_some()) {
        // Rows that were added since follow.
        rows.sort_by_key(|row| ranks.get(*row as usize).copied().unwrap_or(u32::MAX));
    }
    rows
}

/// The order of all rows by a column. It stays while cells change, so that no row moves away from the person who
/// edits it, until another order is asked for.
fn rank_rows(session: &mut ReviewSession, sort: Option<ColumnSort>) {
    let Some(sort) = sort else {
        session.sorted = None;
        return;
    };
    if session.sorted.as_ref().is_some_and(|(of, _)| *of == sort) {
        return;
    }
    let review = session.review();
    let count = review.source().table.row_count();
    let mut keyed: Vec<(Option<SortKey>, u32)> =
        (0..count).map(|row| (sort_key(review, row, sort.column as usize), to_u32(row))).collect();
    // No two are the same: the row decides in the end.
    keyed.sort_unstable_by(|(a, first), (b, second)| {
        let by_value = match (a, b) {
            (Some(a), Some(b)) if sort.descending => b.cmp(a),
            (Some(a), Some(b)) => a.cmp(b),
            // Cells without a value are last either way.
            _ => b.is_some().cmp(&a.is_some()),
        };
        by_value.then(first.cmp(second))
    });
    let mut ranks = vec![0; count];
    for (rank, (_, row)) in keyed.iter().enumerate() {
        ranks[*row as usize] = to_u32(rank);
    }
    session.sorted = Some((sort, ranks));
}

fn rows_with_issue(session: &ReviewSession, code: &str) -> HashSet<u32> {
    if code == KEPT {
        return kept_rows(session).into_iter().collect();
    }
    let findings = session.review().findings().iter();
    let mut with: HashSet<u32> = findings
        .filter(|f| is_in_group(f, code) && kept_finding(session, f).is_none())
        .filter_map(|f| u32::try_from(f.row()).ok())
        .collect();
    if code.starts_with("service") {
        let rows = session.draft.messages.keys().copied();
        with.extend(rows.filter(|row| {
            let at = *row as usize;
            session
                .messages(at)
                .any(|(column, m)| m.group() == code && kept_message(session, at, column, m).is_none())
        }));
    }
    with
}

/// The values of a column in the rows shown, the most frequent first.
pub fn column_values(session: &mut ReviewSession, request: &ReviewValues) -> ColumnValues {
    let mut query = request.rows.clone();
    query.columns.retain(|filter| filter.column != request.column);
    query.sort = None;
    let rows = find_rows(session, &query);
    let (review, column) = (session.review(), request.column as usize);
    let mut counts: HashMap<(&str, CellKind), u32> = HashMap::new();
    for row in rows {
        let cell = review.source().table.cell(row as usize, column);
        *counts.entry((cell.text.trim(), cell.kind)).or_default() += 1;
    }
    let mut shown: BTreeMap<Cow<'_, str>, u32> = BTreeMap::new();
    for ((text, kind), rows) in counts {
        *shown.entry(cell_as_shown(review, column, Cell { text, kind })).or_default() += rows;
    }
    let has_more = shown.len() > VALUES_MAX;
    let mut values: Vec<(Cow<'_, str>, u32)> = shown.into_iter().collect();
    values.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    values.truncate(VALUES_MAX);
    let value = |(text, rows): (Cow<'_, str>, u32)| ColumnValue { text: text.into_owned(), rows };
    ColumnValues { values: values.into_iter().map(value).collect(), has_more }
}
