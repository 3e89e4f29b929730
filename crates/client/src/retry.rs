//! When and after what pause a read is repeated.

use std::time::Duration;

use rand::Rng;

use crate::{ClientError, OperationEffect, RetryPolicy};

impl RetryPolicy {
    /// Whether an operation is tried once more after `failed` attempts.
    pub(crate) fn should_retry(&self, effect: OperationEffect, failed: u32, error: &ClientError) -> bool {
        self.may_repeat(effect, failed) && (error.is_retryable() || is_sent_elsewhere(error))
    }

    /// Whether an operation may be sent once more after `failed` attempts, if there is a reason.
    pub(crate) fn may_repeat(&self, effect: OperationEffect, failed: u32) -> bool {
        effect == OperationEffect::Read && failed < self.attempts
    }

    /// The pause after `failed` attempts: anything from nothing to the doubled bound, so that many
    /// clients that failed together do not come back together.
    pub(crate) fn retry_pause(&self, failed: u32) -> Duration {
        let bound = self.pause_bound(failed);
        bound.mul_f64(rand::rng().random::<f64>())
    }

    /// The longest pause after `failed` attempts.
    pub(crate) fn pause_bound(&self, failed: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(failed.saturating_sub(1).min(20));
        self.first_pause.saturating_mul(doubled).min(self.longest_pause)
    }
}

/// A redirect that is not for good: services that are being restarted or have lost a session send everybody to a page.
fn is_sent_elsewhere(error: &ClientError) -> bool {
    matches!(error, ClientError::BadRedirect { status: 302 | 303, .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_double_up_to_the_longest() {
        let policy = RetryPolicy::default();
        let bounds: Vec<_> = (1..=7).map(|failed| policy.pause_bound(failed).as_millis()).collect();
        assert_eq!(bounds, [200, 400, 800, 1600, 3200, 5000, 5000]);
        assert!((0..100).all(|_| policy.retry_pause(2) <= Duration::from_millis(400)));
    }

    #[test]
    fn only_reads_are_repeated() {
        let policy = RetryPolicy::default();
        let cut = ClientError::Interrupted { host: String::new(), reason: String::new() };
        let rejected = ClientError::Rejected { status: 422, text: String::new(), problems: Vec::new() };
        let failed = |status| ClientError::ServiceFailed { status, text: String::new() };
        let moved = |status| ClientError::BadRedirect { from: String::new(), status, reason: String::new() };
        for (effect, attempts, error, expected) in [
            (OperationEffect::Read, 1, &cut, true),
            (OperationEffect::Read, 2, &cut, true),
            (OperationEffect::Read, 3, &cut, false),
            (OperationEffect::Write, 1, &cut, false),
            (OperationEffect::Read, 1, &rejected, false),
            (OperationEffect::Read, 1, &failed(503), true),
            (OperationEffect::Read, 1, &failed(501), false),
            (OperationEffect::Write, 1, &failed(500), false),
            (OperationEffect::Read, 1, &moved(302), true),
            (OperationEffect::Read, 1, &moved(301), false),
            (OperationEffect::Write, 1, &moved(302), false),
        ] {
            assert_eq!(
                policy.should_retry(effect, attempts, error),
                expected,
                "{effect:?} {attempts} {error}"
            );
        }
    }
}
