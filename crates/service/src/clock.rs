//! Time, injected: the service never asks the operating system behind the caller's back.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

/// Says what time it is.
pub trait Clock: Send + Sync + 'static {
    /// The present instant.
    fn now(&self) -> DateTime<Utc>;
}

/// The operating system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// A clock that is stopped until it is set or advanced, for tests.
#[derive(Debug)]
pub struct SettableClock(Mutex<DateTime<Utc>>);

impl SettableClock {
    /// A clock standing at `instant`.
    pub fn starting_at(instant: DateTime<Utc>) -> SettableClock {
        SettableClock(Mutex::new(instant))
    }

    /// Puts the clock to `instant`.
    pub fn set(&self, instant: DateTime<Utc>) {
        *self.0.lock() = instant;
    }

    /// Moves the clock by `seconds`, backwards if negative; it stops at the ends of the calendar.
    pub fn advance(&self, seconds: i64) {
        let moved = shift_instant(self.now(), seconds);
        self.set(moved);
    }
}

impl Clock for SettableClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock()
    }
}

/// The clock of one running service: the injected one, moved by requests to `/practice/clock`.
pub(crate) struct PracticeClock {
    base: Arc<dyn Clock>,
    offset_seconds: AtomicI64,
}

impl PracticeClock {
    pub(crate) fn new(base: Arc<dyn Clock>) -> PracticeClock {
        PracticeClock { base, offset_seconds: AtomicI64::new(0) }
    }

    /// Seconds by which it differs from the injected clock.
    pub(crate) fn offset_seconds(&self) -> i64 {
        self.offset_seconds.load(Ordering::Relaxed)
    }

    pub(crate) fn advance(&self, seconds: i64) {
        let added = |offset: i64| Some(offset.saturating_add(seconds));
        // Always `Some`, so it cannot fail.
        let _ = self.offset_seconds.fetch_update(Ordering::Relaxed, Ordering::Relaxed, added);
    }

    /// Moves it so that it shows `instant` now (to the second).
    pub(crate) fn set(&self, instant: DateTime<Utc>) {
        let offset = instant.timestamp() - self.base.now().timestamp();
        self.offset_seconds.store(offset, Ordering::Relaxed);
    }
}

impl Clock for PracticeClock {
    fn now(&self) -> DateTime<Utc> {
        shift_instant(self.base.now(), self.offset_seconds())
    }
}

fn shift_instant(instant: DateTime<Utc>, seconds: i64) -> DateTime<Utc> {
    let end = if seconds < 0 { DateTime::<Utc>::MIN_UTC } else { DateTime::<Utc>::MAX_UTC };
    TimeDelta::try_seconds(seconds).and_then(|moved| instant.checked_add_signed(moved)).unwrap_or(end)
}
