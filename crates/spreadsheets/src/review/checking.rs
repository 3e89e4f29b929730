//! Checking every row: in pieces, on as many threads as there are, put together in the order of rows.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};

use super::{CheckProgress, Review};
use crate::check::{Checks, Workspace, check};
use crate::duplicate_index::{
    DuplicateIndex, DuplicateKeys, DuplicateSearch, duplicate_keys, is_duplicate_finding,
};
use crate::field::Field;
use crate::issue::{Code, Finding, NO_COLUMN, Severity};
use crate::reading::RowReader;
use crate::row::{PIECE, TypedRow, TypedRows};
use crate::transaction::Gathered;

/// What was found in all transactions.
struct Checked {
    typed: TypedRows,
    keys: Vec<DuplicateKeys>,
    findings: Vec<Finding>,
}

/// What was found in some transactions that follow one another.
struct Piece {
    typed: Vec<TypedRow>,
    keys: Vec<DuplicateKeys>,
    findings: Vec<Finding>,
}

impl Checked {
    fn with_capacity(transactions: usize) -> Checked {
        Checked { typed: TypedRows::default(), keys: Vec::with_capacity(transactions), findings: Vec::new() }
    }

    /// Appends the next piece of so many transactions altogether. Gives the room of its findings back.
    fn append(&mut self, mut piece: Piece, transactions: usize) -> Vec<Finding> {
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
        piece.findings
    }
}

/// What the threads that check have in common: which piece is next, and room for findings that was used before.
/// Memory returned to the system and requested again would cost more than what is written into it.
struct Queue<'w> {
    next: AtomicUsize,
    pieces: usize,
    room: Mutex<Vec<Vec<Finding>>>,
    progress: &'w CheckProgress,
}

impl Queue<'_> {
    fn take(&self) -> Option<(usize, Vec<Finding>)> {
        if self.progress.is_canceled() {
            return None;
        }
        let piece = self.next.fetch_add(1, Ordering::Relaxed);
        let room = self.room.lock().ok().and_then(|mut room| room.pop());
        (piece < self.pieces).then(|| (piece, room.unwrap_or_default()))
    }

    fn give_back(&self, findings: Vec<Finding>) {
        if let Ok(mut room) = self.room.lock() {
            room.push(findings);
        }
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
    pub(super) fn keys(&self) -> DuplicateKeys {
        duplicate_keys(&self.reader, self.gathered.row, &self.gathered.typed)
    }

    /// Checks the transactions of a piece; `findings` is empty and has room.
    fn piece(&mut self, piece: usize, mut findings: Vec<Finding>) -> Piece {
        let begin = piece * PIECE;
        let end = self.review.transactions.count().min(begin + PIECE);
        let (mut typed, mut keys) = (Vec::with_capacity(end - begin), Vec::with_capacity(end - begin));
        findings.reserve(self.found + self.found / 8);
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
    /// Checks all rows again; when canceled before the end, nothing is found.
    pub(super) fn check_all(&mut self, checks: &Checks<'_>, progress: &CheckProgress) {
        let pieces = self.transactions.count().div_ceil(PIECE);
        let threads = checks.threads.clamp(1, 16).min(pieces.max(1));
        let checked = self.checked_on(threads, pieces, checks, progress);
        if progress.is_canceled() {
            return;
        }
        (self.typed, self.keys, self.findings) = (checked.typed, checked.keys, checked.findings);
        self.findings.shrink_to_fit();
        self.duplicates = DuplicateIndex::new(&self.keys);
        let mut others = self.noticed();
        others.extend(self.search_duplicates(&self.reader(), checks, |search| search.compare_all()));
        // Transaction by transaction they are in order already, where each is one row.
        if !others.is_empty() || self.transactions.is_grouped() {
            self.findings.append(&mut others);
            self.order();
        }
    }

    /// Each thread, this one too, takes the next piece; here they are put together in order as they come.
    fn checked_on(
        &self,
        threads: usize,
        pieces: usize,
        checks: &Checks<'_>,
        progress: &CheckProgress,
    ) -> Checked {
        let count = self.transactions.count();
        let mut checked = Checked::with_capacity(count);
        let queue = Queue { next: AtomicUsize::new(0), pieces, room: Mutex::default(), progress };
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(4 * threads);
            for _ in 1..threads {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move || {
                    let mut checker = self.checker(checks);
                    while let Some((piece, room)) = queue.take() {
                        if sender.send((piece, checker.piece(piece, room))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut checker, mut early, mut due) = (self.checker(checks), BTreeMap::new(), 0);
            loop {
                let own = queue.take().map(|(piece, room)| (piece, checker.piece(piece, room)));
                // Without a piece left for this thread it waits for the others.
                let Some((piece, found)) = own.or_else(|| receiver.recv().ok()) else { break };
                early.insert(piece, found);
                early.extend(receiver.try_iter());
                while let Some(found) = early.remove(&due) {
                    queue.give_back(checked.append(found, count));
                    progress.checked.store(checked.keys.len(), Ordering::Relaxed);
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
        if !self.may_have_extra_cells() {
            return kept.collect();
        }
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

    /// Whether any row is wider than the headers.
    fn may_have_extra_cells(&self) -> bool {
        let table = &self.source.table;
        self.source
            .detection
            .header
            .value
            .is_some_and(|header| table.width() > table.row_len(header as usize))
    }

    fn extra_cells(&self, row: usize) -> Option<Finding> {
        let table = &self.source.table;
        let width = table.row_len(self.source.detection.header.value? as usize);
        let mut columns = width..table.row_len(row);
        let column = columns.find(|c| !table.text_at(row, *c).trim().is_empty())?;
        Some(Finding::at(Code::ExtraCells, row, column))
    }

    /// Compares all transactions with one another and with what was sent; replaces what was found before.
    pub(super) fn find_duplicates(&mut self, checks: &Checks<'_>) {
        self.findings.retain(|f| !is_duplicate_finding(f));
        let found = self.search_duplicates(&self.reader(), checks, |search| search.compare_all());
        self.findings.extend(found);
        self.order();
    }

    /// Compares transactions by their keys as they are now.
    pub(super) fn search_duplicates<T>(
        &self,
        reader: &RowReader<'_>,
        checks: &Checks<'_>,
        compare: impl FnOnce(&DuplicateSearch<'_, '_>) -> T,
    ) -> T {
        compare(&DuplicateSearch {
            reader,
            transactions: &self.transactions,
            typed: &self.typed,
            keys: &self.keys,
            index: &self.duplicates,
            sent: checks.sent,
            is_out: &|row| self.excluded.contains(&row),
        })
    }

    /// In the order of rows, errors of a row first. Most of it is in order already.
    pub(super) fn order(&mut self) {
        in_order(&mut self.findings);
    }
}

/// Sorts by row, errors first; what is equal in both keeps its order.
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
