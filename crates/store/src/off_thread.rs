//! Work that blocks, off the asynchronous threads. In a simulation it is done where it is asked for: then the order of
//! all that happens follows from nothing but what happens.

use std::cell::Cell;

use crate::StoreError;

thread_local! {
    static IN_PLACE: Cell<bool> = const { Cell::new(false) };
}

/// From now on the work that this thread asks for is done in it.
pub fn work_in_place() {
    IN_PLACE.set(true);
}

/// Runs the work off the asynchronous threads.
///
/// # Errors
/// [`StoreError::Interrupted`] where it did not come to its end; else its own.
pub async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    if !IN_PLACE.get() {
        return tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::Interrupted)?;
    }
    let done = work();
    // Whoever asked may be gone by the time it is done.
    tokio::task::yield_now().await;
    done
}
