//! The dispatcher: a lane for each webhook that has something due, so that a dead endpoint holds up nobody
//! else (see [`super::lane`]).

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::lane;
use crate::Clock;
use crate::service::App;
use crate::store::webhooks_queue;

/// How long the dispatcher waits when nothing is due and nobody wakes it: the virtual clock may be moved
/// without a word.
pub(super) const IDLE: Duration = Duration::from_millis(250);
/// How long after the database failed.
pub(super) const AFTER_FAILURE: Duration = Duration::from_secs(1);
/// What is on its way when the service ends may take this long; what is left is sent again later.
const END_TIME: Duration = Duration::from_secs(2);

/// Webhooks that have a lane.
type Busy = Arc<Mutex<HashSet<i64>>>;

/// Takes a webhook off the list when its lane ends, however it ends.
pub(super) struct Place(Busy, i64);

impl Place {
    fn take(busy: &Busy, webhook: i64) -> Option<Place> {
        let free = busy.lock().unwrap_or_else(PoisonError::into_inner).insert(webhook);
        free.then(|| Place(Arc::clone(busy), webhook))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// Runs until told to stop.
pub(crate) async fn dispatch(app: App, mut stop: watch::Receiver<bool>) {
    let busy = Busy::default();
    let mut lanes = JoinSet::new();
    while !*stop.borrow() {
        let woken = app.webhooks.wake.notified();
        let now = app.clock.now().timestamp_millis();
        match app.store.read(move |db| webhooks_queue::due(db, now)).await {
            Ok(due) => {
                for webhook in due {
                    if let Some(place) = Place::take(&busy, webhook) {
                        lanes.spawn(lane::run(app.clone(), webhook, place, stop.clone()));
                    }
                }
            }
            Err(error) => {
                tracing::error!(%error, "the queue of deliveries cannot be read");
                tokio::time::sleep(AFTER_FAILURE).await;
            }
        }
        app.webhooks.sender.close_old();
        tokio::select! {
            () = woken => {}
            Some(_) = lanes.join_next(), if !lanes.is_empty() => {}
            () = tokio::time::sleep(IDLE) => {}
            _ = stop.wait_for(|stop| *stop) => {}
        }
    }
    let ended = async { while lanes.join_next().await.is_some() {} };
    if tokio::time::timeout(END_TIME, ended).await.is_err() {
        lanes.shutdown().await;
    }
}
