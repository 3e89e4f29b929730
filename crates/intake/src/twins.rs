//! Transactions that are there twice: in the file, or among what was sent before.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use crate::amount::cents_text;
use crate::field::Field;
use crate::grouping::Transactions;
use crate::issue::{Code, Data, Finding};
use crate::reading::RowReader;
use crate::row::{TypedRow, TypedRows};
use crate::sent::{SameTransaction, SentKeys};
use crate::table;

/// Hashes of what makes a transaction the same as another; 0 where a part is missing.
///
/// The hash is the same everywhere, so the same file gives the same result; what is equal by hash is compared
/// as texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    id: u64,
    transaction: u64,
}

/// Eight bytes at a time: every row of a large file is hashed twice.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = Mixed::default();
    value.hash(&mut hasher);
    hasher.finish().max(1)
}

fn trimmed<'t>(reader: &RowReader<'t>, row: usize, field: Field) -> &'t str {
    table::trimmed(reader.cell(row, field).1.text)
}

pub(crate) fn keys(reader: &RowReader<'_>, row: usize, typed: &TypedRow) -> Keys {
    let id = trimmed(reader, row, Field::Id);
    let policy = trimmed(reader, row, Field::PolicyNumber);
    let parts = (typed.transaction_type, typed.effective(), typed.cents(Field::Premium));
    Keys {
        id: if id.is_empty() { 0 } else { hash(id) },
        transaction: match parts {
            (Some(kind), Some(day), Some(premium)) if !policy.is_empty() => {
                hash((policy, kind, day, premium))
            }
            _ => 0,
        },
    }
}

/// Whether a finding comes from comparing transactions.
pub(crate) fn is_about(finding: &Finding) -> bool {
    matches!(finding.code, Code::DuplicateId | Code::DuplicateTransaction | Code::SentBefore)
}

/// Transactions by their keys. Sorted instead of hashed into a map: no file can make it slow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Twins {
    ids: Vec<Keyed>,
    transactions: Vec<Keyed>,
}

/// A key and a transaction that has it.
type Keyed = (u64, u32);

impl Twins {
    pub(crate) fn of(keys: &[Keys], in_parallel: bool) -> Twins {
        let by = |key: fn(&Keys) -> u64| sorted(keys.iter().map(key));
        if !in_parallel {
            return Twins { ids: by(|k| k.id), transactions: by(|k| k.transaction) };
        }
        std::thread::scope(|scope| {
            let ids = scope.spawn(|| by(|k| k.id));
            let transactions = by(|k| k.transaction);
            let ids = ids.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Twins { ids, transactions }
        })
    }

    /// The transactions with one of these keys, in order for each.
    pub(crate) fn beside(&self, keys: Keys) -> impl Iterator<Item = usize> {
        let both = run(&self.ids, keys.id).iter().chain(run(&self.transactions, keys.transaction));
        both.map(|(_, t)| *t as usize)
    }

    /// Gives a transaction other keys.
    pub(crate) fn replace(&mut self, transaction: usize, before: Keys, now: Keys) {
        let t = u32::try_from(transaction).unwrap_or(u32::MAX);
        replace(&mut self.ids, (before.id, t), (now.id, t));
        replace(&mut self.transactions, (before.transaction, t), (now.transaction, t));
    }
}

const PART_BITS: u32 = 11;

/// The transactions that have a key, in the order of keys. They are put apart by the first bits of their keys before
/// they are sorted: a part of a large file has a few dozen. Where a file makes the parts unequal, sorting takes what it
/// would have taken anyway.
fn sorted(keys: impl Iterator<Item = u64> + Clone) -> Vec<Keyed> {
    let all = (0u32..).zip(keys).filter(|(_, key)| *key != 0).map(|(t, key)| (key, t));
    let part = |key: u64| usize::try_from(key >> (u64::BITS - PART_BITS)).unwrap_or_default();
    let mut begins = vec![0; (1 << PART_BITS) + 1];
    for (key, _) in all.clone() {
        begins[part(key) + 1] += 1;
    }
    let mut sum = 0;
    for begin in &mut begins {
        sum += *begin;
        *begin = sum;
    }
    let (mut sorted, mut places) = (vec![(0, 0); begins[1 << PART_BITS]], begins.clone());
    for keyed in all {
        let place = &mut places[part(keyed.0)];
        sorted[*place] = keyed;
        *place += 1;
    }
    for part in begins.windows(2) {
        sorted[part[0]..part[1]].sort_unstable();
    }
    sorted
}

