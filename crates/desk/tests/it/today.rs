//! The first view, beside the views that it is made of.

use bordereau_contract::TransactionRecord;
use bordereau_desk::api::*;

use crate::test_desk::{TestDesk, texas};

fn record(id: i64, state: &str, effective: &str) -> TransactionRecord {
    TransactionRecord {
        id,
        transaction_type: Some("PN".into()),
        physical_state: Some(state.into()),
        policy_number: Some(format!("P-{id}")),
        policy_effective_date: Some(effective.into()),
        transaction_effective_date: Some(effective.into()),
        mailing_insured_name: Some(format!("Harbor Diner {id} LLC")),
        ..TransactionRecord::default()
    }
}

#[tokio::test]
async fn an_empty_machine_has_three_steps_to_take() {
    let test = TestDesk::offline();
    let today = test.desk.today_show(Nothing {}).await.unwrap();
    assert_eq!(today.steps, FirstSteps { quoted: false, imported: false, connected: false });
    assert!(today.due.is_empty() && today.quotes.is_empty() && today.missing.is_empty());
    let answer = test.desk.quote_estimate(texas()).await.unwrap();
    let save =
        SaveQuote { id: None, name: String::new(), request: texas(), answer: Some(answer), revision: None };
    test.desk.quote_save(save).await.unwrap();
    test.desk.review_start(ReviewStart { source: ReviewSource::Sample }).await.unwrap();
    let today = test.desk.today_show(Nothing {}).await.unwrap();
    assert_eq!(today.steps, FirstSteps { quoted: true, imported: true, connected: false });
    assert_eq!((today.quotes_total, today.drafts_total), (1, 1));
}

#[tokio::test]
async fn what_is_due_and_missing_is_what_its_own_view_has() {
    let test = TestDesk::offline();
    let records =
        [record(1, "TX", "2025-12-01"), record(2, "TX", "2025-12-20"), record(3, "NY", "2025-11-01")];
    test.desk.store_records(records.to_vec()).await.unwrap();
    let today = test.desk.today_show(Nothing {}).await.unwrap();
    let due = test.desk.due_list(DueRequest::default()).await.unwrap();
    assert!(today.overdue > 0);
    assert_eq!((today.overdue, today.soon), (due.overdue, due.soon));
    assert_eq!(today.due.iter().map(|of| of.overdue).sum::<u32>(), due.overdue);
    assert_eq!((today.due[0].state.as_str(), Some(&today.due[0].first)), ("NY", due.entries[0].due.as_ref()));
    let missing = test.desk.documents_missing(MissingRequest::default()).await.unwrap();
    assert_eq!((today.missing_total, today.missing_required), (missing.total, missing.required));
    assert!(today.missing.iter().all(|entry| missing.entries.contains(entry)));
    assert!(today.missing.is_sorted_by_key(|entry| entry.due.clone()), "the nearest filing first");
}
