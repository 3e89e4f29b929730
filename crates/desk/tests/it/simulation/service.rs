//! The service of a simulation: takes everything it is sent, knows how often, and answers as well as the seed lets it.
//!
//! It refuses no row that it has already: one that comes twice is there twice, and that is what is looked for.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_client::{ExchangeFailure, ExchangedAnswer, ExchangedRequest, RequestExchange};
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::seed::Seed;

/// The longest that a request may be held up, and that the service may hide what it has: together less than
/// the 35 minutes that are waited.
const HELD_SECONDS_MAX: usize = 15 * 60;
const HIDDEN_SECONDS_MAX: usize = 15 * 60;

/// One transaction that arrived.
#[derive(Clone, Debug)]
struct SimRow {
    number: i64,
    batch: String,
    wire: Value,
    shown_from: Instant,
}

#[derive(Default)]
struct SimState {
    /// By own id: each time it arrived.
    rows: BTreeMap<String, Vec<SimRow>>,
    /// By transaction and SHA-256: code, and each time it arrived.
    documents: BTreeMap<(i64, String), (String, Vec<u8>, u32)>,
    batches: u32,
    /// On their way still.
    held: Vec<(Instant, ExchangedRequest)>,
    /// What was asked, when, and what became of it.
    log: Vec<String>,
    /// How often the same was asked, so that each time has its own fate.
    asked: BTreeMap<String, u32>,
}

/// What the network and the service do wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimFaults {
    /// In so many of a hundred requests.
    pub percent: usize,
    /// Nothing answers at all.
    pub is_dark: bool,
}

/// The service.
pub struct SimService {
    seed: Seed,
    /// Of somebody else: it may show late what it has.
    is_foreign: bool,
    began: Instant,
    faults: Mutex<SimFaults>,
    state: Mutex<SimState>,
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Answered,
    NotReached,
    LostOnTheWay,
    Held,
    AnswerLost,
    FailsBefore,
    FailsAfter,
    Unavailable,
}

impl SimService {
    pub fn new(seed: &Seed, is_foreign: bool) -> Arc<SimService> {
        Arc::new(SimService {
            seed: seed.derive("service"),
            is_foreign,
            began: Instant::now(),
            faults: Mutex::default(),
            state: Mutex::default(),
        })
    }

    pub fn set_faults(&self, faults: SimFaults) {
        *self.faults.lock().unwrap() = faults;
    }

    /// Own ids and documents that are there, with how often.
    pub fn counts(&self) -> BTreeMap<String, u32> {
        let state = self.state.lock().unwrap();
        let rows = state.rows.iter().map(|(id, rows)| (id.clone(), rows.len() as u32));
        let documents =
            state.documents.iter().map(|((to, sha256), (_, _, count))| (format!("{to} {sha256}"), *count));
        rows.chain(documents).collect()
    }

    /// What was asked, and what became of it.
    pub fn log(&self) -> Vec<String> {
        self.state.lock().unwrap().log.clone()
    }

    /// Whether anything was sent that the service does not have yet.
    pub fn holds_something(&self) -> bool {
        !self.state.lock().unwrap().held.is_empty()
    }

    /// A transaction that is there, for documents.
    pub fn some_transaction(&self) -> Option<i64> {
        self.state.lock().unwrap().rows.values().flatten().map(|row| row.number).next()
    }

    /// Numbers of all transactions that are there.
    pub fn transactions(&self) -> Vec<i64> {
        let state = self.state.lock().unwrap();
        state.rows.values().flatten().map(|row| row.number).collect()
    }

    /// Of how many in a hundred requests something becomes now.
    pub fn faults_percent(&self) -> usize {
        let faults = *self.faults.lock().unwrap();
        if faults.is_dark { 100 } else { faults.percent }
    }

