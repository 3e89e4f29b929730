//! When a delivery is tried again (contract section 6). Pure: instants in, an instant out.

/// Half an hour, in milliseconds.
pub(crate) const HALF_HOUR_MS: i64 = 30 * 60 * 1_000;

/// The instant of the next attempt after these failures, oldest first; `None` when it is given up.
///
/// Failure 1: at once. Failure 2: 30 minutes after failure 1. Failure 3: 30 minutes after failure 2.
/// Failure 4: none \[spec]. The second attempt follows the first at once, so the third and the fourth are
/// about as far from the start; an instant that has passed already means at once \[ours].
pub(super) fn next_attempt(failures: &[i64]) -> Option<i64> {
    match *failures {
        [] => Some(i64::MIN),
        [first] => Some(first),
        [first, second] => Some((first + HALF_HOUR_MS).max(second).min(second + HALF_HOUR_MS)),
        // A clock that went back between them does not make it wait for longer than half an hour.
        [_, second, third] => Some((second + HALF_HOUR_MS).max(third).min(third + HALF_HOUR_MS)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;

    #[test]
    fn the_schedule_to_the_second() {
        let minutes = |minutes: i64| minutes * 60_000;
        for (failures, expected) in [
            (vec![0], Some(0)),
            (vec![0, 0], Some(minutes(30))),
            (vec![0, minutes(1)], Some(minutes(30))),
            (vec![0, minutes(31)], Some(minutes(31))),
            (vec![0, minutes(1), minutes(30)], Some(minutes(31))),
            (vec![0, 10_000, minutes(30) + 10_000], Some(minutes(30) + 10_000)),
            (vec![0, 10_000, minutes(30) + 20_000], Some(minutes(30) + 20_000)),
            (vec![minutes(300), 0], Some(minutes(30))),
            (vec![minutes(300), minutes(300), 0], Some(minutes(30))),
            (vec![0, 0, minutes(30), minutes(30)], None),
        ] {
            assert_eq!(next_attempt(&failures), expected, "{failures:?}");
        }
    }

    /// Ten thousand deliveries to an endpoint that fails as it likes and takes as long as it likes.
    #[test]
    fn ten_thousand_random_patterns() {
        let mut random = StdRng::seed_from_u64(6);
        for _ in 0..10_000 {
            let mut now: i64 = random.random_range(0..4_000_000_000_000);
            let mut failures = Vec::new();
            let mut attempts = 0;
            let given_up = loop {
                // As the queue does it: an instant that has passed means now.
                let Some(due) = next_attempt(&failures) else { break true };
                now = now.max(due);
                attempts += 1;
                let expected = match failures.as_slice() {
                    [] => now,
                    [first] => *first,
                    [first, second] => (*second).max(first + 1_800_000),
                    [_, second, third] => (*third).max(second + 1_800_000),
                    _ => panic!("a fifth attempt"),
                };
                assert_eq!(now, expected);
                now += random.random_range(0..40_000);
                if random.random_bool(0.4) {
                    break false;
                }
                failures.push(now);
            };
            assert_eq!(given_up, failures.len() == 4);
            assert_eq!(attempts, failures.len() + usize::from(!given_up));
        }
    }
}
