//! What a webhook says (section 6): eight events, one body each, read as leniently as the contract asks.
//!
//! A sender writes with [`Event::to_json`]. A receiver reads with [`Event::read`]: an empty or unknown
//! `event`, a date that is none and a number in quotes are all taken as they come; only what is not a JSON
//! object at all is refused. Keep the bytes as well: this reading is not all there was in them.

mod bodies;

pub use bodies::{
    BatchEvent, BatchEventRow, ChargePaid, FiledEvent, NumberAssigned, StampWordingChanged, TaxesAndFeesPaid,
};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::read_answer;

use bodies::{SlTaxPaid, StampingFeePaid};

/// The header that carries the signature of a delivery [pub]: HMAC-SHA256 of the body, hexadecimal in
/// lower case [ours]. A receiver accepts base64 as well.
pub const SIGNATURE_HEADER: &str = "X-HMAC-Signature";
/// Characters of the secret a signature is made with [pub].
pub const WEBHOOK_SECRET_CHARS: usize = 20;
/// `event` of a test delivery [ours]; its body has nothing but the three members every body has.
pub const TEST_EVENT: &str = "webhook.test";
/// Bytes of the largest event [ours]: a batch of 10,000 rows with every warning there is. Beyond it the
/// sender leaves warnings out.
pub const EVENT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The kinds of event (section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum EventKind {
    /// A batch was processed [pub].
    #[serde(rename = "webhook.batch.status.processed")]
    BatchProcessed,
    /// A batch was given up as a whole [ours].
    #[serde(rename = "webhook.batch.status.failed")]
    BatchFailed,
    /// The state has a transaction [spec].
    #[serde(rename = "webhook.transaction.status.filed")]
    Filed,
    /// The day the tax was paid is known [ours].
    #[serde(rename = "webhook.transaction.sl-tax-paid-date.updated")]
    SlTaxPaid,
    /// The day the stamping fee was paid is known [pub].
    #[serde(rename = "webhook.transaction.stamping-fee-paid-date.updated")]
    StampingFeePaid,
    /// Everything a transaction owed is paid [ours].
    #[serde(rename = "webhook.transaction.taxes-and-fees.paid")]
    TaxesAndFeesPaid,
    /// The state gave a transaction its number [ours].
    #[serde(rename = "webhook.transaction.sla-transaction-number.updated")]
    NumberAssigned,
    /// A state's stamp wording is another one [ours].
    #[serde(rename = "webhook.state.stamp-wording.updated")]
    StampWordingChanged,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [EventKind; 8] = [
        EventKind::BatchProcessed,
        EventKind::BatchFailed,
        EventKind::Filed,
        EventKind::SlTaxPaid,
        EventKind::StampingFeePaid,
        EventKind::TaxesAndFeesPaid,
        EventKind::NumberAssigned,
        EventKind::StampWordingChanged,
    ];

    /// The identifier that travels as `event`.
    #[must_use]
    pub const fn identifier(self) -> &'static str {
        match self {
            EventKind::BatchProcessed => "webhook.batch.status.processed",
            EventKind::BatchFailed => "webhook.batch.status.failed",
            EventKind::Filed => "webhook.transaction.status.filed",
            EventKind::SlTaxPaid => "webhook.transaction.sl-tax-paid-date.updated",
            EventKind::StampingFeePaid => "webhook.transaction.stamping-fee-paid-date.updated",
            EventKind::TaxesAndFeesPaid => "webhook.transaction.taxes-and-fees.paid",
            EventKind::NumberAssigned => "webhook.transaction.sla-transaction-number.updated",
            EventKind::StampWordingChanged => "webhook.state.stamp-wording.updated",
        }
    }

    /// Words for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            EventKind::BatchProcessed => "Batch processed",
            EventKind::BatchFailed => "Batch failed",
            EventKind::Filed => "Filed with the state",
            EventKind::SlTaxPaid => "Surplus lines tax paid",
            EventKind::StampingFeePaid => "Stamping fee paid",
            EventKind::TaxesAndFeesPaid => "Taxes and fees paid",
            EventKind::NumberAssigned => "State number assigned",
            EventKind::StampWordingChanged => "Stamp wording changed",
        }
    }

    /// The kind of an identifier; `None` for one this version does not know.
    #[must_use]
    pub fn from_identifier(identifier: &str) -> Option<EventKind> {
        EventKind::ALL.into_iter().find(|kind| kind.identifier() == identifier)
    }
}

