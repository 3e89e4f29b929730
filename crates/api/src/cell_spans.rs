//! Ranges of cells as spans of rows: each cell once, whichever ranges it is in.

use std::collections::BTreeSet;

use crate::CellArea;

/// Rows that follow one another, with the same columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellSpan {
    /// Place of the first row among those shown.
    pub first: usize,
    /// Behind the last.
    pub end: usize,
    /// Columns of the table, from left to right as in the table.
    pub columns: Vec<usize>,
}

impl CellSpan {
    /// How many cells it has.
    pub fn cell_count(&self) -> usize {
        (self.end - self.first).saturating_mul(self.columns.len())
    }
}

/// The places of an area's rows among so many.
pub fn row_places(area: &CellArea, rows: usize) -> std::ops::Range<usize> {
    let end = (area.last as usize).saturating_add(1).min(rows);
    (area.first as usize).min(end)..end
}

/// The cells of all areas, from the first row to the last.
pub fn disjoint_spans(areas: &[CellArea], rows: usize) -> Vec<CellSpan> {
    let places: Vec<_> = areas.iter().map(|area| row_places(area, rows)).collect();
    let edges: BTreeSet<usize> = places.iter().flat_map(|range| [range.start, range.end]).collect();
    let edges: Vec<usize> = edges.into_iter().collect();
    let span = |pair: &[usize]| {
        let (first, end) = (pair[0], pair[1]);
        let here = areas.iter().zip(&places).filter(|(_, range)| range.start <= first && end <= range.end);
        let columns: BTreeSet<usize> =
            here.flat_map(|(area, _)| &area.columns).map(|column| *column as usize).collect();
        CellSpan { first, end, columns: columns.into_iter().collect() }
    };
    edges.windows(2).map(span).filter(|span| span.cell_count() > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(first: u32, last: u32, columns: &[u32]) -> CellArea {
        CellArea { first, last, columns: columns.to_vec() }
    }

    #[test]
    fn a_cell_in_two_ranges_is_there_once() {
        let cases: [(&[CellArea], usize, &str); 6] = [
            (&[area(2, 4, &[1, 0])], 10, "2..5 [0, 1]"),
            (&[area(0, 3, &[0]), area(2, 5, &[0, 7])], 10, "0..2 [0]; 2..4 [0, 7]; 4..6 [0, 7]"),
            (&[area(0, 1, &[0]), area(4, 5, &[0])], 10, "0..2 [0]; 4..6 [0]"),
            (&[area(0, u32::MAX, &[3])], 3, "0..3 [3]"),
            (&[area(9, 20, &[3])], 3, ""),
            (&[area(5, 2, &[3]), area(0, 1, &[])], 9, ""),
        ];
        for (areas, rows, expected) in cases {
            let spans = disjoint_spans(areas, rows);
            let told: Vec<String> =
                spans.iter().map(|span| format!("{}..{} {:?}", span.first, span.end, span.columns)).collect();
            assert_eq!(told.join("; "), expected, "{areas:?}");
        }
    }
}
