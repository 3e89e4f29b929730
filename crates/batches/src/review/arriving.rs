//! A file on its way in: its first rows are shown before the rest is read, its bytes are kept while it is read, and
//! a program that ends in between reads it anew.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::UNIX_EPOCH;

use bordereau_spreadsheets::limits::{FILE_BYTES_MAX, LOOK_BYTES, LOOK_ROWS};
use bordereau_spreadsheets::{ReadOptions, Refusal, Source, look, read_paste};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::JoinHandle;

use super::open::{Bench, Body, Open, SourceKind};
use super::reading::{Input, blocking, parse};
use super::slots::{Phase, Slot};
use super::step::Step;
use crate::review::Reviews;
use crate::review::reading::bench;
use crate::review::reading::open_read;
use bordereau_api::{BoundaryError, ErrorCode};
use bordereau_session::Context;
use bordereau_store::{KeptReview, PART_BYTES, StepChange, StoreError};

/// From here on the first rows are shown while the rest is read.
const LARGE_BYTES: usize = 1 << 20;
const READ_BYTES: usize = 1 << 20;
/// Parts read that wait to be kept: a slow disk slows the reading, and memory stays bounded.
const PARTS_WAITING: usize = 4;

/// What a draft is read from while its own copy may not be whole: kept with it before the first byte is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Arrival {
    /// The person's file; `None` for what came without one.
    path: Option<String>,
    bytes: u64,
    /// When it was changed, in milliseconds since 1970.
    modified: Option<u64>,
}

impl Arrival {
    /// Of a paste, or of rows of a batch.
    pub fn of_bytes(bytes: &[u8]) -> Arrival {
        Arrival { bytes: bytes.len() as u64, ..Arrival::default() }
    }

    pub async fn of_file(path: &Path) -> Arrival {
        // A file that is not there is told by the reading itself.
        let metadata = tokio::fs::metadata(path).await.ok().filter(std::fs::Metadata::is_file);
        let modified = metadata.as_ref().and_then(|found| found.modified().ok());
        let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Arrival {
            path: path.to_str().map(str::to_owned),
            bytes: metadata.map_or(0, |found| found.len()),
            modified: since.and_then(|since| u64::try_from(since.as_millis()).ok()),
        }
    }

    /// Whether these are all bytes there were.
    pub fn is_whole(&self, copy: &[u8]) -> bool {
        self.bytes > 0 && copy.len() as u64 == self.bytes
    }

    /// The person's file, while it is the one that was read.
    pub async fn unchanged_file(&self) -> Option<PathBuf> {
        let path = PathBuf::from(self.path.as_ref()?);
        (self.modified.is_some() && Arrival::of_file(&path).await == *self).then_some(path)
    }
}

/// The bytes of a source, and the keeping of them, which may go on.
struct Taken {
    bytes: Vec<u8>,
    keeping: Option<JoinHandle<Result<(), StoreError>>>,
}

/// What the first rows are shown with.
struct First<'a> {
    slot: &'a Slot,
    kept: &'a KeptReview,
    body: &'a Body,
    bench: &'a Bench,
    /// What was done with a draft before.
    steps: &'a [Step],
}

/// Reads a source for the first time. What is answered is kept whole.
pub(super) async fn open_new(
    ctx: &Context,
    slot: &Slot,
    kept: KeptReview,
    mut body: Body,
    input: Input,
) -> Result<Open, BoundaryError> {
    let mut bench = bench(ctx, body.own_batch()).await?;
    let first = First { slot, kept: &kept, body: &body, bench: &bench, steps: &[] };
    let taken = match input {
        Input::File(path) => take_file(ctx, &first, &path).await?,
        Input::Bytes { bytes, .. } | Input::Correction { bytes, .. } => {
            ctx.store().keep_source(&kept.id, &bytes).await?;
            show_first(ctx, &first, &bytes, bytes.len()).await;
            Taken { bytes, keeping: None }
        }
    };
    let (source, _turn) = read_whole(ctx, slot, &kept, &body, &mut bench, taken.bytes).await?;
    body.arrival = None;
    let mut open = open_read(ctx, kept, body, Vec::new(), bench, source).await?;
    if let Some(keeping) = taken.keeping {
        keeping.await.map_err(|_| StoreError::Interrupted)??;
    }
    slot.is_wanted()?;
    open.bench.is_behind = false;
    open.stored_at = ctx.stamp();
    let kept = open.kept()?;
    ctx.store().keep_review(kept, StepChange::None).await?;
    Ok(open)
}

