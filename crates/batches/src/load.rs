//! Loading a source into a session, in the background: for the first time, or a stored draft again. Its bytes are
//! stored before its rows are shown; a draft whose copy was cut off by a crash is read from its file again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bordereau_api::{BoundaryError, ErrorCode, ReviewView};
use bordereau_session::Context;
use bordereau_session::profile::{active_profile, load_tables, remembered_charger};
use bordereau_spreadsheets::{ImportSource, Mapping, ProposedColumn, SentKeys, is_workbook, propose_mapping};
use bordereau_store::{StepChange, StoreError, StoredReview};

use super::column_answers;
use super::draft::{DraftState, FileIdentity, SourceKind};
use super::row_filter::keep_chosen_rows;
use super::sent_before::sent_before;
use super::session::{CheckContext, ReviewSession};
use super::slots::{
    ReviewPhase, ReviewSlot, Reviews, blocking, canceled, evict_unused, view_of, with_session,
};
use super::source_reading::{
    LARGE_BYTES, check_unread, parse, parse_or_refuse, read_beginning, read_file, read_together, refused,
};
use super::step::UndoStep;
use super::view::refresh;

/// How long an answer waits for the reading: a small file is there at once.
const AT_ONCE: Duration = Duration::from_millis(150);

/// What is to be read.
pub enum Input {
    File(PathBuf),
    /// Several, read as one table.
    Files(Vec<PathBuf>),
    Bytes {
        kind: SourceKind,
        name: String,
        bytes: Vec<u8>,
    },
    /// Rows of a batch as a table of their own.
    Correction {
        name: String,
        bytes: Vec<u8>,
        draft: Box<DraftState>,
    },
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// `May.csv and 2 more`.
pub fn name_together(paths: &[PathBuf]) -> String {
    let first = paths.first().map(|path| file_name(path)).unwrap_or_default();
    match paths.len() {
        0 | 1 => first,
        count => format!("{first} and {} more", count - 1),
    }
}

/// Starts a review of the input; answers with it when it is read at once.
pub async fn start_review(ctx: &Context, input: Input) -> Result<ReviewView, BoundaryError> {
    let name = match &input {
        Input::File(path) => file_name(path),
        Input::Files(paths) => name_together(paths),
        Input::Bytes { name, .. } | Input::Correction { name, .. } => name.clone(),
    };
    let mut draft = match &input {
        Input::File(_) | Input::Files(_) => {
            DraftState { options: Reviews::of(ctx).reading.lock().clone(), ..DraftState::default() }
        }
        Input::Bytes { kind, .. } => DraftState { kind: *kind, ..DraftState::default() },
        Input::Correction { draft, .. } => (**draft).clone(),
    };
    draft.arrival = Some(match &input {
        Input::File(path) => FileIdentity::of_file(path).await,
        Input::Files(_) => FileIdentity::default(),
        Input::Bytes { bytes, .. } | Input::Correction { bytes, .. } => FileIdentity::of_bytes(bytes),
    });
    let text = serde_json::to_string(&draft).map_err(|_| BoundaryError::internal_error("keeping a draft"))?;
    let kept = StoredReview { name: name.clone(), body: text, at: ctx.now_text(), ..StoredReview::default() };
    let reviews = Reviews::of(ctx);
    let unattended = reviews.unattended.load(Ordering::Relaxed);
    let id = ctx.store().begin_review(kept.clone(), unattended).await?;
    let slot = reviews.begin(&id, &name);
    evict_unused(ctx);
    let (context, kept, reading) = (ctx.clone(), StoredReview { id, ..kept }, Arc::clone(&slot));
    let mut news = slot.news.subscribe();
    tokio::spawn(async move { load_new(&context, &reading, kept, draft, input).await });
    let _ = tokio::time::timeout(AT_ONCE, news.changed()).await;
    view_of(&slot).await
}

async fn load_new(ctx: &Context, slot: &ReviewSlot, kept: StoredReview, draft: DraftState, input: Input) {
    let id = kept.id.clone();
    let phase = match open_new(ctx, slot, kept, draft, input).await {
        Ok(session) => ReviewPhase::Open(Box::new(session)),
        Err(error) => {
            // What could not be read is no draft: nothing of it is kept.
            let _ = ctx.store().remove_review(&id).await;
            ReviewPhase::Refused(error)
        }
    };
    slot.set_phase(phase);
}

/// Reads a source for the first time. What is answered is stored whole.
async fn open_new(
    ctx: &Context,
    slot: &ReviewSlot,
    kept: StoredReview,
    mut draft: DraftState,
    input: Input,
) -> Result<ReviewSession, BoundaryError> {
    let bytes = match input {
        Input::File(path) => {
            // What is wrong with them is said once all of it is read.
            let _ = show_first_rows(ctx, slot, &kept, &draft, &path).await;
            let accepts_pipes = Reviews::of(ctx).accepts_pipes.load(Ordering::Relaxed);
            read_file(slot, &path, accepts_pipes).await?
        }
        Input::Files(paths) => read_together(slot, &paths).await?,
        Input::Bytes { bytes, .. } | Input::Correction { bytes, .. } => bytes,
    };
    let bytes = if draft.kind == SourceKind::File { check_unread(bytes).await? } else { bytes };
    if !Reviews::of(ctx).only_checks.load(Ordering::Relaxed) {
        ctx.store().save_source(&kept.id, &bytes).await?;
    }
    draft.arrival = None;
    let mut session = open_bytes(ctx, slot, kept, draft, Vec::new(), bytes).await?;
    slot.ensure_not_canceled()?;
    session.stored_at = ctx.now_text();
    ctx.store().save_review(session.draft_record()?, StepChange::None).await?;
    Ok(session)
}

/// Checks the first rows of a large file as all of them will be, but for what was sent before: a person sees what is in
/// it while it is read.
async fn show_first_rows(
    ctx: &Context,
    slot: &ReviewSlot,
    kept: &StoredReview,
    draft: &DraftState,
    path: &Path,
) -> Result<(), BoundaryError> {
    if Reviews::of(ctx).unattended.load(Ordering::Relaxed) {
        return Ok(());
    }
    let path = path.to_owned();
    let Some(bytes) = blocking(move || read_beginning(&path)).await? else { return Ok(()) };
    let source = parse(&kept.name, draft.kind, draft.options.clone(), bytes).await?;
    let checks = check_context(ctx, SentKeys::default()).await?;
    let first = open_source(ctx, kept.clone(), draft.clone(), Vec::new(), checks, source).await?;
    slot.set_phase(ReviewPhase::Reading(Some(Box::new(first))));
    Ok(())
}

/// Reads and checks all rows of a source.
async fn open_bytes(
    ctx: &Context,
    slot: &ReviewSlot,
    kept: StoredReview,
    draft: DraftState,
    steps: Vec<UndoStep>,
    bytes: Vec<u8>,
) -> Result<ReviewSession, BoundaryError> {
    slot.total.store(bytes.len() as u64, Ordering::Relaxed);
    slot.read.store(bytes.len() as u64, Ordering::Relaxed);
    // A command compares a chunk with what was sent once it is read, and only with what is in it.
    let compares_later = draft.options.chunk.is_some() && Reviews::of(ctx).unattended.load(Ordering::Relaxed);
    let sent = if compares_later { SentKeys::default() } else { sent_before(ctx, draft.own_batch()).await? };
    let mut check_context = check_context(ctx, sent).await?;
    check_context.progress = Arc::clone(&slot.progress);
    let is_large = bytes.len() > LARGE_BYTES;
    let _turn = if is_large { Some(Arc::clone(&Reviews::of(ctx).large).lock_owned().await) } else { None };
    slot.ensure_not_canceled()?;
    let mut draft = draft;
    let source = if draft.kind == SourceKind::File && is_workbook(&bytes) {
        read_marked(ctx, &kept, &mut draft, bytes).await?
    } else {
        parse(&kept.name, draft.kind, draft.options.clone(), bytes).await?
    };
    slot.rows.store(source.table.row_count() as u64, Ordering::Relaxed);
    slot.ensure_not_canceled()?;
    open_source(ctx, kept, draft, steps, check_context, source).await
}

/// Reads a workbook with a mark in the stored draft, which is taken out when the reading has come to its end.
async fn read_marked(
    ctx: &Context,
    kept: &StoredReview,
    draft: &mut DraftState,
    bytes: Vec<u8>,
) -> Result<ImportSource, BoundaryError> {
    draft.is_being_read = true;
    save_state(ctx, kept, draft).await?;
    let read = parse_or_refuse(&kept.name, draft.kind, draft.options.clone(), bytes).await;
    // A file that has ended its reader keeps the mark.
    if !matches!(&read, Ok(Err(refusal)) if refusal.has_ended_reader()) {
        draft.is_being_read = false;
        save_state(ctx, kept, draft).await?;
    }
    read?.map_err(refused)
}

async fn save_state(ctx: &Context, kept: &StoredReview, draft: &DraftState) -> Result<(), BoundaryError> {
    let body = serde_json::to_string(draft).map_err(StoreError::from)?;
    Ok(ctx.store().save_review(StoredReview { body, ..kept.clone() }, StepChange::None).await?)
}

/// Proposes a mapping and checks all rows.
pub async fn open_source(
    ctx: &Context,
    kept: StoredReview,
    mut draft: DraftState,
    steps: Vec<UndoStep>,
    check_context: CheckContext,
    source: ImportSource,
) -> Result<ReviewSession, BoundaryError> {
    let headers = bordereau_spreadsheets::source_headers(&source);
    let key = column_answers::key_of(headers.iter().map(String::as_str));
    let remembered: Vec<Mapping> = ctx
        .store()
        .list_mappings(&key)
        .await?
        .iter()
        .filter_map(|text| Mapping::from_file(text).ok())
        .collect();
    blocking(move || {
        let proposal = propose_mapping(&source, &remembered);
        let is_new = draft.mapping.is_none();
        let mapping = draft.mapping.clone().unwrap_or(proposal.mapping);
        if is_new {
            let known = proposal.is_template || column_answers::is_template_with_added(&proposal.columns);
            draft.matched = known || proposal.remembered.is_some();
            draft.mapping_name = proposal.remembered.unwrap_or_default();
            draft.mapping = Some(mapping.clone());
        }
        let read: (ImportSource, Mapping, Vec<ProposedColumn>) = (source, mapping, proposal.columns);
        let mut session =
            ReviewSession::new(&kept, draft, steps, check_context, read).ok_or_else(canceled)?;
        if is_new && column_answers::has_question(&session) {
            session.draft.matched = false;
        }
        refresh(&mut session);
        Ok(session)
    })
    .await?
}

/// Opens a stored draft again, as after a crash. A workbook whose reading has not come to its end is read only where
/// a person has decided so. The rows that a person chose `before` stay.
pub async fn reopen(
    ctx: &Context,
    slot: &ReviewSlot,
    id: &str,
    reads_again: bool,
    before: Option<Arc<ReviewSlot>>,
) {
    let phase = match reopened(ctx, slot, id, reads_again).await {
        Ok(mut session) => {
            let take = |old: &mut ReviewSession| Ok(std::mem::take(&mut old.by_query));
            let chosen = blocking(move || before.and_then(|slot| with_session(&slot, take).ok())).await;
            keep_chosen_rows(&mut session, chosen.ok().flatten().unwrap_or_default());
            ReviewPhase::Open(Box::new(session))
        }
        Err(error) => ReviewPhase::Refused(error),
    };
    slot.set_phase(phase);
}

async fn reopened(
    ctx: &Context,
    slot: &ReviewSlot,
    id: &str,
    reads_again: bool,
) -> Result<ReviewSession, BoundaryError> {
    let (kept, steps) = ctx.store().open_review(id).await?;
    let draft: DraftState = serde_json::from_str(&kept.body).map_err(StoreError::from)?;
    if draft.is_being_read && !reads_again {
        slot.can_read_again.store(true, Ordering::Relaxed);
        return Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "This workbook couldn't be read to its end last time, so it wasn't reopened automatically. \
                 Nothing was sent. Read it again, or discard this draft.",
        ));
    }
    let copy = ctx.store().review_source(id).await?;
    if let Some(identity) = draft.arrival.clone() {
        let input = find_unfinished(&kept, draft.kind, &identity, copy).await?;
        return open_new(ctx, slot, kept, draft, input).await;
    }
    let steps = steps.iter().map(|step| serde_json::from_str(step)).collect::<Result<Vec<UndoStep>, _>>();
    open_bytes(ctx, slot, kept, draft, steps.map_err(StoreError::from)?, copy).await
}

/// What a draft that was not read to its end is read from: its copy where that had become whole, or the person's
/// file where that is unchanged.
async fn find_unfinished(
    kept: &StoredReview,
    kind: SourceKind,
    identity: &FileIdentity,
    copy: Vec<u8>,
) -> Result<Input, BoundaryError> {
    if identity.is_whole(&copy) {
        return Ok(Input::Bytes { kind, name: kept.name.clone(), bytes: copy });
    }
    match identity.unchanged_file().await {
        Some(path) => Ok(Input::File(path)),
        None => Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "Bordereau closed before it finished reading this file, and the file has since changed or is \
                 gone. Nothing was changed or sent. Discard this draft and open the file again.",
        )),
    }
}

/// What rows are checked against, of the profile in use.
pub async fn check_context(ctx: &Context, sent: SentKeys) -> Result<CheckContext, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let tables = load_tables(ctx, &profile).await?;
    Ok(CheckContext {
        today: ctx.ports().clock.today(),
        rules: ctx.rules(),
        local: tables.local,
        fee_charged_by: remembered_charger(&profile),
        sent: Arc::new(sent),
        progress: Arc::default(),
    })
}
