//! Where the texts of cells lie: four bytes for a cell.
//!
//! Most cells are short and near the begin of their row: a place counted from there and a length fit into 32 bits.
//! The few others stand aside in full. Half the memory of full spans is half the pages a large file has to ask for.
//! What several threads read stays in the pieces it was read into: put together it would be copied.

/// Where a cell's text lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: u32,
    pub len: u32,
}

impl Span {
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// Where the texts of a row begin: those in the file's own text, and those that were put behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Begin {
    pub own: u32,
    pub behind: u32,
}

/// The spans of all cells, one row after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spans {
    /// The pieces before the last one, each with how many cells are before it.
    earlier: Vec<(usize, Vec<u32>)>,
    /// How many cells the earlier pieces have.
    before: usize,
    /// The last piece. From the highest bit: whether it is counted from what is behind, the place, the length.
    packed: Vec<u32>,
    /// Cells that are too long or too far from the begin of their row, in their order.
    long: Vec<(u32, Span)>,
}

const LEN_BITS: u32 = 12;
/// This length says that the cell stands aside.
const ASIDE: u32 = (1 << LEN_BITS) - 1;
const BEHIND: u32 = 1 << 31;
const PLACES: u32 = BEHIND >> LEN_BITS;

/// All bounds of what is read are far below.
#[inline]
pub(super) fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A cell of the file's own text, so far behind its row's begin and so long, where that fits.
#[inline]
pub(crate) fn packed(place: usize, len: usize) -> Option<u32> {
    let fits = len < ASIDE as usize && place < PLACES as usize;
    fits.then_some((place as u32) << LEN_BITS | len as u32)
}

/// Whether the packed span is that of an empty cell.
const fn is_empty(packed: u32) -> bool {
    packed & ASIDE == 0
}

impl Spans {
    pub(crate) fn len(&self) -> usize {
        self.before + self.packed.len()
    }

    /// Adds cells that are [`packed`].
    #[inline]
    pub(crate) fn extend(&mut self, cells: &[u32]) {
        self.packed.extend_from_slice(cells);
    }

    pub(crate) fn reserve_exact(&mut self, count: usize) {
        self.packed.reserve_exact(count);
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.packed.shrink_to_fit();
        self.long.shrink_to_fit();
    }

    /// Adds a cell of `len` bytes from `start` on, in the file's own text.
    #[inline]
    pub(crate) fn push(&mut self, start: usize, len: usize, begin: Begin) {
        self.put(start, len, start.wrapping_sub(begin.own as usize), 0);
    }

    /// Adds a cell whose text was put behind the file's own.
    pub(crate) fn push_behind(&mut self, start: usize, len: usize, begin: Begin) {
        self.put(start, len, start.wrapping_sub(begin.behind as usize), BEHIND);
    }

    #[inline]
    fn put(&mut self, start: usize, len: usize, place: usize, flag: u32) {
        match packed(place, len) {
            Some(packed) => self.packed.push(flag | packed),
            None => self.put_aside(Span { start: small(start), len: small(len) }),
        }
    }

    #[cold]
    fn put_aside(&mut self, span: Span) {
        if span.len > 0 {
            self.long.push((self.at_end(), span));
        }
        self.packed.push(if span.len > 0 { ASIDE } else { 0 });
    }

    fn at_end(&self) -> u32 {
        small(self.len())
    }

    /// Takes empty cells from the end of the row that begins at the cell `first`, which is of the last piece; gives how
    /// many are left of all.
    pub(crate) fn trim_row(&mut self, first: usize) -> usize {
        while self.len() > first && self.packed.last().is_some_and(|packed| is_empty(*packed)) {
            self.packed.pop();
        }
        self.len()
    }

    /// Takes the cells from `first` on away, which are of the last piece.
    pub(crate) fn truncate(&mut self, first: usize) {
        self.packed.truncate(first.saturating_sub(self.before));
        self.long.retain(|(at, _)| (*at as usize) < first);
    }

