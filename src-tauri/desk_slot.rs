//! The desk, opened beside the window's start so that the first paint does not wait for the store.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bordereau_desk::api::{BoundaryError, ErrorCode};
use bordereau_desk::{Desk, FileDialogs, FileFilter, SERVED_WITHOUT_OFFICE};
use tokio::sync::{Mutex, OnceCell};

/// Opens the desk, with a key file where the person chose one.
type Open = dyn Fn(Option<PathBuf>) -> Result<Desk, BoundaryError> + Send + Sync;

/// A desk that is opened when first needed. When that fails each operation says why, and the next one
/// tries again: a folder may have become writable, another version may have been closed.
#[derive(Clone)]
pub(crate) struct DeskSlot {
    desk: Arc<OnceCell<Desk>>,
    /// The last attempt that failed. Who waited for it doesn't make the next one: a database that is gone takes seconds.
    failed: Arc<Mutex<Option<(Instant, BoundaryError)>>>,
    /// Serves the settings of the office that can't be used.
    waiting: Arc<parking_lot::Mutex<Option<Desk>>>,
    open: Arc<Open>,
    dialogs: Arc<dyn FileDialogs>,
    /// The person was asked for the recovery key once: each operation would ask again.
    was_asked: Arc<AtomicBool>,
}

impl DeskSlot {
    pub(crate) fn new(
        dialogs: Arc<dyn FileDialogs>,
        open: impl Fn(Option<PathBuf>) -> Result<Desk, BoundaryError> + Send + Sync + 'static,
    ) -> DeskSlot {
        DeskSlot {
            desk: Arc::default(),
            failed: Arc::default(),
            waiting: Arc::default(),
            open: Arc::new(open),
            dialogs,
            was_asked: Arc::default(),
        }
    }

    pub(crate) async fn desk(&self) -> Result<&Desk, BoundaryError> {
        let asked = Instant::now();
        let mut failed = self.failed.lock().await;
        if let Some(desk) = self.desk.get() {
            return Ok(desk);
        }
        if let Some((_, error)) = failed.as_ref().filter(|(at, _)| *at >= asked) {
            return Err(error.clone());
        }
        let error = match self.open().await {
            Ok(desk) => match desk.office_trouble().cloned() {
                None => {
                    *self.waiting.lock() = None;
                    return Ok(self.desk.get_or_init(|| async { desk }).await);
                }
                Some(trouble) => {
                    *self.waiting.lock() = Some(desk);
                    trouble
                }
            },
            Err(error) => error,
        };
        *failed = Some((Instant::now(), error.clone()));
        Err(error)
    }

    /// The desk for an operation. While the office can't be used that it is to work on, its settings are served.
    pub(crate) async fn desk_for(&self, operation: &str) -> Result<Desk, BoundaryError> {
        let waiting = || self.waiting.lock().clone().filter(|_| SERVED_WITHOUT_OFFICE.contains(&operation));
        if let Some(desk) = waiting() {
            return Ok(desk);
        }
        match self.desk().await {
            Ok(desk) => Ok(desk.clone()),
            Err(error) => waiting().ok_or(error),
        }
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
        match self.open_with(None).await {
            Err(error) if error.code == ErrorCode::DataKeyMissing => {
                if self.was_asked.swap(true, Ordering::Relaxed) {
                    return Err(error);
                }
                let filter =
                    FileFilter { name: "Recovery key".to_owned(), extensions: vec!["txt".to_owned()] };
                let title = "Recovery key of this encrypted data folder".to_owned();
                match self.dialogs.open(title, filter).await {
                    Some(file) => self.open_with(Some(file)).await,
                    None => Err(error),
                }
            }
            opened => opened,
        }
    }

    async fn open_with(&self, key_file: Option<PathBuf>) -> Result<Desk, BoundaryError> {
        let open = Arc::clone(&self.open);
        let opened = tauri::async_runtime::spawn_blocking(move || open(key_file)).await;
        opened.unwrap_or_else(|_| {
            Err(BoundaryError::with_code(
                ErrorCode::Internal,
                "Bordereau's data could not be opened. See the log.",
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use bordereau_desk::BoxFuture;
    use parking_lot::Mutex;

    use super::*;

    /// Answers with one file, or none, and keeps what it was asked.
    struct ScriptedDialog(Option<PathBuf>, Mutex<Vec<String>>);

    impl FileDialogs for ScriptedDialog {
        fn choose_save_path(&self, _name: String, _filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
            Box::pin(async { None })
        }

        fn open(&self, title: String, _filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
            self.1.lock().push(title);
            Box::pin(async { self.0.clone() })
        }
    }

    #[test]
    fn the_recovery_key_is_asked_for_once_and_only_where_the_key_is_missing() {
        let file = PathBuf::from("key.txt");
        for (missing, chosen) in [
            (ErrorCode::DataKeyMissing, Some(file.clone())),
            (ErrorCode::DataKeyMissing, None),
            (ErrorCode::StoreDamaged, Some(file.clone())),
        ] {
            let dialogs = Arc::new(ScriptedDialog(chosen.clone(), Mutex::default()));
            let opened: Arc<Mutex<Vec<Option<PathBuf>>>> = Arc::default();
            let seen = Arc::clone(&opened);
            let slot = DeskSlot::new(dialogs.clone(), move |key_file| {
                seen.lock().push(key_file);
                Err(BoundaryError::with_code(missing, "It isn't opened."))
            });
            for _ in 0..2 {
                let error = tauri::async_runtime::block_on(slot.desk()).map(drop).unwrap_err();
                assert_eq!(error.code, missing);
            }
            let is_asked = missing == ErrorCode::DataKeyMissing;
            let titles = dialogs.1.lock().clone();
            assert_eq!(titles.len(), usize::from(is_asked), "{titles:?}");
            assert!(titles.iter().all(|title| title.contains("Recovery key")), "{titles:?}");
            let with_key = chosen.filter(|_| is_asked).map(Some);
            let expected: Vec<_> = [None].into_iter().chain(with_key).chain([None]).collect();
            assert_eq!(*opened.lock(), expected);
        }
    }
}
