//! State shared by the operations on documents and their worker.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use bordereau_outbox::WorkSignal;
use bordereau_session::Context;
use bordereau_store::FolderLock;
use bordereau_store::data_key::DataKey;
use parking_lot::Mutex;

use super::downloads::RunningDownloads;
use super::upload_files::UploadFiles;

/// The data folder's lock for sending documents.
pub const UPLOADS_LOCK: &str = "uploads.lock";

/// Shared by the operations and the worker.
pub struct UploadWorker {
    pub(super) lock: FolderLock,
    pub(super) waker: WorkSignal,
    opened: PathBuf,
    stored_copies: UploadFiles,
    /// Bytes sent so far, by id of the upload.
    sent: Arc<Mutex<HashMap<String, u64>>>,
    downloads: RunningDownloads,
}

impl UploadWorker {
    /// The upload worker of this context.
    pub fn from_context(ctx: &Context) -> std::sync::Arc<UploadWorker> {
        ctx.feature_state(|folder| UploadWorker::new(folder.to_owned(), ctx.store().data_key().cloned()))
    }

    fn new(folder: PathBuf, key: Option<DataKey>) -> UploadWorker {
        let (opened, stored_copies) = (folder.join("opened"), UploadFiles::new(&folder, key));
        UploadWorker {
            lock: FolderLock::new(folder, UPLOADS_LOCK),
            waker: WorkSignal::default(),
            opened,
            stored_copies,
            sent: Arc::default(),
            downloads: RunningDownloads::default(),
        }
    }

    /// A callback that notes how many bytes of an upload were sent.
    pub(super) fn note_sent(&self, id: &str) -> impl Fn(u64) + Send + Sync + 'static + use<> {
        let (sent, id) = (Arc::clone(&self.sent), id.to_owned());
        move |bytes| {
            sent.lock().insert(id.clone(), bytes);
        }
    }

    pub(super) fn forget_sent(&self, id: &str) {
        self.sent.lock().remove(id);
    }

    /// Bytes of an upload that this process has sent so far.
    pub(super) fn bytes_sent(&self, id: &str) -> u64 {
        self.sent.lock().get(id).copied().unwrap_or_default()
    }

    /// The folder for documents that were opened from here.
    pub(super) fn opened_folder(&self) -> PathBuf {
        self.opened.clone()
    }

    /// Downloads in progress for the person.
    pub(super) fn downloads(&self) -> &RunningDownloads {
        &self.downloads
    }

    /// The copies of documents to send.
    pub(super) fn stored_copies(&self) -> &UploadFiles {
        &self.stored_copies
    }

    /// Wakes the worker for new work.
    pub fn wake(&self) {
        self.waker.wake();
    }
}
