//! Rows of accepted batches, still in memory as they were read: what is processed soon after it was accepted is
//! not read and parsed a second time. The database has all of them before the batch is accepted; where there was
//! no room, and after a restart, they come from there.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bordereau_contract::ImportTransaction;

/// Memory all rows at hand may take together, in bytes as [`Chunk::room`] counts them.
const BYTES_MAX: usize = 64 * 1024 * 1024;

/// The rows of a chunk.
pub(super) struct Chunk {
    /// Its place in the batch.
    pub(super) number: i64,
    pub(super) rows: Vec<ImportTransaction>,
    /// What they take, in bytes.
    pub(super) bytes: usize,
}

impl Chunk {
    /// What a row takes: itself and about as much as its text.
    pub(super) fn room(text: &str) -> usize {
        text.len() + size_of::<ImportTransaction>()
    }
}

/// How much one batch may have at hand: a larger one is read again from where its rows no longer fit.
pub(super) const BATCH_BYTES_MAX: usize = BYTES_MAX / 2;

#[derive(Default)]
struct Kept {
    /// By the batch's id, which no other batch ever has.
    batches: HashMap<String, Vec<Chunk>>,
    bytes: usize,
}

/// The rows at hand.
#[derive(Default)]
pub(crate) struct AtHand(Mutex<Kept>);

impl AtHand {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the rows of a batch as far as there is room.
    pub(super) fn put(&self, batch: &str, chunks: Vec<Chunk>) {
        let mut kept = self.kept();
        let mut room = BYTES_MAX.saturating_sub(kept.bytes);
        let fits = |chunk: &Chunk| {
            let fits = chunk.bytes <= room;
            room = room.saturating_sub(chunk.bytes);
            fits
        };
        let chunks: Vec<Chunk> = chunks.into_iter().take_while(fits).collect();
        kept.bytes += chunks.iter().map(|chunk| chunk.bytes).sum::<usize>();
        kept.batches.insert(batch.to_owned(), chunks);
    }

    /// The rows of a chunk, if they are at hand; then they no longer are.
    pub(super) fn take(&self, batch: &str, number: i64) -> Option<Vec<ImportTransaction>> {
        let mut kept = self.kept();
        let chunks = kept.batches.get_mut(batch)?;
        let at = chunks.iter().position(|chunk| chunk.number == number)?;
        let chunk = chunks.remove(at);
        kept.bytes = kept.bytes.saturating_sub(chunk.bytes);
        Some(chunk.rows)
    }

    /// Lets go of what is left of a batch.
    pub(crate) fn forget(&self, batch: &str) {
        let mut kept = self.kept();
        let left = kept.batches.remove(batch).unwrap_or_default();
        kept.bytes = kept.bytes.saturating_sub(left.iter().map(|chunk| chunk.bytes).sum());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_there_is_room_for() {
        let at_hand = AtHand::default();
        let row = |id: &str| ImportTransaction { id: id.into(), ..ImportTransaction::default() };
        let chunk = |number, bytes| Chunk { number, rows: vec![row("1")], bytes };
        at_hand.put("a", vec![chunk(0, BYTES_MAX / 2), chunk(1, BYTES_MAX / 4)]);
        at_hand.put("b", vec![chunk(0, BYTES_MAX / 4), chunk(1, 1), chunk(2, 0)]);
        assert_eq!(at_hand.take("b", 0).map(|rows| rows.len()), Some(1));
        assert!(at_hand.take("b", 0).is_none(), "taken once");
        assert!(at_hand.take("b", 1).is_none(), "no room");
        assert!(at_hand.take("c", 0).is_none());
        at_hand.forget("a");
        at_hand.forget("b");
        assert!(at_hand.take("a", 0).is_none());
        assert_eq!(at_hand.kept().bytes, 0);
        at_hand.put("d", vec![chunk(0, BYTES_MAX)]);
        assert!(at_hand.take("d", 0).is_some());
    }
}
