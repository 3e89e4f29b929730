//! One open review: the table with its findings, and the steps done. It owns its data and calls nothing above it:
//! changes and views are functions that borrow it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use bordereau_rules::RuleSet;
use bordereau_spreadsheets::{
    Cell, CheckProgress, CheckSettings, Field, ImportSource, Mapping, ProposedColumn, Review, SentKeys,
    cell_as_shown, text_as_shown,
};
use bordereau_tax::{FeeChargedBy, LocalTables};
use chrono::NaiveDate;

use super::acknowledged_warnings::AcknowledgedWarnings;
use super::draft::DraftState;
use super::row_index::RowIndex;
use super::step::{CellStep, UndoStep};
use bordereau_api::{BoundaryError, ColumnSort, ErrorCode, ReviewView, RowMessage, RowsQuery, to_u32};
use bordereau_contract::pluralize;
use bordereau_store::StoredReview;

/// Rows that may be added to a table by hand.
const ROWS_ADDED_MAX: usize = 100_000;

/// What rows are checked against.
#[derive(Clone)]
pub struct CheckContext {
    pub today: NaiveDate,
    /// The rules that were in use when the review was opened.
    pub rules: Arc<RuleSet>,
    pub local: LocalTables,
    /// Who charges the agency fee where a row does not say.
    pub fee_charged_by: Option<FeeChargedBy>,
    pub sent: Arc<SentKeys>,
    /// Who looks on while all rows are checked for the first time.
    pub progress: Arc<CheckProgress>,
}

impl CheckContext {
    /// For one check; `attached` are the document codes by row.
    pub fn checks<'a>(&'a self, attached: &'a BTreeMap<usize, Vec<String>>) -> CheckSettings<'a> {
        CheckSettings {
            today: self.today,
            book: self.rules.book(),
            local: &self.local,
            fee_charged_by: self.fee_charged_by,
            sent: &self.sent,
            attached,
            threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        }
    }
}

pub struct ReviewSession {
    pub id: String,
    pub name: String,
    pub draft: DraftState,
    /// Always there between two calls; taken while columns are matched again.
    review: Option<Review>,
    pub proposed: Vec<ProposedColumn>,
    pub steps: Vec<UndoStep>,
    pub position: usize,
    pub check_context: CheckContext,
    pub index: RowIndex,
    /// Warnings kept with a reason.
    pub acknowledged: AcknowledgedWarnings,
    /// Places behind the last column that are shown; a place once shown stays.
    pub shown: BTreeSet<usize>,
    /// The order that the rows are shown in, with the place of each row of the table.
    pub sorted: Option<(ColumnSort, Vec<u32>)>,
    /// Rows of a query that is more than a filter, made when first asked for.
    pub by_query: HashMap<RowsQuery, Vec<u32>>,
    /// As it was shown after the last change.
    pub view: ReviewView,
    pub stored_at: String,
}

impl ReviewSession {
    /// Opens a source with its mapping; `steps` are done again as far as they were in force. `None` where it is not
    /// wanted any more.
    pub fn new(
        kept: &StoredReview,
        draft: DraftState,
        steps: Vec<UndoStep>,
        check_context: CheckContext,
        read: (ImportSource, Mapping, Vec<ProposedColumn>),
    ) -> Option<ReviewSession> {
        let (source, mapping, proposed) = read;
        let attached = draft.attached_codes();
        let review = Review::with_progress(
            source,
            mapping,
            &check_context.checks(&attached),
            &check_context.progress,
        )?;
        let mut session = ReviewSession {
            id: kept.id.clone(),
            name: kept.name.clone(),
            draft,
            review: Some(review),
            proposed,
            steps,
            position: kept.position as usize,
            check_context,
            index: RowIndex::default(),
            acknowledged: AcknowledgedWarnings::default(),
            shown: BTreeSet::new(),
            sorted: None,
            by_query: HashMap::new(),
            view: ReviewView::default(),
            stored_at: kept.at.clone(),
        };
        session.position = session.position.min(session.steps.len());
        session.replay();
        Some(session)
    }

