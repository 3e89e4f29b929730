//! The reviews that are open in this process, each behind its own lock.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::open::Open;

/// How far a review is.
pub(crate) enum Phase {
    Reading,
    /// The first rows of a large file, to be looked at while the rest is read.
    Look(Box<Open>),
    Refused(String),
    Open(Box<Open>),
}

/// One review of this process.
pub(crate) struct Slot {
    pub(crate) id: String,
    pub(crate) name: String,
    /// Bytes read so far, and altogether.
    pub(crate) read: AtomicU64,
    pub(crate) total: AtomicU64,
    phase: Mutex<Phase>,
    /// Changes come one after the other, each kept before the next.
    pub(crate) turn: tokio::sync::Mutex<()>,
}

impl Slot {
    fn new(id: &str, name: &str) -> Arc<Slot> {
        Arc::new(Slot {
            id: id.into(),
            name: name.into(),
            read: AtomicU64::new(0),
            total: AtomicU64::new(0),
            phase: Mutex::new(Phase::Reading),
            turn: tokio::sync::Mutex::new(()),
        })
    }

    /// Only on threads for blocking work: a change of a large table holds it for long.
    pub(crate) fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn enter(&self, phase: Phase) {
        *self.phase() = phase;
    }
}

/// All of them, by id.
#[derive(Default)]
pub(crate) struct Reviews {
    slots: Mutex<HashMap<String, Arc<Slot>>>,
}

impl Reviews {
    fn slots(&self) -> MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new slot that is being read.
    pub(crate) fn begin(&self, id: &str, name: &str) -> Arc<Slot> {
        let slot = Slot::new(id, name);
        self.slots().insert(id.to_owned(), Arc::clone(&slot));
        slot
    }

    /// The slot of a review, and whether it was made just now and has to be read.
    pub(crate) fn get_or_begin(&self, id: &str, name: &str) -> (Arc<Slot>, bool) {
        let mut slots = self.slots();
        if let Some(slot) = slots.get(id) {
            return (Arc::clone(slot), false);
        }
        let slot = Slot::new(id, name);
        slots.insert(id.to_owned(), Arc::clone(&slot));
        (slot, true)
    }

    pub(crate) fn get(&self, id: &str) -> Option<Arc<Slot>> {
        self.slots().get(id).cloned()
    }

    pub(crate) fn forget(&self, id: &str) {
        self.slots().remove(id);
    }
}
