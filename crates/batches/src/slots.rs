//! The reviews that are open in this process, each behind its own lock. Idle ones are dropped from memory: the store
//! has them whole.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bordereau_api::{BoundaryError, ErrorCode, ReviewStage, ReviewView, to_u32};
use bordereau_session::{Context, run_off_thread};
use bordereau_spreadsheets::{CheckProgress, ReadOptions};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::OwnedMutexGuard;

use super::session::ReviewSession;
use super::view::blank_view;

/// A review that was not used for this long is dropped from memory.
const IDLE: Duration = Duration::from_secs(10 * 60);
/// Reviews kept in memory beside those in use, so that switching between a few is fast.
const OPEN_MAX: usize = 4;
/// How often reviews that are not used are dropped.
const EVICT_EVERY: Duration = Duration::from_secs(60);
/// How long a request for the state of a source that is being read waits for a change, so that a page that keeps
/// asking sees the change at once.
const NEWS_WITHIN: Duration = Duration::from_millis(150);

/// How far a review is.
pub enum ReviewPhase {
    /// With its first rows once they are read: they can be viewed, not changed.
    Reading(Option<Box<ReviewSession>>),
    Refused(BoundaryError),
    Open(Box<ReviewSession>),
}

pub struct ReviewSlot {
    pub id: String,
    pub name: String,
    /// Bytes read so far, and altogether.
    pub read: AtomicU64,
    pub total: AtomicU64,
    /// Rows of the whole, once they are counted; then they are checked.
    pub rows: AtomicU64,
    phase: Mutex<ReviewPhase>,
    /// Notified of each new phase.
    pub news: tokio::sync::watch::Sender<()>,
    pub progress: Arc<CheckProgress>,
    /// The person closed it.
    is_closed: AtomicBool,
    /// Work on it panicked, so what is in memory may be inconsistent. It is opened again from the store.
    is_broken: AtomicBool,
    /// Held by each change until it is stored, and while a draft is opened again.
    pub changing: Arc<tokio::sync::Mutex<()>>,
    /// How often someone else changed the draft before it was opened here again.
    pub changes_of_others: u32,
    /// Requests for the sum of selected cells so far: only the newest one is finished.
    pub figure_requests: AtomicU64,
    /// A draft that is being opened again.
    reopening: AtomicBool,
    /// It was refused because reading it was interrupted.
    pub can_read_again: AtomicBool,
    used: Mutex<Instant>,
}

/// Held while a draft is opened again; requests for its rows wait for it.
pub struct DraftReopening {
    slot: Arc<ReviewSlot>,
    _turn: OwnedMutexGuard<()>,
}

impl Drop for DraftReopening {
    fn drop(&mut self) {
        self.slot.reopening.store(false, Ordering::Release);
    }
}

impl ReviewSlot {
    fn new(id: &str, name: &str, changes_of_others: u32) -> Arc<ReviewSlot> {
        Arc::new(ReviewSlot {
            id: id.into(),
            name: name.into(),
            read: AtomicU64::new(0),
            total: AtomicU64::new(0),
            rows: AtomicU64::new(0),
            phase: Mutex::new(ReviewPhase::Reading(None)),
            news: tokio::sync::watch::Sender::new(()),
            progress: Arc::default(),
            is_closed: AtomicBool::new(false),
            is_broken: AtomicBool::new(false),
            changing: Arc::default(),
            changes_of_others,
            figure_requests: AtomicU64::new(0),
            reopening: AtomicBool::new(false),
            can_read_again: AtomicBool::new(false),
            used: Mutex::new(Instant::now()),
        })
    }

    /// Only on threads for blocking work: a change of a large table takes long.
    pub fn phase(&self) -> MutexGuard<'_, ReviewPhase> {
        self.phase.lock()
    }

    pub fn set_phase(&self, phase: ReviewPhase) {
        *self.phase() = phase;
        self.news.send_replace(());
    }

    /// Stops reading.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.progress.cancel();
    }

    /// Nothing more is read for a review that was closed.
    pub fn ensure_not_canceled(&self) -> Result<(), BoundaryError> {
        if self.is_closed.load(Ordering::Acquire) { Err(canceled()) } else { Ok(()) }
    }

    /// A draft of an earlier run, or one that left the memory, is opened again.
    pub fn is_reopening(&self) -> bool {
        self.reopening.load(Ordering::Acquire)
    }

    /// Waits while the draft is opened again.
    pub async fn reopened(&self) {
        if self.is_reopening() {
            drop(self.changing.lock().await);
        }
    }

    /// Does the work, and notes when it panics.
    fn run_guarded<T>(&self, work: impl FnOnce() -> T) -> T {
        struct PanicGuard<'a>(&'a AtomicBool);
        impl Drop for PanicGuard<'_> {
            fn drop(&mut self) {
                self.0.fetch_or(std::thread::panicking(), Ordering::AcqRel);
            }
        }
        let _guard = PanicGuard(&self.is_broken);
        work()
    }

    fn is_usable(&self) -> bool {
        !self.is_broken.load(Ordering::Acquire)
    }

    fn is_open(&self) -> bool {
        self.phase.try_lock().is_some_and(|phase| matches!(*phase, ReviewPhase::Open(_)))
    }
}

