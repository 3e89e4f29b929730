//! Error bodies: `application/problem+json` (RFC 9457) with the fields at fault [ours, section 7].

use serde::{Deserialize, Serialize};

/// An error body of the practice service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Problem {
    /// A stable name of the kind of problem, such as `about:blank` or `urn:bordereau:problem:validation`.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(rename = "type", default)]
    pub kind: String,
    /// The short title.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(default)]
    pub title: String,
    /// The HTTP status once more.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(default)]
    pub status: u16,
    /// A sentence on this occurrence.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(default)]
    pub detail: String,
    /// Each field at fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
}

/// One field at fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FieldProblem {
    /// JSON pointer (RFC 6901) into the body, such as `/premium`.
    pub pointer: String,
    /// What was found, what was expected.
    pub detail: String,
}