fn replace(sorted: &mut Vec<Keyed>, before: Keyed, now: Keyed) {
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

fn run(sorted: &[Keyed], key: u64) -> &[Keyed] {
    let begin = sorted.partition_point(|(k, _)| *k < key);
    let end = begin + sorted[begin..].partition_point(|(k, _)| *k == key);
    &sorted[begin..end]
}

/// What is needed to compare transactions with one another and with what was sent.
pub(crate) struct Comparison<'a, 't> {
    pub reader: &'a RowReader<'t>,
    pub transactions: &'a Transactions,
    pub typed: &'a TypedRows,
    pub keys: &'a [Keys],
    pub twins: &'a Twins,
    pub sent: &'a SentKeys,
    /// Whether a row of the table is left out.
    pub is_out: &'a dyn Fn(usize) -> bool,
}

impl<'t> Comparison<'_, 't> {
    /// Compares all.
    pub(crate) fn all(&self) -> Vec<Finding> {
        self.found(
            self.twins.ids.chunk_by(|a, b| a.0 == b.0),
            self.twins.transactions.chunk_by(|a, b| a.0 == b.0),
            0..self.keys.len(),
            |_| true,
        )
    }

    /// Compares some with all.
    pub(crate) fn of(&self, some: &BTreeSet<usize>) -> Vec<Finding> {
        let ids: BTreeSet<u64> = some.iter().map(|t| self.keys[*t].id).collect();
        let transactions: BTreeSet<u64> = some.iter().map(|t| self.keys[*t].transaction).collect();
        self.found(
            ids.iter().map(|key| run(&self.twins.ids, *key)),
            transactions.iter().map(|key| run(&self.twins.transactions, *key)),
            some.iter().copied(),
            |t| some.contains(&t),
        )
    }

    /// The first of several is left in peace; each later one is told of the first.
    fn found<'r>(
        &self,
        ids: impl Iterator<Item = &'r [Keyed]>,
        transactions: impl Iterator<Item = &'r [Keyed]>,
        asked: impl Iterator<Item = usize>,
        is_asked: impl Fn(usize) -> bool,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut told = BTreeSet::new();
        for run in ids {
            self.later(
                run,
                |a, b| self.id(a) == self.id(b),
                |first, later| {
                    if is_asked(later) {
                        told.insert(later);
                        findings.push(self.twin(first, later, Field::Id, Code::DuplicateId));
                    }
                },
            );
        }
        for run in transactions {
            self.later(
                run,
                |a, b| self.is_same(a, b),
                |first, later| {
                    // The same id says it already.
                    if is_asked(later) && !told.contains(&later) {
                        findings.push(self.twin(
                            first,
                            later,
                            Field::PolicyNumber,
                            Code::DuplicateTransaction,
                        ));
                    }
                },
            );
        }
        if !self.sent.is_empty() {
            findings.extend(asked.filter_map(|t| self.sent_before(t)));
        }
        findings
    }

    /// Pairs of the first of a run that is not left out, and each later one that is the same.
    fn later(&self, run: &[Keyed], same: impl Fn(usize, usize) -> bool, mut pair: impl FnMut(usize, usize)) {
        if run.len() < 2 {
            return;
        }
        let mut inside = run.iter().map(|(_, t)| *t as usize).filter(|t| !self.is_out(*t));
        let Some(first) = inside.next() else { return };
        inside.filter(|later| same(first, *later)).for_each(|later| pair(first, later));
    }

    fn row(&self, transaction: usize) -> u32 {
        self.transactions.rows(transaction)[0]
    }

    fn is_out(&self, transaction: usize) -> bool {
        (self.is_out)(self.row(transaction) as usize)
    }

    fn id(&self, transaction: usize) -> &'t str {
        trimmed(self.reader, self.row(transaction) as usize, Field::Id)
    }

    fn policy(&self, transaction: usize) -> &'t str {
        trimmed(self.reader, self.row(transaction) as usize, Field::PolicyNumber)
    }

    fn is_same(&self, a: usize, b: usize) -> bool {
        let typed = self.typed;
        self.policy(a) == self.policy(b)
            && typed[a].transaction_type == typed[b].transaction_type
            && typed[a].effective() == typed[b].effective()
            && typed[a].cents(Field::Premium) == typed[b].cents(Field::Premium)
    }

    fn twin(&self, first: usize, later: usize, field: Field, code: Code) -> Finding {
        let row = self.row(later);
        let column = self.reader.column(row as usize, field);
        Finding::of(row, column, field, code, Data::Row(self.row(first)))
    }

    fn sent_before(&self, t: usize) -> Option<Finding> {
        if self.is_out(t) {
            return None;
        }
        let by_id = self.sent.by_id(self.id(t)).map(|when| (Field::Id, when));
        let (field, when) = by_id.or_else(|| {
            let key = key_of(self.policy(t), &self.typed[t])?;
            self.sent.by_transaction(&key).map(|when| (Field::PolicyNumber, when))
        })?;
        let row = self.row(t);
        let column = self.reader.column(row as usize, field);
        Some(Finding::of(row, column, field, Code::SentBefore, Data::Text(when.into())))
    }
}

/// The key by which a transaction is known when it was sent.
pub(crate) fn key_of(policy: &str, typed: &TypedRow) -> Option<SameTransaction> {
    Some(SameTransaction {
        policy_number: Some(policy).filter(|p| !p.is_empty())?.to_owned(),
        transaction_type: typed.transaction_type?.code().to_owned(),
        effective_date: typed.effective()?.to_string(),
        premium: cents_text(typed.cents(Field::Premium)?),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::sorted;

    proptest! {
        #[test]
        fn parts_are_sorted_as_the_whole(keys in prop::collection::vec(prop_oneof![any::<u64>(), 0..9u64, Just(u64::MAX)], 0..200)) {
            let mut whole: Vec<(u64, u32)> = (0u32..).zip(&keys).map(|(t, key)| (*key, t)).filter(|k| k.0 != 0).collect();
            whole.sort_unstable();
            prop_assert_eq!(sorted(keys.iter().copied()), whole);
        }
    }
}
