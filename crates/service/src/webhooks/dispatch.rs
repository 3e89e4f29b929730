//! Sends what is due: at most so many deliveries to one webhook side by side, so that a dead endpoint holds up
//! no one else, and those of one subject one after the other. What came back is recorded in the transaction
//! that takes what is due next, before anything new is sent.

use std::sync::Arc;
use std::time::Duration;

use bordereau_service_store::webhooks_queue::{self, AttemptResult, DueDelivery, NextStep};
use bordereau_service_store::{accounts, retention, webhooks};
use rusqlite::Connection;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::address::LoopbackRule;
use super::dead_letter;
use super::schedule;
use super::sender::{SIDE_BY_SIDE, SignatureStyle, Target, WebhookAnswer};
use crate::Clock;
use crate::service::{AppState, Service};

/// How long the dispatcher waits when nothing is due and no one wakes it: the virtual clock may be moved
/// without a word.
const IDLE: Duration = Duration::from_millis(250);
/// How long after the database failed.
const AFTER_FAILURE: Duration = Duration::from_secs(1);
/// How long what came back waits for others to be recorded with.
const TOGETHER: Duration = Duration::from_millis(1);
/// Deliveries that are being sent when the service ends may take this long; the others are sent again later.
const END_TIME: Duration = Duration::from_secs(2);
/// How often a service that runs on removes what is old.
const REMOVES_OLD: Duration = Duration::from_secs(24 * 3_600);

/// An attempt that was made and is not recorded yet.
struct FinishedAttempt {
    delivery: DueDelivery,
    attempt: AttemptResult,
    /// Until it is recorded the delivery still waits in the database and must not be sent again.
    _mark: SendingMark,
}

/// A webhook that can be sent to, or why it cannot.
type SharedTarget = Result<Arc<Target>, String>;

/// Marks a delivery as being sent for as long as it lives.
struct SendingMark {
    app: AppState,
    delivery: i64,
}

impl SendingMark {
    fn set(app: &AppState, delivery: &DueDelivery) -> SendingMark {
        app.webhooks.sending.lock().insert(delivery.id, delivery.webhook);
        SendingMark { app: app.clone(), delivery: delivery.id }
    }
}

impl Drop for SendingMark {
    fn drop(&mut self) {
        self.app.webhooks.sending.lock().remove(&self.delivery);
    }
}

/// Runs until it is stopped.
pub(crate) async fn dispatch(app: AppState, mut stop: watch::Receiver<bool>) {
    let mut flying = JoinSet::new();
    let mut finished = Vec::new();
    let mut removed_old = Instant::now();
    while !*stop.borrow() {
        let woken = app.webhooks.wake.notified();
        if removed_old.elapsed() > REMOVES_OLD {
            removed_old = Instant::now();
            let now = app.clock.now().timestamp_millis();
            if let Err(error) = app.store.with_connection(move |db| retention::remove_old(db, now)).await {
                tracing::warn!(%error, "what is old is removed tomorrow");
            }
        }
        match record_and_take(&app, &mut finished).await {
            Ok(due) => {
                for (target, delivery) in due {
                    flying.spawn(send(SendingMark::set(&app, &delivery), target, delivery));
                }
            }
            Err(error) => {
                tracing::error!(error, "deliveries cannot be taken or recorded");
                tokio::time::sleep(AFTER_FAILURE).await;
            }
        }
        tokio::select! {
            Some(done) = flying.join_next() => finished.extend(done),
            () = woken => {}
            () = tokio::time::sleep(IDLE) => {}
            _ = stop.wait_for(|stop| *stop) => {}
        }
        // Those sent beside it are mostly back a moment later: recorded together they cost one look at the database.
        let others = async {
            while flying.len() > SIDE_BY_SIDE / 2
                && let Some(done) = flying.join_next().await
            {
                finished.extend(done);
            }
        };
        let _ = tokio::time::timeout(TOGETHER, others).await;
        while let Some(done) = flying.try_join_next() {
            finished.extend(done);
        }
    }
    let rest = async {
        while let Some(done) = flying.join_next().await {
            finished.extend(done);
        }
    };
    // What takes longer is cut off; its delivery still waits, so the next start sends it again.
    let _ = tokio::time::timeout(END_TIME, rest).await;
    let recorded = app.store.run_on_this_thread(|db| finished.iter().try_for_each(|done| record(db, done)));
    if let Err(error) = recorded {
        tracing::error!(%error, "the last deliveries cannot be recorded and will be sent again");
    }
}

