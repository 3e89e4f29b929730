//! How often the service is asked about events.

use std::time::Duration;

/// How often the service is asked to confirm events, and to find unreported ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventPace {
    /// How often due questions are looked for.
    pub look: Duration,
    /// First pause before asking about a transaction, by the desk's clock; doubled each time nothing is new.
    pub first_pause: Duration,
    /// Longest pause.
    pub longest_pause: Duration,
    /// Transactions asked for at once.
    pub at_once: u32,
    /// Pause before reconnecting to a lost listener; doubled up to the longest.
    pub refollow: Duration,
    /// Messages of a listener in one day that the service hasn't confirmed. Beyond them none is read until it has
    /// confirmed some, or until the next day.
    pub unconfirmed_max: u32,
}

impl Default for EventPace {
    fn default() -> Self {
        EventPace {
            look: Duration::from_secs(15),
            first_pause: Duration::from_secs(60),
            longest_pause: Duration::from_secs(6 * 3_600),
            at_once: 20,
            refollow: Duration::from_secs(1),
            unconfirmed_max: 50_000,
        }
    }
}

impl EventPace {
    /// The pause after this many questions without news.
    fn retry_pause(&self, in_vain: u32) -> Duration {
        let doubled = 1u32.checked_shl(in_vain.min(20)).unwrap_or(u32::MAX);
        self.first_pause.saturating_mul(doubled).min(self.longest_pause)
    }

    /// The same in milliseconds.
    pub(super) fn pause_ms(&self, in_vain: u32) -> i64 {
        i64::try_from(self.retry_pause(in_vain).as_millis()).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transaction_without_news_is_asked_for_ever_more_seldom() {
        let pace = EventPace::default();
        let minutes: Vec<u64> = [0, 1, 2, 5, 8, 9, 30].map(|n| pace.retry_pause(n).as_secs() / 60).to_vec();
        assert_eq!(minutes, [1, 2, 4, 32, 256, 360, 360]);
    }
}