    fn fate(&self, state: &mut SimState, request: &ExchangedRequest) -> (Fate, Seed) {
        let name = format!("{} {} {}", request.method, request.url, request.body.len());
        let turn = state.asked.entry(name.clone()).or_default();
        *turn += 1;
        let mut seed = self.seed.derive(&format!("{name} {turn}"));
        let faults = *self.faults.lock().unwrap();
        if faults.is_dark {
            return (Fate::NotReached, seed);
        }
        if !seed.chance(faults.percent) {
            return (Fate::Answered, seed);
        }
        let fates = [
            Fate::NotReached,
            Fate::LostOnTheWay,
            Fate::Held,
            Fate::AnswerLost,
            Fate::AnswerLost,
            Fate::FailsBefore,
            Fate::FailsAfter,
            Fate::Unavailable,
        ];
        let fate = fates[seed.below(fates.len())];
        // A question is not held up, and on the way to the practice service of this machine nothing is.
        let fate = match fate {
            Fate::Held if request.method == "GET" => Fate::AnswerLost,
            Fate::Held if !self.is_foreign => Fate::LostOnTheWay,
            fate => fate,
        };
        (fate, seed)
    }

    /// Takes what has arrived meanwhile.
    fn settle(&self, state: &mut SimState) {
        let now = Instant::now();
        let all = std::mem::take(&mut state.held).into_iter();
        let (due, held): (Vec<_>, Vec<_>) = all.partition(|(at, _)| *at <= now);
        state.held = held;
        for (at, request) in due {
            let mut seed = self.seed.derive(&format!("held {}", request.body.len()));
            // When it arrived, not when it is seen.
            self.answer(state, &request, at, &mut seed);
        }
    }

    fn answer(
        &self,
        state: &mut SimState,
        request: &ExchangedRequest,
        at: Instant,
        seed: &mut Seed,
    ) -> (u16, Value) {
        let path = request.url.path();
        if path.ends_with("/transaction-import.json") {
            return self.take_batch(state, &request.body, at, seed);
        }
        if path.ends_with("/document-import.json") {
            return take_document(state, &request.body);
        }
        let query: BTreeMap<String, String> = request.url.query_pairs().into_owned().collect();
        let now = Instant::now();
        let shown: Vec<(&String, &SimRow)> = state
            .rows
            .iter()
            .flat_map(|(id, rows)| rows.iter().map(move |row| (id, row)))
            .filter(|(_, row)| row.shown_from <= now)
            .collect();
        if path.ends_with("/transaction-import-results.json") {
            let batch = match (query.get("batch_id"), query.get("id")) {
                (Some(batch), _) => Some(batch.clone()),
                (_, Some(own)) => {
                    shown.iter().filter(|(id, _)| *id == own).map(|(_, row)| row.batch.clone()).next_back()
                }
                _ => None,
            };
            let rows: Vec<Value> = shown
                .iter()
                .filter(|(_, row)| Some(&row.batch) == batch.as_ref())
                .map(|(id, row)| json!({ "id": id, "transaction_id": row.number, "status": 0 }))
                .collect();
            return match batch {
                Some(batch) if !rows.is_empty() => {
                    (200, json!({ "batch_id": batch, "status": "processed", "transactions": rows }))
                }
                _ => (404, json!({ "message": "there is no such batch" })),
            };
        }
        if path.ends_with("/get-transaction-status.json") {
            let is_it = |id: &String, row: &SimRow| {
                query.get("id").is_some_and(|own| own == id)
                    || query.get("transaction_id").is_some_and(|number| *number == row.number.to_string())
                    || query
                        .get("invoice_number")
                        .is_some_and(|invoice| row.wire["invoice_number"] == **invoice)
            };
            return match shown.iter().rfind(|(id, row)| is_it(id, row)) {
                Some((id, row)) => (200, record(state, id, row)),
                None => (404, json!({ "message": "there is no such transaction" })),
            };
        }
        (404, json!({ "message": "there is no such path" }))
    }

    fn take_batch(&self, state: &mut SimState, body: &[u8], at: Instant, seed: &mut Seed) -> (u16, Value) {
        let Ok(request) = serde_json::from_slice::<Value>(body) else { return (400, json!({})) };
        state.batches += 1;
        let batch = format!("b{:05}", state.batches);
        let hidden = if self.is_foreign && seed.chance(40) { seed.below(HIDDEN_SECONDS_MAX) } else { 0 };
        let shown_from = at + Duration::from_millis(hidden as u64 * 1_000);
        let transactions = request["transactions"].as_array().cloned().unwrap_or_default();
        let ids: Vec<&str> = transactions.iter().filter_map(|wire| wire["id"].as_str()).collect();
        state.log.push(format!("           arrived as {batch}: {}", ids.join(" ")));
        for (at, wire) in transactions.iter().enumerate() {
            let number = i64::from(state.batches) * 1_000 + at as i64 + 1;
            let row = SimRow { number, batch: batch.clone(), wire: wire.clone(), shown_from };
            let id = wire["id"].as_str().unwrap_or_default().to_owned();
            state.rows.entry(id).or_default().push(row);
        }
        (200, json!({ "batch_id": batch, "status": "queued", "total_items": transactions.len() }))
    }
}

