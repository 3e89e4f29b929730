//! Reading a source into an open review, in the background; and opening a draft again.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bordereau_intake::{Mapping, ProposedColumn, ReadOptions, Source, limits, propose, read, read_paste};
use tokio::io::AsyncReadExt;

use super::open::{Bench, Body, Open, SourceKind};
use super::slots::{Phase, Slot};
use super::step::Step;
use super::{matching, view};
use crate::Desk;
use crate::api::{BoundaryError, ErrorCode, ReviewStage, ReviewView};
use crate::store::KeptReview;

/// How long an answer waits for the reading: a small file is there at once.
const AT_ONCE: Duration = Duration::from_millis(150);
const READ_BYTES: usize = 1 << 20;
/// From here on the first rows are shown while the rest is read.
const LARGE_BYTES: usize = 1 << 20;
const LOOK_ROWS: usize = 500;

/// What is to be read.
pub(crate) enum Input {
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

impl Desk {
    /// Starts a review of the input; answers with it when it is read at once.
    pub(crate) async fn start_review(&self, input: Input) -> Result<ReviewView, BoundaryError> {
        let name = match &input {
            Input::File(path) => {
                path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            }
            Input::Bytes { name, .. } | Input::Correction { name, .. } => name.clone(),
        };
        let body = match &input {
            Input::File(_) => Body::default(),
            Input::Bytes { kind, .. } => Body { kind: *kind, ..Body::default() },
            Input::Correction { body, .. } => (**body).clone(),
        };
        let text = serde_json::to_string(&body).map_err(|_| BoundaryError::internal("keeping a draft"))?;
        let kept = KeptReview { name: name.clone(), body: text, at: self.stamp(), ..KeptReview::default() };
        let unattended = self.inner.reviews.unattended.load(Ordering::Relaxed);
        let id = self.inner.store.begin_review(kept.clone(), unattended).await?;
        let slot = self.inner.reviews.begin(&id, &name);
        self.inner.reviews.rest();
        let (desk, kept, reading) = (self.clone(), KeptReview { id, ..kept }, Arc::clone(&slot));
        tokio::spawn(async move { desk.read_new(&reading, kept, body, input).await });
        // The first rows of a large file are something to show, too: nobody waits for the rest.
        let _ = tokio::time::timeout(AT_ONCE, slot.shown.notified()).await;
        self.view_of(&slot).await
    }

    async fn read_new(&self, slot: &Arc<Slot>, kept: KeptReview, body: Body, input: Input) {
        let id = kept.id.clone();
        let phase = match self.open_new(slot, kept, body, input).await {
            Ok(open) => Phase::Open(Box::new(open)),
            Err(error) => {
                // What could not be read is no draft: nothing of it is kept.
                let _ = self.inner.store.remove_review(&id).await;
                Phase::Refused(error.message)
            }
        };
        slot.enter(phase);
    }

    async fn open_new(
        &self,
        slot: &Slot,
        kept: KeptReview,
        body: Body,
        input: Input,
    ) -> Result<Open, BoundaryError> {
        let bytes = match input {
            Input::File(path) => read_file(slot, &path).await?,
            Input::Bytes { bytes, .. } | Input::Correction { bytes, .. } => bytes,
        };
        let bench = self.bench(body.batch.as_deref()).await?;
        if bytes.len() > LARGE_BYTES {
            self.look(slot, &kept, &body, &bench, &bytes).await;
        }
        self.inner.store.keep_source(&kept.id, &bytes).await?;
        let source = parse(&kept.name, body.kind, body.options.clone(), bytes).await?;
        let mut open = self.open_read(kept, body, Vec::new(), bench, source).await?;
        open.stored_at = self.stamp();
        let kept = open.kept()?;
        self.inner.store.keep_review(kept, crate::store::StepChange::None).await?;
        Ok(open)
    }

    /// Shows the first rows of a large file. That they cannot be read says nothing yet: the whole file will.
    async fn look(&self, slot: &Slot, kept: &KeptReview, body: &Body, bench: &Bench, bytes: &[u8]) {
        let is_text = !bytes.starts_with(b"PK") && !bytes.starts_with(b"\xD0\xCF");
        let part = match bytes.get(..LARGE_BYTES).filter(|_| is_text && !bytes[..2].contains(&0xFE)) {
            Some(first) => &first[..first.iter().rposition(|byte| *byte == b'\n').unwrap_or(first.len())],
            None => bytes,
        };
        let options = ReadOptions { first_rows: Some(LOOK_ROWS), ..body.options.clone() };
        let Ok(source) = parse(&kept.name, body.kind, options, part.to_vec()).await else { return };
        let read = self.open_read(kept.clone(), body.clone(), Vec::new(), bench.clone(), source).await;
        if let Ok(open) = read {
            slot.enter(Phase::Look(Box::new(open)));
        }
    }

