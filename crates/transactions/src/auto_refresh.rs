//! Fetches by itself: at the start the last twelve months, then what changed every few minutes, and at once after
//! something was sent, processed or announced. A person who stops it is not overruled.

use std::collections::HashMap;
use std::time::Duration;

use bordereau_api::{AutoRefresh, DayRange, RefreshStage, TransactionsRefresh};
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_store::batches::view::outbox_status;
use bordereau_store::events::events_revision;
use chrono::{Days, NaiveDate};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::refresh::{has_more_sent, refresh_state, transactions_refresh, transactions_refresh_wait};

/// Between two looks at what changed here; nothing is asked of the service by that.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Between two refreshes when nothing happens here.
const EVERY: Duration = Duration::from_secs(5 * 60);
/// Between two refreshes at the least, while a batch brings news all the time.
const AT_LEAST: Duration = Duration::from_secs(3);
/// The longest pause after failures.
const PAUSE_MAX: Duration = Duration::from_secs(30 * 60);
/// Days around today that are looked at again and again; the filing days of the last week.
const NEAR_DAYS: u64 = 31;
const FILED_DAYS: u64 = 7;

/// Whether it works by itself, and for which profiles a person stopped it.
#[derive(Default)]
pub struct AutoRefreshState {
    is_on: Mutex<bool>,
    stopped: Mutex<HashMap<String, String>>,
}

impl AutoRefreshState {
    fn from_context(ctx: &Context) -> std::sync::Arc<AutoRefreshState> {
        ctx.feature_state(|_| AutoRefreshState::default())
    }

    /// A refresh that a person stopped holds it until another one is started.
    fn is_stopped(&self, profile: &str, started_at: &str, stage: RefreshStage) -> bool {
        let mut stopped = self.stopped.lock();
        match stage {
            RefreshStage::Canceled => {
                stopped.insert(profile.to_owned(), started_at.to_owned());
                true
            }
            RefreshStage::Idle => stopped.contains_key(profile),
            _ => {
                stopped.remove(profile);
                false
            }
        }
    }
}

/// How a profile is kept up to date now.
pub(super) fn auto_refresh(ctx: &Context, profile: &str) -> AutoRefresh {
    let state = AutoRefreshState::from_context(ctx);
    if !*state.is_on.lock() {
        return AutoRefresh::Off;
    }
    let job = refresh_state(ctx, profile);
    match state.is_stopped(profile, &job.started_at, job.stage) {
        true => AutoRefresh::Stopped,
        false => AutoRefresh::On,
    }
}

/// From now on transactions come in by themselves.
pub fn begin_auto_refresh(ctx: &Context) {
    *AutoRefreshState::from_context(ctx).is_on.lock() = true;
    ctx.ensure_running("transactions", run_worker);
}

/// What is known of a profile in this process.
struct ProfilePlan {
    /// The whole twelve months were looked through in this process.
    is_whole: bool,
    /// The last refresh left some of what was sent from here for this one.
    has_more: bool,
    /// When the last refresh ended.
    last: Option<Instant>,
    failures: u32,
    /// Revisions of the outbox and of the inbox that the last refresh saw.
    seen: (u32, u32),
    /// Changes of the profile and its sign-in that the last refresh knew.
    changes: u32,
}

impl ProfilePlan {
    /// Nothing was asked yet.
    const fn new(seen: (u32, u32), changes: u32) -> ProfilePlan {
        ProfilePlan { is_whole: false, has_more: false, last: None, failures: 0, seen, changes }
    }

    /// Whether it is time, given what this desk knows now.
    fn is_due(&self, now: Instant, revisions: (u32, u32)) -> bool {
        let Some(last) = self.last else { return true };
        let passed = now.saturating_duration_since(last);
        if self.failures > 0 {
            return passed >= failure_pause(self.failures);
        }
        !self.is_whole || passed >= EVERY || ((self.has_more || revisions != self.seen) && passed >= AT_LEAST)
    }
}

fn failure_pause(failures: u32) -> Duration {
    Duration::from_secs(15).saturating_mul(2u32.saturating_pow(failures.min(16) - 1)).min(PAUSE_MAX)
}

/// The days near today; what is open or was sent is asked for besides.
fn near_days(today: NaiveDate) -> TransactionsRefresh {
    let back = |days: u64| today.checked_sub_days(Days::new(days)).unwrap_or(today).to_string();
    let ahead = today.checked_add_days(Days::new(NEAR_DAYS)).unwrap_or(today).to_string();
    TransactionsRefresh {
        filed: DayRange { from: back(FILED_DAYS), to: today.to_string() },
        transaction_effective: DayRange { from: back(NEAR_DAYS), to: ahead },
        ..TransactionsRefresh::default()
    }
}

