//! Finds a text in the rows shown, the next issue, or the edge of the data.

use bordereau_spreadsheets::has_cell_text;

use super::acknowledgement::{kept_finding, kept_message};
use super::row_filter::query_rows;
use super::session::ReviewSession;
use bordereau_api::{FoundCell, ReviewEdge, ReviewFind};

/// Places counted, at most.
const COUNTED_MAX: u32 = 10_000;

const NOT_FOUND: FoundCell = FoundCell { found: false, row: 0, index: 0, column: 0, total: 0 };

/// The place after the one given, going round at the end.
pub fn find_cell(session: &mut ReviewSession, request: &ReviewFind) -> FoundCell {
    let rows = query_rows(session, &request.rows).to_vec();
    let needle = request.text.to_lowercase();
    let columns: Vec<usize> = (0..session.proposed.len()).chain(session.shown.iter().copied()).collect();
    let rank = |column: u32| match request.order.iter().position(|shown| *shown == column) {
        Some(place) => place,
        None => request.order.len() + column as usize,
    };
    let first = request.order.first().copied().unwrap_or_default();
    // By the order in which the rows are shown; a row that is not shown is where it would be in the file.
    let place_of = |row: u32| rows.iter().position(|shown| *shown == row);
    let here = match place_of(request.row) {
        Some(at) => (at, Some(rank(request.column))),
        None => (rows.iter().position(|shown| *shown > request.row).unwrap_or(rows.len()), None),
    };
    let (mut total, mut best, mut wrapped) = (0u32, None, None);
    for (at, row) in rows.iter().enumerate() {
        let matching = matching_columns(session, *row, &columns, &needle).into_iter();
        let mut matching: Vec<u32> = matching.map(|column| column.unwrap_or(first)).collect();
        matching.sort_by_key(|column| rank(*column));
        matching.dedup();
        for column in matching {
            let (spot, place) = ((at, Some(rank(column))), (*row, column));
            total += 1;
            if request.backwards {
                // The last one before; else the last of all.
                if spot < here {
                    best = Some((at, place));
                }
                wrapped = Some((at, place));
            } else {
                if spot > here && best.is_none() {
                    best = Some((at, place));
                }
                wrapped.get_or_insert((at, place));
            }
        }
        if total >= COUNTED_MAX && best.is_some() && !request.backwards {
            break;
        }
    }
    let Some((at, (row, column))) = best.or(wrapped) else { return NOT_FOUND };
    FoundCell { found: true, row, index: to_u32(at), column, total: total.min(COUNTED_MAX) }
}

/// The end of the filled cells that the place is in; from an empty cell, or from the end of them, the next filled one.
pub fn find_edge(session: &mut ReviewSession, request: &ReviewEdge) -> FoundCell {
    let rows = query_rows(session, &request.rows).to_vec();
    let table = &session.review().source().table;
    let is_filled = |at: usize| !table.text_at(rows[at] as usize, request.column as usize).trim().is_empty();
    let Some(last) = rows.len().checked_sub(1) else { return NOT_FOUND };
    let step = |at: usize| if request.backwards { at.checked_sub(1) } else { (at < last).then(|| at + 1) };
    let mut at = (request.index as usize).min(last);
    let is_inside = is_filled(at) && step(at).is_some_and(is_filled);
    while let Some(next) = step(at) {
        if is_inside && !is_filled(next) {
            break;
        }
        at = next;
        if !is_inside && is_filled(at) {
            break;
        }
    }
    FoundCell { found: true, row: rows[at], index: to_u32(at), column: request.column, total: 1 }
}

pub(super) fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Columns of a row that have the text, or a problem when there is none; a problem of the whole row has no column.
fn matching_columns(session: &ReviewSession, row: u32, columns: &[usize], needle: &str) -> Vec<Option<u32>> {
    let at = row as usize;
    if !needle.is_empty() {
        let has = |column: &&usize| has_cell_text(session.review(), at, **column, needle);
        return columns.iter().filter(has).map(|column| Some(to_u32(*column))).collect();
    }
    if session.review().is_excluded(at) {
        return Vec::new();
    }
    let findings = session.review().findings_of(at).iter();
    let findings = findings.filter(|f| kept_finding(session, f).is_none()).map(|f| f.column());
    let findings = findings.map(|column| session.matched_column(column));
    let told = session.messages(at).filter(|(column, m)| kept_message(session, at, *column, m).is_none());
    let told = told.map(|(column, _)| column);
    let mut problems: Vec<Option<u32>> = findings.chain(told).map(|column| column.map(to_u32)).collect();
    problems.sort_unstable();
    problems.dedup();
    problems
}
