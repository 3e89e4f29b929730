//! One open review: the table with its findings, the steps done, and what is shown of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use bordereau_spreadsheets::{
    CheckProgress, Checks, Field, Mapping, ProposedColumn, ReadOptions, Review, SentKeys, Source,
};
use bordereau_tax::{FeeChargedBy, Local, RuleBook};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::arriving::Arrival;
use super::documents::Attached;
use super::index::Index;
use super::keep::KeptWarnings;
use super::step::{CellStep, Step};
use bordereau_api::{BoundaryError, ErrorCode, ReviewView, RowMessage};
use bordereau_store::KeptReview;

/// Rows that may be added to a table by hand.
const ROWS_ADDED_MAX: usize = 100_000;

/// What rows are checked against.
#[derive(Clone)]
pub struct Bench {
    pub today: NaiveDate,
    pub local: Local,
    /// Who charges the agency fee where a row does not say.
    pub fee_charged_by: Option<FeeChargedBy>,
    pub sent: Arc<SentKeys>,
    /// Checked behind first rows that are looked at.
    pub is_behind: bool,
    /// Who looks on while all rows are checked for the first time.
    pub watch: Arc<CheckProgress>,
}

/// On how many threads a table is checked: on all there are. Behind first rows that a person looks at, one
/// is left for the window.
fn threads(is_behind: bool) -> usize {
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if is_behind { all.saturating_sub(1).max(1) } else { all }
}

impl Bench {
    /// For one check; `attached` are the document codes by row.
    pub fn checks<'a>(&'a self, attached: &'a BTreeMap<usize, Vec<String>>) -> Checks<'a> {
        Checks {
            today: self.today,
            book: RuleBook::builtin(),
            local: &self.local,
            fee_charged_by: self.fee_charged_by,
            sent: &self.sent,
            attached,
            threads: threads(self.is_behind),
        }
    }
}

/// What kind of source the bytes of a draft are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    #[default]
    File,
    Paste,
}

/// What is kept of a draft beside its source and its steps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Body {
    pub kind: SourceKind,
    /// There while the copy of the source may not be whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrival: Option<Arrival>,
    pub options: ReadOptions,
    pub mapping: Option<Mapping>,
    /// Name of the mapping in use.
    pub mapping_name: String,
    /// Columns are matched and questions answered.
    pub matched: bool,
    /// The batch that is corrected.
    pub batch: Option<String>,
    /// The batch that a stopped command has made of it, for the next one that takes it up.
    pub sent_as: Option<String>,
    /// For a correction: the line of the first file, by row of the table.
    pub lines: Vec<u32>,
    /// For a correction: what the service said, by row of the table.
    pub messages: BTreeMap<u32, Vec<RowMessage>>,
    pub documents: Vec<Attached>,
}

impl Body {
    /// The batch whose rows are its own: that they were sent is no fault of theirs.
    pub fn own_batch(&self) -> Option<&str> {
        self.batch.as_deref().or(self.sent_as.as_deref())
    }
}

/// An open review.
pub struct Open {
    pub id: String,
    pub name: String,
    pub body: Body,
    /// Always there between two calls; taken while columns are matched anew.
    review: Option<Review>,
    pub proposed: Vec<ProposedColumn>,
    pub steps: Vec<Step>,
    pub position: usize,
    pub bench: Bench,
    pub index: Index,
    /// Warnings kept with a reason.
    pub kept: KeptWarnings,
    /// Places behind the last column that are shown; a place once shown stays.
    pub shown: BTreeSet<usize>,
    pub view: Arc<ReviewView>,
    pub stored_at: String,
}

impl Open {
    /// Opens a source with its mapping; `steps` are done again as far as they were in force. `None` where it is not
    /// wanted any more.
    pub fn new(
        kept: &KeptReview,
        body: Body,
        steps: Vec<Step>,
        bench: Bench,
        read: (Source, Mapping, Vec<ProposedColumn>),
    ) -> Option<Open> {
        let (source, mapping, proposed) = read;
        let attached = attached(&body);
        let review = Review::with_progress(source, mapping, &bench.checks(&attached), &bench.watch)?;
        let mut open = Open {
            id: kept.id.clone(),
            name: kept.name.clone(),
            body,
            review: Some(review),
            proposed,
            steps,
            position: kept.position as usize,
            bench,
            index: Index::default(),
            kept: KeptWarnings::default(),
            shown: BTreeSet::new(),
            view: Arc::new(super::view::blank(&kept.id, &kept.name)),
            stored_at: kept.at.clone(),
        };
        open.position = open.position.min(open.steps.len());
        open.replay();
        open.refresh();
        Some(open)
    }

    /// All steps in force at once: cell by cell only the last text counts.
    fn replay(&mut self) {
        let mut whole = Step::default();
        let mut cells: HashMap<(u32, u32), Option<String>> = HashMap::new();
        let mut excluded: BTreeMap<u32, bool> = BTreeMap::new();
        for step in &self.steps[..self.position] {
            cells.extend(step.cells.iter().map(|c| ((c.row, c.column), c.after.clone())));
            excluded.extend(step.excluded.iter().copied());
            self.kept.apply(&step.kept);
        }
        let cell = |((row, column), after)| CellStep { row, column, before: None, after };
        whole.cells = cells.into_iter().filter(|(_, after)| after.is_some()).map(cell).collect();
        whole.excluded = excluded.into_iter().filter(|(_, out)| *out).collect();
        self.do_step(&whole);
    }

    /// The review of the table.
    pub fn review(&self) -> &Review {
        self.review.as_ref().expect("it is only away inside of one call")
    }

