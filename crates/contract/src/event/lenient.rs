//! Reading what may have come in another form than described, without ever losing the event over it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::FieldMessages;

/// An object of this type; unknown members are ignored.
pub(super) fn object<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    // A list would be taken for the members in their order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err("this does not begin with a brace".to_owned());
    }
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

type Raw = Box<RawValue>;

fn as_text(raw: &RawValue) -> Option<String> {
    let text = raw.get().trim();
    match text.as_bytes().first() {
        Some(b'"') => serde_json::from_str(text).ok(),
        Some(b'n' | b'{' | b'[') | None => None,
        // A number or a flag, digit by digit as sent.
        Some(_) => Some(text.to_owned()),
    }
}

/// A text, or a number or flag as text; anything else is none.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(as_text(&Raw::deserialize(deserializer)?))
}

/// The same, empty where there is none.
pub(super) fn text_or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(text(deserializer)?.unwrap_or_default())
}

/// A whole number, in quotes or not; anything else is none.
pub(super) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(text(deserializer)?.and_then(|text| text.trim().parse().ok()))
}

/// An amount, in quotes or not; anything else is none, never zero. Written as a number.
pub(super) mod amount {
    use bordereau_money::{Usd, json_number_option};
    use serde::{Deserialize, Deserializer};

    pub(in super::super) use bordereau_money::json_number_option::serialize;

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Usd>, D::Error> {
        let raw = super::Raw::deserialize(deserializer)?;
        let mut reader = serde_json::Deserializer::from_str(raw.get());
        Ok(json_number_option::deserialize(&mut reader).unwrap_or_default())
    }
}

/// True or false, 1 or 0, in quotes or not; anything else is none.
pub(super) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Ok(match text(deserializer)?.as_deref() {
        Some("true" | "1") => Some(true),
        Some("false" | "0") => Some(false),
        _ => None,
    })
}

/// Texts of a list, or of an object keyed by field.
pub(super) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let raw = Raw::deserialize(deserializer)?;
    let messages: FieldMessages = serde_json::from_str(raw.get()).unwrap_or_default();
    Ok(messages.iter().map(|(_, text)| text.to_owned()).collect())
}

/// A list of which each entry is parsed by itself; an invalid entry is skipped.
pub(super) fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let raw = Raw::deserialize(deserializer)?;
    let entries: Vec<Raw> = serde_json::from_str(raw.get()).unwrap_or_default();
    Ok(entries.iter().filter_map(|entry| object(entry.get().as_bytes()).ok()).collect())
}
