//! The worker of the outbox: one process at a time works on a data folder; when it ends, however it ends,
//! the next one goes on.

use std::path::PathBuf;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::OutboxPace;
use super::schedule::run_under_lock;
use super::transition::OpenPart;
use crate::review::Reviews;
use bordereau_api::BoundaryError;
use bordereau_session::Context;
use bordereau_session::retention::apply_retention;
use bordereau_store::FolderLock;
use bordereau_store::batches::view::count_ended;

/// The lock of the data folder under which is sent.
pub const LOCK: &str = "outbox.lock";

/// What the operations and the worker share.
pub struct Outbox {
    lock: FolderLock,
    pace: Mutex<OutboxPace>,
    waker: WorkSignal,
}

impl Outbox {
    /// That of this context.
    pub fn from_context(ctx: &Context) -> std::sync::Arc<Outbox> {
        ctx.feature_state(|folder| Outbox::new(folder.to_owned()))
    }

    fn new(folder: PathBuf) -> Outbox {
        Outbox {
            lock: FolderLock::new(folder, LOCK),
            pace: Mutex::new(OutboxPace::default()),
            waker: WorkSignal::default(),
        }
    }

    /// How often the service is asked.
    pub fn pace(&self) -> OutboxPace {
        *self.pace.lock()
    }

    fn set_pace(&self, pace: OutboxPace) {
        *self.pace.lock() = pace;
    }

    /// Notifies the worker that there is something new.
    pub fn wake(&self) {
        self.waker.wake();
    }
}

/// Notifies a worker that there is something new.
#[derive(Default)]
pub struct WorkSignal(Notify);

impl WorkSignal {
    /// Notifies the worker.
    pub fn wake(&self) {
        self.0.notify_waiters();
    }

    /// Ready when the worker is notified.
    pub async fn wait_woken(&self) {
        self.0.notified().await;
    }

    /// Ready when the worker is notified, or after this long.
    pub async fn woken_within(&self, at_most: Duration) {
        let _ = tokio::time::timeout(at_most, self.wait_woken()).await;
    }
}

/// Starts the worker unless it runs; without an asynchronous runtime it is started by the first operation
/// that needs it.
pub fn ensure_worker(ctx: &Context) {
    if ctx.is_at_work() {
        ctx.ensure_running("outbox", run_worker);
    }
}

/// How often the service is asked, and how many transactions go at once.
pub fn set_outbox_pace(ctx: &Context, pace: OutboxPace) {
    Outbox::from_context(ctx).set_pace(pace);
    Outbox::from_context(ctx).wake();
}

async fn run_worker(ctx: Context) {
    let outbox = Outbox::from_context(&ctx);
    let mut ended = 0;
    loop {
        run_under_lock::<OpenPart>(&ctx, &outbox.lock, &outbox.waker).await;
        if let Err(error) = release_ended(&ctx, &mut ended).await {
            tracing::warn!(%error, "what ended batches need no longer is let go later");
        }
        Reviews::of(&ctx).evict_idle();
        outbox.waker.woken_within(outbox.pace().idle).await;
    }
}

/// Lets go of what profiles keep no longer once more batches have ended.
async fn release_ended(ctx: &Context, ended: &mut u32) -> Result<(), BoundaryError> {
    let now = ctx.store().with_connection(|db| count_ended(db)).await?;
    if now != std::mem::replace(ended, now) && ctx.store().write_obstacle().is_none() {
        apply_retention(ctx).await?;
    }
    Ok(())
}
