//! Reading a source into an open review, in the background; and opening a draft again.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bordereau_spreadsheets::{Mapping, ProposedColumn, ReadOptions, Source, propose, read, read_paste};

use super::arriving::Arrival;
use super::open::{Bench, Body, Open, SourceKind};
use super::slots::{Phase, Slot, ended};
use super::step::Step;
use super::{matching, view};
use crate::review::Reviews;
use crate::review::arriving::open_anew;
use crate::review::arriving::open_new;
use crate::review::arriving::open_whole;
use crate::review::sent_before::sent_before;
use bordereau_api::{BoundaryError, ErrorCode, ReviewStage, ReviewView};
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_session::profile::remembered_charger;
use bordereau_session::profile::tables;
use bordereau_store::KeptReview;

/// How long an answer waits for the reading: a small file is there at once.
const AT_ONCE: Duration = Duration::from_millis(150);
/// How long the state of a source that is being read waits for something new: what is asked for again and again is
/// then told the moment it is there.
const NEWS_WITHIN: Duration = Duration::from_millis(150);

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
        body: Box<Body>,
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
    let mut body = match &input {
        Input::File(_) => Body::default(),
        Input::Bytes { kind, .. } => Body { kind: *kind, ..Body::default() },
        Input::Correction { body, .. } => (**body).clone(),
    };
    body.arrival = Some(match &input {
        Input::File(path) => Arrival::of_file(path).await,
        Input::Bytes { bytes, .. } | Input::Correction { bytes, .. } => Arrival::of_bytes(bytes),
    });
    let text = serde_json::to_string(&body).map_err(|_| BoundaryError::internal("keeping a draft"))?;
    let kept = KeptReview { name: name.clone(), body: text, at: ctx.stamp(), ..KeptReview::default() };
    let unattended = Reviews::of(ctx).unattended.load(Ordering::Relaxed);
    let id = ctx.store().begin_review(kept.clone(), unattended).await?;
    let slot = Reviews::of(ctx).begin(&id, &name);
    Reviews::of(ctx).rest();
    let (context, kept, reading) = (ctx.clone(), KeptReview { id, ..kept }, Arc::clone(&slot));
    let mut news = slot.news.subscribe();
    tokio::spawn(async move { read_new(&context, &reading, kept, body, input).await });
    // The first rows of a large file are something to show, too: nobody waits for the rest.
    let _ = tokio::time::timeout(AT_ONCE, news.changed()).await;
    view_of(&slot).await
}

async fn read_new(ctx: &Context, slot: &Arc<Slot>, kept: KeptReview, body: Body, input: Input) {
    let id = kept.id.clone();
    let phase = match open_new(ctx, slot, kept, body, input).await {
        Ok(open) => Phase::Open(Box::new(open)),
        Err(error) => {
            // What could not be read is no draft: nothing of it is kept.
            let _ = ctx.store().remove_review(&id).await;
            Phase::Refused(error.message)
        }
    };
    slot.enter(phase);
}

/// Proposes a mapping and checks all rows.
pub async fn open_read(
    ctx: &Context,
    kept: KeptReview,
    mut body: Body,
    steps: Vec<Step>,
    bench: Bench,
    source: Source,
) -> Result<Open, BoundaryError> {
    let headers = bordereau_spreadsheets::headers(&source);
    let key = matching::key_of(headers.iter().map(String::as_str));
    let remembered: Vec<Mapping> =
        ctx.store().mappings(&key).await?.iter().filter_map(|text| Mapping::from_file(text).ok()).collect();
    blocking(move || {
        let proposal = propose(&source, &remembered);
        let is_new = body.mapping.is_none();
        let mapping = body.mapping.clone().unwrap_or(proposal.mapping);
        if is_new {
            let known = proposal.is_template || super::rejects::is_template_with_added(&proposal.columns);
            body.matched = known || proposal.remembered.is_some();
            body.mapping_name = proposal.remembered.unwrap_or_default();
            body.mapping = Some(mapping.clone());
        }
        let read: (Source, Mapping, Vec<ProposedColumn>) = (source, mapping, proposal.columns);
        let mut open = Open::new(&kept, body, steps, bench, read).ok_or_else(ended)?;
        if open.body.matched && is_new && matching::has_question(&open) {
            open.body.matched = false;
            open.refresh();
        }
        Ok(open)
    })
    .await?
}

