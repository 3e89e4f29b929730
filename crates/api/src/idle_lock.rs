//! The lock of the window.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Minutes without input after which the window can lock; 0 for never.
pub const LOCK_MINUTES: [u32; 4] = [0, 5, 15, 30];
/// The fewest characters of a passphrase.
pub const PASSPHRASE_CHARS_MIN: usize = 8;

/// The lock of the window on this computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LockStatus {
    /// Minutes without input after which it locks; 0 where it never does.
    pub minutes: u32,
    /// Whether it is locked now.
    pub locked: bool,
    /// Whether the computer's own sign-in can be asked for in place of the passphrase.
    pub system_sign_in: bool,
}

#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct ChangeLock {
    /// One of `LOCK_MINUTES`; 0 switches it off and forgets the passphrase.
    pub minutes: u32,
    /// The passphrase in use; empty where there is none.
    pub current: String,
    /// The new one; empty keeps the one in use.
    pub passphrase: String,
}

/// Unlock the window.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct UnlockRequest {
    /// The passphrase: goes in, never comes out.
    pub passphrase: String,
}
