//! Signed, stored deliveries a second, against a bare axum handler that stores the same body in SQLite.
//!
//! Ours: transactions are filed in a running service, so that each change, its event and its delivery are
//! stored; they are signed, posted to a bare endpoint that only answers, and settled with their log. Bare:
//! a client posts the same bodies, as many side by side, to an axum handler that inserts each into SQLite
//! on disk, one transaction a body, with the service's pragmas. Both in the same rounds, now the one first, now
//! the other; the median of the rounds' own ratios counts, that of both sides' best rounds is printed beside it.
//! `cargo bench -p bordereau-service --bench webhooks`; the goal is at least 40 % of the bare handler's rate.

mod bare;

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use bare::{Delivery, events};
use bordereau_contract::{PracticeAction, WhichTransactions};
use bordereau_service::{RunningService, ServiceConfig, start_service};
use serde_json::{Value, json};

const ROUNDS: usize = 9;
/// Before each side: what the other one left to be written is on the disk by then.
const REST: Duration = Duration::from_millis(2_500);
/// A round that takes longer has failed.
const PATIENCE: Duration = Duration::from_secs(300);

fn main() {
    tokio::runtime::Runtime::new().expect("a runtime starts").block_on(run());
}

async fn run() {
    let dir = tempfile::tempdir().expect("a directory");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let config = ServiceConfig { data_dir: Some(dir.path().join("service")), ..ServiceConfig::default() };
    let service = start_service(listener, config).await.expect("the service starts");
    let client = client(&service.ca_pem);
    let arrived = Arc::new(AtomicUsize::new(0));
    let endpoint = counting(Arc::clone(&arrived)).await;
    let handler = bare::handler(&dir.path().join("bare.sqlite"), "NORMAL").await;
    subscribe(&client, &service, &endpoint).await;
    let delivery = |number| Delivery { body: bare::body(number), signature: "0".repeat(64) };
    let bodies = Arc::new((0..events()).map(delivery).collect::<Vec<_>>());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let batch = import(&client, &service, round).await;
        tokio::time::sleep(REST).await;
        let (bare_time, our_time) = if round % 2 == 0 {
            let bare_time = bare::bring(&handler, &bodies).await;
            tokio::time::sleep(REST).await;
            (bare_time, deliver(&service, &arrived, batch).await)
        } else {
            let our_time = deliver(&service, &arrived, batch).await;
            tokio::time::sleep(REST).await;
            (bare::bring(&handler, &bodies).await, our_time)
        };
        println!(
            "round {round}: filed, told, signed, delivered, settled {} a second; bare handler {} a second",
            bare::rate(our_time),
            bare::rate(bare_time)
        );
        // The first round warms up.
        if round > 0 {
            theirs.push(bare_time);
            ours.push(our_time);
        }
    }
    bare::verdict("signed, stored deliveries / bare handler that stores", ours, theirs);
    service.stop().await;
}

fn client(ca_pem: &str) -> reqwest::Client {
    // A second one installed elsewhere is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let ca = reqwest::Certificate::from_pem(ca_pem.as_bytes()).expect("a certificate");
    reqwest::Client::builder().no_proxy().tls_certs_only([ca]).build().expect("a client")
}

/// An endpoint that counts and answers 200.
async fn counting(arrived: Arc<AtomicUsize>) -> String {
    let hook = async |State(arrived): State<Arc<AtomicUsize>>, _body: String| {
        arrived.fetch_add(1, Ordering::Relaxed);
    };
    bare::serve(Router::new().route("/", post(hook)).with_state(arrived)).await
}

async fn post_json(client: &reqwest::Client, service: &RunningService, path: &str, body: &Value) -> Value {
    let request = client.post(format!("{}{path}", service.base_url)).header("apiKey", &service.api_key);
    let answer = request.json(body).send().await.expect("an answer");
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    answer.json().await.expect("JSON")
}

async fn subscribe(client: &reqwest::Client, service: &RunningService, url: &str) {
    let webhook = json!({"title": "Bench", "url": url, "events": ["webhook.transaction.status.filed"]});
    post_json(client, service, "/api/v1/webhooks", &webhook).await;
}

/// A batch whose rows are processed and not yet filed.
async fn import(client: &reqwest::Client, service: &RunningService, round: usize) -> String {
    let rows: Vec<Value> = (0..events())
        .map(|number| {
            json!({
                "id": format!("{round}-{number}"), "policy_number": format!("P-{number}"),
                "policy_effective_date": "2026-02-23", "invoice_number": format!("INV-{round}-{number}"),
                "transaction_type": "PN", "physical_state": "TX", "mailing_insured_name": "Some Company",
                "premium": 1000, "line_of_business_list": [{"item": "GEN-1002", "coverage": 1000}]
            })
        })
        .collect();
    let accepted =
        post_json(client, service, "/api/v4/transaction-import.json", &json!({ "transactions": rows })).await;
    let batch = accepted["batch_id"].as_str().expect("a batch").to_owned();
    let url = format!("{}/api/v4/transaction-import-results.json?batch_id={batch}", service.base_url);
    let started = Instant::now();
    loop {
        let results = client.get(&url).header("apiKey", &service.api_key).send().await.expect("an answer");
        let results: Value = results.json().await.expect("JSON");
        match results["status"].as_str() {
            Some("processed") => return batch,
            Some("queued" | "processing") if started.elapsed() < PATIENCE => {}
            other => panic!("the batch is {other:?}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// From the state's filing until nothing waits any more.
async fn deliver(service: &RunningService, arrived: &AtomicUsize, batch: String) -> Duration {
    use bordereau_contract::PracticeAnswer::Queue;
    let before = arrived.load(Ordering::Relaxed);
    let which = WhichTransactions { batch_id: Some(batch), ..WhichTransactions::default() };
    let controls = service.practice_controls();
    let started = Instant::now();
    controls.perform_action(PracticeAction::File { which, status: None, date: None }).await.expect("filed");
    loop {
        let count = arrived.load(Ordering::Relaxed) - before;
        let all_there = count >= events();
        if all_there
            && matches!(
                controls.perform_action(PracticeAction::LookAtQueue).await,
                Ok(Queue { deliveries_waiting: 0, .. })
            )
        {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "{count} arrived, and no more");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let elapsed = started.elapsed();
    assert_eq!(arrived.load(Ordering::Relaxed) - before, events(), "none twice");
    elapsed
}
