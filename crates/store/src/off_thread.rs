//! Work that blocks, off the asynchronous threads. In a simulation it is done where it is asked for: then the order of
//! all that happens follows from nothing but what happens.

use std::cell::Cell;

use crate::StoreError;

/// Where the work is done that a thread asks for.
#[derive(Clone, Copy)]
enum WorkPlace {
    /// On a thread of the runtime for blocking work.
    BlockingThread,
    /// In the thread itself.
    SameThread,
    /// On another one, for which the thread waits.
    AwaitedThread,
}

thread_local! {
    static PLACE: Cell<WorkPlace> = const { Cell::new(WorkPlace::BlockingThread) };
}

/// From now on the work that this thread asks for is done in it.
pub fn work_in_place() {
    PLACE.set(WorkPlace::SameThread);
}

/// From now on this thread stands still for the work that it asks for: that on the database of an office waits by a
/// runtime of its own, which can't be entered from within another one.
pub fn work_awaited() {
    PLACE.set(WorkPlace::AwaitedThread);
}

/// Runs the work off the asynchronous threads.
///
/// # Errors
/// [`StoreError::Interrupted`] where it did not come to its end; else its own.
pub async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = match PLACE.get() {
        WorkPlace::BlockingThread => {
            return tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::Interrupted)?;
        }
        WorkPlace::SameThread => work(),
        WorkPlace::AwaitedThread => {
            let done = std::thread::scope(|scope| scope.spawn(work).join());
            done.map_err(|_| StoreError::Interrupted)?
        }
    };
    // Whoever asked may be gone by the time it is done.
    tokio::task::yield_now().await;
    done
}
