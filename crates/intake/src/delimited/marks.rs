//! Where cells end: the delimiters and line breaks of 64 bytes at a time, as bits.
//!
//! Most cells are a few bytes long. Looking for the end of each by itself is a loop whose length nobody can
//! foresee, the processor least of all; the bits of a block are counted out instead.

/// Bytes of a block.
const BLOCK: usize = 64;

/// The marks of the block looked at last.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    delimiter: u8,
    block: usize,
    bits: u64,
}

impl Marks {
    pub(super) fn new(delimiter: u8) -> Marks {
        Marks { delimiter, block: usize::MAX, bits: 0 }
    }

    /// Where the first delimiter or line break at `from` or behind it stands; the end of the text without one.
    ///
    /// Inlined by order: it is asked for every cell, and most answers are in the block at hand.
    #[inline(always)]
    pub(super) fn next(&mut self, bytes: &[u8], from: usize) -> usize {
        let block = from & !(BLOCK - 1);
        if block != self.block {
            self.look_at(bytes, block);
        }
        let mut bits = self.bits & (u64::MAX << (from - block));
        while bits == 0 {
            let block = self.block + BLOCK;
            if block >= bytes.len() {
                return bytes.len();
            }
            self.look_at(bytes, block);
            bits = self.bits;
        }
        self.block + bits.trailing_zeros() as usize
    }

    fn look_at(&mut self, bytes: &[u8], block: usize) {
        self.block = block;
        self.bits = marks_of(bytes, block, self.delimiter);
    }
}

/// The marks of the block that begins at `block`.
#[inline(never)]
fn marks_of(bytes: &[u8], block: usize, delimiter: u8) -> u64 {
    let rest = bytes.get(block..).unwrap_or_default();
    if let Some(whole) = rest.first_chunk::<BLOCK>() {
        return bits(whole, delimiter);
    }
    let mut padded = [0; BLOCK];
    padded[..rest.len()].copy_from_slice(rest);
    // The padding may be taken for delimiters of zero.
    bits(&padded, delimiter) & !(u64::MAX << rest.len())
}

/// Brings the lowest bit of each byte into the highest byte, one beside the other.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// One bit for each byte that ends a cell.
#[inline]
fn bits(block: &[u8; BLOCK], delimiter: u8) -> u64 {
    // A byte of one or zero for each: a form in which the compiler compares sixteen at a time.
    let mut ends = [0; BLOCK];
    for (end, byte) in ends.iter_mut().zip(block) {
        *end = u8::from(*byte == delimiter) | u8::from(*byte == b'\n') | u8::from(*byte == b'\r');
    }
    let (words, _) = ends.as_chunks::<8>();
    let gathered = words.iter().map(|word| u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56);
    gathered.rev().fold(0, |bits, eight| bits << 8 | eight)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Marks;

    /// Byte by byte, as it was done before.
    fn plainly(bytes: &[u8], from: usize, delimiter: u8) -> usize {
        let ends = |byte: &u8| *byte == delimiter || matches!(byte, b'\n' | b'\r');
        bytes[from..].iter().position(ends).map_or(bytes.len(), |n| from + n)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn blocks_say_what_bytes_say(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b','), Just(b'\n'), Just(0u8)], 0..300),
            delimiter in prop::sample::select(vec![b',', b';', b'\t', b'|', 0, 0x7F]),
            starts in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
        ) {
            let mut marks = Marks::new(delimiter);
            for start in starts {
                let from = start.index(bytes.len() + 1);
                prop_assert_eq!(marks.next(&bytes, from), plainly(&bytes, from, delimiter));
            }
            let mut from = 0;
            while from < bytes.len() {
                let to = marks.next(&bytes, from);
                prop_assert_eq!(to, plainly(&bytes, from, delimiter));
                from = to + 1;
            }
        }
    }
}
