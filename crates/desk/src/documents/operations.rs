//! The operations on the queue.

use super::{content, queue};
use crate::Desk;
use crate::api::*;
use crate::documents::queue::OpenUpload;
use crate::ports::FileFilter;

impl Desk {
    /// Lets the person choose files; the page gets handles.
    ///
    /// # Errors
    /// None; closing the dialog gives no handles.
    pub async fn documents_choose(&self, _request: Nothing) -> Result<ChosenFiles, BoundaryError> {
        let filter = FileFilter { name: "Documents".into(), extensions: content::extensions() };
        let paths = self.inner.ports.dialogs.open_many("Choose documents".into(), filter).await;
        Ok(ChosenFiles { handles: self.drop_files(paths).into_iter().map(|file| file.handle).collect() })
    }

    /// The queue, newest first.
    ///
    /// # Errors
    /// [`ErrorCode::Storage`].
    pub async fn documents_queue(&self, _request: Nothing) -> Result<UploadQueue, BoundaryError> {
        self.ensure_upload_worker();
        let mut now = self.inner.store.run(|connection| queue::queue(connection)).await?;
        for upload in now.uploads.iter_mut().filter(|upload| upload.state == UploadState::Sending) {
            upload.sent_bytes = self.inner.uploads.sent(&upload.id);
        }
        Ok(now)
    }

    /// Takes an upload back that was not begun.
    ///
    /// # Errors
    /// [`ErrorCode::Validation`] when it was begun; [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
    pub async fn document_cancel(&self, request: UploadId) -> Result<UploadQueue, BoundaryError> {
        if !self.inner.store.turn_upload(request.id, UploadState::Cancelled, self.moment()).await? {
            return Err(BoundaryError::of(
                ErrorCode::Validation,
                "This upload was begun already: what the service has taken cannot be taken back here.",
            ));
        }
        self.inner.uploads.wake();
        self.documents_queue(Nothing {}).await
    }

    /// Puts an upload that was refused or cancelled back into the queue.
    ///
    /// # Errors
    /// [`ErrorCode::Validation`] for any other; [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
    pub async fn document_retry(&self, request: UploadId) -> Result<UploadQueue, BoundaryError> {
        if !self.inner.store.turn_upload(request.id, UploadState::Queued, self.moment()).await? {
            return Err(BoundaryError::of(
                ErrorCode::Validation,
                "Only an upload that was refused or cancelled is sent again.",
            ));
        }
        self.inner.uploads.wake();
        self.documents_queue(Nothing {}).await
    }

    /// Waits until nothing is open in the queue, whichever process works on it, or until an upload has to wait for
    /// the service: then that is told in its message.
    ///
    /// # Errors
    /// [`ErrorCode::Storage`].
    pub async fn documents_wait(&self, ids: &[String]) -> Result<Vec<UploadView>, BoundaryError> {
        loop {
            let queue = self.documents_queue(Nothing {}).await?;
            let own: Vec<UploadView> =
                queue.uploads.into_iter().filter(|upload| ids.contains(&upload.id)).collect();
            if own.iter().all(|upload| super::is_ended(upload.state)) {
                return Ok(own);
            }
            tokio::time::sleep(self.inner.outbox.pace().first.min(std::time::Duration::from_millis(200)))
                .await;
        }
    }

    /// A document arrived: the record in the index is read anew, so that every view knows of it. Of many for one
    /// transaction only the last one does that.
    pub(super) async fn document_arrived(&self, upload: &OpenUpload, transaction_id: Option<i64>) {
        if self.inner.store.more_for_target(upload).await.unwrap_or_default() {
            return;
        }
        let target = super::Target {
            transaction_id: transaction_id.or(upload.transaction_id),
            invoice_number: upload.invoice_number.clone(),
        };
        // A convenience: the next refresh finds it as well.
        if let Err(error) = self.using(&upload.profile_id).fresh_record(&target).await {
            tracing::debug!(%error, "the record is read later");
        }
    }
}
