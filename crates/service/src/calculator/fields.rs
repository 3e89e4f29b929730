//! The body's fields as they came: exact digits, unknown ones ignored, duplicates noticed.

use std::borrow::Cow;
use std::fmt;

use bordereau_contract::FieldProblem;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::body;
use crate::refusal::Refusal;

/// Fields of the calculator's body, in the contract's order.
pub(super) const NAMES: [&str; 26] = [
    "physical_state",
    "transaction_type",
    "transaction_line_of_business_list",
    "transaction_line_of_business_coverage",
    "agency_fee",
    "inspection_fee",
    "line_of_business",
    "premium",
    "rpg",
    "policy_effective_date",
    "transaction_effective_date",
    "mailing_entity_type",
    "commission_received",
    "admitted",
    "physical_address",
    "physical_city",
    "physical_zip_code",
    "municipality_name",
    "account_written_as",
    "tax_exempt",
    "ecp",
    "export_list",
    "continuous_coverage",
    "agency_fee_charged_by",
    "occupancy",
    "assessment_rate",
];

/// The fields, by position in [`NAMES`], as raw JSON; null is the same as absent.
pub(super) struct Fields<'a> {
    raw: [Option<&'a RawValue>; NAMES.len()],
    /// What was found to be wrong so far.
    pub(super) problems: Vec<FieldProblem>,
}

/// Parses the top level of the body.
pub(super) fn parse(text: &str) -> Result<Fields<'_>, Refusal> {
    if !text.trim_start().starts_with('{') {
        serde_json::from_str::<IgnoredAny>(text).map_err(|error| body::not_json(&error))?;
        return Err(Refusal::malformed("The body is not a JSON object."));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let fields = reader.deserialize_map(TopLevel).map_err(|error| body::not_json(&error))?;
    reader.end().map_err(|error| body::not_json(&error))?;
    Ok(fields)
}

struct TopLevel;

impl<'de> Visitor<'de> for TopLevel {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Fields { raw: [None; NAMES.len()], problems: Vec::new() };
        let mut seen = [false; NAMES.len()];
        while let Some(Name(name)) = map.next_key()? {
            let Some(at) = NAMES.iter().position(|known| *known == name) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value: &RawValue = map.next_value()?;
            if seen[at] {
                fields.fault(NAMES[at], format!("{} is in the body more than once.", NAMES[at]));
            }
            seen[at] = true;
            fields.raw[at] = Some(value).filter(|value| value.get() != "null");
        }
        Ok(fields)
    }
}

/// A key of the body; borrowed unless it is written with escapes.
struct Name<'a>(Cow<'a, str>);

impl<'de> serde::Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl<'a> Fields<'a> {
    /// The field as it came.
    pub(super) fn raw(&self, name: &str) -> Option<&'a str> {
        let at = NAMES.iter().position(|known| *known == name)?;
        self.raw[at].map(RawValue::get)
    }

    /// Notes one more field at fault.
    pub(super) fn fault(&mut self, name: &str, detail: impl Into<String>) {
        self.problems.push(FieldProblem { pointer: format!("/{name}"), detail: detail.into() });
    }

    /// A string of at most `bytes_max`; blank is the same as absent.
    pub(super) fn text(&mut self, name: &str, bytes_max: usize) -> Option<Cow<'a, str>> {
        let raw = self.raw(name)?;
        if !raw.starts_with('"') {
            self.fault(name, format!("A string is expected, found {}.", found(raw)));
            return None;
        }
        let text: Cow<'a, str> = if raw.contains('\\') {
            match serde_json::from_str::<String>(raw) {
                Ok(text) => Cow::Owned(text),
                Err(error) => {
                    self.fault(name, format!("The string cannot be read: {error}."));
                    return None;
                }
            }
        } else {
            Cow::Borrowed(&raw[1..raw.len() - 1])
        };
        if text.len() > bytes_max {
            self.fault(name, format!("The text is longer than {bytes_max} bytes."));
            return None;
        }
        Some(text).filter(|text| !text.trim().is_empty())
    }

    /// 0 or 1; 0 if absent.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        match self.raw(name) {
            None | Some("0" | "\"0\"") => false,
            Some("1" | "\"1\"") => true,
            Some(raw) => {
                self.fault(name, format!("0 or 1 is expected, found {}.", found(raw)));
                false
            }
        }
    }
}

/// The value found, in words short enough for a message.
pub(super) fn found(raw: &str) -> String {
    match raw.as_bytes().first() {
        Some(b'[') => "an array".into(),
        Some(b'{') => "an object".into(),
        Some(b'"') if raw.chars().count() > 42 => {
            let start: String = raw.chars().take(40).collect();
            format!("{start}…\"")
        }
        _ => raw.chars().take(42).collect(),
    }
}
