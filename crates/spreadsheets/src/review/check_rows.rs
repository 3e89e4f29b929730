//! Checking every row: in pieces, on as many threads as there are, put together in the order of rows.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};

use super::report_lines::find_report_text;
use super::split_amounts::find_split_amount;
use super::{CheckProgress, Review};
use crate::check::{CheckSettings, CheckWorkspace, check_transaction};
use crate::duplicate_index::{
    DuplicateIndex, DuplicateKeys, DuplicateSearch, duplicate_keys, is_duplicate_finding,
};
use crate::issue::{Code, Finding, Severity};
use crate::row::TransactionFigures;
use crate::row_reader::RowReader;
use crate::transaction::GatheredTransaction;

/// Findings of a table: in the rows behind, of each transaction the first alone, which is its worst.
const FINDINGS_MAX: usize = 1_500_000;
/// One finding fewer for so many bytes of the table's text: of what may be held the text takes its part.
const TEXT_BYTES_PER_FINDING: usize = 128;
/// All findings of the first rows, however much text there is: a file with few has them all.
const FINDINGS_MIN: usize = 100_000;

/// Transactions checked at a time: enough that handing over costs nothing, few enough that what is found is never held
/// twice.
const PIECE: usize = 1_024;

/// What was found in all transactions.
struct CheckResults {
    figures: Vec<TransactionFigures>,
    keys: Vec<DuplicateKeys>,
    findings: Vec<Finding>,
    findings_max: usize,
}

/// What was found in some transactions that follow one another.
struct CheckedChunk {
    figures: Vec<TransactionFigures>,
    keys: Vec<DuplicateKeys>,
    findings: Vec<Finding>,
}

impl CheckResults {
    fn with_capacity(transactions: usize, text_bytes: usize) -> CheckResults {
        CheckResults {
            figures: Vec::with_capacity(transactions),
            keys: Vec::with_capacity(transactions),
            findings: Vec::new(),
            findings_max: FINDINGS_MAX.saturating_sub(text_bytes / TEXT_BYTES_PER_FINDING).max(FINDINGS_MIN),
        }
    }

