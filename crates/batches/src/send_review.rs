//! Moves a review into the outbox: preview and send.

use bordereau_api::to_u32;
use bordereau_contract::ImportTransaction;

use super::document_content;
use super::send::{review_refresh, review_transactions};
use bordereau_api::totals::has_no_taxes;
use bordereau_api::*;
use bordereau_outbox::{Outbox, batch_show, ensure_worker};
use bordereau_session::confirmation::ensure_confirmed;
use bordereau_session::confirmation::word_to_type;
use bordereau_session::profile::active_profile;
use bordereau_session::{Context, run_off_thread};
use bordereau_store::StoreError;
use bordereau_store::batches::queue::{NewBatch, OutgoingTransaction, QueueOutcome};
use bordereau_store::batches::view;

/// Previews a send: destination, totals, parts, and the word to type as confirmation.
///
/// # Errors
/// [`ErrorCode::NotFound`]; [`ErrorCode::Validation`] while a question is open.
pub async fn review_send_preview(
    ctx: &Context,
    request: SendReviewPreview,
) -> Result<SendPreview, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let mut batch = batch_of_review(ctx, &request.id, request.scope, &profile, false).await?;
    let type_word = word_to_type(ctx, &profile).await?;
    let kept: usize = batch.kept_back.iter().map(|row| row.kept.len()).sum::<usize>()
        + batch.rows.iter().map(|row| row.kept.len()).sum::<usize>();
    let sums = move |connection: &mut bordereau_store::Connection| {
        batch.assign_ids();
        batch.exclude_already_sent(connection)?;
        let with_errors = batch.rows.iter().filter(|row| row.has_error).count();
        let without_taxes = batch.rows.iter().filter(|row| has_no_taxes(&row.transaction)).count();
        let documents: u32 = batch.rows.iter().map(|row| row.document_count).sum();
        let parts = batch.part_numbers()?.last().map_or(0, |part| part + 1);
        Ok::<_, StoreError>((batch.compute_totals(), with_errors, without_taxes, documents, parts))
    };
    let (totals, with_errors, without_taxes, documents, parts) = ctx.store().with_connection(sums).await?;
    Ok(SendPreview {
        profile: profile.name,
        environment: profile.environment,
        totals,
        with_errors: to_u32(with_errors),
        without_taxes: to_u32(without_taxes),
        parts: to_u32(parts),
        documents,
        kept: to_u32(kept),
        type_word,
    })
}

/// Sends a review: its rows are in the store when this returns, and are sent in the background.
///
/// # Errors
/// [`ErrorCode::Validation`] when the totals changed since they were confirmed, the word is missing, or there is
/// nothing to send; [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn review_send(ctx: &Context, request: SendReview) -> Result<BatchView, BoundaryError> {
    let profile = active_profile(ctx).await?;
    ensure_confirmed(ctx, &profile, &request.typed).await?;
    let batch = batch_of_review(ctx, &request.id, request.scope, &profile, true).await?;
    let (view, id) = (put_into_outbox(ctx, batch, request.confirmed).await?, request.id);
    // Now the review learns what was sent. A failure is only a warning: the rows are queued already.
    if let Err(error) = review_refresh(ctx, &id).await {
        tracing::warn!(%error, "the review was not checked again");
    }
    Ok(view)
}

/// Sends the review of a chunk: the totals are those of its rows, which nobody changed since they were checked.
/// `None` where all of it was sent before.
///
/// # Errors
/// As of [`review_send`].
pub async fn send_chunk(
    ctx: &Context,
    id: &str,
    scope: SendScope,
    typed: &str,
) -> Result<Option<BatchView>, BoundaryError> {
    let profile = active_profile(ctx).await?;
    ensure_confirmed(ctx, &profile, typed).await?;
    let mut batch = batch_of_review(ctx, id, scope, &profile, true).await?;
    let counted = move |connection: &mut bordereau_store::Connection| {
        batch.assign_ids();
        batch.exclude_already_sent(connection)?;
        Ok(batch)
    };
    let batch = ctx.store().with_connection(counted).await?;
    if batch.rows.is_empty() {
        return Ok(None);
    }
    let totals = batch.compute_totals();
    put_into_outbox(ctx, batch, totals).await.map(Some)
}

async fn put_into_outbox(
    ctx: &Context,
    mut batch: NewBatch,
    confirmed: ReviewTotals,
) -> Result<BatchView, BoundaryError> {
    batch.set_aside_documents(ctx.store()).await?;
    let stored = ctx.store().run_durably(move |connection| batch.store_batch(connection, &confirmed));
    let refused = |message: &str| Err(BoundaryError::with_code(ErrorCode::Validation, message));
    match stored.await? {
        QueueOutcome::As(id) => {
            ensure_worker(ctx);
            Outbox::from_context(ctx).wake();
            batch_show(ctx, BatchId { id }).await
        }
        QueueOutcome::Nothing => refused(
            "There's nothing to send: every row is excluded, or was sent before and hasn't changed since.",
        ),
        QueueOutcome::OtherTotals => refused(
            "The rows changed after you confirmed the totals. Nothing was sent. Check the new totals and send again.",
        ),
    }
}

async fn batch_of_review(
    ctx: &Context,
    id: &str,
    scope: SendScope,
    profile: &Profile,
    with_files: bool,
) -> Result<NewBatch, BoundaryError> {
    let prepared = review_transactions(ctx, id, scope).await?;
    if let Some(corrected) = &prepared.corrects {
        same_profile(ctx, corrected, profile).await?;
    }
    let read = move || -> Result<Vec<OutgoingTransaction>, BoundaryError> {
        let mut rows = Vec::with_capacity(prepared.transactions.len());
        for row in prepared.transactions {
            let read = |file: &crate::AttachedDocument| {
                document_content::read(&file.path, &file.file_name, &file.code, &file.sha256)
            };
            rows.push(OutgoingTransaction {
                transaction: ImportTransaction { documents: Vec::new(), ..row.transaction },
                line: row.line,
                source: row.source,
                row: row.row,
                document_count: to_u32(row.documents.len()),
                documents: if with_files {
                    row.documents.iter().map(read).collect::<Result<_, _>>()?
                } else {
                    Vec::new()
                },
                has_error: row.has_error,
                key: row.key,
                kept: row.kept,
            });
        }
        Ok(rows)
    };
    let rows = run_off_thread("preparing a batch", read).await??;
    let part_rows = Outbox::from_context(ctx).pace().part_rows;
    Ok(NewBatch {
        name: prepared.name,
        review: id.to_owned(),
        corrects: prepared.corrects,
        is_single: prepared.is_single,
        profile: profile.clone(),
        by: ctx.person(),
        at: ctx.now_text(),
        day: ctx.ports().clock.today().to_string(),
        rows,
        kept_back: prepared.kept_back,
        part_rows: match profile.rows_per_request {
            0 => part_rows,
            fewer => part_rows.min(fewer as usize),
        },
    })
}

/// A correction goes to the profile that its batch went to.
async fn same_profile(ctx: &Context, batch: &str, profile: &Profile) -> Result<(), BoundaryError> {
    let (id, name) = view::profile_of_batch(ctx.store(), batch.to_owned()).await?;
    if id == profile.id {
        return Ok(());
    }
    let message = format!(
        "The batch that is corrected went to the profile \"{name}\". Select that profile and send again. Nothing was sent."
    );
    Err(BoundaryError::with_code(ErrorCode::Validation, message))
}
