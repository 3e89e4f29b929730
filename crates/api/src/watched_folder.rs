//! The folder that the window watches.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A file of the watched folder that was read, or could not be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WatchedArrival {
    /// Counted up while the program runs.
    pub number: u32,
    pub name: String,
    /// The draft it became; empty where it became none.
    pub review: String,
    /// Why it became none, as a sentence; else empty.
    pub problem: String,
}

/// What is watched, and what came of it since the program was started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WatchView {
    /// The folder's name; empty when none is watched.
    pub folder: String,
    /// What a person should know of it, as a sentence; else empty.
    pub remark: String,
    /// The newest first.
    pub arrivals: Vec<WatchedArrival>,
}
