//! What a delivery says: read as far as it can be, kept whole whatever it is.
//!
//! A receiver tolerates what the contract's section 6 says: an `event` that came empty, dates that are none,
//! events nobody knows. Nothing here fails; what cannot be read stays empty and the body is shown as it came.

use bordereau_contract::{Event, EventBody, EventKind, EventSubject};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::fact::{Fact, what_of};
use bordereau_api::EventWhat;

/// Characters of a field that are kept in a column of their own; the body is kept whole.
const FIELD_CHARS_MAX: usize = 200;

/// A delivery as far as it was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    pub what: EventWhat,
    /// As it came.
    pub event: String,
    pub event_id: String,
    /// As it came.
    pub said_at: String,
    pub subject: Subject,
    /// What must be true if it is, where there is something to ask for.
    pub fact: Option<Fact>,
    pub title: String,
    /// Equal for repeats: of event, subject, timestamp and body (contract section 6).
    pub recognition: String,
}

/// What an event is about; empty for what it does not name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    pub batch: String,
    pub transaction: String,
    pub policy_number: String,
    pub invoice_number: String,
    pub state: String,
}

impl Heard {
    /// Reads a body.
    pub fn read(body: &[u8]) -> Heard {
        let meant = event_of(body);
        let (event, event_id, said_at) = meant.as_ref().map_or_else(Default::default, |(name, meant)| {
            (column(name), column(&meant.event_id), column(&meant.timestamp))
        });
        let meant = meant.map(|(_, meant)| meant);
        let (what, subject, value) = meant.as_ref().map_or_else(Default::default, parts);
        let fact = Fact::new(what, &subject, value.clone());
        Heard {
            what,
            title: super::fact::title(what, &subject, &event, &value),
            recognition: recognition(&event, &subject, &said_at, body),
            event_id,
            event,
            said_at,
            subject,
            fact,
        }
    }
}

/// The name as it came, and the event as it must be meant; none where the body is no event at all.
pub(super) fn event_of(body: &[u8]) -> Option<(String, Event)> {
    let read = Event::read(body).ok()?;
    Some((read.event.clone(), meant(read, body)))
}

/// The event as it must be meant: one whose name came empty, or in other letters, is read by what it has.
fn meant(read: Event, body: &[u8]) -> Event {
    if read.kind().is_some() {
        return read;
    }
    let Ok(mut object) = serde_json::from_slice::<Map<String, Value>>(body) else { return read };
    let name = read.event.trim().to_ascii_lowercase();
    let kind = if name.is_empty() { guessed(&object) } else { EventKind::of(&name) };
    let Some(kind) = kind else { return read };
    object.insert("event".into(), kind.identifier().into());
    serde_json::to_vec(&object).ok().and_then(|body| Event::read(&body).ok()).unwrap_or(read)
}

/// What an event without a name must be, by what it has.
fn guessed(object: &Map<String, Value>) -> Option<EventKind> {
    let has = |name: &str| object.get(name).is_some_and(|value| !value.is_null());
    if has("batch_id") && !has("transaction_id") {
        return match object.get("status")?.as_str()? {
            "processed" => Some(EventKind::BatchProcessed),
            "failed" => Some(EventKind::BatchFailed),
            _ => None,
        };
    }
    if has("state") && has("state_stamp_wording_text") {
        return Some(EventKind::StampWordingChanged);
    }
    let signs = [
        ("taxes_and_fees", EventKind::TaxesAndFeesPaid),
        ("stamping_fee_paid_date", EventKind::StampingFeePaid),
        ("sl_tax_paid_date", EventKind::SlTaxPaid),
        ("transaction_id_number", EventKind::NumberAssigned),
        ("date_filed", EventKind::Filed),
    ];
    signs.into_iter().find(|(name, _)| has("transaction_id") && has(name)).map(|(_, kind)| kind)
}

/// What it says, of what, and the date or number that goes with it.
fn parts(event: &Event) -> (EventWhat, Subject, String) {
    let text = |text: &Option<String>| text.as_deref().map(column).unwrap_or_default();
    let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
    let subject =
        |transaction, policy: &Option<String>, invoice: &Option<String>, state: &Option<String>| Subject {
            batch: String::new(),
            transaction: number(transaction),
            policy_number: text(policy),
            invoice_number: text(invoice),
            state: state_code(state.as_deref().unwrap_or_default()),
        };
    let (subject, value) = match &event.body {
        EventBody::BatchProcessed(batch) | EventBody::BatchFailed(batch) => {
            (Subject { batch: column(&batch.batch_id), ..Subject::default() }, String::new())
        }
        EventBody::Filed(it) => (
            subject(it.transaction_id, &it.policy_number, &it.invoice_number, &it.physical_state),
            text(&it.date_filed),
        ),
        EventBody::SlTaxPaid(it) | EventBody::StampingFeePaid(it) => {
            (subject(it.transaction_id, &it.policy_number, &it.invoice_number, &None), text(&it.paid_date))
        }
        EventBody::TaxesAndFeesPaid(it) => {
            (subject(it.transaction_id, &it.policy_number, &it.invoice_number, &None), String::new())
        }
        EventBody::NumberAssigned(it) => (
            subject(it.transaction_id, &it.policy_number, &it.invoice_number, &it.physical_state),
            text(&it.transaction_id_number),
        ),
        EventBody::StampWordingChanged(it) => {
            let (text, at) = (&it.state_stamp_wording_text, &it.state_stamp_wording_updated_at);
            let value = super::fact::wording_value(text.as_deref(), at.as_deref());
            (Subject { state: state_code(&it.state), ..Subject::default() }, value)
        }
        EventBody::Other(known) => (of_unknown(known.as_ref()), String::new()),
    };
    (event.kind().map_or(EventWhat::Other, what_of), subject, value)
}

