//! The operations of a review.

use bordereau_api::to_u32;
use std::sync::atomic::Ordering;

use super::acknowledgement::acknowledge_warnings;
use super::cell_figures::FigureSum;
use super::changes::{
    DraftChange, LABEL_MAX, apply_and_keep, change_and_view, change_review_as_seen, open_slot,
    open_slot_again, slot_with_rows,
};
use super::correction::review_of_batch;
use super::draft::SourceKind;
use super::load::{Input, start_review};
use super::mapping::remember_for_headers;
use super::new_transaction::start_transaction;
use super::repair::RepairPlan;
use super::session::ReviewSession;
use super::slots::{ReviewPhase, Reviews, blocking, view_of, view_with_news, with_session};
use super::{area_changes, cell_date, column_answers, find, repair, replace, row_filter, view};
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::dropped_files::dropped_path;
use bordereau_session::ports::FileFilter;
use bordereau_spreadsheets::{TABLE_ENDINGS, shown_text};
use bordereau_store::StoreError;

const SAMPLE: &[u8] = include_bytes!("../data/sample.csv");

/// Starts a review; a small source is there at once, a large one is read in the background.
///
/// # Errors
/// [`ErrorCode::NotFound`] for an unknown handle or batch, [`ErrorCode::Storage`].
pub async fn review_start(ctx: &Context, request: ReviewStart) -> Result<ReviewView, BoundaryError> {
    let input = match request.source {
        ReviewSource::Dialog => {
            let filter = FileFilter {
                name: "Spreadsheets and CSV".into(),
                extensions: TABLE_ENDINGS.map(String::from).to_vec(),
            };
            let mut chosen =
                ctx.ports().dialogs.open_many("Choose files of transactions".into(), filter).await;
            match chosen.pop() {
                None => return Ok(ReviewView { stage: ReviewStage::Canceled, ..view::blank_view("", "") }),
                Some(only) if chosen.is_empty() => Input::File(only),
                Some(last) => Input::Files(chosen.into_iter().chain([last]).collect()),
            }
        }
        ReviewSource::Dropped { handle } => Input::File(dropped_path(ctx, &handle)?),
        ReviewSource::Together { handles } => {
            let paths = handles.iter().map(|handle| dropped_path(ctx, handle));
            Input::Files(paths.collect::<Result<_, _>>()?)
        }
        ReviewSource::Pasted { text } => {
            Input::Bytes { kind: SourceKind::Paste, name: "Pasted cells".into(), bytes: text.into_bytes() }
        }
        ReviewSource::Sample => {
            Input::Bytes { kind: SourceKind::File, name: "sample.csv".into(), bytes: SAMPLE.to_vec() }
        }
        ReviewSource::Transaction(begin) => return start_transaction(ctx, *begin).await,
        ReviewSource::Batch { batch } => return review_of_batch(ctx, &batch).await,
    };
    start_review(ctx, input).await
}

/// The state of a review; a draft of an earlier run is opened again. While it is read the answer waits a moment
/// for something new.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_state(ctx: &Context, request: ReviewId) -> Result<ReviewView, BoundaryError> {
    let slot = open_slot(ctx, &request.id).await?;
    view_with_news(&slot).await
}

/// Reads a workbook once more whose reading did not come to its end.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_read_again(ctx: &Context, request: ReviewId) -> Result<ReviewView, BoundaryError> {
    let refused =
        Reviews::of(ctx).get(&request.id).filter(|slot| slot.can_read_again.load(Ordering::Relaxed));
    if refused.is_some() {
        Reviews::of(ctx).forget(&request.id);
    }
    let slot = open_slot_again(ctx, &request.id, true).await?;
    view_with_news(&slot).await
}

/// A page of rows.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_rows(ctx: &Context, request: RowsRequest) -> Result<RowsPage, BoundaryError> {
    let slot = slot_with_rows(ctx, &request.id).await?;
    blocking(move || match &mut *slot.phase() {
        ReviewPhase::Open(session) | ReviewPhase::Reading(Some(session)) => {
            view::rows_page(session, &request)
        }
        _ => RowsPage { total: 0, from: 0, rows: Vec::new() },
    })
    .await
}

/// Issues of a cell or row in words.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_issues(ctx: &Context, request: CellId) -> Result<CellIssues, BoundaryError> {
    let slot = slot_with_rows(ctx, &request.id).await?;
    blocking(move || with_session(&slot, |session| Ok(view::cell_issues(session, &request)))).await?
}

