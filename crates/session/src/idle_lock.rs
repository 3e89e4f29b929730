//! Locks the window: after minutes without input, after the computer slept, and when the screen is locked. While it
//! is locked every operation of the page is refused; sending continues.
//!
//! The lock keeps other people from using the window. It doesn't protect from programs of the same user, so it is in a
//! file of this computer and not in the store: a backup restored elsewhere has no passphrase.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use bordereau_api::{
    BoundaryError, ChangeLock, ErrorCode, LOCK_MINUTES, LockStatus, Nothing, PASSPHRASE_CHARS_MIN,
    UnlockRequest,
};
use bordereau_store::{audit, file_error, make_private_file};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, MutexGuard};
use zeroize::Zeroizing;

use crate::files::{read_chosen, write_whole};
use crate::{Context, run_off_thread};

/// Operations of the page that are served while it is locked.
pub const SERVED_WHILE_LOCKED: [&str; 4] = ["lock_status", "lock_now", "unlock", "unlock_with_system"];
const FILE: &str = "idle-lock.json";
const FILE_BYTES_MAX: u64 = 4 * 1024;
const PASSPHRASE_CHARS_MAX: usize = 200;
/// How often the lock is checked; if no check ran for [`SLEPT`], the computer slept.
const LOOK_EVERY: Duration = Duration::from_secs(5);
const SLEPT: TimeDelta = TimeDelta::seconds(60);
/// After this many wrong tries the next one must wait, and twice as long after each further one.
const TRIES: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_secs(10);
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// The lock's file.
#[derive(Default, Serialize, Deserialize)]
struct StoredLock {
    minutes: u32,
    /// Argon2id, as a PHC string.
    hash: String,
}

/// The lock of this process; `None` before its first use.
#[derive(Default)]
struct WindowLock(Mutex<Option<LockState>>);

struct LockState {
    stored: StoredLock,
    is_locked: bool,
    last_input: DateTime<Utc>,
    last_look: DateTime<Utc>,
    wrong_tries: u32,
    next_try: Option<Instant>,
}

impl LockState {
    fn look(&mut self, now: DateTime<Utc>) {
        let (idle, unseen) = (now - self.last_input, now - self.last_look);
        let has_slept = unseen > SLEPT;
        let was_set_back = idle < -SLEPT;
        let is_idle = idle >= TimeDelta::minutes(i64::from(self.stored.minutes));
        self.is_locked |= self.stored.minutes > 0 && (is_idle || has_slept || was_set_back);
        self.last_look = now;
    }

    fn note_input(&mut self, now: DateTime<Utc>) {
        (self.last_input, self.last_look) = (now, now);
    }

    fn unlock(&mut self, now: DateTime<Utc>) {
        self.is_locked = false;
        self.note_input(now);
    }

    fn status(&self, ctx: &Context) -> LockStatus {
        LockStatus {
            minutes: self.stored.minutes,
            locked: self.is_locked,
            system_sign_in: ctx.ports().sign_in.is_some(),
        }
    }

    /// Checks the passphrase. Wrong ones are counted, and after some of them the next must wait.
    async fn check_passphrase(&mut self, typed: String, pointer: &str) -> Result<(), BoundaryError> {
        let wait = self.next_try.map(|at| at.saturating_duration_since(Instant::now()));
        if let Some(wait) = wait.filter(|wait| !wait.is_zero()) {
            let message = format!("Too many wrong tries. Try again in {} seconds.", wait.as_secs() + 1);
            return Err(BoundaryError::with_code(ErrorCode::RateLimited, message));
        }
        let (typed, hash) = (Zeroizing::new(typed), self.stored.hash.clone());
        let verify = move || {
            PasswordHash::new(&hash)
                .is_ok_and(|hash| Argon2::default().verify_password(typed.as_bytes(), &hash).is_ok())
        };
        if tokio::task::spawn_blocking(verify).await.unwrap_or(false) {
            (self.wrong_tries, self.next_try) = (0, None);
            return Ok(());
        }
        self.wrong_tries += 1;
        if let Some(beyond) = self.wrong_tries.checked_sub(TRIES) {
            let wait = FIRST_WAIT.saturating_mul(2u32.saturating_pow(beyond)).min(LONGEST_WAIT);
            self.next_try = Instant::now().checked_add(wait);
        }
        Err(field_error(pointer, "This isn't the passphrase."))
    }
}

