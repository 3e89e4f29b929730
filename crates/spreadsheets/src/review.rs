//! A source under review: every row with its outcome, every issue, and changes one by one.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::check::Checks;
use crate::columns;
use crate::detection::ValueDetection;
use crate::duplicate_index::{DuplicateIndex, DuplicateKeys};
use crate::field::{Field, Kind};
use crate::grouping::Transactions;
use crate::issue::{Code, Data, Finding, Severity};
use crate::layout::Layout;
use crate::mapping::Mapping;
use crate::reading::{Active, CodesRead, RowReader};
use crate::row::{TypedRow, TypedRows};
use crate::short_identifier::find_short_identifiers;
use crate::source::Source;
use crate::transaction::Gathered;

mod changing;
mod checking;

/// A source, its mapping and everything found in it.
#[derive(Clone, Debug)]
pub struct Review {
    source: Source,
    mapping: Mapping,
    layout: Layout,
    values: ValueDetection,
    transactions: Transactions,
    typed: TypedRows,
    keys: Vec<DuplicateKeys>,
    duplicates: DuplicateIndex,
    /// In the order of rows.
    findings: Vec<Finding>,
    excluded: BTreeSet<usize>,
}

/// What changed when cells changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rechecked {
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
    #[must_use]
    pub fn checked(&self) -> usize {
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
    #[must_use]
    pub fn new(source: Source, mapping: Mapping, checks: &Checks<'_>) -> Review {
        Review::checked(source, mapping, checks, &CheckProgress::default())
    }

    /// The same with progress; `None` where it was canceled before all was checked.
    #[must_use]
    pub fn with_progress(
        source: Source,
        mapping: Mapping,
        checks: &Checks<'_>,
        progress: &CheckProgress,
    ) -> Option<Review> {
        let review = Review::checked(source, mapping, checks, progress);
        (!progress.is_canceled()).then_some(review)
    }

    fn checked(
        mut source: Source,
        mapping: Mapping,
        checks: &Checks<'_>,
        progress: &CheckProgress,
    ) -> Review {
        let layout = Layout::new(&source, &mapping);
        // Zeros in front belong to an identifier and to a text; of an amount or a date they say nothing.
        let is_shown = |field: Field| matches!(field.kind(), Kind::Identifier | Kind::Text | Kind::List);
        source.table.show_numbers(|column| {
            !layout.is_in_file(column) || layout.field_of(column).is_none_or(is_shown)
        });
        source.findings.retain(|finding| finding.code() != Code::IdentifierShort);
        source.findings.extend(find_short_identifiers(&source, &layout));
        source.findings.sort_by_key(Finding::row);
        let values = columns::detect(&source, &layout, &mapping);
        let transactions = Transactions::of(&source, &layout, mapping.grouping, checks.threads);
        let mut review = Review {
            source,
            mapping,
            layout,
            values,
            transactions,
            typed: TypedRows::default(),
            keys: Vec::new(),
            duplicates: DuplicateIndex::default(),
            findings: Vec::new(),
            excluded: BTreeSet::new(),
        };
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
    pub fn remapped(self, mapping: Mapping, checks: &Checks<'_>) -> Review {
        let excluded = self.excluded;
        let mut review = Review::new(self.source, mapping, checks);
        review.excluded = excluded;
        if !review.excluded.is_empty() {
            review.find_duplicates(checks);
        }
        review
    }

    /// Checks all rows again: tax tables, documents or what was sent before have changed.
    pub fn check_again(&mut self, checks: &Checks<'_>) {
        self.check_all(checks, &CheckProgress::default());
    }

    /// The calculation a transaction's taxes are compared with; `None` where it lacks something.
    #[must_use]
    pub fn quote(&self, transaction: usize, checks: &Checks<'_>) -> Option<bordereau_tax::Quote> {
        let reader = self.reader();
        let mut gathered = Gathered::default();
        gathered.read(&reader, self.transactions.rows(transaction), &mut Vec::new());
        crate::check::quote(&gathered, &reader, checks)
    }

    /// Every finding, in the order of rows, errors of a row first.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The findings of one row of the table.
    #[must_use]
    pub fn findings_of(&self, row: usize) -> &[Finding] {
        let begin = self.findings.partition_point(|f| f.row() < row);
        let end = self.findings.partition_point(|f| f.row() <= row);
        &self.findings[begin..end]
    }

    /// The rows that make transactions.
    #[must_use]
    pub fn transactions(&self) -> &Transactions {
        &self.transactions
    }

    /// The typed values of a transaction.
    #[must_use]
    pub fn typed(&self, transaction: usize) -> &TypedRow {
        &self.typed[transaction]
    }

    /// Whether a row is excluded.
    #[must_use]
    pub fn is_excluded(&self, row: usize) -> bool {
        self.excluded.contains(&row)
    }

    /// Whether a transaction has an error in any of its rows.
    #[must_use]
    pub fn has_error(&self, transaction: usize) -> bool {
        let rows = self.transactions.rows(transaction);
        rows.iter().any(|r| self.findings_of(*r as usize).iter().any(|f| f.severity() == Severity::Error))
    }

    /// The source.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The mapping in use.
    #[must_use]
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// Which columns make which field.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Decimal mark and date order.
    #[must_use]
    pub fn values(&self) -> &ValueDetection {
        &self.values
    }

    pub(crate) fn row_reader(&self) -> RowReader<'_> {
        self.reader()
    }

    fn reader(&self) -> RowReader<'_> {
        let entered: BTreeSet<usize> = self.source.table.edits().map(|(_, column, _)| column).collect();
        let is_active = |field: &Field| {
            !self.layout.columns_of(*field).is_empty()
                || entered.contains(&usize::from(self.layout.column_of(*field)))
        };
        let active = Field::ALL.iter().copied().filter(is_active);
        RowReader {
            table: &self.source.table,
            layout: &self.layout,
            mapping: &self.mapping,
            mark: self.values.decimal_mark.value,
            order: self.values.date_order.value,
            active: active.map(|field| Active::new(field, &self.layout)).collect(),
            codes: CodesRead::default(),
        }
    }
}

impl Finding {
    /// A finding about the row or cell `column` of `field`.
    pub(crate) fn of(row: u32, column: u16, field: Field, code: Code, data: Data) -> Finding {
        Finding { row, column, field: Some(field), code, data }
    }
}
