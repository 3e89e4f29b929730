//! The outbox's worker: one process at a time works on a data folder; however it ends, the next one continues.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::OutboxPace;
use super::schedule::run_under_lock;
use super::transition::OpenPart;
use bordereau_api::BoundaryError;
use bordereau_session::Context;
use bordereau_session::retention::apply_retention;
use bordereau_store::batches::view::count_ended;
use bordereau_store::{FolderLock, WriteObstacle};

/// The data folder's lock for sending.
pub const LOCK: &str = "outbox.lock";

/// Shared by the operations and the worker.
pub struct Outbox {
    lock: FolderLock,
    pace: Mutex<OutboxPace>,
    waker: WorkSignal,
    /// What kept the last outcome from being stored.
    pub(super) unwritable: Mutex<Option<WriteObstacle>>,
    /// Why this desk of an office sends nothing with a profile, by its id; others may.
    pub(super) desk_troubles: Mutex<HashMap<String, String>>,
}

impl Outbox {
    /// The outbox of this context.
    pub fn from_context(ctx: &Context) -> std::sync::Arc<Outbox> {
        ctx.feature_state(|folder| Outbox::new(folder.to_owned()))
    }

    fn new(folder: PathBuf) -> Outbox {
        Outbox {
            lock: FolderLock::new(folder, LOCK),
            pace: Mutex::new(OutboxPace::default()),
            waker: WorkSignal::default(),
            unwritable: Mutex::new(None),
            desk_troubles: Mutex::default(),
        }
    }

    /// Pauses and amounts in use.
    pub fn pace(&self) -> OutboxPace {
        *self.pace.lock()
    }

    /// Wakes the worker for new work.
    pub fn wake(&self) {
        self.waker.wake();
    }

    /// Whether this desk of an office sends nothing with some profile.
    pub fn has_desk_obstacle(&self) -> bool {
        !self.desk_troubles.lock().is_empty()
    }

    /// Why this desk of an office sends nothing with a profile; `None` where it does.
    pub fn desk_obstacle(&self, profile: &str) -> Option<String> {
        let troubles = self.desk_troubles.lock();
        let trouble = troubles.get(profile)?;
        Some(format!(
            "Not sent from this computer: {trouble} Other computers and servers of the office send it if they can."
        ))
    }

    /// Why nothing is sent from this data folder with a profile, in a sentence for people; `None` where nothing is in the
    /// way.
    pub fn obstacle(&self, profile: &str) -> Option<String> {
        Some(match self.lock.obstacle() {
            None => match *self.unwritable.lock() {
                Some(obstacle) => BoundaryError::from(obstacle).message,
                None => self.desk_obstacle(profile)?,
            },
            Some(ErrorKind::NotFound) => {
                "Nothing is sent: the data folder is gone. Connect its disk again, or put it back.".into()
            }
            Some(_) => {
                "Nothing is sent: the file outbox.lock in the data folder can't be opened. Check that it \
                        belongs to you and that you may write it."
                    .into()
            }
        })
    }
}

/// Wakes a worker for new work.
#[derive(Default)]
pub struct WorkSignal(Notify);

impl WorkSignal {
    /// Wakes the worker.
    pub fn wake(&self) {
        self.0.notify_waiters();
    }

    /// Returns when the worker is woken.
    pub async fn wait_woken(&self) {
        self.0.notified().await;
    }

    /// Returns when the worker is woken, or after this long.
    pub async fn woken_within(&self, at_most: Duration) {
        let _ = tokio::time::timeout(at_most, self.wait_woken()).await;
    }
}

/// Starts the worker unless it runs. Without an asynchronous runtime, the first operation that needs it starts it.
pub fn ensure_worker(ctx: &Context) {
    if ctx.is_at_work() {
        ctx.ensure_running("outbox", run_worker);
    }
}

/// Sets pauses and amounts.
pub fn set_outbox_pace(ctx: &Context, pace: OutboxPace) {
    *Outbox::from_context(ctx).pace.lock() = pace;
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
        outbox.waker.woken_within(outbox.pace().idle).await;
    }
}

/// Releases what profiles no longer keep once more batches have ended.
async fn release_ended(ctx: &Context, ended: &mut u32) -> Result<(), BoundaryError> {
    let now = ctx.store().with_connection(|db| count_ended(db)).await?;
    if now != std::mem::replace(ended, now) && ctx.store().write_obstacle().is_none() {
        apply_retention(ctx).await?;
    }
    Ok(())
}
