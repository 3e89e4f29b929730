//! The reviews that are open in this process, each behind its own lock. Those that nobody looks at are let go:
//! the store has them whole.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bordereau_spreadsheets::CheckProgress;
use tokio::sync::OwnedMutexGuard;

use super::open::Open;
use super::sight::Sight;
use bordereau_api::{BoundaryError, ErrorCode};
use bordereau_session::Context;

/// A review that was not used for this long leaves the memory.
const IDLE: Duration = Duration::from_secs(10 * 60);
/// Reviews in memory beside those in use: going to and fro between a few is quick.
const OPEN_MAX: usize = 4;

/// How far a review is.
pub enum Phase {
    Reading,
    /// The first rows of a large file, to be looked at while the rest is read.
    Look(Box<Open>),
    Refused(String),
    Open(Box<Open>),
}

/// One review of this process.
pub struct Slot {
    pub id: String,
    pub name: String,
    /// Bytes read so far, and altogether.
    pub read: AtomicU64,
    pub total: AtomicU64,
    /// Rows of the whole, once they are told apart; then they are checked.
    pub rows: AtomicU64,
    phase: Mutex<Phase>,
    /// Told when there is something new to look at.
    pub news: tokio::sync::watch::Sender<()>,
    /// How far all rows are checked.
    pub watch: Arc<CheckProgress>,
    /// There are rows to look at, or there will be none.
    has_rows: AtomicBool,
    /// Whether its first rows are looked at.
    pub sight: Sight,
    /// The person does not want it any more.
    is_closed: AtomicBool,
    /// Changes come one after the other, each kept before the next. Opening a draft again is one of them.
    pub turn: Arc<tokio::sync::Mutex<()>>,
    /// A draft that is being opened again.
    reopening: AtomicBool,
    used: Mutex<Instant>,
}

/// Held while a draft is opened again; whoever needs its rows waits for it.
pub struct Reopening {
    slot: Arc<Slot>,
    _turn: OwnedMutexGuard<()>,
}

impl Drop for Reopening {
    fn drop(&mut self) {
        self.slot.reopening.store(false, Ordering::Release);
    }
}

impl Slot {
    fn new(id: &str, name: &str) -> Arc<Slot> {
        Arc::new(Slot {
            id: id.into(),
            name: name.into(),
            read: AtomicU64::new(0),
            total: AtomicU64::new(0),
            rows: AtomicU64::new(0),
            phase: Mutex::new(Phase::Reading),
            news: tokio::sync::watch::Sender::new(()),
            watch: Arc::default(),
            has_rows: AtomicBool::new(false),
            sight: Sight::default(),
            is_closed: AtomicBool::new(false),
            turn: Arc::default(),
            reopening: AtomicBool::new(false),
            used: Mutex::new(Instant::now()),
        })
    }

    /// Only on threads for blocking work: a change of a large table holds it for long.
    pub fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn enter(&self, phase: Phase) {
        *self.phase() = phase;
        self.has_rows.store(true, Ordering::Release);
        self.news.send_replace(());
    }

