//! Requests a minute (contract section 7): counted in memory, per account, which has one live key.

use std::collections::HashMap;

use bordereau_contract::REQUESTS_PER_MINUTE;
use chrono::{DateTime, Utc};
use parking_lot::Mutex;

use crate::refusal::Refusal;

/// What was counted for one account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    minute: i64,
    /// Requests in that minute, refused ones included.
    pub(crate) this_minute: u32,
    /// Requests since the service started.
    pub(crate) total: u64,
}

/// Counters of all accounts.
#[derive(Default)]
pub(crate) struct RequestLimits {
    counts: Mutex<HashMap<String, Count>>,
}

impl RequestLimits {
    /// Counts a request; refuses it beyond the limit, until the next minute of the service's clock begins.
    pub(crate) fn count(&self, account_id: &str, now: DateTime<Utc>) -> Result<(), Refusal> {
        let minute = now.timestamp().div_euclid(60);
        let mut counts = self.counts.lock();
        let count = match counts.get_mut(account_id) {
            Some(count) => count,
            None => counts.entry(account_id.to_owned()).or_default(),
        };
        if count.minute != minute {
            count.minute = minute;
            count.this_minute = 0;
        }
        count.this_minute = count.this_minute.saturating_add(1);
        count.total += 1;
        if count.this_minute > REQUESTS_PER_MINUTE {
            return Err(Refusal::too_many(seconds_to_next_minute(now)));
        }
        Ok(())
    }

    /// What was counted, as of now.
    pub(crate) fn counted(&self, account_id: &str, now: DateTime<Utc>) -> Count {
        let counts = self.counts.lock();
        let mut count = counts.get(account_id).copied().unwrap_or_default();
        if count.minute != now.timestamp().div_euclid(60) {
            count.this_minute = 0;
        }
        count
    }
}

/// Whole seconds until the next minute begins, at least 1.
pub(crate) fn seconds_to_next_minute(now: DateTime<Utc>) -> i64 {
    60 - now.timestamp().rem_euclid(60)
}