    /// Proposes a mapping and checks all rows.
    pub(crate) async fn open_read(
        &self,
        kept: KeptReview,
        mut body: Body,
        steps: Vec<Step>,
        bench: Bench,
        source: Source,
    ) -> Result<Open, BoundaryError> {
        let headers = bordereau_intake::headers(&source);
        let key = matching::key_of(headers.iter().map(String::as_str));
        let remembered: Vec<Mapping> = self
            .inner
            .store
            .mappings(&key)
            .await?
            .iter()
            .filter_map(|text| Mapping::from_file(text).ok())
            .collect();
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
            let mut open = Open::new(&kept, body, steps, bench, read);
            if open.body.matched && is_new && matching::has_question(&open) {
                open.body.matched = false;
                open.refresh();
            }
            open
        })
        .await
    }

    /// Opens a kept draft again, as after a crash.
    pub(crate) async fn reopen(&self, slot: &Arc<Slot>, id: &str) {
        let opened = async {
            let (kept, steps) = self.inner.store.review(id).await?;
            let body: Body = serde_json::from_str(&kept.body).map_err(crate::store::StoreError::from)?;
            let steps = steps.iter().map(|step| serde_json::from_str(step)).collect::<Result<Vec<Step>, _>>();
            let steps = steps.map_err(crate::store::StoreError::from)?;
            let bytes = self.inner.store.review_source(id).await?;
            let bench = self.bench(body.own_batch()).await?;
            let source = parse(&kept.name, body.kind, body.options.clone(), bytes).await?;
            self.open_read(kept, body, steps, bench, source).await
        };
        let phase = match opened.await {
            Ok(open) => Phase::Open(Box::new(open)),
            Err(error) => Phase::Refused(error.message),
        };
        slot.enter(phase);
    }

    /// What rows are checked against, of the profile in use.
    pub(crate) async fn bench(&self, batch: Option<&str>) -> Result<Bench, BoundaryError> {
        let profile = self.active_profile().await?;
        let tables = self.tables(&profile).await?;
        let sent = Arc::new(self.sent_before(batch).await?);
        Ok(Bench { today: self.inner.ports.clock.today(), local: tables.local, sent })
    }

    /// The review as it stands, while it is read too.
    pub(crate) async fn view_of(&self, slot: &Arc<Slot>) -> Result<ReviewView, BoundaryError> {
        let slot = Arc::clone(slot);
        blocking(move || {
            let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
            let (read, total) = (slot.read.load(Ordering::Relaxed), slot.total.load(Ordering::Relaxed));
            let blank = || ReviewView {
                read_bytes: small(read),
                total_bytes: small(total),
                ..view::blank(&slot.id, &slot.name)
            };
            match &*slot.phase() {
                Phase::Reading => blank(),
                Phase::Look(open) => ReviewView {
                    stage: ReviewStage::Reading,
                    read_bytes: small(read),
                    total_bytes: small(total),
                    ..(*open.view).clone()
                },
                Phase::Refused(why) => {
                    ReviewView { stage: ReviewStage::Refused, refusal: Some(why.clone()), ..blank() }
                }
                Phase::Open(open) => {
                    ReviewView { read_bytes: small(read), total_bytes: small(total), ..(*open.view).clone() }
                }
            }
        })
        .await
    }
}

/// Parses off the asynchronous threads.
pub(crate) async fn parse(
    name: &str,
    kind: SourceKind,
    options: ReadOptions,
    bytes: Vec<u8>,
) -> Result<Source, BoundaryError> {
    let name = name.to_owned();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let options = ReadOptions { threads, ..options };
    let read = blocking(move || match kind {
        SourceKind::File => read(&name, bytes, &options),
        SourceKind::Paste => read_paste(&String::from_utf8_lossy(&bytes), &options),
    });
    read.await?.map_err(|refusal| BoundaryError::of(ErrorCode::Validation, refusal.to_string()))
}

async fn read_file(slot: &Slot, path: &std::path::Path) -> Result<Vec<u8>, BoundaryError> {
    let failed = |error: std::io::Error| {
        let advice = match error.kind() {
            std::io::ErrorKind::NotFound => "It is no longer there: choose it again.",
            std::io::ErrorKind::PermissionDenied => "You may not read it: check its permissions.",
            _ => "Choose it again, or copy it to this machine first.",
        };
        BoundaryError::of(ErrorCode::Storage, format!("The file cannot be read ({}). {advice}", error.kind()))
    };
    let mut file = tokio::fs::File::open(path).await.map_err(failed)?;
    let metadata = file.metadata().await.map_err(failed)?;
    if metadata.is_dir() {
        return Err(BoundaryError::of(ErrorCode::Validation, "This is a folder. Choose a file of rows."));
    }
    slot.total.store(metadata.len(), Ordering::Relaxed);
    let (mut bytes, mut part) = (Vec::new(), vec![0; READ_BYTES]);
    loop {
        let n = file.read(&mut part).await.map_err(failed)?;
        if n == 0 {
            return Ok(bytes);
        }
        bytes.extend_from_slice(&part[..n]);
        slot.read.store(bytes.len() as u64, Ordering::Relaxed);
        if bytes.len() > limits::FILE_BYTES_MAX {
            let refusal = bordereau_intake::Refusal::TooLarge {
                megabytes: usize::try_from(metadata.len().div_ceil(1 << 20)).unwrap_or(usize::MAX),
            };
            return Err(BoundaryError::of(ErrorCode::Validation, refusal.to_string()));
        }
    }
}

/// Heavy work off the asynchronous threads.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, BoundaryError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| BoundaryError::internal("reviewing rows"))
}