/// Edits cells: one step of undo.
///
/// # Errors
/// [`ErrorCode::Validation`] for a cell outside of the table; [`ErrorCode::Storage`]; [`ErrorCode::ChangedElsewhere`]
/// where a cell has not the text that was typed over: then nothing is changed.
pub async fn review_edit(ctx: &Context, request: ReviewEdit) -> Result<ReviewView, BoundaryError> {
    change_and_view(ctx, &request.id.clone(), request.seen_changes, move |session| {
        let review = session.review();
        let is_overtaken = |(edit, over): (&CellEdit, &String)| {
            let now = shown_text(review, edit.row as usize, edit.column as usize);
            now != *over && now != edit.text
        };
        // Someone else typed there after this window was drawn.
        if request.edits.iter().zip(&request.typed_over).any(is_overtaken) {
            return Err(StoreError::ChangedElsewhere.into());
        }
        let texts = request.edits.into_iter().map(|e| (e.row as usize, e.column as usize, e.text));
        let label: String = request.label.trim().chars().take(LABEL_MAX).collect();
        let label = if label.is_empty() { "Edit".to_owned() } else { label };
        let step = session.edits(label, texts)?;
        Ok(apply_and_keep(session, step))
    })
    .await
}

/// Clears ranges, fills them or pastes into them: one step of undo.
///
/// # Errors
/// [`ErrorCode::Validation`] for too many cells; [`ErrorCode::Storage`]: then nothing is changed.
pub async fn review_areas(ctx: &Context, request: ReviewAreas) -> Result<FixOutcome, BoundaryError> {
    let (id, seen) = (request.id.clone(), request.seen_changes);
    change_with_preview(ctx, &id, (false, seen), move |session| {
        area_changes::plan_area_changes(session, &request)
    })
    .await
}

/// What selected cells add up to. A newer request of the same review ends an older one.
///
/// # Errors
/// [`ErrorCode::NotFound`]; [`ErrorCode::Canceled`] where others are asked for meanwhile.
pub async fn review_figures(ctx: &Context, request: ReviewFigures) -> Result<CellFigures, BoundaryError> {
    let slot = slot_with_rows(ctx, &request.id).await?;
    let number = slot.figure_requests.fetch_add(1, Ordering::AcqRel) + 1;
    blocking(move || {
        let mut sum = FigureSum::default();
        // The review is unlocked after each turn, so that pages of rows are answered in between.
        while !with_session(&slot, |session| Ok(sum.add_turn(session, &request)))? {
            if slot.figure_requests.load(Ordering::Acquire) != number {
                return Err(BoundaryError::with_code(ErrorCode::Canceled, "Other cells are being added up."));
            }
        }
        Ok(sum.figures())
    })
    .await?
}

/// The date of a cell, and a date as its column writes dates.
///
/// # Errors
/// [`ErrorCode::Validation`] for a date that is none.
pub async fn review_date(ctx: &Context, request: CellDateRequest) -> Result<CellDate, BoundaryError> {
    let slot = slot_with_rows(ctx, &request.id).await?;
    blocking(move || with_session(&slot, |session| cell_date::cell_date(session, &request))).await?
}

/// Excludes rows or includes them again, each with all rows of its transaction.
pub async fn review_exclude(ctx: &Context, request: ReviewExclude) -> Result<ExcludeOutcome, BoundaryError> {
    let id = request.id.clone();
    let (rows, excluded) = change_review_as_seen(ctx, &id, request.seen_changes, move |session| {
        let (step, is_out) = area_changes::plan_exclusion(session, &request);
        let rows = to_u32(step.excluded.len());
        Ok((apply_and_keep(session, step), (rows, is_out)))
    })
    .await?;
    let slot = open_slot(ctx, &id).await?;
    Ok(ExcludeOutcome { rows, excluded, review: view_of(&slot).await? })
}

/// Repairs one issue or a group, or shows what that would change.
///
/// # Errors
/// [`ErrorCode::Validation`] for values that have to be matched one by one.
pub async fn review_fix(ctx: &Context, request: ReviewFix) -> Result<FixOutcome, BoundaryError> {
    let (id, how) = (request.id.clone(), (request.preview, request.seen_changes));
    change_with_preview(ctx, &id, how, move |session| repair::plan_repair(session, &request)).await
}

