//! A source under review: every row with its outcome, every issue, and changes one by one.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bordereau_mapping::{Field, Mapping, ValueKind};
use bordereau_tables::{ComputedColumns, ImportSource};
use bordereau_tax::LinesTable;

use crate::check::CheckSettings;
use crate::columns;
use crate::detection::ValueDetection;
use crate::duplicate_index::{DuplicateIndex, DuplicateKeys};
use crate::grouping::TransactionRows;
use crate::issue::{Code, Finding, FindingData, Severity};
use crate::layout::ColumnLayout;
use crate::made_columns::compute_columns;
use crate::policy_term::TermColumn;
use crate::row::TransactionFigures;
use crate::row_reader::{ActiveField, CodesRead, RowReader};
use crate::share::{split_entries, split_entry};
use crate::short_identifier::find_short_identifiers;
use crate::transaction::GatheredTransaction;
use crate::unimported_cells::{find_other_currencies, find_unbound_rows};

mod change_cells;
mod check_rows;
mod report_lines;
mod rule_effects;
mod split_amounts;

pub use rule_effects::{ChargeWordRows, RuleEffects, SplitEffect};

/// A source, its mapping and everything found in it.
#[derive(Clone, Debug)]
pub struct Review {
    source: ImportSource,
    /// What was noticed of cells before any row was typed, in the order of rows.
    of_cells: Vec<Finding>,
    mapping: Mapping,
    layout: ColumnLayout,
    values: ValueDetection,
    transactions: TransactionRows,
    figures: Vec<TransactionFigures>,
    keys: Vec<DuplicateKeys>,
    duplicates: DuplicateIndex,
    /// In the order of rows.
    findings: Vec<Finding>,
    excluded: BTreeSet<usize>,
    rule_effects: RuleEffects,
    /// The lines of business that its words were read by.
    pub(crate) lines: LinesTable,
}

/// What changed when cells changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecheckScope {
    /// Findings and typed values of these rows, in their order: those that were changed, and those that are,
    /// or were, the same transaction as one of them.
    Rows(Vec<usize>),
    /// Possibly those of every row: rows were regrouped, or many were changed.
    All,
}

/// Seen from another thread while rows are checked: how many were, and whether to stop.
#[derive(Debug, Default)]
pub struct CheckProgress {
    checked: AtomicUsize,
    is_canceled: AtomicBool,
}

impl CheckProgress {
    /// Transactions checked so far.
    pub fn checked_count(&self) -> usize {
        self.checked.load(Ordering::Relaxed)
    }

    /// Stops the checking where it is.
    pub fn cancel(&self) {
        self.is_canceled.store(true, Ordering::Release);
    }

    fn is_canceled(&self) -> bool {
        self.is_canceled.load(Ordering::Acquire)
    }
}

impl Review {
    /// Reads and checks all rows.
    pub fn new(source: ImportSource, mapping: Mapping, checks: &CheckSettings<'_>) -> Review {
        Review::check_source(source, mapping, checks, &CheckProgress::default())
    }

    /// The same with progress; `None` where it was canceled before all was checked.
    #[must_use]
    pub fn with_progress(
        source: ImportSource,
        mapping: Mapping,
        checks: &CheckSettings<'_>,
        progress: &CheckProgress,
    ) -> Option<Review> {
        let review = Review::check_source(source, mapping, checks, progress);
        (!progress.is_canceled()).then_some(review)
    }

    fn check_source(
        mut source: ImportSource,
        mapping: Mapping,
        checks: &CheckSettings<'_>,
        progress: &CheckProgress,
    ) -> Review {
        let layout = ColumnLayout::new(&source, &mapping);
        // Zeros in front belong to an identifier and to a text; of an amount or a date they say nothing.
        let is_shown =
            |field: Field| matches!(field.kind(), ValueKind::Identifier | ValueKind::Text | ValueKind::List);
        source.table.show_numbers(|column| {
            !layout.is_in_file(column) || layout.field_of(column).is_none_or(is_shown)
        });
        source.table.set_computed(ComputedColumns::default());
        let computed = compute_columns(&source, &mapping, &layout);
        source.table.set_computed(computed);
        let mut of_cells: Vec<Finding> = source.notes.iter().filter_map(Finding::from_note).collect();
        of_cells.extend(find_short_identifiers(&source, &layout));
        of_cells.extend(find_unbound_rows(&source, &layout));
        of_cells.extend(find_other_currencies(&source, &layout));
        of_cells.sort_by_key(Finding::row);
        let values = columns::detect_values(&source, &layout, &mapping);
        let transactions = TransactionRows::from_source(&source, &layout, &mapping, checks.threads);
        // A hidden title, or a column's name, is nothing that is sent.
        let of_rows = [Code::RowHidden, Code::RowStruckOut, Code::NotBound, Code::OtherCurrency];
        let is_of_row = |f: &Finding| of_rows.contains(&f.code());
        of_cells.retain(|f| !is_of_row(f) || transactions.of_row(f.row()).is_some());
        let mut review = Review {
            source,
            of_cells,
            mapping,
            layout,
            values,
            transactions,
            figures: Vec::new(),
            keys: Vec::new(),
            duplicates: DuplicateIndex::default(),
            findings: Vec::new(),
            excluded: BTreeSet::new(),
            rule_effects: RuleEffects::default(),
            lines: checks.local.lines.clone(),
        };
        review.rule_effects = RuleEffects::new(&review);
        review.check_all(checks, progress);
        review
    }

