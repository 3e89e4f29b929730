//! Progress of an export, and its cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use bordereau_api::{ExportStage, ExportState, to_u32};
use parking_lot::Mutex;

/// Watches one file while it is written.
#[derive(Default)]
pub(super) struct ExportWatch {
    rows: u32,
    done: AtomicU32,
    packing: AtomicBool,
    canceled: AtomicBool,
}

impl ExportWatch {
    pub(super) fn for_rows(rows: usize) -> Arc<ExportWatch> {
        Arc::new(ExportWatch { rows: to_u32(rows), ..ExportWatch::default() })
    }

    /// A row was laid out.
    pub(super) fn count_row(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// All rows are there.
    pub(super) fn start_packing(&self) {
        self.packing.store(true, Ordering::Relaxed);
    }

    pub(super) fn cancel(&self) {
        self.canceled.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_canceled(&self) -> bool {
        self.canceled.load(Ordering::Relaxed)
    }

    fn export_state(&self) -> ExportState {
        let stage =
            if self.packing.load(Ordering::Relaxed) { ExportStage::Packing } else { ExportStage::Rows };
        ExportState { stage, done: self.done.load(Ordering::Relaxed), rows: self.rows }
    }
}

/// The file that is being written, at most one of a desk.
#[derive(Default)]
pub(super) struct RunningExport(Mutex<Option<Arc<ExportWatch>>>);

impl RunningExport {
    /// Takes the place; `None` while another file is being written. It is given back when the turn is dropped,
    /// also when no one waits for the file any more.
    pub(super) fn begin_export(&self, watch: &Arc<ExportWatch>) -> Option<ExportGuard<'_>> {
        let mut place = self.0.lock();
        if place.is_some() {
            return None;
        }
        *place = Some(Arc::clone(watch));
        Some(ExportGuard(self))
    }

    pub(super) fn export_state(&self) -> ExportState {
        let idle = ExportState { stage: ExportStage::Idle, done: 0, rows: 0 };
        self.current_watch().map_or(idle, |watch| watch.export_state())
    }

    pub(super) fn current_watch(&self) -> Option<Arc<ExportWatch>> {
        self.0.lock().clone()
    }
}

/// The place of the file that is being written.
pub(super) struct ExportGuard<'e>(&'e RunningExport);

impl Drop for ExportGuard<'_> {
    fn drop(&mut self) {
        let place = self.0.0.lock().take();
        // What still works on it for no one ends.
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
        let exports = RunningExport::default();
        let (first, second) = (ExportWatch::for_rows(3), ExportWatch::for_rows(1));
        let turn = exports.begin_export(&first);
        assert!(turn.is_some() && exports.begin_export(&second).is_none());
        first.count_row();
        assert_eq!(exports.export_state(), ExportState { stage: ExportStage::Rows, done: 1, rows: 3 });
        first.start_packing();
        assert_eq!(exports.export_state().stage, ExportStage::Packing);
        drop(turn);
        assert!(first.is_canceled());
        assert_eq!(exports.export_state().stage, ExportStage::Idle);
        assert!(exports.begin_export(&second).is_some());
    }
}
