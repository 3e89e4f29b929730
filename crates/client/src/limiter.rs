//! Keeps the client under the limit of requests (contract section 7).
//!
//! The service counts minutes of its own clock, which the client does not know. So the client counts
//! over a window that slides: whatever minute the service counts, no more than the limit falls into it.
//! Where several desks send with one key, each reserves what it sends from what is left to all of them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::{Instant, sleep};

use crate::ClientError;
use crate::shared_limit::{Reservation, SharedLimit};

/// The window is counted in this many slots, and one more is kept as a margin for slow deliveries.
const SLOTS: u32 = 60;
/// The longest pause a service can ask for: beyond it asking again is better than waiting on.
const PAUSE_MAX: Duration = Duration::from_secs(24 * 3600);

/// Of how many slots what was reserved may be used: it counts from when it was reserved.
const USED_WITHIN_SLOTS: u32 = 3;
/// What is reserved at once is at most this part of the limit, where fewer calls wait: what isn't used is lost to all.
const PORTION_OF_LIMIT: u32 = 50;
/// After which what can't be reserved is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// The limiter of a client, shared by all its calls.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    started: Instant,
    count: Mutex<RequestCount>,
    shared: Option<ReservedRequests>,
}

/// What this client has reserved of a limit that it shares.
#[derive(Debug)]
struct ReservedRequests {
    limit: Arc<dyn SharedLimit>,
    /// Calls that wait.
    waiting: AtomicU32,
    /// Held while reserving: several calls at once reserve together.
    portion: tokio::sync::Mutex<Portion>,
    /// Why nothing could be reserved the last time; empty where that was not so.
    trouble: Mutex<String>,
}

#[derive(Debug)]
struct Portion {
    left: u32,
    /// How many were reserved at once.
    size: u32,
    good_until: Instant,
    /// Nothing is left before this.
    full_until: Instant,
}

impl RateLimiter {
    pub(crate) fn new(limit: u32, window: Duration, shared: Option<Arc<dyn SharedLimit>>) -> RateLimiter {
        let now = Instant::now();
        let portion = Portion { left: 0, size: 0, good_until: now, full_until: now };
        let shared = shared.map(|limit| ReservedRequests {
            limit,
            waiting: AtomicU32::new(0),
            portion: tokio::sync::Mutex::new(portion),
            trouble: Mutex::default(),
        });
        RateLimiter { started: now, count: Mutex::new(RequestCount::new(limit, window)), shared }
    }

    /// Waits until one more request may be sent, and counts it.
    ///
    /// Fails at once with [`ClientError::RateLimited`] when the wait would go beyond the deadline.
    pub(crate) async fn acquire_slot(&self, deadline: Instant) -> Result<(), ClientError> {
        while let Err(wait) = self.with(|count, elapsed| count.count_request(elapsed)) {
            wait_within(wait, deadline).await?;
        }
        // The last: what was reserved is used at once.
        let Some(shared) = &self.shared else { return Ok(()) };
        let (limit, slot) = self.with(|count, _| (count.limit, count.slot));
        shared.acquire(limit, slot, deadline).await
    }

    /// Holds back all requests of the client, as the service asked with `Retry-After`.
    pub(crate) fn pause_all(&self, wait: Duration) {
        self.with(|count, elapsed| count.pause_until(elapsed + wait.min(PAUSE_MAX)));
    }

    /// The service says that the limit is used up: nobody who shares it sends within the current window.
    pub(crate) async fn use_up(&self) {
        if let Some(shared) = &self.shared {
            let (limit, slot) = self.with(|count, _| (count.limit, count.slot));
            // What can't be counted now is sent by nobody anyway.
            let _ = shared.limit.reserve(limit, limit, counted_slots(slot)).await;
        }
    }

    /// Requests in the current window, and the limit.
    pub(crate) fn current_usage(&self) -> (u32, u32) {
        self.with(|count, elapsed| {
            count.drop_old_slots(elapsed);
            (count.used, count.limit)
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut RequestCount, Duration) -> T) -> T {
        let mut count = self.count.lock();
        // Read under the lock, so that time never runs backwards between two callers.
        let elapsed = self.started.elapsed();
        work(&mut count, elapsed)
    }
}

/// The slots that count: those of the window, and those within which a portion may still be used.
const fn counted_slots(slot: Duration) -> (Duration, u32) {
    (slot, SLOTS + 2 + USED_WITHIN_SLOTS)
}

/// Waits, unless that is beyond the deadline.
async fn wait_within(wait: Duration, deadline: Instant) -> Result<(), ClientError> {
    if Instant::now() + wait > deadline {
        return Err(ClientError::RateLimited { retry_after: wait });
    }
    tracing::debug!(wait_ms = wait.as_millis(), "waiting for the limit of requests");
    sleep(wait).await;
    Ok(())
}

impl ReservedRequests {
    /// Waits until one more request is reserved, also while nothing can be reserved.
    async fn acquire(&self, limit: u32, slot: Duration, deadline: Instant) -> Result<(), ClientError> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let acquired = self.acquire_counted(limit, slot, deadline).await;
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        acquired
    }

