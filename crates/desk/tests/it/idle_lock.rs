//! The lock of the window: nothing is answered to the page while it is locked, and what is sent goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use bordereau_desk::api::*;
use bordereau_desk::{BoxFuture, Clock, Desk, DeskConfig, MemorySecrets, Ports, SystemSignIn, dispatch};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::outbox_fixture::{OutboxFixture, ended, many, queue, quick};

const PASSPHRASE: &str = "correct horse";

/// A clock that a test sets.
#[derive(Default)]
struct SetClock(AtomicI64);

impl SetClock {
    fn pass(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::Relaxed);
    }
}

impl Clock for SetClock {
    fn now(&self) -> DateTime<Utc> {
        let start: DateTime<Utc> = "2026-11-20T09:00:00Z".parse().unwrap();
        start + TimeDelta::seconds(self.0.load(Ordering::Relaxed))
    }

    fn today(&self) -> NaiveDate {
        self.now().date_naive()
    }
}

/// A sign-in of the computer that answers once the test says what.
struct ToldSignIn(tokio::sync::Mutex<mpsc::Receiver<Result<bool, String>>>);

impl SystemSignIn for ToldSignIn {
    fn confirm(&self) -> BoxFuture<'_, Result<bool, String>> {
        Box::pin(async { self.0.lock().await.recv().await.unwrap() })
    }
}

fn desk_with(test: &OutboxFixture, clock: Arc<SetClock>) -> Desk {
    desk_asking(test, clock, None)
}

fn desk_asking(test: &OutboxFixture, clock: Arc<SetClock>, sign_in: Option<Arc<dyn SystemSignIn>>) -> Desk {
    let ports = Ports {
        clock,
        secrets: Arc::new(MemorySecrets::new()),
        practice: test.switch.clone(),
        dialogs: test.person.clone(),
        browser: test.person.clone(),
        policy: Arc::default(),
        sign_in,
    };
    let desk = Desk::open_idle(DeskConfig { data_dir: test.folder.path().join("desk"), ports }).unwrap();
    desk.set_outbox_pace(quick());
    desk
}

async fn switch_on(desk: &Desk) {
    let asked = json!({ "minutes": 15, "current": "", "passphrase": PASSPHRASE });
    let status = dispatch(desk, "lock_change", asked).await.unwrap();
    assert_eq!(status, json!({ "minutes": 15, "locked": false, "system_sign_in": false }));
}

async fn unlock(desk: &Desk, passphrase: &str) -> Result<Value, BoundaryError> {
    dispatch(desk, "unlock", json!({ "passphrase": passphrase })).await
}

