//! What was sent before, so that it is not sent again by mistake.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What makes a transaction the same as another: policy, type, date, amount.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SameTransaction {
    /// Policy number, trimmed.
    pub policy_number: String,
    /// Transaction type code.
    pub transaction_type: String,
    /// `yyyy-mm-dd`.
    pub effective_date: String,
    /// Premium in USD, such as `9521.00`.
    pub premium: String,
}

/// Keys of what was sent before, each with a word for the person (batch and day).
#[derive(Clone, Debug, Default)]
pub struct SentKeys {
    ids: BTreeMap<String, String>,
    transactions: BTreeMap<SameTransaction, String>,
}

impl SentKeys {
    /// Adds a transaction that was sent; `when` says which, such as `batch of 02/23/2026`.
    pub fn add(&mut self, id: &str, transaction: Option<SameTransaction>, when: &str) {
        if !id.is_empty() {
            self.ids.insert(id.to_owned(), when.to_owned());
        }
        if let Some(transaction) = transaction {
            self.transactions.insert(transaction, when.to_owned());
        }
    }

    /// Whether nothing was sent before.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.transactions.is_empty()
    }

    pub(crate) fn by_id(&self, id: &str) -> Option<&str> {
        self.ids.get(id).map(String::as_str)
    }

    pub(crate) fn by_transaction(&self, transaction: &SameTransaction) -> Option<&str> {
        self.transactions.get(transaction).map(String::as_str)
    }
}
