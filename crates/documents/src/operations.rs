//! The operations on the queue.

use super::wanted::fresh_record;
use crate::UploadWorker;
use crate::worker::ensure_upload_worker;
use bordereau_api::*;
use bordereau_batches::outbox::Outbox;
use bordereau_session::Context;
use bordereau_session::content;
use bordereau_session::dropped::drop_files;
use bordereau_session::ports::FileFilter;
use bordereau_store::uploads as queue;
use bordereau_store::uploads::OpenUpload;
use bordereau_store::uploads::more_for_target;
use bordereau_store::uploads::turn_upload;

/// Lets the person choose files; the page gets handles.
///
/// # Errors
/// None; closing the dialog gives no handles.
pub async fn documents_choose(ctx: &Context, _request: Nothing) -> Result<ChosenFiles, BoundaryError> {
    let filter = FileFilter { name: "Documents".into(), extensions: content::extensions() };
    let paths = ctx.ports().dialogs.open_many("Choose documents".into(), filter).await;
    Ok(ChosenFiles { handles: drop_files(ctx, paths).into_iter().map(|file| file.handle).collect() })
}

/// The queue, newest first.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub async fn documents_queue(ctx: &Context, _request: Nothing) -> Result<UploadQueue, BoundaryError> {
    ensure_upload_worker(ctx);
    let mut now = ctx.store().run(|connection| queue::queue(connection)).await?;
    for upload in now.uploads.iter_mut().filter(|upload| upload.state == UploadState::Sending) {
        upload.sent_bytes = UploadWorker::of(ctx).sent(&upload.id);
    }
    Ok(now)
}

/// Takes an upload back that was not begun.
///
/// # Errors
/// [`ErrorCode::Validation`] when it was begun; [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn document_cancel(ctx: &Context, request: UploadId) -> Result<UploadQueue, BoundaryError> {
    if !turn_upload(ctx.store(), request.id, UploadState::Cancelled, ctx.moment()).await? {
        return Err(BoundaryError::of(
            ErrorCode::Validation,
            "This upload was begun already: what the service has taken cannot be taken back here.",
        ));
    }
    UploadWorker::of(ctx).wake();
    documents_queue(ctx, Nothing {}).await
}

/// Puts an upload that was refused or cancelled back into the queue.
///
/// # Errors
/// [`ErrorCode::Validation`] for any other; [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn document_retry(ctx: &Context, request: UploadId) -> Result<UploadQueue, BoundaryError> {
    if !turn_upload(ctx.store(), request.id, UploadState::Queued, ctx.moment()).await? {
        return Err(BoundaryError::of(
            ErrorCode::Validation,
            "Only an upload that was refused or cancelled is sent again.",
        ));
    }
    UploadWorker::of(ctx).wake();
    documents_queue(ctx, Nothing {}).await
}

/// Waits until nothing is open in the queue, whichever process works on it, or until an upload has to wait for
/// the service: then that is told in its message.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub async fn documents_wait(ctx: &Context, ids: &[String]) -> Result<Vec<UploadView>, BoundaryError> {
    loop {
        let queue = documents_queue(ctx, Nothing {}).await?;
        let own: Vec<UploadView> =
            queue.uploads.into_iter().filter(|upload| ids.contains(&upload.id)).collect();
        if own.iter().all(|upload| bordereau_store::uploads::is_ended(upload.state)) {
            return Ok(own);
        }
        tokio::time::sleep(Outbox::of(ctx).pace().first.min(std::time::Duration::from_millis(200))).await;
    }
}

/// A document arrived: the record in the index is read anew, so that every view knows of it. Of many for one
/// transaction only the last one does that.
pub(super) async fn document_arrived(ctx: &Context, upload: &OpenUpload, transaction_id: Option<i64>) {
    if more_for_target(ctx.store(), upload).await.unwrap_or_default() {
        return;
    }
    let target = super::Target {
        transaction_id: transaction_id.or(upload.transaction_id),
        invoice_number: upload.invoice_number.clone(),
    };
    // A convenience: the next refresh finds it as well.
    if let Err(error) = fresh_record(&ctx.using(&upload.profile_id), &target).await {
        tracing::debug!(%error, "the record is read later");
    }
}
