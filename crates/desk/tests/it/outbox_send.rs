//! Batches sent to the practice service: what comes back, what is said, what is corrected.

use std::collections::BTreeSet;
use std::time::Duration;

use bordereau_desk::api::*;
use bordereau_money::Usd;

use crate::outbox_fixture::{OutboxFixture, ended, many, queue, quick, row, rows, sent};

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_sent_in_parts_and_processed() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let batch = sent(&desk, many("a", 250)).await;
    assert_eq!(batch.state, BatchState::Processed);
    assert_eq!(batch.batch_ids.len(), 3, "{:?}", batch.batch_ids);
    assert_eq!((batch.counts.total, batch.counts.pending), (250, 0));
    assert!(!batch.can_cancel && batch.trouble.is_empty() && batch.ended_at.is_some());
    let first = &rows(&desk, &batch.id, None, 0).await[0];
    assert_eq!(
        (first.line, first.policy_number.as_str(), first.premium.as_str()),
        (2, "P-a00000", "1000.00")
    );
    assert!(first.transaction_id.is_some());
    test.exactly_once(&desk, &batch).await;
    let status = desk.outbox_status(Nothing {}).await.unwrap();
    assert_eq!((status.open, status.total), (0, 0));
    assert_eq!(desk.batch_list(Nothing {}).await.unwrap().batches, vec![batch]);
}

