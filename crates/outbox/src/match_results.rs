//! Matches results to rows: by own id, or by policy where a service doesn't return ids.

use std::collections::{HashMap, HashSet, VecDeque};

use bordereau_contract::{ImportResult, ResultStatus, ServiceStatus, is_same_policy, name_by_place, plain};

use super::outcome::RowOutcome;
use super::transition::{NamedRow, lookup_message};
use bordereau_api::RowState;
use bordereau_session::profile::ServiceWords;

/// Matches results to the rows of a part, in any order. An id that the file has twice gets its results in order.
/// Several final results for one row must agree; results that belong to no row are ignored. A result without an id
/// belongs to a row only where its policy leaves no doubt. Contradictory results, and one number for two rows, don't
/// count: such rows are looked up.
pub fn match_outcomes(
    rows: &[NamedRow],
    results: &[ImportResult],
    words: &ServiceWords,
    question: &str,
) -> Vec<(i64, RowOutcome)> {
    let ours: HashSet<&str> = rows.iter().map(|row| row.own_id.as_str()).collect();
    let mut results: Vec<ImportResult> = results.iter().map(|result| with_own_id(result, &ours)).collect();
    name_by_place(&mut results, &rows.iter().map(|row| row.own_id.as_str()).collect::<Vec<_>>());
    // Where none of the ids is ours, they are the service's own.
    let names_ours = results.iter().any(|result| ours.contains(result.id.as_str()));
    let (nameless, named): (Vec<_>, Vec<_>) =
        results.iter().partition(|result| !names_ours || result.id.trim().is_empty());
    let mut by_id: HashMap<&str, Vec<&ImportResult>> = HashMap::new();
    for result in named {
        by_id.entry(result.id.as_str()).or_default().push(result);
    }
    let mut rows_of: HashMap<&str, VecDeque<&NamedRow>> = HashMap::new();
    for row in rows {
        rows_of.entry(row.own_id.as_str()).or_default().push_back(row);
    }
    let mut landed = Vec::with_capacity(results.len());
    for (id, mut same_id) in rows_of {
        let Some(results) = by_id.get(id) else { continue };
        match same_id.make_contiguous() {
            [row] => landed.push((row.row, agreed_outcome(row, results, words, question))),
            rows => {
                let pairs = rows.iter().zip(results);
                let pairs = pairs.map(|(row, result)| (*row, outcome(row, result, words, question)));
                landed.extend(outcomes_in_order(pairs.collect(), |row| &row.own_id));
            }
        }
    }
    if !nameless.is_empty() {
        let taken: HashSet<i64> = landed.iter().map(|(row, _)| *row).collect();
        let left: Vec<&NamedRow> = rows.iter().filter(|row| !taken.contains(&row.row)).collect();
        landed.extend(by_policy(&left, &nameless, words, question));
    }
    doubt_shared_numbers(rows, &mut landed);
    landed.sort_by_key(|(row, _)| *row);
    landed
}

/// A result by its row's own id, where the service gives that beside an id of its own. A number that is called `id`
/// alone is no proof: the record under it shows whether it is the row.
fn with_own_id(result: &ImportResult, ours: &HashSet<&str>) -> ImportResult {
    let own_id = result.external_id.trim();
    let mut result = result.clone();
    if ours.contains(result.id.as_str()) || !ours.contains(own_id) {
        return result;
    }
    let number = result.id.trim().parse::<i64>().ok().filter(|number| *number > 0);
    own_id.clone_into(&mut result.id);
    let is_refused =
        ResultStatus::of(&result.status).map_or(result.success != Some(true), |s| s == ResultStatus::Failed);
    if let (None, Some(number), false) = (result.transaction_id, number, is_refused) {
        result.transaction_id = Some(number);
        result.status = ServiceStatus::NotTold;
    }
    result
}

fn agreed_outcome(
    row: &NamedRow,
    results: &[&ImportResult],
    words: &ServiceWords,
    question: &str,
) -> RowOutcome {
    let mut outcomes = results.iter().map(|result| outcome(row, result, words, question));
    let Some(mut agreed) = outcomes.next() else { return RowOutcome::from_state(RowState::Pending) };
    for next in outcomes {
        let same = (agreed.state, agreed.transaction_id) == (next.state, next.transaction_id);
        // A number in one result shows that the row may be there, whatever another one says.
        let is_open = |of: &RowOutcome, other: &RowOutcome| {
            of.state == RowState::Pending && (of.transaction_id.is_none() || other.state != RowState::Error)
        };
        if is_open(&agreed, &next) {
            agreed = next;
        } else if !is_open(&next, &agreed) && !same {
            let text = format!(
                "For the id {} the service returned outcomes that contradict each other: this row is looked up.",
                row.own_id
            );
            return doubtful_outcome(text);
        }
    }
    agreed
}

