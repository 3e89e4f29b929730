//! Pauses of the outbox, and how much it sends at once.

use std::time::Duration;

use bordereau_contract::ROWS_PER_REQUEST;

/// How often the service is asked, and how many transactions are sent at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutboxPace {
    /// First pause before results are asked for again and after a failure; doubled each time without a result.
    pub first_pause: Duration,
    /// Longest pause.
    pub longest_pause: Duration,
    /// Pause before a part that was not found is looked up again.
    pub recheck_pause: Duration,
    /// How many times it is looked up again before it counts as not received.
    pub rechecks_max: u32,
    /// How long a lost batch is looked up, at any service but the practice service, before Bordereau concludes
    /// whether it is there: a batch may take 30 minutes (contract, section 3).
    pub lookup_window: Duration,
    /// Pause between checks of the store for jobs that another process queued.
    pub idle: Duration,
    /// Transactions of a part.
    pub part_rows: usize,
    /// Parts sent to one service at the same time.
    pub parts_in_flight: usize,
}

impl Default for OutboxPace {
    fn default() -> Self {
        OutboxPace {
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(30),
            recheck_pause: Duration::from_secs(2),
            rechecks_max: 2,
            lookup_window: Duration::from_secs(35 * 60),
            idle: Duration::from_secs(2),
            part_rows: ROWS_PER_REQUEST as usize,
            parts_in_flight: 1,
        }
    }
}

impl OutboxPace {
    /// The pause after this many failed attempts, from 1.
    pub fn retry_pause(&self, attempts: u32) -> Duration {
        let doubled = 1u32.checked_shl(attempts.saturating_sub(1).min(16)).unwrap_or(u32::MAX);
        self.first_pause.saturating_mul(doubled).min(self.longest_pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let pace = OutboxPace::default();
        let pauses: Vec<u64> = (1..=8).map(|n| pace.retry_pause(n).as_secs()).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 30, 30, 30]);
        assert_eq!(pace.retry_pause(u32::MAX), pace.longest_pause);
    }
}
