//! Changes of an open review: each is one step, stored before the answer. Finds the review, opening its draft again
//! where that has to be.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bordereau_api::{BoundaryError, ErrorCode, NamedCode, ReviewView, to_u32};
use bordereau_session::Context;
use bordereau_store::StepChange;

use super::column_answers;
use super::load::{open_source, reopen};
use super::session::ReviewSession;
use super::slots::{ReviewPhase, ReviewSlot, Reviews, blocking, evict_unused, view_of, with_session};
use super::source_reading::parse;
use super::step::UndoStep;
use super::view::refresh;

/// Characters of a label that is stored.
pub const LABEL_MAX: usize = 80;

/// What of a change is to be stored.
pub enum DraftChange {
    Nothing,
    /// The state of the review, without a new step.
    State,
    /// The newest step.
    Step,
}

/// The slot of a review; a draft that is not in memory is read again.
pub async fn open_slot(ctx: &Context, id: &str) -> Result<Arc<ReviewSlot>, BoundaryError> {
    open_slot_again(ctx, id, false).await
}

/// As [`open_slot`]; `reads_again` where a person decided to read a workbook again whose reading was interrupted.
pub async fn open_slot_again(
    ctx: &Context,
    id: &str,
    reads_again: bool,
) -> Result<Arc<ReviewSlot>, BoundaryError> {
    let mut before = None;
    while let Some(slot) = Reviews::of(ctx).get(id) {
        // Another desk of the office, or another window on this folder, may have changed it.
        if slot.changing.try_lock().is_ok() && was_changed(ctx, id).await {
            Reviews::of(ctx).note_change_of_others(id, Some(&slot));
            before = Some(slot);
        } else if Reviews::of(ctx).is_current(&slot) {
            return Ok(slot);
        }
    }
    if before.is_none() && was_changed(ctx, id).await {
        Reviews::of(ctx).note_change_of_others(id, None);
    }
    let (kept, _) = ctx.store().load_review(id).await?;
    let (slot, reopening) = Reviews::of(ctx).get_or_begin(id, &kept.name);
    evict_unused(ctx);
    if let Some(reopening) = reopening {
        let (context, reading, id) = (ctx.clone(), Arc::clone(&slot), id.to_owned());
        let mut news = slot.news.subscribe();
        tokio::spawn(async move {
            reopen(&context, &reading, &id, reads_again, before).await;
            drop(reopening);
        });
        let _ = tokio::time::timeout(Duration::from_millis(150), news.changed()).await;
    }
    Ok(slot)
}

/// Whether someone else changed a draft since it was opened here.
async fn was_changed(ctx: &Context, id: &str) -> bool {
    ctx.store().was_review_changed(id).await.unwrap_or_default()
}

/// The slot of a review whose rows are needed: one that is opened again is waited for.
pub async fn slot_with_rows(ctx: &Context, id: &str) -> Result<Arc<ReviewSlot>, BoundaryError> {
    let slot = open_slot(ctx, id).await?;
    if !slot.is_reopening() {
        return Ok(slot);
    }
    slot.reopened().await;
    // Someone else may have changed it in the moment after it was read.
    let slot = open_slot(ctx, id).await?;
    slot.reopened().await;
    Ok(slot)
}

/// Changes an open review and stores the change before it is shown. Where it cannot be stored, the review is opened
/// again as stored.
pub async fn change_review<T: Send + 'static>(
    ctx: &Context,
    id: &str,
    work: impl FnOnce(&mut ReviewSession) -> Result<(DraftChange, T), BoundaryError> + Send + 'static,
) -> Result<T, BoundaryError> {
    change_review_as_seen(ctx, id, None, work).await
}

