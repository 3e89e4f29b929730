//! Chooses the next job. A slow, stuck or unknown job delays no other: each has its own pause, and jobs in trouble
//! come after the others.

use std::collections::HashMap;
use std::time::Duration;

use bordereau_session::Context;
use bordereau_store::{FolderLock, Hold, StoreError};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::OutboxPace;
use super::job::{JobMemory, JobPriority, JobProgress, OutboxJob, ServiceTrouble};
use super::worker::{Outbox, WorkSignal};

/// The longest pause after trouble, whatever the service asks for. It may ask for years; the client keeps the
/// service's limits anyway, and asking again costs nothing.
const PAUSE_MAX: Duration = Duration::from_secs(15 * 60);

/// When a job is due next, and its history.
struct JobSchedule {
    due: Instant,
    /// Steps in a row that brought nothing new.
    unchanged: u32,
    /// Steps in a row that failed.
    failed: u32,
    memory: JobMemory,
}

impl JobSchedule {
    fn due_now() -> JobSchedule {
        JobSchedule { due: Instant::now(), unchanged: 0, failed: 0, memory: JobMemory::default() }
    }
}

/// When each job is due, by its key; and when the service of each profile is asked again that failed so often in a row.
#[derive(Default)]
struct Timetable {
    jobs: HashMap<(i64, i64), JobSchedule>,
    services: HashMap<String, (Instant, u32)>,
}

/// Runs all open jobs, unless another process holds the lock of this data folder. In an office each job has its own
/// lock, so that several desks work at the same time.
pub async fn run_under_lock<J: OutboxJob>(ctx: &Context, lock: &FolderLock, waker: &WorkSignal) {
    let open = open_jobs::<J>(ctx).await.inspect_err(|error| tracing::warn!(%error, "outbox"));
    if !open.is_ok_and(|open| !open.is_empty()) {
        return;
    }
    // A damaged store may have lost the fact that something was sent.
    if !ctx.ensure_sound().await {
        return;
    }
    let Some(held) = lock.try_acquire() else { return };
    // Under the lock no one else sends: what is marked as being sent was left by a process that ended.
    let recovered = if ctx.store().office().is_some() { Ok(()) } else { J::recover(ctx, None).await };
    match recovered {
        Ok(()) => run_jobs::<J>(ctx, waker).await,
        Err(error) => tracing::warn!(%error, "outbox"),
    }
    drop(held);
}

/// The open jobs that this desk may do; none while it is paused.
async fn open_jobs<J: OutboxJob>(ctx: &Context) -> Result<Vec<J>, StoreError> {
    if !ctx.is_at_work() {
        return Ok(Vec::new());
    }
    let mut open = J::list_open(ctx.store(), None).await?;
    if let Some(seat) = ctx.store().office() {
        open.retain(|job| seat.may_send(job.destination().environment));
    }
    Ok(open)
}

fn lock_name<J: OutboxJob>((first, second): (i64, i64)) -> String {
    format!("{} {first} {second}", J::KIND)
}

/// One step. A desk of an office that can't use the service leaves the job to the others: whoever holds it next looks up
/// first what was sent and not answered.
async fn take_step<J: OutboxJob>(
    ctx: &Context,
    job: &J,
    memory: &mut JobMemory,
) -> Result<JobProgress, ServiceTrouble> {
    let outcome = job.run_step(ctx, memory).await;
    if outcome.as_ref().is_err_and(|trouble| trouble.is_of_desk) {
        release_job::<J>(ctx, job.key()).await;
    }
    outcome
}

/// Whether a job is this desk's: in an office only one works on it at a time. If another desk had it before, what that desk
/// was sending when it let go counts as unknown, and its state isn't known here until it is read again.
async fn hold_job<J: OutboxJob>(ctx: &Context, job: &J) -> Result<Hold, ServiceTrouble> {
    if ctx.store().office().is_none() {
        return Ok(Hold::Before);
    }
    let name = lock_name::<J>(job.key());
    let hold = ctx.store().with_connection(move |db| Ok(db.hold(&name)?)).await?;
    if hold == Hold::New
        && let Err(error) = J::recover(ctx, Some(job.key())).await
    {
        release_job::<J>(ctx, job.key()).await;
        return Err(error.into());
    }
    Ok(hold)
}

async fn release_job<J: OutboxJob>(ctx: &Context, key: (i64, i64)) {
    let _ = ctx.store().with_connection(move |db| Ok(db.release_lock(&lock_name::<J>(key))?)).await;
}