/// Opens a kept draft again, as after a crash.
pub async fn reopen(ctx: &Context, slot: &Arc<Slot>, id: &str) {
    let opened = async {
        let (kept, steps) = ctx.store().review(id).await?;
        let body: Body = serde_json::from_str(&kept.body).map_err(bordereau_store::StoreError::from)?;
        if let Some(arrival) = body.arrival.clone() {
            return open_anew(ctx, slot, kept, body, &arrival).await;
        }
        let steps = steps.iter().map(|step| serde_json::from_str(step)).collect::<Result<Vec<Step>, _>>();
        let steps = steps.map_err(bordereau_store::StoreError::from)?;
        let bytes = ctx.store().review_source(id).await?;
        open_whole(ctx, slot, kept, body, steps, bytes).await
    };
    let phase = match opened.await {
        Ok(open) => Phase::Open(Box::new(open)),
        Err(error) => Phase::Refused(error.message),
    };
    slot.enter(phase);
}

/// What rows are checked against, of the profile in use.
pub async fn bench(ctx: &Context, batch: Option<&str>) -> Result<Bench, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let tables = tables(ctx, &profile).await?;
    let sent = Arc::new(sent_before(ctx, batch).await?);
    Ok(Bench {
        today: ctx.ports().clock.today(),
        local: tables.local,
        fee_charged_by: remembered_charger(&profile),
        sent,
        is_behind: false,
        watch: Arc::default(),
    })
}

/// The review as it stands; while it is read, the answer waits a moment for something new.
pub(super) async fn view_with_news(slot: &Arc<Slot>) -> Result<ReviewView, BoundaryError> {
    let mut news = slot.news.subscribe();
    let view = view_of(slot).await?;
    let has_news =
        view.stage == ReviewStage::Reading && tokio::time::timeout(NEWS_WITHIN, news.changed()).await.is_ok();
    if has_news { view_of(slot).await } else { Ok(view) }
}

/// The review as it stands, while it is read too.
pub async fn view_of(slot: &Arc<Slot>) -> Result<ReviewView, BoundaryError> {
    let slot = Arc::clone(slot);
    blocking(move || {
        let small = |n: &AtomicU64| u32::try_from(n.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
        let read = |view: ReviewView| ReviewView {
            read_bytes: small(&slot.read),
            total_bytes: small(&slot.total),
            read_rows: small(&slot.rows),
            checked_rows: u32::try_from(slot.watch.checked()).unwrap_or(u32::MAX),
            is_draft: view.stage == ReviewStage::Reading && slot.is_reopening(),
            ..view
        };
        let blank = || view::blank(&slot.id, &slot.name);
        read(match &*slot.phase() {
            Phase::Reading => blank(),
            Phase::Look(open) => ReviewView {
                stage: ReviewStage::Reading,
                asks: !open.body.matched,
                stored_at: String::new(),
                ..(*open.view).clone()
            },
            Phase::Refused(why) => {
                ReviewView { stage: ReviewStage::Refused, refusal: Some(why.clone()), ..blank() }
            }
            Phase::Open(open) => (*open.view).clone(),
        })
    })
    .await
}

/// Parses off the asynchronous threads.
pub async fn parse(
    name: &str,
    kind: SourceKind,
    options: ReadOptions,
    bytes: Vec<u8>,
) -> Result<Source, BoundaryError> {
    let name = name.to_owned();
    let read = blocking(move || match kind {
        SourceKind::File => read(&name, bytes, &options),
        SourceKind::Paste => read_paste(&String::from_utf8_lossy(&bytes), &options),
    });
    read.await?.map_err(|refusal| BoundaryError::of(ErrorCode::Validation, refusal.to_string()))
}

/// Heavy work off the asynchronous threads.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, BoundaryError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| BoundaryError::internal("reviewing rows"))
}
