//! Transactions that are there twice, and returns of more than was charged: in the file, or with what was sent before.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use bordereau_contract::TransactionType;
use bordereau_mapping::Field;
use bordereau_tables::amount::cents_text;
use bordereau_tables::trim_blanks;

use crate::grouping::TransactionRows;
use crate::issue::{Code, Finding, FindingData};
use crate::row::{TransactionFigures, TypedRow};
use crate::row_reader::RowReader;
use crate::sent_rows::{SameTransaction, SentKeys};

/// Hashes of what makes a transaction the same as another; 0 where a part is missing.
///
/// The hash is the same everywhere, so the same file gives the same result; what is equal by hash is compared
/// as texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DuplicateKeys {
    id: u64,
    transaction: u64,
    /// Of the policy, where its premium can be added to that of others.
    policy: u64,
}

/// Transactions of a policy that are added up; a number that more have is not a policy's.
const OF_POLICY_MAX: usize = 200;

fn hash_key(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish().max(1)
}

fn trimmed_text<'t>(reader: &RowReader<'t>, row: usize, field: Field) -> &'t str {
    trim_blanks(reader.field_cell(row, field).1.text)
}

pub(crate) fn duplicate_keys(reader: &RowReader<'_>, row: usize, typed: &TypedRow) -> DuplicateKeys {
    let id = trimmed_text(reader, row, Field::Id);
    let policy = trimmed_text(reader, row, Field::PolicyNumber);
    let parts = (typed.transaction_type, typed.effective_date(), typed.amount_cents(Field::Premium));
    DuplicateKeys {
        id: if id.is_empty() { 0 } else { hash_key(id) },
        transaction: match parts {
            (Some(kind), Some(day), Some(premium)) if !policy.is_empty() => {
                hash_key((policy, kind, day, premium))
            }
            _ => 0,
        },
        policy: match (typed.transaction_type, typed.amount_cents(Field::Premium)) {
            (Some(_), Some(_)) if !policy.is_empty() => hash_key(policy),
            _ => 0,
        },
    }
}

/// Whether a finding comes from comparing transactions.
pub(crate) fn is_duplicate_finding(finding: &Finding) -> bool {
    matches!(
        finding.code,
        Code::DuplicateId
            | Code::DuplicateTransaction
            | Code::PolicyBegunTwice
            | Code::SentBefore
            | Code::ReturnTooLarge
    )
}

/// Transactions in the order of their keys: half the memory of a map, and an order that is the same in every run.
#[derive(Clone, Debug, Default)]
pub(crate) struct DuplicateIndex {
    ids: Vec<KeyEntry>,
    transactions: Vec<KeyEntry>,
    policies: Vec<KeyEntry>,
}

/// A key and a transaction that has it.
type KeyEntry = (u64, u32);

/// Fewer keys are not worth a thread.
const THREAD_KEYS: usize = 10_000;

fn sorted_entries(all: &[DuplicateKeys], key: fn(&DuplicateKeys) -> u64) -> Vec<KeyEntry> {
    let entries = (0u32..).zip(all).map(|(transaction, keys)| (key(keys), transaction));
    let mut entries: Vec<KeyEntry> = entries.filter(|(key, _)| *key != 0).collect();
    entries.sort_unstable();
    entries
}

impl DuplicateIndex {
    /// Sorted on `threads`.
    pub(crate) fn new(keys: &[DuplicateKeys], threads: usize) -> DuplicateIndex {
        let [ids, transactions, policies]: [fn(&DuplicateKeys) -> u64; 3] =
            [|keys| keys.id, |keys| keys.transaction, |keys| keys.policy];
        let both = || (sorted_entries(keys, ids), sorted_entries(keys, transactions));
        if threads < 2 || keys.len() < THREAD_KEYS {
            let (ids, transactions) = both();
            return DuplicateIndex { ids, transactions, policies: sorted_entries(keys, policies) };
        }
        std::thread::scope(|scope| {
            let of_policies = scope.spawn(|| sorted_entries(keys, policies));
            let (ids, transactions) = both();
            let policies = of_policies.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            DuplicateIndex { ids, transactions, policies }
        })
    }

