//! Finds a text in all rows, or the next issue.

use super::acknowledgement::{kept_finding, kept_message};
use super::row_filter::filter_rows;
use super::session::ReviewSession;
use bordereau_api::{FoundCell, ReviewFind};

/// Places counted, at most.
const COUNTED_MAX: u32 = 10_000;

/// The place after the one given, going round at the end.
pub fn find(session: &mut ReviewSession, request: &ReviewFind) -> FoundCell {
    let rows = filter_rows(session, request.filter, "").to_vec();
    let needle = request.text.to_lowercase();
    let columns: Vec<usize> = (0..session.proposed.len()).chain(session.shown.iter().copied()).collect();
    let here = (request.row, request.column);
    let (mut total, mut best, mut wrapped) = (0u32, None, None);
    for (at, row) in rows.iter().enumerate() {
        for column in places(session, *row, &columns, &needle) {
            let place = (*row, column);
            total += 1;
            if request.backwards {
                // The last one before; else the last of all.
                if place < here {
                    best = Some((at, place));
                }
                wrapped = Some((at, place));
            } else {
                if place > here && best.is_none() {
                    best = Some((at, place));
                }
                wrapped.get_or_insert((at, place));
            }
        }
        let is_known = best.is_some() && !request.backwards;
        if total >= COUNTED_MAX && is_known {
            break;
        }
    }
    match best.or(wrapped) {
        Some((at, (row, column))) => FoundCell {
            found: true,
            row,
            index: u32::try_from(at).unwrap_or(u32::MAX),
            column,
            total: total.min(COUNTED_MAX),
        },
        None => FoundCell { found: false, row: 0, index: 0, column: 0, total: 0 },
    }
}

/// Columns of a row that have the text, or a problem when there is none.
fn places(session: &ReviewSession, row: u32, columns: &[usize], needle: &str) -> Vec<u32> {
    let small = |column: usize| u32::try_from(column).unwrap_or(u32::MAX);
    let at = row as usize;
    if !needle.is_empty() {
        let table = &session.review().source().table;
        let has = |column: &&usize| contains(table.text_at(at, **column), needle);
        return columns.iter().filter(has).map(|column| small(*column)).collect();
    }
    if session.review().is_excluded(at) {
        return Vec::new();
    }
    let findings = session.review().findings_of(at).iter();
    let findings =
        findings.filter(|f| kept_finding(session, f).is_none()).map(|f| f.column().map_or(0, small));
    let told = session.messages(at).filter(|(column, m)| kept_message(session, at, *column, m).is_none());
    let told = told.map(|(column, _)| column.map_or(0, small));
    let mut problems: Vec<u32> = findings.chain(told).collect();
    problems.sort_unstable();
    problems.dedup();
    problems
}

/// Whether the text has the needle, which is in lower case.
fn contains(text: &str, needle: &str) -> bool {
    if text.len() < needle.len() && text.is_ascii() {
        return false;
    }
    if text.is_ascii() && needle.is_ascii() {
        return text
            .as_bytes()
            .windows(needle.len())
            .any(|part| part.eq_ignore_ascii_case(needle.as_bytes()));
    }
    text.to_lowercase().contains(needle)
}
