//! Loading a source into a session, in the background: for the first time, or a stored draft again. Its bytes are
//! stored before its rows are shown; a draft whose copy was cut off by a crash is read from its file again.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bordereau_api::{BoundaryError, ErrorCode, ReviewView};
use bordereau_session::Context;
use bordereau_session::profile::{active_profile, remembered_charger, tables};
use bordereau_spreadsheets::{Mapping, ProposedColumn, Source, propose};
use bordereau_store::{KeptReview, StepChange, StoreError};

use super::draft::{DraftState, FileIdentity, SourceKind};
use super::matching;
use super::sent_before::sent_before;
use super::session::{CheckContext, ReviewSession};
use super::slots::{Phase, Reviews, Slot, blocking, canceled, view_of};
use super::source_reading::{parse, read_file};
use super::step::Step;
use super::view::refresh;

/// How long an answer waits for the reading: a small file is there at once.
const AT_ONCE: Duration = Duration::from_millis(150);
/// Sources larger than this are read one after the other: two at once take twice the memory, and the machine from
/// the window.
const LARGE_BYTES: usize = 1 << 20;

/// What is to be read.
pub enum Input {
    File(PathBuf),
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

/// Starts a review of the input; answers with it when it is read at once.
pub async fn start_review(ctx: &Context, input: Input) -> Result<ReviewView, BoundaryError> {
    let name = match &input {
        Input::File(path) => {
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        }
        Input::Bytes { name, .. } | Input::Correction { name, .. } => name.clone(),
    };
    let mut draft = match &input {
        Input::File(_) => DraftState::default(),
        Input::Bytes { kind, .. } => DraftState { kind: *kind, ..DraftState::default() },
        Input::Correction { draft, .. } => (**draft).clone(),
    };
    draft.arrival = Some(match &input {
        Input::File(path) => FileIdentity::of_file(path).await,
        Input::Bytes { bytes, .. } | Input::Correction { bytes, .. } => FileIdentity::of_bytes(bytes),
    });
    let text = serde_json::to_string(&draft).map_err(|_| BoundaryError::internal("keeping a draft"))?;
    let kept = KeptReview { name: name.clone(), body: text, at: ctx.stamp(), ..KeptReview::default() };
    let reviews = Reviews::of(ctx);
    let unattended = reviews.unattended.load(Ordering::Relaxed);
    let id = ctx.store().begin_review(kept.clone(), unattended).await?;
    let slot = reviews.begin(&id, &name);
    reviews.evict_idle();
    let (context, kept, reading) = (ctx.clone(), KeptReview { id, ..kept }, Arc::clone(&slot));
    let mut news = slot.news.subscribe();
    tokio::spawn(async move { load_new(&context, &reading, kept, draft, input).await });
    let _ = tokio::time::timeout(AT_ONCE, news.changed()).await;
    view_of(&slot).await
}

async fn load_new(ctx: &Context, slot: &Slot, kept: KeptReview, draft: DraftState, input: Input) {
    let id = kept.id.clone();
    let phase = match open_new(ctx, slot, kept, draft, input).await {
        Ok(session) => Phase::Open(Box::new(session)),
        Err(error) => {
            // What could not be read is no draft: nothing of it is kept.
            let _ = ctx.store().remove_review(&id).await;
            Phase::Refused(error.message)
        }
    };
    slot.enter(phase);
}

/// Reads a source for the first time. What is answered is stored whole.
async fn open_new(
    ctx: &Context,
    slot: &Slot,
    kept: KeptReview,
    mut draft: DraftState,
    input: Input,
) -> Result<ReviewSession, BoundaryError> {
    let bytes = match input {
        Input::File(path) => read_file(slot, &path).await?,
        Input::Bytes { bytes, .. } | Input::Correction { bytes, .. } => bytes,
    };
    ctx.store().keep_source(&kept.id, &bytes).await?;
    draft.arrival = None;
    let mut session = open_bytes(ctx, slot, kept, draft, Vec::new(), bytes).await?;
    slot.ensure_not_canceled()?;
    session.stored_at = ctx.stamp();
    ctx.store().keep_review(session.draft_record()?, StepChange::None).await?;
    Ok(session)
}

/// Reads and checks all rows of a source.
async fn open_bytes(
    ctx: &Context,
    slot: &Slot,
    kept: KeptReview,
    draft: DraftState,
    steps: Vec<Step>,
    bytes: Vec<u8>,
) -> Result<ReviewSession, BoundaryError> {
    slot.total.store(bytes.len() as u64, Ordering::Relaxed);
    slot.read.store(bytes.len() as u64, Ordering::Relaxed);
    let mut check_context = check_context(ctx, draft.own_batch()).await?;
    check_context.watch = Arc::clone(&slot.watch);
    let is_large = bytes.len() > LARGE_BYTES;
    let _turn = if is_large { Arc::clone(&Reviews::of(ctx).large).acquire_owned().await.ok() } else { None };
    slot.ensure_not_canceled()?;
    let source = parse(&kept.name, draft.kind, draft.options.clone(), bytes).await?;
    slot.rows.store(source.table.row_count() as u64, Ordering::Relaxed);
    slot.ensure_not_canceled()?;
    open_source(ctx, kept, draft, steps, check_context, source).await
}

/// Proposes a mapping and checks all rows.
pub async fn open_source(
    ctx: &Context,
    kept: KeptReview,
    mut draft: DraftState,
    steps: Vec<Step>,
    check_context: CheckContext,
    source: Source,
) -> Result<ReviewSession, BoundaryError> {
    let headers = bordereau_spreadsheets::headers(&source);
    let key = matching::key_of(headers.iter().map(String::as_str));
    let remembered: Vec<Mapping> =
        ctx.store().mappings(&key).await?.iter().filter_map(|text| Mapping::from_file(text).ok()).collect();
    blocking(move || {
        let proposal = propose(&source, &remembered);
        let is_new = draft.mapping.is_none();
        let mapping = draft.mapping.clone().unwrap_or(proposal.mapping);
        if is_new {
            let known = proposal.is_template || matching::is_template_with_added(&proposal.columns);
            draft.matched = known || proposal.remembered.is_some();
            draft.mapping_name = proposal.remembered.unwrap_or_default();
            draft.mapping = Some(mapping.clone());
        }
        let read: (Source, Mapping, Vec<ProposedColumn>) = (source, mapping, proposal.columns);
        let mut session =
            ReviewSession::new(&kept, draft, steps, check_context, read).ok_or_else(canceled)?;
        if is_new && matching::has_question(&session) {
            session.draft.matched = false;
        }
        refresh(&mut session);
        Ok(session)
    })
    .await?
}

/// Opens a stored draft again, as after a crash.
pub async fn reopen(ctx: &Context, slot: &Slot, id: &str) {
    let phase = match reopened(ctx, slot, id).await {
        Ok(session) => Phase::Open(Box::new(session)),
        Err(error) => Phase::Refused(error.message),
    };
    slot.enter(phase);
}

async fn reopened(ctx: &Context, slot: &Slot, id: &str) -> Result<ReviewSession, BoundaryError> {
    let (kept, steps) = ctx.store().review(id).await?;
    let draft: DraftState = serde_json::from_str(&kept.body).map_err(StoreError::from)?;
    let copy = ctx.store().review_source(id).await?;
    if let Some(identity) = draft.arrival.clone() {
        let input = find_unfinished(&kept, draft.kind, &identity, copy).await?;
        return open_new(ctx, slot, kept, draft, input).await;
    }
    let steps = steps.iter().map(|step| serde_json::from_str(step)).collect::<Result<Vec<Step>, _>>();
    open_bytes(ctx, slot, kept, draft, steps.map_err(StoreError::from)?, copy).await
}

/// What a draft that was not read to its end is read from: its copy where that had become whole, or the person's
/// file where that is unchanged.
async fn find_unfinished(
    kept: &KeptReview,
    kind: SourceKind,
    identity: &FileIdentity,
    copy: Vec<u8>,
) -> Result<Input, BoundaryError> {
    if identity.is_whole(&copy) {
        return Ok(Input::Bytes { kind, name: kept.name.clone(), bytes: copy });
    }
    match identity.unchanged_file().await {
        Some(path) => Ok(Input::File(path)),
        None => Err(BoundaryError::of(
            ErrorCode::Validation,
            "Bordereau closed before this file was read to its end, and the file has changed since or is gone. \
             Nothing of it was changed or sent. Discard this draft and open the file again.",
        )),
    }
}

/// What rows are checked against, of the profile in use.
pub async fn check_context(ctx: &Context, batch: Option<&str>) -> Result<CheckContext, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let tables = tables(ctx, &profile).await?;
    let sent = Arc::new(sent_before(ctx, batch).await?);
    Ok(CheckContext {
        today: ctx.ports().clock.today(),
        local: tables.local,
        fee_charged_by: remembered_charger(&profile),
        sent,
        watch: Arc::default(),
    })
}