    /// The transactions with one of these keys, in order for each.
    pub(crate) fn same_key_transactions(&self, keys: DuplicateKeys) -> impl Iterator<Item = usize> {
        let by_id = entries_with(&self.ids, keys.id);
        let same = entries_with(&self.transactions, keys.transaction);
        by_id.iter().chain(same).chain(self.of_policy(keys)).map(|(_, t)| *t as usize)
    }

    fn of_policy(&self, keys: DuplicateKeys) -> &[KeyEntry] {
        let found = entries_with(&self.policies, keys.policy);
        if found.len() > OF_POLICY_MAX { &[] } else { found }
    }

    /// Gives a transaction other keys.
    pub(crate) fn replace_keys(&mut self, transaction: usize, before: DuplicateKeys, now: DuplicateKeys) {
        let t = u32::try_from(transaction).unwrap_or(u32::MAX);
        replace_entry(&mut self.ids, (before.id, t), (now.id, t));
        replace_entry(&mut self.transactions, (before.transaction, t), (now.transaction, t));
        replace_entry(&mut self.policies, (before.policy, t), (now.policy, t));
    }
}

fn replace_entry(sorted: &mut Vec<KeyEntry>, before: KeyEntry, now: KeyEntry) {
    if before == now {
        return;
    }
    if let Ok(at) = sorted.binary_search(&before) {
        sorted.remove(at);
    }
    if now.0 != 0
        && let Err(at) = sorted.binary_search(&now)
    {
        sorted.insert(at, now);
    }
}

fn entries_with(sorted: &[KeyEntry], key: u64) -> &[KeyEntry] {
    let begin = sorted.partition_point(|(k, _)| *k < key);
    let end = begin + sorted[begin..].partition_point(|(k, _)| *k == key);
    &sorted[begin..end]
}

/// What is needed to compare transactions with one another and with what was sent.
pub(crate) struct DuplicateSearch<'a, 't> {
    pub reader: &'a RowReader<'t>,
    pub transactions: &'a TransactionRows,
    pub figures: &'a [TransactionFigures],
    pub keys: &'a [DuplicateKeys],
    pub index: &'a DuplicateIndex,
    pub sent: &'a SentKeys,
    /// Whether a row of the table is excluded.
    pub is_out: &'a dyn Fn(usize) -> bool,
}