async fn run_worker(ctx: Context) {
    let mut plans: HashMap<String, ProfilePlan> = HashMap::new();
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        if let Err(error) = take_turn(&ctx, &mut plans).await {
            tracing::debug!(%error, "transactions are not refreshed now");
        }
    }
}

async fn take_turn(
    ctx: &Context,
    plans: &mut HashMap<String, ProfilePlan>,
) -> Result<(), bordereau_api::BoundaryError> {
    let profile = active_profile(ctx).await?;
    let job = refresh_state(ctx, &profile.id);
    let state = AutoRefreshState::from_context(ctx);
    if job.stage == RefreshStage::Running || state.is_stopped(&profile.id, &job.started_at, job.stage) {
        return Ok(());
    }
    let revisions = ctx
        .store()
        .with_connection(|connection| {
            Ok::<_, bordereau_store::StoreError>((
                outbox_status(connection)?.revision,
                events_revision(connection)?,
            ))
        })
        .await?;
    // After a sign-in or another change everything is looked through at once, however long the pause was.
    let changes = ctx.sessions().change_count(&profile.id);
    let plan = plans.entry(profile.id.clone()).or_insert_with(|| ProfilePlan::new(revisions, changes));
    if plan.changes != changes {
        *plan = ProfilePlan::new(revisions, changes);
    }
    if !plan.is_due(Instant::now(), revisions) {
        return Ok(());
    }
    plan.seen = revisions;
    let request =
        if plan.is_whole { near_days(ctx.ports().clock.today()) } else { TransactionsRefresh::default() };
    // The profile may be another one before it ends: this one is waited for.
    let bound = ctx.with_profile(&profile.id);
    let ended = match transactions_refresh(&bound, request).await {
        Ok(_) => transactions_refresh_wait(&bound).await,
        Err(error) => Err(error),
    };
    plan.last = Some(Instant::now());
    plan.has_more = has_more_sent(&bound, &profile.id);
    match ended.map(|state| state.stage) {
        Ok(RefreshStage::Done) => {
            plan.is_whole = true;
            plan.failures = 0;
        }
        Ok(RefreshStage::Canceled) => {}
        Ok(_) => plan.failures += 1,
        Err(error) => {
            plan.failures += 1;
            return Err(error);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_looks_at_once_then_now_and_then_and_after_news() {
        let start = Instant::now();
        let plan = |is_whole, failures, last: Option<u64>| ProfilePlan {
            is_whole,
            failures,
            last: last.map(|seconds| start + Duration::from_secs(1_000 - seconds)),
            ..ProfilePlan::new((1, 1), 0)
        };
        let with_more = |last| ProfilePlan { has_more: true, ..plan(true, 0, Some(last)) };
        let now = start + Duration::from_secs(1_000);
        for (plan, revisions, expected, what) in [
            (plan(false, 0, None), (1, 1), true, "the first time"),
            (plan(true, 0, Some(10)), (1, 1), false, "nothing new"),
            (plan(true, 0, Some(10)), (2, 1), true, "something was sent"),
            (plan(true, 0, Some(10)), (1, 2), true, "an event came"),
            (plan(true, 0, Some(1)), (2, 2), false, "just asked"),
            (plan(true, 0, Some(300)), (1, 1), true, "five minutes later"),
            (with_more(2), (1, 1), false, "more was left a moment ago"),
            (with_more(4), (1, 1), true, "more was left"),
            (plan(true, 1, Some(10)), (2, 1), false, "after a failure"),
            (plan(true, 1, Some(15)), (1, 1), true, "a while after a failure"),
            (plan(true, 3, Some(50)), (1, 1), false, "after three failures"),
        ] {
            assert_eq!(plan.is_due(now, revisions), expected, "{what}");
        }
        assert_eq!(failure_pause(1), Duration::from_secs(15));
        assert_eq!(failure_pause(40), PAUSE_MAX);
    }

    #[test]
    fn what_a_person_stopped_stays_stopped_until_a_person_goes_on() {
        let state = AutoRefreshState::default();
        for (stage, expected) in [
            (RefreshStage::Done, false),
            (RefreshStage::Canceled, true),
            (RefreshStage::Canceled, true),
            (RefreshStage::Running, false),
            (RefreshStage::Done, false),
        ] {
            assert_eq!(state.is_stopped("p", "", stage), expected, "{stage:?}");
        }
    }
}
