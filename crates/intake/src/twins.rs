//! Transactions that are there twice: in the file, or among what was sent before.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::amount::cents_text;
use crate::field::Field;
use crate::issue::{Code, Data, Finding};
use crate::reading::RowReader;
use crate::row::TypedRow;
use crate::sent::{SameTransaction, SentKeys};

/// Hashes of what makes a transaction the same as another; 0 where a part is missing.
///
/// The hasher has fixed keys, so the same file gives the same result; equal hashes are compared as texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    id: u64,
    transaction: u64,
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish().max(1)
}

fn trimmed<'t>(reader: &RowReader<'t>, row: usize, field: Field) -> &'t str {
    reader.cell(row, field).1.text.trim()
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

/// Finds twins. The first of several is left in peace; each later one is told of the first.
pub(crate) fn find(
    reader: &RowReader<'_>,
    rows: &[u32],
    typed: &[TypedRow],
    keys: &[Keys],
    sent: &SentKeys,
    is_out: impl Fn(usize) -> bool,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let id = |t: usize| trimmed(reader, rows[t] as usize, Field::Id);
    let same_id = |a: usize, b: usize| id(a) == id(b);
    let column = |field: Field, t: usize| reader.cell(rows[t] as usize, field).0;
    let mut told = std::collections::BTreeSet::new();
    for (first, later) in pairs(keys.iter().map(|k| k.id), &is_out, same_id) {
        told.insert(later);
        let at = column(Field::Id, later);
        findings.push(Finding::of(rows[later], at, Field::Id, Code::DuplicateId, Data::Row(rows[first])));
    }
    let policy = |t: usize| trimmed(reader, rows[t] as usize, Field::PolicyNumber);
    let same = |a: usize, b: usize| {
        policy(a) == policy(b)
            && typed[a].transaction_type == typed[b].transaction_type
            && typed[a].effective() == typed[b].effective()
            && typed[a].cents(Field::Premium) == typed[b].cents(Field::Premium)
    };
    for (first, later) in pairs(keys.iter().map(|k| k.transaction), &is_out, same) {
        // The same id says it already.
        if !told.contains(&later) {
            let (at, data) = (column(Field::PolicyNumber, later), Data::Row(rows[first]));
            findings.push(Finding::of(
                rows[later],
                at,
                Field::PolicyNumber,
                Code::DuplicateTransaction,
                data,
            ));
        }
    }
    if !sent.is_empty() {
        for t in (0..rows.len()).filter(|t| !is_out(*t)) {
            let by_id = sent.by_id(id(t)).map(|when| (Field::Id, when));
            let before = by_id.or_else(|| {
                let key = key_of(policy(t), &typed[t])?;
                sent.by_transaction(&key).map(|when| (Field::PolicyNumber, when))
            });
            if let Some((field, when)) = before {
                findings.push(Finding::of(
                    rows[t],
                    column(field, t),
                    field,
                    Code::SentBefore,
                    Data::Text(when.into()),
                ));
            }
        }
    }
    findings
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

/// Pairs (first, later) of equal keys. Sorted instead of hashed into a map: no file can make it slow.
fn pairs(
    keys: impl Iterator<Item = u64>,
    is_out: &impl Fn(usize) -> bool,
    same: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut order: Vec<(u64, usize)> =
        keys.enumerate().filter(|(t, key)| *key != 0 && !is_out(*t)).map(|(t, key)| (key, t)).collect();
    order.sort_unstable();
    let mut pairs = Vec::new();
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        let first = run[0].1;
        pairs.extend(run[1..].iter().filter(|(_, t)| same(first, *t)).map(|(_, t)| (first, *t)));
    }
    pairs
}