    /// Adds empty rows at the end, for a pasted range; they become transactions when a cell is filled.
    pub fn add_rows(&mut self, count: usize) {
        for _ in 0..count {
            self.source.table.add_row();
        }
    }

    /// Uses another mapping; changes of cells stay.
    #[must_use]
    pub fn with_mapping(self, mapping: Mapping, checks: &CheckSettings<'_>) -> Review {
        let excluded = self.excluded;
        let mut review = Review::new(self.source, mapping, checks);
        review.excluded = excluded;
        if !review.excluded.is_empty() {
            review.find_duplicates(checks);
        }
        review
    }

    /// Checks all rows again: tax tables, documents or what was sent before have changed.
    pub fn check_again(&mut self, checks: &CheckSettings<'_>) {
        self.check_all(checks, &CheckProgress::default());
    }

    /// The calculation a transaction's taxes are compared with; `None` where it lacks something.
    pub fn transaction_quote(
        &self,
        transaction: usize,
        checks: &CheckSettings<'_>,
    ) -> Option<bordereau_tax::Quote> {
        let reader = self.build_row_reader();
        let mut gathered = GatheredTransaction::default();
        gathered.read(&reader, self.transactions.rows_of(transaction), &mut Vec::new());
        crate::check::calculate_quote(&gathered, &reader, checks)
    }

    /// Every finding, in the order of rows, errors of a row first.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Whether a word of this cell is sent as a code that a person chose for it.
    pub fn has_mapped_word(&self, row: usize, column: usize) -> bool {
        let Some(field) = self.layout.field_of(column) else { return false };
        if !self.mapping.values.contains_key(&field) {
            return false;
        }
        let text = self.source.table.text_at(row, column);
        let is_mapped =
            |word: &str| self.mapping.remembered_code(field, word).is_some_and(|code| code != word.trim());
        if field.kind() == ValueKind::List {
            split_entries(text).any(|part| is_mapped(split_entry(part).item))
        } else {
            is_mapped(text)
        }
    }

    /// The findings of one row of the table.
    pub fn findings_of(&self, row: usize) -> &[Finding] {
        let begin = self.findings.partition_point(|f| f.row() < row);
        let end = self.findings.partition_point(|f| f.row() <= row);
        &self.findings[begin..end]
    }

    /// The rows that make transactions.
    pub fn transactions(&self) -> &TransactionRows {
        &self.transactions
    }

    /// Type, state, day and amounts of a transaction.
    pub fn figures(&self, transaction: usize) -> &TransactionFigures {
        &self.figures[transaction]
    }

    /// Whether a row is excluded.
    pub fn is_excluded(&self, row: usize) -> bool {
        self.excluded.contains(&row)
    }

    /// Whether a transaction has an error in any of its rows.
    pub fn has_error(&self, transaction: usize) -> bool {
        let rows = self.transactions.rows_of(transaction);
        rows.iter().any(|r| self.findings_of(*r as usize).iter().any(|f| f.severity() == Severity::Error))
    }

    /// The source.
    pub fn source(&self) -> &ImportSource {
        &self.source
    }

    /// The mapping in use.
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// What the rules of the mapping make of this source, when it was matched.
    pub fn rule_effects(&self) -> &RuleEffects {
        &self.rule_effects
    }

    /// Which columns make which field.
    pub fn layout(&self) -> &ColumnLayout {
        &self.layout
    }

    /// Decimal mark and date order.
    pub fn values(&self) -> &ValueDetection {
        &self.values
    }

    pub(crate) fn row_reader(&self) -> RowReader<'_> {
        self.build_row_reader()
    }

    fn build_row_reader(&self) -> RowReader<'_> {
        let edited = self.source.table.edits().map(|(_, column, _)| column);
        let made = self.source.table.computed().columns().map(usize::from);
        let entered: BTreeSet<usize> = edited.chain(made).collect();
        let is_active = |field: &Field| {
            !self.layout.columns_of(*field).is_empty()
                || entered.contains(&usize::from(self.layout.column_of(*field)))
        };
        let active = Field::ALL.iter().copied().filter(is_active);
        let charges = self.mapping.rules.charges.iter().filter_map(|rows| {
            Some((self.layout.column_named(&rows.charge)?, self.layout.column_named(&rows.amount)?, rows))
        });
        RowReader {
            table: &self.source.table,
            layout: &self.layout,
            mapping: &self.mapping,
            mark: self.values.decimal_mark.value,
            order: self.values.date_order.value,
            active: active.map(|field| ActiveField::new(field, &self.layout)).collect(),
            codes: CodesRead::default(),
            charges: charges.collect(),
            term: TermColumn::find(&self.source, &self.layout),
        }
    }
}

impl Finding {
    /// A finding about the row or cell `column` of `field`.
    pub(crate) fn in_field(row: u32, column: u16, field: Field, code: Code, data: FindingData) -> Finding {
        Finding { row, column, field: Some(field), code, data }
    }
}
