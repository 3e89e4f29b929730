//! Drafts of commands: hidden from the person unless the command hands one over. A draft that a stopped command left
//! is resumed by the next one that reads the same file: the same draft gives its rows the same ids, so rows
//! that were sent already are recognized.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use bordereau_spreadsheets::{BundledFile, ReadOptions, bundle_files, limits};

use super::draft::DraftState;
use super::load::name_together;
use super::slots::{Reviews, blocking};
use bordereau_api::BoundaryError;
use bordereau_session::Context;
use bordereau_session::files::read_chosen;
use bordereau_session::profile::active_profile;
use bordereau_store::batches::view::newest_batch_of_review;
use bordereau_store::import_runs::remove_stopped_checks;
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

/// From now on the files of new drafts are read like this: what a command knows beforehand need not be found out by a
/// first reading. But for the headers: which row they are in is asked by the file's own count of lines.
pub fn read_files_as(ctx: &Context, options: ReadOptions) {
    *Reviews::of(ctx).reading.lock() = ReadOptions { header: None, ..options };
}

/// Leaves a draft to the person: the window lists it.
pub async fn hand_over_draft(ctx: &Context, review: &str) -> Result<(), BoundaryError> {
    ctx.store().hand_over_review(review).await?;
    // The window reads it again: here its rows would be held to the end of the command.
    Reviews::of(ctx).forget(review);
    Ok(())
}

/// Removes what stopped commands left behind, but the newest `keep`. Only while no other command is at work.
/// Returns how many drafts were removed.
pub async fn remove_abandoned(ctx: &Context, keep: u32) -> Result<usize, BoundaryError> {
    remove_stopped_checks(ctx.store()).await?;
    Ok(ctx.store().remove_unattended(keep).await?)
}

/// The draft that a stopped command made of these very files, as if they were read for the first time. Only while
/// no other command is at work.
pub async fn resume_draft(ctx: &Context, files: &[PathBuf]) -> Result<Option<ResumedDraft>, BoundaryError> {
    let name = name_together(files);
    let left = ctx.store().unattended_reviews(&name).await?;
    if left.is_empty() {
        return Ok(None);
    }
    let paths = files.to_vec();
    // A file that cannot be read, or is too large, is refused by the reading itself.
    let Ok(bytes) = blocking(move || read_source(&paths)).await? else { return Ok(None) };
    for review in left {
        if ctx.store().review_source(&review).await? == bytes {
            return Ok(Some(begin_again(ctx, review, name).await?));
        }
    }
    Ok(None)
}

/// The bytes that a draft of these files has.
fn read_source(paths: &[PathBuf]) -> Result<Vec<u8>, String> {
    let read = |path: &PathBuf| read_chosen(path, limits::FILE_BYTES_MAX as u64);
    if let [only] = paths {
        return read(only);
    }
    let mut files = Vec::new();
    for path in paths.iter().take(limits::BUNDLE_FILES_MAX + 1) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        files.push(BundledFile { name, bytes: read(path)? });
    }
    bundle_files(files).map_err(|refusal| refusal.to_string())
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
