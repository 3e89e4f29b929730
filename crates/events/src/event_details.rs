//! The details of an event, for people.

use bordereau_api::{EventDetail, EventSignature, EventView, to_u32};
use bordereau_session::profile::ServiceWords;
use bordereau_store::events::listing::StoredEvent;

use super::event_content::list_fields;
use super::parsed_event::read_event;

/// Bytes of a body shown; the service has the rest.
const SHOWN_BYTES: usize = 256 * 1024;

/// An event with the content of its body.
pub(super) fn event_detail(stored: StoredEvent, words: &ServiceWords) -> EventDetail {
    let StoredEvent { event, body, check_says, related } = stored;
    EventDetail {
        bytes: to_u32(body.len()),
        said: read_event(&body, words).map(|(_, event)| list_fields(&event)).unwrap_or_default(),
        body: readable_body(&body),
        signature_says: signature_sentence(&event).to_owned(),
        check_says,
        related,
        event,
    }
}

/// Indents JSON, and cuts what is longer than a person would read.
pub(super) fn readable_body(body: &[u8]) -> String {
    let whole = if body.len() <= SHOWN_BYTES {
        serde_json::from_slice::<serde_json::Value>(body).ok().map(|value| format!("{value:#}"))
    } else {
        None
    };
    let mut text = whole
        .unwrap_or_else(|| String::from_utf8_lossy(body.get(..SHOWN_BYTES).unwrap_or(body)).into_owned());
    if body.len() > SHOWN_BYTES {
        text.push_str("\n... (the rest is not shown)");
    }
    text
}

fn signature_sentence(event: &EventView) -> &'static str {
    match event.signature {
        EventSignature::Valid => "The signature matches: the event came from the service, unchanged.",
        EventSignature::HeaderPair => {
            "The agreed header matches. The service does not sign its deliveries, so anyone who knows the header's value could have sent it. Rely only on what the service confirms."
        }
        EventSignature::Forwarded => "The listener on the server checked the signature and forwarded it.",
        EventSignature::None => "Not received as an event; found by checking with the service.",
    }
}
