//! Replaces a text in all rows shown, or in some of them: shown first, done as one step.

use bordereau_api::{BoundaryError, ErrorCode, ReviewReplace, to_u32};
use bordereau_contract::pluralize;
use bordereau_spreadsheets::shown_text;

use super::repair::{RepairPlan, repair_changes};
use super::row_filter::query_rows;
use super::session::ReviewSession;
use bordereau_api::cell_spans::{CellSpan, disjoint_spans};

/// Characters of the text and of its replacement.
const TEXT_MAX: usize = 1_000;
/// Characters of a cell.
const CELL_MAX: usize = 32_767;

/// The replacement as one step. Rows that are excluded and columns that are not matched stay as they are.
pub fn plan_replacement(
    session: &mut ReviewSession,
    request: &ReviewReplace,
) -> Result<RepairPlan, BoundaryError> {
    if [&request.text, &request.replacement].iter().any(|text| text.chars().count() > TEXT_MAX) {
        return refuse("The text to find and its replacement have at most 1,000 characters each.");
    }
    if request.text.is_empty() && !request.is_whole {
        return refuse("Type what to find. To fill empty cells, match the entire cell.");
    }
    let rows = query_rows(session, &request.rows).to_vec();
    let layout = session.review().layout();
    let matched: Vec<usize> = (0..session.proposed.len())
        .chain(session.shown.iter().copied())
        .filter(|column| layout.field_of(*column).is_some())
        .collect();
    let spans = match request.areas.as_slice() {
        [] => vec![CellSpan { first: 0, end: rows.len(), columns: matched.clone() }],
        areas => disjoint_spans(areas, rows.len()),
    };
    let mut texts = Vec::new();
    for span in spans {
        let columns: Vec<usize> =
            span.columns.into_iter().filter(|column| matched.contains(column)).collect();
        for row in rows[span.first..span.end].iter().map(|row| *row as usize) {
            if !session.review().is_excluded(row) {
                replace_in_row(session, request, row, &columns, &mut texts)?;
            }
        }
    }
    let step = session.edits(format!("Replace in {}", pluralize(texts.len(), "cell")), texts)?;
    let total = to_u32(step.cells.len());
    let changes = repair_changes(session, &step);
    Ok(RepairPlan { step, total, changes })
}

fn replace_in_row(
    session: &ReviewSession,
    request: &ReviewReplace,
    row: usize,
    columns: &[usize],
    texts: &mut Vec<(usize, usize, String)>,
) -> Result<(), BoundaryError> {
    for column in columns {
        let (text, shown) = (
            session.review().source().table.text_at(row, *column),
            shown_text(session.review(), row, *column),
        );
        let replaced = |text: &str| replace_in(text, request).filter(|after| after != text);
        let Some(after) = replaced(&shown).or_else(|| replaced(text)) else { continue };
        if after.chars().count() > CELL_MAX {
            return refuse("A cell would have more than 32,767 characters. Choose a shorter replacement.");
        }
        texts.push((row, *column, after));
    }
    Ok(())
}

fn refuse<T>(words: &str) -> Result<T, BoundaryError> {
    Err(BoundaryError::with_code(ErrorCode::Validation, words))
}

/// The text of a cell afterwards; `None` where it does not have the text.
fn replace_in(cell: &str, request: &ReviewReplace) -> Option<String> {
    if request.is_whole {
        let (found, wanted) = (cell.trim(), request.text.trim());
        let is_same =
            if request.has_case { found == wanted } else { found.to_lowercase() == wanted.to_lowercase() };
        return is_same.then(|| request.replacement.clone());
    }
    if request.has_case {
        return cell.contains(&request.text).then(|| cell.replace(&request.text, &request.replacement));
    }
    replace_any_case(cell, &request.text.to_lowercase(), &request.replacement)
}

/// Letters may become longer or shorter in lower case, so that places are found in the cell itself.
fn replace_any_case(cell: &str, needle: &str, replacement: &str) -> Option<String> {
    let (mut made, mut rest, mut is_found) = (String::new(), cell, false);
    while let Some(letter) = rest.chars().next() {
        match length_of_match(rest, needle) {
            Some(length) => {
                made.push_str(replacement);
                rest = &rest[length..];
                is_found = true;
            }
            None => {
                made.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    is_found.then_some(made)
}

/// Bytes at the start of the text that are the needle in any case.
fn length_of_match(text: &str, needle: &str) -> Option<usize> {
    let mut wanted = needle.chars();
    for (at, letter) in text.char_indices() {
        let mut lower = letter.to_lowercase();
        if wanted.as_str().is_empty() {
            return Some(at);
        }
        if !lower.all(|part| wanted.next() == Some(part)) {
            return None;
        }
    }
    wanted.as_str().is_empty().then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::replace_any_case;

    #[test]
    fn every_place_is_replaced_in_any_case() {
        let cases = [
            ("Acme LLC, ACME llc", "llc", "Inc.", Some("Acme Inc., ACME Inc.")),
            ("aaa", "aa", "b", Some("ba")),
            ("\u{130}stanbul", "stan", "-", Some("\u{130}-bul")),
            ("STRASSE \u{c4}", "\u{e4}", "ae", Some("STRASSE ae")),
            ("Acme", "x", "y", None),
            ("", "x", "y", None),
        ];
        for (cell, needle, replacement, expected) in cases {
            assert_eq!(replace_any_case(cell, needle, replacement).as_deref(), expected, "{cell}");
        }
    }
}
