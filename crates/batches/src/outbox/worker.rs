//! The worker of the outbox: one process at a time works on a data folder; when it ends, however it ends,
//! the next one goes on.

use std::collections::HashSet;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::OutboxPace;
use super::profile_worker;
use super::transition::open_parts;
use super::transition::recover;
use crate::review::Reviews;
use bordereau_session::Context;
use bordereau_store::FolderLock;

const LOCK: &str = "outbox.lock";

/// What the operations and the worker share.
pub struct Outbox {
    lock: FolderLock,
    pace: Mutex<OutboxPace>,
    waker: Waker,
}

impl Outbox {
    /// That of this context.
    pub fn of(ctx: &Context) -> std::sync::Arc<Outbox> {
        ctx.state(|folder| Outbox::new(folder.to_owned()))
    }

    fn new(folder: PathBuf) -> Outbox {
        Outbox {
            lock: FolderLock::new(folder, LOCK),
            pace: Mutex::new(OutboxPace::default()),
            waker: Waker::default(),
        }
    }

    /// How often the service is asked.
    pub fn pace(&self) -> OutboxPace {
        *self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_pace(&self, pace: OutboxPace) {
        *self.pace.lock().unwrap_or_else(PoisonError::into_inner) = pace;
    }

    /// Tells the worker that there is something new.
    pub fn wake(&self) {
        self.waker.wake();
    }

    /// Ready when there is something new.
    pub async fn woken(&self) {
        self.waker.woken().await;
    }
}

/// Tells a worker that there is something new.
#[derive(Default)]
pub struct Waker(Notify);

impl Waker {
    /// Tells the worker.
    pub fn wake(&self) {
        self.0.notify_waiters();
    }

    /// Ready when the worker is told.
    pub async fn woken(&self) {
        self.0.notified().await;
    }
}

/// Starts the worker unless it runs; without an asynchronous runtime it is started by the first operation
/// that needs it.
pub fn ensure_worker(ctx: &Context) {
    if ctx.is_at_work() {
        ctx.ensure_running("outbox", run);
    }
}

/// How often the service is asked, and how many transactions go at once.
pub fn set_outbox_pace(ctx: &Context, pace: OutboxPace) {
    Outbox::of(ctx).set_pace(pace);
    Outbox::of(ctx).wake();
}

async fn run(ctx: Context) {
    let outbox = Outbox::of(&ctx);
    loop {
        if let Some(lock) = work_waits(&ctx).await {
            serve(&ctx).await;
            drop(lock);
        }
        Reviews::of(&ctx).evict_idle();
        let idle = outbox.pace().idle;
        tokio::select! {
            () = tokio::time::sleep(idle) => {}
            () = outbox.woken() => {}
        }
    }
}

/// The lock, when there is work and no other process does it.
async fn work_waits(ctx: &Context) -> Option<File> {
    match open_parts(ctx.store()).await {
        Ok(parts) if parts.is_empty() => return None,
        Ok(_) => {}
        Err(error) => {
            tracing::warn!(%error, "outbox");
            return None;
        }
    }
    let lock = Outbox::of(ctx).lock.take()?;
    // Under the lock nobody else is sending: what stands there as being sent was left behind.
    match recover(ctx.store(), ctx.moment()).await {
        Ok(()) => Some(lock),
        Err(error) => {
            tracing::warn!(%error, "outbox");
            None
        }
    }
}

/// Works until nothing is open, each profile for itself.
async fn serve(ctx: &Context) {
    let outbox = Outbox::of(ctx);
    let mut workers: JoinSet<String> = JoinSet::new();
    let mut busy: HashSet<String> = HashSet::new();
    loop {
        let open = open_parts(ctx.store()).await.unwrap_or_default();
        for part in open {
            if busy.insert(part.profile_id.clone()) {
                let (ctx, id) = (ctx.clone(), part.profile_id);
                workers.spawn(async move {
                    profile_worker::work(ctx, id.clone()).await;
                    id
                });
            }
        }
        if busy.is_empty() {
            return;
        }
        let idle: Duration = Outbox::of(ctx).pace().idle;
        tokio::select! {
            ended = workers.join_next() => match ended {
                Some(Ok(id)) => { busy.remove(&id); }
                // One that panicked is started anew, after a pause: it may panic again.
                _ => {
                    workers.abort_all();
                    workers = JoinSet::new();
                    busy.clear();
                    tokio::time::sleep(idle).await;
                }
            },
            () = tokio::time::sleep(idle) => {}
            () = outbox.woken() => {}
        }
    }
}