/// Whether the page is locked now. At start it is locked wherever there is a passphrase.
///
/// # Errors
/// [`ErrorCode::Storage`] where the lock's file can't be read: then nothing is served.
pub async fn is_locked(ctx: &Context) -> Result<bool, BoundaryError> {
    Ok(lock_status(ctx, Nothing {}).await?.locked)
}

/// The error for every call of a locked page.
#[must_use]
pub fn locked_error() -> BoundaryError {
    BoundaryError::with_code(ErrorCode::Locked, "Bordereau is locked.")
}

/// Whether and when the window locks.
///
/// # Errors
/// As [`is_locked`].
pub async fn lock_status(ctx: &Context, _request: Nothing) -> Result<LockStatus, BoundaryError> {
    change_state(ctx, LockState::look).await
}

/// Notes that the person typed or moved the mouse.
///
/// # Errors
/// As [`is_locked`].
pub async fn lock_postpone(ctx: &Context, _request: Nothing) -> Result<LockStatus, BoundaryError> {
    let note = |state: &mut LockState, now| {
        state.look(now);
        if !state.is_locked {
            state.note_input(now);
        }
    };
    change_state(ctx, note).await
}

/// Locks at once, if there is a passphrase.
///
/// # Errors
/// As [`is_locked`].
pub async fn lock_now(ctx: &Context, _request: Nothing) -> Result<LockStatus, BoundaryError> {
    change_state(ctx, |state, _| state.is_locked = state.stored.minutes > 0).await
}

async fn change_state(
    ctx: &Context,
    change: impl FnOnce(&mut LockState, DateTime<Utc>),
) -> Result<LockStatus, BoundaryError> {
    let lock = window_lock(ctx);
    let mut held = lock.0.lock().await;
    let state = load_state(ctx, &mut held)?;
    change(state, ctx.ports().clock.now());
    Ok(state.status(ctx))
}

/// Unlocks.
///
/// # Errors
/// [`ErrorCode::Validation`] for a wrong passphrase; [`ErrorCode::RateLimited`] after several; as [`is_locked`].
pub async fn unlock(ctx: &Context, request: UnlockRequest) -> Result<LockStatus, BoundaryError> {
    let lock = window_lock(ctx);
    let mut held = lock.0.lock().await;
    let state = load_state(ctx, &mut held)?;
    // Switched off on the command line meanwhile.
    if read_file(&lock_file(ctx))?.minutes > 0 {
        state.check_passphrase(request.passphrase, "/passphrase").await?;
    } else {
        state.stored = StoredLock::default();
    }
    state.unlock(ctx.ports().clock.now());
    Ok(state.status(ctx))
}

/// Unlocks with the computer's own sign-in.
///
/// # Errors
/// [`ErrorCode::Locked`] where the computer has none, didn't ask, or the person was not confirmed; as [`is_locked`].
pub async fn unlock_with_system(ctx: &Context, _request: Nothing) -> Result<LockStatus, BoundaryError> {
    let refused = |message: String| BoundaryError::with_code(ErrorCode::Locked, message);
    let Some(sign_in) = ctx.ports().sign_in.clone() else {
        return Err(refused("This computer has no sign-in of its own. Enter the passphrase.".to_owned()));
    };
    // Hold nothing meanwhile: a person takes time, and the page keeps asking for the status.
    match sign_in.confirm().await {
        Ok(true) => {}
        Ok(false) => {
            return Err(refused(
                "The system couldn't verify it's you. Try again, or enter the passphrase.".to_owned(),
            ));
        }
        Err(why) => {
            tracing::info!(why, "the computer's sign-in didn't answer");
            return Err(refused("This computer's sign-in didn't answer. Enter the passphrase.".to_owned()));
        }
    }
    change_state(ctx, LockState::unlock).await
}

