//! Imports (contract section 3): single, batch, results; the queue between acceptance and result.

mod answers;
mod assess;
mod form;
mod pace;
mod reading;
mod storing;
mod taxes;
mod workers;

pub(crate) use answers::{accept, batch, off_thread, results, single_v1, single_v2};
pub(crate) use form::{DOCUMENTS_MAX, document_texts, pointer_of};
pub(crate) use pace::{Pace, SECONDS_MAX};
pub(crate) use reading::{parsed, query};
pub(crate) use storing::{Decoded, file};
pub(crate) use taxes::{amounts, quote};
pub(crate) use workers::{WORKERS, work};

use tokio::sync::{Notify, Semaphore, watch};

/// Bodies of imports held in memory at once: each may have 64 MiB.
const READING_MAX: usize = 4;

/// What the handlers and the workers share.
pub(crate) struct Imports {
    /// Tells the workers that a batch waits.
    pub(crate) wake: Notify,
    /// How fast batches are processed.
    pub(crate) pace: watch::Sender<Pace>,
    /// Bounds the memory that bodies take.
    pub(crate) reading: Semaphore,
}

impl Default for Imports {
    fn default() -> Self {
        Imports {
            wake: Notify::new(),
            pace: watch::Sender::new(Pace::default()),
            reading: Semaphore::new(READING_MAX),
        }
    }
}
