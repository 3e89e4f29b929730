//! What a webhook may be set up to.

use bordereau_contract::{FieldProblem, SIGNATURE_HEADER, WEBHOOK_SECRET_CHARS, WebhookRequest};

use super::address::{self, LoopbackRule};
use crate::secrets;

/// Webhooks of an account.
pub(super) const WEBHOOKS_MAX: usize = 50;
const TITLE_CHARS_MAX: usize = 100;
const DESCRIPTION_CHARS_MAX: usize = 1_000;
const HEADER_KEY_CHARS_MAX: usize = 100;
const HEADER_VALUE_CHARS_MAX: usize = 1_000;
/// Headers that belong to the transport or are set anyway.
const RESERVED: &[&str] = &[
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// Everything that is not right with it.
pub(super) fn find_problems(request: &WebhookRequest, loopback: LoopbackRule) -> Vec<FieldProblem> {
    let mut found = Vec::new();
    let mut say = |pointer: &str, detail: String| {
        found.push(FieldProblem { pointer: pointer.into(), detail });
    };
    let control = |text: &str| text.chars().any(|c| c.is_control() && c != '\n');
    if request.title.trim().is_empty() {
        say("/title", "A title is required.".into());
    }
    if request.title.chars().count() > TITLE_CHARS_MAX || control(&request.title) {
        say("/title", format!("At most {TITLE_CHARS_MAX} plain characters are allowed."));
    }
    if request.description.chars().count() > DESCRIPTION_CHARS_MAX || control(&request.description) {
        say("/description", format!("At most {DESCRIPTION_CHARS_MAX} plain characters are allowed."));
    }
    if request.events.is_empty() {
        say("/events", "At least one event is required.".into());
    }
    if let Err(why) = address::check_address(&request.url, loopback) {
        say("/url", why);
    }
    check_header(request, &mut say);
    found
}

fn check_header(request: &WebhookRequest, say: &mut impl FnMut(&str, String)) {
    let (key, value) = (&request.header_key, &request.header_value);
    if key.is_empty() {
        if !value.is_empty() {
            say("/header_key", "A header value needs a header key.".into());
        }
        return;
    }
    if key.len() > HEADER_KEY_CHARS_MAX || !key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        let text = format!("Up to {HEADER_KEY_CHARS_MAX} letters, digits and hyphens are allowed.");
        say("/header_key", text);
    }
    let lower = key.to_ascii_lowercase();
    if RESERVED.contains(&lower.as_str()) || lower == SIGNATURE_HEADER.to_ascii_lowercase() {
        say("/header_key", format!("The header {key} is not free."));
    }
    let plain = value.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
    if value.is_empty() || value.len() > HEADER_VALUE_CHARS_MAX || !plain || value.trim() != value {
        let text = format!("1 to {HEADER_VALUE_CHARS_MAX} plain characters are expected.");
        say("/header_value", text);
    }
}

/// A fresh secret of 20 letters and digits: 119 random bits [length pub].
pub(super) fn fresh_secret() -> String {
    const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    // 248 is the largest multiple of 62 in a byte: what is above would favor the first letters.
    let letters = std::iter::repeat_with(secrets::random_bytes::<64>).flatten().filter(|byte| *byte < 248);
    let letters = letters.filter_map(|byte| ALPHABET.get(usize::from(byte % 62)));
    letters.take(WEBHOOK_SECRET_CHARS).map(|byte| char::from(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use bordereau_contract::EventKind;

    use super::*;

    fn good() -> WebhookRequest {
        WebhookRequest {
            title: "Desk".into(),
            events: vec![EventKind::Filed],
            url: "https://example.com/hook".into(),
            ..WebhookRequest::default()
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let headed = |key: &str, value: &str| WebhookRequest {
            header_key: key.into(),
            header_value: value.into(),
            ..good()
        };
        for (request, expected) in [
            (good(), vec![]),
            (headed("X-Token", "abc def"), vec![]),
            (WebhookRequest { title: " ".into(), ..good() }, vec!["/title"]),
            (WebhookRequest { title: "x".repeat(101), ..good() }, vec!["/title"]),
            (WebhookRequest { events: vec![], ..good() }, vec!["/events"]),
            (WebhookRequest { url: "http://example.com".into(), ..good() }, vec!["/url"]),
            (headed("", "x"), vec!["/header_key"]),
            (headed("X_Token", "x"), vec!["/header_key"]),
            (headed("Host", "x"), vec!["/header_key"]),
            (headed("x-hmac-signature", "x"), vec!["/header_key"]),
            (headed("X-Token", ""), vec!["/header_value"]),
            (headed("X-Token", "a\r\nb"), vec!["/header_value"]),
            (WebhookRequest::default(), vec!["/title", "/events", "/url"]),
        ] {
            let found = find_problems(&request, LoopbackRule::Refused);
            let found: Vec<String> = found.into_iter().map(|problem| problem.pointer).collect();
            assert_eq!(found, expected, "{request:?}");
        }
    }

    #[test]
    fn secrets_have_twenty_characters() {
        let (one, other) = (fresh_secret(), fresh_secret());
        assert!(one.len() == 20 && one.bytes().all(|b| b.is_ascii_alphanumeric()));
        assert_ne!(one, other);
    }
}
