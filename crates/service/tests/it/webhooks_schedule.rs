//! The retries of the contract, on the virtual clock, against a real endpoint.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::service;
use crate::imports::row;
use crate::receiver::{Receiver, WEBHOOKS};
use crate::strangers::other_account;

const FILED: &str = "webhook.transaction.status.filed";

#[tokio::test(flavor = "multi_thread")]
async fn four_failures_then_the_mail_and_the_notification() {
    let service = service().await;
    let receiver = Receiver::start().await;
    let (id, _) = service.subscribe(&receiver.url(), &[FILED]).await;
    service.imported(&[row("a")]).await;
    receiver.answer(&[500, 201, 404, 503]);
    service.act(json!({"action": "file", "which": {"ids": ["a"]}})).await;

    // At once, and at once again; then 30 minutes after failure 1.
    let second = service.wait_for_delivery(&id, 2, "waiting").await;
    assert_eq!(second["next_attempt_at"], "2026-02-23T15:30:30Z");
    assert_eq!(second["error"], "Answered with 201; only 200 counts as received.");
    service.clock.advance(1_800);
    // 30 minutes after failure 2, which came at once: the same instant, and so at once.
    let given_up = service.wait_for_delivery(&id, 4, "failed").await;
    assert_eq!(given_up["finished_at"], "2026-02-23T15:30:30Z");
    assert_eq!(receiver.received().len(), 4);

    let notices = service.hooks(Method::GET, "/notices", None).await.expect(200).json();
    let notice = &notices["notices"][0];
    let event_id = receiver.received()[0].json()["event_id"].clone();
    for (name, expected) in [
        ("webhook_title", json!("Desk")),
        ("event", json!(FILED)),
        ("endpoint_url", json!(receiver.url())),
        ("timestamp", json!("2026-02-23 15:30:30")),
        ("failed_event_id", json!(event_id.to_string())),
        ("response_status", json!(503)),
        ("response_body", json!("said 503")),
    ] {
        assert_eq!(notice[name], expected, "{name}");
    }
    let (_, key) = other_account(&service).await;
    let others = service.bare(Method::GET, &format!("{WEBHOOKS}/notices")).header("apiKey", key);
    assert_eq!(service.send(others).await.expect(200).json()["notices"], json!([]), "of the account alone");
    let mail = service.practice(Method::GET, "mail", None).await.expect(200).json();
    let mail = mail["mail"].as_array().unwrap().clone();
    assert_eq!(mail.len(), 1);
    assert_eq!(mail[0]["subject"], "Webhook \"Desk\" could not be delivered: Filed with the state");
    let text = mail[0]["text"].as_str().unwrap();
    assert!(
        text.contains("To import it by hand:") && text.contains("said 503") && text.contains("P-a"),
        "{text}"
    );

    // By hand: a new round, and this time it is received.
    let again = format!("/deliveries/{}/redeliver", given_up["id"]);
    service.hooks(Method::POST, &again, None).await.expect(200);
    service.wait_for_delivery(&id, 1, "delivered").await;
    let detail = service.hooks(Method::GET, &format!("/deliveries/{}", given_up["id"]), None).await.json();
    let statuses: Vec<&Value> =
        detail["log"].as_array().unwrap().iter().map(|a| &a["response_status"]).collect();
    assert_eq!(statuses, [500, 201, 404, 503, 200]);
}

/// Each transaction fails in its own way, and each attempt is due when the schedule says.
#[tokio::test(flavor = "multi_thread")]
async fn a_few_dozen_patterns_on_the_virtual_clock() {
    let service = service().await;
    let receivers = {
        let mut receivers = Vec::new();
        for pattern in 0..32u32 {
            let receiver = Receiver::start().await;
            let answers: Vec<u16> =
                (0..4).map(|bit| if pattern >> bit & 1 == 1 { 500 } else { 200 }).collect();
            let failures = answers.iter().take_while(|answer| **answer != 200).count();
            receiver.answer(&answers);
            let (id, _) = service.subscribe(&receiver.url(), &[FILED]).await;
            receivers.push((id, receiver, failures));
        }
        receivers
    };
    service.imported(&[row("a")]).await;
    service.act(json!({"action": "file", "which": {"ids": ["a"]}})).await;
    for (id, _, failures) in &receivers {
        let (attempts, status) = if *failures < 2 { (failures + 1, "delivered") } else { (2, "waiting") };
        service.wait_for_delivery(id, u64::try_from(attempts).unwrap(), status).await;
    }
    service.clock.advance(1_799);
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert!(receivers.iter().all(|(_, receiver, _)| receiver.received().len() <= 2));
    service.clock.advance(1);
    for (id, receiver, failures) in &receivers {
        let (attempts, status) = if *failures < 4 { (failures + 1, "delivered") } else { (4, "failed") };
        service.wait_for_delivery(id, u64::try_from(attempts).unwrap(), status).await;
        assert_eq!(receiver.received().len(), attempts);
    }
}