fn take_document(state: &mut SimState, body: &[u8]) -> (u16, Value) {
    let Ok(request) = serde_json::from_slice::<Value>(body) else { return (400, json!({})) };
    let to = request["transaction_id"].as_i64().unwrap_or_default();
    let document = &request["documents"][0];
    let content = STANDARD.decode(document["content"].as_str().unwrap_or_default()).unwrap_or_default();
    let sha256: String =
        digest(&SHA256, &content).as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let code = document["code"].as_str().unwrap_or_default().to_owned();
    state.documents.entry((to, sha256.clone())).or_insert((code, content, 0)).2 += 1;
    let outcome = json!({
        "name": document["name"], "code": document["code"], "file_name": document["file_name"],
        "imported": true, "sha256": sha256,
    });
    (200, json!({ "transaction_id": to, "documents": [outcome] }))
}

fn record(state: &SimState, id: &str, row: &SimRow) -> Value {
    let documents: Vec<Value> = state
        .documents
        .iter()
        .filter(|((to, _), _)| *to == row.number)
        .map(|((to, sha256), (code, _, _))| {
            let address = format!("https://service.example/documents/{to}/{sha256}");
            json!({ "name": code, "code": code, "download_url": address })
        })
        .collect();
    json!({
        "id": row.number, "unique_id": id, "transaction_type": row.wire["transaction_type"],
        "transaction_status": 1, "policy_number": row.wire["policy_number"], "premium": row.wire["premium"],
        "extra_invoice_number": row.wire["invoice_number"], "transaction_documents": documents,
    })
}

/// The bytes of a document, where that is what is asked for.
fn document_bytes(state: &SimState, request: &ExchangedRequest) -> Option<Vec<u8>> {
    let rest = request.url.path().strip_prefix("/documents/")?;
    let (to, sha256) = rest.split_once('/')?;
    let found = state.documents.get(&(to.parse().ok()?, sha256.to_owned()))?;
    Some(found.1.clone())
}

impl RequestExchange for SimService {
    fn carry_request(
        &self,
        request: ExchangedRequest,
    ) -> Pin<Box<dyn Future<Output = ExchangedAnswer> + Send + '_>> {
        Box::pin(async move {
            let (fate, mut seed) = {
                let mut state = self.state.lock().unwrap();
                self.settle(&mut state);
                let (fate, seed) = self.fate(&mut state, &request);
                let at = self.began.elapsed().as_millis();
                state.log.push(format!("{at:>10} ms  {} {fate:?}", request.url));
                (fate, seed)
            };
            // To the service.
            tokio::time::sleep(Duration::from_millis(seed.below(10_000) as u64)).await;
            let answer = {
                let mut state = self.state.lock().unwrap();
                self.settle(&mut state);
                match fate {
                    Fate::NotReached => return Err(ExchangeFailure::NotReached),
                    Fate::LostOnTheWay => return Err(ExchangeFailure::AnswerLost),
                    Fate::Held => {
                        let seconds = seed.below(HELD_SECONDS_MAX) as u64;
                        state.held.push((Instant::now() + Duration::from_millis(seconds * 1_000), request));
                        return Err(ExchangeFailure::AnswerLost);
                    }
                    Fate::FailsBefore => return Ok((500, b"{}".to_vec())),
                    Fate::Unavailable => return Ok((503, b"{}".to_vec())),
                    _ => match document_bytes(&state, &request) {
                        Some(bytes) => (200, bytes),
                        None => {
                            let (status, answer) =
                                self.answer(&mut state, &request, Instant::now(), &mut seed);
                            (status, serde_json::to_vec(&answer).unwrap())
                        }
                    },
                }
            };
            // And back; whoever asked may be gone by then.
            tokio::time::sleep(Duration::from_millis(seed.below(10_000) as u64)).await;
            match fate {
                Fate::AnswerLost => Err(ExchangeFailure::AnswerLost),
                Fate::FailsAfter => Ok((500, b"{}".to_vec())),
                _ => Ok(answer),
            }
        })
    }
}
