//! Subscribe, send, receive the events; disconnect and find what was missed.

use std::collections::BTreeSet;
use std::time::Duration;

use bordereau_desk::api::*;
use bordereau_desk::{Desk, EventPace, PracticeAction, PracticeAnswer};

use crate::events_receiver::until;
use crate::outbox_fixture::{OutboxFixture, many, queue, sent};
use crate::test_desk::question;

fn quick() -> EventPace {
    EventPace {
        look: Duration::from_millis(100),
        first_pause: Duration::from_millis(200),
        longest_pause: Duration::from_secs(1),
        at_once: 20,
        refollow: Duration::from_millis(50),
        ..EventPace::default()
    }
}

/// As a person would wait: nothing is asked for behind the events' back.
fn patient() -> EventPace {
    EventPace { look: Duration::from_secs(3_600), first_pause: Duration::from_secs(3_600), ..quick() }
}

async fn all(desk: &Desk) -> Vec<EventView> {
    desk.events_list(EventsRequest { count: 200, ..EventsRequest::default() }).await.unwrap().events
}

async fn act(test: &OutboxFixture, action: PracticeAction) -> PracticeAnswer {
    test.service.as_ref().unwrap().practice_controls().perform_action(action).await.unwrap()
}

async fn file(test: &OutboxFixture, batch: &BatchView) {
    for id in &batch.batch_ids {
        let action = serde_json::json!({ "action": "file", "which": { "batch_id": id } });
        act(test, serde_json::from_value(action).unwrap()).await;
    }
}

async fn of_kind(desk: &Desk, what: EventKind) -> Vec<EventView> {
    all(desk).await.into_iter().filter(|event| event.what == what).collect()
}

