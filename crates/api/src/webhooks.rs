//! Webhooks of the account, and the results of every delivery to them.

pub use bordereau_contract::DeliveryStatus;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::NamedCode;

/// A webhook of the account at the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WebhookView {
    /// The service's id.
    pub id: String,
    pub title: String,
    /// Notes.
    pub description: String,
    /// Identifiers of the events that it receives.
    pub events: Vec<String>,
    /// Where deliveries go.
    pub url: String,
    /// Name of the header of every delivery; empty for none. Its value is never shown.
    pub header_name: String,
    /// States it is about, two letters; none means all.
    pub states: Vec<String>,
    /// RFC 3339 UTC.
    pub created_at: String,
    /// Deliveries on their way.
    pub waiting: u32,
    /// It points at this computer: "Receive events" made it and holds its secret.
    pub here: bool,
}

/// All webhooks, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WebhookList {
    /// The service has webhooks managed from here; otherwise that is done in the account's own pages.
    pub available: bool,
    pub webhooks: Vec<WebhookView>,
    /// Every kind of event that there is: identifier and words.
    pub kinds: Vec<NamedCode>,
}

/// Add a webhook or change one.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SaveWebhook {
    /// The service's id; empty for a new one.
    pub id: String,
    pub title: String,
    /// Notes.
    pub description: String,
    /// Identifiers of the events that it receives.
    pub events: Vec<String>,
    /// Where deliveries go. That of a webhook which points at this computer is not changed.
    pub url: String,
    /// Name of a header of every delivery; empty for none.
    pub header_name: String,
    /// Its value; empty keeps the stored one.
    pub header_value: String,
    /// States, two letters; none means all.
    pub states: Vec<String>,
}

/// A webhook that was saved or has a new secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WebhookSaved {
    pub webhook: WebhookView,
    /// The new secret, shown only once and never stored; empty where there is none, or where the receiver on
    /// this computer stores it.
    pub secret: String,
    /// A sentence where a secret was expected and none came; empty otherwise.
    pub note: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WebhookId {
    /// The service's id.
    pub id: String,
}

/// Ask for deliveries of a webhook, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeliveriesRequest {
    pub webhook: String,
    /// Only those with this status, or null.
    pub state: Option<DeliveryStatus>,
    /// How many at most; 10,000 at the most.
    pub count: u32,
}

/// The delivery of an event to a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeliveryView {
    /// The service's number.
    pub id: String,
    /// Identifier of the event.
    pub event: String,
    /// Title of the event; the identifier where it is not known.
    pub title: String,
    /// Its subject, such as `transaction 17`.
    pub subject: String,
    /// `event_id` of its body.
    pub event_id: String,
    pub state: DeliveryStatus,
    /// Attempts of this round.
    pub attempts: u32,
    /// RFC 3339 UTC, by the service's clock.
    pub created_at: String,
    /// RFC 3339 UTC of the next attempt by the service's clock, while it waits.
    pub next_attempt_at: Option<String>,
    /// RFC 3339 UTC when it was delivered or given up.
    pub finished_at: Option<String>,
    /// Status of the last answer.
    pub response_status: Option<u16>,
    /// Why there was no answer or why it is no success, as a sentence; empty for none.
    pub error: String,
}

/// Deliveries of a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeliveriesPage {
    /// The newest first.
    pub deliveries: Vec<DeliveryView>,
    /// Whether there are more than requested.
    pub more: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeliveryId {
    /// Its number.
    pub id: String,
}

/// One attempt, or a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeliveryTry {
    /// RFC 3339 UTC when it ended, by the service's clock.
    pub at: String,
    /// Status of the answer, or null.
    pub response_status: Option<u16>,
    /// Beginning of the answer.
    pub response_body: String,
    /// Why it failed, as a sentence; empty for success.
    pub error: String,
    /// How long it took.
    pub milliseconds: u32,
}

/// All that is known of a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeliveryLog {
    pub delivery: DeliveryView,
    /// The body, indented where it is JSON; of a long one its beginning.
    pub body: String,
    /// Bytes of the whole body.
    pub bytes: u32,
    /// Every attempt of every round, the newest first.
    pub tries: Vec<DeliveryTry>,
}

impl std::fmt::Debug for SaveWebhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SaveWebhook").field("id", &self.id).field("url", &self.url).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for WebhookSaved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookSaved").field("webhook", &self.webhook).finish_non_exhaustive()
    }
}
