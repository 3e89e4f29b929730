//! The one error type that leaves the core.

use bordereau_contract::without_error_numbers;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The kind of error. Each shell has one table of what to do about it, by this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, strum::VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The request breaks a rule; `details` names the fields.
    Validation,
    /// The service rejected the request; `details` names the fields it named.
    Rejected,
    /// No valid key or sign-in (401).
    NotAuthorized,
    /// Signed in, but not allowed: account inactive or calculator not contracted (403).
    NotPermitted,
    /// The refresh token is dead: sign in again.
    SignInAgain,
    /// No key or sign-in is stored for the profile.
    NoCredentials,
    /// The operating system has no keychain that answers.
    KeychainUnavailable,
    KeychainLocked,
    /// The service cannot be reached.
    Offline,
    /// The service did not answer in time.
    Timeout,
    /// What was sent may or may not have been accepted: the answer was lost.
    OutcomeUnknown,
    /// The certificate is not trusted; `message` names the issuer seen.
    Untrusted,
    /// The limit of requests is used up; retry after the time in `message`.
    RateLimited,
    /// The service failed (5xx).
    ServiceFailed,
    /// The service answered what cannot be understood.
    Unreadable,
    /// The address or another part of the profile is not usable.
    ProfileInvalid,
    /// Nothing by that id.
    NotFound,
    /// The store or a file could not be read or written.
    Storage,
    /// The disk has no room left: nothing was saved.
    DiskFull,
    /// The disk reported an error.
    DiskFailed,
    /// The data folder cannot be written; what is in it can be read.
    DataReadOnly,
    /// The data file is damaged.
    StoreDamaged,
    /// The data folder is encrypted, and its key can't be reached.
    DataKeyMissing,
    /// The store was written by a newer version.
    StoreTooNew,
    /// The database of the office can't be used, or doesn't let this person do it.
    Office,
    /// Someone else of the office changed it since it was read.
    ChangedElsewhere,
    /// The window is locked.
    Locked,
    /// The person canceled: a state, not an error.
    Canceled,
    /// No other program could be started for what was asked, such as the mail program.
    NoProgram,
    /// A defect in Bordereau.
    Internal,
}

impl ErrorCode {
    /// Every code.
    pub const ALL: &'static [ErrorCode] = <ErrorCode as strum::VariantArray>::VARIANTS;
}

/// One invalid field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FieldError {
    /// JSON pointer into the request, such as `/lines/0/premium`.
    pub pointer: String,
    /// Found, expected, what to do.
    pub message: String,
}

/// What every operation fails with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{message}")]
pub struct BoundaryError {
    /// The kind of error.
    pub code: ErrorCode,
    /// A sentence on what happened, or what is wrong with the data; no secrets, and nothing that a shell names, such
    /// as a button, a menu or a command.
    pub message: String,
    /// Fields at fault; empty when no field is at fault.
    pub details: Vec<FieldError>,
    /// Whether the same request may work later.
    pub retryable: bool,
    /// What is there now, where someone else changed it: a save with this revision replaces theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub revision: Option<String>,
}

impl BoundaryError {
    /// An error without fields that the same request will meet again.
    #[must_use]
    pub fn with_code(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = without_error_numbers(message);
        BoundaryError { code, message, details: Vec::new(), retryable: false, revision: None }
    }

    /// The same error, marked as passing: the same request may work later.
    #[must_use]
    pub fn mark_retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// The request breaks rules; each invalid field is named.
    pub fn invalid_fields(details: Vec<FieldError>) -> Self {
        let message = match details.as_slice() {
            [one] => one.message.clone(),
            many => format!("{} entries need attention.", many.len()),
        };
        BoundaryError { details, ..BoundaryError::with_code(ErrorCode::Validation, message) }
    }

    /// One field breaks a rule.
    pub fn invalid_field(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        BoundaryError::invalid_fields(vec![FieldError::at_pointer(pointer, message)])
    }

    /// Nothing by that id.
    pub fn not_found(what: &str) -> Self {
        BoundaryError::with_code(ErrorCode::NotFound, format!("This {what} is no longer there."))
    }

    /// The person closed a dialog: a state, not an error.
    pub fn user_canceled() -> Self {
        BoundaryError::with_code(ErrorCode::Canceled, "Canceled.")
    }

    /// A defect in Bordereau; `what` names the operation, never its content.
    pub fn internal_error(what: &str) -> Self {
        BoundaryError::with_code(
            ErrorCode::Internal,
            format!("Something went wrong inside Bordereau while doing this: {what}."),
        )
    }

    /// What is wrong with each field. The core's sentences name theirs; of several that a service speaks of, each is named.
    pub fn field_sentences(&self) -> Vec<String> {
        let is_named = self.code != ErrorCode::Rejected || self.details.len() < 2;
        let sentence = |field: &FieldError| match field.name() {
            name if is_named || name.is_empty() => field.message.clone(),
            name => format!("{name}: {}", field.message),
        };
        self.details.iter().map(sentence).collect()
    }
}

impl FieldError {
    /// What the field is called in a sentence: `Lines 2 code` for `/lines/1/code`.
    pub(crate) fn name(&self) -> String {
        let part = |part: &str| match part.parse::<usize>() {
            Ok(index) => (index + 1).to_string(),
            Err(_) => part.replace('_', " "),
        };
        let parts: Vec<String> = self.pointer.split('/').filter(|part| !part.is_empty()).map(part).collect();
        let name = parts.join(" ");
        let mut letters = name.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }

    /// An invalid field: JSON pointer and sentence.
    pub fn at_pointer(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        FieldError { pointer: pointer.into(), message: message.into() }
    }
}