    /// Appends spans of which those behind the file's own `text_len` bytes come behind `extra_len` others.
    pub(crate) fn append(&mut self, spans: Spans, text_len: u32, extra_len: u32) {
        let first = self.at_end();
        let before = self.len();
        let mut last = std::mem::take(&mut self.packed);
        if !last.is_empty() {
            last.shrink_to_fit();
            self.earlier.push((self.before, last));
        }
        self.earlier.extend(spans.earlier.into_iter().map(|(at, piece)| (before + at, piece)));
        (self.before, self.packed) = (before + spans.before, spans.packed);
        self.long.extend(spans.long.into_iter().map(|(at, span)| {
            let moved = if span.start >= text_len { extra_len } else { 0 };
            (at + first, Span { start: span.start + moved, ..span })
        }));
    }

    /// The spans of some cells.
    #[inline]
    pub(crate) fn of(&self, cells: std::ops::Range<usize>, begin: Begin) -> RowSpans<'_> {
        let (before, piece) = match cells.start.checked_sub(self.before) {
            Some(_) => (self.before, &self.packed),
            None => self.earlier_piece(cells.start),
        };
        let packed = &piece[cells.start - before..cells.end - before];
        RowSpans { packed, first: cells.start, begin, long: &self.long }
    }

    /// The span of one cell; `None` where there is no cell, or an empty one.
    #[inline]
    pub(crate) fn at(&self, cell: usize, begin: Begin) -> Option<Span> {
        let (before, piece) = match cell.checked_sub(self.before) {
            Some(_) => (self.before, &self.packed),
            None => self.earlier_piece(cell),
        };
        let packed = piece.get(cell - before..)?.get(..1)?;
        RowSpans { packed, first: cell, begin, long: &self.long }.get(0)
    }

    /// The earlier piece with this cell, and how many cells are before it.
    fn earlier_piece(&self, cell: usize) -> (usize, &Vec<u32>) {
        let next = self.earlier.partition_point(|(before, _)| *before <= cell);
        let piece = next.checked_sub(1).and_then(|at| self.earlier.get(at));
        piece.map_or((self.before, &self.packed), |(before, piece)| (*before, piece))
    }

    fn packed_mut(&mut self, cell: usize) -> Option<&mut u32> {
        if let Some(at) = cell.checked_sub(self.before) {
            return self.packed.get_mut(at);
        }
        let next = self.earlier.partition_point(|(before, _)| *before <= cell);
        let (before, piece) = self.earlier.get_mut(next.checked_sub(1)?)?;
        piece.get_mut(cell - *before)
    }

    /// Takes bytes at the front and at the back of a cell away, where it has as many.
    pub(crate) fn narrow(&mut self, at: usize, begin: Begin, front: u32, back: u32) {
        let Some(span) = self.of(at..at + 1, begin).get(0) else { return };
        let Some(len) = span.len.checked_sub(front + back) else { return };
        let narrowed = Span { start: span.start + front, len };
        let key = small(at);
        let aside = self.long.binary_search_by_key(&key, |(at, _)| *at);
        let Some(packed) = self.packed_mut(at) else { return };
        let flag = *packed & BEHIND;
        let place = narrowed.start.wrapping_sub(if flag == 0 { begin.own } else { begin.behind });
        match aside {
            _ if len == 0 => *packed = 0,
            Ok(_) => {}
            Err(_) if place < PLACES => *packed = flag | (place << LEN_BITS) | len,
            Err(_) => *packed = ASIDE,
        }
        match aside {
            Ok(known) if len == 0 => _ = self.long.remove(known),
            Ok(known) => self.long[known].1 = narrowed,
            Err(next) if len > 0 && place >= PLACES => self.long.insert(next, (key, narrowed)),
            Err(_) => {}
        }
    }
}

