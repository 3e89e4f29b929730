//! The operations of a review. Each change is one step, kept before the answer.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::matching;
use super::open::{Open, SourceKind};
use super::reading::{Input, blocking, parse};
use super::slots::{Phase, Slot};
use super::step::Step;
use super::{find, repair, view};
use crate::review::Reviews;
use crate::review::correction::review_of_batch;
use crate::review::reading::open_read;
use crate::review::reading::reopen;
use crate::review::reading::start_review;
use crate::review::reading::view_of;
use crate::review::reading::view_with_news;
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::dropped::dropped;
use bordereau_session::ports::FileFilter;
use bordereau_store::StepChange;

const SAMPLE: &[u8] = include_bytes!("../../data/sample.csv");
/// Characters of a label that is kept.
pub(super) const LABEL_MAX: usize = 80;

/// What a change does to the steps that are kept.
pub enum Kept {
    /// Nothing to keep.
    Nothing,
    /// How the review stands, without a new step.
    State,
    /// The newest step.
    Step,
}

/// Starts a review; a small source is there at once, a large one is read in the background.
///
/// # Errors
/// [`ErrorCode::NotFound`] for an unknown handle or batch, [`ErrorCode::Storage`].
pub async fn review_start(ctx: &Context, request: ReviewStart) -> Result<ReviewView, BoundaryError> {
    let input = match request.source {
        ReviewSource::Dialog => {
            let extensions = ["csv", "tsv", "txt", "xlsx", "xlsm", "xlsb", "xls", "ods"];
            let filter = FileFilter {
                name: "Spreadsheets and CSV".into(),
                extensions: extensions.map(String::from).to_vec(),
            };
            match ctx.ports().dialogs.open("Choose a file of transactions".into(), filter).await {
                Some(path) => Input::File(path),
                None => return Ok(ReviewView { stage: ReviewStage::Cancelled, ..view::blank("", "") }),
            }
        }
        ReviewSource::Dropped { handle } => Input::File(dropped(ctx, &handle)?),
        ReviewSource::Pasted { text } => {
            Input::Bytes { kind: SourceKind::Paste, name: "Pasted cells".into(), bytes: text.into_bytes() }
        }
        ReviewSource::Sample => {
            Input::Bytes { kind: SourceKind::File, name: "sample.csv".into(), bytes: SAMPLE.to_vec() }
        }
        ReviewSource::Batch { batch } => return review_of_batch(ctx, &batch).await,
    };
    start_review(ctx, input).await
}

/// A review as it stands; a draft of an earlier run is opened again. While it is read the answer waits a moment
/// for something new.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_state(ctx: &Context, request: ReviewId) -> Result<ReviewView, BoundaryError> {
    let slot = slot(ctx, &request.id).await?;
    view_with_news(&slot).await
}

/// A page of rows.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_rows(ctx: &Context, request: RowsRequest) -> Result<RowsPage, BoundaryError> {
    let slot = slot_to_look_at(ctx, &request.id).await?;
    let nothing = RowsPage { total: 0, from: 0, rows: Vec::new() };
    blocking(move || match &mut *slot.phase() {
        Phase::Open(open) => view::page(open, &request),
        Phase::Look(open) => {
            slot.sight.asks();
            view::page(open, &request)
        }
        _ => nothing,
    })
    .await
}

/// Issues of a cell or row in words.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_issues(ctx: &Context, request: CellId) -> Result<CellIssues, BoundaryError> {
    let slot = slot_to_look_at(ctx, &request.id).await?;
    blocking(move || looked(&slot, |open| view::issues(open, &request))).await?
}

/// Edits cells: one step of undo.
///
/// # Errors
/// [`ErrorCode::Validation`] for a cell outside of the table; [`ErrorCode::Storage`]: then nothing is changed.
pub async fn review_edit(ctx: &Context, request: ReviewEdit) -> Result<ReviewView, BoundaryError> {
    changed(ctx, &request.id.clone(), move |open| {
        let texts = request.edits.into_iter().map(|e| (e.row as usize, e.column as usize, e.text));
        let label: String = request.label.trim().chars().take(LABEL_MAX).collect();
        let label = if label.is_empty() { "Edit".to_owned() } else { label };
        let step = open.edits(label, texts)?;
        Ok(acted(open, step))
    })
    .await
}

