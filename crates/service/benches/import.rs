//! A batch of 10,000 rows from accepted to processed, against inserting the same rows raw into SQLite.
//!
//! Raw: the table of transactions with its indexes, one prepared statement, 500 rows a transaction, the
//! same pragmas, on disk. Both in this process and in the same rounds, now the one first, now the other: what
//! else the machine does meets both. The median of the rounds' own ratios counts; the ratio of both sides' best
//! rounds is printed beside it.
//! `cargo bench -p bordereau-service --bench import`; the goal is a ratio of at most 3.

use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use bordereau_service::{RunningService, ServiceConfig, start_service};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

const ROWS: usize = 10_000;
const ROUNDS: usize = 11;
/// Before each side: what the other one left to be written is on the disk by then.
const REST: Duration = Duration::from_millis(2_500);
/// As the service has it.
const CHUNK_ROWS: usize = 500;
/// States of different rules, so that the calculation is that of a real batch.
const STATES: [&str; 5] = ["TX", "FL", "CA", "NY", "IL"];

fn main() {
    tokio::runtime::Runtime::new().expect("a runtime starts").block_on(run());
}

async fn run() {
    let dir = tempfile::tempdir().expect("a directory");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let config = ServiceConfig { data_dir: Some(dir.path().join("service")), ..ServiceConfig::default() };
    let service = start_service(listener, config).await.expect("the service starts");
    let client = client(&service.ca_pem);
    let raw = raw_database(&dir.path().join("raw.sqlite"));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let rows: Vec<Value> = (0..ROWS).map(|number| row(&format!("{round}-{number:05}"), number)).collect();
        tokio::time::sleep(REST).await;
        let (raw_time, our_time) = if round % 2 == 0 {
            let raw_time = insert_raw(&raw, &rows);
            tokio::time::sleep(REST).await;
            (raw_time, process(&client, &service, &rows).await)
        } else {
            let our_time = process(&client, &service, &rows).await;
            tokio::time::sleep(REST).await;
            (insert_raw(&raw, &rows), our_time)
        };
        println!("round {round}: {} ms, raw {} ms", our_time.as_millis(), raw_time.as_millis());
        // The first round warms up.
        if round > 0 {
            theirs.push(raw_time);
            ours.push(our_time);
        }
    }
    verdict(&ours, &theirs);
    service.stop().await;
}

fn verdict(ours: &[Duration], theirs: &[Duration]) {
    let percent = |ours: &Duration, theirs: &Duration| ours.as_micros() * 100 / theirs.as_micros().max(1);
    let mut ratios: Vec<u128> = ours.iter().zip(theirs).map(|(ours, theirs)| percent(ours, theirs)).collect();
    ratios.sort_unstable();
    let median = ratios[ratios.len() / 2];
    let (our_best, their_best) = (ours.iter().min().expect("a round"), theirs.iter().min().expect("a round"));
    let best = percent(our_best, their_best);
    let verdict = if median <= 300 { "pass" } else { "MISS" };
    println!(
        "{ROWS} rows accepted to processed / raw inserts | {}.{:02} (best {} / {} ms: {}.{:02}) | at most 3 | {verdict}",
        median / 100,
        median % 100,
        our_best.as_millis(),
        their_best.as_millis(),
        best / 100,
        best % 100
    );
}

fn row(id: &str, number: usize) -> Value {
    let cents = 100_000 + number * 37;
    let premium = format!("{}.{:02}", cents / 100, cents % 100);
    let premium: Value = serde_json::from_str(&premium).expect("a number");
    let mut row = json!({
        "id": id, "agent_id": "A-1", "policy_number": format!("POL-2026-{id}"),
        "policy_effective_date": "2026-02-23", "policy_expiration_date": "2027-02-23",
        "transaction_effective_date": "2026-02-23", "invoice_date": "2026-02-24",
        "invoice_number": format!("INV-{id}"), "transaction_type": "PN", "policy_type": "standard",
        "account_written_as": "B", "rpg": 0, "layered_risk": 0, "broker_of_record": 0,
        "risk_retention_group": 0, "risk_description": "Warehouse of a wholesaler of household goods",
        "ecp": 0, "exempt": 0, "multi_state": 0, "policy_limit": 1000000, "property_limit": 500000
    });
    let money = json!({
        "line_of_business_list": [{"item": "GEN-1002", "coverage": premium.clone()}],
        "insurance_company_list": [{"item": "AA-1120075", "coverage": 60}, {"item": "12345", "coverage": 40}],
        "premium": premium, "agency_fee": 150, "inspection_fee": 75.5, "sl_tax": 48.5, "stamping_fee": 0.4,
        "total": 1274.4
    });
    let insured = json!({
        "mailing_insured_name": "A Company of Some Name, LLC",
        "mailing_address": "1200 Main Street, Suite 400", "mailing_city": "Springfield",
        "mailing_zip_code": "75001", "mailing_state_code": "TX", "insured_entity": "commercial",
        "insured_email": "office@example.com", "insured_phone": "+1 555 0100",
        "physical_address": "1200 Main Street", "physical_city": "Springfield",
        "physical_zip_code": "75001", "physical_state": STATES[number % STATES.len()],
        "retail_producer": "Some Agency"
    });
    for part in [money, insured] {
        for (name, value) in part.as_object().expect("an object") {
            row[name] = value.clone();
        }
    }
    row
}

