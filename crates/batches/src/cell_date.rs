//! The date of a cell, for a calendar, and a date as its column writes dates.

use bordereau_api::{BoundaryError, CellDate, CellDateRequest, ErrorCode};
use bordereau_contract::parse_day;
use bordereau_spreadsheets::{SortKey, sort_key, text_as_shown, written_day};

use super::session::ReviewSession;

/// Reads the cell, and writes the date that is asked for.
pub fn cell_date(session: &ReviewSession, request: &CellDateRequest) -> Result<CellDate, BoundaryError> {
    let (row, column) = (request.row as usize, request.column as usize);
    let review = session.review();
    let date = match sort_key(review, row, column) {
        Some(SortKey::Day(day)) => Some(day.to_string()),
        _ => None,
    };
    if request.date.is_empty() {
        return Ok(CellDate { date, text: String::new() });
    }
    let Some(day) = parse_day(&request.date) else {
        let words = "A date between 1900 and 2199 is needed.";
        return Err(BoundaryError::with_code(ErrorCode::Validation, words));
    };
    let written = written_day(review, Some(column), day);
    Ok(CellDate { date, text: text_as_shown(review, column, &written).into_owned() })
}
