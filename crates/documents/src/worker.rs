//! The worker of the uploads: one process at a time works on a data folder; when it ends, however it ends, the
//! next one goes on. A few files at once, so that many small ones are not held up by the way there and back.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use chrono::{DateTime, Utc};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::downloads::Downloads;
use super::shelf::Shelf;
use super::step::Progress;
use crate::step::upload_step;
use bordereau_batches::outbox::Outbox;
use bordereau_batches::outbox::Waker;
use bordereau_session::Context;
use bordereau_store::FolderLock;
use bordereau_store::uploads::OpenUpload;
use bordereau_store::uploads::open_uploads;
use bordereau_store::uploads::recover_uploads;
use bordereau_store::uploads::upload_files;

/// Uploads sent at once.
const AT_ONCE: usize = 4;
/// Bytes sent at once, beyond which the next file waits: on a slow line each must end within its time.
const BYTES_AT_ONCE: u64 = 48 * 1024 * 1024;

/// How long a document that was opened from here lies on this machine.
const OPENED_SECONDS: i64 = 24 * 3_600;

/// What the operations and the worker share.
pub struct UploadWorker {
    lock: FolderLock,
    waker: Waker,
    opened: PathBuf,
    shelf: Shelf,
    /// Bytes on their way, by id of the upload.
    sent: Arc<Mutex<HashMap<String, u64>>>,
    downloads: Downloads,
}

impl UploadWorker {
    /// That of this context.
    pub fn of(ctx: &Context) -> std::sync::Arc<UploadWorker> {
        ctx.state(|folder| UploadWorker::new(folder.to_owned()))
    }

    fn new(folder: PathBuf) -> UploadWorker {
        let (opened, shelf) = (folder.join("opened"), Shelf::new(&folder));
        UploadWorker {
            lock: FolderLock::new(folder, "uploads.lock"),
            waker: Waker::default(),
            opened,
            shelf,
            sent: Arc::default(),
            downloads: Downloads::default(),
        }
    }

    /// What notes the bytes of an upload that are on their way.
    pub(super) fn note_sent(&self, id: &str) -> impl Fn(u64) + Send + Sync + 'static + use<> {
        let (sent, id) = (Arc::clone(&self.sent), id.to_owned());
        move |bytes| {
            sent.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), bytes);
        }
    }

    pub(super) fn forget_sent(&self, id: &str) {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Bytes of an upload that are on their way in this process.
    pub(super) fn sent(&self, id: &str) -> u64 {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied().unwrap_or_default()
    }

    /// Where documents lie that were opened from here.
    pub(super) fn opened_folder(&self) -> PathBuf {
        self.opened.clone()
    }

    /// What is being fetched for the person.
    pub(super) fn downloads(&self) -> &Downloads {
        &self.downloads
    }

    /// The copies of what is to be sent.
    pub(super) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// Tells the worker that there is something new.
    pub fn wake(&self) {
        self.waker.wake();
    }
}

/// Starts the worker unless it runs.
pub fn ensure_upload_worker(ctx: &Context) {
    if ctx.is_at_work() {
        ctx.ensure_running("uploads", run);
    }
}

async fn run(ctx: Context) {
    let (folder, now) = (UploadWorker::of(&ctx).opened_folder(), ctx.ports().clock.now());
    // What was opened from here yesterday is at the service; no copy of it stays.
    let _ = tokio::task::spawn_blocking(move || remove_opened(&folder, now)).await;
    if let Ok(known) = upload_files(ctx.store()).await {
        let shelf = UploadWorker::of(&ctx).shelf().clone();
        let _ = tokio::task::spawn_blocking(move || shelf.sweep(&known)).await;
    }
    loop {
        let open = open_uploads(ctx.store()).await.unwrap_or_default();
        if !open.is_empty()
            && let Some(lock) = UploadWorker::of(&ctx).lock.take()
        {
            // Under the lock nobody else is sending: what stands there as being sent was left behind.
            match recover_uploads(ctx.store()).await {
                Ok(()) => serve(&ctx).await,
                Err(error) => tracing::warn!(%error, "uploads"),
            }
            drop(lock);
        }
        rest(&ctx, Outbox::of(&ctx).pace().idle).await;
    }
}

/// Removes what was opened longer than a day ago.
fn remove_opened(folder: &Path, now: DateTime<Utc>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let written = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        // A time before 1970 is as old as any.
        let written = written.map(|time| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs());
        let written = written.and_then(|seconds| i64::try_from(seconds).ok());
        if written.is_some_and(|written| now.timestamp() - written > OPENED_SECONDS) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

async fn rest(ctx: &Context, at_most: Duration) {
    let uploads = UploadWorker::of(ctx);
    tokio::select! {
        () = tokio::time::sleep(at_most) => {}
        () = uploads.waker.woken() => {}
    }
}

/// When what is due: an upload by its number, a profile after trouble.
#[derive(Default)]
struct Timetable {
    uploads: HashMap<i64, Instant>,
    profiles: HashMap<String, (Instant, u32)>,
}

impl Timetable {
    fn is_due(&self, upload: &OpenUpload, now: Instant) -> bool {
        self.uploads.get(&upload.seq).is_none_or(|due| *due <= now)
            && self.profiles.get(&upload.profile_id).is_none_or(|(due, _)| *due <= now)
    }
}

/// Works until nothing is open.
async fn serve(ctx: &Context) {
    let mut running: JoinSet<(OpenUpload, Progress)> = JoinSet::new();
    let mut busy: HashMap<i64, u64> = HashMap::new();
    let mut times = Timetable::default();
    loop {
        let open = open_uploads(ctx.store()).await.unwrap_or_default();
        let numbers: HashSet<i64> = open.iter().map(|upload| upload.seq).collect();
        times.uploads.retain(|seq, _| numbers.contains(seq));
        let now = Instant::now();
        for upload in open {
            let bytes: u64 = busy.values().sum();
            let room = busy.is_empty() || (busy.len() < AT_ONCE && bytes + upload.bytes <= BYTES_AT_ONCE);
            if !room {
                break;
            }
            if !busy.contains_key(&upload.seq) && times.is_due(&upload, now) {
                busy.insert(upload.seq, upload.bytes);
                let ctx = ctx.clone();
                running.spawn(async move {
                    let progress = upload_step(&ctx, &upload).await;
                    (upload, progress)
                });
            }
        }
        if busy.is_empty() && numbers.is_empty() {
            return;
        }
        let pace = Outbox::of(ctx).pace();
        tokio::select! {
            ended = running.join_next(), if !running.is_empty() => match ended {
                Some(Ok((upload, progress))) => {
                    busy.remove(&upload.seq);
                    note(&mut times, &upload, progress, pace);
                }
                // One that panicked: all that were begun are looked up by the next round.
                _ => return,
            },
            () = rest(ctx, pace.idle) => {}
        }
    }
}

fn note(times: &mut Timetable, upload: &OpenUpload, progress: Progress, pace: bordereau_batches::OutboxPace) {
    let now = Instant::now();
    match progress {
        Progress::Moved => {
            times.uploads.remove(&upload.seq);
            times.profiles.remove(&upload.profile_id);
        }
        Progress::Recheck => {
            times.uploads.insert(upload.seq, now + pace.recheck);
        }
        Progress::Rest(pause) => {
            let attempts = times.profiles.get(&upload.profile_id).map_or(1, |(_, attempts)| attempts + 1);
            let wait = pace.pause(attempts).max(pause.unwrap_or_default());
            times.profiles.insert(upload.profile_id.clone(), (now + wait, attempts));
        }
    }
}