/// Waits until there are so many of a kind, and they are as they should be.
async fn await_kind(desk: &Desk, what: EventKind, count: usize, is_so: impl Fn(&EventView) -> bool) {
    let waiting = async {
        loop {
            let found = of_kind(desk, what).await;
            if found.len() == count && found.iter().all(&is_so) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    };
    if tokio::time::timeout(Duration::from_secs(90), waiting).await.is_err() {
        panic!("{count} of {what:?}: {:?}", all(desk).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_turns_to_processed_and_filed_by_what_the_service_tells() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    desk.set_event_pace(patient());
    let _work = desk.begin_events();
    let settings = desk.events_subscribe(Nothing {}).await.unwrap();
    assert!(settings.subscribed && settings.one_click && settings.has_secret, "{settings:?}");
    assert!(settings.address.starts_with("http://127.0.0.1:"), "{}", settings.address);
    until(&desk, "it receives", |status| status.receiver == ReceiverState::On).await;

    let batch = queue(&desk, "week.csv", many("e", 3)).await.unwrap();
    let is_true = |event: &EventView| event.received_at.is_some() && event.check == EventCheck::Confirmed;
    await_kind(&desk, EventKind::BatchProcessed, 1, is_true).await;
    let batch = desk.batch_show(BatchId { id: batch.id }).await.unwrap();
    assert_eq!(batch.state, BatchState::Processed);
    let event = of_kind(&desk, EventKind::BatchProcessed).await.remove(0);
    assert_eq!((event.title.as_str(), event.batch_here), ("week.csv processed", Some(batch.id.clone())));
    assert_eq!(event.signature, EventSignature::Valid);

    file(&test, &batch).await;
    await_kind(&desk, EventKind::Filed, 3, is_true).await;
    let request = EventsRequest { batch: batch.batch_ids[0].clone(), count: 200, ..EventsRequest::default() };
    assert_eq!(desk.events_list(request).await.unwrap().total, 4, "the batch and its transactions");
    let status = desk.events_status(Nothing {}).await.unwrap();
    assert_eq!((status.unread, status.refused), (4, 0));

    let settings = desk.events_unsubscribe(Nothing {}).await.unwrap();
    assert!(!settings.subscribed && !settings.has_secret);
}

/// As on the provider's own pages: this desk goes on as if its webhook were there.
async fn remove_webhooks_at_service(test: &OutboxFixture, desk: &Desk) {
    for webhook in desk.webhook_list(Nothing {}).await.unwrap().webhooks {
        test.ask("DELETE", &format!("api/v1/webhooks/{}", webhook.id), serde_json::json!(null)).await;
    }
}

/// The service gives fifty at a time.
#[tokio::test(flavor = "multi_thread")]
async fn deliveries_are_listed_beyond_a_page() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    desk.set_event_pace(patient());
    let _work = desk.begin_events();
    desk.events_subscribe(Nothing {}).await.unwrap();
    let batch = sent(&desk, many("p", 55)).await;
    file(&test, &batch).await;
    await_kind(&desk, EventKind::Filed, 55, |event| event.received_at.is_some()).await;
    let webhook = desk.webhook_list(Nothing {}).await.unwrap().webhooks.remove(0).id;
    let listed = async |state, count| {
        let asked = DeliveriesRequest { webhook: webhook.clone(), state, count };
        desk.deliveries_list(asked).await.unwrap().deliveries
    };
    // What was answered is settled a moment later.
    while listed(Some(DeliveryStatus::Waiting), 1).await.len() == 1 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let numbers: BTreeSet<String> = listed(None, 100).await.into_iter().map(|delivery| delivery.id).collect();
    assert_eq!(numbers.len(), 56);
    assert_eq!(listed(Some(DeliveryStatus::Delivered), 100).await.len(), 56);
    assert_eq!(listed(Some(DeliveryStatus::Delivered), 52).await.len(), 52);
    assert!(listed(Some(DeliveryStatus::Failed), 100).await.is_empty());
}

/// The receiver is away for two hours of the service's clock: it tries as the contract says, writes, and gives
/// up; when the receiver is back, what was missed is found by asking.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_missed_while_the_plug_was_pulled_is_found_by_asking() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    desk.set_event_pace(patient());
    let work = desk.begin_events();
    desk.events_subscribe(Nothing {}).await.unwrap();
    let batch = queue(&desk, "week.csv", many("g", 1)).await.unwrap();
    await_kind(&desk, EventKind::BatchProcessed, 1, |event| event.check == EventCheck::Confirmed).await;
    let batch = desk.batch_show(BatchId { id: batch.id }).await.unwrap();

    let address = desk.events_settings(Nothing {}).await.unwrap().address;
    drop(work);
    // The port is closed when the task has ended.
    let socket = address.trim_start_matches("http://").split('/').next().unwrap_or_default().to_owned();
    while tokio::net::TcpStream::connect(&socket).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    file(&test, &batch).await;
    given_up(&test).await;
    let PracticeAnswer::Mail { mail } = act(&test, PracticeAction::ReadMail).await else { panic!("no mail") };
    assert_eq!(mail.len(), 1, "{mail:?}");
    let notices = desk.events_notices(Nothing {}).await.unwrap().notices;
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!(notices[0].event, "webhook.transaction.status.filed");

    desk.set_event_pace(quick());
    let _work = desk.begin_events();
    await_kind(&desk, EventKind::Filed, 1, |event| event.received_at.is_none() && !event.read).await;
    let found = of_kind(&desk, EventKind::Filed).await.remove(0);
    assert_eq!(found.signature, EventSignature::None);

    // Sent again by hand it becomes the same event, received.
    until(&desk, "it receives again", |status| status.receiver == ReceiverState::On).await;
    desk.events_send_again(SendAgain { delivery: notices[0].delivery_id.clone() }).await.unwrap();
    await_kind(&desk, EventKind::Filed, 1, |event| event.received_at.is_some() && event.found_at.is_some())
        .await;
}

async fn change_wording(test: &OutboxFixture, text: &str) {
    let action = serde_json::json!({ "action": "change_stamp_wording", "state": "TX", "text": text });
    act(test, serde_json::from_value(action).unwrap()).await;
}

/// Waits until the desk knows the wording as it is: only what changes afterwards is a change.
async fn wording_is_known(test: &OutboxFixture) {
    let store = rusqlite::Connection::open(test.folder.path().join("desk/desk.sqlite")).unwrap();
    let known = || {
        let sql = "SELECT count(*) FROM event_wordings WHERE known <> ''";
        store.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap_or_default() > 0
    };
    let begun = std::time::Instant::now();
    while !known() {
        assert!(begun.elapsed() < Duration::from_secs(90), "the wording is never asked for");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The service's webhook is gone and the desk does not know: all eight kinds are found by asking.
#[tokio::test(flavor = "multi_thread")]
async fn every_kind_that_was_missed_is_found_by_asking() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    desk.set_event_pace(quick());
    let _work = desk.begin_events();
    desk.events_subscribe(Nothing {}).await.unwrap();
    let quote = question("TX", "PN", &[("GEN-1002", "1000")]);
    desk.quote_calculate(quote).await.unwrap();
    let batch = sent(&desk, many("h", 1)).await;
    wording_is_known(&test).await;
    change_wording(&test, "One").await;
    let is_told = |event: &EventView| event.received_at.is_some() && event.check == EventCheck::Confirmed;
    await_kind(&desk, EventKind::StampWordingChanged, 1, is_told).await;

    remove_webhooks_at_service(&test, &desk).await;
    change_wording(&test, "Two").await;
    file(&test, &batch).await;
    for action in ["assign_number", "pay"] {
        let action = serde_json::json!({ "action": action, "which": { "batch_id": batch.batch_ids[0] } });
        act(&test, serde_json::from_value(action).unwrap()).await;
    }
    sent(&desk, many("i", 1)).await;
    act(&test, PracticeAction::SetSpeed { rows_per_second: Some(0), seconds_per_batch: None }).await;
    let failed = queue(&desk, "gone.csv", many("j", 1)).await.unwrap();
    let id = loop {
        let now = desk.batch_show(BatchId { id: failed.id.clone() }).await.unwrap();
        match now.batch_ids.into_iter().next() {
            Some(id) => break id,
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    act(&test, PracticeAction::FailBatch { batch_id: id }).await;

    for (what, told, found) in [
        (EventKind::StampWordingChanged, 1, 1),
        (EventKind::Filed, 0, 1),
        (EventKind::NumberAssigned, 0, 1),
        (EventKind::SlTaxPaid, 0, 1),
        (EventKind::StampingFeePaid, 0, 1),
        (EventKind::TaxesAndFeesPaid, 0, 1),
        (EventKind::BatchProcessed, 1, 1),
        (EventKind::BatchFailed, 0, 1),
    ] {
        await_kind(&desk, what, told + found, |event| event.check == EventCheck::Confirmed).await;
        let missed = of_kind(&desk, what).await.into_iter().filter(|event| event.received_at.is_none());
        assert_eq!(missed.filter(|event| !event.read).count(), found, "{what:?}");
    }
}

/// Nothing is asked for by the worker: a refresh of the transactions finds it.
#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_finds_what_was_missed_and_nothing_that_was_before() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    desk.set_event_pace(patient());
    let _work = desk.begin_events();
    desk.events_subscribe(Nothing {}).await.unwrap();
    remove_webhooks_at_service(&test, &desk).await;
    // Not sent from this desk: what is true of them when they are first seen is no news.
    let rows = many("n", 2);
    let body = serde_json::json!({ "transactions": rows });
    let batch = test.ask("POST", "api/v4/transaction-import.json", body).await["batch_id"].clone();
    let results = format!("api/v4/transaction-import-results.json?batch_id={}", batch.as_str().unwrap());
    while test.ask("GET", &results, serde_json::json!(null)).await["status"] != "processed" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let play = async |action: &str| {
        let action = serde_json::json!({ "action": action, "which": { "ids": ["n00000"] } });
        act(&test, serde_json::from_value(action).unwrap()).await;
        desk.transactions_refresh(TransactionsRefresh::default()).await.unwrap();
        let state = desk.transactions_refresh_wait().await.unwrap();
        assert_eq!(state.stage, RefreshStage::Done, "{state:?}");
    };
    play("file").await;
    assert!(all(&desk).await.is_empty(), "{:?}", all(&desk).await);
    play("assign_number").await;
    await_kind(&desk, EventKind::NumberAssigned, 1, |event| event.received_at.is_none() && !event.read).await;
    assert_eq!(all(&desk).await.len(), 1);
}

/// Moves the service's clock on until nothing waits any more.
async fn given_up(test: &OutboxFixture) {
    for _ in 0..600 {
        let PracticeAnswer::Queue { deliveries, .. } = act(test, PracticeAction::LookAtQueue).await else {
            panic!("no queue")
        };
        match deliveries.first() {
            None => return,
            // The attempt that follows at once is in progress.
            Some(delivery) if delivery.failures < 2 => {}
            Some(_) => {
                act(test, PracticeAction::MoveClock { seconds: 30 * 60 }).await;
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it is not given up");
}