/// A person closed the review while it was read.
pub fn canceled() -> BoundaryError {
    BoundaryError::with_code(ErrorCode::Canceled, "The reading was ended.")
}

/// The state of the review; while its source is read, waits a moment for a change.
pub async fn view_with_news(slot: &Arc<ReviewSlot>) -> Result<ReviewView, BoundaryError> {
    let mut news = slot.news.subscribe();
    let view = view_of(slot).await?;
    let has_news =
        view.stage == ReviewStage::Reading && tokio::time::timeout(NEWS_WITHIN, news.changed()).await.is_ok();
    if has_news { view_of(slot).await } else { Ok(view) }
}

/// The state of the review, while it is read too.
pub async fn view_of(slot: &Arc<ReviewSlot>) -> Result<ReviewView, BoundaryError> {
    let slot = Arc::clone(slot);
    blocking(move || {
        let small = |n: &AtomicU64| to_u32(n.load(Ordering::Relaxed));
        let view = match &*slot.phase() {
            ReviewPhase::Reading(None) => blank_view(&slot.id, &slot.name),
            ReviewPhase::Reading(Some(first)) => {
                ReviewView { stage: ReviewStage::Reading, stored_at: String::new(), ..first.view.clone() }
            }
            ReviewPhase::Refused(error) => ReviewView {
                stage: ReviewStage::Refused,
                refusal: Some(error.message.clone()),
                refused_for_now: error.retryable
                    || !matches!(error.code, ErrorCode::Validation | ErrorCode::Internal),
                can_read_again: slot.can_read_again.load(Ordering::Relaxed),
                ..blank_view(&slot.id, &slot.name)
            },
            ReviewPhase::Open(session) => session.view.clone(),
        };
        ReviewView {
            read_bytes: small(&slot.read),
            total_bytes: small(&slot.total),
            read_rows: small(&slot.rows),
            checked_rows: to_u32(slot.progress.checked_count()),
            is_draft: view.stage == ReviewStage::Reading && slot.is_reopening(),
            changes_of_others: slot.changes_of_others,
            ..view
        }
    })
    .await
}

/// Works on the open review of a slot. Only on threads for blocking work.
pub fn with_session<T>(
    slot: &ReviewSlot,
    work: impl FnOnce(&mut ReviewSession) -> Result<T, BoundaryError>,
) -> Result<T, BoundaryError> {
    match &mut *slot.phase() {
        ReviewPhase::Open(session) => slot.run_guarded(|| work(session)),
        ReviewPhase::Reading(_) => {
            let message = "The file is still being read. Wait until it is open, then try again.";
            Err(BoundaryError::with_code(ErrorCode::Validation, message).mark_retryable())
        }
        ReviewPhase::Refused(error) => Err(error.clone()),
    }
}

/// Heavy work off the asynchronous threads.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, BoundaryError> {
    run_off_thread("reviewing rows", work).await
}

/// All of them, by id.
#[derive(Default)]
pub struct Reviews {
    slots: Mutex<HashMap<String, Arc<ReviewSlot>>>,
    /// How often others changed each of them, whether it is in memory or not.
    changes_of_others: Mutex<HashMap<String, u32>>,
    /// Held while a large source is read and checked.
    pub large: Arc<tokio::sync::Mutex<()>>,
    /// New drafts belong to a command until it hands them over to the person.
    pub unattended: AtomicBool,
    /// New drafts end with this process, and their sources are not stored.
    pub only_checks: AtomicBool,
    /// How the files of new drafts are read, where it is known before they are.
    pub reading: Mutex<ReadOptions>,
    /// Pipes are read like files: tests stall the reading with them.
    pub accepts_pipes: AtomicBool,
}

/// Reads pipes like files: a test stalls the reading with one.
pub fn accept_pipes(ctx: &Context) {
    Reviews::of(ctx).accepts_pipes.store(true, Ordering::Relaxed);
}

/// Drops reviews that are not used, now and, where this desk works, every minute from now on.
pub fn evict_unused(ctx: &Context) {
    Reviews::of(ctx).evict_idle();
    if ctx.is_at_work() {
        ctx.ensure_running("reviews", |ctx| async move {
            loop {
                tokio::time::sleep(EVICT_EVERY).await;
                Reviews::of(&ctx).evict_idle();
            }
        });
    }
}

