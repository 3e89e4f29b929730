//! The body's fields as they came: exact digits, unknown ones ignored, duplicates noticed.

use std::borrow::Cow;
use std::fmt;

use bordereau_contract::{FieldProblem, describe_raw};
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
pub(super) struct BodyFields<'a> {
    raw: [Option<&'a RawValue>; NAMES.len()],
    /// What was found to be wrong so far.
    pub(super) problems: Vec<FieldProblem>,
}

/// Parses the top level of the body.
pub(super) fn parse(text: &str) -> Result<BodyFields<'_>, Refusal> {
    if !text.trim_start().starts_with('{') {
        body::check_object(text)?;
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let fields = reader.deserialize_map(TopLevel).map_err(|error| body::not_json(&error))?;
    reader.end().map_err(|error| body::not_json(&error))?;
    Ok(fields)
}

struct TopLevel;

impl<'de> Visitor<'de> for TopLevel {
    type Value = BodyFields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BodyFields<'de>, A::Error> {
        let mut fields = BodyFields { raw: [None; NAMES.len()], problems: Vec::new() };
        let mut seen = [false; NAMES.len()];
        while let Some(FieldName(name)) = map.next_key()? {
            let Some(at) = NAMES.iter().position(|known| *known == name) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value: &RawValue = map.next_value()?;
            if seen[at] {
                fields.add_fault(NAMES[at], format!("{} is in the body more than once.", NAMES[at]));
            }
            seen[at] = true;
            fields.raw[at] = Some(value).filter(|value| value.get() != "null");
        }
        Ok(fields)
    }
}

/// A key of the body; borrowed unless it is written with escapes.
struct FieldName<'a>(Cow<'a, str>);

impl<'de> serde::Deserialize<'de> for FieldName<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldNameVisitor;
        impl<'de> Visitor<'de> for FieldNameVisitor {
            type Value = FieldName<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<FieldName<'de>, E> {
                Ok(FieldName(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<FieldName<'de>, E> {
                Ok(FieldName(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(FieldNameVisitor)
    }
}

impl<'a> BodyFields<'a> {
    /// The field as it came.
    pub(super) fn raw_field(&self, name: &str) -> Option<&'a str> {
        let at = NAMES.iter().position(|known| *known == name)?;
        self.raw[at].map(RawValue::get)
    }

    /// Notes one more field at fault.
    pub(super) fn add_fault(&mut self, name: &str, detail: impl Into<String>) {
        self.problems.push(FieldProblem { pointer: format!("/{name}"), detail: detail.into() });
    }

    /// A string of at most `bytes_max`; blank is the same as absent.
    pub(super) fn text_field(&mut self, name: &str, bytes_max: usize) -> Option<Cow<'a, str>> {
        let raw = self.raw_field(name)?;
        if !raw.starts_with('"') {
            self.add_fault(name, format!("{name} must be a string, found {}.", describe_raw(raw)));
            return None;
        }
        let text: Cow<'a, str> = if raw.contains('\\') {
            match serde_json::from_str::<String>(raw) {
                Ok(text) => Cow::Owned(text),
                Err(_) => {
                    self.add_fault(name, format!("{name} cannot be read, found {}.", describe_raw(raw)));
                    return None;
                }
            }
        } else {
            Cow::Borrowed(&raw[1..raw.len() - 1])
        };
        if text.len() > bytes_max {
            self.add_fault(name, format!("{name} is longer than {bytes_max} bytes."));
            return None;
        }
        Some(text).filter(|text| !text.trim().is_empty())
    }

    /// 0 or 1; 0 if absent.
    pub(super) fn flag_field(&mut self, name: &str) -> bool {
        match self.raw_field(name) {
            None | Some("0" | "\"0\"") => false,
            Some("1" | "\"1\"") => true,
            Some(raw) => {
                self.add_fault(name, format!("{name} must be 0 or 1, found {}.", describe_raw(raw)));
                false
            }
        }
    }
}
