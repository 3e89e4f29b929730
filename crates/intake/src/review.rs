//! A source under review: every row with its outcome, every issue, and changes one by one.

use std::collections::BTreeSet;

use crate::check::{Checks, check};
use crate::columns;
use crate::detection::ValueDetection;
use crate::field::Field;
use crate::grouping::Transactions;
use crate::issue::{Change, Code, Data, Finding, NO_COLUMN, Severity};
use crate::layout::Layout;
use crate::mapping::Mapping;
use crate::reading::RowReader;
use crate::row::TypedRow;
use crate::source::Source;
use crate::transaction::Gathered;
use crate::twins::{self, Keys};

/// A source, its mapping and everything found in it.
#[derive(Clone, Debug)]
pub struct Review {
    source: Source,
    mapping: Mapping,
    layout: Layout,
    values: ValueDetection,
    transactions: Transactions,
    typed: Vec<TypedRow>,
    keys: Vec<Keys>,
    /// In the order of rows.
    findings: Vec<Finding>,
    excluded: BTreeSet<usize>,
}

/// What changed when cells changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rechecked {
    /// Findings and typed values of these rows.
    Rows(Vec<usize>),
    /// Possibly those of every row: rows were compared or grouped anew.
    All,
}

impl Review {
    /// Reads and checks all rows.
    #[must_use]
    pub fn new(source: Source, mapping: Mapping, checks: &Checks<'_>) -> Review {
        let layout = Layout::new(&source, &mapping);
        let values = columns::detect(&source, &layout, &mapping);
        let transactions = Transactions::of(&source, &layout, mapping.grouping);
        let mut review = Review {
            source,
            mapping,
            layout,
            values,
            transactions,
            typed: Vec::new(),
            keys: Vec::new(),
            findings: Vec::new(),
            excluded: BTreeSet::new(),
        };
        review.check_all(checks);
        review
    }

    /// In waves of a few thousand transactions, so that what is found is never held twice.
    fn check_all(&mut self, checks: &Checks<'_>) {
        const WAVE: usize = 4_096;
        let count = self.transactions.count();
        let threads = checks.threads.clamp(1, 16).min(count / 500 + 1);
        let mut typed = vec![TypedRow::default(); count];
        let mut keys = vec![Keys::default(); count];
        let mut findings = Vec::new();
        let mut begin = 0;
        while begin < count {
            let end = count.min(begin + WAVE * threads);
            let size = (end - begin).div_ceil(threads).max(1);
            let this: &Review = self;
            let parts: Vec<Vec<Finding>> = std::thread::scope(|scope| {
                let chunks = typed[begin..end].chunks_mut(size).zip(keys[begin..end].chunks_mut(size));
                let handles: Vec<_> = chunks
                    .enumerate()
                    .map(|(nth, (typed, keys))| {
                        let first = begin + nth * size;
                        scope.spawn(move || this.check_range(first, typed, keys, checks))
                    })
                    .collect();
                let panicked = |panic| std::panic::resume_unwind(panic);
                handles.into_iter().map(|h| h.join().unwrap_or_else(panicked)).collect()
            });
            for part in parts {
                findings.reserve_exact(part.len());
                findings.extend(part);
            }
            begin = end;
        }
        self.typed = typed;
        self.keys = keys;
        self.findings = findings;
        let noticed = self.reading_findings();
        self.findings.extend(noticed);
        self.find_twins(checks);
    }

    fn check_range(
        &self,
        first: usize,
        typed: &mut [TypedRow],
        keys: &mut [Keys],
        checks: &Checks<'_>,
    ) -> Vec<Finding> {
        let reader = self.reader();
        let mut findings = Vec::new();
        let mut gathered = Gathered::default();
        for (nth, (typed, keys)) in typed.iter_mut().zip(keys).enumerate() {
            self.check_one(first + nth, &reader, &mut gathered, checks, &mut findings);
            *keys = twins::keys(&reader, gathered.row, &gathered.typed);
            typed.clone_from(&gathered.typed);
        }
        findings
    }

