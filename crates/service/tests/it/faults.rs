//! Faults that were asked for.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Service, service, texas};

async fn ask(service: &Service, fault: Value) {
    service.practice(Method::POST, "faults", Some(fault)).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_hits_as_often_as_asked() {
    let service = service().await;
    for (kind, status) in [("error_before", 500), ("error_after", 500), ("rate_limit", 429)] {
        ask(&service, json!({"operation": "calculator", "kind": kind, "times": 2})).await;
        service.sign_in().await; // another operation is not hit
        let first = service.calculate(&texas()).await.expect(status);
        assert_eq!(first.header("content-type"), "application/problem+json", "{kind}");
        if status == 429 {
            assert_eq!(first.header("retry-after"), "30");
        }
        service.calculate(&texas()).await.expect(status);
        service.calculate(&texas()).await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn delay_cut_and_half_a_body() {
    let service = service().await;
    ask(&service, json!({"operation": "calculator", "kind": "delay", "delay_ms": 300})).await;
    let started = Instant::now();
    service.calculate(&texas()).await.expect(200);
    assert!(started.elapsed() >= Duration::from_millis(300));

    ask(&service, json!({"operation": "any", "kind": "malformed"})).await;
    let half = service.calculate(&texas()).await.expect(200);
    assert!(serde_json::from_str::<Value>(&half.text).is_err(), "{}", half.text);

    // Twice: the client may try once more by itself when a kept connection closes.
    ask(&service, json!({"operation": "token", "kind": "cut", "times": 2})).await;
    let body = json!({"grant_type": "refresh_token", "refresh_token": "bdr_unknown"});
    let cut = service.bare(Method::POST, crate::harness::TOKEN).json(&body).send().await;
    assert!(cut.is_err(), "no answer comes: {cut:?}");
    service.practice(Method::DELETE, "faults", None).await.expect(200);
    let left = service.practice(Method::GET, "faults", None).await.expect(200).json();
    assert_eq!(left, json!({"faults": []}));
    service.token(&body).await.expect(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_moves_when_told() {
    let service = service().await;
    let moved = service.practice(Method::POST, "clock", Some(json!({"seconds": 90}))).await.expect(200);
    assert_eq!(moved.json(), json!({"now": "2026-02-23T15:02:00Z", "offset_seconds": 90}));
    let set = json!({"now": "2027-01-01T00:00:00Z"});
    let moved = service.practice(Method::POST, "clock", Some(set)).await.expect(200).json();
    assert_eq!(moved["now"], "2027-01-01T00:00:00Z");
    // The day decides which rules apply when the body names none.
    let mut body = texas();
    body.as_object_mut().unwrap().remove("policy_effective_date");
    service.calculate(&body).await.expect(200);
}
