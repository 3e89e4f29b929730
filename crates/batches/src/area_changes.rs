//! Changes of whole ranges, however many rows they have: cleared, filled, pasted into, excluded.

use bordereau_api::{AreaContent, BoundaryError, CellArea, ErrorCode, ReviewAreas, ReviewExclude, to_u32};
use bordereau_contract::{format_count, pluralize};
use bordereau_spreadsheets::Table;

use super::changes::LABEL_MAX;
use super::repair::{RepairPlan, repair_changes};
use super::row_filter::query_rows;
use super::session::ReviewSession;
use super::step::UndoStep;
use bordereau_api::cell_spans::{disjoint_spans, row_places};

/// Cells that one step changes, at most: each of them is stored with it.
const CELLS_MAX: usize = 1_000_000;

pub fn plan_area_changes(
    session: &mut ReviewSession,
    request: &ReviewAreas,
) -> Result<RepairPlan, BoundaryError> {
    let rows = query_rows(session, &request.rows).to_vec();
    let table = &session.review().source().table;
    let mut texts = Vec::new();
    for change in &request.changes {
        let content = ContentTable::new(&change.content, &rows);
        for (down, row) in rows[row_places(&change.area, rows.len())].iter().enumerate() {
            let row = *row as usize;
            for (right, column) in change.area.columns.iter().enumerate() {
                let (column, text) = (*column as usize, content.text_at(table, down, right));
                if table.text_at(row, column) != text {
                    texts.push((row, column, text.to_owned()));
                }
            }
            if texts.len() > CELLS_MAX {
                let words = format!(
                    "At most {} cells can be changed at a time. Select fewer.",
                    format_count(CELLS_MAX)
                );
                return Err(BoundaryError::with_code(ErrorCode::Validation, words));
            }
        }
    }
    let verb: String = request.verb.trim().chars().take(LABEL_MAX / 2).collect();
    let mut step = session.edits(String::new(), texts)?;
    step.label = format!("{verb} {}", pluralize(step.cells.len(), "cell"));
    let total = to_u32(step.cells.len());
    let changes = repair_changes(session, &step);
    Ok(RepairPlan { step, total, changes })
}

/// What a range gets, cell by cell.
enum ContentTable<'c> {
    Text(&'c str),
    /// Rows of the table and columns that are repeated.
    Copy(Vec<u32>, &'c [u32]),
}

impl<'c> ContentTable<'c> {
    fn new(content: &'c AreaContent, rows: &[u32]) -> ContentTable<'c> {
        match content {
            AreaContent::Text { text } => ContentTable::Text(text),
            AreaContent::Copy { area } => {
                ContentTable::Copy(rows[row_places(area, rows.len())].to_vec(), &area.columns)
            }
        }
    }

    /// The text so far down and to the right; empty where there is nothing to repeat.
    fn text_at<'t>(&self, table: &'t Table, down: usize, right: usize) -> &'t str
    where
        'c: 't,
    {
        match self {
            ContentTable::Text(text) => text,
            ContentTable::Copy(rows, columns) if rows.is_empty() || columns.is_empty() => "",
            ContentTable::Copy(rows, columns) => {
                table.text_at(rows[down % rows.len()] as usize, columns[right % columns.len()] as usize)
            }
        }
    }
}

/// The step that excludes the rows of ranges or includes them again, and which of the two it is.
pub fn plan_exclusion(session: &mut ReviewSession, request: &ReviewExclude) -> (UndoStep, bool) {
    // Rows count, whatever columns are selected.
    let areas: Vec<CellArea> =
        request.areas.iter().map(|area| CellArea { columns: vec![0], ..area.clone() }).collect();
    let shown = query_rows(session, &request.rows);
    let spans = disjoint_spans(&areas, shown.len());
    let rows: Vec<usize> =
        spans.iter().flat_map(|span| &shown[span.first..span.end]).map(|row| *row as usize).collect();
    let is_out =
        request.excluded.unwrap_or_else(|| !rows.iter().all(|row| session.review().is_excluded(*row)));
    (session.exclusions(rows, is_out), is_out)
}