/// Leaves rows out, or takes them in again, each with all rows of its transaction.
///
/// # Errors
/// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn review_exclude(ctx: &Context, request: ReviewExclude) -> Result<ReviewView, BoundaryError> {
    changed(ctx, &request.id.clone(), move |open| {
        let rows = request.rows.iter().map(|row| *row as usize);
        let step = open.exclusions(rows, request.excluded);
        Ok(acted(open, step))
    })
    .await
}

/// Repairs one issue or a group, or shows what that would change.
///
/// # Errors
/// [`ErrorCode::Validation`] for values that have to be matched one by one.
pub async fn review_fix(ctx: &Context, request: ReviewFix) -> Result<FixOutcome, BoundaryError> {
    let id = request.id.clone();
    let (total, changes) = change(ctx, &id, move |open| {
        let repair = repair::repair(open, &request)?;
        let shown = (repair.total, repair.changes);
        let kept = if request.preview { Kept::Nothing } else { acted(open, repair.step) };
        Ok((kept, shown))
    })
    .await?;
    let slot = slot(ctx, &id).await?;
    Ok(FixOutcome { total, changes, review: view_of(&slot).await? })
}

/// Takes the last step back.
///
/// # Errors
/// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn review_undo(ctx: &Context, request: ReviewId) -> Result<ReviewView, BoundaryError> {
    changed(ctx, &request.id, |open| Ok(if open.undo() { Kept::State } else { Kept::Nothing })).await
}

/// Does the step again that was taken back last.
///
/// # Errors
/// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn review_redo(ctx: &Context, request: ReviewId) -> Result<ReviewView, BoundaryError> {
    changed(ctx, &request.id, |open| Ok(if open.redo() { Kept::State } else { Kept::Nothing })).await
}

/// Finds a text or the next problem.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_find(ctx: &Context, request: ReviewFind) -> Result<FoundCell, BoundaryError> {
    let slot = slot_to_look_at(ctx, &request.id).await?;
    blocking(move || looked(&slot, |open| find::find(open, &request))).await?
}

/// Drafts, newest first, and saved mappings.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub async fn review_list(ctx: &Context, _request: Nothing) -> Result<ReviewList, BoundaryError> {
    let store = &ctx.store();
    Ok(ReviewList { reviews: store.review_summaries().await?, mappings: store.mapping_names().await? })
}

/// Discards a draft; one that is being read is read no further.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_close(ctx: &Context, request: ReviewId) -> Result<Nothing, BoundaryError> {
    let slot = Reviews::of(ctx).get(&request.id);
    let was_open = slot.is_some();
    if let Some(slot) = slot {
        slot.close();
    }
    Reviews::of(ctx).forget(&request.id);
    match ctx.store().remove_review(&request.id).await {
        // A refused file is no draft.
        Err(bordereau_store::StoreError::Missing(_)) if was_open => Ok(Nothing {}),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(Nothing {}),
    }
}

/// The slot of a review; a draft of an earlier run is read again, as is one that left the memory.
pub async fn slot(ctx: &Context, id: &str) -> Result<Arc<Slot>, BoundaryError> {
    if let Some(slot) = Reviews::of(ctx).get(id) {
        return Ok(slot);
    }
    let (kept, _) = ctx.store().review(id).await?;
    let (slot, reopening) = Reviews::of(ctx).get_or_begin(id, &kept.name);
    Reviews::of(ctx).rest();
    if let Some(reopening) = reopening {
        let (context, reading, id) = (ctx.clone(), Arc::clone(&slot), id.to_owned());
        let mut news = slot.news.subscribe();
        tokio::spawn(async move {
            reopen(&context, &reading, &id).await;
            drop(reopening);
        });
        let _ = tokio::time::timeout(std::time::Duration::from_millis(150), news.changed()).await;
    }
    Ok(slot)
}

/// The slot of a review that is looked at: of one that is opened again the first rows will do.
async fn slot_to_look_at(ctx: &Context, id: &str) -> Result<Arc<Slot>, BoundaryError> {
    let slot = slot(ctx, id).await?;
    slot.first_rows().await;
    Ok(slot)
}

/// The slot of a review whose rows are needed: one that is opened again is waited for.
pub(super) async fn slot_with_rows(ctx: &Context, id: &str) -> Result<Arc<Slot>, BoundaryError> {
    let slot = slot(ctx, id).await?;
    slot.reopened().await;
    Ok(slot)
}

