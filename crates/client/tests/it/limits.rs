//! The limit of requests and `Retry-After` (contract section 7).

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bordereau_client::ClientError;
use tokio::task::JoinSet;

use crate::practice::{Practice, texas};
use crate::scripted::{Scripted, answer, quote_answer};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn under_load_no_window_holds_more_than_the_limit() {
    const LIMIT: usize = 40;
    const WINDOW: Duration = Duration::from_millis(600);
    let times = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = times.clone();
    let service = Scripted::start(move |_| {
        seen.lock().expect("times").push(Instant::now());
        quote_answer()
    })
    .await;
    let mut config = service.config();
    config.requests_per_minute = u32::try_from(LIMIT).expect("small");
    config.limit_window = WINDOW;
    let store = Arc::new(bordereau_client::MemoryTokens::new());
    let credentials = bordereau_client::Credentials::with_api_key("k");
    let client = bordereau_client::Client::new(config, credentials, store).expect("a client");
    let began = Instant::now();
    let mut calls = JoinSet::new();
    for _ in 0..3 * LIMIT {
        let client = client.clone();
        calls.spawn(async move { client.calculate(&texas()).await });
    }
    while let Some(outcome) = calls.join_next().await {
        outcome.expect("no panic").expect("a quote");
    }
    let times = times.lock().expect("times").clone();
    // The first one may have been seen late.
    let spread = times.iter().max().expect("some").duration_since(began);
    assert_eq!(times.len(), 3 * LIMIT);
    assert!(spread >= WINDOW * 2, "three windows are needed: {spread:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_practice_service_never_refuses_a_client_at_its_limit() {
    let practice = Practice::start().await;
    let mut config = practice.config();
    config.requests_per_minute = 200;
    config.timeouts.overall = Duration::from_secs(20);
    let client = practice.with_key(config);
    let mut calls = JoinSet::new();
    for _ in 0..260 {
        let client = client.clone();
        calls.spawn(async move { client.calculate(&texas()).await });
    }
    let (mut quotes, mut held_back) = (0, 0);
    while let Some(outcome) = calls.join_next().await {
        match outcome.expect("no panic") {
            Ok(_) => quotes += 1,
            Err(ClientError::RateLimited { retry_after }) if retry_after > Duration::from_secs(30) => {
                held_back += 1
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!((quotes, held_back), (200, 60));
    assert_eq!(practice.counted().await, 200, "what is held back is never sent");
    assert_eq!(client.request_usage(), (200, 200));
}

#[tokio::test]
async fn a_429_of_the_service_holds_back_every_request() {
    let practice = Practice::start().await;
    let mut config = practice.config();
    config.timeouts.overall = Duration::from_secs(3);
    let client = practice.with_key(config);
    practice.fault("calculator", "rate_limit", 1).await;
    let error = client.calculate(&texas()).await.expect_err("a minute is too long");
    assert!(matches!(error, ClientError::RateLimited { .. }), "{error}");
    let other = client.clone();
    let error = other.calculate(&texas()).await.expect_err("the others wait too");
    assert!(
        matches!(error, ClientError::RateLimited { retry_after } if retry_after > Duration::from_secs(50)),
        "{error}"
    );
    assert_eq!(client.request_usage().0, 1, "nothing more was sent");
}

#[tokio::test]
async fn retry_after_is_obeyed_as_seconds_and_as_date() {
    for header in [
        "retry-after: 1\r\n",
        "date: Fri, 20 Nov 2026 10:00:00 GMT\r\nretry-after: Fri, 20 Nov 2026 10:00:01 GMT\r\n",
    ] {
        for status in [429, 503] {
            let asked = AtomicU32::new(0);
            let service = Scripted::start(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
                0 => answer(status, header, ""),
                _ => quote_answer(),
            })
            .await;
            let started = Instant::now();
            service.client().calculate(&texas()).await.expect("after the pause");
            let waited = started.elapsed();
            assert!(
                (Duration::from_millis(990)..Duration::from_secs(20)).contains(&waited),
                "{status} {waited:?}"
            );
            assert_eq!(service.requests().len(), 2);
        }
    }
}
