//! Imports and their results (section 3).

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use crate::{DocumentOutcome, ImportTransaction};

/// Characters of an imported transaction's own id [pub, section 3].
pub const TRANSACTION_ID_CHARS_MAX: usize = 255;
/// Characters of a policy number [pub, section 3].
pub const POLICY_NUMBER_CHARS_MAX: usize = 50;

/// Body of the single import, version 1 [pub].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SingleTransaction {
    /// Groups single transactions; the caller's own.
    #[serde(default)]
    pub batch_id: String,
    /// How many belong together.
    #[serde(default)]
    pub total_items: u32,
    /// Which this one is, from 1.
    #[serde(default)]
    pub current_item: u32,
    /// The transaction itself.
    pub transaction: ImportTransaction,
}

/// Body of the batch import [ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportRequest {
    /// The transactions; each with an id of its own.
    pub transactions: Vec<ImportTransaction>,
}

/// The state of a batch: `processed` and `failed` [spec], the others [ours].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BatchStatus {
    /// Accepted, not begun.
    Queued,
    /// Begun.
    Processing,
    /// Done: every transaction has its result.
    Processed,
    /// Given up as a whole.
    Failed,
    /// A word this version does not know: kept waiting for, never taken for done.
    #[serde(other)]
    Unknown,
}

/// Immediate answer to a batch import [ours].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportAccepted {
    /// 32 hexadecimal digits.
    pub batch_id: String,
    /// `queued`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub status: BatchStatus,
    /// Transactions in it.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(default)]
    pub total_items: u32,
}

/// Messages of a result: an object keyed by field, or an array of texts (both [pub]).
///
/// Texts without a field are kept under the empty key, so that nothing said is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct FieldMessages(pub BTreeMap<String, Vec<String>>);

impl FieldMessages {
    /// Whether nothing was said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.values().all(Vec::is_empty)
    }

    /// Field and text; the field is empty where the service named none.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(field, texts)| texts.iter().map(move |t| (field.as_str(), t.as_str())))
    }
}

impl<'de> Deserialize<'de> for FieldMessages {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Texts {
            One(String),
            Many(Vec<String>),
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Keyed(BTreeMap<String, Texts>),
            Plain(Texts),
            Null(()),
        }
        let list = |texts| match texts {
            Texts::One(text) => vec![text],
            Texts::Many(texts) => texts,
        };
        Ok(match Form::deserialize(deserializer)? {
            Form::Keyed(map) => FieldMessages(map.into_iter().map(|(k, t)| (k, list(t))).collect()),
            Form::Plain(texts) => FieldMessages(BTreeMap::from([(String::new(), list(texts))])),
            Form::Null(()) => FieldMessages::default(),
        })
    }
}

/// The result of one transaction [pub]. `status` 0 is success.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
#[allow(missing_docs, reason = "the fields carry the contract's own names, described in section 3")]
pub struct ImportResult {
    /// Empty where a provider does not repeat it.
    #[serde(deserialize_with = "crate::tolerant::text_or_nothing")]
    pub id: String,
    pub policy_number: Option<String>,
    /// The service's own number, once there is one.
    pub transaction_id: Option<i64>,
    /// 0 success, 1 not imported, 2 saved as incomplete. A result without one is never taken for a success.
    #[serde(default = "not_told", deserialize_with = "crate::tolerant::status_or_not_told")]
    pub status: i64,
    pub status_message: Option<String>,
    pub warnings: FieldMessages,
    pub errors: FieldMessages,
    /// Of the documents that came along, one each, in order [ours].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<DocumentOutcome>,
}

/// The status of a result that has none.
pub const STATUS_NOT_TOLD: i64 = i64::MIN;

fn not_told() -> i64 {
    STATUS_NOT_TOLD
}

impl ImportResult {
    /// Whether it says how it ended.
    #[must_use]
    pub const fn is_told(&self) -> bool {
        self.status != STATUS_NOT_TOLD
    }
}

/// Answer of the import results [pub].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportResults {
    /// The batch asked for.
    pub batch_id: String,
    /// Where it stands.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub status: BatchStatus,
    /// One per transaction processed so far.
    #[cfg_attr(feature = "schema", schema(required))]
    #[serde(default)]
    pub transactions: Vec<ImportResult>,
}
