//! Events: announced by the service, or found by asking it.

pub use bordereau_contract::EventKind;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use ts_rs::TS;

use super::Assignment;

/// Whether what an event says was found at the service too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, EnumString, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EventCheck {
    /// Not checked yet, or there is nothing to check.
    Unchecked,
    /// The service says the same.
    Confirmed,
    /// The service does not say so.
    Differs,
}

/// Ask for a page of the active profile's events, unread first, each part newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct EventsRequest {
    /// Unread ones only.
    pub unread: bool,
    /// Only events that were found by asking and never received.
    pub missed: bool,
    /// Of this kind only, or null.
    pub what: Option<EventKind>,
    /// Of this batch (the service's id), or empty.
    pub batch: String,
    /// Of this transaction (the service's number), or empty.
    pub transaction: String,
    /// Of this state (two letters), or empty.
    pub state: String,
    /// Text to be found in title, subject or body; empty for all.
    pub search: String,
    /// Assigned to this person of the office, empty for those that nobody has; null for all.
    pub assigned_to: Option<String>,
    /// First, from 0.
    pub from: u32,
    /// At most this many; 200 at the most.
    pub count: u32,
}

/// An event in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventView {
    pub id: String,
    pub what: EventKind,
    /// The identifier as it came; empty where it came empty or was found by asking.
    pub event: String,
    /// In a sentence.
    pub title: String,
    /// The timestamp as it came, read or not; empty for none.
    pub said_at: String,
    /// RFC 3339 UTC when it came, or null: found by asking only.
    pub received_at: Option<String>,
    /// RFC 3339 UTC when it was found by asking, or null.
    pub found_at: Option<String>,
    /// RFC 3339 UTC: the earlier of the two.
    pub at: String,
    /// Whether a person has opened it.
    pub read: bool,
    /// How often it came again; the repeats are not shown.
    pub repeats: u32,
    /// The service's batch id; empty for none.
    pub batch: String,
    /// The batch in this desk's outbox, or null.
    pub batch_here: Option<String>,
    /// The service's number of the transaction; empty for none.
    pub transaction: String,
    /// Policy number; empty for none.
    pub policy_number: String,
    /// Invoice number; empty for none.
    pub invoice_number: String,
    /// Two letters; empty for none.
    pub state: String,
    /// Whether it bears its signature.
    pub signature: EventSignature,
    /// Whether the service says the same.
    pub check: EventCheck,
    /// Who of the office does something about it, or null.
    pub assigned: Option<Assignment>,
}

/// The evidence of an event's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, EnumString, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EventSignature {
    /// The HMAC of its body fits.
    Valid,
    /// The agreed header fits, and the service does not sign: weaker.
    HeaderPair,
    /// It came from a listener, which had checked it.
    Forwarded,
    /// It was not received: found by asking.
    None,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventsPage {
    /// How many there are with these filters.
    pub total: u32,
    /// States that occur, for the filter.
    pub states: Vec<String>,
    pub events: Vec<EventView>,
}

/// Mark events read or unread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventsMark {
    /// Which; ignored with `all`.
    pub ids: Vec<String>,
    /// All of the active profile.
    pub all: bool,
    /// Read, or unread again.
    pub read: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventId {
    pub id: String,
}

/// Something an event says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventField {
    /// Its label, such as `Paid on`.
    pub name: String,
    /// As it came; for an amount, US dollars.
    pub value: String,
    pub is_amount: bool,
}

/// All that is known of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventDetail {
    pub event: EventView,
    /// The event's details: amounts, dates, numbers. Empty for one found by asking.
    pub said: Vec<EventField>,
    /// Its body: indented where it is JSON, otherwise as it came.
    pub body: String,
    /// Bytes of the body as it came.
    pub bytes: u32,
    /// The result of the signature check, as a sentence.
    pub signature_says: String,
    /// The result of asking the service, as a sentence; empty where it was not asked.
    pub check_says: String,
    /// The same subject's other events, newest first.
    pub related: Vec<EventView>,
}

/// Ask for news; answered when there are any, at the latest after the time given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventsNews {
    /// `revision` of the last answer, or null for an answer at once.
    pub known: Option<u32>,
    /// Milliseconds to wait at most; 25,000 at the most.
    pub wait_ms: u32,
}

