//! The operations on batches.

use std::time::Duration;

use super::transition::cancel_parts;
use super::view;
use crate::Outbox;
use crate::worker::ensure_worker;
use bordereau_api::*;
use bordereau_session::Context;

const CANCEL_PAUSE: Duration = Duration::from_millis(100);

/// All batches, newest first.
pub async fn batch_list(ctx: &Context, _request: Nothing) -> Result<BatchList, BoundaryError> {
    ensure_worker(ctx);
    let batches = ctx.store().with_connection(|connection| view::list_batches(connection)).await?;
    Ok(BatchList { batches })
}

/// A batch.
pub async fn batch_show(ctx: &Context, request: BatchId) -> Result<BatchView, BoundaryError> {
    let mut batch: BatchView =
        ctx.store().with_connection(move |connection| view::load_batch(connection, &request.id)).await?;
    if batch.ended_at.is_none() && batch.trouble.is_empty() {
        let (profile, _) = view::profile_of_batch(ctx.store(), batch.id.clone()).await?;
        batch.trouble = Outbox::from_context(ctx).obstacle(&profile).unwrap_or_default();
    }
    Ok(batch)
}

/// A page of a batch's rows.
pub async fn batch_rows(ctx: &Context, request: BatchRowsRequest) -> Result<BatchRowsPage, BoundaryError> {
    Ok(ctx.store().with_connection(move |connection| view::load_rows(connection, &request)).await?)
}

/// What the service said of a batch's rows, grouped by cause.
pub async fn batch_causes(ctx: &Context, request: BatchId) -> Result<BatchCauses, BoundaryError> {
    let list = ctx.store().with_connection(move |connection| view::list_causes(connection, &request.id));
    Ok(BatchCauses { causes: list.await? })
}

/// Cancels the parts that weren't sent yet.
///
/// # Errors
/// [`ErrorCode::Validation`] when sending of every part has begun; [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn batch_cancel(ctx: &Context, request: BatchId) -> Result<BatchView, BoundaryError> {
    // A try that can't reach the service ends within a moment, and its rows wait again.
    for _ in 0..10 {
        if cancel_parts(ctx.store(), &request.id, ctx.now_stamp()).await? {
            Outbox::from_context(ctx).wake();
            return batch_show(ctx, request).await;
        }
        tokio::time::sleep(CANCEL_PAUSE).await;
    }
    Err(BoundaryError::with_code(
        ErrorCode::Validation,
        "Nothing in this batch is still waiting; what the service already has can't be canceled here.",
    ))
}

/// The outbox in one line.
pub async fn outbox_status(ctx: &Context, _request: Nothing) -> Result<OutboxStatus, BoundaryError> {
    ensure_worker(ctx);
    Ok(ctx.store().with_connection(|connection| view::outbox_status(connection)).await?)
}
