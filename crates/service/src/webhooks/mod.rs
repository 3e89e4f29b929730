//! Webhooks (contract section 6): set up by an account, sent every change it subscribed to, delivered until
//! they are answered with 200 or given up.

mod address;
mod answers;
mod dead_letter;
#[cfg(test)]
mod delivery_tests;
mod dispatch;
mod form;
pub(crate) mod outbox;
mod schedule;
mod secret_sealer;
mod sender;

pub(crate) use answers::webhook_routes;
pub(crate) use dispatch::dispatch;
pub(crate) use schedule::HALF_HOUR_MS;
pub(crate) use secret_sealer::SecretSealer;

use std::collections::HashMap;

use bordereau_contract::format_instant;
use bordereau_service_store::accounts::Account;
use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use tokio::sync::Notify;

use address::LoopbackRule;
use sender::Sender;

/// What the handlers and the dispatcher share.
pub(crate) struct WebhookState {
    /// Tells the dispatcher that something may be due.
    pub(crate) wake: Notify,
    /// Keeps secrets unreadable in the database.
    sealer: SecretSealer,
    sender: Sender,
    /// Deliveries being sent, each with its webhook.
    sending: Mutex<HashMap<i64, i64>>,
    /// The service itself is reached from this machine only.
    on_loopback: bool,
}

impl WebhookState {
    pub(crate) fn new(sealer: SecretSealer, on_loopback: bool) -> Result<WebhookState, String> {
        let (wake, sending) = (Notify::new(), Mutex::default());
        Ok(WebhookState { wake, sealer, sender: Sender::new()?, sending, on_loopback })
    }

    /// Whether webhooks of an account may lead to this machine.
    fn loopback_rule(&self, account: &Account) -> LoopbackRule {
        if self.on_loopback && account.practice { LoopbackRule::Permitted } else { LoopbackRule::Refused }
    }
}

/// `yyyy-mm-dd hh:mm:ss` in UTC, as events have it.
pub(crate) fn event_stamp(now: DateTime<Utc>) -> String {
    now.format("%Y-%m-%d %H:%M:%S").to_string()
}

/// RFC 3339 of milliseconds since 1970.
fn rfc3339_instant(ms: i64) -> String {
    format_instant(DateTime::from_timestamp_millis(ms).unwrap_or_default())
}
