//! A limit of requests that several clients share: each reserves what it sends.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// What came of a reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reservation {
    /// So many may be sent.
    Given(u32),
    /// None is left before this has passed.
    Full(Duration),
    /// Whoever counts can't be reached: nothing is sent meanwhile. Why, as a sentence.
    Unreachable(String),
    /// Whoever counts can't, and waiting doesn't help: nothing is sent. Why, as a sentence.
    Refused(String),
}

/// Counts the requests of all clients that send with one key.
pub trait SharedLimit: Debug + Send + Sync {
    /// Reserves up to so many requests of a limit that counts this many slots of time.
    fn reserve(
        &self,
        wanted: u32,
        limit: u32,
        slots: (Duration, u32),
    ) -> Pin<Box<dyn Future<Output = Reservation> + Send + '_>>;
}