impl Reviews {
    /// That of this context.
    pub fn of(ctx: &Context) -> Arc<Reviews> {
        ctx.feature_state(|_| Reviews::default())
    }

    /// A new slot that is being read.
    pub fn begin(&self, id: &str, name: &str) -> Arc<ReviewSlot> {
        let slot = ReviewSlot::new(id, name, 0);
        self.slots.lock().insert(id.to_owned(), Arc::clone(&slot));
        slot
    }

    /// The slot of a draft; one made just now has to be read.
    pub fn get_or_begin(&self, id: &str, name: &str) -> (Arc<ReviewSlot>, Option<DraftReopening>) {
        let mut slots = self.slots.lock();
        if let Some(slot) = slots.get(id).filter(|slot| slot.is_usable()) {
            return (Arc::clone(slot), None);
        }
        let slot = ReviewSlot::new(id, name, self.changes_of_others.lock().get(id).copied().unwrap_or(0));
        slots.insert(id.to_owned(), Arc::clone(&slot));
        let reopening = Arc::clone(&slot.changing).try_lock_owned().ok().map(|turn| {
            slot.reopening.store(true, Ordering::Release);
            DraftReopening { slot: Arc::clone(&slot), _turn: turn }
        });
        (slot, reopening)
    }

    /// An open review.
    pub fn get(&self, id: &str) -> Option<Arc<ReviewSlot>> {
        let slot = self.slots.lock().get(id).cloned().filter(|slot| slot.is_usable())?;
        *slot.used.lock() = Instant::now();
        Some(slot)
    }

    /// Whether no other slot has replaced it.
    pub fn is_current(&self, slot: &Arc<ReviewSlot>) -> bool {
        self.get(&slot.id).is_some_and(|now| Arc::ptr_eq(&now, slot))
    }

    /// Removes this slot, not one that replaced it.
    pub fn forget_slot(&self, slot: &Arc<ReviewSlot>) {
        self.slots.lock().retain(|_, now| !Arc::ptr_eq(now, slot));
    }

    /// Notes that someone else changed a draft, which is opened again in place of this slot.
    pub fn note_change_of_others(&self, id: &str, slot: Option<&Arc<ReviewSlot>>) {
        let mut slots = self.slots.lock();
        // Of several requests that find it changed, one notes it.
        if slots.get(id).map(Arc::as_ptr) == slot.map(Arc::as_ptr) {
            slots.remove(id);
            *self.changes_of_others.lock().entry(id.to_owned()).or_default() += 1;
        }
    }

    /// Removes a review from memory.
    pub fn forget(&self, id: &str) {
        self.slots.lock().remove(id);
        self.changes_of_others.lock().remove(id);
    }

    /// Drops reviews that were not used for a while, and the longest unused beyond a few.
    fn evict_idle(&self) {
        self.evict_beyond(IDLE, OPEN_MAX);
    }

    /// Drops all reviews: opened again, they are checked against the profile in use and what was sent with it.
    pub fn evict_all(&self) {
        self.evict_beyond(Duration::ZERO, 0);
    }

    fn evict_beyond(&self, idle: Duration, most: usize) {
        let mut slots = self.slots.lock();
        let mut sessions: Vec<(Instant, String)> = slots
            .values()
            // A slot that a request has too is in use.
            .filter(|slot| Arc::strong_count(slot) == 1 && slot.is_open())
            .map(|slot| (*slot.used.lock(), slot.id.clone()))
            .collect();
        sessions.sort_unstable();
        let beyond = sessions.len().saturating_sub(most);
        let is_due = |(at, (used, _)): &(usize, &(Instant, String))| *at < beyond || used.elapsed() >= idle;
        let due = sessions.iter().enumerate().filter(is_due);
        let freed: Vec<_> = due.filter_map(|(_, (_, id))| slots.remove(id)).collect();
        drop(slots);
        // Freeing a large table takes long: not under the lock.
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
        reviews.evict_beyond(Duration::ZERO, 0);
        assert!(reviews.get("a").is_some() && reviews.get("b").is_some(), "neither is open yet");
        drop(held);
    }

    #[test]
    fn a_review_whose_check_panicked_is_opened_again_from_the_store() {
        let reviews = Reviews::default();
        let slot = reviews.begin("a", "a.csv");
        let panicked = std::panic::AssertUnwindSafe(|| slot.run_guarded(|| panic!("a check")));
        assert!(std::panic::catch_unwind(panicked).is_err());
        assert!(reviews.get("a").is_none());
        let (again, reopening) = reviews.get_or_begin("a", "a.csv");
        assert!(reopening.is_some() && !Arc::ptr_eq(&again, &slot));
        assert!(reviews.get("a").is_some());
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