/// Switches the lock on or off, or changes minutes or passphrase.
///
/// # Errors
/// [`ErrorCode::Validation`] names the fields at fault; [`ErrorCode::RateLimited`]; errors of writing.
pub async fn lock_change(ctx: &Context, request: ChangeLock) -> Result<LockStatus, BoundaryError> {
    if !LOCK_MINUTES.contains(&request.minutes) {
        let choices = LOCK_MINUTES.map(|minutes| minutes.to_string()).join(", ");
        return Err(field_error("/minutes", &format!("Choose one of {choices} minutes; 0 is off.")));
    }
    let lock = window_lock(ctx);
    let mut held = lock.0.lock().await;
    let state = load_state(ctx, &mut held)?;
    let is_on = state.stored.minutes > 0;
    if is_on {
        state.check_passphrase(request.current, "/current").await?;
    }
    let passphrase = Zeroizing::new(request.passphrase);
    let keeps = passphrase.is_empty() && is_on;
    let chars = PASSPHRASE_CHARS_MIN..=PASSPHRASE_CHARS_MAX;
    if request.minutes > 0 && !keeps && !chars.contains(&passphrase.chars().count()) {
        let message = format!("Choose a passphrase of {} to {} characters.", chars.start(), chars.end());
        return Err(field_error("/passphrase", &message));
    }
    let hash = if keeps { state.stored.hash.clone() } else { hash_passphrase(passphrase).await? };
    let stored =
        if request.minutes == 0 { None } else { Some(StoredLock { minutes: request.minutes, hash }) };
    write_file(&lock_file(ctx), stored.as_ref())?;
    state.stored = stored.unwrap_or_default();
    state.unlock(ctx.ports().clock.now());
    let status = state.status(ctx);
    drop(held);
    note_change(ctx, status.minutes).await?;
    Ok(status)
}

/// Turns the lock off without its passphrase, if that was forgotten. On the command line only, where anyone who can run
/// it can read everything anyway.
///
/// # Errors
/// Errors of writing.
pub async fn lock_forget(ctx: &Context) -> Result<(), BoundaryError> {
    write_file(&lock_file(ctx), None)?;
    *window_lock(ctx).0.lock().await = None;
    note_change(ctx, 0).await
}

async fn note_change(ctx: &Context, minutes: u32) -> Result<(), BoundaryError> {
    let text = match minutes {
        0 => "The lock of the window was switched off.".to_owned(),
        minutes => format!("The lock of the window was set to {minutes} minutes."),
    };
    let now = ctx.now_stamp();
    Ok(ctx.store().run_durably(move |db| audit::append_entry(db, &now.at, &now.by, &text)).await?)
}

fn window_lock(ctx: &Context) -> std::sync::Arc<WindowLock> {
    ctx.feature_state(|_| WindowLock::default())
}

fn load_state<'h>(
    ctx: &Context,
    held: &'h mut MutexGuard<'_, Option<LockState>>,
) -> Result<&'h mut LockState, BoundaryError> {
    if held.is_none() {
        let (stored, now) = (read_file(&lock_file(ctx))?, ctx.ports().clock.now());
        **held = Some(LockState {
            is_locked: stored.minutes > 0,
            stored,
            last_input: now,
            last_look: now,
            wrong_tries: 0,
            next_try: None,
        });
        ctx.ensure_running("idle lock", look_again);
    }
    held.as_mut().ok_or_else(|| BoundaryError::internal_error("reading the lock"))
}

async fn look_again(ctx: Context) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let _ = lock_status(&ctx, Nothing {}).await;
    }
}

async fn hash_passphrase(passphrase: Zeroizing<String>) -> Result<String, BoundaryError> {
    let hash = move || {
        let hash: PasswordHash = Argon2::default().hash_password(passphrase.as_bytes()).ok()?;
        Some(hash.to_string())
    };
    let what = "hashing the passphrase";
    run_off_thread(what, hash).await?.ok_or_else(|| BoundaryError::internal_error(what))
}

fn lock_file(ctx: &Context) -> PathBuf {
    ctx.store().folder().join(FILE)
}

fn read_file(path: &Path) -> Result<StoredLock, BoundaryError> {
    if !path.exists() {
        return Ok(StoredLock::default());
    }
    let read = read_chosen(path, FILE_BYTES_MAX).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    read.ok_or_else(|| {
        let message = format!("The lock of the window can't be read: {FILE} in the data folder was changed.");
        BoundaryError::with_code(ErrorCode::Storage, message)
    })
}

fn write_file(path: &Path, stored: Option<&StoredLock>) -> Result<(), BoundaryError> {
    let written = match stored {
        None => match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
        Some(stored) => serde_json::to_vec(stored)
            .map_err(io::Error::other)
            .and_then(|bytes| write_whole(path, &bytes))
            .and_then(|()| make_private_file(path)),
    };
    written.map_err(|error| file_error(&error, "The lock of the window couldn't be changed."))
}

fn field_error(pointer: &str, message: &str) -> BoundaryError {
    BoundaryError::invalid_field(pointer, message)
}
