//! Runs blocking work off the asynchronous threads. A simulation waits for it instead, so that the order of events
//! depends only on the simulation itself.

use std::cell::Cell;
use std::thread;

/// Where the work of a waiting thread runs.
#[derive(Clone, Copy)]
pub enum WorkThread {
    /// In the waiting thread itself: starting a thread takes as long as most work on a file.
    Own,
    /// In another thread: a connection to an office's database has its own runtime, which can't be entered from
    /// within the caller's.
    Other,
}

thread_local!(static WORK_THREAD: Cell<Option<WorkThread>> = const { Cell::new(None) });

/// Makes this thread wait for all its work from now on.
pub fn wait_for_work(thread: WorkThread) {
    WORK_THREAD.set(Some(thread));
}

/// Runs the work off the asynchronous threads; `None` where the thread ended early.
pub async fn run_work<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let done = match WORK_THREAD.get() {
        None => return tokio::task::spawn_blocking(work).await.ok(),
        Some(WorkThread::Own) => Some(work()),
        Some(WorkThread::Other) => thread::scope(|scope| scope.spawn(work).join().ok()),
    };
    // The caller may be gone by the time it is done.
    tokio::task::yield_now().await;
    done
}
