//! Changes of a review, cell by cell: only what a change can touch is checked again.
//!
//! That is the transaction of the changed row, and every transaction that is, or was, the same as it. A test holds
//! the result to that of checking everything again.

use std::collections::{BTreeMap, BTreeSet};

use super::check_rows::in_order;
use super::{CheckProgress, RecheckScope, Review};
use crate::check::CheckSettings;
use crate::duplicate_index::is_duplicate_finding;
use crate::grouping::TransactionRows;
use crate::issue::Finding;
use crate::totals::says_totals;

/// More rows than this changed at once are checked along with all others.
const ROWS_MAX: usize = 1_000;

/// Findings of so many rows are put into their places one row after another; of more, all are put in order.
const PLACED_MAX: usize = 16;

impl Review {
    /// Changes cells, several as one step; `None` takes an earlier change back. Checks what the change touches.
    pub fn edit_cells(
        &mut self,
        changes: &[(usize, usize, Option<String>)],
        checks: &CheckSettings<'_>,
    ) -> RecheckScope {
        let mut rows = BTreeSet::new();
        let mut regroups = false;
        for (row, column, text) in changes {
            let says_total =
                |review: &Review| says_totals(review.source.table.own_text(*row, *column).trim());
            let said_total = says_total(self);
            self.source.table.edit_cell(*row, *column, text.as_deref());
            regroups |= self.transactions.is_grouped() && (said_total || says_total(self));
            let made = self.source.table.computed().columns_made_from(*column);
            let mut columns = made.map(usize::from).chain([*column]);
            regroups |=
                columns.any(|column| self.transactions.depends_on(column, self.layout.field_of(column)));
            rows.insert(*row);
        }
        // A row that was emptied is no transaction any more, and one that was filled is one now.
        let known = rows
            .iter()
            .all(|row| self.transactions.of_row(*row).is_some() && !self.source.table.is_blank(*row));
        if regroups || !known || rows.len() > ROWS_MAX {
            self.transactions =
                TransactionRows::from_source(&self.source, &self.layout, &self.mapping, checks.threads);
            self.check_all(checks, &CheckProgress::default());
            return RecheckScope::All;
        }
        self.recheck_rows(&rows, checks)
    }

    /// Excludes rows, or includes them again, as one step.
    pub fn exclude_all(&mut self, rows: &[(usize, bool)], checks: &CheckSettings<'_>) {
        let mut changed = BTreeSet::new();
        for (row, out) in rows {
            if if *out { self.excluded.insert(*row) } else { self.excluded.remove(row) } {
                changed.extend(self.transactions.of_row(*row));
            }
        }
        let mut beside = BTreeSet::new();
        for transaction in &changed {
            beside.extend(self.duplicates.same_key_transactions(self.keys[*transaction]));
        }
        beside.extend(changed);
        self.replace_findings(BTreeMap::new(), &beside, checks);
    }

    fn recheck_rows(&mut self, rows: &BTreeSet<usize>, checks: &CheckSettings<'_>) -> RecheckScope {
        let touched: BTreeSet<usize> = rows.iter().filter_map(|r| self.transactions.of_row(*r)).collect();
        let (mut findings, mut fresh) = (Vec::new(), Vec::new());
        {
            let mut checker = self.new_checker(checks);
            for transaction in &touched {
                checker.check_transaction(*transaction, &mut findings);
                fresh.push((*transaction, checker.figures(), checker.keys()));
            }
        }
        let mut compared = touched.clone();
        for (transaction, figures, keys) in fresh {
            let before = std::mem::replace(&mut self.keys[transaction], keys);
            // Before and after: a policy with one transaction more or less may be one that is added up, or no longer.
            for _ in 0..2 {
                compared.extend(self.duplicates.same_key_transactions(before));
                compared.extend(self.duplicates.same_key_transactions(keys));
                self.duplicates.replace_keys(transaction, before, keys);
            }
            self.figures[transaction] = figures;
        }
        let mut by_row: BTreeMap<usize, Vec<Finding>> = BTreeMap::new();
        for row in touched.iter().flat_map(|t| self.transactions.rows_of(*t)) {
            by_row.insert(*row as usize, Vec::new());
        }
        for finding in findings {
            by_row.entry(finding.row()).or_default().push(finding);
        }
        for (row, found) in &mut by_row {
            found.extend(self.noticed_in(*row));
        }
        RecheckScope::Rows(self.replace_findings(by_row, &compared, checks))
    }

    /// Puts new findings of rows in the place of the old ones, and compares transactions again with those
    /// that are the same. Gives the rows whose findings may have changed, in order.
    fn replace_findings(
        &mut self,
        mut fresh: BTreeMap<usize, Vec<Finding>>,
        compared: &BTreeSet<usize>,
        checks: &CheckSettings<'_>,
    ) -> Vec<usize> {
        for row in compared.iter().map(|t| self.transactions.rows_of(*t)[0] as usize) {
            let kept =
                || self.findings_of(row).iter().filter(|f| !is_duplicate_finding(f)).cloned().collect();
            fresh.entry(row).or_insert_with(kept);
        }
        for finding in
            self.search_duplicates(&self.build_row_reader(), checks, |search| search.compare_some(compared))
        {
            fresh.entry(finding.row()).or_default().push(finding);
        }
        fresh.values_mut().for_each(|found| in_order(found));
        let rows: Vec<usize> = fresh.keys().copied().collect();
        if fresh.len() <= PLACED_MAX {
            for (row, found) in fresh {
                let begin = self.findings.partition_point(|f| f.row() < row);
                let end = self.findings.partition_point(|f| f.row() <= row);
                self.findings.splice(begin..end, found);
            }
        } else {
            self.findings.retain(|f| !fresh.contains_key(&f.row()));
            self.findings.extend(fresh.into_values().flatten());
            self.sort_findings();
        }
        rows
    }
}
