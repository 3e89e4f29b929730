//! The whole way over each dialect of the practice service: quote, import, results, search, status, documents.
//! What the desk claims is compared with the service's own ledger: claimed must be true, whatever is spoken.

use std::collections::BTreeMap;
use std::time::Duration;

use bordereau_desk::api::*;
use bordereau_desk::{Desk, OutboxPace};
use bordereau_money::Usd;
use bordereau_service::dialects;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::diligent::texas_form;
use crate::outbox_fixture::{OutboxFixture, at_its_end, many, queue, quick, row, rows};
use crate::test_desk::texas;

/// Rows of the batch; the last is refused, because its id is taken at the service by a filed transaction.
const ROWS: u32 = 10;
/// How long a step may take.
const PATIENCE: Duration = Duration::from_secs(12);
/// Until rows that are shown late are there.
const LATE: Duration = Duration::from_secs(4);
/// Houses side by side.
const HOUSES: usize = 4;

/// What cannot work in a dialect, and rightly does not. A step that fails and is not here fails the test. `claims` is
/// the one that matters: something was claimed that is not true.
const IMPOSSIBLE: &[(&str, &[&str])] = &[
    // The profile does not say that there is none.
    ("no-calculator", &["quote", "compare"]),
    ("batch-refused", &["results", "search", "status", "documents", "events"]),
    // No answer has the outcome of the last row: the service has an earlier transaction under its id, with another
    // premium. A person decides, and `waits` checks that it is the only such row.
    ("partial-results", &["results"]),
    // As there: no number says how the last row ended.
    ("row-status-of-http", &["results"]),
];

/// In a mixture too, what cannot work in one of its dialects does not.
fn impossible_steps(names: &[&str]) -> Vec<&'static str> {
    let of = |(dialect, steps): &(&str, &[&'static str])| {
        if names.contains(dialect) { steps.to_vec() } else { Vec::new() }
    };
    IMPOSSIBLE.iter().flat_map(of).collect()
}

/// A step and, where it does not work, why.
type Outcomes = BTreeMap<&'static str, Result<(), String>>;

fn expect(holds: bool, found: impl std::fmt::Debug) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{found:?}").chars().take(400).collect()) }
}

async fn speak(test: &OutboxFixture, names: &[&str]) {
    test.drive("POST", "actions", json!({"action": "set_dialects", "names": names})).await;
}

/// The office's profile, with what it must say of a service that speaks so.
async fn office(test: &OutboxFixture, desk: &Desk, names: &[&str]) {
    test.office(desk).await;
    let own =
        desk.profile_list(Nothing {}).await.unwrap().profiles.into_iter().find(|view| view.active).unwrap();
    let mut profile = own.profile;
    if names.contains(&"webhook-unsigned") {
        profile.delivery_proof = DeliveryProofKind::HeaderPair;
    }
    if names.contains(&"webhook-signature-renamed") {
        profile.signature_header = "X-Signature".into();
        profile.signature_form = SignatureForm::Base64;
    }
    let word =
        |word: &str| ServiceWord { kind: WordKind::Transaction, word: word.into(), meaning: "Filed".into() };
    profile.words = vec![word("4"), word("Complete")];
    desk.profile_save(profile).await.unwrap();
}

