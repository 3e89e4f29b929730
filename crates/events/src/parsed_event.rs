//! Parses a delivery: reads as much as possible, and stores all of it in any case.
//!
//! A receiver must tolerate what section 6 of the contract lists: an empty `event`, invalid dates, unknown events.
//! Nothing here fails; a field that can't be read stays empty, and the body is shown as received.

use bordereau_contract::{Event, EventKind, split_delivery, unwrap_event};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::event_content::{EventFact, event_title, event_value, infer_kind};
use bordereau_session::profile::ServiceWords;
use bordereau_store::events::inbox::{Delivery, EventNumbers, ParsedEvent};

/// Characters of a field that its column keeps; the body is kept whole.
const FIELD_CHARS_MAX: usize = 200;

/// Reads the events of a delivery, each with its own part of the body.
pub(super) fn parse_delivery(delivery: Delivery, words: &ServiceWords) -> Vec<(Delivery, ParsedEvent)> {
    let Delivery { profile_id, body, signature, at } = delivery;
    let read = |body: Vec<u8>| {
        let event = parse_event(&body, words);
        (Delivery { profile_id: profile_id.clone(), body, signature, at: at.clone() }, event)
    };
    split_delivery(body).into_iter().map(read).collect()
}

/// Reads a body.
fn parse_event(body: &[u8], words: &ServiceWords) -> ParsedEvent {
    let read = read_event(body, words);
    let (event, event_id, said_at) = read.as_ref().map_or_else(Default::default, |(name, event)| {
        (column_text(name), column_text(&event.event_id), column_text(&event.timestamp))
    });
    let (what, subject, value) = read.as_ref().map_or_else(Default::default, |(_, event)| {
        (event.kind(), event_numbers(event), column_text(&event_value(&event.body)))
    });
    ParsedEvent {
        what,
        title: event_title(what, &subject, &event, &value),
        dedup_key: dedup_key(&event, &subject, &said_at, body),
        fact: EventFact::new(what, &subject, value).map(|fact| fact.fact_key()),
        event_id,
        event,
        said_at,
        subject,
    }
}

/// The name as received, and the event; `None` where the body isn't an event at all.
pub(super) fn read_event(body: &[u8], words: &ServiceWords) -> Option<(String, Event)> {
    let body = unwrap_event(body);
    let read = Event::read(&body).ok()?;
    Some((read.event.clone(), fill_missing_kind(read, &body, words)))
}

/// Finds the kind of an event whose name is empty, in other letters, or the service's own, from its members.
fn fill_missing_kind(read: Event, body: &[u8], words: &ServiceWords) -> Event {
    if read.kind() != EventKind::Other {
        return read;
    }
    let Ok(mut object) = serde_json::from_slice::<Map<String, Value>>(body) else { return read };
    let name = read.event.trim().to_ascii_lowercase();
    let known = words.event_kind(&name).or_else(|| EventKind::from_identifier(&name));
    let kind = if name.is_empty() { infer_kind(&object) } else { known };
    let Some(kind) = kind else { return read };
    object.insert("event".into(), kind.identifier().into());
    serde_json::to_vec(&object).ok().and_then(|body| Event::read(&body).ok()).unwrap_or(read)
}

/// The numbers of the event's subject.
fn event_numbers(event: &Event) -> EventNumbers {
    let reference = event.reference();
    let text = |text: &Option<String>| text.as_deref().map(column_text).unwrap_or_default();
    let state = reference.state.or(reference.physical_state).unwrap_or_default();
    EventNumbers {
        batch: text(&reference.batch_id),
        transaction: reference.transaction_id.map(|number| number.to_string()).unwrap_or_default(),
        policy_number: text(&reference.policy_number),
        invoice_number: text(&reference.invoice_number),
        state: state_code(&state),
    }
}

/// Two letters, or nothing.
fn state_code(text: &str) -> String {
    let code = text.trim();
    let is_code = code.len() == 2 && code.bytes().all(|b| b.is_ascii_alphabetic());
    if is_code { code.to_ascii_uppercase() } else { String::new() }
}

/// Trimmed and shortened. Zero bytes and line ends don't belong in a column.
fn column_text(text: &str) -> String {
    text.trim().chars().filter(|c| !c.is_control()).take(FIELD_CHARS_MAX).collect()
}

/// Public samples reuse event ids, so ids don't count; the hash of the body covers what the other fields don't.
fn dedup_key(event: &str, subject: &EventNumbers, said_at: &str, body: &[u8]) -> String {
    let mut hash = Sha256::new();
    for part in [event, &subject.batch, &subject.transaction, &subject.policy_number, said_at] {
        hash.update(part.len().to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(Sha256::digest(body));
    bordereau_contract::hex_text(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_comes_is_read_as_far_as_it_goes() {
        use EventKind as W;
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
                W::StampWordingChanged,
                "state TX wording 2026-02-23#a760b0e1e5180903",
            ),
            (r#"{"event":"webhook.state.stamp-wording.updated","state":"TX"}"#, W::StampWordingChanged, ""),
            // A first day of databases is no date, and 0 no number.
            (
                r#"{"event":"webhook.transaction.sl-tax-paid-date.updated","transaction_id":17,"sl_tax_paid_date":"0000-00-00"}"#,
                W::SlTaxPaid,
                "",
            ),
            (
                r#"{"event":"webhook.transaction.sla-transaction-number.updated","transaction_id":17,"transaction_id_number":0}"#,
                W::NumberAssigned,
                "",
            ),
            (r#"{"event":"webhook.policy.bound","transaction_id":17}"#, W::Other, ""),
            (r#"{"event":"webhook.transaction.status.filed"}"#, W::Filed, ""),
            (r#"{"event":5}"#, W::Other, ""),
            (r#"[1,2]"#, W::Other, ""),
            ("not JSON", W::Other, ""),
            ("", W::Other, ""),
        ];
        for (body, what, fact) in cases {
            let parsed = parse_event(body.as_bytes(), &ServiceWords::default());
            assert_eq!(parsed.what, *what, "{body}");
            assert_eq!(parsed.fact.unwrap_or_default(), *fact, "{body}");
            assert!(!parsed.title.is_empty(), "{body}");
        }
    }

    #[test]
    fn a_repeat_is_the_same_event_subject_time_and_body() {
        let base = r#"{"event":"e","event_id":"1","transaction_id":1,"timestamp":"2026-01-01 00:00:00"}"#;
        let same = |other: &str| {
            parse_event(base.as_bytes(), &ServiceWords::default()).dedup_key
                == parse_event(other.as_bytes(), &ServiceWords::default()).dedup_key
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
        let body = format!(r#"{{"event":"{long}","timestamp":"a\u0000b\nc"}}"#);
        let parsed = parse_event(body.as_bytes(), &ServiceWords::default());
        assert_eq!(parsed.event.chars().count(), FIELD_CHARS_MAX);
        assert_eq!(parsed.said_at, "abc");
    }
}
