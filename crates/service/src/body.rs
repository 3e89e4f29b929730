//! Request bodies: JSON, bounded, in time.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::http::request::Parts;
use bordereau_contract::{BODY_BYTES_MAX, IMPORT_BODY_BYTES_MAX, read_request};
use http_body_util::BodyExt;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::refusal::Refusal;

/// A slow client may take this long for its body.
const BODY_TIME: Duration = Duration::from_secs(30);
/// And this long for a batch with its documents.
const IMPORT_BODY_TIME: Duration = Duration::from_secs(300);
/// Levels of arrays and objects a body may have; the contract's have three.
const DEPTH_MAX: usize = 32;

/// How large a body may be and how long it may take.
#[derive(Clone, Copy)]
pub(crate) struct BodyBounds {
    bytes: usize,
    time: Duration,
}

impl BodyBounds {
    /// A question, a sign-in, a setting.
    pub(crate) const ORDINARY: BodyBounds = BodyBounds { bytes: BODY_BYTES_MAX, time: BODY_TIME };
    /// An import with its documents.
    pub(crate) const IMPORT: BodyBounds = BodyBounds { bytes: IMPORT_BODY_BYTES_MAX, time: IMPORT_BODY_TIME };
}

/// The body as JSON text: checked for type, size, encoding and depth, not yet parsed.
pub(crate) async fn json_text(parts: &Parts, body: Body) -> Result<String, Refusal> {
    bounded_text(parts, body, BodyBounds::ORDINARY).await
}

/// The same within the bounds given.
pub(crate) async fn bounded_text(parts: &Parts, body: Body, bounds: BodyBounds) -> Result<String, Refusal> {
    check_type(parts)?;
    let announced = parts
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<u64>().ok());
    if announced.is_some_and(|bytes| bytes > bounds.bytes as u64) {
        return Err(Refusal::too_large(bounds.bytes));
    }
    let bytes = match tokio::time::timeout(bounds.time, collect_body(body, bounds.bytes)).await {
        Ok(bytes) => bytes?,
        Err(_) => return Err(Refusal::too_slow(bounds.time)),
    };
    let text = String::from_utf8(bytes.into()).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Refusal::malformed(format!("The body is not UTF-8 text: byte {at} does not belong there."))
    })?;
    check_depth(&text)?;
    Ok(text)
}

fn check_type(parts: &Parts) -> Result<(), Refusal> {
    let found = parts.headers.get(header::CONTENT_TYPE);
    let found = found.map_or("", |value| value.to_str().unwrap_or("unreadable"));
    let essence = found.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") { Ok(()) } else { Err(Refusal::media_type(found)) }
}

/// Collects at most the limit; what is beyond it is never kept.
async fn collect_body(mut body: Body, bytes_max: usize) -> Result<Bytes, Refusal> {
    let mut collected: Vec<u8> = Vec::new();
    let mut first: Option<Bytes> = None;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Refusal::malformed("The body ended before its announced length."))?;
        let Ok(data) = frame.into_data() else { continue };
        let so_far = first.as_ref().map_or(0, Bytes::len) + collected.len();
        if so_far + data.len() > bytes_max {
            return Err(Refusal::too_large(bytes_max));
        }
        // Most bodies come in one piece, which needs no copy.
        match first.take() {
            None if collected.is_empty() => first = Some(data),
            None => collected.extend_from_slice(&data),
            Some(start) => {
                collected.extend_from_slice(&start);
                collected.extend_from_slice(&data);
            }
        }
    }
    Ok(first.unwrap_or_else(|| collected.into()))
}

/// Counts brackets outside of strings; whether they match is the parser's business.
fn check_depth(text: &str) -> Result<(), Refusal> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH_MAX {
            return Err(Refusal::malformed(format!("The body is nested deeper than {DEPTH_MAX} levels.")));
        }
    }
    Ok(())
}

/// A sentence on why a text is not JSON, with the place.
pub(crate) fn not_json(error: &serde_json::Error) -> Refusal {
    let reason = error.to_string();
    let reason = reason.split(" at line").next().unwrap_or_default();
    Refusal::malformed(format!(
        "The body is not valid JSON: {reason} (line {}, column {}).",
        error.line(),
        error.column()
    ))
}

/// Refuses what is no JSON object.
pub(crate) fn check_object(text: &str) -> Result<(), Refusal> {
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| not_json(&error))?;
    let is_object = text.trim_start().starts_with('{');
    if is_object { Ok(()) } else { Err(Refusal::malformed("The body is not a JSON object.")) }
}

/// An object, or every field of it that cannot be read.
pub(crate) fn parse_object<T: DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    check_object(text)?;
    let mut problems = Vec::new();
    match read_request(text, "", &mut problems) {
        Some(value) if problems.is_empty() => Ok(value),
        _ => Err(Refusal::invalid_fields(problems)),
    }
}
