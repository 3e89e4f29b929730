//! From a source to words, as a person would see it: nothing of it may panic.

use std::collections::BTreeMap;

use bordereau_spreadsheets::{Checks, Outcome, Review, SentKeys, Source, propose};
use bordereau_tax::{Local, RuleBook};

pub fn review(source: Source) {
    let rows = source.table.row_count();
    let mapping = propose(&source, &[]).mapping;
    let (local, sent, attached) = (Local::default(), SentKeys::default(), BTreeMap::new());
    let checks = Checks {
        today: chrono::NaiveDate::from_ymd_opt(2026, 3, 1).unwrap(),
        book: RuleBook::builtin(),
        local: &local,
        fee_charged_by: None,
        sent: &sent,
        attached: &attached,
        threads: 1,
    };
    let review = Review::new(source, mapping, &checks);
    let outcomes = review.transactions().outcomes();
    assert_eq!(outcomes.len(), rows, "every row has an outcome");
    let data = outcomes.iter().filter(|o| matches!(o, Outcome::Transaction | Outcome::FurtherRow)).count();
    let gathered: usize =
        (0..review.transactions().count()).map(|t| review.transactions().rows(t).len()).sum();
    assert_eq!(gathered, data, "every row of data is in one transaction");
    for finding in review.findings().iter().take(200) {
        assert!(review.issue(finding).message.starts_with("Row "));
    }
    for transaction in 0..review.transactions().count().min(50) {
        let _ = review.wire(transaction);
    }
}