/// Does what was planned as one step on the view that was seen, or only shows it.
async fn change_with_preview(
    ctx: &Context,
    id: &str,
    (is_preview, seen_changes): (bool, Option<u32>),
    plan: impl FnOnce(&mut ReviewSession) -> Result<RepairPlan, BoundaryError> + Send + 'static,
) -> Result<FixOutcome, BoundaryError> {
    let seen_changes = seen_changes.filter(|_| !is_preview);
    let (total, changes) = change_review_as_seen(ctx, id, seen_changes, move |session| {
        let repair = plan(session)?;
        let shown = (repair.total, repair.changes);
        let kept = if is_preview { DraftChange::Nothing } else { apply_and_keep(session, repair.step) };
        Ok((kept, shown))
    })
    .await?;
    let slot = open_slot(ctx, id).await?;
    Ok(FixOutcome { total, changes, review: view_of(&slot).await? })
}

/// Keeps warnings as they are, with a reason, or reopens them.
///
/// # Errors
/// [`ErrorCode::Validation`] without a reason, and for errors, which cannot be kept.
pub async fn review_keep(ctx: &Context, request: ReviewKeep) -> Result<ReviewView, BoundaryError> {
    change_and_view(ctx, &request.id.clone(), None, move |session| {
        let step = acknowledge_warnings(session, &request)?;
        Ok(apply_and_keep(session, step))
    })
    .await
}

/// Undoes the last step.
pub async fn review_undo(ctx: &Context, request: ReviewUndo) -> Result<ReviewView, BoundaryError> {
    move_through_steps(ctx, &request, ReviewSession::undo).await
}

/// Redoes the step that was undone last.
pub async fn review_redo(ctx: &Context, request: ReviewUndo) -> Result<ReviewView, BoundaryError> {
    move_through_steps(ctx, &request, ReviewSession::redo).await
}

/// Undoes or redoes a step. The mapping that is used then is the one that is remembered.
async fn move_through_steps(
    ctx: &Context,
    request: &ReviewUndo,
    step: fn(&mut ReviewSession) -> bool,
) -> Result<ReviewView, BoundaryError> {
    let id = request.id.as_str();
    let rematched = change_review_as_seen(ctx, id, request.seen_changes, move |session| {
        let before = session.review().mapping().clone();
        let change = if step(session) { DraftChange::State } else { DraftChange::Nothing };
        let mapping = session.review().mapping();
        let is_other = session.draft.matched && *mapping != before;
        Ok((change, is_other.then(|| (column_answers::header_key(session), mapping.clone()))))
    })
    .await?;
    if let Some((headers, mapping)) = rematched {
        remember_for_headers(ctx, &headers, &mapping).await?;
    }
    view_of(&open_slot(ctx, id).await?).await
}

/// Finds a text or the next problem.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_find(ctx: &Context, request: ReviewFind) -> Result<FoundCell, BoundaryError> {
    let slot = slot_with_rows(ctx, &request.id).await?;
    blocking(move || with_session(&slot, |session| Ok(find::find_cell(session, &request)))).await?
}

/// Finds the edge of the data in a column.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_edge(ctx: &Context, request: ReviewEdge) -> Result<FoundCell, BoundaryError> {
    let slot = slot_with_rows(ctx, &request.id).await?;
    blocking(move || with_session(&slot, |session| Ok(find::find_edge(session, &request)))).await?
}

/// The values of a column in the rows shown.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn review_values(ctx: &Context, request: ReviewValues) -> Result<ColumnValues, BoundaryError> {
    let slot = slot_with_rows(ctx, &request.id).await?;
    blocking(move || with_session(&slot, |session| Ok(row_filter::column_values(session, &request)))).await?
}

/// Replaces a text in the rows shown: one step of undo; or shows what it would change.
///
/// # Errors
/// [`ErrorCode::Validation`] without a text to find; [`ErrorCode::Storage`]: then nothing is changed.
pub async fn review_replace(ctx: &Context, request: ReviewReplace) -> Result<FixOutcome, BoundaryError> {
    let (id, how) = (request.id.clone(), (request.preview, request.seen_changes));
    change_with_preview(ctx, &id, how, move |session| replace::plan_replacement(session, &request)).await
}

/// Drafts, newest first, and saved mappings.
pub async fn review_list(ctx: &Context, _request: Nothing) -> Result<ReviewList, BoundaryError> {
    let store = &ctx.store();
    Ok(ReviewList { reviews: store.review_summaries().await?, mappings: store.mapping_names().await? })
}

/// Discards a draft, and stops reading it.
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