/// The same for what was decided on a view: where someone else changed the draft since, nothing is done.
pub async fn change_review_as_seen<T: Send + 'static>(
    ctx: &Context,
    id: &str,
    seen_changes: Option<u32>,
    work: impl FnOnce(&mut ReviewSession) -> Result<(DraftChange, T), BoundaryError> + Send + 'static,
) -> Result<T, BoundaryError> {
    let (slot, _turn) = loop {
        let slot = open_slot(ctx, id).await?;
        let turn = Arc::clone(&slot.changing).lock_owned().await;
        // Meanwhile another request may have opened it again, with changes made elsewhere.
        if Reviews::of(ctx).is_current(&slot) {
            break (slot, turn);
        }
    };
    if seen_changes.is_some_and(|seen| seen != slot.changes_of_others) {
        let words = "Someone else changed this draft in the same moment, so nothing was done. Look at it as it is now, then do it again.";
        return Err(BoundaryError::with_code(ErrorCode::ChangedElsewhere, words));
    }
    // Where an office's database can't be reached nothing is changed, and what is open can still be viewed.
    if ctx.store().office().is_some() {
        ctx.store().was_review_changed(id).await?;
    }
    let (at, held) = (ctx.now_text(), Arc::clone(&slot));
    let (answer, keep) = blocking(move || {
        with_session(&held, |session| {
            let (kept, answer) = work(session)?;
            if matches!(kept, DraftChange::Nothing) {
                return Ok((answer, None));
            }
            session.stored_at = at;
            session.draft.is_unchanged = false;
            refresh(session);
            let step = match kept {
                DraftChange::Step => newest_step(session)?,
                _ => StepChange::None,
            };
            Ok((answer, Some((session.draft_record()?, step))))
        })
    })
    .await??;
    if let Some((kept, step)) = keep
        && let Err(error) = ctx.store().save_review(kept, step).await
    {
        Reviews::of(ctx).forget_slot(&slot);
        return Err(error.into());
    }
    Ok(answer)
}

pub async fn change_and_view(
    ctx: &Context,
    id: &str,
    seen_changes: Option<u32>,
    work: impl FnOnce(&mut ReviewSession) -> Result<DraftChange, BoundaryError> + Send + 'static,
) -> Result<ReviewView, BoundaryError> {
    change_review_as_seen(ctx, id, seen_changes, |session| Ok((work(session)?, ()))).await?;
    let slot = open_slot(ctx, id).await?;
    view_of(&slot).await
}

/// Reads the source again when an answer concerns the reading.
pub async fn read_differently(
    ctx: &Context,
    slot: &Arc<ReviewSlot>,
    overrides: Vec<NamedCode>,
) -> Result<(), BoundaryError> {
    let _turn = slot.changing.lock().await;
    let held = Arc::clone(slot);
    let wanted = blocking(move || {
        with_session(&held, |session| {
            let Some(options) = column_answers::read_options(session, &overrides)? else { return Ok(None) };
            if session.position > 0 {
                return Err(BoundaryError::with_code(
                    ErrorCode::Validation,
                    "Rows were already changed and would no longer match if the file were read differently. \
                    Undo the changes first, or start over with the file.",
                ));
            }
            Ok(Some((options, session.draft.clone(), session.check_context.clone())))
        })
    })
    .await??;
    let Some((options, mut draft, check_context)) = wanted else { return Ok(()) };
    let (kept, _) = ctx.store().load_review(&slot.id).await?;
    let bytes = ctx.store().review_source(&slot.id).await?;
    let source = parse(&kept.name, draft.kind, options.clone(), bytes).await?;
    draft.options = options;
    draft.mapping = None;
    let mut session = open_source(ctx, kept, draft, Vec::new(), check_context, source).await?;
    session.stored_at = ctx.now_text();
    let kept = session.draft_record()?;
    ctx.store().save_review(kept, StepChange::Clear).await?;
    slot.read.store(slot.total.load(Ordering::Relaxed), Ordering::Relaxed);
    let held = Arc::clone(slot);
    blocking(move || held.set_phase(ReviewPhase::Open(Box::new(session)))).await
}

/// Does a step, and says what of it is to be stored.
pub fn apply_and_keep(session: &mut ReviewSession, step: UndoStep) -> DraftChange {
    if session.act(step) { DraftChange::Step } else { DraftChange::Nothing }
}

fn newest_step(session: &ReviewSession) -> Result<StepChange, BoundaryError> {
    let Some(at) = session.position.checked_sub(1) else { return Ok(StepChange::None) };
    let body = serde_json::to_string(&session.steps[at])
        .map_err(|_| BoundaryError::internal_error("keeping a step"))?;
    Ok(StepChange::New(to_u32(at), body))
}
