//! What was refused, counted by its reason, so that the person who runs a listener can see it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

/// Why something was refused: what comes after the number, as in "3 connections that sent no request in time".
pub type RefusalReason = &'static str;

/// Counters by reason. Cheap to clone; all clones count together.
#[derive(Clone, Default)]
pub struct RefusalCounts(Arc<Mutex<BTreeMap<RefusalReason, u64>>>);

impl RefusalCounts {
    /// One more of these.
    pub fn count_refusal(&self, reason: RefusalReason) {
        *self.0.lock().entry(reason).or_default() += 1;
    }

    /// How many there were of all kinds.
    pub fn total(&self) -> u64 {
        self.0.lock().values().sum()
    }

    /// Each reason with its number.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<RefusalReason, u64> {
        self.0.lock().clone()
    }

    /// `Refused since the start: 900 connections that sent no request in time, 3 requests for another host`; `None`
    /// while nothing was refused.
    pub fn to_sentence(&self) -> Option<String> {
        let counts = self.counts();
        let parts: Vec<String> = counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        (!parts.is_empty()).then(|| format!("Refused since the start: {}.", parts.join(", ")))
    }
}

/// Says what was refused whenever there is more of it than before, at most this often; it never ends.
pub async fn report_refusals(counts: RefusalCounts, every: Duration, say: impl Fn(String)) {
    let mut known = 0;
    loop {
        tokio::time::sleep(every).await;
        let total = counts.total();
        if total != known
            && let Some(sentence) = counts.to_sentence()
        {
            known = total;
            say(sentence);
        }
    }
}