    async fn acquire_counted(
        &self,
        limit: u32,
        slot: Duration,
        deadline: Instant,
    ) -> Result<(), ClientError> {
        let too_late = |_| ClientError::RateLimited { retry_after: TRY_AGAIN };
        loop {
            let reserve = self.take_or_reserve(limit, slot);
            let waited = match tokio::time::timeout_at(deadline, reserve).await.map_err(too_late) {
                Ok(None) => return Ok(()),
                Ok(Some(wait)) => wait_within(wait, deadline).await,
                Err(error) => Err(error),
            };
            waited.map_err(|error| match self.trouble.lock().as_str() {
                "" => error,
                reason => ClientError::NotCounted { reason: reason.to_owned() },
            })?;
        }
    }

    /// None where one was taken; else how long to wait.
    async fn take_or_reserve(&self, limit: u32, slot: Duration) -> Option<Duration> {
        let mut portion = self.portion.lock().await;
        // What is reserved counts from here on, whatever clock the others have.
        let now = Instant::now();
        if portion.left > 0 && now < portion.good_until {
            portion.left -= 1;
            return None;
        }
        if now < portion.full_until {
            return Some(portion.full_until - now);
        }
        let is_busy = portion.left == 0 && now < portion.good_until;
        let most = (limit / PORTION_OF_LIMIT).max(1);
        let size = if is_busy { portion.size.saturating_mul(2).min(most) } else { 1 };
        let wanted = self.waiting.load(Ordering::Relaxed).max(size);
        let reserved = self.limit.reserve(wanted, limit, counted_slots(slot)).await;
        self.trouble.lock().clear();
        let wait = match reserved {
            Reservation::Given(given) => {
                let good_until = now + slot * USED_WITHIN_SLOTS;
                *portion = Portion { left: given, size: given, good_until, full_until: now };
                if given > 0 && Instant::now() < good_until {
                    portion.left -= 1;
                    return None;
                }
                TRY_AGAIN
            }
            Reservation::Full(wait) => wait,
            Reservation::Unreachable(reason) => {
                *self.trouble.lock() = reason;
                TRY_AGAIN
            }
            // Beyond any deadline: each call asks again, and is told.
            Reservation::Refused(reason) => {
                *self.trouble.lock() = reason;
                return Some(PAUSE_MAX);
            }
        };
        portion.full_until = Instant::now() + wait;
        Some(wait)
    }
}

/// The count itself, on time that is passed in.
#[derive(Debug)]
struct RequestCount {
    limit: u32,
    window: Duration,
    slot: Duration,
    /// Slot number and requests in it, oldest first.
    slots: VecDeque<(u32, u32)>,
    used: u32,
    paused_until: Duration,
}

impl RequestCount {
    fn new(limit: u32, window: Duration) -> RequestCount {
        let window = window.max(Duration::from_millis(60));
        RequestCount {
            limit: limit.max(1),
            window,
            slot: window / SLOTS,
            slots: VecDeque::new(),
            used: 0,
            paused_until: Duration::ZERO,
        }
    }

    /// Counts one request, or says how long to wait.
    fn count_request(&mut self, now: Duration) -> Result<(), Duration> {
        self.drop_old_slots(now);
        if now < self.paused_until {
            return Err(self.paused_until - now);
        }
        if self.used >= self.limit {
            let oldest = self.slots.front().map_or(now, |(slot, _)| self.free_at(*slot));
            return Err(oldest.saturating_sub(now).max(Duration::from_millis(1)));
        }
        let current = u32::try_from(now.as_nanos() / self.slot.as_nanos()).unwrap_or(u32::MAX);
        match self.slots.back_mut() {
            Some((slot, requests)) if *slot == current => *requests += 1,
            _ => self.slots.push_back((current, 1)),
        }
        self.used += 1;
        Ok(())
    }

    /// When the requests of a slot no longer count: a whole window after the slot's end.
    fn free_at(&self, slot: u32) -> Duration {
        self.slot * slot.saturating_add(1) + self.window
    }

    fn drop_old_slots(&mut self, now: Duration) {
        while let Some((slot, requests)) = self.slots.front().copied() {
            if self.free_at(slot) > now {
                break;
            }
            self.used -= requests;
            self.slots.pop_front();
        }
    }

