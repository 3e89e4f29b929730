//! What selected cells add up to: in parts, so that the rows on screen never wait for a million others.

use bordereau_api::{CellFigures, ReviewFigures};
use bordereau_spreadsheets::{SortKey, ValueKind, cents_text, sort_key};

use super::row_filter::query_rows;
use super::session::ReviewSession;
use bordereau_api::cell_spans::disjoint_spans;

/// Cells that are added before others get their turn: some hundredths of a second.
const CELLS_PER_TURN: usize = 200_000;

/// A sum that is being made.
#[derive(Debug, Default)]
pub struct FigureSum {
    filled: u32,
    amounts: u32,
    /// Of all amounts: a million of the largest are far below its end.
    cents: i128,
    /// The place among the rows shown that is next.
    next: usize,
}

impl FigureSum {
    /// Adds the next cells; true when all of them are in.
    pub fn add_turn(&mut self, session: &mut ReviewSession, request: &ReviewFigures) -> bool {
        let shown = query_rows(session, &request.rows);
        let spans = disjoint_spans(&request.areas, shown.len());
        let Some(span) = spans.into_iter().find(|span| span.end > self.next) else { return true };
        let first = self.next.max(span.first);
        let end = span.end.min(first + (CELLS_PER_TURN / span.columns.len()).max(1));
        let rows = shown[first..end].to_vec();
        for column in span.columns {
            self.add_column(session, &rows, column);
        }
        self.next = end;
        false
    }

    fn add_column(&mut self, session: &ReviewSession, rows: &[u32], column: usize) {
        let review = session.review();
        let is_amount =
            review.layout().field_of(column).is_some_and(|field| field.kind() == ValueKind::Amount);
        for row in rows.iter().map(|row| *row as usize) {
            if review.source().table.text_at(row, column).trim().is_empty() {
                continue;
            }
            self.filled = self.filled.saturating_add(1);
            if is_amount && let Some(SortKey::Amount(cents)) = sort_key(review, row, column) {
                self.amounts = self.amounts.saturating_add(1);
                self.cents += i128::from(cents);
            }
        }
    }

    pub fn figures(&self) -> CellFigures {
        CellFigures {
            filled: self.filled,
            amounts: self.amounts,
            sum: cents_text(self.cents),
            average: cents_text(rounded_average(self.cents, self.amounts)),
        }
    }
}

/// Half a cent goes away from zero.
fn rounded_average(cents: i128, count: u32) -> i128 {
    if count == 0 {
        return 0;
    }
    let count = i128::from(count);
    let size = (cents.abs() * 2 + count) / (count * 2);
    if cents < 0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_averages_are_to_the_cent() {
        let cases: [(&[i128], &str, &str); 6] = [
            (&[125_050, 50, -100], "1250.00", "416.67"),
            (&[-100, -200], "-3.00", "-1.50"),
            (&[-1, 0], "-0.01", "-0.01"),
            (&[], "0.00", "0.00"),
            (&[1, 0], "0.01", "0.01"),
            (&[99_999_999_999_999, 99_999_999_999_999], "1999999999999.98", "999999999999.99"),
        ];
        for (amounts, sum, average) in cases {
            let made = FigureSum {
                amounts: u32::try_from(amounts.len()).unwrap(),
                cents: amounts.iter().sum(),
                ..FigureSum::default()
            };
            let figures = made.figures();
            assert_eq!((figures.sum.as_str(), figures.average.as_str()), (sum, average), "{amounts:?}");
        }
    }
}
