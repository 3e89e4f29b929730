//! The dispatcher: a lane for each webhook that has something due, so that a dead endpoint holds up nobody
//! else; within a lane deliveries go side by side, those of one subject one after the other.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::giving_up;
use super::schedule;
use super::sender::{Answered, Target};
use crate::Clock;
use crate::service::App;
use crate::store::webhooks::{self, Kept};
use crate::store::webhooks_queue::{self, Attempt, Claimed, Onward};

/// Deliveries on their way to one endpoint.
const SIDE_BY_SIDE: usize = 32;
/// How long the dispatcher waits when nothing is due and nobody wakes it: the virtual clock may be moved
/// without a word.
const IDLE: Duration = Duration::from_millis(250);
/// How long after the database failed.
const AFTER_FAILURE: Duration = Duration::from_secs(1);
/// What is on its way when the service ends may take this long; what is left is sent again later.
const END_TIME: Duration = Duration::from_secs(2);

/// Webhooks that have a lane.
type Busy = Arc<Mutex<HashSet<i64>>>;

/// Takes a webhook off the list when its lane ends, however it ends.
struct Place(Busy, i64);

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
        let now = app.clock.now().as_millisecond();
        match app.store.run(move |db| webhooks_queue::due(db, now)).await {
            Ok(due) => {
                for webhook in due {
                    if let Some(place) = Place::take(&busy, webhook) {
                        lanes.spawn(lane(app.clone(), webhook, place, stop.clone()));
                    }
                }
            }
            Err(error) => {
                tracing::error!(%error, "the queue of deliveries cannot be read");
                tokio::time::sleep(AFTER_FAILURE).await;
            }
        }
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

/// An attempt that was made.
struct Made {
    claimed: Claimed,
    attempt: Attempt,
}

/// Delivers what is due for a webhook, until nothing is.
async fn lane(app: App, webhook: i64, _place: Place, stop: watch::Receiver<bool>) {
    let mut flying: JoinSet<Made> = JoinSet::new();
    let mut made: Vec<Made> = Vec::new();
    let mut first = true;
    loop {
        // What this process left behind when an earlier lane of the webhook broke off is taken up again.
        let room = if *stop.borrow() { 0 } else { SIDE_BY_SIDE - flying.len() };
        let round = turn(&app, webhook, std::mem::take(&mut made), room, std::mem::take(&mut first)).await;
        let (kept, claimed) = match round {
            Ok(Some(round)) => round,
            Ok(None) => return,
            Err(error) => {
                tracing::error!(%error, "deliveries cannot be taken or settled");
                tokio::time::sleep(AFTER_FAILURE).await;
                return;
            }
        };
        launch(&app, &kept, claimed, &mut flying, &mut made);
        if flying.is_empty() && made.is_empty() {
            return;
        }
        if made.is_empty()
            && let Some(Ok(done)) = flying.join_next().await
        {
            made.push(done);
        }
        while let Some(Ok(done)) = flying.try_join_next() {
            made.push(done);
        }
    }
}

/// Sends what was taken; what cannot even be sent has failed at once.
fn launch(app: &App, kept: &Kept, claimed: Vec<Claimed>, flying: &mut JoinSet<Made>, made: &mut Vec<Made>) {
    if claimed.is_empty() {
        return;
    }
    match Target::new(kept, &app.webhooks.sealer) {
        Ok(target) => {
            let target = Arc::new(target);
            for claimed in claimed {
                let (app, target) = (app.clone(), Arc::clone(&target));
                flying.spawn(async move {
                    let body = webhooks_queue::body(claimed.event_id, &claimed.rest);
                    let answered = app.webhooks.sender.post(&target, body).await;
                    Made { attempt: attempt(&app, answered), claimed }
                });
            }
        }
        Err(why) => {
            let answered =
                || Answered { status: None, body: String::new(), error: Some(why.clone()), milliseconds: 0 };
            made.extend(
                claimed.into_iter().map(|claimed| Made { attempt: attempt(app, answered()), claimed }),
            );
        }
    }
}

pub(super) fn attempt(app: &App, answered: Answered) -> Attempt {
    Attempt {
        at: app.clock.now().as_millisecond(),
        status: answered.status,
        body: answered.body,
        error: answered.error,
        milliseconds: answered.milliseconds,
    }
}

/// In one transaction: settles what was made and takes what is due.
async fn turn(
    app: &App,
    webhook: i64,
    made: Vec<Made>,
    room: usize,
    release: bool,
) -> Result<Option<(Kept, Vec<Claimed>)>, crate::store::StoreError> {
    let (instance, now) = (app.webhooks.instance.clone(), app.clock.now().as_millisecond());
    app.store
        .run(move |db| {
            let kept = webhooks::target(db, webhook)?;
            for Made { claimed, attempt } in &made {
                settle(db, kept.as_ref(), claimed, attempt, &instance)?;
            }
            let Some(kept) = kept else { return Ok(None) };
            if release {
                webhooks_queue::release(db, webhook, &instance)?;
            }
            let claimed = if room == 0 {
                Vec::new()
            } else {
                webhooks_queue::claim(db, webhook, &instance, room, now)?
            };
            Ok(Some((kept, claimed)))
        })
        .await
}

fn settle(
    db: &rusqlite::Connection,
    kept: Option<&Kept>,
    claimed: &Claimed,
    attempt: &Attempt,
    instance: &str,
) -> rusqlite::Result<()> {
    webhooks_queue::log(db, claimed.id, attempt)?;
    let onward = if attempt.error.is_none() {
        Onward::Delivered
    } else {
        let mut failures = claimed.failures.clone();
        failures.push(attempt.at);
        schedule::next(&failures).map_or(Onward::GivenUp, Onward::Again)
    };
    let mine = webhooks_queue::settle(db, claimed, instance, attempt, onward)?;
    match kept {
        Some(kept) if mine && onward == Onward::GivenUp => giving_up::tell(db, kept, claimed, attempt),
        _ => Ok(()),
    }
}