/// Outcomes of rows in the order sent. Of rows with one name only the order says which is meant: where their outcomes
/// differ, that is not enough.
fn outcomes_in_order<'r>(
    pairs: Vec<(&'r NamedRow, RowOutcome)>,
    name: impl Fn(&'r NamedRow) -> &'r str,
) -> Vec<(i64, RowOutcome)> {
    let mut states: HashMap<&str, Vec<RowState>> = HashMap::new();
    for (row, outcome) in &pairs {
        states.entry(name(row)).or_default().push(outcome.state);
    }
    let settle = |(row, outcome): (&'r NamedRow, RowOutcome)| {
        let of_name = states.get(name(row)).map_or(&[][..], Vec::as_slice);
        if of_name.iter().all(|state| *state == outcome.state) {
            return (row.row, outcome);
        }
        let name = name(row);
        (
            row.row,
            doubtful_outcome(format!(
                "The service returned different outcomes for {name} without saying which row each is for: this row is looked up."
            )),
        )
    };
    pairs.into_iter().map(settle).collect()
}

/// A number of the service belongs to one transaction: where several rows have it, none of them counts.
fn doubt_shared_numbers(rows: &[NamedRow], landed: &mut [(i64, RowOutcome)]) {
    let ids: HashMap<i64, &str> = rows.iter().map(|row| (row.row, row.own_id.as_str())).collect();
    let mut ids_of: HashMap<i64, HashSet<&str>> = HashMap::new();
    for (row, outcome) in landed.iter() {
        if let (Some(number), Some(id)) = (outcome.transaction_id, ids.get(row)) {
            ids_of.entry(number).or_default().insert(id);
        }
    }
    for (_, outcome) in landed {
        let is_taken = outcome.state != RowState::Error;
        let number =
            outcome.transaction_id.filter(|number| ids_of.get(number).is_some_and(|ids| ids.len() > 1));
        if let Some(number) = number.filter(|_| is_taken) {
            let text = format!(
                "The service returned the transaction number {number} for several rows: this row is looked up."
            );
            *outcome = doubtful_outcome(text);
        }
    }
}

/// The outcome of a row whose results can't be relied on.
fn doubtful_outcome(text: String) -> RowOutcome {
    RowOutcome { messages: vec![lookup_message(&text)], ..RowOutcome::from_state(RowState::Pending) }
}

/// What a result says about a row. A result with another policy says nothing and is reported.
fn outcome(row: &NamedRow, result: &ImportResult, words: &ServiceWords, question: &str) -> RowOutcome {
    let theirs = result.policy_number.as_deref().unwrap_or_default();
    let is_known = !plain(theirs).is_empty() && !plain(&row.policy_number).is_empty();
    if is_known && !is_same_policy(theirs, &row.policy_number) {
        return doubtful_outcome(format!(
            "For the id {} the service returned the policy {theirs}: this row is looked up.",
            row.own_id
        ));
    }
    RowOutcome::of_result(result, words.ended_status(result), question)
}

/// Matches policies that occur once on both sides. The order says nothing of a policy that occurs twice.
fn by_policy(
    rows: &[&NamedRow],
    results: &[&ImportResult],
    words: &ServiceWords,
    question: &str,
) -> Vec<(i64, RowOutcome)> {
    let policy =
        |result: &ImportResult| result.policy_number.as_deref().unwrap_or_default().trim().to_owned();
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
                    Some((*row, RowOutcome::of_result(result, words.ended_status(result), question)))
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
            ("an id under two numbers", &["a P1", "b P2"], &[("a", "P1"), ("a", "P1")], &[NONE, NONE]),
            ("zeros in front of a policy", &["a 00P1"], &[("a", "P1")], &[1]),
            ("an id twice in the file", &["a P1", "a P1"], &[("a", "P1"), ("a", "P1")], &[1, 2]),
            ("an id is never guessed", &["a P1", "b P2"], &[("A", "P1"), ("b", "P2")], &[NONE, 2]),
            ("ids of the service's own", &["a P1", "b P2"], &[("8", "P2"), ("7", "P1")], &[2, 1]),
            ("ids of its own and a policy twice", &["a P1", "b P1"], &[("7", "P1")], &[NONE, NONE]),
            ("no ids and a policy twice", &["a P1", "b P1"], &[("", "P1"), ("", "P1")], &[NONE, NONE]),
            ("no ids, in order", &["a P1", "b P2"], &[("", "P1"), ("", "P2")], &[1, 2]),
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
                found[usize::try_from(row).unwrap()] = outcome.transaction_id.unwrap_or(NONE);
            }
            assert_eq!(found, *expected, "{what}");
        }
    }

    /// Results as `status number`, all of one row, and what they say together.
    #[test]
    fn results_that_contradict_each_other_say_nothing() {
        let row = |id: &str, at| NamedRow { row: at, own_id: id.into(), policy_number: "P".into() };
        let result = |id: &str, status: &str, number| ImportResult {
            id: id.into(),
            status: ServiceStatus::of(status),
            transaction_id: number,
            ..ImportResult::default()
        };
        let state = |rows: &[NamedRow], results: &[ImportResult]| {
            let mut found = match_outcomes(rows, results, &ServiceWords::default(), "results");
            let (_, outcome) = found.remove(0);
            (outcome.state, outcome.messages.len())
        };
        use RowState::{Accepted, Error, Pending};
        for (results, expected) in [
            (vec![("0", Some(7)), ("0", Some(7))], (Accepted, 0)),
            // States before the final one.
            (vec![("", None), ("", Some(7)), ("0", Some(7))], (Accepted, 0)),
            (vec![("1", None), ("1", None)], (Error, 1)),
            (vec![("1", None), ("0", Some(7))], (Pending, 1)),
            (vec![("0", Some(7)), ("0", Some(8))], (Pending, 1)),
        ] {
            let results: Vec<_> =
                results.into_iter().map(|(status, number)| result("a", status, number)).collect();
            assert_eq!(state(&[row("a", 0)], &results), expected, "{results:?}");
        }
        // A flag in place of a status, and the own id beside one of the service's.
        let row_a = [row("a", 0)];
        let one = |json: &str| {
            let result: ImportResult = serde_json::from_str(json).unwrap();
            let mut found = match_outcomes(&row_a, &[result], &ServiceWords::default(), "results");
            let (_, outcome) = found.remove(0);
            (outcome.state, outcome.transaction_id)
        };
        for (json, expected) in [
            (r#"{"id":"a","success":false,"errors":["No"]}"#, (Error, None)),
            (r#"{"id":"a","success":false}"#, (Error, None)),
            // A number is looked up; a status says more than the flag.
            (r#"{"id":"a","success":true,"transaction_id":7}"#, (Pending, Some(7))),
            (r#"{"id":"a","success":true}"#, (Pending, None)),
            (r#"{"id":"a","success":false,"status":"pending"}"#, (Pending, None)),
            (r#"{"id":"a","success":false,"status":0,"transaction_id":7}"#, (Accepted, Some(7))),
            // A status that nobody knows, with errors and no number.
            (r#"{"id":"a","status":8,"transaction_id":0,"errors":{"premium":"No"}}"#, (Error, None)),
            (r#"{"id":"a","status":-1,"errors":"No"}"#, (Error, None)),
            (r#"{"policy_number":"P","status":-1,"errors":"No"}"#, (Error, None)),
            (r#"{"policy_number":"P","status":-1,"transaction_id":0}"#, (Error, None)),
            // By its place alone: a number is looked up.
            (r#"{"line":1,"status":1,"message":"No"}"#, (Error, None)),
            (r#"{"index":0,"status":0,"transaction_id":7}"#, (Pending, Some(7))),
            (r#"{"id":"a","status":8}"#, (Pending, None)),
            (r#"{"id":"a","status":8,"transaction_id":7,"errors":["No"]}"#, (Pending, Some(7))),
            (r#"{"id":"a","status":"REVIEW","errors":["No"]}"#, (Pending, None)),
            (r#"{"id":"1005","external_id":"a","status":0}"#, (Pending, Some(1005))),
            (r#"{"id":"1005","client_reference":"a","status":0,"transaction_id":7}"#, (Accepted, Some(7))),
            (r#"{"id":"1005","external_id":"a","status":1}"#, (Error, None)),
        ] {
            assert_eq!(one(json), expected, "{json}");
        }
        // One of two rows with one id was refused: the order doesn't tell which.
        let twice = [row("a", 0), row("a", 1)];
        assert_eq!(state(&twice, &[result("a", "0", Some(7)), result("a", "1", None)]), (Pending, 1));
        // One number for every row is no number.
        let rows = [row("a", 0), row("b", 1)];
        let results = [result("a", "0", Some(7)), result("b", "0", Some(7))];
        assert_eq!(state(&rows, &results), (Pending, 1));
    }
}
