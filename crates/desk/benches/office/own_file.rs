//! What the second engine costs a computer of its own: a step of a draft stored as the product does it, beside the same
//! statements by SQLite alone, which is what it was before there were two.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bordereau_store::{StepChange, Store, StoredReview};
use rusqlite::{Connection, TransactionBehavior, params};

use crate::{percentile, print_figure, read_number};

const STEPS: usize = 2_000;
const TARGET: f64 = 1.25;

pub async fn compare_with_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let body = format!(r#"{{"text":"{}"}}"#, "x".repeat(2_000));
    let draft = StoredReview { name: "May.csv".into(), body, ..StoredReview::default() };
    let (ours, bare) = (begin_draft(&store, &draft).await, begin_draft(&store, &draft).await);
    let connection = Arc::new(Mutex::new(open_bare(folder.path())));
    let (mut our_times, mut bare_times) = (Vec::new(), Vec::new());
    for number in 0..read_number("STEPS", STEPS) {
        let step = format!("a change of a cell, and what was there before: {number}");
        let number = u32::try_from(number).unwrap_or_default();
        let kept = StoredReview { id: ours.clone(), position: number, ..draft.clone() };
        let began = Instant::now();
        store.save_review(kept, StepChange::New(number, step.clone())).await.expect("a step");
        our_times.push(began.elapsed());
        let kept = StoredReview { id: bare.clone(), position: number, ..draft.clone() };
        let connection = connection.clone();
        let began = Instant::now();
        let work = move || save_step(&mut connection.lock().expect("no one panicked"), &kept, number, &step);
        tokio::task::spawn_blocking(work).await.expect("it ends").expect("a step");
        bare_times.push(began.elapsed());
    }
    let [ours, bare] = [our_times, bare_times].map(|times| percentile(&times, 50));
    let ratio = ours.as_secs_f64() / bare.as_secs_f64().max(f64::EPSILON);
    let microseconds = |time: Duration| time.as_micros();
    print_figure(
        "a step of a draft stored on a computer of its own / SQLite alone",
        &format!("{ratio:.2} ({} us, {} us)", microseconds(ours), microseconds(bare)),
        &format!("at most {TARGET}"),
        ratio <= TARGET,
    );
}

async fn begin_draft(store: &Store, draft: &StoredReview) -> String {
    store.begin_review(draft.clone(), false).await.expect("a draft")
}

/// The same file with the same settings.
fn open_bare(folder: &std::path::Path) -> Connection {
    let connection = Connection::open(folder.join("desk.sqlite")).expect("the store is there");
    for (name, value) in [
        ("journal_mode", "WAL"),
        ("synchronous", "NORMAL"),
        ("secure_delete", "true"),
        ("foreign_keys", "true"),
    ] {
        connection.pragma_update(None, name, value).expect("a pragma");
    }
    connection.busy_timeout(Duration::from_secs(5)).expect("a bound");
    connection
}

fn save_step(
    connection: &mut Connection,
    kept: &StoredReview,
    number: u32,
    step: &str,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let _: i64 =
        transaction.query_row("SELECT turn FROM reviews WHERE id = ?1", [&kept.id], |row| row.get(0))?;
    let _: i64 = transaction.query_row(
        "UPDATE reviews SET body = ?2, position = ?3, turn = (SELECT coalesce(max(turn), 0) + 1 FROM reviews)
         WHERE id = ?1 RETURNING turn",
        params![kept.id, kept.body, kept.position],
        |row| row.get(0),
    )?;
    transaction
        .execute("DELETE FROM review_steps WHERE review = ?1 AND number >= ?2", params![kept.id, number])?;
    transaction.execute(
        "INSERT INTO review_steps (review, number, body) VALUES (?1, ?2, ?3)",
        params![kept.id, number, step],
    )?;
    transaction.commit()
}
