//! Subscribe, send, hear of it; pull the plug and find what was missed.

use std::time::Duration;

use bordereau_desk::api::*;
use bordereau_desk::{Desk, EventPace, PracticeAction, PracticeAnswer};

use crate::events_receiver::until;
use crate::outbox_house::{OutboxHouse, many};

fn quick() -> EventPace {
    EventPace {
        look: Duration::from_millis(100),
        first: Duration::from_millis(200),
        longest: Duration::from_secs(1),
        at_once: 20,
        refollow: Duration::from_millis(50),
    }
}

/// As a person would wait: nothing is asked for behind the events' back.
fn patient() -> EventPace {
    EventPace { look: Duration::from_secs(3_600), first: Duration::from_secs(3_600), ..quick() }
}

async fn all(desk: &Desk) -> Vec<EventView> {
    desk.events_list(EventsRequest { count: 200, ..EventsRequest::default() }).await.unwrap().events
}

async fn act(house: &OutboxHouse, action: PracticeAction) -> PracticeAnswer {
    house.service.as_ref().unwrap().practice().act(action).await.unwrap()
}

async fn file(house: &OutboxHouse, batch: &BatchView) {
    for id in &batch.batch_ids {
        let action = serde_json::json!({ "action": "file", "which": { "batch_id": id } });
        act(house, serde_json::from_value(action).unwrap()).await;
    }
}

async fn of_kind(desk: &Desk, what: EventWhat) -> Vec<EventView> {
    all(desk).await.into_iter().filter(|event| event.what == what).collect()
}

/// Waits until there are so many of a kind, and they are as they should be.
async fn await_kind(desk: &Desk, what: EventWhat, count: usize, is_so: impl Fn(&EventView) -> bool) {
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
    let house = OutboxHouse::new().await;
    let desk = house.desk();
    desk.set_event_pace(patient());
    let _work = desk.begin_events();
    let settings = desk.events_subscribe(Nothing {}).await.unwrap();
    assert!(settings.subscribed && settings.one_click && settings.has_secret, "{settings:?}");
    assert!(settings.address.starts_with("http://127.0.0.1:"), "{}", settings.address);
    until(&desk, "it receives", |status| status.receiver == ReceiverState::On).await;

    let batch = desk.outbox_queue("week.csv", many("e", 3)).await.unwrap();
    let is_true = |event: &EventView| event.received_at.is_some() && event.check == EventCheck::Confirmed;
    await_kind(&desk, EventWhat::BatchProcessed, 1, is_true).await;
    let batch = desk.batch_show(BatchId { id: batch.id }).await.unwrap();
    assert_eq!(batch.state, BatchState::Processed);
    let event = of_kind(&desk, EventWhat::BatchProcessed).await.remove(0);
    assert_eq!((event.title.as_str(), event.batch_here), ("week.csv processed", Some(batch.id.clone())));
    assert_eq!(event.signature, EventSignature::Valid);

    file(&house, &batch).await;
    await_kind(&desk, EventWhat::Filed, 3, is_true).await;
    let request = EventsRequest { batch: batch.batch_ids[0].clone(), count: 200, ..EventsRequest::default() };
    assert_eq!(desk.events_list(request).await.unwrap().total, 4, "the batch and its transactions");
    let status = desk.events_status(Nothing {}).await.unwrap();
    assert_eq!((status.unread, status.refused), (4, 0));

    let settings = desk.events_unsubscribe(Nothing {}).await.unwrap();
    assert!(!settings.subscribed && !settings.has_secret);
}

/// The receiver is away for two hours of the service's clock: it tries as the contract says, writes, and gives
/// up; when the receiver is back, what was missed is found by asking.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_missed_while_the_plug_was_pulled_is_found_by_asking() {
    let house = OutboxHouse::new().await;
    let desk = house.desk();
    desk.set_event_pace(patient());
    let work = desk.begin_events();
    desk.events_subscribe(Nothing {}).await.unwrap();
    let batch = desk.outbox_queue("week.csv", many("g", 1)).await.unwrap();
    await_kind(&desk, EventWhat::BatchProcessed, 1, |event| event.check == EventCheck::Confirmed).await;
    let batch = desk.batch_show(BatchId { id: batch.id }).await.unwrap();

    let address = desk.events_settings(Nothing {}).await.unwrap().address;
    drop(work);
    // The port is closed when the task has ended.
    let socket = address.trim_start_matches("http://").split('/').next().unwrap_or_default().to_owned();
    while tokio::net::TcpStream::connect(&socket).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    file(&house, &batch).await;
    given_up(&house).await;
    let PracticeAnswer::Mail { mail } = act(&house, PracticeAction::ReadMail).await else {
        panic!("no mail")
    };
    assert_eq!(mail.len(), 1, "{mail:?}");
    let notices = desk.events_notices(Nothing {}).await.unwrap().notices;
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!(notices[0].event, "webhook.transaction.status.filed");

    desk.set_event_pace(quick());
    let _work = desk.begin_events();
    await_kind(&desk, EventWhat::Filed, 1, |event| event.received_at.is_none() && !event.read).await;
    let found = of_kind(&desk, EventWhat::Filed).await.remove(0);
    assert_eq!(found.signature, EventSignature::None);

    // Sent again by hand it becomes the same event, received.
    until(&desk, "it receives again", |status| status.receiver == ReceiverState::On).await;
    desk.events_send_again(SendAgain { delivery: notices[0].delivery_id.clone() }).await.unwrap();
    await_kind(&desk, EventWhat::Filed, 1, |event| event.received_at.is_some() && event.found_at.is_some())
        .await;
}

/// Moves the service's clock on until nothing waits any more.
async fn given_up(house: &OutboxHouse) {
    for _ in 0..600 {
        let PracticeAnswer::Queue { deliveries, .. } = act(house, PracticeAction::LookAtQueue).await else {
            panic!("no queue")
        };
        match deliveries.first() {
            None => return,
            // The attempt that follows at once is under way.
            Some(delivery) if delivery.failures < 2 => {}
            Some(_) => {
                act(house, PracticeAction::MoveClock { seconds: 30 * 60 }).await;
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it is not given up");
}
