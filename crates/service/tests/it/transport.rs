//! The listener: plain HTTP, odd clients, many at once, a clean end.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Method;

use crate::harness::{CALCULATOR, client, service, texas};

fn exchange(address: std::net::SocketAddr, send: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
    stream.write_all(send).unwrap();
    let mut answer = Vec::new();
    // A reset after the answer is as good as an end.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_http_gets_a_sentence_and_nothing_else() {
    let service = service().await;
    let address = service.running.address;
    let key = service.running.api_key.clone();
    let request = format!("GET /practice/clock HTTP/1.1\r\nhost: x\r\napikey: {key}\r\n\r\n");
    let answer = tokio::task::spawn_blocking(move || exchange(address, request.as_bytes())).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert!(answer.contains("HTTPS only"), "{answer}");
    let noise = tokio::task::spawn_blocking(move || {
        exchange(address, b"\x16\x03\x01\x00\x16noise that is no TLS\r\n")
    });
    assert!(!noise.await.unwrap().contains("HTTP/1.1 2"));
    service.calculate(&texas()).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_its_own_authority_vouches_for_it() {
    let (service, other) = (service().await, crate::harness::service().await);
    let stranger = client(&other.running.ca_pem);
    let refused = stranger.get(service.url("/openapi.json")).send().await;
    assert!(refused.is_err(), "each service has its own authority");
    let by_name = service.running.base_url.replace("127.0.0.1", "localhost");
    let answer = service.client.get(format!("{by_name}/openapi.json")).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_and_methods_table() {
    let service = service().await;
    for (method, path, status) in [
        (Method::GET, CALCULATOR, 405),
        (Method::PUT, CALCULATOR, 405),
        (Method::DELETE, "/api/v2/tax-calculator/calculate-general-taxes.json", 405),
        (Method::GET, "/api/oauth2/token", 405),
        (Method::GET, "/", 404),
        (Method::POST, "/api/tax-calculator", 404),
        (Method::POST, "/api/v3/tax-calculator/calculate-general-taxes", 404),
        (Method::POST, "/api/tax-calculator/calculate-general-taxes/", 404),
        (Method::GET, "/practice/", 404),
        (Method::GET, "/../etc/passwd", 404),
    ] {
        let answer = service.send(service.keyed(method.clone(), path)).await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path}: {}", answer.text);
        assert_eq!(answer.header("content-type"), "application/problem+json", "{method} {path}");
        if status == 405 {
            assert_eq!(answer.header("allow"), "POST", "{method} {path}");
        }
        assert!(answer.headers.get("access-control-allow-origin").is_none());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_heads_table() {
    let service = service().await;
    for (name, request, status) in [
        ("long key", service.bare(Method::POST, CALCULATOR).header("apiKey", "x".repeat(20_000)), 401),
        (
            "key that is no text",
            service.bare(Method::POST, CALCULATOR).header("apiKey", b"\xff\xfe".as_slice()),
            401,
        ),
        ("strange host", service.keyed(Method::POST, CALCULATOR).header("host", "a b<script>"), 421),
        ("another host", service.keyed(Method::POST, CALCULATOR).header("host", "evil.example"), 421),
    ] {
        let answer = service.send(request.json(&texas())).await;
        assert_eq!(answer.status.as_u16(), status, "{name}: {}", answer.text);
        assert!(!answer.text.contains("<script>"), "{name}");
    }
    // A client that is still sending when the refusal comes may see only the end of the connection.
    let long = service.keyed(Method::POST, CALCULATOR).header("x-long", "x".repeat(200_000));
    if let Ok(response) = long.json(&texas()).send().await {
        assert_eq!(response.status().as_u16(), 431);
    }
    let mut many = service.keyed(Method::POST, CALCULATOR);
    for at in 0..100 {
        many = many.header(format!("x-{at}"), "x");
    }
    service.send(many.json(&texas())).await.expect(431);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_all_get_the_same_answer() {
    let service = Arc::new(service().await);
    let tasks = (0..32).map(|_| {
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            let mut taxes = Vec::new();
            for _ in 0..10 {
                taxes.push(service.calculate(&texas()).await.expect(200).json()["sl_tax"].clone());
            }
            taxes
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        for tax in task.await.unwrap() {
            assert_eq!(tax.to_string(), "488.46");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn open_requests_are_answered_at_the_end() {
    let service = service().await;
    let fault = serde_json::json!({"operation": "calculator", "kind": "delay", "delay_ms": 700});
    service.practice(Method::POST, "faults", Some(fault)).await.expect(201);
    let request = service.keyed(Method::POST, CALCULATOR).json(&texas());
    let open = tokio::spawn(async move { request.send().await.unwrap().status().as_u16() });
    tokio::time::sleep(Duration::from_millis(250)).await;
    let (client, url) = (service.client.clone(), service.url("/openapi.json"));
    let started = Instant::now();
    service.running.stop().await;
    assert_eq!(open.await.unwrap(), 200);
    assert!(started.elapsed() < Duration::from_secs(4), "idle connections do not hold it up");
    assert!(client.get(url).send().await.is_err(), "nothing answers any more");
}
