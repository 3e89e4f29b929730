//! One webhook's lane: deliveries go side by side, those of one subject one after the other. While they are on
//! their way, one transaction after the other settles those that came back and takes what is due next.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::{JoinError, JoinHandle, JoinSet};
use tokio::time::Instant;

use super::dispatch::{AFTER_FAILURE, IDLE, Place};
use super::giving_up;
use super::schedule;
use super::sender::{Answered, Target};
use crate::Clock;
use crate::service::App;
use crate::store::webhooks::{self, Kept};
use crate::store::webhooks_queue::{self, Attempt, Claimed, Onward};

/// Deliveries on their way to one endpoint.
const SIDE_BY_SIDE: usize = 32;
/// Deliveries sent and not settled: what a process that is killed may send again.
pub(super) const UNSETTLED_MAX: usize = 6 * SIDE_BY_SIDE;
/// Deliveries a lane takes ahead. The last of them is on its way after eight times the sender's patience at the
/// latest, which is before another instance may take it.
const TAKEN_MAX: usize = 8 * SIDE_BY_SIDE;
/// So many outcomes are settled at once,
const GATHERED: usize = SIDE_BY_SIDE;
/// or what there is after this time.
const GATHERING_TIME: Duration = Duration::from_millis(2);

/// An attempt that was made.
struct Made {
    claimed: Claimed,
    attempt: Attempt,
}

/// What a turn leaves: the webhook as it is now and what was taken; nothing once the webhook is gone.
type Round = rusqlite::Result<Option<(Kept, Vec<Claimed>)>>;

struct Lane {
    app: App,
    webhook: i64,
    target: Result<Arc<Target>, String>,
    /// Taken, not sent yet.
    waiting: VecDeque<Claimed>,
    flying: JoinSet<Made>,
    made: Vec<Made>,
    /// Since when the oldest of them waits to be settled.
    made_since: Option<Instant>,
    /// Whether more may be due than was taken.
    more: bool,
    /// Whether what an earlier lane of the webhook left behind in this process is still to be given back.
    first: bool,
    turning: Option<Turn>,
}

/// A transaction on its way.
struct Turn {
    round: JoinHandle<Round>,
    settling: Arc<Vec<Made>>,
    room: usize,
}

/// Delivers what is due for a webhook, until nothing is.
pub(super) async fn run(app: App, webhook: i64, _place: Place, stop: watch::Receiver<bool>) {
    let mut lane = Lane {
        app,
        webhook,
        target: Err(String::new()),
        waiting: VecDeque::new(),
        flying: JoinSet::new(),
        made: Vec::new(),
        made_since: None,
        more: true,
        first: true,
        turning: None,
    };
    while lane.step(&stop).await {}
    if !lane.waiting.is_empty() {
        let instance = lane.app.webhooks.instance.clone();
        // If this fails the lease runs out by itself.
        let _ = lane.app.store.run(move |db| webhooks_queue::release(db, webhook, &instance)).await;
    }
}

impl Lane {
    /// Waits for the next thing to happen and does what follows from it; false at the end.
    async fn step(&mut self, stop: &watch::Receiver<bool>) -> bool {
        let stopped = *stop.borrow();
        if !stopped {
            self.launch();
        }
        if self.turning.is_none() {
            if self.turn_is_due(stopped) {
                self.turn(stopped);
            } else if self.flying.is_empty() && self.made.is_empty() {
                return false;
            }
        }
        let wake = self.made_since.map_or_else(|| Instant::now() + IDLE, |since| since + GATHERING_TIME);
        tokio::select! {
            round = returned(&mut self.turning) => return self.take_up(round, stopped).await,
            Some(done) = self.flying.join_next() => {
                self.made_since.get_or_insert_with(Instant::now);
                self.made.extend(done);
                while let Some(done) = self.flying.try_join_next() {
                    self.made.extend(done);
                }
            }
            // Another event may be due by now, and a slow answer to this one must not hold it up.
            () = tokio::time::sleep_until(wake), if self.turning.is_none() => self.more |= self.made.is_empty(),
        }
        true
    }

    /// How many more may be taken.
    fn room(&self) -> usize {
        TAKEN_MAX.saturating_sub(self.waiting.len() + self.flying.len())
    }

