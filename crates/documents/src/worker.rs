//! The worker of the uploads: one process at a time works on a data folder; however it ends, the next one continues.

use std::path::Path;
use std::time::UNIX_EPOCH;

use bordereau_outbox::{Outbox, run_under_lock};
use bordereau_session::Context;
use bordereau_store::uploads::upload_files;
use chrono::{DateTime, Utc};

use super::upload_job::UploadJob;
use super::upload_worker::UploadWorker;

/// How long a document that was opened from here stays on this machine.
const OPENED_SECONDS: i64 = 24 * 3_600;

/// Starts the worker unless it runs.
pub fn ensure_upload_worker(ctx: &Context) {
    if ctx.is_at_work() {
        ctx.ensure_running("uploads", run_worker);
    }
}

async fn run_worker(ctx: Context) {
    let uploads = UploadWorker::from_context(&ctx);
    let (folder, now) = (uploads.opened_folder(), ctx.ports().clock.now());
    // Documents opened more than a day ago are at the service; no copy stays here.
    let _ = tokio::task::spawn_blocking(move || remove_opened(&folder, now)).await;
    if let Ok(known) = upload_files(ctx.store()).await {
        let stored_copies = uploads.stored_copies().clone();
        let _ = tokio::task::spawn_blocking(move || stored_copies.remove_orphans(&known)).await;
    }
    loop {
        run_under_lock::<UploadJob>(&ctx, &uploads.lock, &uploads.waker).await;
        uploads.waker.woken_within(Outbox::from_context(&ctx).pace().idle).await;
    }
}

/// Removes documents opened more than a day ago.
fn remove_opened(folder: &Path, now: DateTime<Utc>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let written = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        // A time before 1970 counts as old.
        let written = written.map(|time| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs());
        let written = written.and_then(|seconds| i64::try_from(seconds).ok());
        if written.is_some_and(|written| now.timestamp() - written > OPENED_SECONDS) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
