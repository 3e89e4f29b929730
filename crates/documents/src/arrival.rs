//! What follows when a document has arrived.

use bordereau_session::Context;
use bordereau_store::uploads::{OpenUpload, more_for_target};

use super::target::Target;
use super::upload_worker::UploadWorker;
use super::wanted::fresh_record;

/// A document arrived: its copy is no longer needed, and the record in the index is read again, so that every view
/// knows of it. Of many for one transaction only the last one does that.
pub(super) async fn note_arrival(ctx: &Context, upload: &OpenUpload, transaction_id: Option<i64>) {
    let (shelf, file) = (UploadWorker::of(ctx).shelf().clone(), upload.content_file.clone());
    let _ = tokio::task::spawn_blocking(move || shelf.remove(&file)).await;
    if more_for_target(ctx.store(), upload).await.unwrap_or_default() {
        return;
    }
    let target = Target {
        transaction_id: transaction_id.or(upload.transaction_id),
        invoice_number: upload.invoice_number.clone(),
    };
    // A convenience: the next refresh finds it as well.
    if let Err(error) = fresh_record(&ctx.using(&upload.destination.profile_id), &target).await {
        tracing::debug!(%error, "the record is read later");
    }
}