fn of_unknown(known: Option<&EventSubject>) -> Subject {
    match known {
        Some(EventSubject::Batch(id)) => Subject { batch: column(id), ..Subject::default() },
        Some(EventSubject::Transaction(id)) => Subject { transaction: id.to_string(), ..Subject::default() },
        Some(EventSubject::State(code)) => Subject { state: state_code(code), ..Subject::default() },
        None => Subject::default(),
    }
}

/// Two letters, or nothing.
fn state_code(text: &str) -> String {
    let code = text.trim();
    let is_code = code.len() == 2 && code.bytes().all(|b| b.is_ascii_alphabetic());
    if is_code { code.to_ascii_uppercase() } else { String::new() }
}

/// Trimmed and bounded. Zero bytes and line ends have no place in a column.
fn column(text: &str) -> String {
    text.trim().chars().filter(|c| !c.is_control()).take(FIELD_CHARS_MAX).collect()
}

/// Public samples reuse event ids, so they say nothing; the body's hash holds what the other fields do not.
fn recognition(event: &str, subject: &Subject, said_at: &str, body: &[u8]) -> String {
    let mut hash = Sha256::new();
    for part in [event, &subject.batch, &subject.transaction, &subject.policy_number, said_at] {
        hash.update(part.len().to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(Sha256::digest(body));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_comes_is_read_as_far_as_it_goes() {
        use EventWhat as W;
        let cases: &[(&str, W, &str)] = &[
            (
                r#"{"event":"webhook.batch.status.processed","batch_id":"b1","status":"processed"}"#,
                W::BatchProcessed,
                "batch b1 processed",
            ),
            (
                r#"{"event":" Webhook.Batch.Status.FAILED ","batch_id":"b1"}"#,
                W::BatchFailed,
                "batch b1 failed",
            ),
            (
                r#"{"event":"webhook.transaction.status.filed","transaction_id":17}"#,
                W::Filed,
                "transaction 17 filed",
            ),
            (r#"{"event":"","batch_id":"b1","status":"processed"}"#, W::BatchProcessed, "batch b1 processed"),
            (
                r#"{"transaction_id":"17","stamping_fee_paid_date":"31/02/20"}"#,
                W::StampingFeePaid,
                "transaction 17 stamping fee paid 31/02/20",
            ),
            (
                r#"{"event":"","state":"tx","state_stamp_wording_text":"<p>A  b</p>","state_stamp_wording_updated_at":"2026-02-23 00:00:00"}"#,
                W::StampWording,
                "state TX wording 2026-02-23#a760b0e1e5180903",
            ),
            (r#"{"event":"webhook.state.stamp-wording.updated","state":"TX"}"#, W::StampWording, ""),
            (r#"{"event":"webhook.policy.bound","transaction_id":17}"#, W::Other, ""),
            (r#"{"event":"webhook.transaction.status.filed"}"#, W::Filed, ""),
            (r#"{"event":5}"#, W::Other, ""),
            (r#"[1,2]"#, W::Other, ""),
            ("not JSON", W::Other, ""),
            ("", W::Other, ""),
        ];
        for (body, what, fact) in cases {
            let heard = Heard::read(body.as_bytes());
            assert_eq!(heard.what, *what, "{body}");
            assert_eq!(heard.fact.map(|fact| fact.key()).unwrap_or_default(), *fact, "{body}");
            assert!(!heard.title.is_empty(), "{body}");
        }
    }

    #[test]
    fn a_repeat_is_the_same_event_subject_time_and_body() {
        let base = r#"{"event":"e","event_id":"1","transaction_id":1,"timestamp":"2026-01-01 00:00:00"}"#;
        let same = |other: &str| {
            Heard::read(base.as_bytes()).recognition == Heard::read(other.as_bytes()).recognition
        };
        assert!(same(base));
        for other in [
            r#"{"event":"f","event_id":"1","transaction_id":1,"timestamp":"2026-01-01 00:00:00"}"#,
            r#"{"event":"e","event_id":"1","transaction_id":2,"timestamp":"2026-01-01 00:00:00"}"#,
            r#"{"event":"e","event_id":"1","transaction_id":1,"timestamp":"2026-01-01 00:00:01"}"#,
            r#"{"event":"e","event_id":"1","transaction_id":1,"timestamp":"2026-01-01 00:00:00","x":1}"#,
        ] {
            assert!(!same(other), "{other}");
        }
    }

    #[test]
    fn a_field_is_bounded_and_has_no_control_characters() {
        let long = "é".repeat(5_000);
        let heard = Heard::read(format!(r#"{{"event":"{long}","timestamp":"a\u0000b\nc"}}"#).as_bytes());
        assert_eq!(heard.event.chars().count(), FIELD_CHARS_MAX);
        assert_eq!(heard.said_at, "abc");
    }
}