    fn with_review(&mut self, work: impl FnOnce(Review, &Checks<'_>) -> Review) {
        let attached = attached(&self.body);
        let review = self.review.take().expect("it is only away inside of one call");
        self.review = Some(work(review, &self.bench.checks(&attached)));
    }

    /// Does the changes of a step, without remembering it.
    fn do_step(&mut self, step: &Step) {
        if let Some(mapping) = &step.mapping {
            self.use_mapping(mapping.1.clone());
        }
        self.kept.apply(&step.kept);
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
                review.edit(&cells, checks);
            }
            review
        });
    }

    /// Does a step and remembers it; false when it changes nothing.
    pub fn act(&mut self, step: Step) -> bool {
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
        self.do_step(&self.steps[at].reversed());
        self.position = at;
        true
    }

    /// Does the step again that was taken back last; false when there is none.
    pub fn redo(&mut self) -> bool {
        let Some(step) = self.steps.get(self.position).cloned() else { return false };
        self.do_step(&step);
        self.position += 1;
        true
    }

    /// Uses another mapping; changes stay.
    pub fn use_mapping(&mut self, mapping: Mapping) {
        self.body.mapping = Some(mapping.clone());
        self.with_review(|review, checks| review.remapped(mapping, checks));
    }

    /// Checks everything again.
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
    ) -> Result<Step, BoundaryError> {
        let table = &self.review().source().table;
        let overlay: HashMap<(usize, usize), &str> = table.edits().map(|(r, c, t)| ((r, c), t)).collect();
        let (rows, columns) =
            (table.row_count() + ROWS_ADDED_MAX, table.width() + bordereau_spreadsheets::FIELD_COUNT);
        let mut cells = Vec::new();
        for (row, column, text) in texts {
            if row >= rows || column >= columns {
                return Err(BoundaryError::of(
                    ErrorCode::Validation,
                    "A cell is outside of the table. Paste fewer cells, or paste them further left.",
                ));
            }
            if table.text_at(row, column) == text {
                continue;
            }
            let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            let before = overlay.get(&(row, column)).map(|text| (*text).to_owned());
            let after = (table.original(row, column).text != text).then_some(text);
            cells.push(CellStep { row: small(row), column: small(column), before, after });
        }
        Ok(Step { label, cells, ..Step::default() })
    }

    /// The step that leaves rows out or takes them in, each with all rows of its transaction.
    pub fn exclusions(&self, rows: impl IntoIterator<Item = usize>, out: bool) -> Step {
        let review = self.review();
        let mut all = BTreeSet::new();
        for row in rows {
            match review.transactions().of_row(row) {
                Some(transaction) => all.extend(review.transactions().rows(transaction)),
                None => continue,
            }
        }
        all.retain(|row| review.is_excluded(*row as usize) != out);
        let word = if out { "Leave out" } else { "Take in" };
        let label = match all.len() {
            1 => format!("{word} a row"),
            n => format!("{word} {} rows", grouped(n)),
        };
        Step { label, excluded: all.into_iter().map(|row| (row, out)).collect(), ..Step::default() }
    }

    /// The line of a row as its file counts it; for a correction, as the first file did.
    pub fn line(&self, row: usize) -> u32 {
        self.body.lines.get(row).copied().unwrap_or_else(|| self.review().source().table.line(row))
    }

    /// Whether the cell's text is another than the one found.
    pub fn is_changed(&self, row: usize, column: usize) -> bool {
        let table = &self.review().source().table;
        table.text_at(row, column) != table.original(row, column).text
    }

    /// What the service said of a row and is still open: its cell has not been changed since.
    pub fn messages(&self, row: usize) -> impl Iterator<Item = (Option<usize>, &RowMessage)> {
        let said = u32::try_from(row).ok().and_then(|row| self.body.messages.get(&row));
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

    /// Makes the lists and the view anew, after a change.
    pub fn refresh(&mut self) {
        self.index = Index::of(self);
        let behind = self.review().findings().iter().filter_map(bordereau_spreadsheets::Finding::column);
        let edited = self.review().source().table.edits().map(|(_, column, _)| column);
        let layout = self.review().layout();
        let shown: BTreeSet<usize> = behind.chain(edited).filter(|c| !layout.is_in_file(*c)).collect();
        self.shown.extend(shown);
        let mapped = |c: &usize| layout_place_is_free(self.review(), *c);
        let stale: Vec<usize> = self.shown.iter().copied().filter(|c| !mapped(c)).collect();
        for column in stale {
            self.shown.remove(&column);
        }
        self.view = Arc::new(super::view::of(self));
    }

    /// How the draft is kept.
    pub fn kept(&self) -> Result<KeptReview, BoundaryError> {
        let body =
            serde_json::to_string(&self.body).map_err(|_| BoundaryError::internal("keeping a draft"))?;
        Ok(KeptReview {
            id: self.id.clone(),
            name: self.name.clone(),
            body,
            position: u32::try_from(self.position).unwrap_or(u32::MAX),
            rows: self.view.counts.rows,
            errors: self.view.counts.errors,
            at: self.stored_at.clone(),
        })
    }
}

/// A place behind the last column is shown only while no column of the file has its field.
fn layout_place_is_free(review: &Review, column: usize) -> bool {
    let layout = review.layout();
    layout.field_of(column).is_some_and(|field| usize::from(layout.column_of(field)) == column)
}

fn attached(body: &Body) -> BTreeMap<usize, Vec<String>> {
    let mut codes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for document in &body.documents {
        codes.entry(document.row as usize).or_default().push(document.code.clone());
    }
    codes
}

/// `1,207`.
pub fn grouped(n: usize) -> String {
    bordereau_money::group_digits(&n.to_string())
}
