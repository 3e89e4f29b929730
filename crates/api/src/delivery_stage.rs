//! What is known of a transaction or a document being sent to a service, and by what evidence.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use ts_rs::TS;

/// How far a transaction or a document is known to be: never further than an answer that names it has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, EnumString, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryStage {
    /// It has not left this machine.
    NotSent,
    /// It is being sent.
    OnItsWay,
    /// The service has it.
    Received,
    /// The service found no error in it and is not done with its batch.
    Valid,
    /// The service has processed it and given it a number.
    Processed,
    /// It is filed with the state.
    Filed,
    /// Whether the service has it is not known.
    Unknown,
    /// The service rejected it.
    Refused,
}

/// Why something is known: who was asked what, when, and what the answer said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StageEvidence {
    /// RFC 3339 UTC.
    pub at: String,
    /// The question, such as `results of batch 8f3a`.
    pub question: String,
    /// What the answer said, in short.
    pub answer: String,
}

impl StageEvidence {
    /// Evidence that gets its time when it is stored.
    pub fn of(question: impl Into<String>, answer: impl Into<String>) -> StageEvidence {
        StageEvidence { at: String::new(), question: question.into(), answer: answer.into() }
    }
}
