//! How fast batches are processed: from at once to half an hour, so that both can be seen.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Longest time a batch can be set to take.
pub(crate) const SECONDS_MAX: u64 = 86_400;

/// The speed of processing, in real time. Nothing given means as fast as it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ProcessingPace {
    /// Rows a second; 0 pauses processing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rows_per_second: Option<u64>,
    /// Seconds a batch takes, whatever its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds_per_batch: Option<u64>,
}

impl ProcessingPace {
    /// How long the rows of a chunk take; `None` while processing is paused.
    pub(crate) fn time_for(self, rows: i64, rows_of_batch: i64) -> Option<Duration> {
        let rows = u64::try_from(rows).unwrap_or(0);
        let all = u64::try_from(rows_of_batch).unwrap_or(0).max(1);
        match (self.rows_per_second, self.seconds_per_batch) {
            (Some(0), _) => None,
            (Some(rate), _) => Some(Duration::from_millis(rows.saturating_mul(1_000) / rate)),
            (None, Some(seconds)) => {
                Some(Duration::from_millis(seconds.saturating_mul(1_000).saturating_mul(rows) / all))
            }
            (None, None) => Some(Duration::ZERO),
        }
    }

    /// Whether nothing is processed.
    pub(crate) fn is_paused(self) -> bool {
        self.rows_per_second == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_table() {
        let pace = |rows_per_second, seconds_per_batch| ProcessingPace { rows_per_second, seconds_per_batch };
        for (pace, rows, all, expected_ms) in [
            (pace(None, None), 500, 10_000, Some(0)),
            (pace(Some(100), None), 50, 5_000, Some(500)),
            (pace(Some(0), None), 1, 1, None),
            (pace(None, Some(1_800)), 500, 10_000, Some(90_000)),
            (pace(None, Some(1)), 1, 0, Some(1_000)),
        ] {
            assert_eq!(pace.time_for(rows, all).map(|time| time.as_millis()), expected_ms, "{pace:?}");
        }
    }
}
