//! The desk, opened beside the window's start so that the first paint does not wait for the store.

use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{BoundaryError, ErrorCode};
use tokio::sync::OnceCell;

type Open = dyn Fn() -> Result<Desk, BoundaryError> + Send + Sync;

/// A desk that is opened when first needed. When that fails each operation says why, and the next one
/// tries again: a folder may have become writable, another version may have been closed.
#[derive(Clone)]
pub(crate) struct DeskSlot {
    desk: Arc<OnceCell<Desk>>,
    open: Arc<Open>,
}

impl DeskSlot {
    pub(crate) fn new(open: impl Fn() -> Result<Desk, BoundaryError> + Send + Sync + 'static) -> DeskSlot {
        DeskSlot { desk: Arc::default(), open: Arc::new(open) }
    }

    pub(crate) async fn desk(&self) -> Result<&Desk, BoundaryError> {
        self.desk.get_or_try_init(|| self.open()).await
    }

    /// Opens it without waiting. Why it could not be opened is in the log, and in the next answer.
    pub(crate) fn open_soon(&self) {
        let slot = self.clone();
        tauri::async_runtime::spawn(async move {
            if let Err(error) = slot.desk().await {
                tracing::error!(code = ?error.code, "the desk cannot be opened: {}", error.message);
            }
        });
    }

    async fn open(&self) -> Result<Desk, BoundaryError> {
        let open = Arc::clone(&self.open);
        let opened = tauri::async_runtime::spawn_blocking(move || open()).await;
        opened.unwrap_or_else(|_| {
            Err(BoundaryError::with_code(
                ErrorCode::Internal,
                "Bordereau's data could not be opened. See the log.",
            ))
        })
    }
}
