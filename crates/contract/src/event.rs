//! What a webhook says (section 6): eight events, one body each, read as leniently as the contract asks.
//!
//! A sender writes with [`Event::to_json`]. A receiver reads with [`Event::read`]: an empty or unknown
//! `event`, a date that is none and a number in quotes are all taken as they come; only what is not a JSON
//! object at all is refused. Keep the bytes as well: this reading is not all there was in them.

mod bodies;
mod envelope;

pub use bodies::*;
pub use envelope::{split_delivery, unwrap_event};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::read_answer;

/// The header that carries the signature of a delivery \[pub]: HMAC-SHA256 of the body, hexadecimal in
/// lower case \[ours]. A receiver accepts base64 as well.
pub const SIGNATURE_HEADER: &str = "X-HMAC-Signature";
/// Characters of the secret a signature is made with \[pub].
pub const WEBHOOK_SECRET_CHARS: usize = 20;
/// `event` of a test delivery \[ours]; its body has nothing but the three members every body has.
pub const TEST_EVENT: &str = "webhook.test";
/// Bytes of the largest event \[ours]: a batch of 10,000 rows with every warning there is. Beyond it the
/// sender leaves warnings out.
pub const EVENT_BYTES_MAX: usize = 16 * 1024 * 1024;

macro_rules! events {
    ($($(#[doc = $doc:literal])+ $kind:ident $word:literal $identifier:literal $title:literal $body:ident $(as $wire:ident)?;)+) => {
        /// The kinds of event (section 6). On the wire of the service each goes by its identifier, in the desk by a
        /// word.
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
            strum::EnumString, strum::IntoStaticStr,
        )]
        #[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
        pub enum EventKind {
            $($(#[doc = $doc])+ #[serde(rename = $word)] #[strum(serialize = $word)] $kind,)+
            /// An event without a name, or one this version does not know: stored and shown as it came.
            #[default]
            #[serde(rename = "other")]
            #[strum(serialize = "other")]
            Other,
        }

        impl EventKind {
            /// Every kind that can be subscribed to.
            pub const ALL: [EventKind; [$($word),+].len()] = [$(EventKind::$kind),+];

            const IDENTIFIERS: &[&str] = &[$($identifier),+];

            /// The identifier that travels as `event`; empty for other events.
            pub const fn identifier(self) -> &'static str {
                match self { $(EventKind::$kind => $identifier,)+ EventKind::Other => "" }
            }

            /// Words for people.
            pub const fn title(self) -> &'static str {
                match self { $(EventKind::$kind => $title,)+ EventKind::Other => "Other events" }
            }
        }

        /// What an event says.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum EventBody {
            $($(#[doc = $doc])+ $kind($body),)+
            /// An empty `event`, or one this version does not know: what it is about, as far as it says.
            Other(EventReference),
        }

        impl EventBody {
            /// Its kind.
            pub const fn kind(&self) -> EventKind {
                match self { $(EventBody::$kind(_) => EventKind::$kind,)+ EventBody::Other(_) => EventKind::Other }
            }

            fn read(kind: EventKind, bytes: &[u8]) -> EventBody {
                match kind {
                    $(EventKind::$kind => EventBody::$kind(events!(@read bytes $($wire)?)),)+
                    EventKind::Other => EventBody::Other(read_part(bytes)),
                }
            }

            fn to_json(&self) -> String {
                // Plain texts, numbers and lists always serialize.
                match self {
                    $(EventBody::$kind(body) => events!(@write body $($wire)?),)+
                    EventBody::Other(_) => Ok("{}".to_owned()),
                }
                .unwrap_or_else(|_| "{}".to_owned())
            }
        }
    };
    (@read $bytes:ident) => { read_part($bytes) };
    (@read $bytes:ident $wire:ident) => { read_part::<bodies::$wire>($bytes).into() };
    (@write $body:ident) => { serde_json::to_string($body) };
    (@write $body:ident $wire:ident) => { serde_json::to_string(&bodies::$wire::from($body.clone())) };
}

// Kind, word, identifier, title, and what it says; of a paid charge its form on the wire.
events! {
    /// A batch was processed \[pub].
    BatchProcessed "batch_processed" "webhook.batch.status.processed" "Batch processed" BatchEvent;
    /// A batch was given up as a whole \[ours].
    BatchFailed "batch_failed" "webhook.batch.status.failed" "Batch failed" BatchEvent;
    /// The state has a transaction \[spec].
    Filed "filed" "webhook.transaction.status.filed" "Filed with the state" FiledEvent;
    /// The day the tax was paid is known \[ours].
    SlTaxPaid "sl_tax_paid" "webhook.transaction.sl-tax-paid-date.updated" "Surplus lines tax paid" ChargePaid as SlTaxPaid;
    /// The day the stamping fee was paid is known \[pub].
    StampingFeePaid "stamping_fee_paid" "webhook.transaction.stamping-fee-paid-date.updated" "Stamping fee paid" ChargePaid as StampingFeePaid;
    /// Everything a transaction owed is paid \[ours].
    TaxesAndFeesPaid "taxes_and_fees_paid" "webhook.transaction.taxes-and-fees.paid" "Taxes and fees paid" TaxesAndFeesPaid;
    /// The state gave a transaction its number \[ours].
    NumberAssigned "state_number" "webhook.transaction.sla-transaction-number.updated" "State number assigned" NumberAssigned;
    /// A state's stamp wording is another one \[ours].
    StampWordingChanged "stamp_wording" "webhook.state.stamp-wording.updated" "Stamp wording changed" StampWordingChanged;
}

impl EventKind {
    /// The kind of an identifier; `None` for one this version does not know.
    pub fn from_identifier(identifier: &str) -> Option<EventKind> {
        EventKind::ALL.into_iter().find(|kind| kind.identifier() == identifier)
    }
}

/// Kinds by their identifiers, as a webhook subscribes to them.
pub(crate) mod event_identifiers {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    use super::EventKind;

    struct IdentifiedKind(EventKind);

    impl<'de> Deserialize<'de> for IdentifiedKind {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<IdentifiedKind, D::Error> {
            let word = String::deserialize(deserializer)?;
            let kind = EventKind::from_identifier(&word);
            kind.map(IdentifiedKind).ok_or_else(|| D::Error::unknown_variant(&word, EventKind::IDENTIFIERS))
        }
    }

    pub(crate) fn serialize<S: Serializer>(kinds: &[EventKind], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(kinds.iter().map(|kind| kind.identifier()))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<EventKind>, D::Error> {
        Ok(Vec::<IdentifiedKind>::deserialize(deserializer)?
            .into_iter()
            .map(|IdentifiedKind(kind)| kind)
            .collect())
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for EventKind {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .description(Some("The kinds of event (section 6)."))
            .enum_values(Some(EventKind::IDENTIFIERS.iter().copied()))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for EventKind {}

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
    /// `yyyy-mm-dd hh:mm:ss`, UTC \[ours], as it came.
    pub timestamp: String,
    /// What it says.
    pub body: EventBody,
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
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        // A list would be taken for the members in their order.
        if bytes.trim_ascii_start().first() != Some(&b'{') {
            return Err(NotAnEvent("this does not begin with a brace".to_owned()));
        }
        serde_json::from_slice::<IgnoredAny>(bytes).map_err(|error| NotAnEvent(error.to_string()))?;
        let EventHead { event_id, event, timestamp } = read_part(bytes);
        let body = EventBody::read(EventKind::from_identifier(&event).unwrap_or_default(), bytes);
        Ok(Event { event_id, event, timestamp, body })
    }

    /// Its kind.
    pub const fn kind(&self) -> EventKind {
        self.body.kind()
    }

    /// By what it names its subject.
    pub fn reference(&self) -> EventReference {
        match &self.body {
            EventBody::Other(reference) => reference.clone(),
            // Written here, so it needs no reader that understands other spellings.
            body => serde_json::from_str(&body.to_json()).unwrap_or_default(),
        }
    }

    /// What it is about, as far as it says.
    pub fn subject(&self) -> Option<EventSubject> {
        self.reference().into_subject()
    }

    /// The body of a delivery. A number in `event_id` is written as one, as public samples have it.
    pub fn to_json(&self) -> String {
        // Texts always serialize.
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let id = self.event_id.parse::<i64>().map_or_else(|_| quoted(&self.event_id), |id| id.to_string());
        let (event, timestamp) = (quoted(&self.event), quoted(&self.timestamp));
        let mut json = format!("{{\"event_id\":{id},\"event\":{event},\"timestamp\":{timestamp}");
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
