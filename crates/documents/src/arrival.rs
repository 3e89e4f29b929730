//! What happens after a document arrived.

use bordereau_session::Context;
use bordereau_store::uploads::{OpenUpload, more_for_target};

use super::required_documents::fresh_record;
use super::target::UploadTarget;
use super::upload_worker::UploadWorker;

/// Removes the document's copy and reads the record in the index again, so that every view shows it. Of several
/// documents for one transaction only the last one does that.
pub(super) async fn note_arrival(ctx: &Context, upload: &OpenUpload, transaction_id: Option<i64>) {
    let (stored_copies, file) =
        (UploadWorker::from_context(ctx).stored_copies().clone(), upload.content_file.clone());
    let _ = tokio::task::spawn_blocking(move || stored_copies.remove(&file)).await;
    if more_for_target(ctx.store(), upload).await.unwrap_or_default() {
        return;
    }
    let target = UploadTarget {
        transaction_id: transaction_id.or(upload.transaction_id),
        invoice_number: upload.invoice_number.clone(),
    };
    // Optional: the next refresh finds it as well.
    if let Err(error) = fresh_record(&ctx.with_profile(&upload.destination.profile_id), &target).await {
        tracing::debug!(%error, "the record is read later");
    }
}
