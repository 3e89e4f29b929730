//! A lost answer of a service that is not ours: found, proven to be absent, or asked about; never sent twice.

use std::time::Duration;

use bordereau_desk::api::*;
use bordereau_desk::{Desk, OutboxPace};
use serde_json::json;

use crate::outbox_fixture::{OutboxFixture, ended, many, queue, quick, rows, sent};

/// As long as a test goes on.
const ALWAYS: u32 = 100_000;

/// A service that knows neither our ids nor invoice numbers, nor a search.
async fn knows_no_question(test: &OutboxFixture, times: u32) {
    test.fault("import_results", "not_found", times).await;
    test.fault("transaction_status", "not_found", times).await;
    test.fault("search", "not_found", times).await;
}

/// A desk that sends to the service as to one of somebody else.
async fn office(test: &OutboxFixture) -> Desk {
    let desk = test.desk();
    test.office(&desk).await;
    desk
}

/// However long this machine takes, nothing is concluded before it is found.
fn patient() -> OutboxPace {
    OutboxPace { lookup_window: Duration::from_secs(600), ..quick() }
}

/// The audit log in words, newest first.
async fn audit(desk: &Desk) -> String {
    let log = desk.audit_list(Nothing {}).await.unwrap();
    assert!(log.intact);
    log.entries.into_iter().map(|entry| entry.text + "\n").collect()
}

async fn decide(desk: &Desk, id: &str, decision: LostDecision, number: &str) -> BatchView {
    let decision =
        BatchDecision { id: id.into(), decision, batch_number: number.into(), typed: String::new() };
    desk.batch_decide(decision).await.unwrap()
}

