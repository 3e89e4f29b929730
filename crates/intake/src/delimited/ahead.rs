//! A large text read in parts, on several threads.
//!
//! Where a row begins is known only when all before it is read: a line break inside quotes ends no row. So
//! each part is read ahead as if a row began behind its first line break, and is taken only when the rows
//! before it end there indeed. Otherwise its rows are read again, in their turn. The result is that of reading
//! from the start to the end.

use super::{Reader, Rows, expected_cells};
use crate::limits::{CELLS_MAX, REREAD_BYTES_MAX, ROWS_MAX};
use crate::refusal::Refusal;

/// Smaller parts are not worth a thread.
const PART_BYTES: usize = if cfg!(test) { 16 } else { 1 << 20 };

/// A part that was read ahead.
struct Part {
    rows: Rows,
    /// Where it ended.
    at: usize,
    lines: u32,
    reread: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn on_threads(&mut self, threads: usize, read: &mut Rows) -> Result<(), Refusal> {
        let begins = self.begins(threads.min(16));
        let ends = begins.iter().skip(1).copied().chain([self.text.len()]);
        let (text, delimiter) = (self.text, self.delimiter);
        let own = begins.first().copied().unwrap_or(text.len());
        let expected = expected_cells(text.as_bytes().get(self.at..own).unwrap_or_default(), delimiter);
        std::thread::scope(|scope| {
            let parts: Vec<_> = begins
                .iter()
                .zip(ends)
                .map(|(begin, end)| {
                    let begin = *begin;
                    (begin, end, scope.spawn(move || Reader::part(text, delimiter, begin, end)))
                })
                .collect();
            read.table.expect_cells(expected);
            self.rows(own, usize::MAX, read)?;
            for (begin, end, part) in parts {
                let part = part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                match part.filter(|part| self.at == begin && self.has_room(part, read)) {
                    Some(part) => self.take(part, read),
                    None => self.rows(end, usize::MAX, read)?,
                }
            }
            Ok(())
        })
    }

    /// Where parts but the first may begin: behind line breaks, about as far from one another.
    fn begins(&self, threads: usize) -> Vec<usize> {
        let bytes = self.text.as_bytes();
        let rest = bytes.len().saturating_sub(self.at);
        let count = threads.min(rest / PART_BYTES);
        let behind = |nth: usize| {
            let from = self.at + rest / count * nth;
            memchr::memchr(b'\n', bytes.get(from..)?).map(|n| from + n + 1)
        };
        let mut begins: Vec<usize> = (1..count).filter_map(behind).filter(|at| *at < bytes.len()).collect();
        begins.dedup();
        begins
    }

    /// `None` where a limit is passed: the rows are then read in their turn, which says so at its row.
    fn part(text: &str, delimiter: u8, begin: usize, end: usize) -> Option<Part> {
        let mut rows = Rows::default();
        rows.table.expect_cells(expected_cells(text.as_bytes().get(begin..end)?, delimiter));
        let mut reader = Reader { at: begin, line: 0, ..Reader::new(text, delimiter) };
        reader.rows(end, usize::MAX, &mut rows).ok()?;
        Some(Part { rows, at: reader.at, lines: reader.line, reread: reader.reread })
    }

    fn has_room(&self, part: &Part, read: &Rows) -> bool {
        read.table.row_count() + part.rows.table.row_count() <= ROWS_MAX
            && read.table.cell_count() + part.rows.table.cell_count() <= CELLS_MAX
            && self.reread + part.reread <= REREAD_BYTES_MAX
    }

    fn take(&mut self, part: Part, read: &mut Rows) {
        let rows = u32::try_from(read.table.row_count()).unwrap_or(u32::MAX);
        read.notes.extend(part.rows.notes.into_iter().map(|mut note| {
            note.row += rows;
            note
        }));
        read.table.append_rows(part.rows.table, self.line, self.text.len(), read.extra.len());
        read.extra.push_str(&part.rows.extra);
        self.at = part.at;
        self.line += part.lines;
        self.reread += part.reread;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::delimited::{Delimited, read, read_beginning};

    /// Everything there is to say about a table.
    fn told(read: &Delimited) -> Vec<(u32, usize, Vec<&str>)> {
        let table = &read.table;
        let cells = |row| (0..table.row_len(row)).map(|column| table.text_at(row, column)).collect();
        (0..table.row_count()).map(|row| (table.line(row), table.raw_len(row), cells(row))).collect()
    }

    const TOKENS: [&str; 10] = ["a", "b", ",", "é", "\"", "\"\"", "\n", "\r\n", "\n\n", ",\""];

    /// Up to so many tokens. (A pattern would say the same, and takes ten times as long to make.)
    fn text(most: usize) -> impl Strategy<Value = String> {
        prop::collection::vec(0..TOKENS.len(), 0..most)
            .prop_map(|tokens| tokens.into_iter().map(|token| TOKENS[token]).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn several_threads_read_what_one_reads(text in text(160), threads in 2..6usize) {
            let alone = read(text.clone(), b',', usize::MAX, 1);
            let many = read(text, b',', usize::MAX, threads);
            match (alone, many) {
                (Ok(alone), Ok(many)) => {
                    prop_assert_eq!(told(&alone), told(&many));
                    prop_assert_eq!(alone.table.width(), many.table.width());
                    prop_assert_eq!(alone.notes, many.notes);
                }
                (alone, many) => prop_assert_eq!(alone.err(), many.err()),
            }
        }

        #[test]
        fn a_beginning_reads_what_the_whole_reads(
            text in text(80),
            rows in 1..20usize,
            cut in any::<prop::sample::Index>(),
        ) {
            let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
            prop_assume!(!ends.is_empty());
            let beginning = text[..*cut.get(&ends)].to_owned();
            let (begun, whole) = (read_beginning(beginning, b',', rows), read(text, b',', usize::MAX, 1));
            if let (Ok(begun), Ok(whole)) = (begun, whole) {
                let (begun_rows, whole_rows) = (told(&begun), told(&whole));
                prop_assert_eq!(&begun_rows[..], &whole_rows[..begun_rows.len()]);
                let within = |note: &&crate::Finding| note.row() < begun_rows.len();
                prop_assert!(begun.notes.iter().filter(within).eq(whole.notes.iter().filter(within)));
            }
        }
    }
}