    /// Ends the reading where it is.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.watch.cancel();
    }

    /// Nothing more is read for a review that was closed.
    pub fn is_wanted(&self) -> Result<(), BoundaryError> {
        match self.is_closed.load(Ordering::Acquire) {
            true => Err(ended()),
            false => Ok(()),
        }
    }

    /// A draft of an earlier run, or one that left the memory, is opened again.
    pub fn is_reopening(&self) -> bool {
        self.reopening.load(Ordering::Acquire)
    }

    /// Waits until a draft that is opened again has its first rows.
    pub async fn first_rows(&self) {
        let mut news = self.news.subscribe();
        if self.is_reopening() && !self.has_rows.load(Ordering::Acquire) {
            let _ = news.changed().await;
        }
    }

    /// Waits while the draft is opened again.
    pub async fn reopened(&self) {
        if self.is_reopening() {
            drop(self.turn.lock().await);
        }
    }

    fn use_now(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn last_used(&self) -> Instant {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_open(&self) -> bool {
        self.phase.try_lock().is_ok_and(|phase| matches!(*phase, Phase::Open(_)))
    }
}

/// Nobody wants it any more.
pub fn ended() -> BoundaryError {
    BoundaryError::of(ErrorCode::Canceled, "The reading was ended.")
}

/// All of them, by id.
pub struct Reviews {
    slots: Mutex<HashMap<String, Arc<Slot>>>,
    /// Held while the whole of a source is read and checked, behind its first rows.
    pub large: Arc<tokio::sync::Semaphore>,
    /// New drafts are a command's own until it leaves them to the person.
    pub unattended: AtomicBool,
}

impl Default for Reviews {
    fn default() -> Self {
        Reviews {
            slots: Mutex::default(),
            large: Arc::new(tokio::sync::Semaphore::new(1)),
            unattended: AtomicBool::new(false),
        }
    }
}

impl Reviews {
    /// That of this context.
    pub fn of(ctx: &Context) -> std::sync::Arc<Reviews> {
        ctx.state(|_| Reviews::default())
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new slot that is being read.
    pub fn begin(&self, id: &str, name: &str) -> Arc<Slot> {
        let slot = Slot::new(id, name);
        self.slots().insert(id.to_owned(), Arc::clone(&slot));
        slot
    }

    /// The slot of a draft; one made just now has to be read.
    pub fn get_or_begin(&self, id: &str, name: &str) -> (Arc<Slot>, Option<Reopening>) {
        let mut slots = self.slots();
        if let Some(slot) = slots.get(id) {
            return (Arc::clone(slot), None);
        }
        let slot = Slot::new(id, name);
        slots.insert(id.to_owned(), Arc::clone(&slot));
        let reopening = Arc::clone(&slot.turn).try_lock_owned().ok().map(|turn| {
            slot.reopening.store(true, Ordering::Release);
            Reopening { slot: Arc::clone(&slot), _turn: turn }
        });
        (slot, reopening)
    }

    /// An open review.
    pub fn get(&self, id: &str) -> Option<Arc<Slot>> {
        let slot = self.slots().get(id).cloned()?;
        slot.use_now();
        Some(slot)
    }

    /// Lets a review go.
    pub fn forget(&self, id: &str) {
        self.slots().remove(id);
    }

    /// Lets go of reviews that were not used for a while, and of the longest unused beyond a few.
    pub fn rest(&self) {
        self.rest_beyond(IDLE, OPEN_MAX);
    }

    fn rest_beyond(&self, idle: Duration, most: usize) {
        let mut slots = self.slots();
        let mut open: Vec<(Instant, String)> = slots
            .values()
            // In use where somebody else holds it: a change is under way, or it is being read.
            .filter(|slot| Arc::strong_count(slot) == 1 && slot.is_open())
            .map(|slot| (slot.last_used(), slot.id.clone()))
            .collect();
        open.sort_unstable();
        let beyond = open.len().saturating_sub(most);
        let is_due = |(at, (used, _)): &(usize, &(Instant, String))| *at < beyond || used.elapsed() >= idle;
        let due = open.iter().enumerate().filter(is_due);
        let freed: Vec<_> = due.filter_map(|(_, (_, id))| slots.remove(id)).collect();
        drop(slots);
        // A large table takes its time to go: nobody waits for that.
        drop(freed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_being_read_or_held_stays() {
        let reviews = Reviews::default();
        let held = reviews.begin("a", "a.csv");
        reviews.begin("b", "b.csv");
        reviews.rest_beyond(Duration::ZERO, 0);
        assert!(reviews.get("a").is_some() && reviews.get("b").is_some(), "neither is open yet");
        drop(held);
    }

    #[tokio::test]
    async fn whoever_needs_a_draft_waits_until_it_is_opened_again() {
        let reviews = Reviews::default();
        let (slot, reopening) = reviews.get_or_begin("a", "a.csv");
        assert!(reopening.is_some());
        assert!(reviews.get_or_begin("a", "a.csv").1.is_none(), "it is opened once");
        let waits = {
            let slot = Arc::clone(&slot);
            tokio::spawn(async move { slot.reopened().await })
        };
        tokio::task::yield_now().await;
        assert!(!waits.is_finished());
        drop(reopening);
        waits.await.unwrap();
        slot.reopened().await;
    }
}
