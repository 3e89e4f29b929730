//! A refresh of one profile's index, as those who wait for it see it.

use std::sync::atomic::{AtomicBool, Ordering};

use bordereau_api::{RefreshStage, RefreshState};
use parking_lot::Mutex;

/// A refresh that runs or ran.
pub(crate) struct RefreshJob {
    state: Mutex<RefreshState>,
    canceled: AtomicBool,
    has_more: AtomicBool,
}

impl RefreshJob {
    pub(crate) fn new(started_at: String) -> RefreshJob {
        let state = RefreshState { stage: RefreshStage::Running, started_at, ..idle_state() };
        RefreshJob {
            state: Mutex::new(state),
            canceled: AtomicBool::new(false),
            has_more: AtomicBool::new(false),
        }
    }

    pub(crate) fn refresh_state(&self) -> RefreshState {
        self.state.lock().clone()
    }

    pub(crate) fn update_state(&self, change: impl FnOnce(&mut RefreshState)) {
        change(&mut self.state.lock());
    }

    /// It ends after the request in flight.
    pub(crate) fn cancel(&self) {
        self.canceled.store(true, Ordering::Relaxed);
    }

    /// Transactions sent from here are left for the next refresh.
    pub(crate) fn set_has_more(&self, has_more: bool) {
        self.has_more.store(has_more, Ordering::Relaxed);
    }

    pub(crate) fn has_more(&self) -> bool {
        self.has_more.load(Ordering::Relaxed)
    }

    pub(crate) fn is_canceled(&self) -> bool {
        self.canceled.load(Ordering::Relaxed)
    }
}

/// None was started.
pub(crate) fn idle_state() -> RefreshState {
    RefreshState {
        stage: RefreshStage::Idle,
        done: 0,
        steps: 0,
        read: 0,
        new: 0,
        changed: 0,
        started_at: String::new(),
        ended_at: String::new(),
        trouble: String::new(),
        now: String::new(),
    }
}