/// A batch whose answer is lost, at a service that cannot be asked.
async fn asked_about(test: &OutboxFixture, desk: &Desk, how: &str) -> BatchView {
    test.fault("batch_import", how, 1).await;
    knows_no_question(test, ALWAYS).await;
    let batch = sent(desk, many("n", 30)).await;
    assert_eq!((batch.state, batch.asks, batch.goes_on), (BatchState::Unknown, true, false), "{batch:?}");
    for words in [
        "alone proves nothing",
        "P-n00000 (invoice INV-n00000) and 29 more",
        "it was received, or send again",
    ] {
        assert!(batch.trouble.contains(words), "{}", batch.trouble);
    }
    let status = desk.outbox_status(Nothing {}).await.unwrap();
    assert_eq!((status.open, status.attention), (0, 1));
    test.drive("DELETE", "faults", json!({})).await;
    batch
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_again_before_a_person_said_so() {
    let test = OutboxFixture::new().await;
    let desk = office(&test).await;
    let batch = asked_about(&test, &desk, "cut").await;
    // Another process with the same store does not begin by itself either.
    let other = test.desk();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let still = other.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
    assert_eq!((still.state, still.asks), (BatchState::Unknown, true));
    let today = desk.today_show(Nothing {}).await.unwrap();
    assert_eq!((today.to_decide_total, today.sending_total), (1, 0), "Today asks for the decision");
    assert_eq!(today.to_decide[0].id, batch.id);

    decide(&desk, &batch.id, LostDecision::Arrived, "").await;
    let batch = ended(&desk, &batch.id).await;
    assert_eq!((batch.state, batch.counts.accepted, batch.asks), (BatchState::Processed, 30, false));
    let first = &rows(&desk, &batch.id, None, 0).await[0];
    assert!(first.messages[0].text.contains("found on"), "{first:?}");
    let said = audit(&desk).await;
    assert!(said.contains("arrived, as a person confirmed") && said.contains("a person is asked"), "{said}");
    test.exactly_once(&desk, &batch).await;
    let again = BatchDecision {
        id: batch.id,
        decision: LostDecision::SendAgain,
        batch_number: String::new(),
        typed: String::new(),
    };
    let refused = desk.batch_decide(again).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Validation);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_did_not_arrive_is_sent_again_when_a_person_says_so() {
    let test = OutboxFixture::new().await;
    let desk = office(&test).await;
    let batch = asked_about(&test, &desk, "cut_before").await;
    assert!(test.stored().await.is_empty());
    decide(&desk, &batch.id, LostDecision::SendAgain, "").await;
    let batch = ended(&desk, &batch.id).await;
    assert_eq!(batch.state, BatchState::Processed, "{batch:?}");
    assert!(audit(&desk).await.contains("did not arrive, as a person confirmed"));
    test.exactly_once(&desk, &batch).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_arrived_under_a_number_has_its_results() {
    let test = OutboxFixture::new().await;
    let desk = office(&test).await;
    let batch = asked_about(&test, &desk, "cut").await;
    let found = test.ask("GET", "api/v4/transaction-import-results.json?id=n00000", json!({})).await;
    let number = found["batch_id"].as_str().unwrap();
    for wrong in ["a\u{7}b", &"x".repeat(201)] {
        let decision = BatchDecision {
            id: batch.id.clone(),
            decision: LostDecision::Arrived,
            batch_number: wrong.into(),
            typed: String::new(),
        };
        assert_eq!(desk.batch_decide(decision).await.unwrap_err().code, ErrorCode::Validation);
    }
    decide(&desk, &batch.id, LostDecision::Arrived, number).await;
    let batch = ended(&desk, &batch.id).await;
    assert_eq!((batch.state, batch.batch_ids.as_slice()), (BatchState::Processed, &[number.to_owned()][..]));
    assert!(rows(&desk, &batch.id, None, 0).await.iter().all(|row| row.transaction_id.is_some()));
    test.exactly_once(&desk, &batch).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn looked_for_once_more_it_is_found() {
    let test = OutboxFixture::new().await;
    let desk = office(&test).await;
    let batch = asked_about(&test, &desk, "cut").await;
    decide(&desk, &batch.id, LostDecision::LookAgain, "").await;
    let batch = ended(&desk, &batch.id).await;
    assert_eq!(batch.state, BatchState::Processed, "{batch:?}");
    test.exactly_once(&desk, &batch).await;
}

/// The service is asked for what it is known to have: where it finds that, "not found" is a proof.
#[tokio::test(flavor = "multi_thread")]
async fn only_a_service_that_finds_what_it_has_proves_that_something_is_not_there() {
    // By its batches, and where it does not know that question by its transactions.
    for hides_batches in [false, true] {
        let test = OutboxFixture::new().await;
        let desk = office(&test).await;
        sent(&desk, many("known", 3)).await;
        test.fault("batch_import", "cut_before", 1).await;
        let queued = queue(&desk, "week.csv", many("n", 30)).await.unwrap();
        if hides_batches {
            test.fault("import_results", "not_found", 1000).await;
            while !audit(&desk).await.contains("it is sent again") {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            test.drive("DELETE", "faults", json!({})).await;
        }
        let batch = ended(&desk, &queued.id).await;
        assert_eq!((batch.state, batch.asks), (BatchState::Processed, false), "{hides_batches}: {batch:?}");
        assert!(audit(&desk).await.contains("does not have it: it is sent again"), "{hides_batches}");
        assert_eq!(test.stored().await.len(), 33);
        assert!(test.stored().await.values().all(|count| *count == 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_shows_late_is_waited_for_and_not_sent_again() {
    let test = OutboxFixture::new().await;
    let desk = office(&test).await;
    sent(&desk, many("known", 3)).await;
    desk.set_outbox_pace(patient());
    test.fault("batch_import", "cut", 1).await;
    // Two looks see nothing.
    test.fault("import_results", "not_found", 2).await;
    test.fault("transaction_status", "not_found", 12).await;
    let batch = sent(&desk, many("n", 30)).await;
    assert_eq!(batch.state, BatchState::Processed, "{batch:?}");
    assert!(!audit(&desk).await.contains("sent again"), "{}", audit(&desk).await);
    assert!(test.stored().await.values().all(|count| *count == 1));
}

/// Without the question for batches, its transactions are found one by one.
#[tokio::test(flavor = "multi_thread")]
async fn transactions_that_are_found_are_taken_up() {
    let test = OutboxFixture::new().await;
    let desk = office(&test).await;
    desk.set_outbox_pace(patient());
    test.fault("batch_import", "cut", 1).await;
    test.fault("import_results", "not_found", ALWAYS).await;
    let batch = sent(&desk, many("n", 30)).await;
    assert_eq!((batch.state, batch.counts.accepted), (BatchState::Processed, 30), "{batch:?}");
    test.exactly_once(&desk, &batch).await;
}

/// A service that can be asked by its own numbers alone.
async fn knows_own_numbers_alone(test: &OutboxFixture) {
    let dialect = json!({"action": "set_dialects", "names": ["service-number-only"]});
    test.drive("POST", "actions", dialect).await;
    test.fault("search", "not_found", ALWAYS).await;
}

/// No question finds the batch, but an event names it, and its results name the rows.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_batch_that_an_event_names_is_taken_up() {
    let test = OutboxFixture::new().await;
    let desk = office(&test).await;
    desk.set_outbox_pace(patient());
    let _work = desk.begin_events();
    desk.events_subscribe(Nothing {}).await.unwrap();
    knows_own_numbers_alone(&test).await;
    test.fault("batch_import", "cut", 1).await;
    let batch = sent(&desk, many("n", 5)).await;
    let taken = batch.counts.accepted + batch.counts.warning;
    assert_eq!((batch.state, taken), (BatchState::Processed, 5), "{batch:?}");
    test.exactly_once(&desk, &batch).await;
    let row = rows(&desk, &batch.id, None, 0).await.remove(0);
    assert!(row.evidence.unwrap().question.starts_with("results of batch "));
}

/// What is looked for holds up nothing that is sent after it.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_batch_holds_up_no_later_one() {
    let test = OutboxFixture::new().await;
    let desk = office(&test).await;
    desk.set_outbox_pace(patient());
    knows_own_numbers_alone(&test).await;
    test.fault("batch_import", "cut_before", 1).await;
    let lost = queue(&desk, "lost.csv", many("lost", 3)).await.unwrap();
    for name in ["b", "c"] {
        let next = sent(&desk, many(name, 3)).await;
        let taken = next.counts.accepted + next.counts.warning;
        assert_eq!((next.state, taken), (BatchState::Processed, 3), "{next:?}");
    }
    let lost = desk.batch_show(BatchId { id: lost.id }).await.unwrap();
    assert_eq!((lost.state, lost.counts.pending), (BatchState::Unknown, 3), "{lost:?}");
    assert!(test.stored().await.keys().all(|id| !id.starts_with("lost")));
}