    fn pause_until(&mut self, until: Duration) {
        self.paused_until = self.paused_until.max(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn no_minute_ever_holds_more_than_the_limit() {
        let mut count = RequestCount::new(100, MINUTE);
        let mut sent = Vec::new();
        let mut now = Duration::ZERO;
        while now < MINUTE * 10 {
            match count.count_request(now) {
                Ok(()) => sent.push(now),
                Err(wait) => now += wait,
            }
            // Bursts, then quiet stretches of odd length.
            if sent.len() % 37 == 0 {
                now += Duration::from_millis(7_313);
            }
        }
        assert!(sent.len() > 800, "{}", sent.len());
        for (at, first) in sent.iter().enumerate() {
            let within = sent[at..].iter().take_while(|t| **t < *first + MINUTE).count();
            assert!(within <= 100, "{within} in the minute from {first:?}");
        }
    }

    #[test]
    fn waits_for_the_oldest_slot() {
        let mut count = RequestCount::new(2, MINUTE);
        assert_eq!(count.count_request(Duration::from_millis(500)), Ok(()));
        assert_eq!(count.count_request(Duration::from_millis(1_500)), Ok(()));
        assert_eq!(count.count_request(Duration::from_secs(2)), Err(Duration::from_secs(59)));
        assert_eq!(count.count_request(Duration::from_secs(61)), Ok(()));
        assert_eq!(count.used, 2);
    }

    #[test]
    fn a_pause_holds_everything_back_and_never_shrinks() {
        let mut count = RequestCount::new(10, MINUTE);
        count.pause_until(Duration::from_secs(30));
        count.pause_until(Duration::from_secs(5));
        assert_eq!(count.count_request(Duration::from_secs(10)), Err(Duration::from_secs(20)));
        assert_eq!(count.count_request(Duration::from_secs(30)), Ok(()));
    }

    #[tokio::test]
    async fn does_not_wait_beyond_the_deadline() {
        let limiter = RateLimiter::new(1, MINUTE, None);
        let deadline = Instant::now() + Duration::from_secs(1);
        limiter.acquire_slot(deadline).await.expect("the first is free");
        let error = limiter.acquire_slot(deadline).await.expect_err("the second must wait a minute");
        assert!(
            matches!(error, ClientError::RateLimited { retry_after } if retry_after > Duration::from_secs(50))
        );
        assert_eq!(limiter.current_usage(), (1, 1));
    }

    /// A limit that several clients share, which answers nothing for a while.
    #[derive(Debug)]
    struct Shared {
        left: AtomicU32,
        unreachable: AtomicU32,
    }

    impl SharedLimit for Shared {
        fn reserve(
            &self,
            wanted: u32,
            _limit: u32,
            _slots: (Duration, u32),
        ) -> std::pin::Pin<Box<dyn Future<Output = Reservation> + Send + '_>> {
            let down = |left: u32| left.checked_sub(1);
            let answer = if self.unreachable.fetch_update(Ordering::SeqCst, Ordering::SeqCst, down).is_ok() {
                Reservation::Unreachable("Not reached.".into())
            } else if self.left.load(Ordering::SeqCst) == u32::MAX {
                Reservation::Refused("Full.".into())
            } else {
                let take = |left: u32| Some(left.saturating_sub(wanted));
                match self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take) {
                    Ok(0) | Err(_) => Reservation::Full(MINUTE),
                    Ok(left) => Reservation::Given(wanted.min(left)),
                }
            };
            Box::pin(std::future::ready(answer))
        }
    }

    fn shared(left: u32, unreachable: u32) -> (Arc<Shared>, [RateLimiter; 2]) {
        let limit = Arc::new(Shared { left: AtomicU32::new(left), unreachable: AtomicU32::new(unreachable) });
        let limiters = [(); 2].map(|()| RateLimiter::new(1_000, MINUTE, Some(limit.clone())));
        (limit, limiters)
    }

    #[tokio::test]
    async fn clients_that_share_a_limit_send_no_more_together() {
        let (_, limiters) = shared(100, 0);
        let mut sent = 0;
        for number in 0..200 {
            let deadline = Instant::now() + Duration::from_secs(1);
            sent += usize::from(limiters[number % 2].acquire_slot(deadline).await.is_ok());
        }
        // Portions that one of them reserved and did not use are lost, never used twice.
        assert!((80..=100).contains(&sent), "{sent}");
    }

    #[tokio::test]
    async fn a_limit_that_one_found_used_up_is_used_up_for_all() {
        let (_, limiters) = shared(100, 0);
        let deadline = Instant::now() + Duration::from_secs(1);
        limiters[0].acquire_slot(deadline).await.expect("the first");
        limiters[0].use_up().await;
        let error = limiters[1].acquire_slot(deadline).await;
        assert!(matches!(error, Err(ClientError::RateLimited { .. })), "{error:?}");
    }

    #[tokio::test]
    async fn while_nothing_can_be_reserved_requests_wait() {
        let (_, limiters) = shared(10, 1);
        let started = Instant::now();
        limiters[0].acquire_slot(started + MINUTE).await.expect("once it can be reserved");
        assert!(started.elapsed() >= Duration::from_millis(990));
        let (limit, limiters) = shared(10, u32::MAX);
        let error = limiters[0].acquire_slot(Instant::now() + Duration::from_millis(50)).await;
        assert_eq!(error, Err(ClientError::NotCounted { reason: "Not reached.".into() }));
        assert_eq!(limit.left.load(Ordering::SeqCst), 10, "nothing is sent meanwhile");
        let (_, limiters) = shared(u32::MAX, 0);
        let started = Instant::now();
        let error = limiters[0].acquire_slot(started + MINUTE).await;
        assert_eq!(error, Err(ClientError::NotCounted { reason: "Full.".into() }));
        assert!(started.elapsed() < Duration::from_secs(5), "at once");
    }
}
