//! Blocking work beside the asynchronous threads.

use bordereau_api::BoundaryError;

/// Runs blocking work off the asynchronous threads; `what` names it where a defect ends it.
pub async fn run_off_thread<T: Send + 'static>(
    what: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, BoundaryError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| BoundaryError::internal_error(what))
}