/// Sends one delivery; what cannot even be sent has failed at once.
async fn send(mark: SendingMark, target: SharedTarget, delivery: DueDelivery) -> FinishedAttempt {
    let answered = match target {
        Ok(target) => {
            let signing = SignatureStyle::of(&mark.app.dialects);
            mark.app.webhooks.sender.post(&target, delivery.body(), signing).await
        }
        Err(why) => WebhookAnswer { status: None, body: String::new(), error: Some(why), milliseconds: 0 },
    };
    FinishedAttempt { delivery, attempt: attempt(&mark.app, answered), _mark: mark }
}

pub(super) fn attempt(app: &Service, answered: WebhookAnswer) -> AttemptResult {
    AttemptResult {
        at: app.clock.now().timestamp_millis(),
        status: answered.status,
        body: answered.body,
        error: answered.error,
        milliseconds: answered.milliseconds,
    }
}

/// In one transaction: records what came back and takes what is due. If it fails, what came back stays for the
/// next time: nothing is sent again because the database was busy.
async fn record_and_take(
    app: &AppState,
    finished: &mut Vec<FinishedAttempt>,
) -> Result<Vec<(SharedTarget, DueDelivery)>, String> {
    let (shared, done) = (app.clone(), std::mem::take(finished));
    let work = move || {
        let due = shared.store.run_on_this_thread(|db| {
            done.iter().try_for_each(|done| record(db, done))?;
            due(&shared, db, &done)
        });
        (due, done)
    };
    let (due, done) = tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?;
    due.map_err(|error| {
        *finished = done;
        error.to_string()
    })
}

/// What is due and may be sent now, webhook by webhook.
fn due(
    app: &Service,
    db: &Connection,
    recorded: &[FinishedAttempt],
) -> rusqlite::Result<Vec<(SharedTarget, DueDelivery)>> {
    let now = app.clock.now().timestamp_millis();
    let mut sending = app.webhooks.sending.lock().clone();
    for done in recorded {
        sending.remove(&done.delivery.id);
    }
    let mut all = Vec::new();
    for webhook in webhooks_queue::webhooks_due(db, now)? {
        let room = SIDE_BY_SIDE.saturating_sub(sending.values().filter(|of| **of == webhook).count());
        let kept = if room == 0 { None } else { webhooks::find_target(db, webhook)? };
        let Some(kept) = kept else { continue };
        let loopback = accounts::by_id(db, &kept.account_id)?
            .map_or(LoopbackRule::Refused, |account| app.webhooks.loopback_rule(&account));
        let target = Target::new(&kept, &app.webhooks.sealer, loopback).map(Arc::new);
        let due = webhooks_queue::due_webhooks(db, webhook, now, SIDE_BY_SIDE)?;
        let due = due.into_iter().filter(|delivery| !sending.contains_key(&delivery.id)).take(room);
        all.extend(due.map(|delivery| (target.clone(), delivery)));
    }
    Ok(all)
}

fn record(db: &Connection, done: &FinishedAttempt) -> rusqlite::Result<()> {
    let FinishedAttempt { delivery, attempt, .. } = done;
    webhooks_queue::log_attempt(db, delivery.id, attempt)?;
    let next = if attempt.error.is_none() {
        NextStep::Delivered
    } else {
        let mut failures = delivery.failures.clone();
        failures.push(attempt.at);
        schedule::next_attempt(&failures).map_or(NextStep::GivenUp, NextStep::Again)
    };
    let waited = webhooks_queue::record(db, delivery, attempt, next)?;
    if waited
        && next == NextStep::GivenUp
        && let Some(kept) = webhooks::find_target(db, delivery.webhook)?
    {
        dead_letter::notify_subscriber(db, &kept, delivery, attempt)?;
    }
    Ok(())
}
