//! The operations on the queue.

use super::arrival::note_arrival;
use super::upload_worker::UploadWorker;
use super::worker::ensure_upload_worker;
use bordereau_api::*;
use bordereau_outbox::Outbox;
use bordereau_session::Context;
use bordereau_session::confirmation::ensure_confirmed;
use bordereau_session::content;
use bordereau_session::dropped_files::choose_files;
use bordereau_session::ports::FileFilter;
use bordereau_session::profile::profile_by_id;
use bordereau_store::uploads as queue;
use bordereau_store::uploads::{decide_upload, profile_of_upload, turn_upload};

/// Lets the person choose files; the page gets handles.
pub async fn documents_choose(ctx: &Context, _request: Nothing) -> Result<ChosenFiles, BoundaryError> {
    let filter = FileFilter { name: "Documents".into(), extensions: content::accepted_extensions() };
    let paths = ctx.ports().dialogs.open_many("Choose documents".into(), filter).await;
    Ok(ChosenFiles { handles: choose_files(ctx, paths).into_iter().map(|file| file.handle).collect() })
}

/// The queue, newest first. What waits says what this desk of an office lacks to send it.
pub async fn documents_queue(ctx: &Context, _request: Nothing) -> Result<UploadQueue, BoundaryError> {
    ensure_upload_worker(ctx);
    let mut now = ctx.store().with_connection(|connection| queue::load_queue(connection)).await?;
    let outbox = Outbox::from_context(ctx);
    for upload in now.uploads.iter_mut().filter(|upload| !upload.state.is_ended()) {
        if upload.state == UploadState::Sending {
            upload.sent_bytes = UploadWorker::from_context(ctx).bytes_sent(&upload.id);
        } else if !upload.asks && outbox.has_desk_obstacle() {
            let profile = profile_of_upload(ctx.store(), upload.id.clone()).await?;
            if let Some(text) = outbox.desk_obstacle(&profile) {
                upload.message = text;
            }
        }
    }
    Ok(now)
}

/// Cancels an upload that hasn't begun.
///
/// # Errors
/// [`ErrorCode::Validation`] when it has begun; [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn upload_cancel(ctx: &Context, request: UploadId) -> Result<UploadQueue, BoundaryError> {
    if !turn_upload(ctx.store(), request.id, UploadState::Canceled, ctx.now_stamp()).await? {
        return Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "This upload has already started; what the service has can't be canceled here.",
        ));
    }
    UploadWorker::from_context(ctx).wake();
    documents_queue(ctx, Nothing {}).await
}

/// Puts a refused or canceled upload back into the queue.
///
/// # Errors
/// [`ErrorCode::Validation`] for any other, or without the confirmation word for production;
/// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn upload_retry(ctx: &Context, request: UploadRetry) -> Result<UploadQueue, BoundaryError> {
    confirm_again(ctx, &request.id, &request.typed).await?;
    if !turn_upload(ctx.store(), request.id, UploadState::Queued, ctx.now_stamp()).await? {
        return Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "Only a refused or canceled upload can be sent again.",
        ));
    }
    ensure_upload_worker(ctx);
    UploadWorker::from_context(ctx).wake();
    documents_queue(ctx, Nothing {}).await
}

/// Records a person's decision about an upload whose answer was lost: it arrived, it didn't and is sent again, or it
/// is looked up again. The audit log has the decision.
///
/// # Errors
/// [`ErrorCode::Validation`] when no answer of it is lost, or without the confirmation word for production;
/// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn upload_decide(ctx: &Context, request: UploadDecision) -> Result<UploadQueue, BoundaryError> {
    if request.decision == LostDecision::SendAgain {
        confirm_again(ctx, &request.id, &request.typed).await?;
    }
    let decided = decide_upload(ctx.store(), request.id, request.decision, ctx.now_stamp()).await?;
    let Some(upload) = decided else {
        let text = "This upload isn't waiting for a decision.";
        return Err(BoundaryError::with_code(ErrorCode::Validation, text));
    };
    if request.decision == LostDecision::Arrived {
        note_arrival(ctx, &upload, None).await;
    }
    ensure_upload_worker(ctx);
    UploadWorker::from_context(ctx).wake();
    documents_queue(ctx, Nothing {}).await
}

/// Checks the confirmation word for production before something is sent there again.
async fn confirm_again(ctx: &Context, upload: &str, typed: &str) -> Result<(), BoundaryError> {
    let profile_id = profile_of_upload(ctx.store(), upload.to_owned()).await?;
    ensure_confirmed(ctx, &profile_by_id(ctx, &profile_id).await?, typed).await
}

/// Waits until all of these uploads have ended or wait only for a person's decision, whichever process works on
/// them.
pub async fn documents_wait(ctx: &Context, ids: &[String]) -> Result<Vec<UploadView>, BoundaryError> {
    loop {
        let queue = documents_queue(ctx, Nothing {}).await?;
        let own: Vec<UploadView> =
            queue.uploads.into_iter().filter(|upload| ids.contains(&upload.id)).collect();
        if own.iter().all(|upload| upload.asks || upload.state.is_ended()) {
            return Ok(own);
        }
        tokio::time::sleep(
            Outbox::from_context(ctx).pace().first_pause.min(std::time::Duration::from_millis(200)),
        )
        .await;
    }
}
