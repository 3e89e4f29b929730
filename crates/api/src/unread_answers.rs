//! Answers of a service that were not understood, or not in all their parts: to look at, and to send to the provider.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AnswerHeader {
    pub name: String,
    pub value: String,
}

/// A part that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UnreadPart {
    /// Where it is, such as `transactions[3].warnings`.
    pub path: String,
    /// What was there, as it came.
    pub found: String,
    /// What was expected.
    pub reason: String,
    /// A whole entry of a list is missing because of it.
    pub is_record: bool,
}

/// An answer that was not understood. Free of secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UnreadAnswerView {
    /// The operation in words, such as `batch import`.
    pub operation: String,
    /// HTTP status.
    pub status: u16,
    /// Headers, without those that may have a secret.
    pub headers: Vec<AnswerHeader>,
    /// The body, at most 64 KiB of it; empty for a sign-in.
    pub body: String,
    /// Bytes of the whole body.
    pub body_bytes: u32,
    /// Parts that could not be read, at most 50; none where the answer as a whole was not understood.
    pub parts: Vec<UnreadPart>,
    /// How many parts could not be read.
    pub lost: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeptAnswer {
    /// Its number.
    pub id: u32,
    /// RFC 3339 UTC: when it came last.
    pub at: String,
    /// How often the same came.
    pub times: u32,
    pub answer: UnreadAnswerView,
}

/// The answers of the profile in use that were not understood, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UnreadAnswers {
    pub profile: String,
    /// At most 50.
    pub answers: Vec<KeptAnswer>,
}

/// Which are saved as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SaveAnswers {
    /// Their numbers; none for all.
    pub ids: Vec<u32>,
}
