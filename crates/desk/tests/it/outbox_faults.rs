//! Every fault of the practice service at every step: each row exactly once, or reported as not sent.

use std::time::Duration;

use bordereau_desk::api::*;

use crate::outbox_fixture::{OutboxFixture, many, queue, sent};

const KINDS: [&str; 9] = [
    "delay",
    "delay_after",
    "cut_before",
    "error_before",
    "error_after",
    "cut",
    "cut_body",
    "malformed",
    "rate_limit",
];

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_at_every_step_leaves_each_row_exactly_once() {
    for operation in ["batch_import", "import_results", "transaction_status", "any"] {
        for kind in KINDS.iter().filter(|kind| **kind != "rate_limit") {
            let test = OutboxFixture::new().await;
            let desk = test.desk();
            // A lost answer first, so that looking up is its own step.
            if operation == "transaction_status" {
                test.fault("batch_import", "cut_before", 1).await;
            }
            test.fault(operation, kind, 3).await;
            let batch = sent(&desk, many("r", 220)).await;
            assert_eq!(batch.state, BatchState::Processed, "{operation} {kind}: {batch:?}");
            assert_eq!(batch.counts.total, 220, "{operation} {kind}");
            test.exactly_once(&desk, &batch).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_is_adopted_and_not_sent_again() {
    for kind in ["error_after", "cut", "cut_body", "malformed"] {
        let test = OutboxFixture::new().await;
        let desk = test.desk();
        test.fault("batch_import", kind, 1).await;
        let batch = sent(&desk, many("l", 50)).await;
        assert_eq!(batch.counts.accepted + batch.counts.warning, 50, "{kind}: {batch:?}");
        assert_eq!(batch.batch_ids.len(), 1);
        test.exactly_once(&desk, &batch).await;
        let imports = test.drive("GET", "requests", serde_json::json!({})).await;
        assert!(desk.audit_list(Nothing {}).await.unwrap().intact, "{imports}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_requests_is_waited_for_and_can_be_canceled() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    test.fault("batch_import", "rate_limit", 1).await;
    let batch = queue(&desk, "week.csv", many("q", 10)).await.unwrap();
    tokio::time::sleep(Duration::from_millis(400)).await;
    let waiting = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
    assert_eq!(waiting.state, BatchState::Queued);
    assert!(waiting.trouble.contains("limit of requests"), "{}", waiting.trouble);
    let canceled = desk.batch_cancel(BatchId { id: batch.id }).await.unwrap();
    assert_eq!(canceled.state, BatchState::Canceled);
    assert!(test.stored().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_given_up_by_the_service_says_which_rows_were_not_taken() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    test.drive("POST", "speed", serde_json::json!({ "rows_per_second": 0 })).await;
    let batch = queue(&desk, "week.csv", many("g", 30)).await.unwrap();
    let remote = loop {
        let view = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
        match view.batch_ids.first() {
            Some(remote) => break remote.clone(),
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    test.drive("POST", &format!("batches/{remote}"), serde_json::json!({ "status": "failed" })).await;
    let batch = crate::outbox_fixture::ended(&desk, &batch.id).await;
    assert_eq!((batch.state, batch.counts.not_sent), (BatchState::Failed, 30));
    test.exactly_once(&desk, &batch).await;
}
