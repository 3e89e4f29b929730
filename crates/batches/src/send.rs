//! What the outbox takes out of a review.

use bordereau_api::{BoundaryError, ErrorCode, SendScope};
use bordereau_session::Context;

use super::changes::{DraftChange, change_review, slot_with_rows};
use super::load::check_context;
use super::prepare::{PreparedSend, prepare_send};
use super::sent_before::sent_before;
use super::slots::{blocking, with_session};

/// The transactions a send of this review would take, with what has to be confirmed.
///
/// # Errors
/// [`ErrorCode::NotFound`]; [`ErrorCode::Validation`] while it is read or a question is open.
pub async fn review_transactions(
    ctx: &Context,
    id: &str,
    scope: SendScope,
) -> Result<PreparedSend, BoundaryError> {
    let slot = slot_with_rows(ctx, id).await?;
    let prepared = blocking(move || {
        with_session(&slot, |session| {
            if !session.draft.matched {
                return Err(BoundaryError::with_code(
                    ErrorCode::Validation,
                    "Columns are not matched yet. Answer the open questions first.",
                ));
            }
            Ok(prepare_send(session, scope))
        })
    });
    prepared.await?
}

/// Checks an open review again against what was sent before, the profile's tables and the day.
pub async fn review_refresh(ctx: &Context, id: &str) -> Result<(), BoundaryError> {
    let slot = slot_with_rows(ctx, id).await?;
    let batch =
        blocking(move || with_session(&slot, |session| Ok(session.draft.own_batch().map(str::to_owned))))
            .await??;
    let check_context = check_context(ctx, sent_before(ctx, batch.as_deref()).await?).await?;
    change_review(ctx, id, move |session| {
        session.check_context = check_context;
        session.check_again();
        Ok((DraftChange::State, ()))
    })
    .await
}
