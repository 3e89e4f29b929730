//! Webhooks: set up, signed, tried, looked after.

use std::collections::BTreeSet;

use bordereau_contract::{
    AccountWebhooks, DeliveryAttempt, DeliveryDetail, Webhook, WebhookDeliveries, WebhookDelivery,
    WebhookNotice, WebhookNotices, WebhookRequest,
};
use reqwest::Method;
use ring::hmac;
use serde_json::{Value, json};

use crate::harness::{service, try_start};
use crate::imports::row;
use crate::receiver::{Receiver, WEBHOOKS, until};

const FILED: &str = "webhook.transaction.status.filed";
const PROCESSED: &str = "webhook.batch.status.processed";

fn signature(secret: &str, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    hmac::sign(&key, body.as_bytes()).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn set_up_changed_and_removed() {
    let service = service().await;
    let body = json!({"title": " Desk ", "description": "notes", "events": [FILED, FILED], "url": "https://example.com/x",
        "header_key": "X-Token", "header_value": "very secret", "states": ["TX", "FL"]});
    let made = service.hooks(Method::POST, "", Some(body.clone())).await.expect(201).json();
    assert_eq!(
        (&made["title"], &made["events"], &made["states"]),
        (&json!("Desk"), &json!([FILED]), &json!(["TX", "FL"]))
    );
    assert_eq!(made["secret"].as_str().unwrap().len(), 20);
    let id = made["id"].as_str().unwrap().to_owned();

    // Shown this once; and of the header's value there is nothing at all.
    let listed = service.hooks(Method::GET, "", None).await.expect(200);
    assert!(!listed.text.contains("secret"), "{}", listed.text);
    assert_eq!(listed.json()["webhooks"][0]["id"], json!(id));

    let mut changed = body;
    changed["title"] = json!("Other");
    changed["header_value"] = json!("");
    service.hooks(Method::PUT, &format!("/{id}"), Some(changed.clone())).await.expect(200);
    let shown = service.hooks(Method::GET, &format!("/{id}"), None).await.expect(200).json();
    assert_eq!(shown["title"], "Other");
    let fresh = service.hooks(Method::POST, &format!("/{id}/secret"), None).await.expect(200).json();
    assert_ne!(fresh["secret"], made["secret"]);

    // The value was given for that header; under another name it would go out as something else.
    changed["header_key"] = json!("X-Other");
    let refused = service.hooks(Method::PUT, &format!("/{id}"), Some(changed.clone())).await.expect(422);
    assert_eq!(refused.pointers(), ["/header_value"]);
    changed["header_key"] = json!("X-Token");

    changed["url"] = json!("http://10.0.0.1/");
    changed["title"] = json!("");
    let refused = service.hooks(Method::PUT, &format!("/{id}"), Some(changed)).await.expect(422);
    assert_eq!(refused.pointers(), ["/title", "/url"]);
    for bad in
        [json!({"events": ["webhook.unknown"]}), json!({"states": ["ZZ"]}), json!({"other": 1}), json!([])]
    {
        let refused = service.hooks(Method::POST, "", Some(bad)).await;
        assert!(refused.status.is_client_error(), "{}", refused.text);
    }

    service.hooks(Method::DELETE, &format!("/{id}"), None).await.expect(200);
    service.hooks(Method::DELETE, &format!("/{id}"), None).await.expect(404);
    let none = service.hooks(Method::GET, "", None).await.expect(200).json();
    assert_eq!(none, json!({"webhooks": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_account_sees_nothing_of_it() {
    let service = service().await;
    let receiver = Receiver::start().await;
    let (id, _) = service.subscribe(&receiver.url(), &[FILED]).await;
    service.imported(&[row("a")]).await;
    service.act(json!({"action": "file", "which": {"ids": ["a"]}})).await;
    let delivery = service.wait_for_delivery(&id, 1, "delivered").await["id"].clone();
    let other = service
        .practice(Method::POST, "accounts", Some(json!({"name": "Other", "username": "other"})))
        .await
        .expect(201)
        .json();
    let key = other["api_key"].as_str().unwrap();
    for (method, path, status) in [
        (Method::GET, format!("/{id}"), 404),
        (Method::DELETE, format!("/{id}"), 404),
        (Method::POST, format!("/{id}/test"), 404),
        (Method::GET, format!("/{id}/deliveries"), 404),
        (Method::GET, format!("/deliveries/{delivery}"), 404),
        (Method::POST, format!("/deliveries/{delivery}/redeliver"), 404),
    ] {
        let request = service.bare(method, &format!("{WEBHOOKS}{path}")).header("apiKey", key);
        service.send(request).await.expect(status);
    }
    service.send(service.bare(Method::GET, WEBHOOKS)).await.expect(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_is_signed_and_carries_the_header() {
    let service = service().await;
    let receiver = Receiver::start().await;
    let body = json!({"title": "Desk", "events": [PROCESSED], "url": receiver.url(),
        "header_key": "X-Token", "header_value": "abc 123"});
    let made = service.hooks(Method::POST, "", Some(body)).await.expect(201).json();
    let (id, secret) = (made["id"].as_str().unwrap(), made["secret"].as_str().unwrap());
    service.imported(&[row("a")]).await;
    let received = receiver.wait_for(1).await.remove(0);
    let header = |name: &str| received.headers[name].to_str().unwrap().to_owned();
    assert_eq!(header("x-hmac-signature"), signature(secret, &received.text));
    assert_eq!((header("x-token"), header("content-type")), ("abc 123".into(), "application/json".into()));

    let delivery = service.wait_for_delivery(id, 1, "delivered").await;
    let detail =
        service.hooks(Method::GET, &format!("/deliveries/{}", delivery["id"]), None).await.expect(200).json();
    assert_eq!(detail["body"], json!(received.text));
    assert_eq!(
        (&detail["log"][0]["response_status"], &detail["log"][0]["response_body"]),
        (&json!(200), &json!("said 200"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_delivery_says_what_came_of_it() {
    let service = service().await;
    let receiver = Receiver::start().await;
    let (id, secret) = service.subscribe(&receiver.url(), &[FILED]).await;
    receiver.answer(&[200, 500, 302]);
    for (status, error) in [
        (200, Value::Null),
        (500, json!("Answered with 500; only 200 counts as received.")),
        (302, json!("Answered with 302; redirects are not followed.")),
    ] {
        let outcome = service.hooks(Method::POST, &format!("/{id}/test"), None).await.expect(200).json();
        assert_eq!((&outcome["response_status"], &outcome["error"]), (&json!(status), &error));
    }
    let received = receiver.received();
    assert_eq!(received.len(), 3, "none is tried twice, no redirect is followed");
    assert_eq!(received[0].json()["event"], "webhook.test");
    assert_ne!(received[0].json()["event_id"], received[1].json()["event_id"]);
    assert_eq!(
        received[0].headers["x-hmac-signature"].to_str().unwrap(),
        signature(&secret, &received[0].text)
    );
    assert!(service.deliveries(&id).await.is_empty());

    // Nobody listens there any more.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (id, _) = service.subscribe(&format!("http://{gone}/"), &[FILED]).await;
    let outcome = service.hooks(Method::POST, &format!("/{id}/test"), None).await.expect(200).json();
    assert_eq!(outcome["response_status"], Value::Null);
    assert!(outcome["error"].as_str().unwrap().starts_with("No answer:"), "{outcome}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_delivered_is_delivered_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let receiver = Receiver::start().await;
    receiver.answer(&[500, 500]);
    let first = try_start(Some(dir.path()), Default::default()).await.unwrap();
    let (id, secret) = first.subscribe(&receiver.url(), &[FILED]).await;
    first.imported(&[row("a")]).await;
    first.act(json!({"action": "file", "which": {"ids": ["a"]}})).await;
    first.wait_for_delivery(&id, 2, "waiting").await;
    let database = std::fs::read(dir.path().join("practice.sqlite")).unwrap();
    let kept = |secret: &str| database.windows(secret.len()).any(|window| window == secret.as_bytes());
    assert!(!kept(&secret), "the secret is not readable in the database");
    first.running.stop().await;

    // The clock of the harness has not moved: nothing is due before half an hour has passed.
    let second = try_start(Some(dir.path()), Default::default()).await.unwrap();
    second.clock.advance(1_799);
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert_eq!(receiver.received().len(), 2);
    second.clock.advance(1);
    let received = receiver.wait_for(3).await;
    assert_eq!(received[2].text, received[0].text);
    assert_eq!(
        received[2].headers["x-hmac-signature"].to_str().unwrap(),
        signature(&secret, &received[0].text)
    );
    second.wait_for_delivery(&id, 3, "delivered").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_endpoint_holds_up_nobody_else() {
    let service = service().await;
    let (dead, alive) = (Receiver::start().await, Receiver::start().await);
    dead.fall_silent();
    let (dead_id, _) = service.subscribe(&dead.url(), &[FILED]).await;
    service.subscribe(&alive.url(), &[FILED]).await;
    let rows: Vec<Value> = (0..100).map(|number| row(&format!("r{number}"))).collect();
    let batch = service.accepted(&rows).await;
    service.processed(&batch).await;
    service.act(json!({"action": "file", "which": {"batch_id": batch}})).await;
    assert_eq!(alive.wait_for(100).await.len(), 100);
    let waiting = service.deliveries(&dead_id).await;
    assert!(waiting.iter().all(|delivery| delivery["status"] == "waiting"));
    // A removed webhook leaves nothing waiting.
    service.hooks(Method::DELETE, &format!("/{dead_id}"), None).await.expect(200);
    until(|| async { service.practice(Method::GET, "queue", None).await.json()["deliveries_waiting"] == 0 })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_one_subject_arrive_in_their_order() {
    let service = service().await;
    let receiver = Receiver::start().await;
    let number = "webhook.transaction.sla-transaction-number.updated";
    service.subscribe(&receiver.url(), &[FILED, number]).await;
    service.imported(&[row("a"), row("b")]).await;
    // The first delivery fails twice: what follows it for the same transaction waits, the other does not.
    receiver.answer(&[500, 500]);
    service.act(json!({"action": "file", "which": {"ids": ["a"]}})).await;
    receiver.wait_for(2).await;
    service.act(json!({"action": "assign_number", "which": {"ids": ["a"]}, "number": "1"})).await;
    service.act(json!({"action": "assign_number", "which": {"ids": ["a"]}, "number": "2"})).await;
    service.act(json!({"action": "file", "which": {"ids": ["b"]}})).await;
    let received = receiver.wait_for(3).await;
    assert_eq!(received[2].json()["policy_number"], "P-b");
    service.clock.advance(1_800);
    let received = receiver.wait_for(6).await;
    let of_a: Vec<_> = received[3..].iter().map(|received| received.json()).collect();
    assert_eq!(of_a[0]["event"], json!(FILED));
    assert_eq!(
        (&of_a[1]["transaction_id_number"], &of_a[2]["transaction_id_number"]),
        (&json!("1"), &json!("2"))
    );
}

#[test]
fn the_schemas_have_the_fields_of_the_wire_types() {
    let document: Value = serde_json::from_str(bordereau_service::openapi::document_text()).unwrap();
    let value = |result: Result<Value, serde_json::Error>| result.unwrap();
    let webhook = Webhook { secret: Some(String::new()), ..Webhook::default() };
    for (schema, wire) in [
        ("WebhookRequest", value(serde_json::to_value(WebhookRequest::default()))),
        ("Webhook", value(serde_json::to_value(webhook))),
        ("AccountWebhooks", value(serde_json::to_value(AccountWebhooks::default()))),
        ("WebhookDelivery", value(serde_json::to_value(WebhookDelivery::default()))),
        ("WebhookDeliveries", value(serde_json::to_value(WebhookDeliveries::default()))),
        ("DeliveryDetail", value(serde_json::to_value(DeliveryDetail::default()))),
        ("DeliveryAttempt", value(serde_json::to_value(DeliveryAttempt::default()))),
        ("WebhookNotice", value(serde_json::to_value(WebhookNotice::default()))),
        ("WebhookNotices", value(serde_json::to_value(WebhookNotices::default()))),
    ] {
        let listed = &document["components"]["schemas"][schema]["properties"];
        let names = |object: &Value| object.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(names(listed), names(&wire), "{schema}");
    }
    for path in ["", "/{id}", "/{id}/test", "/deliveries/{id}/redeliver", "/notices"] {
        assert!(document["paths"][format!("{WEBHOOKS}{path}")].is_object(), "{path}");
    }
    let one = &document["paths"][format!("{WEBHOOKS}/{{id}}")];
    assert!(one["get"].is_object() && one["put"].is_object() && one["delete"].is_object());
}
