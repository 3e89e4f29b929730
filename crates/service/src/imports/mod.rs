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
pub(crate) use form::{DOCUMENTS_MAX, document_texts};
pub(crate) use pace::{ProcessingPace, SECONDS_MAX};
pub(crate) use read_batch::query_value;
pub(crate) use row_writer::{DecodedFile, decode_file};
pub(crate) use taxes::calculate_quote;
pub(crate) use workers::{WORKERS, run_worker};

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, SemaphorePermit, watch};

use crate::refusal::Refusal;

/// Imports worked on at once.
const WORKED_ON_MAX: usize = 4;
/// Imports of an account at once, from the first byte of their bodies on: each body may have 64 MiB.
const OF_ACCOUNT_MAX: usize = 2;

/// What the handlers and the workers share.
pub(crate) struct ImportQueue {
    /// Tells the workers that a batch waits.
    pub(crate) wake: Notify,
    /// How fast batches are processed.
    pub(crate) pace: watch::Sender<ProcessingPace>,
    /// Bounds what is processed; acquired once the body is there, so that slow bodies delay no one.
    working: Semaphore,
    /// Bounds the memory that the bodies of an account take.
    of_accounts: Mutex<HashMap<String, Arc<Semaphore>>>,
}

impl Default for ImportQueue {
    fn default() -> Self {
        ImportQueue {
            wake: Notify::new(),
            pace: watch::Sender::new(ProcessingPace::default()),
            working: Semaphore::new(WORKED_ON_MAX),
            of_accounts: Mutex::default(),
        }
    }
}

impl ImportQueue {
    /// A place among the imports of an account, acquired before the body is read.
    pub(crate) async fn account_place(&self, account_id: &str) -> Result<OwnedSemaphorePermit, Refusal> {
        let places = {
            let mut of_accounts = self.of_accounts.lock();
            let new = || Arc::new(Semaphore::new(OF_ACCOUNT_MAX));
            Arc::clone(of_accounts.entry(account_id.to_owned()).or_insert_with(new))
        };
        places.acquire_owned().await.map_err(|_| Refusal::busy())
    }

    /// A place among all that are processed, acquired once the body is there.
    pub(crate) async fn work_place(&self) -> Result<SemaphorePermit<'_>, Refusal> {
        self.working.acquire().await.map_err(|_| Refusal::busy())
    }
}
