//! What the operations on documents and their worker share.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use bordereau_batches::outbox::WorkSignal;
use bordereau_session::Context;
use bordereau_store::FolderLock;
use bordereau_store::data_key::DataKey;
use parking_lot::Mutex;

use super::downloads::RunningDownloads;
use super::upload_files::UploadFiles;

/// The lock of the data folder under which documents are sent.
pub const UPLOADS_LOCK: &str = "uploads.lock";

/// What the operations and the worker share.
pub struct UploadWorker {
    pub(super) lock: FolderLock,
    pub(super) waker: WorkSignal,
    opened: PathBuf,
    stored_copies: UploadFiles,
    /// Bytes on their way, by id of the upload.
    sent: Arc<Mutex<HashMap<String, u64>>>,
    downloads: RunningDownloads,
}

impl UploadWorker {
    /// That of this context.
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

    /// What notes the bytes of an upload that are on their way.
    pub(super) fn note_sent(&self, id: &str) -> impl Fn(u64) + Send + Sync + 'static + use<> {
        let (sent, id) = (Arc::clone(&self.sent), id.to_owned());
        move |bytes| {
            sent.lock().insert(id.clone(), bytes);
        }
    }

    pub(super) fn forget_sent(&self, id: &str) {
        self.sent.lock().remove(id);
    }

    /// Bytes of an upload that are on their way in this process.
    pub(super) fn bytes_sent(&self, id: &str) -> u64 {
        self.sent.lock().get(id).copied().unwrap_or_default()
    }

    /// Where documents lie that were opened from here.
    pub(super) fn opened_folder(&self) -> PathBuf {
        self.opened.clone()
    }

    /// What is being fetched for the person.
    pub(super) fn downloads(&self) -> &RunningDownloads {
        &self.downloads
    }

    /// The copies of what is to be sent.
    pub(super) fn stored_copies(&self) -> &UploadFiles {
        &self.stored_copies
    }

    /// Notifies the worker that there is something new.
    pub fn wake(&self) {
        self.waker.wake();
    }
}
