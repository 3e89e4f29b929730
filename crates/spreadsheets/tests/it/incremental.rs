//! Checking again only what a change touches gives the same as checking everything.

use crate::fixture::check_settings;
use bordereau_spreadsheets::{
    CheckSettings, ReadOptions, RecheckScope, Review, RowGrouping, SameTransaction, SentKeys,
    propose_mapping, read,
};
use proptest::prelude::*;

const HEADERS: [&str; 8] = [
    "id",
    "policy_number",
    "policy_effective_date",
    "transaction_type",
    "premium",
    "line_of_business_list",
    "physical_state",
    "sl_tax",
];

/// Few values, so that rows are often the same in something; wrong ones among them.
const VALUES: [&[&str]; 8] = [
    &["A", "B", "C", "D", " A ", "", "1.2E+15"],
    &["P1", "P2", "P3", "", " P1"],
    &["02/23/2026", "2026-02-24", "13/13/2026", "", "01/01/2024"],
    &["PN", "NP", "RPE", "EN", "0E", "nonsense", ""],
    &["100.00", "$1,250.50", "-100.00", "abc", "", "100.001"],
    &["GEN-1002", "GEN-1001 | GEN-1002", "GEN-9999", ""],
    &["TX", "KY", "Ohio", "ZZ", ""],
    &["4.85", "0", "", "x"],
];

fn row() -> impl Strategy<Value = Vec<usize>> {
    VALUES.iter().map(|values| 0..values.len()).collect::<Vec<_>>()
}

#[derive(Clone, Debug)]
enum Step {
    /// Row, column, and the value or taking the change back.
    Edit(Vec<(usize, usize, Option<usize>)>),
    Exclude(Vec<(usize, bool)>),
}

fn step() -> impl Strategy<Value = Step> {
    let cell = (0usize..24, 0usize..8, prop::option::of(0usize..7));
    prop_oneof![
        4 => prop::collection::vec(cell.clone(), 1..3).prop_map(Step::Edit),
        1 => prop::collection::vec(cell, 1..40).prop_map(Step::Edit),
        2 => prop::collection::vec((0usize..24, any::<bool>()), 1..3).prop_map(Step::Exclude),
        1 => prop::collection::vec((0usize..24, any::<bool>()), 1..30).prop_map(Step::Exclude),
    ]
}

fn text(rows: &[Vec<usize>]) -> String {
    let mut text = HEADERS.join(",");
    for row in rows {
        let cells = row.iter().zip(VALUES).map(|(at, values)| format!("\"{}\"", values[*at]));
        text.push('\n');
        text.push_str(&cells.collect::<Vec<_>>().join(","));
    }
    text
}

fn sent() -> SentKeys {
    let mut sent = SentKeys::default();
    let key = SameTransaction {
        policy_number: "P2".into(),
        transaction_type: "PN".into(),
        effective_date: "2026-02-23".into(),
        premium: "100.00".into(),
    };
    sent.add("D", Some(key), "2026-02-20");
    sent
}

fn done(review: &mut Review, step: &Step, rows: usize, checks: &CheckSettings<'_>) -> Option<RecheckScope> {
    match step {
        Step::Edit(cells) => {
            let change = |(row, column, value): &(usize, usize, Option<usize>)| {
                let values = VALUES[*column];
                (1 + row % rows, *column, value.map(|at| values[at % values.len()].to_owned()))
            };
            Some(review.edit_cells(&cells.iter().map(change).collect::<Vec<_>>(), checks))
        }
        Step::Exclude(chosen) => {
            let chosen: Vec<_> = chosen.iter().map(|(row, out)| (1 + row % rows, *out)).collect();
            review.exclude_all(&chosen, checks);
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_change_finds_what_checking_everything_finds(
        rows in prop::collection::vec(row(), 2..24),
        steps in prop::collection::vec(step(), 1..6),
        grouping in prop::sample::select(vec![RowGrouping::None, RowGrouping::ById, RowGrouping::ByPolicy]),
    ) {
        let sent = sent();
        let checks = check_settings(&sent, 1);
        let source = read("x.csv", text(&rows).into_bytes(), &ReadOptions::default()).unwrap();
        let mut mapping = propose_mapping(&source, &[]).mapping;
        mapping.grouping = grouping;
        let mut review = Review::new(source, mapping, &checks);
        for step in &steps {
            let before = review.clone();
            let rechecked = done(&mut review, step, rows.len(), &checks);
            let mut full = review.clone();
            full.check_again(&checks);
            prop_assert_eq!(review.findings(), full.findings(), "{:?}", step);
            for transaction in 0..full.transactions().count() {
                prop_assert_eq!(review.figures(transaction), full.figures(transaction), "{:?}", step);
            }
            if let Some(RecheckScope::Rows(told)) = rechecked {
                for row in 0..=rows.len() {
                    let same = before.findings_of(row) == review.findings_of(row);
                    prop_assert!(same || told.contains(&row), "row {} of {:?}", row, step);
                }
            }
        }
    }
}