    fn turn_is_due(&self, stopped: bool) -> bool {
        let runs_low = self.more && !stopped && self.waiting.len() < SIDE_BY_SIDE && self.room() > 0;
        let gathered = self.made.len() >= GATHERED
            || self.waiting.is_empty() && self.flying.is_empty()
            || self.made_since.is_some_and(|since| since.elapsed() >= GATHERING_TIME);
        runs_low || gathered && !self.made.is_empty()
    }

    /// Begins a transaction that settles what was made and takes what is due.
    fn turn(&mut self, stopped: bool) {
        let room = if stopped { 0 } else { self.room() };
        let settling = Arc::new(std::mem::take(&mut self.made));
        self.made_since = None;
        let (app, webhook, made, release) =
            (self.app.clone(), self.webhook, Arc::clone(&settling), self.first);
        let round = tokio::task::spawn_blocking(move || turn(&app, webhook, &made, room, release));
        self.turning = Some(Turn { round, settling, room });
    }

    /// Goes on with what a turn took; false once the webhook is gone.
    async fn take_up(&mut self, round: Result<Round, JoinError>, stopped: bool) -> bool {
        let Some(Turn { settling, room, .. }) = self.turning.take() else { return true };
        match round {
            Ok(Ok(Some((kept, claimed)))) => {
                self.first = false;
                self.more = claimed.len() == room;
                self.target = Target::new(&kept, &self.app.webhooks.sealer).map(Arc::new);
                self.waiting.extend(claimed);
                return true;
            }
            Ok(Ok(None)) => return false,
            Ok(Err(error)) => tracing::error!(%error, "deliveries cannot be taken or settled"),
            Err(error) => tracing::error!(%error, "deliveries cannot be taken or settled"),
        }
        // What was sent is not sent again because the database was busy: it is settled later.
        if let Ok(made) = Arc::try_unwrap(settling) {
            self.made.extend(made);
        }
        self.more = true;
        if !stopped {
            tokio::time::sleep(AFTER_FAILURE).await;
        }
        !stopped
    }

    /// Sends what was taken; what cannot even be sent has failed at once.
    fn launch(&mut self) {
        let settling = self.turning.as_ref().map_or(0, |turn| turn.settling.len());
        while self.flying.len() < SIDE_BY_SIDE
            && self.flying.len() + self.made.len() + settling < UNSETTLED_MAX
            && let Some(claimed) = self.waiting.pop_front()
        {
            match &self.target {
                Ok(target) => {
                    let (app, target) = (self.app.clone(), Arc::clone(target));
                    self.flying.spawn(async move {
                        let body = webhooks_queue::body(claimed.event_id, &claimed.rest);
                        let answered = app.webhooks.sender.post(&target, body).await;
                        Made { attempt: attempt(&app, answered), claimed }
                    });
                }
                Err(why) => {
                    let answered = Answered {
                        status: None,
                        body: String::new(),
                        error: Some(why.clone()),
                        milliseconds: 0,
                    };
                    self.made.push(Made { attempt: attempt(&self.app, answered), claimed });
                    self.made_since.get_or_insert_with(Instant::now);
                }
            }
        }
    }
}

async fn returned(turning: &mut Option<Turn>) -> Result<Round, JoinError> {
    match turning {
        Some(turn) => (&mut turn.round).await,
        None => std::future::pending().await,
    }
}

pub(super) fn attempt(app: &App, answered: Answered) -> Attempt {
    Attempt {
        at: app.clock.now().timestamp_millis(),
        status: answered.status,
        body: answered.body,
        error: answered.error,
        milliseconds: answered.milliseconds,
    }
}

/// In one transaction: settles what was made and takes what is due.
fn turn(app: &App, webhook: i64, made: &[Made], room: usize, release: bool) -> Round {
    let (instance, now) = (&app.webhooks.instance, app.clock.now().timestamp_millis());
    app.store.run_here(|db| {
        let kept = webhooks::target(db, webhook)?;
        for Made { claimed, attempt } in made {
            settle(db, kept.as_ref(), claimed, attempt, instance)?;
        }
        let Some(kept) = kept else { return Ok(None) };
        if release {
            webhooks_queue::release(db, webhook, instance)?;
        }
        let claimed =
            if room == 0 { Vec::new() } else { webhooks_queue::claim(db, webhook, instance, room, now)? };
        Ok(Some((kept, claimed)))
    })
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
