//! Work that blocks, off the asynchronous threads. In a simulation it is waited for: then the order of all that
//! happens follows from nothing but what happens.

use std::cell::Cell;
use std::thread;

use crate::StoreError::{self, Interrupted};

/// Where a thread that waits for the work it asks for has it done.
#[derive(Clone, Copy)]
pub enum WorkThread {
    /// In itself: starting a thread takes as long as most work on a file.
    Own,
    /// In another one: a connection to an office's database has a runtime of its own, which can't be entered from within
    /// the one that asks.
    Other,
}

thread_local!(static WORK_THREAD: Cell<Option<WorkThread>> = const { Cell::new(None) });

/// From now on this thread waits for the work that it asks for.
pub fn wait_for_work(thread: WorkThread) {
    WORK_THREAD.set(Some(thread));
}

/// Runs the work off the asynchronous threads.
///
/// # Errors
/// [`StoreError::Interrupted`] where it did not come to its end; else its own.
pub async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = match WORK_THREAD.get() {
        None => return tokio::task::spawn_blocking(work).await.map_err(|_| Interrupted)?,
        Some(WorkThread::Own) => work(),
        Some(WorkThread::Other) => thread::scope(|scope| scope.spawn(work).join().map_err(|_| Interrupted))?,
    };
    // Whoever asked may be gone by the time it is done.
    tokio::task::yield_now().await;
    done
}
