//! Keeps the client under the limit of requests (contract section 7).
//!
//! The service counts minutes of its own clock, which the client does not know. So the client counts
//! over a window that slides: whatever minute the service counts, no more than the limit falls into it.

use std::collections::VecDeque;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::ClientError;

/// The window is counted in this many slots, and one more is kept as a margin for slow deliveries.
const SLOTS: u32 = 60;
/// The longest pause a service can ask for: beyond it asking again is better than waiting on.
const PAUSE_MAX: Duration = Duration::from_secs(24 * 3600);

/// The limiter of a client, shared by all its calls.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    started: Instant,
    count: Mutex<RequestCount>,
}

impl RateLimiter {
    pub(crate) fn new(limit: u32, window: Duration) -> RateLimiter {
        RateLimiter { started: Instant::now(), count: Mutex::new(RequestCount::new(limit, window)) }
    }

    /// Waits until one more request may be sent, and counts it.
    ///
    /// Fails at once with [`ClientError::RateLimited`] when the wait would go beyond the deadline.
    pub(crate) async fn acquire_slot(&self, deadline: Instant) -> Result<(), ClientError> {
        loop {
            let now = Instant::now();
            let Err(wait) = self.with(|count, elapsed| count.count_request(elapsed)) else { return Ok(()) };
            if now + wait > deadline {
                return Err(ClientError::RateLimited { retry_after: wait });
            }
            tracing::debug!(wait_ms = wait.as_millis(), "waiting for the limit of requests");
            tokio::time::sleep(wait).await;
        }
    }

    /// Holds back all requests of the client, as the service asked with `Retry-After`.
    pub(crate) fn pause_all(&self, wait: Duration) {
        self.with(|count, elapsed| count.pause_until(elapsed + wait.min(PAUSE_MAX)));
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
        let limiter = RateLimiter::new(1, MINUTE);
        let deadline = Instant::now() + Duration::from_secs(1);
        limiter.acquire_slot(deadline).await.expect("the first is free");
        let error = limiter.acquire_slot(deadline).await.expect_err("the second must wait a minute");
        assert!(
            matches!(error, ClientError::RateLimited { retry_after } if retry_after > Duration::from_secs(50))
        );
        assert_eq!(limiter.current_usage(), (1, 1));
    }
}
