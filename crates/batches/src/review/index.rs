//! Which rows pass which filter: made once after a change, so that a page is a slice.

use std::collections::{BTreeSet, HashMap};

use bordereau_spreadsheets::{Field, Outcome, Severity};

use super::group::group_key;
use super::keep::KEPT;
use super::open::Open;
use bordereau_api::{ReviewCounts, RowFilter};

/// Rows of the table by filter, in order.
#[derive(Default)]
pub struct Index {
    all: Vec<u32>,
    ready: Vec<u32>,
    errors: Vec<u32>,
    warnings: Vec<u32>,
    pub changed: Vec<u32>,
    excluded: Vec<u32>,
    /// Rows by filter and code of a group, made when first asked for.
    by_code: HashMap<(RowFilter, String), Vec<u32>>,
    pub counts: ReviewCounts,
}

/// What a row has.
#[derive(Clone, Copy, Default)]
struct Class {
    error: bool,
    warning: bool,
}

impl Index {
    /// One pass over rows and findings, which are in the order of rows.
    pub fn of(open: &Open) -> Index {
        let review = open.review();
        let table = &review.source().table;
        let mut index = Index::default();
        let edited: BTreeSet<usize> = table
            .edits()
            .filter(|(row, column, text)| table.original(*row, *column).text != *text)
            .map(|(row, ..)| row)
            .collect();
        index.changed = edited.iter().filter_map(|row| u32::try_from(*row).ok()).collect();
        let mut findings = review.findings().iter().peekable();
        let mut classes = vec![Class::default(); table.row_count()];
        for (row, outcome) in review.transactions().outcomes().iter().enumerate() {
            while findings.next_if(|f| f.row() < row).is_some() {}
            let class = &mut classes[row];
            while let Some(finding) = findings.next_if(|f| f.row() == row) {
                class.error |= finding.severity() == Severity::Error;
                class.warning |=
                    finding.severity() == Severity::Warning && open.kept_finding(finding).is_none();
            }
            if !matches!(outcome, Outcome::Transaction | Outcome::FurtherRow) {
                continue;
            }
            index.all.push(u32::try_from(row).unwrap_or(u32::MAX));
        }
        let rows = classes.len();
        for row in open.body.messages.keys().map(|row| *row as usize).filter(|row| *row < rows) {
            // The index of changed rows is needed to know which messages are done.
            for message in super::correction::open_messages(open, row, &edited) {
                classes[row].error |= message.severity == "error";
                let column = Field::by_message_key(&message.field);
                let column = column.map(|field| usize::from(review.layout().column_of(field)));
                classes[row].warning |=
                    message.severity != "error" && open.kept_message(row, column, message).is_none();
            }
        }
        index.sort(open, &classes);
        index
    }

    fn sort(&mut self, open: &Open, classes: &[Class]) {
        let review = open.review();
        let transactions = review.transactions();
        for row in &self.all {
            let class = classes[*row as usize];
            if review.is_excluded(*row as usize) {
                self.excluded.push(*row);
            } else if class.error {
                self.errors.push(*row);
            } else if class.warning {
                self.warnings.push(*row);
            }
        }
        let mut ready_rows = 0;
        for transaction in 0..transactions.count() {
            let rows = transactions.rows(transaction);
            let is_ready =
                rows.iter().all(|r| !classes[*r as usize].error && !review.is_excluded(*r as usize));
            if is_ready {
                ready_rows += 1;
                self.ready.extend(rows);
            }
        }
        self.ready.sort_unstable();
        self.changed.retain(|row| self.all.binary_search(row).is_ok());
        let count = |rows: &Vec<u32>| u32::try_from(rows.len()).unwrap_or(u32::MAX);
        self.counts = ReviewCounts {
            rows: count(&self.all),
            transactions: u32::try_from(transactions.count()).unwrap_or(u32::MAX),
            ready: ready_rows,
            errors: count(&self.errors),
            warnings: count(&self.warnings),
            changed: count(&self.changed),
            excluded: count(&self.excluded),
        };
    }

    /// The rows of a filter.
    pub fn rows(&self, filter: RowFilter) -> &[u32] {
        match filter {
            RowFilter::All => &self.all,
            RowFilter::Ready => &self.ready,
            RowFilter::Errors => &self.errors,
            RowFilter::Warnings => &self.warnings,
            RowFilter::Changed => &self.changed,
            RowFilter::Excluded => &self.excluded,
        }
    }

    /// Whether the transaction is ready to be sent.
    pub fn is_ready(&self, row: u32) -> bool {
        self.ready.binary_search(&row).is_ok()
    }
}

/// The rows of a filter and, unless it is empty, of the group with this code.
pub fn filtered<'o>(open: &'o mut Open, filter: RowFilter, code: &str) -> &'o [u32] {
    if code.is_empty() {
        return open.index.rows(filter);
    }
    let key = (filter, code.to_owned());
    if !open.index.by_code.contains_key(&key) {
        let mut with: BTreeSet<u32> = if code == KEPT {
            open.kept_rows().into_iter().collect()
        } else {
            open.review()
                .findings()
                .iter()
                .filter(|f| group_key(f) == code && open.kept_finding(f).is_none())
                .filter_map(|f| u32::try_from(f.row()).ok())
                .collect()
        };
        if code.starts_with("service") {
            let rows = open.body.messages.keys().copied();
            with.extend(rows.filter(|row| {
                let at = *row as usize;
                open.messages(at).any(|(column, m)| {
                    super::correction::group_of(m) == code && open.kept_message(at, column, m).is_none()
                })
            }));
        }
        let rows = open.index.rows(filter).iter().copied().filter(|row| with.contains(row)).collect();
        open.index.by_code.insert(key.clone(), rows);
    }
    &open.index.by_code[&key]
}
