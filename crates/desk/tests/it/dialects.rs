//! The whole way over each dialect of the practice service: quote, import, results, search, status, documents.
//! What the desk claims is compared with the service's own ledger: claimed must be true, whatever is spoken.

use std::collections::BTreeMap;
use std::time::Duration;

use bordereau_desk::Desk;
use bordereau_desk::api::*;
use bordereau_money::Usd;
use bordereau_service::dialects;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::house::texas;
use crate::outbox_house::{OutboxHouse, many, row, rows};

/// Rows of the batch; the last is refused, because its id is taken at the service by a filed transaction.
const ROWS: u32 = 10;
/// How long a step may take.
const PATIENCE: Duration = Duration::from_secs(12);
/// Until rows that are shown late are there.
const LATE: Duration = Duration::from_secs(4);
/// Houses side by side.
const HOUSES: usize = 4;

/// Steps that do not work yet, by dialect. A step that fails and does not stand here fails the test; one that works
/// by now is printed and can go. `claims` is the one that matters: something was claimed that is not true.
const NOT_YET: &[(&str, &[&str])] = &[
    // Every second row is named; the others are looked up and, in doubt, wait for a person.
    ("partial-results", &["results"]),
    ("rows-late+documents-late+partial-results+service-number-only", &["results"]),
    ("search-odd-member", &["search"]),
];

/// What cannot work in a dialect, and rightly does not.
const IMPOSSIBLE: &[(&str, &[&str])] =
    &[("no-calculator", &["quote"]), ("batch-refused", &["results", "search", "status", "documents"])];

