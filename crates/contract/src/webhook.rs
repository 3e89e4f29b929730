//! Webhooks as they are set up and looked at (section 6). What is configured is \[pub]; the form is \[ours].

use serde::{Deserialize, Serialize};

use crate::event::event_identifiers;
use crate::{EventKind, Jurisdiction};

/// What a webhook is to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct WebhookRequest {
    /// Name, up to 100 characters.
    #[cfg_attr(feature = "schema", schema(required))]
    pub title: String,
    /// Notes, up to 1,000 characters.
    pub description: String,
    /// What is subscribed to, at least one.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(with = "event_identifiers")]
    pub events: Vec<EventKind>,
    /// Where deliveries go: `https:`, or `http:` to this machine.
    #[cfg_attr(feature = "schema", schema(required))]
    pub url: String,
    /// A header of every delivery, letters, digits and hyphens; empty for none.
    pub header_key: String,
    /// Its value. Written only: no answer has it.
    pub header_value: String,
    /// The states it is about; none means all. Events of batches concern many states and always come.
    pub states: Vec<Jurisdiction>,
}

/// A webhook of the account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Webhook {
    /// 32 hexadecimal digits.
    pub id: String,
    pub title: String,
    pub description: String,
    #[serde(with = "event_identifiers")]
    pub events: Vec<EventKind>,
    pub url: String,
    pub header_key: String,
    pub states: Vec<Jurisdiction>,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// Deliveries on their way.
    pub waiting: i64,
    /// The secret deliveries are signed with: only in the answer that made it.
    #[serde(
        skip_serializing_if = "Option::is_none",
        alias = "signing_secret",
        alias = "secret_key",
        alias = "webhook_secret"
    )]
    pub secret: Option<String>,
}

/// Answer to the question for all webhooks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct AccountWebhooks {
    /// The oldest first.
    #[serde(
        alias = "data",
        alias = "items",
        alias = "results",
        alias = "records",
        alias = "value",
        alias = "content"
    )]
    pub webhooks: Vec<Webhook>,
}

/// The status of a delivery.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryStatus {
    /// To be tried, or tried again.
    #[default]
    Waiting,
    /// Answered with 200.
    Delivered,
    /// Given up after the fourth failure.
    Failed,
    /// A word this version does not know.
    #[serde(other)]
    Unknown,
}

/// The delivery of an event to one webhook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct WebhookDelivery {
    /// Number of the delivery.
    pub id: i64,
    pub webhook_id: String,
    /// `event_id` of its body.
    pub event_id: String,
    /// `event` of its body.
    pub event: String,
    /// Such as `transaction 17`.
    pub subject: String,
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub status: DeliveryStatus,
    /// Attempts made in this round.
    pub attempts: u32,
    /// When it happened, RFC 3339, UTC.
    pub created_at: String,
    /// When the next attempt is due, while it waits.
    pub next_attempt_at: Option<String>,
    /// When it was delivered or given up.
    pub finished_at: Option<String>,
    /// Status of the last answer.
    pub response_status: Option<u16>,
    /// Why there was none, in words.
    pub error: Option<String>,
}

/// Answer to the question for deliveries, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct WebhookDeliveries {
    /// At most 50.
    pub deliveries: Vec<WebhookDelivery>,
    /// There are more: ask again with `before` this number.
    pub before: Option<i64>,
}

/// One delivery with all that is known of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct DeliveryDetail {
    pub delivery: WebhookDelivery,
    /// The body as it was and will be sent, byte for byte.
    pub body: String,
    /// Every attempt, of earlier rounds too; at most the last 50.
    pub log: Vec<DeliveryAttempt>,
}

/// One attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct DeliveryAttempt {
    /// When it ended, RFC 3339, UTC.
    pub at: String,
    /// Status of the answer.
    pub response_status: Option<u16>,
    /// The beginning of the answer, at most 2,000 characters.
    pub response_body: String,
    /// Why there was no answer, or why it is no success, in words.
    pub error: Option<String>,
    /// How long it took.
    pub milliseconds: u64,
}

/// What a test delivery came to.
pub type WebhookTestResult = DeliveryAttempt;

/// The system notification after the fourth failure: the seven things the specification names \[spec].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct WebhookNotice {
    /// Number of the notice \[ours].
    pub id: i64,
    pub webhook_title: String,
    /// Identifier of the event.
    pub event: String,
    /// Where the delivery went.
    pub endpoint_url: String,
    /// When it was given up, `yyyy-mm-dd hh:mm:ss`, UTC.
    pub timestamp: String,
    /// The event that was not delivered.
    pub failed_event_id: String,
    /// Status of the last answer; none where there was no answer.
    pub response_status: Option<u16>,
    /// Beginning of the last answer, or why there was none.
    pub response_body: String,
    /// The delivery, to be sent again \[ours].
    pub delivery_id: i64,
}

/// The system notifications of an account, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct WebhookNotices {
    /// At most 50.
    pub notices: Vec<WebhookNotice>,
}
