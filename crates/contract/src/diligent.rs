//! Diligent effort forms (section 5): policy data and search results in, filled forms out. The shape is ours.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Declining carriers one request may name \[ours].
pub const DECLINATIONS_MAX: usize = 50;
/// Characters of a value of a form \[ours].
pub const FORM_VALUE_CHARS_MAX: usize = 4_000;
/// Values one request may carry \[ours].
pub const FORM_VALUES_MAX: usize = 200;

/// Body of the request for filled forms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct DiligentRequest {
    /// Two letters; required.
    #[cfg_attr(feature = "schema", schema(required, value_type = crate::Jurisdiction))]
    pub state: String,
    /// Such as `PN`; required.
    #[cfg_attr(feature = "schema", schema(required, value_type = crate::TransactionType))]
    pub transaction_type: String,
    /// Decides which forms are in force; required.
    #[cfg_attr(feature = "schema", schema(required, format = Date))]
    pub policy_effective_date: String,
    /// 1 for an exempt commercial purchaser.
    #[cfg_attr(feature = "schema", schema(maximum = 1))]
    pub ecp: u8,
    /// 1 for a coverage on the state's export list.
    #[cfg_attr(feature = "schema", schema(maximum = 1))]
    pub export_list: u8,
    /// Codes of the forms wanted; all that apply where it is empty.
    pub forms: Vec<String>,
    /// What goes into the fields, by the field's name: `insured_name`, `producer_name`,
    /// `coverage_description` and so on. A choice of yes or no is `yes` or `no`, a date `yyyy-mm-dd`.
    pub values: BTreeMap<String, String>,
    /// The carriers that declined.
    pub declinations: Vec<Declination>,
}

/// A carrier that declined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Declination {
    pub carrier: String,
    /// Its NAIC company code, five digits.
    pub naic: String,
    /// Who declined for it, and how to reach them.
    pub contact: String,
    /// The day, `yyyy-mm-dd`.
    #[cfg_attr(feature = "schema", schema(format = Date))]
    pub date: String,
    /// Why.
    pub reason: String,
}

/// Answer: what the state asks for, and the forms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct DiligentForms {
    /// What the state asks for on that day.
    pub requirement: DiligentRequirement,
    /// The forms filled; none where the state has none.
    #[serde(alias = "data", alias = "documents", alias = "files", alias = "results", alias = "items")]
    pub forms: Vec<FilledForm>,
}

/// What a state asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct DiligentRequirement {
    /// Two letters.
    #[cfg_attr(feature = "schema", schema(value_type = crate::Jurisdiction))]
    pub state: String,
    /// `required`, `repealed`, or `not_found` where no rule was found.
    pub status: String,
    /// The rule in a sentence.
    pub text: String,
    /// Since when it is repealed, where the day is known.
    #[cfg_attr(feature = "schema", schema(format = Date))]
    pub since: Option<String>,
    /// Where it was read.
    pub sources: Vec<String>,
    /// How sure it is.
    pub checked: String,
}

/// A filled form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct FilledForm {
    /// Its title.
    pub name: String,
    /// Its document code, such as `DEF`.
    pub code: String,
    /// Two letters.
    #[cfg_attr(feature = "schema", schema(value_type = crate::Jurisdiction))]
    pub state: String,
    /// Whether nothing that is required is missing.
    pub complete: bool,
    /// Names of what is missing, such as `insured_name` or `declinations/1/date`.
    #[serde(deserialize_with = "read_missing_fields")]
    pub missing_fields: Vec<String>,
    /// One-time address of the PDF, good for a minute.
    #[serde(
        alias = "url",
        alias = "link",
        alias = "href",
        alias = "document_download_link",
        alias = "file_url",
        alias = "signed_url"
    )]
    pub download_url: String,
    /// The PDF itself in base64, as some services send it instead of an address.
    #[cfg_attr(feature = "schema", schema(ignore))]
    #[serde(skip_serializing, alias = "file_content", alias = "content_base64", alias = "base64")]
    #[serde(alias = "file_contents", alias = "file_data", alias = "version_data")]
    pub content: String,
}

/// Names as a list of texts or of objects, as the names of a map, or in one text.
fn read_missing_fields<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let name_of = |value: &Value| match value {
        Value::Object(one) => ["field", "name", "pointer", "label", "message"]
            .iter()
            .find_map(|name| one.get(*name)?.as_str().map(str::to_owned)),
        value => value.as_str().map(str::to_owned),
    };
    Ok(match Value::deserialize(deserializer)? {
        Value::Array(all) => all.iter().filter_map(name_of).collect(),
        Value::Object(map) if map.contains_key("$values") => {
            map["$values"].as_array().into_iter().flatten().filter_map(name_of).collect()
        }
        Value::Object(map) => map.into_iter().map(|(name, _)| name).collect(),
        Value::String(text) => {
            text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
        }
        _ => Vec::new(),
    })
}