    /// All steps in force at once: cell by cell only the last text counts.
    fn replay(&mut self) {
        let mut whole = UndoStep::default();
        let mut cells: HashMap<(u32, u32), Option<String>> = HashMap::new();
        let mut excluded: BTreeMap<u32, bool> = BTreeMap::new();
        for step in &self.steps[..self.position] {
            cells.extend(step.cells.iter().map(|c| ((c.row, c.column), c.after.clone())));
            excluded.extend(step.excluded.iter().copied());
            self.acknowledged.apply(&step.kept);
        }
        let cell = |((row, column), after)| CellStep { row, column, before: None, after };
        whole.cells = cells.into_iter().filter(|(_, after)| after.is_some()).map(cell).collect();
        whole.excluded = excluded.into_iter().filter(|(_, out)| *out).collect();
        self.do_step(&whole);
    }

    pub fn review(&self) -> &Review {
        self.review.as_ref().expect("it is only away inside of one call")
    }

    fn with_review(&mut self, work: impl FnOnce(Review, &CheckSettings<'_>) -> Review) {
        let attached = self.draft.attached_codes();
        let review = self.review.take().expect("it is only away inside of one call");
        self.review = Some(work(review, &self.check_context.checks(&attached)));
    }

    /// Does the changes of a step, without remembering it.
    fn do_step(&mut self, step: &UndoStep) {
        if let Some(mapping) = &step.mapping {
            self.use_mapping(mapping.1.clone());
        }
        self.acknowledged.apply(&step.kept);
        if step.cells.is_empty() && step.excluded.is_empty() {
            return;
        }
        self.with_review(|mut review, checks| {
            let there = review.source().table.row_count();
            let needed = step.cells.iter().map(|c| c.row as usize + 1).max().unwrap_or(0);
            review.add_rows(needed.saturating_sub(there).min(ROWS_ADDED_MAX));
            if !step.excluded.is_empty() {
                let rows: Vec<(usize, bool)> =
                    step.excluded.iter().map(|(row, out)| (*row as usize, *out)).collect();
                review.exclude_all(&rows, checks);
            }
            if !step.cells.is_empty() {
                let cells: Vec<_> =
                    step.cells.iter().map(|c| (c.row as usize, c.column as usize, c.after.clone())).collect();
                review.edit_cells(&cells, checks);
            }
            review
        });
    }

    /// Does a step and remembers it; false when it changes nothing.
    pub fn act(&mut self, step: UndoStep) -> bool {
        if step.is_empty() {
            return false;
        }
        self.do_step(&step);
        self.steps.truncate(self.position);
        self.steps.push(step);
        self.position += 1;
        true
    }

    /// Takes the last step back; false when there is none.
    pub fn undo(&mut self) -> bool {
        let Some(at) = self.position.checked_sub(1) else { return false };
        self.do_step(&self.steps[at].to_reversed());
        self.position = at;
        true
    }

    /// Redoes the step that was undone last; false when there is none.
    pub fn redo(&mut self) -> bool {
        let Some(step) = self.steps.get(self.position).cloned() else { return false };
        self.do_step(&step);
        self.position += 1;
        true
    }

    /// Uses another mapping; changes stay.
    pub fn use_mapping(&mut self, mapping: Mapping) {
        self.draft.mapping = Some(mapping.clone());
        self.with_review(|review, checks| review.with_mapping(mapping, checks));
    }

    pub fn check_again(&mut self) {
        self.with_review(|mut review, checks| {
            review.check_again(checks);
            review
        });
    }

    /// The step that puts these texts in; cells that have them already are left alone.
    pub fn edits(
        &self,
        label: String,
        texts: impl IntoIterator<Item = (usize, usize, String)>,
    ) -> Result<UndoStep, BoundaryError> {
        let table = &self.review().source().table;
        let overlay: HashMap<(usize, usize), &str> = table.edits().map(|(r, c, t)| ((r, c), t)).collect();
        let (rows, columns) =
            (table.row_count() + ROWS_ADDED_MAX, table.width() + bordereau_spreadsheets::FIELD_COUNT);
        let mut cells = Vec::new();
        for (row, column, text) in texts {
            if row >= rows || column >= columns {
                return Err(BoundaryError::with_code(
                    ErrorCode::Validation,
                    "A cell is outside of the table. Paste fewer cells, or paste them further left.",
                ));
            }
            let review = self.review();
            let is_same = |other: Cell<'_>| {
                other.text == text
                    || cell_as_shown(review, column, other) == text_as_shown(review, column, &text)
            };
            if is_same(table.cell(row, column)) {
                continue;
            }
            let before = overlay.get(&(row, column)).map(|text| (*text).to_owned());
            let is_original = is_same(table.original_cell(row, column));
            let after = (!is_original).then_some(text);
            cells.push(CellStep { row: to_u32(row), column: to_u32(column), before, after });
        }
        Ok(UndoStep { label, cells, ..UndoStep::default() })
    }

