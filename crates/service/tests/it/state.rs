//! The state's part: what it does is in the record, and said by an event.

use bordereau_contract::{EventKind, PracticeAction, PracticeAnswer, WhichTransactions};
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Service, service, texas};
use crate::imports::row;
use crate::receiver::Receiver;

/// The events of a kind, as they arrived.
fn named(receiver: &Receiver, kind: EventKind) -> Vec<Value> {
    let all = receiver.received().into_iter().map(|received| received.json());
    all.filter(|body| body["event"] == kind.identifier()).collect()
}

fn changed(answer: &Value) -> u64 {
    answer["changed"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_goes_its_whole_way() {
    let service = service().await;
    let receiver = Receiver::start().await;
    service.subscribe(&receiver.url(), &EventKind::ALL.map(EventKind::identifier)).await;
    let incomplete = json!({"id": "c", "policy_number": "P-c"});
    let batch = service.accepted(&[row("a"), row("b"), incomplete]).await;
    service.processed(&batch).await;

    receiver.wait_for(1).await;
    let processed = named(&receiver, EventKind::BatchProcessed).remove(0);
    assert_eq!((&processed["batch_id"], &processed["status"]), (&json!(batch), &json!("processed")));
    assert_eq!(processed["transactions"].as_array().unwrap().len(), 3);
    assert_eq!(processed["timestamp"], "2026-02-23 15:00:30");
    assert!(processed["event_id"].is_u64(), "{processed}");

    let filed = service.act(json!({"action": "file", "which": {"batch_id": batch}})).await;
    assert_eq!((changed(&filed), filed["transactions"].as_array().unwrap().len()), (2, 3));
    receiver.wait_for(3).await;
    let record = service.record("a").await;
    assert_eq!(
        (&record["transaction_status"], &record["date_filed"], &record["date_ready_to_file"]),
        (&json!(4), &json!("2026-02-23"), &json!("2026-02-23"))
    );
    assert_eq!(named(&receiver, EventKind::Filed)[0]["date_filed"], "2026-02-23");
    let again = service.act(json!({"action": "file", "which": {"batch_id": batch}})).await;
    assert_eq!(changed(&again), 0);

    let pay = json!({"action": "pay", "which": {"ids": ["a"]}, "charges": ["sl_tax"],
        "date": "2026-03-01", "invoice_id": "S-1"});
    assert_eq!(changed(&service.act(pay.clone()).await), 1);
    assert_eq!(changed(&service.act(pay).await), 0);
    receiver.wait_for(4).await;
    let paid = named(&receiver, EventKind::SlTaxPaid).remove(0);
    assert_eq!(paid["sl_tax_paid_date"], "2026-03-01 00:00:00");
    assert_eq!((&paid["sl_tax_amount"], &paid["sl_tax"]), (&json!(4.85), &json!(48.5)));
    assert_eq!((&paid["sl_tax_invoice_id"], &paid["is_sl_tax_active"]), (&json!("S-1"), &json!(true)));
    assert_eq!(service.record("a").await["sl_tax_paid_date"], "2026-03-01");

    service.act(json!({"action": "pay", "which": {"ids": ["a"]}})).await;
    receiver.wait_for(6).await;
    assert_eq!(named(&receiver, EventKind::StampingFeePaid).len(), 1);
    assert_eq!(named(&receiver, EventKind::TaxesAndFeesPaid)[0]["taxes_and_fees"], 48.9);

    let number = json!({"action": "assign_number", "which": {"ids": ["a"]}, "number": "TX-77"});
    assert_eq!(changed(&service.act(number).await), 1);
    receiver.wait_for(7).await;
    assert_eq!(named(&receiver, EventKind::NumberAssigned)[0]["transaction_id_number"], "TX-77");
    assert_eq!(service.record("a").await["transaction_id_number"], "TX-77");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_charge_is_paid_once() {
    let service = service().await;
    let mut florida = row("f");
    florida["physical_state"] = json!("FL");
    florida["empa_tax"] = json!(4.0);
    let batch = service.accepted(&[florida]).await;
    service.processed(&batch).await;
    let pay = json!({"action": "pay", "which": {"ids": ["f"]}, "date": "2026-03-01"});
    assert_eq!(changed(&service.act(pay.clone()).await), 1);
    let record = service.record("f").await;
    for date in ["sl_tax_paid_date", "stamping_fee_paid_date", "other_taxes_paid_date"] {
        assert_eq!(record[date], "2026-03-01", "{date}");
    }
    assert_eq!(changed(&service.act(pay).await), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_stamp_wording_is_answered_and_told() {
    let service = service().await;
    let receiver = Receiver::start().await;
    let wording = [EventKind::StampWordingChanged.identifier()];
    let (mine, _) = service.subscribe(&receiver.url(), &wording).await;
    let before = service.calculate(&texas()).await.expect(200).json();
    service.act(json!({"action": "change_stamp_wording", "state": "TX", "text": "One <b>\n\nTwo"})).await;
    let body = receiver.wait_for(1).await[0].json();
    assert_eq!(
        (&body["state"], &body["state_stamp_wording_text"]),
        (&json!("TX"), &json!("<p>One &lt;b&gt;</p><p>Two</p>"))
    );
    let after = service.calculate(&texas()).await.expect(200).json();
    assert_eq!(after["state_properties"]["state_stamp_wording_text"], body["state_stamp_wording_text"]);
    service.act(json!({"action": "change_stamp_wording", "state": "TX", "text": null})).await;
    let told = receiver.wait_for(2).await[1].json();
    let restored = service.calculate(&texas()).await.expect(200).json();
    assert_eq!(restored["state_properties"], before["state_properties"]);
    for name in ["state_stamp_wording_text", "state_stamp_wording_updated_at"] {
        assert_eq!(told[name], before["state_properties"][name], "the rule's own, word for word: {name}");
    }

    // Another state is not this webhook's business any more.
    let only_florida = json!({"title": "Desk", "events": wording, "url": receiver.url(), "states": ["FL"]});
    service.hooks(Method::PUT, &format!("/{mine}"), Some(only_florida)).await.expect(200);
    service.act(json!({"action": "change_stamp_wording", "state": "TX", "text": "Other"})).await;
    service.act(json!({"action": "change_stamp_wording", "state": "FL", "text": "Other"})).await;
    assert_eq!(receiver.wait_for(3).await[2].json()["state"], "FL");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_given_up_is_told() {
    let service = service().await;
    let receiver = Receiver::start().await;
    service.subscribe(&receiver.url(), &[EventKind::BatchFailed.identifier()]).await;
    service.act(json!({"action": "set_speed", "rows_per_second": 0})).await;
    let batch = service.accepted(&[row("a")]).await;
    let queue = service.practice(Method::GET, "queue", None).await.expect(200).json();
    assert_eq!(queue["batches"][0]["batch_id"], json!(batch));
    service.act(json!({"action": "fail_batch", "batch_id": batch})).await;
    let body = receiver.wait_for(1).await[0].json();
    assert_eq!(
        (&body["batch_id"], &body["status"], &body["transactions"]),
        (&json!(batch), &json!("failed"), &json!([]))
    );
    service
        .practice(Method::POST, "actions", Some(json!({"action": "fail_batch", "batch_id": batch})))
        .await
        .expect(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_is_refused() {
    let service = service().await;
    service.imported(&[row("a"), row("b")]).await;
    for (action, pointer) in [
        (json!({"action": "file", "which": {"ids": ["a"]}, "status": 1}), "/status"),
        (json!({"action": "file", "which": {"ids": ["a"]}, "date": "31.3.2026"}), "/date"),
        (json!({"action": "file", "which": {}}), "/which"),
        (json!({"action": "assign_number", "which": {"ids": ["a", "b"]}, "number": "1"}), "/number"),
        (json!({"action": "change_stamp_wording", "state": "TX", "text": " "}), "/text"),
        (json!({"action": "set_speed", "rows_per_second": 1, "seconds_per_batch": 1}), "/seconds_per_batch"),
        (json!({"action": "add_fault", "operation": "any", "kind": "delay", "times": 0}), "/times"),
    ] {
        let refused = service.practice(Method::POST, "actions", Some(action.clone())).await.expect(422);
        assert_eq!(refused.pointers(), [pointer], "{action}");
    }
    let unknown =
        service.act(json!({"action": "file", "which": {"ids": ["z"], "transaction_ids": [99]}})).await;
    assert_eq!(changed(&unknown), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_process_it_runs_in_acts_without_a_request() -> Result<(), String> {
    let service: Service = service().await;
    service.imported(&[row("a")]).await;
    let controls = service.running.practice_controls();
    let which = WhichTransactions { ids: vec!["a".into()], ..WhichTransactions::default() };
    let filed = controls.perform_action(PracticeAction::File { which, status: None, date: None }).await?;
    assert!(matches!(filed, PracticeAnswer::Transactions { changed: 1, .. }), "{filed:?}");
    assert_eq!(service.record("a").await["transaction_status"], 4);
    let moved = controls.perform_action(PracticeAction::MoveClock { seconds: 90 }).await?;
    assert_eq!(moved, PracticeAnswer::Clock { now: "2026-02-23T15:02:00Z".into(), offset_seconds: 90 });
    let refused = controls.perform_action(PracticeAction::FailBatch { batch_id: "x".into() }).await;
    assert_eq!(refused, Err("No batch with this id is being processed.".into()));
    Ok(())
}