/// The spans of the cells of one row.
#[derive(Clone, Copy)]
pub(crate) struct RowSpans<'t> {
    packed: &'t [u32],
    /// Which cell of all the first of these is.
    first: usize,
    begin: Begin,
    long: &'t [(u32, Span)],
}

impl RowSpans<'_> {
    /// `None` where there is no cell, or an empty one.
    #[inline]
    pub(crate) fn get(&self, column: usize) -> Option<Span> {
        let packed = *self.packed.get(column)?;
        let len = packed & ASIDE;
        if len == 0 {
            return None;
        }
        if len == ASIDE {
            return self.aside(column);
        }
        let begin = if packed & BEHIND == 0 { self.begin.own } else { self.begin.behind };
        Some(Span { start: begin + ((packed & !BEHIND) >> LEN_BITS), len })
    }

    #[cold]
    fn aside(&self, column: usize) -> Option<Span> {
        let key = u32::try_from(self.first + column).ok()?;
        let at = self.long.binary_search_by_key(&key, |(at, _)| *at).ok()?;
        self.long.get(at).map(|(_, span)| *span)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ASIDE, Begin, PLACES, Span, Spans};

    const TEXT: u32 = 900_000_000;

    /// A cell of a row: its place from the row's begin, its length, whether it is behind the file's own text.
    fn cell() -> impl Strategy<Value = (u32, u32, bool)> {
        let place = prop_oneof![0..100u32, PLACES - 4..PLACES + 4, Just(5_000_000)];
        let len = prop_oneof![0..9u32, ASIDE - 4..ASIDE + 4, Just(40_000)];
        (place, len, any::<bool>())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn spans_come_back_as_they_were(
            cells in prop::collection::vec(cell(), 1..30),
            split in any::<prop::sample::Index>(),
            narrowed in prop::collection::vec((any::<prop::sample::Index>(), 0..6u32, 0..3u32), 0..8),
        ) {
            let begin = |extra: u32| Begin { own: 1_000, behind: TEXT + extra };
            let span = |(place, len, behind): (u32, u32, bool), extra: u32| {
                let begin = begin(extra);
                Span { start: place + if behind { begin.behind } else { begin.own }, len }
            };
            let read = |cells: &[(u32, u32, bool)]| {
                let mut spans = Spans::default();
                for cell in cells {
                    let one = span(*cell, 0);
                    let (start, len) = (one.start as usize, one.len as usize);
                    if cell.2 { spans.push_behind(start, len, begin(0)) } else { spans.push(start, len, begin(0)) }
                }
                spans
            };
            let at = split.index(cells.len());
            let mut spans = read(&cells[..at]);
            // Read apart and put behind the first ones: texts behind the file's own are moved by 7.
            spans.append(read(&cells[at..]), TEXT, 7);
            let extra = |cell: usize| if cell < at { 0 } else { 7 };
            let mut wanted: Vec<Span> = (0..cells.len()).map(|cell| span(cells[cell], extra(cell))).collect();
            for (which, front, back) in narrowed {
                let cell = which.index(cells.len());
                spans.narrow(cell, begin(extra(cell)), front, back);
                let one = &mut wanted[cell];
                if one.len > 0 && one.len >= front + back {
                    *one = Span { start: one.start + front, len: one.len - front - back };
                }
            }
            for (cell, wanted) in wanted.iter().enumerate() {
                let found = spans.of(cell..cell + 1, begin(extra(cell))).get(0);
                prop_assert_eq!(spans.at(cell, begin(extra(cell))), found, "cell {}", cell);
                prop_assert_eq!(found, Some(*wanted).filter(|span| span.len > 0), "cell {}", cell);
            }
            // A row begins where its piece does, or behind that.
            let kept = spans.trim_row(at);
            let last = wanted.iter().rposition(|span| span.len > 0).map_or(0, |last| last + 1);
            prop_assert_eq!(kept, last.max(at));
            let fewer = at + (kept - at) / 2;
            spans.truncate(fewer);
            prop_assert_eq!(spans.len(), fewer);
        }
    }
}
