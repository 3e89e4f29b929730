//! Imports (contract section 3): single, batch, results; the queue between acceptance and result.

mod answers;
mod assess;
mod form;
mod pace;
mod read_batch;
mod row_writer;
mod taxes;
mod workers;

pub(crate) use answers::{accept_batch, get_results, off_thread, post_batch, single_v1, single_v2};
pub(crate) use form::{DOCUMENTS_MAX, document_texts, pointer_of};
pub(crate) use pace::{ProcessingPace, SECONDS_MAX};
pub(crate) use read_batch::{parse_object, query_value};
pub(crate) use row_writer::{DecodedFile, decode_file};
pub(crate) use taxes::{calculate_amounts, calculate_quote};
pub(crate) use workers::{WORKERS, run_worker};

use tokio::sync::{Notify, Semaphore, watch};

/// Bodies of imports held in memory at once: each may have 64 MiB.
const READING_MAX: usize = 4;

/// What the handlers and the workers share.
pub(crate) struct ImportQueue {
    /// Tells the workers that a batch waits.
    pub(crate) wake: Notify,
    /// How fast batches are processed.
    pub(crate) pace: watch::Sender<ProcessingPace>,
    /// Bounds the memory that bodies take.
    pub(crate) reading: Semaphore,
}

impl Default for ImportQueue {
    fn default() -> Self {
        ImportQueue {
            wake: Notify::new(),
            pace: watch::Sender::new(ProcessingPace::default()),
            reading: Semaphore::new(READING_MAX),
        }
    }
}
