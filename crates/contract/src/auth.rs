//! Sign-in (section 1).

use serde::{Deserialize, Serialize};

use crate::FieldProblem;

/// Body of `POST /api/oauth2/token` \[spec].
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "grant_type", rename_all = "snake_case")]
pub enum TokenRequest {
    /// With username and password.
    Password {
        username: String,
        /// Password; never logged.
        password: String,
    },
    RefreshToken {
        /// The refresh token; never logged.
        refresh_token: String,
    },
}

/// Answer of the sign-in \[spec].
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TokenResponse {
    /// Goes into `Authorization: Bearer`.
    pub access_token: String,
    /// May be absent after a refresh: the old one stays in use then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// Seconds until the access token expires. The specification names none for a refresh.
    pub expires_in: Option<i64>,
}

/// Error body of the sign-in: the fields of RFC 6749, section 5.2 \[ours].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TokenError {
    /// `invalid_grant`, `invalid_request` or `unsupported_grant_type`.
    pub error: String,
    /// A sentence for the person.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(default)]
    pub error_description: String,
    /// The fields at fault, with status 400.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
}