    /// Appends the next piece of so many transactions altogether. Gives the room of its findings back.
    fn append_chunk(&mut self, mut piece: CheckedChunk, transactions: usize) -> Vec<Finding> {
        if self.findings.len() > self.findings_max {
            keep_first_of_rows(&mut piece.findings);
        }
        self.figures.append(&mut piece.figures);
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

/// Leaves one finding of each row: a file whose every row has a dozen would take more memory than it is worth. What was
/// omitted is found again once the row is changed.
fn keep_first_of_rows(findings: &mut Vec<Finding>) {
    findings.dedup_by_key(|finding| finding.row);
}

/// What the threads that check have in common: which piece is next, and room for findings that was used before.
/// Memory returned to the system and requested again would cost more than what is written into it.
struct ChunkQueue<'w> {
    next: AtomicUsize,
    pieces: usize,
    room: Mutex<Vec<Vec<Finding>>>,
    progress: &'w CheckProgress,
}

impl ChunkQueue<'_> {
    fn take_chunk(&self) -> Option<(usize, Vec<Finding>)> {
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
pub(super) struct TransactionChecker<'r, 'c> {
    review: &'r Review,
    checks: &'r CheckSettings<'c>,
    reader: RowReader<'r>,
    pub(super) gathered: GatheredTransaction<'r>,
    workspace: CheckWorkspace<'c>,
    /// Findings of the piece before: about as many as of the next.
    found: usize,
}

impl TransactionChecker<'_, '_> {
    /// Reads and checks one transaction; what is found is in the order of its rows, errors first.
    pub(super) fn check_transaction(&mut self, transaction: usize, findings: &mut Vec<Finding>) {
        let TransactionChecker { review, checks, reader, gathered, workspace, .. } = self;
        let begin = findings.len();
        gathered.read(reader, review.transactions.rows_of(transaction), findings);
        if let Some(column) = find_report_text(reader, gathered) {
            // One sentence says it all; a dozen missing values would only hide it.
            findings.truncate(begin);
            findings.push(Finding::at_cell(Code::LooksLikeTotal, gathered.row, column));
            return;
        }
        check_transaction(gathered, reader, checks, workspace, findings);
        in_order(&mut findings[begin..]);
    }

    /// The keys of the transaction checked last.
    pub(super) fn keys(&self) -> DuplicateKeys {
        duplicate_keys(&self.reader, self.gathered.row, &self.gathered.typed)
    }

    /// The figures of the transaction checked last.
    pub(super) fn figures(&self) -> TransactionFigures {
        TransactionFigures::from_row(&self.gathered.typed)
    }

    /// Checks the transactions of a piece; `findings` is empty and has room.
    fn check_chunk(&mut self, piece: usize, mut findings: Vec<Finding>) -> CheckedChunk {
        let begin = piece * PIECE;
        let end = self.review.transactions.count().min(begin + PIECE);
        let (mut figures, mut keys) = (Vec::with_capacity(end - begin), Vec::with_capacity(end - begin));
        findings.reserve(self.found + self.found / 8);
        for transaction in begin..end {
            self.check_transaction(transaction, &mut findings);
            keys.push(self.keys());
            figures.push(self.figures());
        }
        self.found = findings.len();
        CheckedChunk { figures, keys, findings }
    }
}

impl Review {
    /// Checks all rows again; when canceled before the end, nothing is found.
    pub(super) fn check_all(&mut self, checks: &CheckSettings<'_>, progress: &CheckProgress) {
        let pieces = self.transactions.count().div_ceil(PIECE);
        let threads = checks.threads.clamp(1, 16).min(pieces.max(1));
        let checked = self.checked_on(threads, pieces, checks, progress);
        if progress.is_canceled() {
            return;
        }
        self.lines = checks.local.lines.clone();
        (self.figures, self.keys, self.findings) = (checked.figures, checked.keys, checked.findings);
        self.duplicates = DuplicateIndex::new(&self.keys, checks.threads);
        let mut others = self.reader_findings();
        others
            .extend(self.search_duplicates(&self.build_row_reader(), checks, |search| search.compare_all()));
        // Transaction by transaction they are in order already, where each is one row.
        if self.transactions.is_grouped() {
            self.findings.append(&mut others);
            self.sort_findings();
        } else {
            merge_in_order(&mut self.findings, others);
        }
        self.findings.shrink_to_fit();
    }

    /// Each thread, this one too, takes the next piece; here they are put together in order as they come.
    fn checked_on(
        &self,
        threads: usize,
        pieces: usize,
        checks: &CheckSettings<'_>,
        progress: &CheckProgress,
    ) -> CheckResults {
        let count = self.transactions.count();
        let mut checked = CheckResults::with_capacity(count, self.source.table.text_len());
        let queue = ChunkQueue { next: AtomicUsize::new(0), pieces, room: Mutex::default(), progress };
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(4 * threads);
            for _ in 1..threads {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move || {
                    let mut checker = self.new_checker(checks);
                    while let Some((piece, room)) = queue.take_chunk() {
                        if sender.send((piece, checker.check_chunk(piece, room))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut checker, mut early, mut due) = (self.new_checker(checks), BTreeMap::new(), 0);
            loop {
                let own = queue.take_chunk().map(|(piece, room)| (piece, checker.check_chunk(piece, room)));
                // Without a piece left for this thread it waits for the others.
                let Some((piece, found)) = own.or_else(|| receiver.recv().ok()) else { break };
                early.insert(piece, found);
                early.extend(receiver.try_iter());
                while let Some(found) = early.remove(&due) {
                    queue.give_back(checked.append_chunk(found, count));
                    progress.checked.store(checked.keys.len(), Ordering::Relaxed);
                    due += 1;
                }
            }
        });
        checked
    }

    pub(super) fn new_checker<'r, 'c>(&'r self, checks: &'r CheckSettings<'c>) -> TransactionChecker<'r, 'c> {
        let (reader, gathered) = (self.build_row_reader(), GatheredTransaction::default());
        TransactionChecker {
            review: self,
            checks,
            reader,
            gathered,
            workspace: CheckWorkspace::default(),
            found: 0,
        }
    }

    /// What the reader noticed, and cells beyond the last column.
    fn reader_findings(&self) -> Vec<Finding> {
        let kept = self.of_cells.iter().filter_map(|f| self.finding_if_unedited(f));
        if !self.may_have_extra_cells() {
            return kept.collect();
        }
        let rows = (0..self.transactions.count()).flat_map(|t| self.transactions.rows_of(t));
        kept.chain(rows.filter_map(|row| self.extra_cells(*row as usize))).collect()
    }

    /// The same of one row that belongs to a transaction.
    pub(super) fn noticed_in(&self, row: usize) -> impl Iterator<Item = Finding> {
        let all = &self.of_cells;
        let begin = all.partition_point(|f| f.row() < row);
        let own = all[begin..].iter().take_while(move |f| f.row() == row);
        own.filter_map(|f| self.finding_if_unedited(f)).chain(self.extra_cells(row))
    }

    /// What the reader noticed of a cell holds until the cell is changed.
    fn finding_if_unedited(&self, finding: &Finding) -> Option<Finding> {
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
        let column = columns.find(|c| !table.own_text(row, *c).trim().is_empty())?;
        let split = find_split_amount(self, row);
        Some(split.unwrap_or_else(|| Finding::at_cell(Code::ExtraCells, row, column)))
    }

    /// Compares all transactions with one another and with what was sent; replaces what was found before.
    pub(super) fn find_duplicates(&mut self, checks: &CheckSettings<'_>) {
        self.findings.retain(|f| !is_duplicate_finding(f));
        let found = self.search_duplicates(&self.build_row_reader(), checks, |search| search.compare_all());
        self.findings.extend(found);
        self.sort_findings();
    }

    /// Compares transactions by their keys as they are now.
    pub(super) fn search_duplicates<T>(
        &self,
        reader: &RowReader<'_>,
        checks: &CheckSettings<'_>,
        compare: impl FnOnce(&DuplicateSearch<'_, '_>) -> T,
    ) -> T {
        compare(&DuplicateSearch {
            reader,
            transactions: &self.transactions,
            figures: &self.figures,
            keys: &self.keys,
            index: &self.duplicates,
            sent: checks.sent,
            is_out: &|row| self.excluded.contains(&row),
        })
    }

    /// In the order of rows, errors of a row first. Most of it is in order already.
    pub(super) fn sort_findings(&mut self) {
        in_order(&mut self.findings);
    }
}

/// Sorts by row, errors first; what is equal in both keeps its order.
pub(super) fn in_order(findings: &mut [Finding]) {
    if !findings.is_sorted_by_key(sort_key) {
        findings.sort_by_key(sort_key);
    }
}

fn sort_key(finding: &Finding) -> (u32, bool) {
    (finding.row, finding.code.severity() == Severity::Warning)
}

/// Puts more findings into those that are in order, behind what is equal. From the back, so that it takes no room but
/// theirs: sorting them together would take half of all once more.
fn merge_in_order(findings: &mut Vec<Finding>, mut others: Vec<Finding>) {
    in_order(&mut others);
    let mut own = findings.len();
    // There is room for some more in most cases: taking it exactly would move all of them.
    findings.reserve(others.len());
    findings.resize_with(own + others.len(), || Finding::at_cell(Code::CellError, 0, 0));
    for at in (0..findings.len()).rev() {
        let Some(other) = others.last_mut() else { break };
        if own > 0 && sort_key(&findings[own - 1]) > sort_key(other) {
            own -= 1;
            findings.swap(own, at);
        } else {
            std::mem::swap(&mut findings[at], other);
            others.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_merged_are_those_that_are_sorted_together() {
        let codes = [Code::CellError, Code::CellCut, Code::ExtraCells, Code::QuoteNotClosed];
        let mut number = 1_u32;
        let mut list = |count: usize| -> Vec<Finding> {
            let mut random = |end: u32| {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((number >> 16) % end) as usize
            };
            (0..count).map(|at| Finding::at_cell(codes[random(4)], random(9), at)).collect()
        };
        for (own, more) in [(0, 0), (0, 5), (7, 0), (20, 20), (40, 3), (2, 30)] {
            let (mut own, more) = (list(own), list(more));
            in_order(&mut own);
            let mut sorted = [own.clone(), more.clone()].concat();
            in_order(&mut sorted);
            merge_in_order(&mut own, more);
            assert_eq!(own, sorted);
        }
    }

    #[test]
    fn a_table_with_much_text_has_fewer_findings() {
        let most = |megabytes: usize| CheckResults::with_capacity(1, megabytes << 20).findings_max;
        assert_eq!(most(0), FINDINGS_MAX);
        assert!(most(20) > 1_000_000 && most(190) == FINDINGS_MIN && most(220) == FINDINGS_MIN);
    }

    #[test]
    fn of_rows_beyond_the_bound_the_first_finding_stays() {
        let found = |row, code| Finding::at_cell(code, row, 0);
        let mut findings = vec![
            found(3, Code::CellError),
            found(3, Code::CellCut),
            found(4, Code::CellCut),
            found(5, Code::CellError),
        ];
        keep_first_of_rows(&mut findings);
        let left: Vec<(usize, Code)> =
            findings.iter().map(|finding| (finding.row(), finding.code())).collect();
        assert_eq!(left, [(3, Code::CellError), (4, Code::CellCut), (5, Code::CellError)]);
    }
}