/// Changes an open review and keeps it before anybody sees it. When it cannot be kept the review goes back
/// to what is stored.
pub async fn change<T: Send + 'static>(
    ctx: &Context,
    id: &str,
    work: impl FnOnce(&mut Open) -> Result<(Kept, T), BoundaryError> + Send + 'static,
) -> Result<T, BoundaryError> {
    let slot = slot(ctx, id).await?;
    let _turn = slot.turn.lock().await;
    let (at, held) = (ctx.stamp(), Arc::clone(&slot));
    let (answer, keep) = blocking(move || {
        with(&held, |open| {
            let (kept, answer) = work(open)?;
            if matches!(kept, Kept::Nothing) {
                return Ok((answer, None));
            }
            open.stored_at = at;
            open.refresh();
            let step = match kept {
                Kept::Step => newest(open)?,
                _ => StepChange::None,
            };
            Ok((answer, Some((open.kept()?, step))))
        })
    })
    .await??;
    if let Some((kept, step)) = keep
        && let Err(error) = ctx.store().keep_review(kept, step).await
    {
        Reviews::of(ctx).forget(id);
        return Err(error.into());
    }
    Ok(answer)
}

pub(super) async fn changed(
    ctx: &Context,
    id: &str,
    work: impl FnOnce(&mut Open) -> Result<Kept, BoundaryError> + Send + 'static,
) -> Result<ReviewView, BoundaryError> {
    change(ctx, id, |open| Ok((work(open)?, ()))).await?;
    let slot = slot(ctx, id).await?;
    view_of(&slot).await
}

/// Reads the source again when an answer concerns the reading.
pub(super) async fn read_differently(
    ctx: &Context,
    slot: &Arc<Slot>,
    overrides: Vec<Coded>,
) -> Result<(), BoundaryError> {
    let _turn = slot.turn.lock().await;
    let held = Arc::clone(slot);
    let wanted = blocking(move || {
        with(&held, |open| {
            let Some(options) = matching::read_options(open, &overrides)? else { return Ok(None) };
            if open.position > 0 {
                return Err(BoundaryError::of(
                    ErrorCode::Validation,
                    "Rows were changed already, and would not be the same rows when the file is read differently. \
                     Undo the changes first, or start with the file again.",
                ));
            }
            Ok(Some((options, open.body.clone(), open.bench.clone())))
        })
    })
    .await??;
    let Some((options, mut body, bench)) = wanted else { return Ok(()) };
    let (kept, _) = ctx.store().review(&slot.id).await?;
    let bytes = ctx.store().review_source(&slot.id).await?;
    let source = parse(&kept.name, body.kind, options.clone(), bytes).await?;
    body.options = options;
    body.mapping = None;
    let mut open = open_read(ctx, kept, body, Vec::new(), bench, source).await?;
    open.stored_at = ctx.stamp();
    let kept = open.kept()?;
    ctx.store().keep_review(kept, StepChange::Clear).await?;
    slot.read.store(slot.total.load(Ordering::Relaxed), Ordering::Relaxed);
    let held = Arc::clone(slot);
    blocking(move || held.enter(Phase::Open(Box::new(open)))).await
}

/// Looks at the rows of a slot, also while only the first are there.
fn looked<T>(slot: &Slot, look: impl FnOnce(&mut Open) -> T) -> Result<T, BoundaryError> {
    if let Phase::Look(open) = &mut *slot.phase() {
        return Ok(look(open));
    }
    with(slot, |open| Ok(look(open)))
}

/// Works on the open review of a slot.
pub fn with<T>(
    slot: &Slot,
    work: impl FnOnce(&mut Open) -> Result<T, BoundaryError>,
) -> Result<T, BoundaryError> {
    match &mut *slot.phase() {
        Phase::Open(open) => work(open),
        Phase::Reading | Phase::Look(_) => {
            let message =
                "The file is still being read: its rows can be looked at now and changed in a moment.";
            Err(BoundaryError::of(ErrorCode::Validation, message).passing())
        }
        Phase::Refused(why) => Err(BoundaryError::of(ErrorCode::Validation, why.clone())),
    }
}

pub(super) fn acted(open: &mut Open, step: Step) -> Kept {
    if open.act(step) { Kept::Step } else { Kept::Nothing }
}

fn newest(open: &Open) -> Result<StepChange, BoundaryError> {
    let Some(at) = open.position.checked_sub(1) else { return Ok(StepChange::None) };
    let body =
        serde_json::to_string(&open.steps[at]).map_err(|_| BoundaryError::internal("keeping a step"))?;
    Ok(StepChange::New(u32::try_from(at).unwrap_or(u32::MAX), body))
}
