//! Work that blocks, off the asynchronous threads. In a simulation it is waited for: then the order of all that
//! happens follows from nothing but what happens.

use std::cell::Cell;

use crate::StoreError;

thread_local! {
    static IS_WAITED_FOR: Cell<bool> = const { Cell::new(false) };
}

/// From now on this thread waits for the work that it asks for. It is done on another one: that on the database of an office
/// has a runtime of its own, which can't be entered from within the one that asks.
pub fn wait_for_work() {
    IS_WAITED_FOR.set(true);
}

/// Runs the work off the asynchronous threads.
///
/// # Errors
/// [`StoreError::Interrupted`] where it did not come to its end; else its own.
pub async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    if !IS_WAITED_FOR.get() {
        return tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::Interrupted)?;
    }
    let done = std::thread::scope(|scope| scope.spawn(work).join());
    let done = done.map_err(|_| StoreError::Interrupted)?;
    // Whoever asked may be gone by the time it is done.
    tokio::task::yield_now().await;
    done
}