/// What an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EventSubject {
    /// A transaction, by the service's number.
    Transaction(i64),
    /// A batch, by its id.
    Batch(String),
    /// A state, two letters.
    State(String),
}

impl std::fmt::Display for EventSubject {
    /// `transaction 17`, `batch 0f3a...`, `state TX`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EventSubject::Transaction(number) => write!(f, "transaction {number}"),
            EventSubject::Batch(id) => write!(f, "batch {id}"),
            EventSubject::State(code) => write!(f, "state {code}"),
        }
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Not to be relied on alone: public samples use one id for several events.
    pub event_id: String,
    /// The identifier as it came; may be empty.
    pub event: String,
    /// `yyyy-mm-dd hh:mm:ss`, UTC [ours], as it came.
    pub timestamp: String,
    /// What it says.
    pub body: EventBody,
}

/// What an event says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventBody {
    /// A batch was processed.
    BatchProcessed(BatchEvent),
    /// A batch was given up.
    BatchFailed(BatchEvent),
    /// The state has a transaction.
    Filed(FiledEvent),
    /// The tax was paid.
    SlTaxPaid(ChargePaid),
    /// The stamping fee was paid.
    StampingFeePaid(ChargePaid),
    /// Everything was paid.
    TaxesAndFeesPaid(TaxesAndFeesPaid),
    /// The state's number is known.
    NumberAssigned(NumberAssigned),
    /// The stamp wording is another one.
    StampWordingChanged(StampWordingChanged),
    /// An empty `event`, or one this version does not know: what can be said of its subject.
    Other(Option<EventSubject>),
}

/// Not an event at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event is a JSON object; {0}")]
pub struct NotAnEvent(String);

impl Event {
    /// Reads the body of a delivery.
    ///
    /// # Errors
    /// When it is not a JSON object.
    pub fn read(bytes: &[u8]) -> Result<Event, NotAnEvent> {
        // A list would be taken for the members in their order.
        if bytes.trim_ascii_start().first() != Some(&b'{') {
            return Err(NotAnEvent("this does not begin with a brace".to_owned()));
        }
        serde_json::from_slice::<IgnoredAny>(bytes).map_err(|error| NotAnEvent(error.to_string()))?;
        let head: EventHead = read_part(bytes);
        let body = match EventKind::from_identifier(&head.event) {
            None => EventBody::Other(read_part::<SubjectFields>(bytes).into_event_subject()),
            Some(kind) => EventBody::read(kind, bytes),
        };
        Ok(Event { event_id: head.event_id, event: head.event, timestamp: head.timestamp, body })
    }

    /// Its kind; `None` for an empty or unknown `event`.
    #[must_use]
    pub fn kind(&self) -> Option<EventKind> {
        EventKind::from_identifier(&self.event)
    }

    /// What it is about, as far as it says.
    #[must_use]
    pub fn subject(&self) -> Option<EventSubject> {
        let transaction = |number: Option<i64>| number.map(EventSubject::Transaction);
        match &self.body {
            EventBody::BatchProcessed(batch) | EventBody::BatchFailed(batch) => {
                Some(batch.batch_id.clone()).filter(|id| !id.is_empty()).map(EventSubject::Batch)
            }
            EventBody::Filed(filed) => transaction(filed.transaction_id),
            EventBody::SlTaxPaid(paid) | EventBody::StampingFeePaid(paid) => transaction(paid.transaction_id),
            EventBody::TaxesAndFeesPaid(paid) => transaction(paid.transaction_id),
            EventBody::NumberAssigned(number) => transaction(number.transaction_id),
            EventBody::StampWordingChanged(wording) => {
                Some(wording.state.clone()).filter(|code| !code.is_empty()).map(EventSubject::State)
            }
            EventBody::Other(subject) => subject.clone(),
        }
    }