    fn check_one<'t>(
        &self,
        transaction: usize,
        reader: &RowReader<'t>,
        gathered: &mut Gathered<'t>,
        checks: &Checks<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let rows = self.transactions.rows(transaction);
        let begin = findings.len();
        gathered.read(reader, rows, findings);
        if self.looks_like_total(reader, gathered) {
            // One sentence says it all; a dozen missing values would only hide it.
            findings.truncate(begin);
            findings.push(Finding::at(Code::LooksLikeTotal, gathered.row, first_text(reader, gathered.row)));
            return;
        }
        check(gathered, reader, checks, findings);
        findings[begin..].sort_by_key(|f| (f.row, f.code.severity() == Severity::Warning));
    }

    fn looks_like_total(&self, reader: &RowReader<'_>, gathered: &Gathered<'_>) -> bool {
        let typed = &gathered.typed;
        if typed.transaction_type.is_some() || typed.date(Field::PolicyEffectiveDate).is_some() {
            return false;
        }
        let text = reader.table.text_at(gathered.row, first_text(reader, gathered.row)).trim();
        let word = text.split([' ', ':']).next().unwrap_or_default();
        ["total", "totals", "subtotal", "sum", "grand"].iter().any(|w| word.eq_ignore_ascii_case(w))
    }

    fn reader(&self) -> RowReader<'_> {
        let entered: BTreeSet<usize> = self.source.table.edits().map(|(_, column, _)| column).collect();
        let is_active = |field: &Field| {
            !self.layout.columns_of(*field).is_empty()
                || entered.contains(&usize::from(self.layout.column_of(*field)))
        };
        RowReader {
            table: &self.source.table,
            layout: &self.layout,
            mapping: &self.mapping,
            mark: self.values.decimal_mark.value,
            order: self.values.date_order.value,
            active: Field::ALL.iter().copied().filter(is_active).collect(),
        }
    }

    /// What the reader noticed, for rows that are transactions and cells not changed since.
    fn reading_findings(&self) -> Vec<Finding> {
        let table = &self.source.table;
        let changed: BTreeSet<(usize, usize)> = table.edits().map(|(r, c, _)| (r, c)).collect();
        let is_kept = |f: &&Finding| f.column().is_none_or(|c| !changed.contains(&(f.row(), c)));
        let mut findings: Vec<Finding> = self.source.findings.iter().filter(is_kept).cloned().collect();
        for finding in &mut findings {
            finding.field = finding.column().and_then(|c| self.layout.field_of(c));
        }
        if let Some(header) = self.source.detection.header.value {
            let width = table.row_len(header as usize);
            let rows = (0..self.transactions.count()).flat_map(|t| self.transactions.rows(t));
            for row in rows.map(|r| *r as usize).filter(|r| table.row_len(*r) > width) {
                let mut columns = width..table.row_len(row);
                if let Some(column) = columns.find(|c| !table.text_at(row, *c).trim().is_empty()) {
                    findings.push(Finding::at(Code::ExtraCells, row, column));
                }
            }
        }
        findings
    }

    /// Compares all transactions with one another and with what was sent; replaces what was found before.
    fn find_twins(&mut self, checks: &Checks<'_>) {
        let is_twin =
            |f: &Finding| matches!(f.code, Code::DuplicateId | Code::DuplicateTransaction | Code::SentBefore);
        self.findings.retain(|f| !is_twin(f));
        let rows: Vec<u32> = (0..self.transactions.count()).map(|t| self.transactions.rows(t)[0]).collect();
        let reader = self.reader();
        let out = |t: usize| self.excluded.contains(&(rows[t] as usize));
        let found = twins::find(&reader, &rows, &self.typed, &self.keys, checks.sent, out);
        self.findings.extend(found);
        self.order();
    }

    /// In the order of rows, errors of a row first. Most of it is in order already.
    fn order(&mut self) {
        let key = |f: &Finding| (f.row, f.code.severity() == Severity::Warning);
        if !self.findings.is_sorted_by_key(key) {
            self.findings.sort_by_key(key);
        }
    }

    /// Changes cells, several as one step; `None` takes an earlier change back. Checks what the change touches.
    pub fn edit(&mut self, changes: &[(usize, usize, Option<String>)], checks: &Checks<'_>) -> Rechecked {
        let mut rows = BTreeSet::new();
        let mut regroups = false;
        for (row, column, text) in changes {
            self.source.table.edit(*row, *column, text.as_deref());
            regroups |= self.transactions.depends_on(self.layout.field_of(*column));
            rows.insert(*row);
        }
        // A row that was emptied is no transaction any more, and one that was filled is one now.
        let known = rows
            .iter()
            .all(|row| self.transactions.of_row(*row).is_some() && !self.source.table.is_blank(*row));
        if regroups || !known || rows.len() > 1000 {
            self.transactions = Transactions::of(&self.source, &self.layout, self.mapping.grouping);
            self.check_all(checks);
            return Rechecked::All;
        }
        self.recheck(&rows, checks)
    }

    /// Does the changes of repairs, as one step.
    pub fn repair(&mut self, changes: &[Change], checks: &Checks<'_>) -> Rechecked {
        let changes: Vec<_> = changes.iter().map(|c| (c.row, c.column, Some(c.text.clone()))).collect();
        self.edit(&changes, checks)
    }

    fn recheck(&mut self, rows: &BTreeSet<usize>, checks: &Checks<'_>) -> Rechecked {
        let touched: BTreeSet<usize> = rows.iter().filter_map(|r| self.transactions.of_row(*r)).collect();
        let (mut findings, mut twins_change) = (Vec::new(), false);
        let mut fresh = Vec::new();
        {
            let reader = self.reader();
            let mut gathered = Gathered::default();
            for transaction in &touched {
                self.check_one(*transaction, &reader, &mut gathered, checks, &mut findings);
                let keys = twins::keys(&reader, gathered.row, &gathered.typed);
                fresh.push((*transaction, gathered.typed.clone(), keys));
            }
        }
        for (transaction, typed, keys) in fresh {
            twins_change |= self.keys[transaction] != keys;
            self.typed[transaction] = typed;
            self.keys[transaction] = keys;
        }
        let all: BTreeSet<usize> =
            touched.iter().flat_map(|t| self.transactions.rows(*t)).map(|r| *r as usize).collect();
        let is_twin =
            |f: &Finding| matches!(f.code, Code::DuplicateId | Code::DuplicateTransaction | Code::SentBefore);
        self.findings.retain(|f| !all.contains(&f.row()) || is_twin(f));
        findings.extend(self.reading_findings().into_iter().filter(|f| all.contains(&f.row())));
        self.findings.extend(findings);
        if twins_change {
            self.find_twins(checks);
            return Rechecked::All;
        }
        self.order();
        Rechecked::Rows(all.into_iter().collect())
    }

    /// Leaves a row out, or takes it in again.
    pub fn exclude(&mut self, row: usize, out: bool, checks: &Checks<'_>) {
        let changed = if out { self.excluded.insert(row) } else { self.excluded.remove(&row) };
        if changed {
            self.find_twins(checks);
        }
    }

    /// Leaves rows out, or takes them in again, as one step.
    pub fn exclude_all(&mut self, rows: &[(usize, bool)], checks: &Checks<'_>) {
        let mut changed = false;
        for (row, out) in rows {
            changed |= if *out { self.excluded.insert(*row) } else { self.excluded.remove(row) };
        }
        if changed {
            self.find_twins(checks);
        }
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
            review.find_twins(checks);
        }
        review
    }

    /// Checks all rows again: tax tables, documents or what was sent before have changed.
    pub fn check_again(&mut self, checks: &Checks<'_>) {
        self.check_all(checks);
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

    /// Whether a row is left out.
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
}

fn first_text(reader: &RowReader<'_>, row: usize) -> usize {
    let end = reader.table.row_len(row);
    (0..end).find(|c| !reader.table.text_at(row, *c).trim().is_empty()).unwrap_or(usize::from(NO_COLUMN))
}

impl Finding {
    /// A finding about the row or cell `column` of `field`.
    pub(crate) fn of(row: u32, column: u16, field: Field, code: Code, data: Data) -> Finding {
        Finding { row, column, field: Some(field), code, data }
    }
}