async fn walk(names: &[&'static str]) -> Outcomes {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    office(&test, &desk, names).await;
    if names.contains(&"rows-late") {
        // Patience is longer than rows are late, as the 35 minutes are.
        desk.set_outbox_pace(OutboxPace { lookup_window: LATE + Duration::from_secs(2), ..quick() });
    }
    let _work = desk.begin_events();
    let subscribed = desk.events_subscribe(Nothing {}).await;
    let mut taken = row(&format!("d{:05}", ROWS - 1));
    taken.premium = Some(Usd::from_cents(90_000));
    test.ask("POST", "api/v2/single/transaction", json!(taken)).await;
    test.drive("POST", "transactions", json!({"id": taken.id, "status": 4})).await;
    speak(&test, names).await;

    let mut outcomes = Outcomes::new();
    let quote = desk.quote_calculate(texas()).await;
    let mut said = vec![format!("{quote:?}")];
    let no_fees = QuoteRequest { agency_fee: String::new(), inspection_fee: String::new(), ..texas() };
    let without_fees = desk.quote_calculate(no_fees).await;
    outcomes.insert("quote", expect(quote.is_ok() && without_fees.is_ok(), (quote, without_fees)));
    let states = vec!["TX".into(), "FL".into()];
    let compared = desk.quote_compare(CompareRequest { request: texas(), states, offline: false }).await;
    let is_right =
        compared.as_ref().is_ok_and(|found| found.columns.iter().all(|column| column.answer.is_some()));
    outcomes.insert("compare", expect(is_right, compared));
    let filled = desk.form_fill(texas_form()).await;
    let is_right =
        filled.as_ref().is_ok_and(|filled| filled.forms.iter().all(|form| form.service && form.complete));
    outcomes.insert("forms", expect(is_right, filled));
    let batch = queue(&desk, "week.csv", many("d", ROWS)).await.unwrap();
    let waited = timeout(PATIENCE, at_its_end(&desk, &batch.id)).await;
    let batch = match waited {
        Ok(view) => view,
        Err(_) => desk.batch_show(BatchId { id: batch.id }).await.unwrap(),
    };
    let counts = batch.counts;
    let done = batch.state == BatchState::Processed
        && (counts.accepted + counts.warning, counts.error) == (ROWS - 1, 1);
    outcomes.insert("results", expect(done, (&batch.state, counts, &batch.trouble)));
    if names.contains(&"partial-results") {
        // Why the last row waits is said, and what can be done.
        let waits = batch.asks && counts.accepted + counts.warning == ROWS - 1 && counts.pending == 1;
        let is_said = batch.trouble.contains("another premium") && batch.trouble.contains("choose");
        outcomes.insert("waits", expect(waits && is_said, (&batch.state, counts, &batch.trouble)));
    }
    if names.contains(&"rows-late") {
        tokio::time::sleep(LATE).await;
    }
    let searched = search(&desk).await;
    said.extend(searched.clone().err());
    outcomes.insert("search", searched);
    let claimed = rows(&desk, &batch.id, None, 0).await;
    let number = claimed[0].transaction_id.clone().unwrap_or_else(|| "2".into());
    let question = TransactionQuestion { id: number.clone(), invoice_number: String::new() };
    let status = desk.transaction_status(question).await;
    let right =
        status.as_ref().is_ok_and(|detail| detail.row.id == number && detail.row.policy_number == "P-d00000");
    said.extend([format!("{batch:?}"), format!("{claimed:?}"), format!("{status:?}")]);
    outcomes.insert("status", expect(right, status.map(|detail| detail.row)));
    let (documents, upload) = upload(&test, &desk, &number).await;
    let uploads = desk.documents_queue(Nothing {}).await;
    let unread = desk.unread_answers(Nothing {}).await;
    said.extend([format!("{uploads:?}"), format!("{unread:?}")]);
    outcomes.insert("documents", documents);

    outcomes.insert(
        "events",
        match subscribed {
            Ok(_) => filed_event(&test, &desk, &number).await,
            Err(error) => Err(error.message),
        },
    );
    speak(&test, &[]).await;
    outcomes.insert("claims", compare(&test, &claimed, upload).await);
    if let [name] = names {
        outcomes.insert("page", compare_page(name, &said.join("\n")));
    }
    outcomes
}

/// The page on dialects has a row for each, with what the service does then, and every sentence that it quotes is
/// said.
fn compare_page(name: &str, said: &str) -> Result<(), String> {
    const PAGE: &str = include_str!("../../../../docs/dialects.md");
    if std::env::var_os("PRINT_DIALECTS").is_some() {
        println!("== {name}\n{said}");
    }
    let row = PAGE.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
    let row = row.ok_or("docs/dialects.md has no row for it")?;
    let sentence = dialects().iter().find(|dialect| dialect.name == name).map_or("", |found| found.sentence);
    expect(row.contains(sentence), "docs/dialects.md says otherwise what the service does")?;
    let quoted: Vec<&str> = row.split('"').skip(1).step_by(2).collect();
    let missing: Vec<&&str> = quoted.iter().filter(|text| !said.contains(**text)).collect();
    expect(missing.is_empty(), missing)
}

/// The state files a transaction: an event tells of it, and asked the service says the same.
async fn filed_event(test: &OutboxFixture, desk: &Desk, number: &str) -> Result<(), String> {
    let number: i64 = number.parse().map_err(|_| "no number".to_owned())?;
    let which = json!({ "transaction_ids": [number] });
    test.drive("POST", "actions", json!({ "action": "file", "which": which })).await;
    let filed = async {
        loop {
            let events = desk.events_list(EventsRequest { count: 200, ..EventsRequest::default() }).await;
            let events = events.map(|page| page.events).unwrap_or_default();
            let is_it = |event: &&EventView| {
                event.what == EventKind::Filed
                    && event.transaction == number.to_string()
                    && event.received_at.is_some()
            };
            if let Some(event) = events.iter().find(is_it)
                && event.check == EventCheck::Confirmed
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, filed).await.map_err(|_| "no event that the service confirms".to_owned())
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
async fn upload(test: &OutboxFixture, desk: &Desk, number: &str) -> (Result<(), String>, bool) {
    let path = test.folder.path().join("policy.pdf");
    std::fs::write(&path, b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n").unwrap();
    let handle = desk.drop_files(vec![path]).remove(0).handle;
    let files =
        vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() }];
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
async fn compare(test: &OutboxFixture, claimed: &[BatchRow], upload: bool) -> Result<(), String> {
    let stored = test.stored().await;
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
            let record = test.ask("GET", &path, json!({})).await;
            let there = record["id"].to_string();
            if there != *number {
                wrong.push(format!("{} is called {number}, there: {}", row.id, record["id"]));
            }
        }
    }
    if upload {
        let record = test.ask("GET", "api/v1/get-transaction-status.json?id=d00000", json!({})).await;
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
    let all = alone.chain(mixtures.iter().map(|names| names.to_vec())).collect();
    assert_right(all, |names: Vec<&'static str>| async move { walk(&names).await }).await;
}

/// Mixtures of three to five, the same each time.
fn seeded_mixtures(count: u64) -> Vec<Vec<&'static str>> {
    let next = |seed: &mut u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(*seed >> 40).unwrap()
    };
    let mixture = |number: u64| {
        let mut seed = number + 12;
        let size = 3 + next(&mut seed) % 3;
        let mut names: Vec<&'static str> = Vec::new();
        while names.len() < size {
            let name = dialects()[next(&mut seed) % dialects().len()].name;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    (0..count).map(mixture).collect()
}

/// A batch whose answer is lost or late: whatever is claimed of its rows in the end is true, and what is not known
/// is not claimed.
async fn walk_lost(names: &[&'static str], fault: &str) -> Outcomes {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    office(&test, &desk, names).await;
    speak(&test, names).await;
    test.fault("batch_import", fault, 1).await;
    test.fault("import_results", "cut", 1).await;
    let batch = queue(&desk, "week.csv", many("d", ROWS - 1)).await.unwrap();
    let settled = async {
        loop {
            let view = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
            if view.ended_at.is_some() || view.asks {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let is_settled = timeout(PATIENCE, settled).await.is_ok();
    let view = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
    let claimed = rows(&desk, &batch.id, None, 0).await;
    speak(&test, &[]).await;
    let mut outcomes =
        Outcomes::from([("end", expect(is_settled, (&view.state, view.counts, &view.trouble)))]);
    let stored = test.stored().await;
    let is_true = |row: &BatchRow| {
        let there = stored.get(&row.id).copied().unwrap_or_default();
        match row.row_state {
            RowState::Accepted | RowState::Warning | RowState::SavedIncomplete => there == 1,
            RowState::Error | RowState::NotSent => there == 0,
            RowState::Pending => there <= 1,
        }
    };
    let wrong: Vec<String> = claimed
        .iter()
        .filter(|row| !is_true(row))
        .map(|row| format!("{} is called {:?}, there: {:?}", row.id, row.row_state, stored.get(&row.id)))
        .collect();
    outcomes.insert("claims", expect(wrong.is_empty(), wrong));
    let unproven = claimed.iter().filter(|row| row.row_state != RowState::Pending && row.evidence.is_none());
    outcomes.insert("evidence", expect(unproven.clone().next().is_none(), unproven.count()));
    outcomes
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_claimed_is_true_where_answers_are_lost_or_late_in_mixtures() {
    const FAULTS: [&str; 6] = ["cut", "cut_before", "error_after", "malformed", "delay", "cut_body"];
    let walks = seeded_mixtures(18).into_iter().zip(FAULTS.into_iter().cycle());
    let all = walks.map(|(names, fault)| [vec![fault], names].concat()).collect();
    assert_right(all, |names: Vec<&'static str>| async move { walk_lost(&names[1..], names[0]).await }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_claimed_over_seeded_mixtures_is_true() {
    let claims = |names: Vec<&'static str>| async move {
        let mut outcomes = walk(&names).await;
        // What works in each of them may not work in all together; what is claimed is true nevertheless.
        outcomes.retain(|step, _| *step == "claims");
        outcomes
    };
    assert_right(seeded_mixtures(8), claims).await;
}

/// Walks side by side; fails with every step that does not work and could.
async fn assert_right<F>(all: Vec<Vec<&'static str>>, walk: impl Fn(Vec<&'static str>) -> F)
where
    F: Future<Output = Outcomes> + Send + 'static,
{
    let (mut waiting, mut walking, mut unexpected) = (all.into_iter(), JoinSet::new(), Vec::new());
    loop {
        while walking.len() < HOUSES
            && let Some(names) = waiting.next()
        {
            let outcomes = walk(names.clone());
            walking.spawn(async move { (names, outcomes.await) });
        }
        let Some(walked) = walking.join_next().await else { break };
        let (names, outcomes) = walked.unwrap();
        let impossible = impossible_steps(&names);
        for (step, outcome) in outcomes {
            if let Err(why) = outcome
                && !impossible.contains(&step)
            {
                unexpected.push(format!("{}: {step}: {why}", names.join("+")));
            }
        }
    }
    unexpected.sort();
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}
