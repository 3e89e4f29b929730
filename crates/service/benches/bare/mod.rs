//! What deliveries are measured against, on the service's side and on the desk's: a bare axum handler that
//! stores each body in SQLite, one commit a body, and answers.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use rusqlite::{Connection, params};
use serde_json::json;
use tokio::task::JoinSet;

/// As many as the service has on their way to one endpoint.
const SIDE_BY_SIDE: usize = 32;

/// A body with its signature.
pub struct Delivery {
    pub body: String,
    pub signature: String,
}

/// How many events a round has; `BORDEREAU_BENCH_EVENTS` makes it smaller.
pub fn events() -> usize {
    std::env::var("BORDEREAU_BENCH_EVENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(5_000)
}

/// A body like those the service sends.
pub fn body(number: usize) -> String {
    json!({
        "event_id": number, "event": "webhook.transaction.status.filed", "timestamp": "2026-02-23 15:00:30",
        "policy_number": format!("P-{number}"), "transaction_id": number,
        "invoice_number": format!("INV-{number}"), "physical_state": "TX", "transaction_type": "PN",
        "transaction_status": 4, "date_filed": "2026-02-23"
    })
    .to_string()
}

/// Serves on a free port.
pub async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/")
}

/// The handler. `synchronous` as in the store it is compared with: NORMAL, or FULL for one whose commits survive
/// a loss of power.
pub async fn handler(path: &Path, synchronous: &str) -> String {
    let db = Connection::open(path).expect("a database");
    db.pragma_update(None, "journal_mode", "WAL").expect("a pragma");
    db.pragma_update(None, "synchronous", synchronous).expect("a pragma");
    db.execute_batch("CREATE TABLE event (id INTEGER PRIMARY KEY, body TEXT NOT NULL)").expect("a table");
    let store = async |State(db): State<Arc<Mutex<Connection>>>, body: String| {
        let stored = tokio::task::spawn_blocking(move || {
            let mut db = db.lock().expect("nobody panicked");
            let transaction = db.transaction().expect("a transaction");
            transaction
                .prepare_cached("INSERT INTO event (body) VALUES ($1)")
                .expect("a statement")
                .execute(params![body])
                .expect("inserted");
            transaction.commit().expect("committed");
        });
        stored.await.expect("stored");
    };
    serve(Router::new().route("/", post(store)).with_state(Arc::new(Mutex::new(db)))).await
}

/// Brings all of them, as many side by side as the service does. Every answer is read to its end.
pub async fn bring(url: &str, deliveries: &Arc<Vec<Delivery>>) -> Duration {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let next = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let mut bringing = JoinSet::new();
    for _ in 0..SIDE_BY_SIDE {
        let (client, next, url) = (client.clone(), Arc::clone(&next), url.to_owned());
        let deliveries = Arc::clone(deliveries);
        bringing.spawn(async move {
            while let Some(delivery) = deliveries.get(next.fetch_add(1, Ordering::Relaxed)) {
                let request = client.post(&url).header("X-HMAC-Signature", &delivery.signature);
                let answer = request.body(delivery.body.clone()).send().await.expect("an answer");
                assert!(answer.status() == 200, "{}", answer.status());
                answer.bytes().await.expect("a body");
            }
        });
    }
    while let Some(done) = bringing.join_next().await {
        done.expect("brought");
    }
    started.elapsed()
}

pub fn rate(time: Duration) -> u128 {
    events() as u128 * 1_000_000 / time.as_micros().max(1)
}

/// The figure as `cargo xtask bench` reads it. What counts is the median of the rounds' own ratios: what else
/// the machine did in a round met both sides of it.
pub fn verdict(what: &str, ours: Vec<Duration>, theirs: Vec<Duration>) {
    let percent = |ours: &Duration, theirs: &Duration| theirs.as_micros() * 100 / ours.as_micros().max(1);
    let mut ratios: Vec<u128> =
        ours.iter().zip(&theirs).map(|(ours, theirs)| percent(ours, theirs)).collect();
    ratios.sort_unstable();
    let median = ratios[ratios.len() / 2];
    let (ours, theirs) = (ours.iter().min().expect("a round"), theirs.iter().min().expect("a round"));
    let best = percent(ours, theirs);
    let verdict = if median >= 50 { "pass" } else { "MISS" };
    let measured = format!("{median} % (best {} / {} a second: {best} %)", rate(*ours), rate(*theirs));
    println!("{what} | {measured} | at least 50 % | {verdict}");
}
