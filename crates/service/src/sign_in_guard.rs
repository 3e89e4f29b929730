//! Guessing passwords: every try is counted by address and by username before anything is hashed, and after a
//! handful of failures the next try has to wait, longer each time.
//!
//! Counters are in tables of fixed size that a random key scatters names and addresses over: a stranger can
//! neither fill the memory with names nor choose whom to share a counter with.

use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Failures without a wait: of a username, and of an address, which several people may share.
const NAME_FREE: u32 = 10;
const ADDRESS_FREE: u32 = 30;
/// The first wait, doubled with each failure up to the longest.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(900);
/// After so long without a try the failures are forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(3_600);
const COUNTERS: usize = 4_096;

/// Counters of failed sign-ins.
pub(crate) struct SignInGuard {
    keys: RandomState,
    counters: Mutex<FailureCounters>,
}

struct FailureCounters {
    names: Vec<FailureCount>,
    addresses: Vec<FailureCount>,
}

#[derive(Clone, Copy, Default)]
struct FailureCount {
    failures: u32,
    last: Option<Instant>,
}

/// A try that was let through, counted as a failure until it turns out to be none.
pub(crate) struct SignInTry {
    name: usize,
    address: usize,
}

impl Default for SignInGuard {
    fn default() -> Self {
        let counters = || vec![FailureCount::default(); COUNTERS];
        let counters = FailureCounters { names: counters(), addresses: counters() };
        SignInGuard { keys: RandomState::new(), counters: Mutex::new(counters) }
    }
}

impl SignInGuard {
    /// Lets a try through and counts it, or says how long to wait.
    pub(crate) fn begin_try(&self, name: &str, address: IpAddr, now: Instant) -> Result<SignInTry, Duration> {
        let begun = SignInTry { name: self.counter_of(name), address: self.counter_of(network_of(address)) };
        let mut counters = self.counters.lock();
        let FailureCounters { names, addresses } = &mut *counters;
        let (Some(name), Some(address)) = (names.get_mut(begun.name), addresses.get_mut(begun.address))
        else {
            return Ok(begun);
        };
        let wait = name.wait(NAME_FREE, now).max(address.wait(ADDRESS_FREE, now));
        if !wait.is_zero() {
            return Err(wait);
        }
        name.add_failure(now);
        address.add_failure(now);
        Ok(begun)
    }

    /// The password was right: the name starts over, the address is where it was. One account of a stranger's own
    /// does not buy tries at others.
    pub(crate) fn note_success(&self, begun: &SignInTry) {
        let mut counters = self.counters.lock();
        if let Some(name) = counters.names.get_mut(begun.name) {
            *name = FailureCount::default();
        }
        if let Some(address) = counters.addresses.get_mut(begun.address) {
            address.failures = address.failures.saturating_sub(1);
        }
    }

    fn counter_of(&self, key: impl Hash) -> usize {
        usize::try_from(self.keys.hash_one(key) % COUNTERS as u64).unwrap_or_default()
    }
}

impl FailureCount {
    fn wait(&mut self, free: u32, now: Instant) -> Duration {
        let Some(last) = self.last else { return Duration::ZERO };
        let since = now.saturating_duration_since(last);
        if since >= FORGOTTEN_AFTER {
            *self = FailureCount::default();
        }
        let Some(beyond) = self.failures.checked_sub(free) else { return Duration::ZERO };
        let factor = 1u32.checked_shl(beyond).unwrap_or(u32::MAX);
        FIRST_WAIT.saturating_mul(factor).min(LONGEST_WAIT).saturating_sub(since)
    }

    fn add_failure(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        self.last = Some(now);
    }
}

/// An address of version 6 counts as its network: whoever has one has all of it.
fn network_of(address: IpAddr) -> [u8; 8] {
    let mut network = [0; 8];
    match address.to_canonical() {
        IpAddr::V4(address) => network[..4].copy_from_slice(&address.octets()),
        IpAddr::V6(address) => network.copy_from_slice(&address.octets()[..8]),
    }
    network
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn tries_at_a_name_wait_ever_longer_and_another_name_does_not() {
        let (guard, start) = (SignInGuard::default(), Instant::now());
        for _ in 0..NAME_FREE {
            assert!(guard.begin_try("agency", HERE, start).is_ok());
        }
        let mut now = start;
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            assert_eq!(guard.begin_try("agency", HERE, now).err(), Some(seconds(wait)));
            now += seconds(wait);
            assert!(guard.begin_try("agency", HERE, now).is_ok(), "after {wait} s");
        }
        assert!(guard.begin_try("another", HERE, start).is_ok());
        now += FORGOTTEN_AFTER;
        assert!(guard.begin_try("agency", HERE, now).is_ok(), "forgotten after an hour");
        assert!(guard.begin_try("agency", HERE, now).is_ok());
    }

    #[test]
    fn tries_of_an_address_wait_whatever_the_name_and_those_of_another_do_not() {
        let (guard, now) = (SignInGuard::default(), Instant::now());
        let address = |last: u16| IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, last]);
        for number in 0..ADDRESS_FREE {
            let last = u16::try_from(number).unwrap_or_default();
            assert!(guard.begin_try(&format!("name {number}"), address(last), now).is_ok());
        }
        assert!(guard.begin_try("one more", address(9), now).is_err(), "the same network");
        assert!(guard.begin_try("one more", HERE, now).is_ok());
    }

    #[test]
    fn a_right_password_starts_the_name_over_and_buys_no_tries() {
        let (guard, now) = (SignInGuard::default(), Instant::now());
        for _ in 0..5 * NAME_FREE {
            let Ok(begun) = guard.begin_try("agency", HERE, now) else { panic!("it signs in each time") };
            guard.note_success(&begun);
        }
        for number in 0..ADDRESS_FREE {
            assert!(guard.begin_try(&format!("name {number}"), HERE, now).is_ok());
        }
        assert!(guard.begin_try("agency", HERE, now).is_err());
    }
}