impl<'t> DuplicateSearch<'_, 't> {
    /// Compares all.
    pub(crate) fn compare_all(&self) -> Vec<Finding> {
        // Looking each policy up would take a sixth of a large file's check, and most have one transaction.
        let mut shares_policy = vec![false; self.keys.len()];
        let by_policy = self.index.policies.chunk_by(|a, b| a.0 == b.0);
        for (_, transaction) in by_policy.filter(|entries| entries.len() > 1).flatten() {
            shares_policy[*transaction as usize] = true;
        }
        self.duplicates_in(
            self.index.ids.chunk_by(|a, b| a.0 == b.0),
            self.index.transactions.chunk_by(|a, b| a.0 == b.0),
            0..self.keys.len(),
            |_| true,
            |t| shares_policy[t],
        )
    }

    /// Compares some with all.
    pub(crate) fn compare_some(&self, some: &BTreeSet<usize>) -> Vec<Finding> {
        let ids: BTreeSet<u64> = some.iter().map(|t| self.keys[*t].id).collect();
        let transactions: BTreeSet<u64> = some.iter().map(|t| self.keys[*t].transaction).collect();
        self.duplicates_in(
            ids.iter().map(|key| entries_with(&self.index.ids, *key)),
            transactions.iter().map(|key| entries_with(&self.index.transactions, *key)),
            some.iter().copied(),
            |t| some.contains(&t),
            |_| true,
        )
    }

    /// The first of several is left in peace; each later one names the first.
    fn duplicates_in<'r>(
        &self,
        ids: impl Iterator<Item = &'r [KeyEntry]>,
        transactions: impl Iterator<Item = &'r [KeyEntry]>,
        compared: impl Iterator<Item = usize>,
        is_compared: impl Fn(usize) -> bool,
        may_share_policy: impl Fn(usize) -> bool,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut is_reported = vec![false; self.keys.len()];
        for entries in ids {
            self.for_each_duplicate(
                entries,
                |a, b| self.id(a) == self.id(b),
                |first, later| {
                    if is_compared(later) {
                        is_reported[later] = true;
                        findings.push(self.duplicate_finding(first, later, Field::Id, Code::DuplicateId));
                    }
                },
            );
        }
        for entries in transactions {
            self.for_each_duplicate(
                entries,
                |a, b| self.is_same_transaction(a, b),
                |first, later| {
                    // The same id says it already.
                    if is_compared(later) && !std::mem::replace(&mut is_reported[later], true) {
                        findings.push(self.duplicate_finding(
                            first,
                            later,
                            Field::PolicyNumber,
                            Code::DuplicateTransaction,
                        ));
                    }
                },
            );
        }
        for t in compared.filter(|t| !self.is_out(*t)) {
            let before = findings.len();
            findings.extend(self.sent_before_finding(t));
            if !is_reported[t] {
                findings.extend(self.earlier_finding(t));
            }
            if !is_reported[t] && findings.len() == before {
                let begun_twice = || may_share_policy(t).then(|| self.begun_twice_finding(t)).flatten();
                findings.extend(self.return_finding(t).or_else(begun_twice));
            }
        }
        findings
    }

    /// Pairs of the first of the entries of a key that is not excluded, and each later one that is the same.
    fn for_each_duplicate(
        &self,
        entries: &[KeyEntry],
        same: impl Fn(usize, usize) -> bool,
        mut pair: impl FnMut(usize, usize),
    ) {
        if entries.len() < 2 {
            return;
        }
        let mut inside = entries.iter().map(|(_, t)| *t as usize).filter(|t| !self.is_out(*t));
        let Some(first) = inside.next() else { return };
        inside.filter(|later| same(first, *later)).for_each(|later| pair(first, later));
    }

    fn first_row(&self, transaction: usize) -> u32 {
        self.transactions.rows_of(transaction)[0]
    }

    fn is_out(&self, transaction: usize) -> bool {
        (self.is_out)(self.first_row(transaction) as usize)
    }

    fn id(&self, transaction: usize) -> &'t str {
        trimmed_text(self.reader, self.first_row(transaction) as usize, Field::Id)
    }

    fn policy_number(&self, transaction: usize) -> &'t str {
        trimmed_text(self.reader, self.first_row(transaction) as usize, Field::PolicyNumber)
    }

    fn is_same_transaction(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.figures[a], &self.figures[b]);
        self.policy_number(a) == self.policy_number(b)
            && first.transaction_type == second.transaction_type
            && first.effective_date == second.effective_date
            && first.premium_cents() == second.premium_cents()
    }

    fn duplicate_finding(&self, first: usize, later: usize, field: Field, code: Code) -> Finding {
        let row = self.first_row(later);
        let column = self.reader.field_column(row as usize, field);
        Finding::in_field(row, column, field, code, FindingData::Row(self.first_row(first)))
    }

    /// A return of more than was charged for its policy and not yet returned. Of several returns the first come
    /// first, and a policy whose beginning is not known says nothing.
    fn return_finding(&self, t: usize) -> Option<Finding> {
        let own = &self.figures[t];
        let amount =
            own.premium_cents().filter(|_| own.transaction_type.is_some_and(TransactionType::is_credit))?;
        let policy = self.policy_number(t);
        let of_policy = self.index.of_policy(self.keys[t]);
        if of_policy.is_empty() {
            return None;
        }
        let mut premium = self.sent.policy_premium(policy)?;
        for other in of_policy.iter().map(|(_, other)| *other as usize) {
            let figures = &self.figures[other];
            let (Some(kind), Some(cents)) = (figures.transaction_type, figures.premium_cents()) else {
                continue;
            };
            let is_counted = if kind.is_credit() { other < t } else { other != t };
            if is_counted && !self.is_out(other) && self.policy_number(other) == policy {
                premium.add(kind, cents);
            }
        }
        let left = premium.charged.saturating_sub(premium.returned).max(0);
        if !premium.has_start || amount.saturating_abs() <= left {
            return None;
        }
        let row = self.first_row(t);
        let column = self.reader.field_column(row as usize, Field::Premium);
        let data = FindingData::Cents(left, premium.charged);
        Some(Finding::in_field(row, column, Field::Premium, Code::ReturnTooLarge, data))
    }

    /// A policy that an earlier row begins with another premium: its rows may be parts of one transaction, or a tax
    /// taken for a premium. In another state it is filed there.
    fn begun_twice_finding(&self, t: usize) -> Option<Finding> {
        let begins = |figures: &TransactionFigures| {
            matches!(figures.transaction_type, Some(TransactionType::New | TransactionType::Renewal))
        };
        let own = Some(&self.figures[t]).filter(|own| begins(own) && own.effective_date.is_some())?;
        let is_same = |other: usize| {
            let figures = &self.figures[other];
            begins(figures)
                && (figures.effective_date, figures.state) == (own.effective_date, own.state)
                && !self.is_out(other)
                && self.policy_number(other) == self.policy_number(t)
        };
        let earlier = self.index.of_policy(self.keys[t]).iter().map(|(_, other)| *other as usize);
        let first = earlier.take_while(|other| *other < t).find(|other| is_same(*other))?;
        Some(self.duplicate_finding(first, t, Field::PolicyNumber, Code::PolicyBegunTwice))
    }

    /// A transaction of an earlier chunk of the file.
    fn earlier_finding(&self, t: usize) -> Option<Finding> {
        if self.sent.is_empty() {
            return None;
        }
        let by_id = self.sent.earlier_id(self.id(t)).map(|line| (Field::Id, Code::DuplicateId, line));
        let (field, code, line) = by_id.or_else(|| {
            let key = sent_key(self.policy_number(t), &self.figures[t])?;
            let line = self.sent.earlier_transaction(&key)?;
            Some((Field::PolicyNumber, Code::DuplicateTransaction, line))
        })?;
        let row = self.first_row(t);
        let column = self.reader.field_column(row as usize, field);
        Some(Finding::in_field(row, column, field, code, FindingData::Line(line)))
    }

    fn sent_before_finding(&self, t: usize) -> Option<Finding> {
        if self.sent.is_empty() {
            return None;
        }
        let by_id = self.sent.by_id(self.id(t)).map(|when| (Field::Id, when));
        let (field, when) = by_id.or_else(|| {
            let key = sent_key(self.policy_number(t), &self.figures[t])?;
            self.sent.by_transaction(&key).map(|when| (Field::PolicyNumber, when))
        })?;
        let row = self.first_row(t);
        let column = self.reader.field_column(row as usize, field);
        Some(Finding::in_field(row, column, field, Code::SentBefore, FindingData::Text(when.into())))
    }
}

/// The key by which a transaction is known when it was sent.
pub(crate) fn sent_key(policy: &str, figures: &TransactionFigures) -> Option<SameTransaction> {
    Some(SameTransaction {
        policy_number: Some(policy).filter(|p| !p.is_empty())?.to_owned(),
        transaction_type: figures.transaction_type?.code().to_owned(),
        effective_date: figures.effective_date?.to_string(),
        premium: cents_text(figures.premium_cents()?),
    })
}
