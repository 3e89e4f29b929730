//! What strangers try: guessing passwords, reading this machine through webhooks, slow imports, other accounts.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Service, service};
use crate::hostile::begin_request;
use crate::imports::{SINGLE, row};
use crate::receiver::{Receiver, WEBHOOKS};

const FILED: &str = "webhook.transaction.status.filed";

/// An ordinary account beside the practice account: its id and key.
pub async fn other_account(service: &Service) -> (String, String) {
    let body = json!({"name": "Other", "username": "other"});
    let other = service.practice(Method::POST, "accounts", Some(body)).await.expect(201).json();
    let text = |name: &str| other[name].as_str().unwrap().to_owned();
    (text("id"), text("api_key"))
}

async fn try_password(service: &Service, username: &str, password: &str) -> Answer {
    service.token(&json!({"grant_type": "password", "username": username, "password": password})).await
}

/// Forty tries at a username, known or not: the most of them are refused before anything is hashed.
#[tokio::test(flavor = "multi_thread")]
async fn passwords_cannot_be_guessed_one_after_the_other() {
    for username in ["practice", "nobody"] {
        let service = service().await;
        let mut refused = 0;
        for number in 0..40 {
            let answer = try_password(&service, username, &format!("guess {number}")).await;
            match answer.status.as_u16() {
                401 => assert!(refused == 0 || number > 10, "{}", answer.text),
                429 => {
                    let seconds: u32 = answer.header("retry-after").parse().unwrap();
                    assert!(seconds >= 1, "{}", answer.text);
                    refused += 1;
                }
                status => panic!("{status}: {}", answer.text),
            }
        }
        assert!(refused >= 20, "{username}: {refused} of 40 tries were refused");
        let right = service.running.password.clone();
        if username == "practice" {
            try_password(&service, "practice", &right).await.expect(429);
        }
        let key = service.keyed(Method::GET, "/practice/clock");
        service.send(key).await.expect(200);
    }
}

/// Tries at once are counted before the first of them is hashed.
#[tokio::test(flavor = "multi_thread")]
async fn tries_side_by_side_are_counted_as_well() {
    let service = std::sync::Arc::new(service().await);
    let tries = (0..40).map(|number| {
        let service = std::sync::Arc::clone(&service);
        tokio::spawn(async move { try_password(&service, "practice", &format!("guess {number}")).await })
    });
    let mut hashed = 0;
    for answer in tries.collect::<Vec<_>>() {
        hashed += usize::from(answer.await.unwrap().status.as_u16() == 401);
    }
    assert!(hashed <= 12, "{hashed} of 40 tries were compared with the password");
}

/// The practice account is whoever runs the service; anybody else would read this machine through it.
#[tokio::test(flavor = "multi_thread")]
async fn only_the_practice_account_reaches_this_machine() {
    let service = service().await;
    let receiver = Receiver::start().await;
    let (_, key) = other_account(&service).await;
    let port = receiver.url().rsplit(':').next().unwrap().to_owned();
    for url in
        [receiver.url(), format!("http://localhost:{port}"), format!("http://[::ffff:127.0.0.1]:{port}")]
    {
        let body = json!({"title": "Inside", "events": [FILED], "url": url});
        let request = service.bare(Method::POST, WEBHOOKS).header("apiKey", &key).json(&body);
        let refused = service.send(request).await.expect(422);
        assert_eq!(refused.pointers(), ["/url"], "{url}");
    }
    let body = json!({"title": "Outside", "events": [FILED], "url": "https://example.com/hook"});
    let request = service.bare(Method::POST, WEBHOOKS).header("apiKey", &key).json(&body);
    service.send(request).await.expect(201);
    assert_eq!(receiver.count(), 0);

    let (id, _) = service.subscribe(&receiver.url(), &[FILED]).await;
    let tested = service.hooks(Method::POST, &format!("/{id}/test"), None).await.expect(200).json();
    assert_eq!((&tested["response_status"], &tested["response_body"]), (&json!(200), &json!("")), "{tested}");
}

/// Clients that send their imports slowly take no place that another account could use.
#[tokio::test(flavor = "multi_thread")]
async fn slow_imports_of_one_account_hold_up_nobody_else() {
    let service = service().await;
    let (_, key) = other_account(&service).await;
    let head = format!(
        "POST {SINGLE} HTTP/1.1\r\nhost: localhost\r\napikey: {key}\r\ncontent-type: application/json\r\n\
         content-length: 1000\r\n\r\n{{"
    );
    let mut slow = Vec::new();
    for _ in 0..12 {
        slow.push(begin_request(&service, head.as_bytes()).await.unwrap());
    }
    let quick = async { service.imported(&[row("quick")]).await };
    let results = tokio::time::timeout(Duration::from_secs(60), quick).await.expect("it is held up");
    assert_eq!(results[0]["status_message"], "Success");
    drop(slow);
}

/// What belongs to one account is not there for another: documents, results and notices as well.
#[tokio::test(flavor = "multi_thread")]
async fn another_account_finds_nothing() {
    let service = service().await;
    let (_, key) = other_account(&service).await;
    let mut filed = row("mine");
    filed["documents"] =
        json!([{"name": "Policy", "code": "POLIC", "file_name": "p.pdf", "content": "JVBERi0xLjc="}]);
    let batch = service.accepted(&[filed]).await;
    service.processed(&batch).await;
    let get = async |path: &str, key: &str| {
        service.send(service.bare(Method::GET, path).header("apiKey", key)).await
    };
    let own = service.running.api_key.clone();
    let record = service.record("mine").await;
    let url = record["transaction_documents"][0]["download_url"].as_str().unwrap();
    let download = url.strip_prefix(&service.running.base_url).unwrap().to_owned();
    let found = format!("{}?batch_id={batch}", crate::imports::RESULTS);
    for path in [download, found, format!("{}?id=mine", crate::imports::STATUS)] {
        get(&path, &own).await.expect(200);
        get(&path, &key).await.expect(404);
    }
    let notices: Value = get(&format!("{WEBHOOKS}/notices"), &key).await.expect(200).json();
    assert_eq!(notices["notices"], json!([]));
}
