//! Checking every row: in pieces, on as many threads as there are, put together in the order of rows.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use super::Review;
use crate::check::{Checks, Workspace, check};
use crate::field::Field;
use crate::issue::{Code, Finding, NO_COLUMN, Severity};
use crate::reading::RowReader;
use crate::row::{PIECE, TypedRow, TypedRows};
use crate::transaction::Gathered;
use crate::twins::{self, Comparison, Keys, Twins};

/// What was found in all transactions.
struct Checked {
    typed: TypedRows,
    keys: Vec<Keys>,
    findings: Vec<Finding>,
}

/// What was found in some transactions that follow one another.
struct Piece {
    typed: Vec<TypedRow>,
    keys: Vec<Keys>,
    findings: Vec<Finding>,
}

impl Checked {
    fn with_capacity(transactions: usize) -> Checked {
        Checked { typed: TypedRows::default(), keys: Vec::with_capacity(transactions), findings: Vec::new() }
    }

    /// Appends the next piece of so many transactions altogether.
    fn append(&mut self, mut piece: Piece, transactions: usize) {
        self.typed.push(piece.typed);
        self.keys.append(&mut piece.keys);
        let count = self.findings.len() + piece.findings.len();
        if count > self.findings.capacity() {
            // Room for no more than there will be, as far as the rows so far tell: a large file has millions of
            // findings. Where the first rows are the worst, at most twice of what there is.
            let expected = count.saturating_mul(transactions) / self.keys.len().max(1);
            let expected = (expected + expected / 32).clamp(count, 2 * count);
            self.findings.reserve_exact(expected - self.findings.len());
        }
        self.findings.append(&mut piece.findings);
    }
}

/// What one thread checks with.
pub(super) struct Checker<'r, 'c> {
    review: &'r Review,
    checks: &'r Checks<'c>,
    reader: RowReader<'r>,
    pub(super) gathered: Gathered<'r>,
    workspace: Workspace<'c>,
    /// Findings of the piece before: about as many as of the next.
    found: usize,
}

impl Checker<'_, '_> {
    /// Reads and checks one transaction; what is found is in the order of its rows, errors first.
    pub(super) fn check(&mut self, transaction: usize, findings: &mut Vec<Finding>) {
        let Checker { review, checks, reader, gathered, workspace, .. } = self;
        let begin = findings.len();
        gathered.read(reader, review.transactions.rows(transaction), findings);
        if looks_like_total(reader, gathered) {
            // One sentence says it all; a dozen missing values would only hide it.
            findings.truncate(begin);
            findings.push(Finding::at(Code::LooksLikeTotal, gathered.row, first_text(reader, gathered.row)));
            return;
        }
        check(gathered, reader, checks, workspace, findings);
        in_order(&mut findings[begin..]);
    }

    /// The keys of the transaction checked last.
    pub(super) fn keys(&self) -> Keys {
        twins::keys(&self.reader, self.gathered.row, &self.gathered.typed)
    }

    fn piece(&mut self, piece: usize) -> Piece {
        let begin = piece * PIECE;
        let end = self.review.transactions.count().min(begin + PIECE);
        let (mut typed, mut keys) = (Vec::with_capacity(end - begin), Vec::with_capacity(end - begin));
        let mut findings = Vec::with_capacity(self.found + self.found / 8);
        for transaction in begin..end {
            self.check(transaction, &mut findings);
            keys.push(self.keys());
            typed.push(self.gathered.typed.clone());
        }
        self.found = findings.len();
        Piece { typed, keys, findings }
    }
}

impl Review {
    /// Checks all rows anew.
    pub(super) fn check_all(&mut self, checks: &Checks<'_>) {
        let pieces = self.transactions.count().div_ceil(PIECE);
        let threads = checks.threads.clamp(1, 16).min(pieces);
        let checked = if threads > 1 {
            self.checked_on(threads, pieces, checks)
        } else {
            let count = self.transactions.count();
            let (mut checked, mut checker) = (Checked::with_capacity(count), self.checker(checks));
            (0..pieces).for_each(|piece| checked.append(checker.piece(piece), count));
            checked
        };
        (self.typed, self.keys, self.findings) = (checked.typed, checked.keys, checked.findings);
        self.findings.shrink_to_fit();
        let noticed = self.noticed();
        self.findings.extend(noticed);
        self.twins = Twins::of(&self.keys, threads > 1);
        self.find_twins(checks);
    }