    /// The body of a delivery. A number in `event_id` is written as one, as public samples have it.
    #[must_use]
    pub fn to_json(&self) -> String {
        let head = match self.event_id.parse::<i64>() {
            Ok(number) => serde_json::to_string(&(number,)),
            Err(_) => serde_json::to_string(&(&self.event_id,)),
        };
        // Numbers and texts always serialize.
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let id = head.unwrap_or_default();
        let mut json = format!(
            "{{\"event_id\":{},\"event\":{},\"timestamp\":{}",
            id.trim_start_matches('[').trim_end_matches(']'),
            quoted(&self.event),
            quoted(&self.timestamp)
        );
        let body = self.body.to_json();
        if body.len() > 2 {
            json.push(',');
            json.push_str(body.trim_start_matches('{'));
        } else {
            json.push('}');
        }
        json
    }
}

impl EventBody {
    fn read(kind: EventKind, bytes: &[u8]) -> EventBody {
        match kind {
            EventKind::BatchProcessed => EventBody::BatchProcessed(read_part(bytes)),
            EventKind::BatchFailed => EventBody::BatchFailed(read_part(bytes)),
            EventKind::Filed => EventBody::Filed(read_part(bytes)),
            EventKind::SlTaxPaid => EventBody::SlTaxPaid(read_part::<SlTaxPaid>(bytes).into()),
            EventKind::StampingFeePaid => {
                EventBody::StampingFeePaid(read_part::<StampingFeePaid>(bytes).into())
            }
            EventKind::TaxesAndFeesPaid => EventBody::TaxesAndFeesPaid(read_part(bytes)),
            EventKind::NumberAssigned => EventBody::NumberAssigned(read_part(bytes)),
            EventKind::StampWordingChanged => EventBody::StampWordingChanged(read_part(bytes)),
        }
    }

    fn to_json(&self) -> String {
        let json = match self {
            EventBody::BatchProcessed(batch) | EventBody::BatchFailed(batch) => serde_json::to_string(batch),
            EventBody::Filed(filed) => serde_json::to_string(filed),
            EventBody::SlTaxPaid(paid) => serde_json::to_string(&SlTaxPaid::from(paid.clone())),
            EventBody::StampingFeePaid(paid) => serde_json::to_string(&StampingFeePaid::from(paid.clone())),
            EventBody::TaxesAndFeesPaid(paid) => serde_json::to_string(paid),
            EventBody::NumberAssigned(number) => serde_json::to_string(number),
            EventBody::StampWordingChanged(wording) => serde_json::to_string(wording),
            EventBody::Other(_) => Ok("{}".to_owned()),
        };
        // Plain texts, numbers and lists always serialize.
        json.unwrap_or_else(|_| "{}".to_owned())
    }
}

/// A part of an event as far as it can be read, by the one reader of answers; a part that has nothing of it is empty.
fn read_part<T: DeserializeOwned + Default>(bytes: &[u8]) -> T {
    read_answer(bytes).map(|read| read.value).unwrap_or_default()
}

/// What every body has.
#[derive(Default, Deserialize)]
#[serde(default)]
struct EventHead {
    event_id: String,
    event: String,
    timestamp: String,
}

/// What tells the subject of an event of no known kind.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SubjectFields {
    transaction_id: Option<i64>,
    batch_id: String,
    state: String,
}

impl SubjectFields {
    fn into_event_subject(self) -> Option<EventSubject> {
        let SubjectFields { transaction_id, batch_id, state } = self;
        let batch = (!batch_id.is_empty()).then_some(EventSubject::Batch(batch_id));
        let state = (!state.is_empty()).then_some(EventSubject::State(state));
        transaction_id.map(EventSubject::Transaction).or(batch).or(state)
    }
}
