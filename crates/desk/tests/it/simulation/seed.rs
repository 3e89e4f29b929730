//! One number from which everything of a run follows.

/// SplitMix64: good enough to spread faults, and the same for the same seed.
#[derive(Clone, Debug)]
pub struct Seed(u64);

impl Seed {
    pub fn new(seed: u64) -> Seed {
        Seed(seed)
    }

    /// Another one for something of this name: what it does depends on no other's turns.
    pub fn derive(&self, name: &str) -> Seed {
        let mut state = self.0 ^ 0x9e37_79b9_7f4a_7c15;
        for byte in name.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        }
        Seed(state)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// In so many of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
