//! The workers of the queue: each takes a batch, chunk by chunk, and never one that another has.

use std::time::Duration;

use bordereau_contract::{EventKind, ImportTransaction};
use bordereau_service_store::batches::{self, ClaimedBatch};
use chrono::NaiveDate;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::Instant;

use super::row_writer::{self, PreparedFiling, RowWriter};
use crate::Clock;
use crate::service::AppState;
use crate::webhooks::outbox;

/// Workers of one service. Batches of one account are never processed side by side.
pub(crate) const WORKERS: usize = 2;
/// How long a worker waits when nothing is to be done and no one wakes it.
const IDLE: Duration = Duration::from_millis(500);
/// How long a worker waits after the database failed.
const AFTER_FAILURE: Duration = Duration::from_secs(1);

/// Runs until it is stopped. Nothing is left half done: a chunk is stored whole
/// or not at all, and stays on the queue until it is.
pub(crate) async fn run_worker(app: AppState, mut stop: watch::Receiver<bool>) {
    let mut pace = app.imports.pace.subscribe();
    loop {
        if *stop.borrow() {
            return;
        }
        let woken = app.imports.wake.notified();
        let still = pace.borrow_and_update().is_paused();
        let claimed = if still { Ok(None) } else { app.store.with_connection(batches::claim_batch).await };
        match claimed {
            Ok(Some(batch)) => {
                // Another one may have something to do as well.
                app.imports.wake.notify_one();
                let seq = batch.seq;
                if !process_batch(&app, batch, &mut pace, &mut stop).await {
                    give_back(&app, seq, &mut stop).await;
                }
            }
            Ok(None) => {
                tokio::select! {
                    () = woken => {}
                    _ = pace.changed() => {}
                    () = pause_for(IDLE, &mut stop) => {}
                }
            }
            Err(error) => {
                tracing::error!(%error, "the queue of imports cannot be read");
                pause_for(AFTER_FAILURE, &mut stop).await;
            }
        }
    }
}

/// Releases a batch that was not finished: until that is stored no worker here would claim it again.
async fn give_back(app: &AppState, seq: i64, stop: &mut watch::Receiver<bool>) {
    loop {
        let given = app.store.with_connection(move |db| batches::release_claim(db, seq)).await;
        pause_for(AFTER_FAILURE, stop).await;
        // The next start releases what stays claimed here.
        if given.is_ok() || *stop.borrow() {
            return;
        }
    }
}

/// Waits, at most until the worker is stopped.
async fn pause_for(time: Duration, stop: &mut watch::Receiver<bool>) {
    tokio::select! {
        () = tokio::time::sleep(time) => {}
        _ = stop.wait_for(|stop| *stop) => {}
    }
}

/// Processes a batch as far as it is this worker's; false when it has to be given back.
async fn process_batch(
    app: &AppState,
    batch: ClaimedBatch,
    pace: &mut watch::Receiver<super::ProcessingPace>,
    stop: &mut watch::Receiver<bool>,
) -> bool {
    let mut ahead = None;
    for number in batch.next_chunk..batch.chunks {
        let seq = batch.seq;
        let unhurried = *pace.borrow() != super::ProcessingPace::default();
        if unhurried {
            let Ok(rows) = app.store.read(move |db| batches::chunk_rows(db, seq, number)).await else {
                return false;
            };
            wait_for_pace((rows, batch.total_items), pace, stop).await;
        }
        if *stop.borrow() {
            return false;
        }
        // The next rows are calculated while these are written.
        let prepared = ahead.take().unwrap_or_else(|| prepare_chunk(app, seq, number));
        ahead = (!unhurried && number + 1 < batch.chunks).then(|| prepare_chunk(app, seq, number + 1));
        let Some(rows) = task_result(prepared.await) else { return false };
        let (shared, account) = (app.clone(), batch.account_id.clone());
        let place = (seq, number, batch.chunks);
        let stored = tokio::task::spawn_blocking(move || store_chunk(&shared, &account, place, rows));
        match task_result(stored.await) {
            Some(true) => {}
            // The batch has failed as a whole.
            Some(false) => return true,
            None => return false,
        }
    }
    true
}

/// What a task on a blocking thread made; what went wrong is logged.
fn task_result<T>(done: Result<Result<T, String>, JoinError>) -> Option<T> {
    match done {
        Ok(Ok(made)) => return Some(made),
        Ok(Err(error)) => tracing::error!(error, "a part of a batch was not processed"),
        Err(error) => {
            tracing::error!(panicked = error.is_panic(), "a part of a batch was not processed");
        }
    }
    None
}

/// Waits as long as the rows are to take; a new pace counts at once.
async fn wait_for_pace(
    (rows, total): (i64, i64),
    pace: &mut watch::Receiver<super::ProcessingPace>,
    stop: &mut watch::Receiver<bool>,
) {
    let mut end = Instant::now() + processing_time(pace, rows, total);
    loop {
        tokio::select! {
            () = tokio::time::sleep_until(end) => return,
            changed = pace.changed() => {
                if changed.is_err() {
                    return;
                }
                end = Instant::now() + processing_time(pace, rows, total);
            }
            () = wait_for_stop(stop) => return,
        }
    }
}

/// How long the rows take at the present pace; standing still: until something changes.
fn processing_time(pace: &mut watch::Receiver<super::ProcessingPace>, rows: i64, total: i64) -> Duration {
    let time = pace.borrow_and_update().time_for(rows, total);
    time.unwrap_or(Duration::from_secs(super::pace::SECONDS_MAX))
}

async fn wait_for_stop(stop: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, which says the same.
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Reads the rows of a chunk and calculates them; writes nothing.
fn prepare_chunk(app: &AppState, seq: i64, number: i64) -> JoinHandle<Result<Vec<PreparedFiling>, String>> {
    let app = app.clone();
    tokio::task::spawn_blocking(move || {
        let rows = read(&app, seq, number)?;
        let today: NaiveDate = app.clock.now().date_naive();
        Ok(rows.into_iter().map(|row| row_writer::prepare_row(row, app.rules, &app.local, today)).collect())
    })
}

fn read(app: &AppState, seq: i64, number: i64) -> Result<Vec<ImportTransaction>, String> {
    let body = app
        .store
        .read_on_this_thread(|db| batches::load_chunk(db, seq, number))
        .map_err(|e| e.to_string())?;
    serde_json::from_str(&body).map_err(|e| e.to_string())
}

/// Stores a chunk, whole or not at all; false if its batch has failed meanwhile.
fn store_chunk(
    app: &AppState,
    account: &str,
    (seq, number, chunks): (i64, i64, i64),
    rows: Vec<PreparedFiling>,
) -> Result<bool, String> {
    let instant = app.clock.now();
    let now = instant.timestamp();
    let mut ended = false;
    let stored = app.store.run_on_this_thread(|db| {
        if !batches::advance_chunk(db, seq, number)? {
            return Ok(false);
        }
        let storing = RowWriter { db, account_id: account, batch_seq: seq, now };
        let results: rusqlite::Result<Vec<String>> =
            rows.into_iter().map(|row| storing.store_row(row)).collect();
        batches::finish_chunk(db, seq, number, &results?.join(","))?;
        if number + 1 == chunks {
            outbox::batch_ended(db, account, seq, EventKind::BatchProcessed, instant)?;
            ended = true;
        }
        Ok(true)
    });
    if ended {
        app.webhooks.wake.notify_one();
    }
    stored.map_err(|error| error.to_string())
}
