//! Webhooks from the window: set up, tried, looked after, and sent again.

use bordereau_desk::api::*;

use crate::events_receiver::until;
use crate::other_service::reply;
use crate::outbox_fixture::{OutboxFixture, many, queue};
use crate::outbox_proof::office;

fn elsewhere(url: &str) -> SaveWebhook {
    SaveWebhook {
        title: "Archive".into(),
        events: vec!["webhook.batch.status.processed".into()],
        url: url.into(),
        ..SaveWebhook::default()
    }
}

fn page(webhook: &str, state: Option<DeliveryStatus>) -> DeliveriesRequest {
    DeliveriesRequest { webhook: webhook.into(), state, count: 50 }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_set_up_tried_and_its_failures_are_looked_at_and_sent_again() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hooks", nobody.local_addr().unwrap());
    // No one listens there any more.
    drop(nobody);
    let made = desk.webhook_save(elsewhere(&url)).await.unwrap();
    assert_eq!(made.secret.len(), 20, "a new one shows its secret");
    assert!(!format!("{made:?}").contains(&made.secret));
    let id = made.webhook.id.clone();
    let list = desk.webhook_list(Nothing {}).await.unwrap();
    assert!(list.available && list.webhooks == [made.webhook.clone()] && list.kinds.len() == 8, "{list:?}");
    assert!(!serde_json::to_string(&list).unwrap().contains(&made.secret), "only when it was made");

    let change = SaveWebhook {
        id: id.clone(),
        title: "Archive of batches".into(),
        states: vec!["tx".into()],
        ..elsewhere(&url)
    };
    let changed = desk.webhook_save(change).await.unwrap();
    assert_eq!((changed.secret.as_str(), changed.webhook.states.as_slice()), ("", &["TX".to_owned()][..]));
    let renewed = desk.webhook_new_secret(WebhookId { id: id.clone() }).await.unwrap();
    assert!(renewed.secret.len() == 20 && renewed.secret != made.secret);
    let tried = desk.webhook_try(WebhookId { id: id.clone() }).await.unwrap();
    assert!(tried.response_status.is_none() && !tried.error.is_empty(), "{tried:?}");

    queue(&desk, "week.csv", many("h", 2)).await.unwrap();
    let waiting = loop {
        let mut found = desk.deliveries_list(page(&id, Some(DeliveryStatus::Waiting))).await.unwrap();
        // The first two attempts follow each other at once; then it waits for half an hour.
        match found.deliveries.pop() {
            Some(delivery) if delivery.attempts == 2 => break delivery,
            _ => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
        }
    };
    assert_eq!(waiting.title, "Batch processed");
    assert!(waiting.next_attempt_at.is_some() && !waiting.error.is_empty(), "{waiting:?}");
    let log = desk.delivery_log(DeliveryId { id: waiting.id.clone() }).await.unwrap();
    assert_eq!((log.tries.len(), log.delivery.id.as_str()), (2, waiting.id.as_str()));
    assert!(log.tries.iter().all(|one| !one.error.is_empty()) && log.tries[0].at >= log.tries[1].at);
    assert!(log.body.contains("webhook.batch.status.processed") && log.bytes > 0);

    desk.events_send_again(SendAgain { delivery: waiting.id.clone() }).await.unwrap();
    while desk.delivery_log(DeliveryId { id: waiting.id.clone() }).await.unwrap().tries.len() < 4 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let left = desk.webhook_remove(WebhookId { id: id.clone() }).await.unwrap();
    assert!(left.webhooks.is_empty());
    let gone = desk.deliveries_list(page(&id, None)).await.unwrap_err();
    assert!(gone.message.contains("no such webhook"), "{}", gone.message);
    assert_eq!(desk.delivery_log(DeliveryId { id: "x".into() }).await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_said_at_its_field() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let cases: [(&str, SaveWebhook); 6] = [
        ("/title", SaveWebhook { title: " ".into(), ..elsewhere("https://archive.example/hooks") }),
        (
            "/events",
            SaveWebhook { events: vec!["webhook.none".into()], ..elsewhere("https://archive.example/") },
        ),
        ("/url", elsewhere("")),
        ("/url", elsewhere("https://user:pass@archive.example/")),
        (
            "/states",
            SaveWebhook { states: vec!["TX".into(), "ZZ".into()], ..elsewhere("https://archive.example/") },
        ),
        (
            "/header_value",
            SaveWebhook { header_name: "X-Door".into(), ..elsewhere("https://archive.example/") },
        ),
    ];
    for (pointer, request) in cases {
        let error = desk.webhook_save(request).await.unwrap_err();
        assert!(error.details.iter().any(|detail| detail.pointer == pointer), "{pointer}: {error:?}");
    }
    assert!(desk.webhook_list(Nothing {}).await.unwrap().webhooks.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn this_computers_own_keeps_its_address_and_hands_a_new_secret_to_the_receiver() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let _work = desk.begin_events();
    desk.events_subscribe(Nothing {}).await.unwrap();
    until(&desk, "it receives", |status| status.receiver == ReceiverState::On).await;
    let own = desk.webhook_list(Nothing {}).await.unwrap().webhooks.remove(0);
    assert!(own.here && own.url.starts_with("http://127.0.0.1:"), "{own:?}");
    let change =
        SaveWebhook { id: own.id.clone(), title: "Mine".into(), ..elsewhere("https://archive.example/") };
    let changed = desk.webhook_save(change).await.unwrap().webhook;
    assert_eq!((changed.title.as_str(), &changed.url), ("Mine", &own.url));
    let renewed = desk.webhook_new_secret(WebhookId { id: own.id.clone() }).await.unwrap();
    assert_eq!(renewed.secret, "", "the receiver has it");
    // Whatever the receiver still held, it takes the new one in a moment.
    loop {
        let tried = desk.webhook_try(WebhookId { id: own.id.clone() }).await.unwrap();
        if tried.response_status == Some(200) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    desk.events_subscribe(Nothing {}).await.unwrap();
    let renewed = desk.webhook_list(Nothing {}).await.unwrap().webhooks.remove(0);
    assert_eq!((renewed.title.as_str(), renewed.events.len()), ("Mine", 1), "what a person chose stays");
    desk.webhook_remove(WebhookId { id: own.id }).await.unwrap();
    assert!(!desk.events_settings(Nothing {}).await.unwrap().subscribed);

    // The receiver still runs for the Practice profile; of this one nothing says how a delivery is verified.
    test.office(&desk).await;
    until(&desk, "nothing is received for a profile without a secret", |status| {
        status.receiver == ReceiverState::Off
    })
    .await;
}

/// A service that adds a webhook and does not say its id: what was asked for is shown, and where to find it.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_webhook_without_an_id_is_shown_as_it_was_asked_for() {
    for (answer, secret) in [
        (r#"{"webhook":{"url":"https://archive.example/"},"signing_secret":"abcdefgh"}"#, "abcdefgh"),
        (r#"{"data":{"created_at":"2026-02-23T00:00:00Z","waiting":0}}"#, ""),
    ] {
        let (_test, desk, _service) = office(move |_| reply(answer)).await;
        let made = desk.webhook_save(elsewhere("https://archive.example/")).await.unwrap();
        assert_eq!((made.secret.as_str(), made.webhook.id.as_str()), (secret, ""), "{answer}");
        let shown = (made.webhook.title.as_str(), made.webhook.url.as_str(), made.webhook.events.len());
        assert_eq!(shown, ("Archive", "https://archive.example/", 1), "{answer}");
        assert!(made.note.contains("gave no id: look for its address in the list"), "{}", made.note);
        assert_eq!(made.note.contains("named no secret"), secret.is_empty(), "{}", made.note);
    }
}
