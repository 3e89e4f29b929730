//! Signed, stored deliveries a second, against a bare axum handler that stores the same body in SQLite.
//!
//! Ours: transactions are filed in a running service, so that each change, its event and its delivery are
//! stored; they are signed, posted to a bare endpoint that only answers, and settled with their log. Bare:
//! a client posts the same bodies, as many side by side, to an axum handler that inserts each into SQLite
//! on disk, one transaction a body, with the service's pragmas. In alternate rounds; the medians count.
//! `cargo bench -p bordereau-service --bench webhooks`; the goal is at least half of the bare handler's rate.

use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use bordereau_contract::{PracticeAction, WhichTransactions};
use bordereau_service::{Config, Running, start};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tokio::task::JoinSet;

const EVENTS: usize = 5_000;
const ROUNDS: usize = 5;
/// As many as the service has on their way to one endpoint.
const SIDE_BY_SIDE: usize = 32;

fn main() {
    tokio::runtime::Runtime::new().expect("a runtime starts").block_on(run());
}

async fn run() {
    let dir = tempfile::tempdir().expect("a directory");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let config = Config { data_dir: Some(dir.path().join("service")), ..Config::default() };
    let service = start(listener, config).await.expect("the service starts");
    let client = client(&service.ca_pem);
    let arrived = Arc::new(AtomicUsize::new(0));
    let endpoint = counting(Arc::clone(&arrived)).await;
    let bare = bare(&dir.path().join("bare.sqlite")).await;
    subscribe(&client, &service, &endpoint).await;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let batch = import(&client, &service, round).await;
        let bare_time = post_all(&bare).await;
        let our_time = deliver(&service, &arrived, batch).await;
        // The first round warms up.
        if round > 0 {
            theirs.push(bare_time);
            ours.push(our_time);
        }
    }
    let (our_time, bare_time) = (median(ours), median(theirs));
    let rate = |time: Duration| EVENTS as u128 * 1_000_000 / time.as_micros().max(1);
    println!("filed, told, signed, delivered, settled: {} a second", rate(our_time));
    println!("bare axum handler with SQLite: {} a second", rate(bare_time));
    let percent = bare_time.as_micros() * 100 / our_time.as_micros().max(1);
    let verdict = if percent >= 50 { "pass" } else { "MISS" };
    println!(
        "signed, stored deliveries / bare handler that stores | {percent} % | at least 50 % | {verdict}"
    );
    service.stop().await;
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn client(ca_pem: &str) -> reqwest::Client {
    // A second one installed elsewhere is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let ca = reqwest::Certificate::from_pem(ca_pem.as_bytes()).expect("a certificate");
    reqwest::Client::builder().no_proxy().tls_certs_only([ca]).build().expect("a client")
}

async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/")
}

/// An endpoint that counts and answers 200.
async fn counting(arrived: Arc<AtomicUsize>) -> String {
    let hook = async |State(arrived): State<Arc<AtomicUsize>>, _body: String| {
        arrived.fetch_add(1, Ordering::Relaxed);
    };
    serve(Router::new().route("/", post(hook)).with_state(arrived)).await
}

/// The handler the service is compared with.
async fn bare(path: &Path) -> String {
    let db = Connection::open(path).expect("a database");
    db.pragma_update(None, "journal_mode", "WAL").expect("a pragma");
    db.pragma_update(None, "synchronous", "NORMAL").expect("a pragma");
    db.execute_batch("CREATE TABLE event (id INTEGER PRIMARY KEY, body TEXT NOT NULL)").expect("a table");
    let store = async |State(db): State<Arc<Mutex<Connection>>>, body: String| {
        let stored = tokio::task::spawn_blocking(move || {
            let mut db = db.lock().expect("nobody panicked");
            let transaction = db.transaction().expect("a transaction");
            transaction.execute("INSERT INTO event (body) VALUES ($1)", params![body]).expect("inserted");
            transaction.commit().expect("committed");
        });
        stored.await.expect("stored");
    };
    serve(Router::new().route("/", post(store)).with_state(Arc::new(Mutex::new(db)))).await
}

/// A body like those the service sends.
fn body(number: usize) -> String {
    json!({
        "event_id": number, "event": "webhook.transaction.status.filed", "timestamp": "2026-02-23 15:00:30",
        "policy_number": format!("P-{number}"), "transaction_id": number,
        "invoice_number": format!("INV-{number}"), "physical_state": "TX", "transaction_type": "PN",
        "transaction_status": 4, "date_filed": "2026-02-23"
    })
    .to_string()
}

async fn post_all(url: &str) -> Duration {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let next = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let mut posting = JoinSet::new();
    for _ in 0..SIDE_BY_SIDE {
        let (client, next, url) = (client.clone(), Arc::clone(&next), url.to_owned());
        posting.spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= EVENTS {
                    return;
                }
                let answer = client.post(&url).body(body(number)).send().await.expect("an answer");
                assert!(answer.status().is_success());
                answer.bytes().await.expect("a body");
            }
        });
    }
    while let Some(done) = posting.join_next().await {
        done.expect("posted");
    }
    started.elapsed()
}

async fn post_json(client: &reqwest::Client, service: &Running, path: &str, body: &Value) -> Value {
    let request = client.post(format!("{}{path}", service.base_url)).header("apiKey", &service.api_key);
    let answer = request.json(body).send().await.expect("an answer");
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    answer.json().await.expect("JSON")
}

async fn subscribe(client: &reqwest::Client, service: &Running, url: &str) {
    let webhook = json!({"title": "Bench", "url": url, "events": ["webhook.transaction.status.filed"]});
    post_json(client, service, "/api/v1/webhooks", &webhook).await;
}

/// A batch whose rows are processed and not yet filed.
async fn import(client: &reqwest::Client, service: &Running, round: usize) -> String {
    let rows: Vec<Value> = (0..EVENTS)
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
    loop {
        let results = client.get(&url).header("apiKey", &service.api_key).send().await.expect("an answer");
        let results: Value = results.json().await.expect("JSON");
        if results["status"] == "processed" {
            return batch;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// From the state's filing until nothing waits any more.
async fn deliver(service: &Running, arrived: &AtomicUsize, batch: String) -> Duration {
    use bordereau_contract::PracticeAnswer::Queue;
    let before = arrived.load(Ordering::Relaxed);
    let which = WhichTransactions { batch_id: Some(batch), ..WhichTransactions::default() };
    let room = service.practice();
    let started = Instant::now();
    room.act(PracticeAction::File { which, status: None, date: None }).await.expect("filed");
    loop {
        let all_there = arrived.load(Ordering::Relaxed) - before >= EVENTS;
        if all_there
            && matches!(room.act(PracticeAction::LookAtQueue).await, Ok(Queue { deliveries_waiting: 0, .. }))
        {
            break;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let elapsed = started.elapsed();
    assert_eq!(arrived.load(Ordering::Relaxed) - before, EVENTS, "none twice");
    elapsed
}
