//! Webhooks (contract section 6): set up by an account, sent every change it subscribed to, delivered until
//! they are answered with 200 or given up.

mod address;
mod answers;
#[cfg(test)]
mod delivery_tests;
mod dispatch;
mod form;
mod giving_up;
pub(crate) mod outbox;
mod schedule;
mod sealed;
mod sender;

pub(crate) use answers::routes;
pub(crate) use dispatch::dispatch;
pub(crate) use schedule::HALF_HOUR_MS;
pub(crate) use sealed::Sealer;

use std::collections::HashMap;

use bordereau_contract::format_instant;
use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use tokio::sync::Notify;

use sender::Sender;

/// What the handlers and the dispatcher share.
pub(crate) struct Webhooks {
    /// Tells the dispatcher that something may be due.
    pub(crate) wake: Notify,
    /// Keeps secrets unreadable in the database.
    sealer: Sealer,
    sender: Sender,
    /// Deliveries on their way, each with its webhook.
    sending: Mutex<HashMap<i64, i64>>,
}

impl Webhooks {
    pub(crate) fn new(sealer: Sealer) -> Result<Webhooks, String> {
        Ok(Webhooks { wake: Notify::new(), sealer, sender: Sender::new()?, sending: Mutex::default() })
    }
}

/// `yyyy-mm-dd hh:mm:ss` in UTC, as events have it.
pub(crate) fn stamp(now: DateTime<Utc>) -> String {
    now.format("%Y-%m-%d %H:%M:%S").to_string()
}

/// RFC 3339 of milliseconds since 1970.
fn instant(ms: i64) -> String {
    format_instant(DateTime::from_timestamp_millis(ms).unwrap_or_default())
}
