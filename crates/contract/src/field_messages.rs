//! What a service says of a row or of its fields, in whatever form.

use std::collections::BTreeMap;

use bordereau_money::Usd;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::lenient::normalize_name;

/// Messages of a result: an object keyed by field, or an array of texts (both \[pub]).
///
/// Texts without a field are kept under the empty key, so that nothing said is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct FieldMessages(pub BTreeMap<String, Vec<String>>);

impl FieldMessages {
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(Vec::is_empty)
    }

    /// Field and text; the field is empty where the service named none.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(field, texts)| texts.iter().map(move |t| (field.as_str(), t.as_str())))
    }
}

impl<'de> Deserialize<'de> for FieldMessages {
    /// Whatever is said is a text: keyed by field, in a list, alone, or in an object of the provider's own.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut messages = FieldMessages::default();
        match Value::deserialize(deserializer)? {
            Value::Object(by_field) if !is_message(&by_field) => {
                for (field, said) in by_field.iter().filter(|(name, _)| !is_annotation(name)) {
                    let is_none = NO_FIELDS.contains(&normalize_name(field).as_str());
                    messages.add(if is_none { "" } else { field }, said);
                }
            }
            said => messages.add("", &said),
        }
        Ok(messages)
    }
}

/// Names of the text of a message, of the field it is about, and of what else one has; without case and separators.
const TEXTS: [&str; 7] =
    ["message", "detail", "text", "description", "msg", "errormessage", "warningmessage"];
const FIELDS: [&str; 7] = ["field", "pointer", "path", "fieldname", "propertyname", "attribute", "fields"];
const BESIDE: [&str; 12] = [
    "code",
    "severity",
    "type",
    "level",
    "errorcode",
    "warningcode",
    "title",
    "status",
    "instance",
    "statuscode",
    "attemptedvalue",
    "rejectedvalue",
];
/// Names that only hold messages, or say that one is about no single field.
const NO_FIELDS: [&str; 15] = [
    "error",
    "errors",
    "warning",
    "warnings",
    "message",
    "messages",
    "item",
    "items",
    "values",
    "base",
    "all",
    "global",
    "nonfielderrors",
    "validationerror",
    "validationerrors",
];

/// The first member of a message that has one of these names and is a text.
fn named_text<'o>(object: &'o Map<String, Value>, names: &[&str]) -> Option<&'o str> {
    names.iter().find_map(|name| {
        let text = |value: &'o Value| {
            value.as_str().or_else(|| match value.as_array()?.as_slice() {
                [one] => one.as_str(),
                _ => None,
            })
        };
        object.iter().find_map(|(found, value)| text(value).filter(|_| normalize_name(found) == *name))
    })
}

/// Whether a name says what its object is, and no field.
fn is_annotation(name: &str) -> bool {
    name.starts_with(['$', '@']) && name != "$values" || name.starts_with("__") && name != "__all__"
}

/// Whether an object is one message, not messages by field.
fn is_message(object: &Map<String, Value>) -> bool {
    let is_known = |name: &String| {
        let name = normalize_name(name);
        TEXTS.iter().chain(&FIELDS).chain(&BESIDE).any(|known| *known == name)
    };
    let is_known = |name: &String| is_known(name) || is_annotation(name);
    named_text(object, &TEXTS).is_some() && object.keys().all(is_known)
}

/// A text, or messages in any form, as one text; a flag says nothing.
pub(crate) fn message_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let messages = Option::<FieldMessages>::deserialize(deserializer)?.unwrap_or_default();
    let texts: Vec<&str> = messages.iter().map(|(_, text)| text.trim()).collect();
    let text = texts.join("; ");
    Ok(Some(text).filter(|text| !matches!(text.as_str(), "" | "true" | "false")))
}

impl FieldMessages {
    fn add(&mut self, field: &str, said: &Value) {
        match said {
            Value::Null => {}
            Value::Array(all) => {
                // A field that was named with no text stays named.
                if !field.is_empty() {
                    self.0.entry(field.to_owned()).or_default();
                }
                all.iter().for_each(|one| self.add(field, one));
            }
            Value::String(text) if text.trim().is_empty() => {}
            Value::String(text) => self.0.entry(field.to_owned()).or_default().push(text.clone()),
            Value::Object(object) if is_message(object) => {
                let at = named_text(object, &FIELDS).unwrap_or(field).to_owned();
                let text = named_text(object, &TEXTS).unwrap_or_default().to_owned();
                self.0.entry(at).or_default().push(text);
            }
            Value::Object(object) if object.keys().all(|name| holds_messages(name)) => {
                object
                    .iter()
                    .filter(|(name, _)| !is_annotation(name))
                    .for_each(|(_, said)| self.add(field, said));
            }
            other => self.0.entry(field.to_owned()).or_default().push(other.to_string()),
        }
    }
}

/// Whether a member of an object has messages, or is none of what it says.
fn holds_messages(name: &str) -> bool {
    is_annotation(name) || NO_FIELDS.contains(&normalize_name(name).as_str())
}

/// The amount behind a word of a message, as in `... Provided - 4224.80. Calculated - 3407.98` \[pub].
pub fn amount_after(text: &str, word: &str) -> Option<Usd> {
    let (_, behind) = text.split_once(word)?;
    let behind =
        behind.trim_start().strip_prefix(['-', ':', '\u{2013}'])?.trim_start().trim_start_matches('$');
    let end =
        behind.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '-'))).unwrap_or(behind.len());
    Usd::parse(&behind[..end].trim_end_matches('.').replace(',', "")).ok()
}
