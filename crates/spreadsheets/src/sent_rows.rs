//! What was sent before, so that it is not sent again by mistake.

use std::collections::BTreeMap;

use bordereau_contract::TransactionType;
use bordereau_money::Usd;
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

/// Keys of what was sent before, each with a word for the person (batch and day), and of what came earlier in a file
/// that is read in chunks, each with its line.
#[derive(Clone, Debug, Default)]
pub struct SentKeys {
    ids: BTreeMap<String, String>,
    transactions: BTreeMap<SameTransaction, String>,
    earlier_ids: BTreeMap<String, u32>,
    earlier_transactions: BTreeMap<SameTransaction, u32>,
    is_of_chunk: bool,
}

/// The premium of a policy in cents, as far as its transactions are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PolicyPremium {
    pub charged: i64,
    pub returned: i64,
    /// Whether the policy's beginning is among them: without it, more may have been charged than is known.
    pub has_start: bool,
}

impl PolicyPremium {
    pub(crate) fn add(&mut self, kind: TransactionType, cents: i64) {
        let sum = if kind.is_credit() { &mut self.returned } else { &mut self.charged };
        *sum = sum.saturating_add(if kind.is_credit() { cents.saturating_abs() } else { cents });
        self.has_start |= kind.starts_policy();
    }
}

/// What makes a transaction of a file the same as another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionKey {
    /// The line of its first row.
    pub line: u32,
    /// Its own id; empty for none.
    pub id: String,
    /// What it is about, where all of it is known.
    pub same: Option<SameTransaction>,
}

impl SentKeys {
    /// Keys for a chunk of a file: they hold what the chunk's own transactions could repeat, nothing else of a policy.
    pub fn of_chunk() -> SentKeys {
        SentKeys { is_of_chunk: true, ..SentKeys::default() }
    }

    /// Adds a transaction that was sent; `day` is that of its batch, `yyyy-mm-dd`.
    pub fn add(&mut self, id: &str, transaction: Option<SameTransaction>, day: &str) {
        if !id.is_empty() {
            self.ids.insert(id.to_owned(), day.to_owned());
        }
        if let Some(transaction) = transaction {
            self.transactions.insert(transaction, day.to_owned());
        }
    }

    /// Adds the id of a transaction in an earlier chunk of the same file.
    pub fn add_earlier_id(&mut self, id: &str, line: u32) {
        self.earlier_ids.insert(id.to_owned(), line);
    }

    /// Adds a transaction of an earlier chunk of the same file.
    pub fn add_earlier_transaction(&mut self, transaction: SameTransaction, line: u32) {
        self.earlier_transactions.insert(transaction, line);
    }

    /// Whether there is nothing to compare with.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
            && self.transactions.is_empty()
            && self.earlier_ids.is_empty()
            && self.earlier_transactions.is_empty()
    }

    pub(crate) fn earlier_id(&self, id: &str) -> Option<u32> {
        self.earlier_ids.get(id).copied()
    }

    pub(crate) fn earlier_transaction(&self, transaction: &SameTransaction) -> Option<u32> {
        self.earlier_transactions.get(transaction).copied()
    }

    pub(crate) fn by_id(&self, id: &str) -> Option<&str> {
        self.ids.get(id).map(String::as_str)
    }

    pub(crate) fn by_transaction(&self, transaction: &SameTransaction) -> Option<&str> {
        self.transactions.get(transaction).map(String::as_str)
    }

    /// What was sent for a policy; `None` where not all of it would be known.
    pub(crate) fn policy_premium(&self, policy: &str) -> Option<PolicyPremium> {
        if self.is_of_chunk {
            return None;
        }
        let first = SameTransaction {
            policy_number: policy.to_owned(),
            transaction_type: String::new(),
            effective_date: String::new(),
            premium: String::new(),
        };
        let mut premium = PolicyPremium::default();
        for sent in self.transactions.range(first..).map(|(sent, _)| sent) {
            if sent.policy_number != policy {
                break;
            }
            if let (Ok(kind), Some(cents)) =
                (sent.transaction_type.parse(), sent.premium.parse::<Usd>().ok().and_then(Usd::to_cents))
            {
                premium.add(kind, cents);
            }
        }
        Some(premium)
    }
}