/// Reads all rows of a source, behind its first ones where it is large. Its turn lasts until they are checked.
async fn read_whole(
    ctx: &Context,
    slot: &Slot,
    kept: &KeptReview,
    body: &Body,
    bench: &mut Bench,
    bytes: Vec<u8>,
) -> Result<(Source, Option<OwnedSemaphorePermit>), BoundaryError> {
    // One after the other: two large tables at once take the machine from the window, and twice the memory.
    let is_large = bytes.len() > LARGE_BYTES;
    let turn = if is_large { Arc::clone(&Reviews::of(ctx).large).acquire_owned().await.ok() } else { None };
    slot.is_wanted()?;
    bench.is_behind = is_large && !is_unattended(ctx);
    bench.watch = Arc::clone(&slot.watch);
    let source = parse(&kept.name, body.kind, body.options.clone(), bytes).await?;
    slot.rows.store(source.table.row_count() as u64, Ordering::Relaxed);
    slot.is_wanted()?;
    Ok((source, turn))
}

/// Opens a draft again whose copy is whole: its first rows are shown at once, with what was done to them.
pub(super) async fn open_whole(
    ctx: &Context,
    slot: &Slot,
    kept: KeptReview,
    body: Body,
    steps: Vec<Step>,
    bytes: Vec<u8>,
) -> Result<Open, BoundaryError> {
    let mut bench = bench(ctx, body.own_batch()).await?;
    slot.total.store(bytes.len() as u64, Ordering::Relaxed);
    slot.read.store(bytes.len() as u64, Ordering::Relaxed);
    let first = First { slot, kept: &kept, body: &body, bench: &bench, steps: &steps };
    show_first(ctx, &first, &bytes, bytes.len()).await;
    let (source, _turn) = read_whole(ctx, slot, &kept, &body, &mut bench, bytes).await?;
    let mut open = open_read(ctx, kept, body, steps, bench, source).await?;
    open.bench.is_behind = false;
    Ok(open)
}

/// Reads a file, shows its first rows, and has its bytes kept as they come.
async fn take_file(ctx: &Context, first: &First<'_>, path: &Path) -> Result<Taken, BoundaryError> {
    let mut file = Arriving::begin(first.slot, path).await?;
    let mut has_more = true;
    while has_more && file.bytes.len() < LOOK_BYTES {
        has_more = file.reads_on().await?;
    }
    // A workbook's directory stands at its end.
    let is_shown = has_more && !is_workbook(&file.bytes);
    if is_shown {
        show_first(ctx, first, &file.bytes, file.size().max(file.bytes.len() + 1)).await;
    }
    let (parts, waiting) = mpsc::channel(PARTS_WAITING);
    let (store, id) = (ctx.store().clone(), first.kept.id.clone());
    let keeping = tokio::spawn(async move { store.keep_parts(&id, waiting).await });
    let mut sent = 0;
    loop {
        let end = if has_more { sent + PART_BYTES } else { file.bytes.len().min(sent + PART_BYTES) };
        if let Some(part) = file.bytes.get(sent..end).filter(|part| !part.is_empty()) {
            if parts.send(part.to_vec()).await.is_err() {
                break;
            }
            sent = end;
        } else if has_more {
            has_more = file.reads_on().await?;
        } else {
            break;
        }
    }
    drop(parts);
    if !is_shown {
        show_first(ctx, first, &file.bytes, file.bytes.len()).await;
    }
    Ok(Taken { bytes: file.bytes, keeping: Some(keeping) })
}

/// Shows the first rows of a large source. That they cannot be read says nothing yet: the whole will.
async fn show_first(ctx: &Context, first: &First<'_>, beginning: &[u8], size: usize) {
    if size <= LARGE_BYTES || is_unattended(ctx) {
        return;
    }
    let beginning = match is_workbook(beginning) {
        true => beginning,
        false => beginning.get(..LOOK_BYTES).unwrap_or(beginning),
    };
    let (name, kind) = (first.kept.name.clone(), first.body.kind);
    let (options, beginning) = (first.body.options.clone(), beginning.to_vec());
    let size = size.min(FILE_BYTES_MAX);
    let seen = blocking(move || first_rows(&name, kind, &beginning, size, &options)).await;
    let Ok(Some(source)) = seen else { return };
    let rows = u32::try_from(source.table.row_count()).unwrap_or(u32::MAX);
    let mut body = Body { arrival: None, ..first.body.clone() };
    body.messages.retain(|row, _| *row < rows);
    let steps = first.steps.iter().map(|step| step.within(rows)).collect();
    let read = open_read(ctx, first.kept.clone(), body, steps, first.bench.clone(), source).await;
    if let Ok(open) = read {
        first.slot.enter(Phase::Look(Box::new(open)));
        first.slot.sight.is_drawn().await;
    }
}

