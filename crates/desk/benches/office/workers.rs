//! Workers beside each other: how much faster two and four send than one.

use std::time::{Duration, Instant};

use bordereau_desk::api::*;
use bordereau_desk::{Desk, OutboxPace};
use serde_json::json;

use crate::{BenchOffice, print_figure, read_number, start_draft};

const PARTS: usize = 600;
const PART_ROWS: usize = 10;
const LATENCY_MS: u64 = 50;
/// Workers of each round.
const ROUNDS: [usize; 3] = [1, 2, 4];
const TARGET: f64 = 3.2;

pub async fn measure_workers(office: &BenchOffice, owner: &Desk) {
    slow_down(office).await;
    let parts = read_number("PARTS", PARTS);
    let pace = OutboxPace { part_rows: PART_ROWS, ..OutboxPace::default() };
    owner.set_outbox_pace(pace);
    let (mut workers, mut times): (Vec<Desk>, Vec<Duration>) = (Vec::new(), Vec::new());
    for (round, count) in ROUNDS.into_iter().enumerate() {
        while workers.len() < count {
            let worker = office.open_desk(&format!("worker{}", workers.len()), "clerk").await;
            worker.set_outbox_pace(pace);
            worker.start_work();
            workers.push(worker);
        }
        let batch = queue_parts(office, owner, 1_000_000 * (round + 1), parts).await;
        let began = Instant::now();
        let rows = loop {
            let view = owner.batch_show(BatchId { id: batch.clone() }).await.expect("the batch");
            if view.ended_at.is_some() {
                assert_eq!((view.state, view.asks), (BatchState::Processed, false), "{view:?}");
                break view.counts.total;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        times.push(began.elapsed());
        println!("{count} workers: {rows} rows in {parts} parts in {:.1} s", began.elapsed().as_secs_f64());
    }
    let faster = |round: usize| times[0].as_secs_f64() / times[round].as_secs_f64();
    print_figure(
        &format!("4 workers beside one, {parts} parts, {LATENCY_MS} ms of latency"),
        &format!("{:.1} times as fast; 2 workers {:.1} times", faster(2), faster(1)),
        &format!("at least {TARGET} times"),
        faster(2) >= TARGET,
    );
}

async fn queue_parts(office: &BenchOffice, owner: &Desk, first: usize, parts: usize) -> String {
    let id = start_draft(owner, office.folder.path(), first, parts * PART_ROWS).await;
    let scope = SendScope::All;
    let preview = SendReviewPreview { id: id.clone(), scope };
    let preview = owner.review_send_preview(preview).await.expect("a preview");
    assert_eq!(preview.parts as usize, parts);
    let send = SendReview { id, scope, confirmed: preview.totals, typed: preview.type_word };
    owner.review_send(send).await.expect("a batch").id
}

/// From now on every answer of the service is late.
async fn slow_down(office: &BenchOffice) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let authority = reqwest::Certificate::from_pem(office.service.ca_pem.as_bytes()).expect("PEM");
    let http = reqwest::Client::builder().tls_certs_only([authority]).no_proxy().build().expect("a client");
    let fault = json!({ "operation": "any", "kind": "delay", "times": u32::MAX, "delay_ms": LATENCY_MS });
    let url = format!("{}/practice/faults", office.service.base_url);
    let asked = http.post(url).header("apiKey", &office.service.api_key).json(&fault).send().await;
    asked.and_then(reqwest::Response::error_for_status).expect("the service is slow");
}