async fn run_jobs<J: OutboxJob>(ctx: &Context, waker: &WorkSignal) {
    let mut running: JoinSet<(J, JobMemory, Result<JobProgress, ServiceTrouble>)> = JoinSet::new();
    let mut busy: Vec<J> = Vec::new();
    let mut times = Timetable::default();
    loop {
        let pace = Outbox::from_context(ctx).pace();
        let mut open = open_jobs::<J>(ctx).await.unwrap_or_default();
        let is_gone = |key: &(i64, i64)| !open.iter().chain(&busy).any(|job| job.key() == *key);
        let ended: Vec<(i64, i64)> = times.jobs.keys().copied().filter(is_gone).collect();
        for key in ended {
            times.jobs.remove(&key);
            release_job::<J>(ctx, key).await;
        }
        while let Some(job) = times.next_due_job(&open, &busy, &pace).cloned() {
            let schedule = times.jobs.entry(job.key()).or_insert_with(JobSchedule::due_now);
            match hold_job(ctx, &job).await {
                Ok(Hold::Before) => {}
                Ok(Hold::New) => {
                    schedule.memory = JobMemory::default();
                    let now = J::list_open(ctx.store(), Some(job.key())).await.unwrap_or_default();
                    let place = open.iter().position(|other| other.key() == job.key());
                    place.map(|at| open.splice(at..=at, now));
                    continue;
                }
                Ok(Hold::Elsewhere) => {
                    schedule.due = Instant::now() + pace.idle;
                    continue;
                }
                Err(trouble) => {
                    let memory = std::mem::take(&mut schedule.memory);
                    times.record_outcome(ctx, &job, memory, Err(trouble), pace).await;
                    continue;
                }
            }
            let (ctx, mut memory) = (ctx.clone(), std::mem::take(&mut schedule.memory));
            busy.push(job.clone());
            running.spawn(async move {
                let outcome = take_step(&ctx, &job, &mut memory).await;
                (job, memory, outcome)
            });
        }
        if busy.is_empty() && open.is_empty() {
            return;
        }
        tokio::select! {
            // Record finished jobs before anything else.
            biased;
            ended = running.join_next(), if !running.is_empty() => match ended {
                Some(Ok((job, memory, outcome))) => {
                    busy.retain(|other| other.key() != job.key());
                    times.record_outcome(ctx, &job, memory, outcome, pace).await;
                }
                // A job that panicked may panic again: all continue after a pause.
                _ => {
                    running.shutdown().await;
                    busy.clear();
                    tokio::time::sleep(pace.idle).await;
                }
            },
            () = tokio::time::sleep_until(times.next_look(pace.idle)) => {}
            () = waker.wait_woken() => {}
        }
    }
}

impl Timetable {
    /// The job to work on next.
    fn next_due_job<'j, J: OutboxJob>(&self, open: &'j [J], busy: &[J], pace: &OutboxPace) -> Option<&'j J> {
        let now = Instant::now();
        let failures = |job: &J| self.jobs.get(&job.key()).map_or(0, |schedule| schedule.failed);
        let is_due = |job: &&J| {
            let profile = &job.destination().profile_id;
            let beside: Vec<&J> =
                busy.iter().filter(|other| other.destination().profile_id == *profile).collect();
            self.jobs.get(&job.key()).is_none_or(|schedule| schedule.due <= now)
                && self.services.get(profile).is_none_or(|(due, _)| *due <= now)
                && !beside.iter().any(|other| other.key() == job.key())
                && job.can_run_with(&beside, pace)
        };
        open.iter().filter(is_due).min_by_key(|job| (failures(job), job.priority()))
    }

    /// When the next job is due; at the latest when new and canceled jobs are looked for.
    fn next_look(&self, idle: Duration) -> Instant {
        let now = Instant::now();
        let dues = self
            .jobs
            .values()
            .map(|schedule| schedule.due)
            .chain(self.services.values().map(|(due, _)| *due));
        dues.filter(|due| *due > now).min().unwrap_or(now + idle).min(now + idle)
    }

    async fn record_outcome<J: OutboxJob>(
        &mut self,
        ctx: &Context,
        job: &J,
        mut memory: JobMemory,
        outcome: Result<JobProgress, ServiceTrouble>,
        pace: OutboxPace,
    ) {
        let profile = &job.destination().profile_id;
        let schedule = self.jobs.entry(job.key()).or_insert_with(JobSchedule::due_now);
        let outbox = Outbox::from_context(ctx);
        let pause = match outcome {
            Ok(progress) => {
                self.services.remove(profile);
                *outbox.unwritable.lock() = None;
                outbox.desk_troubles.lock().remove(profile);
                schedule.failed = 0;
                schedule.unchanged = if progress == JobProgress::Waits { schedule.unchanged + 1 } else { 0 };
                if progress != JobProgress::Recheck {
                    // Any call tells the status line that the service answers.
                    ctx.sessions().mark_ready(profile);
                }
                match progress {
                    JobProgress::Moved if job.priority() == JobPriority::Accepted => pace.first_pause,
                    JobProgress::Waits => pace.retry_pause(schedule.unchanged),
                    JobProgress::Recheck => pace.recheck_pause,
                    _ => Duration::ZERO,
                }
            }
            Err(trouble) => {
                memory.interrupt();
                schedule.failed += 1;
                if trouble.is_refused {
                    ctx.sessions().mark_refused(profile);
                }
                let requested = trouble.pause.unwrap_or_default();
                let pause = pace.retry_pause(schedule.failed).max(requested).min(PAUSE_MAX);
                tracing::info!(pause_ms = pause.as_millis(), "outbox waits");
                tracing::debug!(trouble = trouble.text, "outbox");
                if trouble.is_everywhere {
                    let failures = self.services.get(profile).map_or(1, |(_, failures)| failures + 1);
                    let pause = pace.retry_pause(failures).max(requested).min(PAUSE_MAX);
                    self.services.insert(profile.clone(), (Instant::now() + pause, failures));
                }
                if trouble.is_of_desk && ctx.store().office().is_some() {
                    outbox.desk_troubles.lock().insert(profile.clone(), trouble.text);
                } else {
                    let stored = job.keep_message(ctx.store(), trouble.text).await;
                    let failed = stored.inspect_err(|error| tracing::warn!(%error, "outbox")).err();
                    *outbox.unwritable.lock() = failed.and_then(|error| error.write_obstacle());
                }
                pause
            }
        };
        schedule.memory = memory;
        schedule.due = Instant::now() + pause;
    }
}