    /// Each thread takes the next piece; here they are put together in order as they come.
    fn checked_on(&self, threads: usize, pieces: usize, checks: &Checks<'_>) -> Checked {
        let mut checked = Checked::with_capacity(self.transactions.count());
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(2 * threads);
            for _ in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut checker = self.checker(checks);
                    loop {
                        let piece = next.fetch_add(1, Ordering::Relaxed);
                        if piece >= pieces || sender.send((piece, checker.piece(piece))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut early, mut due) = (BTreeMap::new(), 0);
            for (piece, found) in receiver {
                early.insert(piece, found);
                while let Some(found) = early.remove(&due) {
                    checked.append(found, self.transactions.count());
                    due += 1;
                }
            }
        });
        checked
    }

    pub(super) fn checker<'r, 'c>(&'r self, checks: &'r Checks<'c>) -> Checker<'r, 'c> {
        let (reader, gathered) = (self.reader(), Gathered::default());
        Checker { review: self, checks, reader, gathered, workspace: Workspace::default(), found: 0 }
    }

    /// What the reader noticed, and cells beyond the last column.
    fn noticed(&self) -> Vec<Finding> {
        let kept = self.source.findings.iter().filter_map(|f| self.kept(f));
        let rows = (0..self.transactions.count()).flat_map(|t| self.transactions.rows(t));
        kept.chain(rows.filter_map(|row| self.extra_cells(*row as usize))).collect()
    }

    /// The same of one row that belongs to a transaction.
    pub(super) fn noticed_in(&self, row: usize) -> impl Iterator<Item = Finding> {
        let all = &self.source.findings;
        let begin = all.partition_point(|f| f.row() < row);
        let own = all[begin..].iter().take_while(move |f| f.row() == row);
        own.filter_map(|f| self.kept(f)).chain(self.extra_cells(row))
    }

    /// What the reader noticed of a cell holds until the cell is changed.
    fn kept(&self, finding: &Finding) -> Option<Finding> {
        let is_changed = |column| self.source.table.is_edited(finding.row(), column);
        let field = finding.column().and_then(|c| self.layout.field_of(c));
        let kept = !finding.column().is_some_and(is_changed);
        kept.then(|| Finding { field, ..finding.clone() })
    }

    fn extra_cells(&self, row: usize) -> Option<Finding> {
        let table = &self.source.table;
        let width = table.row_len(self.source.detection.header.value? as usize);
        let mut columns = width..table.row_len(row);
        let column = columns.find(|c| !table.text_at(row, *c).trim().is_empty())?;
        Some(Finding::at(Code::ExtraCells, row, column))
    }

    /// Compares all transactions with one another and with what was sent; replaces what was found before.
    pub(super) fn find_twins(&mut self, checks: &Checks<'_>) {
        self.findings.retain(|f| !twins::is_about(f));
        let found = self.comparison(&self.reader(), checks, |comparison| comparison.all());
        self.findings.extend(found);
        self.order();
    }

    /// Compares transactions by their keys as they are now.
    pub(super) fn comparison<T>(
        &self,
        reader: &RowReader<'_>,
        checks: &Checks<'_>,
        compare: impl FnOnce(&Comparison<'_, '_>) -> T,
    ) -> T {
        compare(&Comparison {
            reader,
            transactions: &self.transactions,
            typed: &self.typed,
            keys: &self.keys,
            twins: &self.twins,
            sent: checks.sent,
            is_out: &|row| self.excluded.contains(&row),
        })
    }

    /// In the order of rows, errors of a row first. Most of it is in order already.
    pub(super) fn order(&mut self) {
        in_order(&mut self.findings);
    }
}

/// Sorts by row, errors first; what is equal in both stays as it stands.
pub(super) fn in_order(findings: &mut [Finding]) {
    let key = |f: &Finding| (f.row, f.code.severity() == Severity::Warning);
    if !findings.is_sorted_by_key(key) {
        findings.sort_by_key(key);
    }
}

fn looks_like_total(reader: &RowReader<'_>, gathered: &Gathered<'_>) -> bool {
    let typed = &gathered.typed;
    if typed.transaction_type.is_some() || typed.date(Field::PolicyEffectiveDate).is_some() {
        return false;
    }
    let text = reader.table.text_at(gathered.row, first_text(reader, gathered.row)).trim();
    let word = text.split([' ', ':']).next().unwrap_or_default();
    ["total", "totals", "subtotal", "sum", "grand"].iter().any(|w| word.eq_ignore_ascii_case(w))
}

fn first_text(reader: &RowReader<'_>, row: usize) -> usize {
    let end = reader.table.row_len(row);
    (0..end).find(|c| !reader.table.text_at(row, *c).trim().is_empty()).unwrap_or(usize::from(NO_COLUMN))
}