#[tokio::test(flavor = "multi_thread")]
async fn warnings_bring_both_amounts_and_their_difference() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let mut wrong = row("w1");
    wrong.sl_tax = Some(Usd::parse("50.00").unwrap());
    let mut incomplete = row("w2");
    incomplete.mailing_insured_name = None;
    let batch = sent(&desk, vec![wrong, incomplete]).await;
    assert_eq!((batch.counts.warning, batch.counts.saved_incomplete), (1, 1), "{batch:?}");
    let found = rows(&desk, &batch.id, Some(RowState::Warning), 0).await;
    let message = found[0].messages.iter().find(|message| message.field == "slTax").unwrap();
    let amounts = [&message.provided, &message.calculated, &message.difference];
    assert_eq!(amounts.map(|amount| amount.as_deref().unwrap()), ["50.00", "48.50", "-1.50"]);
    let saved = rows(&desk, &batch.id, Some(RowState::SavedIncomplete), 0).await;
    assert!(saved[0].messages.iter().any(|m| m.severity == "error" && m.field == "mailingInsuredName"));
    assert_eq!((batch.to_correct, batch.open_warnings), (1, 1), "accepted with a warning is not refused");
    assert_eq!(desk.outbox_status(Nothing {}).await.unwrap().attention, 1);
    let causes = desk.batch_causes(BatchId { id: batch.id.clone() }).await.unwrap().causes;
    let named: Vec<_> = causes.iter().map(|c| (c.severity.as_str(), c.field.as_str(), c.rows)).collect();
    assert_eq!(named[0], ("error", "mailingInsuredName", 1), "{causes:#?}");
    let tax = causes.iter().find(|cause| cause.field == "slTax").unwrap();
    assert!(tax.rows == 1 && !tax.text.contains("50.00"), "the amounts of one row are no cause: {tax:?}");
    let cause = tax.key.clone();
    let request = BatchRowsRequest { id: batch.id.clone(), cause, count: 9, ..BatchRowsRequest::default() };
    let page = desk.batch_rows(request).await.unwrap();
    assert_eq!((page.total, page.rows[0].id.as_str()), (1, "w1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_at_fault_are_named_and_the_others_can_be_sent() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let mut outgoing = many("f", 5);
    outgoing[3].policy_number = Some("P".repeat(60));
    let batch = sent(&desk, outgoing).await;
    assert_eq!(batch.state, BatchState::Failed);
    assert_eq!((batch.counts.error, batch.counts.not_sent), (1, 4));
    let refused = rows(&desk, &batch.id, Some(RowState::Error), 0).await;
    assert_eq!((refused[0].id.as_str(), refused[0].messages[0].field.as_str()), ("f00003", "policy_number"));
    assert!(batch.trouble.contains("because of 1 row and"), "{}", batch.trouble);
    assert!(test.stored().await.is_empty());

    let others =
        many("f", 5).into_iter().enumerate().filter(|(at, _)| *at != 3).map(|(_, row)| row).collect();
    let again = sent(&desk, others).await;
    assert_eq!((again.counts.total, again.counts.error), (4, 0));
    assert_eq!(test.stored().await.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn offline_it_waits_and_goes_on_by_itself() {
    let mut test = OutboxFixture::dark();
    let desk = test.desk();
    let queued = queue(&desk, "week.csv", many("o", 20)).await.unwrap();
    assert_eq!((queued.state, queued.can_cancel), (BatchState::Queued, true));
    tokio::time::sleep(Duration::from_millis(200)).await;
    let waiting = desk.batch_show(BatchId { id: queued.id.clone() }).await.unwrap();
    assert_eq!(waiting.state, BatchState::Queued);
    assert!(waiting.trouble.contains("cannot be started"), "{}", waiting.trouble);
    test.light().await;
    let batch = ended(&desk, &queued.id).await;
    assert_eq!((batch.state, batch.trouble.as_str()), (BatchState::Processed, ""));
    test.exactly_once(&desk, &batch).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_stops_in_the_middle_is_waited_for() {
    let mut test = OutboxFixture::new().await;
    let desk = test.desk();
    test.drive("POST", "speed", serde_json::json!({ "rows_per_second": 400 })).await;
    let batch = queue(&desk, "week.csv", many("s", 300)).await.unwrap();
    tokio::time::sleep(Duration::from_millis(250)).await;
    test.darken().await;
    tokio::time::sleep(Duration::from_millis(250)).await;
    test.light().await;
    let batch = ended(&desk, &batch.id).await;
    assert_eq!(batch.state, BatchState::Processed, "{batch:?}");
    test.exactly_once(&desk, &batch).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_can_be_canceled() {
    let test = OutboxFixture::dark();
    let desk = test.desk();
    let batch = queue(&desk, "week.csv", many("c", 150)).await.unwrap();
    let canceled = desk.batch_cancel(BatchId { id: batch.id.clone() }).await.unwrap();
    assert_eq!((canceled.state, canceled.counts.not_sent), (BatchState::Canceled, 150));
    let refused = desk.batch_cancel(BatchId { id: batch.id }).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Validation);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_that_was_dropped_in_the_middle_goes_on_after_it() {
    let test = OutboxFixture::new().await;
    let mut id = String::new();
    for turn in 0..6u64 {
        let desk = test.desk();
        if turn == 0 {
            id = queue(&desk, "week.csv", many("d", 500)).await.unwrap().id;
        }
        tokio::time::sleep(Duration::from_millis(7 * turn)).await;
    }
    let desk = test.desk();
    let batch = ended(&desk, &id).await;
    assert_eq!((batch.state, batch.counts.total), (BatchState::Processed, 500));
    test.exactly_once(&desk, &batch).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_desks_on_one_folder_do_not_send_twice() {
    let test = OutboxFixture::new().await;
    let (one, two) = (test.desk(), test.desk());
    let first = queue(&one, "one.csv", many("x", 250)).await.unwrap();
    let second = queue(&two, "two.csv", many("y", 250)).await.unwrap();
    let (first, second) = (ended(&two, &first.id).await, ended(&one, &second.id).await);
    assert_eq!((first.batch_ids.len(), second.batch_ids.len()), (3, 3));
    let requests = test.drive("GET", "requests", serde_json::json!({})).await;
    assert_eq!(test.stored().await.len(), 500, "{requests}");
    let accepted = one.audit_list(Nothing {}).await.unwrap().entries;
    assert_eq!(accepted.iter().filter(|entry| entry.text.contains("was accepted")).count(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_that_are_missing_are_given_and_stay() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    desk.set_outbox_pace(quick());
    let mut outgoing = many("", 3);
    outgoing.iter_mut().for_each(|row| row.id.clear());
    let batch = sent(&desk, outgoing).await;
    let ids: BTreeSet<String> = rows(&desk, &batch.id, None, 0).await.into_iter().map(|row| row.id).collect();
    assert!(ids.len() == 3 && ids.iter().all(|id| id.len() > 8), "{ids:?}");
    assert_eq!(ids, test.stored().await.into_keys().collect());
    test.exactly_once(&desk, &batch).await;
}

/// A lock file that can't be opened, as one run by another account leaves it, is said and not waited on in silence.
#[tokio::test(flavor = "multi_thread")]
async fn what_keeps_the_outbox_from_sending_is_said() {
    let test = OutboxFixture::new().await;
    let lock = test.folder.path().join("desk/outbox.lock");
    std::fs::create_dir_all(&lock).unwrap();
    let desk = test.desk();
    let queued = queue(&desk, "week.csv", many("o", 2)).await.unwrap();
    let said = async |desk: &bordereau_desk::Desk| {
        for _ in 0..100 {
            let trouble = desk.batch_show(BatchId { id: queued.id.clone() }).await.unwrap().trouble;
            if !trouble.is_empty() {
                return trouble;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        String::new()
    };
    let trouble = said(&desk).await;
    assert!(trouble.contains("outbox.lock") && trouble.contains("Nothing is sent"), "{trouble}");
    std::fs::remove_dir(&lock).unwrap();
    let done = ended(&desk, &queued.id).await;
    assert!(done.state == BatchState::Processed && done.trouble.is_empty(), "{done:?}");
}