fn raw_database(path: &Path) -> Connection {
    let db = Connection::open(path).expect("a database");
    db.pragma_update(None, "journal_mode", "WAL").expect("a pragma");
    db.pragma_update(None, "synchronous", "NORMAL").expect("a pragma");
    db.execute_batch(
        "CREATE TABLE filing (
             id INTEGER PRIMARY KEY, account_id TEXT NOT NULL, own_id TEXT NOT NULL,
             batch_seq BIGINT NOT NULL, content_hash TEXT NOT NULL, status SMALLINT NOT NULL,
             invoice_number TEXT, policy_effective_date TEXT, transaction_effective_date TEXT,
             date_ready_to_file TEXT, date_filed TEXT, body TEXT NOT NULL, created_at BIGINT NOT NULL,
             updated_at BIGINT NOT NULL, UNIQUE (account_id, own_id));
         CREATE INDEX filing_invoice ON filing (account_id, invoice_number);",
    )
    .expect("a table");
    db
}

fn insert_raw(db: &Connection, rows: &[Value]) -> Duration {
    // As texts before the clock starts: raw means nothing but inserting.
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let rows: Vec<[String; 5]> = rows
        .iter()
        .map(|row| {
            let date = text(row, "policy_effective_date");
            [text(row, "id"), text(row, "invoice_number"), date.clone(), date, row.to_string()]
        })
        .collect();
    let hash = "0".repeat(64);
    let started = Instant::now();
    for chunk in rows.chunks(CHUNK_ROWS) {
        let transaction = db.unchecked_transaction().expect("a transaction");
        let mut statement = transaction
            .prepare_cached(
                "INSERT INTO filing (account_id, own_id, batch_seq, content_hash, status, invoice_number, \
                 policy_effective_date, transaction_effective_date, body, created_at, updated_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            )
            .expect("a statement");
        for [id, invoice, effective, dated, body] in chunk {
            statement
                .execute(params!["acc-1", id, 1, hash, 1, invoice, effective, dated, body, 1, 1])
                .expect("inserted");
        }
        drop(statement);
        transaction.commit().expect("committed");
    }
    started.elapsed()
}

fn client(ca_pem: &str) -> reqwest::Client {
    // A second one installed elsewhere is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let ca = reqwest::Certificate::from_pem(ca_pem.as_bytes()).expect("a certificate");
    reqwest::Client::builder().no_proxy().tls_certs_only([ca]).build().expect("a client")
}

/// From the moment the queue may move until the last row is processed.
async fn process(client: &reqwest::Client, service: &RunningService, rows: &[Value]) -> Duration {
    let post = async |path: &str, body: &Value| {
        let request = client.post(format!("{}{path}", service.base_url)).header("apiKey", &service.api_key);
        let answer = request.json(body).send().await.expect("an answer");
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.json::<Value>().await.expect("JSON")
    };
    post("/practice/speed", &json!({"rows_per_second": 0})).await;
    let accepted = post("/api/v4/transaction-import.json", &json!({ "transactions": rows })).await;
    let last = rows.last().and_then(|row| row["id"].as_str()).expect("a row");
    let asked = format!("{}/api/v1/get-transaction-status.json?id={last}", service.base_url);
    let started = Instant::now();
    post("/practice/speed", &json!({})).await;
    while !client
        .get(&asked)
        .header("apiKey", &service.api_key)
        .send()
        .await
        .expect("an answer")
        .status()
        .is_success()
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let elapsed = started.elapsed();
    let batch = accepted["batch_id"].as_str().expect("a batch");
    let url = format!("{}/api/v4/transaction-import-results.json?batch_id={batch}", service.base_url);
    let results = client.get(url).header("apiKey", &service.api_key).send().await.expect("an answer");
    let results: Value = results.json().await.expect("JSON");
    assert_eq!(results["status"], "processed");
    assert_eq!(results["transactions"].as_array().map(Vec::len), Some(ROWS));
    elapsed
}
