//! A person decides about a batch whose answer was lost, where the service can't be asked.

use super::lookup_keys::batch_of_remote;
use super::step::ask_part;
use super::transition::lost_parts;
use crate::Outbox;
use crate::operations::batch_show;
use crate::worker::ensure_worker;
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::confirmation::ensure_confirmed;
use bordereau_session::profile::profile_by_id;
use bordereau_store::batches::decision::record_decision;
use bordereau_store::batches::view::profile_of_batch;

/// Longest number of a batch as a portal shows it.
const NUMBER_CHARS_MAX: usize = 200;

/// Records a person's decision about a batch whose answer was lost: it arrived, it didn't and is sent again, or it
/// is looked up again. The audit log has the decision.
///
/// # Errors
/// [`ErrorCode::Validation`] when no row is unknown, or the number can't be the batch's; [`ErrorCode::NotFound`],
/// [`ErrorCode::Storage`].
pub async fn batch_decide(ctx: &Context, request: BatchDecision) -> Result<BatchView, BoundaryError> {
    let number = request.batch_number.trim().to_owned();
    if number.chars().count() > NUMBER_CHARS_MAX || number.chars().any(char::is_control) {
        let text = format!("A batch number has at most {NUMBER_CHARS_MAX} characters on one line.");
        return Err(BoundaryError::with_code(ErrorCode::Validation, text));
    }
    if !number.is_empty() && request.decision != LostDecision::Arrived {
        let text = "Enter a batch number only if the batch arrived.";
        return Err(BoundaryError::with_code(ErrorCode::Validation, text));
    }
    let owner = batch_of_remote(ctx.store(), &number).await?;
    if !number.is_empty() && owner.is_some_and(|owner| owner != request.id) {
        let text = format!("{number} is the number of another batch sent from here.");
        return Err(BoundaryError::with_code(ErrorCode::Validation, text));
    }
    if request.decision == LostDecision::SendAgain {
        let (profile_id, _) = profile_of_batch(ctx.store(), request.id.clone()).await?;
        ensure_confirmed(ctx, &profile_by_id(ctx, &profile_id).await?, &request.typed).await?;
    }
    let mut is_asked = false;
    if request.decision == LostDecision::Arrived && number.is_empty() {
        let (profile_id, _) = profile_of_batch(ctx.store(), request.id.clone()).await?;
        // The service's results for its own number count more than the person's answer, which decides the rest.
        for part in lost_parts(ctx.store(), &profile_id).await? {
            if let Some(number) = &part.remote_id
                && batch_of_remote(ctx.store(), number).await?.as_ref() == Some(&request.id)
            {
                ask_part(ctx, &part).await;
                is_asked = true;
            }
        }
    }
    let decided =
        record_decision(ctx.store(), &request.id, request.decision, number, ctx.now_stamp()).await?;
    // Where its results have settled it, nothing is left to decide.
    if let Some(refusal) = decided.filter(|_| !is_asked) {
        return Err(BoundaryError::with_code(ErrorCode::Validation, refusal));
    }
    ensure_worker(ctx);
    Outbox::from_context(ctx).wake();
    batch_show(ctx, BatchId { id: request.id }).await
}
