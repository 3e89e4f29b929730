//! Saved and recent quotes, and the draft that survives a crash.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{QuoteAnswer, QuoteRequest};

/// Save a quote: new without `id`, in place with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SaveQuote {
    /// Id of a saved quote, or null.
    pub id: Option<String>,
    /// Name given; empty: made from state, insured and date.
    pub name: String,
    /// The question, as typed.
    pub request: QuoteRequest,
    /// The last answer, or null.
    pub answer: Option<QuoteAnswer>,
    /// The revision that was changed; null replaces whatever is there.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub revision: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SavedQuote {
    pub id: String,
    pub name: String,
    /// The question, as typed.
    pub request: QuoteRequest,
    /// The answer when saved, or null.
    pub answer: Option<QuoteAnswer>,
    /// RFC 3339 UTC.
    pub saved_at: String,
    /// Changes with each change of it.
    pub revision: String,
}

/// A line of the list of quotes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuoteSummary {
    pub id: String,
    /// Name; for a recent quote made from its content.
    pub name: String,
    /// Saved by the person; false for a recent one.
    pub saved: bool,
    /// State code of two letters, such as `TX`.
    pub state: String,
    /// Transaction type code.
    pub transaction_type: String,
    /// USD, or null without an answer.
    pub total: Option<String>,
    /// RFC 3339 UTC.
    pub at: String,
}

/// Saved quotes and the last twenty asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuoteList {
    /// Saved quotes, newest first.
    pub saved: Vec<QuoteSummary>,
    /// The last quotes, newest first.
    pub recent: Vec<QuoteSummary>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuoteId {
    pub id: String,
}

/// The form as entered so far; stored while the person types.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Draft {
    /// The form, or null where nothing was typed yet.
    pub request: Option<QuoteRequest>,
    /// RFC 3339 UTC, empty without a draft.
    pub at: String,
}
