//! Results onto rows: by own id, and where a service does not repeat ids, by policy.

use std::collections::{HashMap, HashSet, VecDeque};

use bordereau_contract::ImportResult;

use super::outcome::RowOutcome;
use super::record_match::plain;
use super::transition::{NamedRow, local_message};
use bordereau_api::RowState;
use bordereau_session::profile::ServiceWords;

/// Results onto the rows of a part, in whatever order they come. An id that is twice in the file gets its
/// results in order; of several results for one row the first counts; a result of no row is ignored. A result
/// without an id is taken for a row only where its policy leaves no doubt.
pub fn match_outcomes(
    rows: &[NamedRow],
    results: &[ImportResult],
    words: &ServiceWords,
    question: &str,
) -> Vec<(i64, RowOutcome)> {
    let (nameless, named): (Vec<_>, Vec<_>) = results.iter().partition(|result| result.id.trim().is_empty());
    let mut by_id: HashMap<&str, VecDeque<&NamedRow>> = HashMap::new();
    for row in rows {
        by_id.entry(row.own_id.as_str()).or_default().push_back(row);
    }
    let mut landed = Vec::with_capacity(results.len());
    for result in named {
        if let Some(row) = by_id.get_mut(result.id.as_str()).and_then(VecDeque::pop_front) {
            landed.push((row.row, outcome(row, result, words, question)));
        }
    }
    if !nameless.is_empty() {
        let taken: HashSet<i64> = landed.iter().map(|(row, _)| *row).collect();
        let left: Vec<&NamedRow> = rows.iter().filter(|row| !taken.contains(&row.row)).collect();
        landed.extend(by_policy(&left, &nameless, words, question));
    }
    landed
}

/// What a result says of a row; nothing of one with another policy, which is told.
fn outcome(row: &NamedRow, result: &ImportResult, words: &ServiceWords, question: &str) -> RowOutcome {
    let theirs = result.policy_number.as_deref().map(plain).filter(|policy| !policy.is_empty());
    let ours = plain(&row.policy_number);
    match theirs {
        Some(theirs) if !ours.is_empty() && theirs != ours => {
            let text = format!(
                "The service answers for the id {} with the policy {}: this row is looked up.",
                row.own_id,
                result.policy_number.as_deref().unwrap_or_default()
            );
            RowOutcome {
                messages: vec![local_message("warning", &text)],
                ..RowOutcome::from_state(RowState::Pending)
            }
        }
        _ => RowOutcome::of_result(result, words.result_status(&result.status), question),
    }
}

/// All of them in the order sent, where the policies say that it is that order; else each policy that is once
/// on both sides.
fn by_policy(
    rows: &[&NamedRow],
    results: &[&ImportResult],
    words: &ServiceWords,
    question: &str,
) -> Vec<(i64, RowOutcome)> {
    let policy =
        |result: &ImportResult| result.policy_number.as_deref().unwrap_or_default().trim().to_owned();
    let same = |row: &NamedRow, result: &ImportResult| {
        !row.policy_number.is_empty() && row.policy_number.trim() == policy(result)
    };
    if rows.len() == results.len() && rows.iter().zip(results).all(|(row, result)| same(row, result)) {
        return rows
            .iter()
            .zip(results)
            .map(|(row, result)| {
                (row.row, RowOutcome::of_result(result, words.result_status(&result.status), question))
            })
            .collect();
    }
    let mut rows_of: HashMap<&str, Vec<i64>> = HashMap::new();
    for row in rows {
        rows_of.entry(row.policy_number.trim()).or_default().push(row.row);
    }
    let mut results_of: HashMap<String, Vec<&ImportResult>> = HashMap::new();
    for result in results {
        results_of.entry(policy(result)).or_default().push(result);
    }
    let once =
        results_of.iter().filter(|(policy, _)| !policy.is_empty()).filter_map(|(policy, found)| {
            match (found.as_slice(), rows_of.get(policy.as_str()).map(Vec::as_slice)) {
                ([result], Some([row])) => {
                    Some((*row, RowOutcome::of_result(result, words.result_status(&result.status), question)))
                }
                _ => None,
            }
        });
    once.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as `id policy`, results as `id policy number`, and the numbers that land on the rows.
    #[test]
    fn results_land_on_the_rows_they_are_about() {
        type Case =
            (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)], &'static [i64]);
        const NONE: i64 = 0;
        let cases: &[Case] = &[
            ("in order", &["a P1", "b P2"], &[("a", "P1"), ("b", "P2")], &[1, 2]),
            ("in another order", &["a P1", "b P2"], &[("b", "P2"), ("a", "P1")], &[2, 1]),
            ("one is missing", &["a P1", "b P2"], &[("b", "P2")], &[NONE, 1]),
            ("one too many", &["a P1"], &[("z", "P1"), ("a", "P1")], &[2]),
            ("an id twice in the answer", &["a P1", "b P2"], &[("a", "P1"), ("a", "P1")], &[1, NONE]),
            ("an id twice in the file", &["a P1", "a P1"], &[("a", "P1"), ("a", "P1")], &[1, 2]),
            ("an id is never guessed", &["a P1"], &[("A", "P1")], &[NONE]),
            ("no ids, in order", &["a P1", "b P1"], &[("", "P1"), ("", "P1")], &[1, 2]),
            ("no ids, another order", &["a P1", "b P2"], &[("", "P2"), ("", "P1")], &[2, 1]),
            ("no ids and one missing", &["a P1", "b P2"], &[("", "P2")], &[NONE, 1]),
            (
                "no ids and a policy twice",
                &["a P1", "b P1", "c P2"],
                &[("", "P1"), ("", "P2")],
                &[NONE, NONE, 2],
            ),
            ("neither id nor policy", &["a ", "b "], &[("", ""), ("", "")], &[NONE, NONE]),
            ("some ids", &["a P1", "b P2"], &[("", "P2"), ("a", "P1")], &[2, 1]),
        ];
        for (what, rows, results, expected) in cases {
            let row = |(at, text): (usize, &&str)| {
                let (id, policy) = text.split_once(' ').unwrap_or_default();
                NamedRow { row: i64::try_from(at).unwrap(), own_id: id.into(), policy_number: policy.into() }
            };
            let rows: Vec<NamedRow> = rows.iter().enumerate().map(row).collect();
            let result = |(at, (id, policy)): (i64, &(&str, &str))| ImportResult {
                id: (*id).into(),
                policy_number: Some((*policy).into()),
                transaction_id: Some(at),
                status: 0.into(),
                ..ImportResult::default()
            };
            let results: Vec<ImportResult> = (1..).zip(results.iter()).map(result).collect();
            let mut found = vec![NONE; rows.len()];
            for (row, outcome) in match_outcomes(&rows, &results, &ServiceWords::default(), "results") {
                found[usize::try_from(row).unwrap()] = outcome.transaction_id.unwrap();
            }
            assert_eq!(found, *expected, "{what}");
        }
    }
}
