//! Progress of an export, and its cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use bordereau_api::{ExportStage, ExportState};
use parking_lot::Mutex;

/// Watches one file while it is written.
#[derive(Default)]
pub(super) struct Watch {
    rows: u32,
    done: AtomicU32,
    packing: AtomicBool,
    cancelled: AtomicBool,
}

impl Watch {
    pub(super) fn of(rows: usize) -> Arc<Watch> {
        Arc::new(Watch { rows: u32::try_from(rows).unwrap_or(u32::MAX), ..Watch::default() })
    }

    /// A row was laid out.
    pub(super) fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// All rows are there.
    pub(super) fn packs(&self) {
        self.packing.store(true, Ordering::Relaxed);
    }

    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn state(&self) -> ExportState {
        let stage =
            if self.packing.load(Ordering::Relaxed) { ExportStage::Packing } else { ExportStage::Rows };
        ExportState { stage, done: self.done.load(Ordering::Relaxed), rows: self.rows }
    }
}

/// The file that is being written, at most one of a desk.
#[derive(Default)]
pub(super) struct Exports(Mutex<Option<Arc<Watch>>>);

impl Exports {
    /// Takes the place; `None` while another file is being written. It is given back when the turn is dropped,
    /// also when nobody waits for the file any more.
    pub(super) fn begin(&self, watch: &Arc<Watch>) -> Option<Turn<'_>> {
        let mut place = self.0.lock();
        if place.is_some() {
            return None;
        }
        *place = Some(Arc::clone(watch));
        Some(Turn(self))
    }

    pub(super) fn state(&self) -> ExportState {
        let idle = ExportState { stage: ExportStage::Idle, done: 0, rows: 0 };
        self.watch().map_or(idle, |watch| watch.state())
    }

    pub(super) fn watch(&self) -> Option<Arc<Watch>> {
        self.0.lock().clone()
    }
}

/// The place of the file that is being written.
pub(super) struct Turn<'e>(&'e Exports);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let place = self.0.0.lock().take();
        // What still works on it for nobody ends.
        if let Some(watch) = place {
            watch.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_at_a_time_and_the_place_is_given_back() {
        let exports = Exports::default();
        let (first, second) = (Watch::of(3), Watch::of(1));
        let turn = exports.begin(&first);
        assert!(turn.is_some() && exports.begin(&second).is_none());
        first.count();
        assert_eq!(exports.state(), ExportState { stage: ExportStage::Rows, done: 1, rows: 3 });
        first.packs();
        assert_eq!(exports.state().stage, ExportStage::Packing);
        drop(turn);
        assert!(first.is_cancelled());
        assert_eq!(exports.state().stage, ExportStage::Idle);
        assert!(exports.begin(&second).is_some());
    }
}