/// Nobody looks at what a command reads.
fn is_unattended(ctx: &Context) -> bool {
    Reviews::of(ctx).unattended.load(Ordering::Relaxed)
}

fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK") || bytes.starts_with(b"\xD0\xCF")
}

fn first_rows(
    name: &str,
    kind: SourceKind,
    beginning: &[u8],
    size: usize,
    options: &ReadOptions,
) -> Option<Source> {
    match kind {
        SourceKind::File => look(name, beginning, size, options).ok().flatten().map(|seen| seen.source),
        SourceKind::Paste => {
            let options = ReadOptions { first_rows: Some(LOOK_ROWS), ..options.clone() };
            let end = beginning.iter().rposition(|byte| *byte == b'\n')?;
            read_paste(&String::from_utf8_lossy(beginning.get(..end)?), &options).ok()
        }
    }
}

/// A file being read.
struct Arriving<'s> {
    slot: &'s Slot,
    file: tokio::fs::File,
    bytes: Vec<u8>,
    part: Vec<u8>,
}

impl Arriving<'_> {
    async fn begin<'s>(slot: &'s Slot, path: &Path) -> Result<Arriving<'s>, BoundaryError> {
        let file = tokio::fs::File::open(path).await.map_err(unreadable)?;
        let metadata = file.metadata().await.map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(BoundaryError::of(ErrorCode::Validation, "This is a folder. Choose a file of rows."));
        }
        slot.total.store(metadata.len(), Ordering::Relaxed);
        let room = usize::try_from(metadata.len()).unwrap_or(usize::MAX).min(FILE_BYTES_MAX);
        Ok(Arriving { slot, file, bytes: Vec::with_capacity(room), part: vec![0; READ_BYTES] })
    }

    /// Bytes of the whole file, as the file system says.
    fn size(&self) -> usize {
        usize::try_from(self.slot.total.load(Ordering::Relaxed)).unwrap_or(usize::MAX)
    }

    /// Reads the next bytes; false at the end.
    async fn reads_on(&mut self) -> Result<bool, BoundaryError> {
        let n = self.file.read(&mut self.part).await.map_err(unreadable)?;
        self.slot.is_wanted()?;
        self.bytes.extend_from_slice(self.part.get(..n).unwrap_or_default());
        self.slot.read.store(self.bytes.len() as u64, Ordering::Relaxed);
        if self.bytes.len() > FILE_BYTES_MAX {
            let megabytes = self.size().max(self.bytes.len()).div_ceil(1 << 20);
            let refusal = Refusal::TooLarge { megabytes };
            return Err(BoundaryError::of(ErrorCode::Validation, refusal.to_string()));
        }
        Ok(n > 0)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "passed to map_err")]
fn unreadable(error: std::io::Error) -> BoundaryError {
    let advice = match error.kind() {
        std::io::ErrorKind::NotFound => "It is no longer there: choose it again.",
        std::io::ErrorKind::PermissionDenied => "You may not read it: check its permissions.",
        _ => "Choose it again, or copy it to this machine first.",
    };
    BoundaryError::of(ErrorCode::Storage, format!("The file cannot be read ({}). {advice}", error.kind()))
}

/// A draft whose copy is not whole, after a crash: what it is read from anew.
pub(super) enum Anew {
    /// The copy had become whole.
    Copy(Vec<u8>),
    /// The person's file, unchanged.
    File(PathBuf),
}

/// What is left of a draft that was not read to its end.
pub(super) async fn left_of(ctx: &Context, id: &str, arrival: &Arrival) -> Result<Anew, BoundaryError> {
    let copy = ctx.store().review_source(id).await?;
    if arrival.is_whole(&copy) {
        return Ok(Anew::Copy(copy));
    }
    match arrival.unchanged_file().await {
        Some(path) => Ok(Anew::File(path)),
        None => Err(BoundaryError::of(
            ErrorCode::Validation,
            "The program ended before this file was read to its end, and the file is no longer what it was. \
             Nothing of it was changed or sent. Discard this draft and open the file again.",
        )),
    }
}

/// Reads such a draft anew.
pub(super) async fn open_anew(
    ctx: &Context,
    slot: &Arc<Slot>,
    kept: KeptReview,
    mut body: Body,
    arrival: &Arrival,
) -> Result<Open, BoundaryError> {
    let input = match left_of(ctx, &kept.id, arrival).await? {
        Anew::Copy(bytes) => Input::Bytes { kind: body.kind, name: kept.name.clone(), bytes },
        Anew::File(path) => Input::File(path),
    };
    body.arrival = Some(arrival.clone());
    open_new(ctx, slot, kept, body, input).await
}