/// Whether events are received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ReceiverState {
    /// Switched off.
    Off,
    /// Listens.
    On,
    /// Follows a listener on a server.
    Follows,
    /// Should, and cannot.
    Trouble,
}

/// The inbox in a line, of the active profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventsStatus {
    /// Grows with every change.
    pub revision: u32,
    /// Events not read.
    pub unread: u32,
    /// Id of the newest event, or null.
    pub newest: Option<String>,
    /// Whether events are received.
    pub receiver: ReceiverState,
    /// Why not, in a sentence; empty where all is well.
    pub trouble: String,
    /// RFC 3339 UTC of the last event that came, or null.
    pub last_received_at: Option<String>,
    /// Deliveries refused.
    pub refused: u32,
}

/// A delivery that was refused: never an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefusedDelivery {
    /// RFC 3339 UTC.
    pub at: String,
    /// Why, in a sentence.
    pub why: String,
    /// Bytes of the body, as far as it was read.
    pub bytes: u32,
    pub beginning: String,
}

/// Deliveries that were rejected, newest first; the last 200 are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefusedList {
    pub deliveries: Vec<RefusedDelivery>,
    /// What the receiver refused since it started, counted, in a sentence; empty for nothing.
    pub summary: String,
}

/// Settings of receiving events and notifications, for the active profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventsSettings {
    /// The receiver on this computer is switched on.
    pub receiver: bool,
    /// Port it listens on; 0 picks a free one and stores it.
    pub port: u32,
    /// Address for the service's webhook, or empty while it does not listen.
    pub address: String,
    /// A webhook of the service points here.
    pub subscribed: bool,
    /// "Receive events" can do all of it: the service can reach this computer.
    pub one_click: bool,
    /// An HMAC secret is stored.
    pub has_secret: bool,
    /// Name of the header the service sends along; empty for none.
    pub header_name: String,
    /// Address of the listener that is followed; empty for none.
    pub follow: String,
    /// Its token is stored.
    pub has_follow_token: bool,
    /// Kinds that are shown as desktop notifications.
    pub notices: Vec<EventKind>,
    /// Whether events are received.
    pub state: ReceiverState,
    /// Why not, in a sentence; empty where all is well.
    pub trouble: String,
}

/// Change the settings of receiving events and notifications.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventsSettingsChange {
    /// The receiver on this computer.
    pub receiver: bool,
    /// Port it listens on; 0 picks a free one and stores it.
    pub port: u32,
    /// Kinds that are shown as desktop notifications.
    pub notices: Vec<EventKind>,
}

/// The values of a webhook that was set up at the provider. The secret goes to the keychain.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SetEventsSecret {
    /// HMAC secret; empty removes it.
    pub secret: String,
    /// Name of the header the service sends along; empty for none.
    pub header_name: String,
    pub header_value: String,
}

/// Follow a listener on a server, or no longer. The token goes to the keychain.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FollowListener {
    /// `https://...`, or empty to end it.
    pub address: String,
    /// Its token; empty keeps the stored one.
    pub token: String,
}

/// A notice of the service about a delivery that it gave up: the seven things it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TrayNotice {
    /// Number of the notice.
    pub id: String,
    pub webhook_title: String,
    /// Identifier of the event.
    pub event: String,
    /// Where the delivery went.
    pub endpoint_url: String,
    /// When it was given up, as the service wrote it.
    pub timestamp: String,
    /// The event that was not delivered.
    pub failed_event_id: String,
    /// Status of the last answer, or null.
    pub response_status: Option<u16>,
    /// Beginning of the last answer, or why there was none.
    pub response_body: String,
    /// The delivery, to be sent again.
    pub delivery_id: String,
}

/// Notices of the service, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TrayNotices {
    pub notices: Vec<TrayNotice>,
}

/// Have a delivery sent again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SendAgain {
    /// Its number.
    pub delivery: String,
}

impl std::fmt::Debug for SetEventsSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SetEventsSecret").field("header_name", &self.header_name).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for FollowListener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FollowListener").field("address", &self.address).finish_non_exhaustive()
    }
}
