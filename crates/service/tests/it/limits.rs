//! 10,000 requests a minute for an account over all endpoints (contract section 7).

use std::sync::Arc;

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{CALCULATOR, service, texas};

#[tokio::test(flavor = "multi_thread")]
async fn the_limit_holds_until_the_next_minute() {
    let service = Arc::new(service().await);
    let (access, _) = service.sign_in().await; // the first request of this minute
    // An empty body is refused quickly, but counts.
    let many = (0..8).map(|_| {
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            for _ in 0..1_249 {
                service.calculate_text("").await.expect(400);
            }
        })
    });
    for one in many.collect::<Vec<_>>() {
        one.await.unwrap();
    }
    for _ in 0..7 {
        service.calculate(&texas()).await.expect(200);
    }
    let refused = service.calculate(&texas()).await.expect(429);
    assert_eq!(refused.header("retry-after"), "30", "the clock shows half past the minute");
    let by_token = service.bare(Method::POST, CALCULATOR).bearer_auth(&access).json(&texas());
    service.send(by_token).await.expect(429);
    let requests = service.practice(Method::GET, "requests", None).await.expect(200).json();
    assert_eq!(requests["accounts"][0]["this_minute"], 10_002, "{requests}");
    assert_eq!(requests["limit_per_minute"], 10_000);

    let other = json!({"name": "Other", "username": "other"});
    let other: Value = service.practice(Method::POST, "accounts", Some(other)).await.expect(201).json();
    let key = other["api_key"].as_str().unwrap();
    let foreign = service.bare(Method::POST, CALCULATOR).header("apiKey", key).json(&texas());
    service.send(foreign).await.expect(200);

    service.clock.advance(29);
    let refused = service.calculate(&texas()).await.expect(429);
    assert_eq!(refused.header("retry-after"), "1");
    service.clock.advance(1);
    service.calculate(&texas()).await.expect(200);
}