    /// The step that leaves rows out or takes them in, each with all rows of its transaction.
    pub fn exclusions(&self, rows: impl IntoIterator<Item = usize>, out: bool) -> UndoStep {
        let review = self.review();
        let mut all = BTreeSet::new();
        for row in rows {
            match review.transactions().of_row(row) {
                Some(transaction) => all.extend(review.transactions().rows_of(transaction)),
                None => continue,
            }
        }
        all.retain(|row| review.is_excluded(*row as usize) != out);
        let word = if out { "Exclude" } else { "Include" };
        let label = format!("{word} {}", pluralize(all.len(), "row"));
        UndoStep { label, excluded: all.into_iter().map(|row| (row, out)).collect(), ..UndoStep::default() }
    }

    /// Whether it is one transaction that was entered by hand, not a file's or one to correct.
    pub fn is_by_hand(&self) -> bool {
        self.draft.is_single && self.draft.batch.is_none()
    }

    /// The line of a row as its file counts it; for a correction, as the first file did.
    pub fn line(&self, row: usize) -> u32 {
        self.draft.lines.get(row).copied().unwrap_or_else(|| self.review().source().table.line(row))
    }

    /// Whether the cell's text is another than the one found.
    pub fn is_changed(&self, row: usize, column: usize) -> bool {
        let table = &self.review().source().table;
        table.text_at(row, column) != table.original_cell(row, column).text
            || (self.draft.batch.is_some() && self.review().has_mapped_word(row, column))
    }

    /// A column that is matched to a field, and so shown; what is wrong elsewhere is shown at the row.
    pub fn matched_column(&self, column: Option<usize>) -> Option<usize> {
        column.filter(|column| self.review().layout().field_of(*column).is_some())
    }

    /// What the service said of a row and is still open: its cell has not been changed since.
    pub fn messages(&self, row: usize) -> impl Iterator<Item = (Option<usize>, &RowMessage)> {
        let said = u32::try_from(row).ok().and_then(|row| self.draft.messages.get(&row));
        said.into_iter().flatten().filter_map(move |message| {
            let field = Field::by_message_key(&message.field);
            let column = field.map(|field| usize::from(self.review().layout().column_of(field)));
            let is_done = match column {
                Some(column) => self.is_changed(row, column),
                None => self.index.changed.binary_search(&(row as u32)).is_ok(),
            };
            (!is_done).then_some((column, message))
        })
    }

    pub fn draft_record(&self) -> Result<StoredReview, BoundaryError> {
        let body = serde_json::to_string(&self.draft)
            .map_err(|_| BoundaryError::internal_error("keeping a draft"))?;
        Ok(StoredReview {
            id: self.id.clone(),
            name: self.name.clone(),
            body,
            position: to_u32(self.position),
            rows: self.index.counts.rows,
            errors: self.index.counts.to_correct(),
            excluded: self.index.counts.excluded,
            joined: self.index.counts.rows.saturating_sub(self.review().transactions().count() as u32),
            at: self.stored_at.clone(),
        })
    }
}

/// A transaction by hand is called by the first of these fields that it has; its correction by what it corrects.
pub fn single_name(session: &ReviewSession, fields: &[Field]) -> Option<String> {
    let review = session.review();
    if !session.is_by_hand() || review.transactions().count() == 0 {
        return None;
    }
    let row = review.transactions().rows_of(0)[0];
    let text = |field: &Field| {
        review.source().table.text_at(row as usize, usize::from(review.layout().column_of(*field))).trim()
    };
    let called = fields.iter().map(text).find(|text| !text.is_empty());
    called.map(|called| format!("Transaction {called}"))
}