/// Whether the page gets nothing but the lock's own operations.
async fn refuses_all(desk: &Desk) -> bool {
    let mut refused = 0;
    for operation in OPERATIONS {
        let answer = dispatch(desk, operation, json!({})).await;
        refused += usize::from(answer.is_err_and(|error| error.code == ErrorCode::Locked));
    }
    assert!(refused == 0 || refused == OPERATIONS.len() - 3, "{refused} of {}", OPERATIONS.len());
    refused > 0
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_passphrase_it_never_locks() {
    let test = OutboxFixture::dark();
    let clock: Arc<SetClock> = Arc::default();
    let desk = desk_with(&test, clock.clone());
    clock.pass(24 * 3_600);
    assert_eq!(dispatch(&desk, "lock_now", json!({})).await.unwrap()["locked"], false);
    dispatch(&desk, "settings_load", json!({})).await.unwrap();
    for asked in [
        json!({ "minutes": 15, "current": "", "passphrase": "short" }),
        json!({ "minutes": 7, "current": "", "passphrase": PASSPHRASE }),
    ] {
        let refused = dispatch(&desk, "lock_change", asked).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Validation);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_locks_when_nobody_is_there_after_sleep_and_at_the_start() {
    let test = OutboxFixture::dark();
    let clock: Arc<SetClock> = Arc::default();
    let desk = desk_with(&test, clock.clone());
    switch_on(&desk).await;
    // Somebody is there for an hour.
    for _ in 0..120 {
        clock.pass(30);
        dispatch(&desk, "lock_postpone", json!({})).await.unwrap();
    }
    dispatch(&desk, "settings_load", json!({})).await.unwrap();
    // Then no one, while the page goes on asking.
    for half_minutes in 1..=30 {
        clock.pass(30);
        let is_locked = dispatch(&desk, "settings_load", json!({})).await.is_err();
        assert_eq!(is_locked, half_minutes == 30, "{half_minutes}");
    }
    assert!(refuses_all(&desk).await);
    assert_eq!(unlock(&desk, "wrong horse").await.unwrap_err().details[0].pointer, "/passphrase");
    assert_eq!(unlock(&desk, PASSPHRASE).await.unwrap()["locked"], false);

    clock.pass(61);
    assert!(refuses_all(&desk).await, "the computer slept");
    unlock(&desk, PASSPHRASE).await.unwrap();
    clock.pass(-3_600);
    assert!(refuses_all(&desk).await, "the clock was set back");
    unlock(&desk, PASSPHRASE).await.unwrap();
    dispatch(&desk, "lock_now", json!({})).await.unwrap();
    dispatch(&desk, "lock_postpone", json!({})).await.unwrap_err();
    assert!(refuses_all(&desk).await);
    drop(desk);

    let again = desk_with(&test, clock);
    assert!(refuses_all(&again).await, "closing and opening it is no way in");
    let file = std::fs::read_to_string(test.folder.path().join("desk/idle-lock.json")).unwrap();
    assert!(file.contains("$argon2id$") && !file.contains(PASSPHRASE));
    again.lock_forget().await.unwrap();
    dispatch(&again, "settings_load", json!({})).await.unwrap();
    let log = again.audit_list(Nothing {}).await.unwrap();
    let texts: Vec<&str> = log.entries.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(
        texts[..2],
        ["The lock of the window was switched off.", "The lock of the window was set to 15 minutes."]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passphrase_cannot_be_guessed_fast_and_changes_with_the_one_before() {
    let test = OutboxFixture::dark();
    let desk = desk_with(&test, Arc::default());
    switch_on(&desk).await;
    let off = |current: &str| json!({ "minutes": 0, "current": current, "passphrase": "" });
    let refused = dispatch(&desk, "lock_change", off("")).await.unwrap_err();
    assert_eq!(refused.details[0].pointer, "/current");
    let kept = json!({ "minutes": 5, "current": PASSPHRASE, "passphrase": "" });
    assert_eq!(dispatch(&desk, "lock_change", kept).await.unwrap()["minutes"], 5);
    dispatch(&desk, "lock_now", json!({})).await.unwrap();
    for _ in 0..5 {
        assert_eq!(unlock(&desk, "a guess").await.unwrap_err().code, ErrorCode::Validation);
    }
    let waits = unlock(&desk, PASSPHRASE).await.unwrap_err();
    assert!(waits.code == ErrorCode::RateLimited && waits.message.contains("seconds"), "{waits}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_being_sent_goes_on_while_it_is_locked() {
    let test = OutboxFixture::new().await;
    let desk = desk_with(&test, Arc::default());
    switch_on(&desk).await;
    let waiting = queue(&desk, "waits.csv", many("w", 20)).await.unwrap();
    dispatch(&desk, "lock_now", json!({})).await.unwrap();
    desk.start_work();
    assert_eq!(ended(&desk, &waiting.id).await.state, BatchState::Processed);
    assert!(desk.is_locked().await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_that_cannot_be_read_opens_nothing() {
    let test = OutboxFixture::dark();
    let desk = desk_with(&test, Arc::default());
    std::fs::write(test.folder.path().join("desk/idle-lock.json"), "{").unwrap();
    let error = dispatch(&desk, "settings_load", json!({})).await.unwrap_err();
    assert!(error.code == ErrorCode::Storage && error.message.contains("idle-lock.json"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_computers_own_sign_in_unlocks_it() {
    let test = OutboxFixture::dark();
    let (sign_in, answers) = mpsc::channel(1);
    let asked = Arc::new(ToldSignIn(tokio::sync::Mutex::new(answers)));
    let desk = desk_asking(&test, Arc::default(), Some(asked));
    let on = json!({ "minutes": 15, "current": "", "passphrase": PASSPHRASE });
    assert_eq!(dispatch(&desk, "lock_change", on).await.unwrap()["system_sign_in"], true);
    for (answer, sentence) in [
        (Err("no program asks".to_owned()), "This computer's sign-in didn't answer. Enter the passphrase."),
        (Ok(false), "The system couldn't verify it's you. Try again, or enter the passphrase."),
    ] {
        dispatch(&desk, "lock_now", json!({})).await.unwrap();
        sign_in.send(answer).await.unwrap();
        let refused = dispatch(&desk, "unlock_with_system", json!({})).await.unwrap_err();
        assert_eq!((refused.code, refused.message.as_str()), (ErrorCode::Locked, sentence));
        assert!(desk.is_locked().await.unwrap());
    }
    let (unlocked, ()) = tokio::join!(dispatch(&desk, "unlock_with_system", json!({})), async {
        // The person takes their time, and the page asks meanwhile.
        assert_eq!(dispatch(&desk, "lock_status", json!({})).await.unwrap()["locked"], true);
        sign_in.send(Ok(true)).await.unwrap();
    });
    assert_eq!(unlocked.unwrap()["locked"], false);
    dispatch(&desk, "settings_load", json!({})).await.unwrap();

    let without = desk_with(&OutboxFixture::dark(), Arc::default());
    let refused = dispatch(&without, "unlock_with_system", json!({})).await.unwrap_err();
    assert_eq!(refused.message, "This computer has no sign-in of its own. Enter the passphrase.");
}