fn steps_of(table: &[(&str, &[&'static str])], name: &str) -> Vec<&'static str> {
    let found = table.iter().find(|(dialect, _)| *dialect == name);
    found.map_or_else(Vec::new, |(_, steps)| steps.to_vec())
}

/// A step and, where it does not work, why.
type Outcomes = BTreeMap<&'static str, Result<(), String>>;

fn expect(holds: bool, found: impl std::fmt::Debug) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{found:?}").chars().take(400).collect()) }
}

async fn speak(house: &OutboxHouse, names: &[&str]) {
    house.drive("POST", "actions", json!({"action": "set_dialects", "names": names})).await;
}

async fn walk(names: &[&'static str]) -> Outcomes {
    let house = OutboxHouse::new().await;
    let desk = house.desk();
    house.office(&desk).await;
    let mut taken = row(&format!("d{:05}", ROWS - 1));
    taken.premium = Some(Usd::from_cents(90_000));
    house.ask("POST", "api/v2/single/transaction", json!(taken)).await;
    house.drive("POST", "transactions", json!({"id": taken.id, "status": 4})).await;
    speak(&house, names).await;

    let mut outcomes = Outcomes::new();
    let quote = desk.quote_calculate(texas()).await;
    outcomes.insert("quote", expect(quote.is_ok(), quote.err()));
    let batch = desk.outbox_queue("week.csv", many("d", ROWS)).await.unwrap();
    let waited = timeout(PATIENCE, desk.batch_wait(BatchId { id: batch.id.clone() })).await;
    let batch = match waited {
        Ok(view) => view.unwrap(),
        Err(_) => desk.batch_show(BatchId { id: batch.id }).await.unwrap(),
    };
    let counts = batch.counts;
    let done = batch.state == BatchState::Processed
        && (counts.accepted + counts.warning, counts.error) == (ROWS - 1, 1);
    outcomes.insert("results", expect(done, (&batch.state, counts, &batch.trouble)));
    if names.contains(&"rows-late") {
        tokio::time::sleep(LATE).await;
    }
    outcomes.insert("search", search(&desk).await);
    let claimed = rows(&desk, &batch.id, None, 0).await;
    let number = claimed[0].transaction_id.clone().unwrap_or_else(|| "2".into());
    let question = TransactionQuestion { id: number.clone(), invoice_number: String::new() };
    let status = desk.transaction_status(question).await;
    let right =
        status.as_ref().is_ok_and(|detail| detail.row.id == number && detail.row.policy_number == "P-d00000");
    outcomes.insert("status", expect(right, status.map(|detail| detail.row)));
    let (documents, upload) = upload(&house, &desk, &number).await;
    outcomes.insert("documents", documents);

    speak(&house, &[]).await;
    outcomes.insert("claims", compare(&house, &claimed, upload).await);
    outcomes
}

async fn search(desk: &Desk) -> Result<(), String> {
    let range = DayRange { from: "2026-02-01".into(), to: "2026-02-28".into() };
    let refresh = TransactionsRefresh { policy_effective: range, ..TransactionsRefresh::default() };
    desk.transactions_refresh(refresh).await.map_err(|error| error.message)?;
    let done = timeout(PATIENCE, desk.transactions_refresh_wait()).await.map_err(|_| "no end".to_owned())?;
    let done = done.map_err(|error| error.message)?;
    expect(done.stage == RefreshStage::Done && done.trouble.is_empty() && done.read >= ROWS, done)
}

/// Uploads a document for a transaction; with whether the desk claims that it was sent.
async fn upload(house: &OutboxHouse, desk: &Desk, number: &str) -> (Result<(), String>, bool) {
    let path = house.folder.path().join("policy.pdf");
    std::fs::write(&path, b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n").unwrap();
    let handle = desk.drop_files(vec![path]).remove(0).handle;
    let files = vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new() }];
    let target = DocumentTarget { transaction_id: number.into(), ..DocumentTarget::default() };
    let queued = desk.documents_upload(DocumentsUpload { target, files, ..DocumentsUpload::default() }).await;
    let queued = match queued {
        Ok(queued) if queued.refused.is_empty() => queued,
        other => return (Err(format!("{other:?}")), false),
    };
    let ids: Vec<String> = queued.uploads.iter().map(|upload| upload.id.clone()).collect();
    match timeout(PATIENCE, desk.documents_wait(&ids)).await {
        Ok(views) => {
            let view = views.unwrap().remove(0);
            let sent = view.state == UploadState::Sent;
            (expect(sent, view), sent)
        }
        Err(_) => (Err("no end".into()), false),
    }
}

/// Compares what the desk claims with what the service has.
async fn compare(house: &OutboxHouse, claimed: &[BatchRow], upload: bool) -> Result<(), String> {
    let stored = house.stored().await;
    let mut wrong = Vec::new();
    for (at, row) in claimed.iter().enumerate() {
        let there = stored.get(&row.id).copied().unwrap_or_default();
        let is_refused = at + 1 == claimed.len();
        let is_true = match row.row_state {
            RowState::Accepted | RowState::Warning | RowState::SavedIncomplete => there == 1 && !is_refused,
            RowState::Error | RowState::NotSent => there == i64::from(is_refused),
            // Nothing is claimed.
            RowState::Pending => there <= 1,
        };
        if !is_true {
            wrong.push(format!("{} is called {:?}, there: {there}", row.id, row.row_state));
        }
        if let (Some(number), 1) = (&row.transaction_id, there) {
            let path = format!("api/v1/get-transaction-status.json?id={}", row.id);
            let record = house.ask("GET", &path, json!({})).await;
            let there = record["id"].to_string();
            if there != *number {
                wrong.push(format!("{} is called {number}, there: {}", row.id, record["id"]));
            }
        }
    }
    if upload {
        let record = house.ask("GET", "api/v1/get-transaction-status.json?id=d00000", json!({})).await;
        let listed = record["transaction_documents"].as_array().map_or(0, Vec::len);
        if listed != 1 {
            wrong.push(format!("a document is called sent, there: {listed}"));
        }
    }
    expect(wrong.is_empty(), wrong)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_claimed_over_each_dialect_is_true() {
    let mixtures: &[&[&str]] = &[
        &["missing-as-message", "refusals-success-false", "own-id-unsupported"],
        &["numbers-as-text", "states-own-words", "unique-id-null", "nulls-absent"],
        &["envelope-data", "members-camel-case", "acceptance-without-status"],
        &["rows-late", "documents-late", "partial-results", "service-number-only"],
    ];
    let alone = dialects().iter().map(|dialect| vec![dialect.name]);
    let mut waiting = alone.chain(mixtures.iter().map(|names| names.to_vec()));
    let (mut walking, mut unexpected) = (JoinSet::new(), Vec::new());
    loop {
        while walking.len() < HOUSES
            && let Some(names) = waiting.next()
        {
            walking.spawn(async move { (names.join("+"), walk(&names).await) });
        }
        let Some(walked) = walking.join_next().await else { break };
        let (name, outcomes) = walked.unwrap();
        let (known, impossible) = (steps_of(NOT_YET, &name), steps_of(IMPOSSIBLE, &name));
        for (step, outcome) in outcomes {
            match outcome {
                Ok(()) if known.contains(&step) => println!("{name}: {step} works by now"),
                Err(why) if !known.contains(&step) && !impossible.contains(&step) => {
                    unexpected.push(format!("{name}: {step}: {why}"));
                }
                _ => {}
            }
        }
    }
    unexpected.sort();
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}
