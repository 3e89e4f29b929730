//! Drafts of commands: hidden from the person unless the command hands one over. A draft that a stopped command left
//! is resumed by the next one that reads the same file: the same draft gives its rows the same ids, so rows
//! that were sent already are recognized.

use std::path::Path;
use std::sync::atomic::Ordering;

use bordereau_spreadsheets::limits;

use super::draft::DraftState;
use super::slots::{Reviews, blocking};
use bordereau_api::BoundaryError;
use bordereau_session::Context;
use bordereau_session::files::read_chosen;
use bordereau_session::profile::active_profile;
use bordereau_store::batches::view::newest_batch_of_review;
use bordereau_store::{StepChange, StoreError, StoredReview};

/// A draft that a stopped command left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumedDraft {
    /// Its id.
    pub review: String,
    /// The batch that was made of it, where it got that far.
    pub batch: Option<String>,
}

/// From now on new drafts are this command's own: the window does not list them. Of one that only checks they end
/// with it, and a large file is not stored only to be removed again.
pub fn work_unattended(ctx: &Context, only_checks: bool) {
    let reviews = Reviews::of(ctx);
    reviews.unattended.store(true, Ordering::Relaxed);
    reviews.only_checks.store(only_checks, Ordering::Relaxed);
}

/// Leaves a draft to the person: the window lists it.
pub async fn hand_over_draft(ctx: &Context, review: &str) -> Result<(), BoundaryError> {
    Ok(ctx.store().hand_over_review(review).await?)
}

/// Removes what stopped commands left behind, but the newest `keep`. Only while no other command is at work.
/// Returns how many drafts were removed.
pub async fn remove_abandoned(ctx: &Context, keep: u32) -> Result<usize, BoundaryError> {
    Ok(ctx.store().remove_unattended(keep).await?)
}

/// The draft that a stopped command made of this very file, as if it were read for the first time. Only while
/// no other command is at work.
pub async fn resume_draft(ctx: &Context, file: &Path) -> Result<Option<ResumedDraft>, BoundaryError> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let left = ctx.store().unattended_reviews(&name).await?;
    if left.is_empty() {
        return Ok(None);
    }
    let path = file.to_owned();
    // A file that cannot be read, or is too large, is refused by the reading itself.
    let read = blocking(move || read_chosen(&path, limits::FILE_BYTES_MAX as u64)).await?;
    let Ok(bytes) = read else { return Ok(None) };
    for review in left {
        if ctx.store().review_source(&review).await? == bytes {
            return Ok(Some(begin_again(ctx, review, name).await?));
        }
    }
    Ok(None)
}

async fn begin_again(ctx: &Context, review: String, name: String) -> Result<ResumedDraft, BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    let batch = newest_batch_of_review(ctx.store(), review.clone(), profile).await?;
    let draft = DraftState { sent_as: batch.clone(), ..DraftState::default() };
    let body = serde_json::to_string(&draft).map_err(StoreError::from)?;
    let kept = StoredReview { id: review.clone(), name, body, at: ctx.now_text(), ..StoredReview::default() };
    ctx.store().save_review(kept, StepChange::Clear).await?;
    Ok(ResumedDraft { review, batch })
}
