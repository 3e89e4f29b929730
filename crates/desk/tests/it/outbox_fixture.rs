//! An outbox with a practice service that can be driven, stopped and started again on the same data.

use std::collections::{BTreeMap, BTreeSet};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bordereau_contract::{CoverageItem, ImportTransaction};
use bordereau_desk::api::*;
use bordereau_desk::{
    BoxFuture, Desk, DeskConfig, MemorySecrets, OutboxPace, Ports, PracticeEndpoint, PracticePort,
    SystemClock,
};
use bordereau_money::Usd;
use bordereau_service::{AccountSeed, RunningService, ServiceConfig, start_service};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use serde_json::{Value, json};

use crate::test_desk::Scripted;

const KEY: &str = "bdk_key_of_the_outbox_tests_1234";

/// Where the service is at the moment; nowhere while it is stopped.
#[derive(Default)]
pub struct Switch(Mutex<Option<PracticeEndpoint>>);

impl PracticePort for Switch {
    fn endpoint(&self) -> BoxFuture<'_, Result<PracticeEndpoint, String>> {
        Box::pin(async { self.0.lock().unwrap().clone().ok_or_else(|| "it is switched off.".to_owned()) })
    }
}

/// A service, the folder of its data, and the folder of the desks.
pub struct OutboxFixture {
    pub folder: tempfile::TempDir,
    pub switch: Arc<Switch>,
    pub service: Option<RunningService>,
    pub person: Arc<Scripted>,
}

/// As quick as a test wants it.
pub fn quick() -> OutboxPace {
    OutboxPace {
        first_pause: Duration::from_millis(20),
        longest_pause: Duration::from_millis(150),
        recheck_pause: Duration::from_millis(30),
        rechecks_max: 2,
        lookup_window: Duration::from_millis(400),
        idle: Duration::from_millis(50),
        part_rows: 100,
        parts_in_flight: 1,
    }
}

impl OutboxFixture {
    /// With the service stopped.
    pub fn dark() -> OutboxFixture {
        let folder = tempfile::tempdir().unwrap();
        OutboxFixture { folder, switch: Arc::default(), service: None, person: Arc::default() }
    }

    pub async fn new() -> OutboxFixture {
        let mut test = OutboxFixture::dark();
        test.light().await;
        test
    }

    /// Starts the service on the data it had.
    pub async fn light(&mut self) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let account = AccountSeed { api_key: Some(KEY.into()), ..AccountSeed::default() };
        let config = ServiceConfig {
            data_dir: Some(self.folder.path().join("service")),
            account,
            ..ServiceConfig::default()
        };
        let running = start_service(listener, config).await.unwrap();
        *self.switch.0.lock().unwrap() = Some(PracticeEndpoint {
            base_url: running.base_url.clone(),
            ca_pem: running.ca_pem.clone(),
            api_key: running.api_key.clone(),
            username: running.username.clone(),
            password: running.password.clone(),
        });
        self.service = Some(running);
    }

    /// Stops the service; its address is refused from now on.
    pub async fn darken(&mut self) {
        if let Some(running) = self.service.take() {
            running.stop().await;
        }
    }

    /// A desk on the folder, as of a process of its own.
    pub fn desk(&self) -> Desk {
        let desk = open(&self.folder.path().join("desk"), self.switch.clone(), self.person.clone());
        desk.set_outbox_pace(quick());
        desk
    }

    /// The same on another folder of the test.
    pub fn desk_at(&self, name: &str) -> Desk {
        let desk = open(&self.folder.path().join(name), self.switch.clone(), self.person.clone());
        desk.set_outbox_pace(quick());
        desk
    }

    /// Ends a desk as a process ends: nothing of it has the data open any more.
    pub async fn close(&self, desk: Desk) {
        drop(desk);
        let lock = std::fs::File::open(self.folder.path().join("desk/store.lock")).unwrap();
        while lock.try_lock().is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Has a desk send to the service under a profile of its own, as to a service of somebody else.
    pub async fn office(&self, desk: &Desk) {
        let running = self.service.as_ref().unwrap();
        let ca_file = self.folder.path().join("office.pem");
        std::fs::write(&ca_file, &running.ca_pem).unwrap();
        let profile = Profile {
            base_url: running.base_url.clone(),
            ca_file: crate::test_desk::file_handle(desk, &ca_file),
            ..crate::test_desk::profile("Office")
        };
        let id = desk.profile_save(profile).await.unwrap().profile.id;
        desk.profile_set_key(SetApiKey { id: id.clone(), key: KEY.into() }).await.unwrap();
        desk.profile_select(ProfileId { id }).await.unwrap();
    }

    /// The same, as of a command that only looks.
    pub fn desk_at_rest(&self) -> Desk {
        let folder = self.folder.path().join("desk");
        let desk = open_at_rest(&folder, self.switch.clone(), self.person.clone());
        desk.set_outbox_pace(quick());
        desk
    }

    /// A desk on a folder, without any service.
    pub fn desk_in(folder: &Path) -> Desk {
        open(folder, Arc::default(), Arc::default())
    }

    /// Something under `/practice/`.
    pub async fn drive(&self, method: &str, path: &str, body: Value) -> Value {
        self.ask(method, &format!("practice/{path}"), body).await
    }

    /// Anything of the service, with the account's key.
    pub async fn ask(&self, method: &str, path: &str, body: Value) -> Value {
        let running = self.service.as_ref().unwrap();
        let mut roots = rustls::RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(running.ca_pem.as_bytes()) {
            roots.add(certificate.unwrap()).unwrap();
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let driver = reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy().build().unwrap();
        let url = format!("{}/{path}", running.base_url);
        let request = driver.request(method.parse().unwrap(), url).header("apiKey", &running.api_key);
        let answer = request.json(&body).send().await.unwrap();
        let status = answer.status();
        let value: Value = answer.json().await.unwrap_or_default();
        assert!(status.is_success(), "{path}: {status} {value}");
        value
    }

    pub async fn fault(&self, operation: &str, kind: &str, times: u32) {
        let body = json!({ "operation": operation, "kind": kind, "times": times, "delay_ms": 300 });
        self.drive("POST", "faults", body).await;
    }

    /// The next answer of an operation comes so many milliseconds late.
    pub async fn late(&self, operation: &str, delay_ms: u64) {
        let body = json!({ "operation": operation, "kind": "delay", "times": 1, "delay_ms": delay_ms });
        self.drive("POST", "faults", body).await;
    }

    /// What the service has: how often each own id.
    pub async fn stored(&self) -> BTreeMap<String, i64> {
        let mut all = BTreeMap::new();
        loop {
            let after = all.keys().next_back().cloned().unwrap_or_default();
            let page = self.drive("GET", &format!("transactions?after={after}"), json!({})).await;
            let listed = page["transactions"].as_array().unwrap().clone();
            for entry in &listed {
                all.insert(entry["id"].as_str().unwrap().to_owned(), entry["count"].as_i64().unwrap());
            }
            if listed.is_empty() || all.len() as i64 >= page["count"].as_i64().unwrap() {
                return all;
            }
        }
    }

    /// Every row is in the service exactly once, or reported as not taken and not there.
    pub async fn exactly_once(&self, desk: &Desk, batch: &BatchView) {
        let stored = self.stored().await;
        let (mut taken, mut from) = (0, 0);
        loop {
            let page = rows(desk, &batch.id, None, from).await;
            if page.is_empty() {
                break;
            }
            from += u32::try_from(page.len()).unwrap();
            for row in page {
                let count = stored.get(&row.id).copied().unwrap_or_default();
                let expected = i64::from(!matches!(row.row_state, RowState::NotSent | RowState::Error));
                assert_eq!(count, expected, "{} is {:?}", row.id, row.row_state);
                assert_ne!(row.row_state, RowState::Pending, "{}", row.id);
                taken += expected;
            }
        }
        assert_eq!(from, batch.counts.total);
        assert_eq!(stored.values().sum::<i64>(), taken, "nothing else is there");
    }
}

fn open(folder: &Path, practice: Arc<Switch>, person: Arc<Scripted>) -> Desk {
    let desk = open_at_rest(folder, practice, person);
    desk.start_work();
    desk
}

fn open_at_rest(folder: &Path, practice: Arc<Switch>, person: Arc<Scripted>) -> Desk {
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets: Arc::new(MemorySecrets::new()),
        practice,
        dialogs: person.clone(),
        browser: person,
        policy: Arc::default(),
        sign_in: None,
    };
    Desk::open_idle(DeskConfig { data_dir: folder.to_owned(), ports }).unwrap()
}

/// Up to 500 rows of a batch.
pub async fn rows(desk: &Desk, id: &str, state: Option<RowState>, from: u32) -> Vec<BatchRow> {
    let request = BatchRowsRequest { id: id.into(), state, from, count: 500, ..BatchRowsRequest::default() };
    desk.batch_rows(request).await.unwrap().rows
}

fn usd(text: &str) -> Option<Usd> {
    Some(Usd::parse(text).unwrap())
}

/// A transaction without anything to remark.
pub fn row(id: &str) -> ImportTransaction {
    let text = |text: &str| Some(text.to_owned());
    ImportTransaction {
        id: id.into(),
        policy_number: Some(format!("P-{id}")),
        policy_effective_date: text("2026-02-23"),
        invoice_number: Some(format!("INV-{id}")),
        transaction_type: text("PN"),
        physical_state: text("TX"),
        account_written_as: text("DC"),
        risk_description: text("a warehouse"),
        layered_risk: Some(0),
        risk_retention_group: Some(0),
        mailing_insured_name: text("Example Diner LLC"),
        premium: usd("1000"),
        line_of_business_list: vec![CoverageItem { item: "GEN-1002".into(), coverage: usd("1000") }],
        insurance_company_list: vec![CoverageItem { item: "AA-1".into(), coverage: usd("100") }],
        sl_tax: usd("48.50"),
        stamping_fee: usd("0.40"),
        total: usd("1048.90"),
        ..ImportTransaction::default()
    }
}

/// Rows with ids of this prefix.
pub fn many(prefix: &str, count: u32) -> Vec<ImportTransaction> {
    (0..count).map(|n| row(&format!("{prefix}{n:05}"))).collect()
}

/// The rows as a file that a person drops on the window.
pub fn csv_file(rows: &[ImportTransaction]) -> String {
    let lists = [
        ("line_of_business_list", "line_of_business_coverage"),
        ("insurance_company_list", "insurance_company_coverage"),
    ];
    let cells = |row: &ImportTransaction| -> BTreeMap<String, String> {
        let Value::Object(members) = serde_json::to_value(row).unwrap() else { panic!("it is an object") };
        let mut cells = BTreeMap::new();
        for (name, value) in members {
            match value {
                Value::Array(items) => {
                    let Some((list, coverage)) = lists.iter().find(|(list, _)| *list == name) else {
                        continue;
                    };
                    let join = |key: &str| {
                        let texts = items.iter().map(|item| item[key].to_string().replace('"', ""));
                        texts.collect::<Vec<_>>().join(" | ")
                    };
                    cells.insert((*list).to_owned(), join("item"));
                    cells.insert((*coverage).to_owned(), join("coverage"));
                }
                Value::Null => {}
                Value::String(text) => drop(cells.insert(name, text)),
                other => drop(cells.insert(name, other.to_string())),
            }
        }
        cells
    };
    let rows: Vec<_> = rows.iter().map(cells).collect();
    let names: BTreeSet<&String> = rows.iter().flat_map(BTreeMap::keys).collect();
    let line = |texts: Vec<String>| format!("{}\n", texts.join(","));
    let head = line(names.iter().map(ToString::to_string).collect());
    let body = rows.iter().map(|row| {
        line(names.iter().map(|name| format!("\"{}\"", row.get(*name).map_or("", String::as_str))).collect())
    });
    head + &body.collect::<String>()
}

/// Sends rows as a person does: from a file, through its review.
pub async fn queue(
    desk: &Desk,
    name: &str,
    rows: Vec<ImportTransaction>,
) -> Result<BatchView, BoundaryError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, csv_file(&rows)).unwrap();
    let source = ReviewSource::Dropped { handle: crate::test_desk::file_handle(desk, &path) };
    let mut review = desk.review_start(ReviewStart { source }).await?;
    while review.stage == ReviewStage::Reading {
        tokio::time::sleep(Duration::from_millis(2)).await;
        review = desk.review_state(ReviewId { id: review.id }).await?;
    }
    if let Some(refusal) = review.refusal {
        let is_full = refusal.contains("disk is full");
        let code = if is_full { ErrorCode::DiskFull } else { ErrorCode::Storage };
        return Err(BoundaryError::with_code(code, refusal));
    }
    assert_eq!(review.stage, ReviewStage::Review, "{review:#?}");
    let (id, scope) = (review.id, SendScope::All);
    let preview = desk.review_send_preview(SendReviewPreview { id: id.clone(), scope }).await?;
    let send = SendReview { id: id.clone(), scope, confirmed: preview.totals, typed: preview.type_word };
    let batch = desk.review_send(send).await?;
    // The rows are queued, whether or not the disk has room to store that the review is closed.
    let _ = desk.review_close(ReviewId { id }).await;
    Ok(batch)
}

/// Queues and waits, at most a minute.
pub async fn sent(desk: &Desk, rows: Vec<ImportTransaction>) -> BatchView {
    let batch = queue(desk, "week.csv", rows).await.unwrap();
    ended(desk, &batch.id).await
}

pub async fn ended(desk: &Desk, id: &str) -> BatchView {
    match tokio::time::timeout(Duration::from_secs(90), at_its_end(desk, id)).await {
        Ok(view) => view,
        Err(_) => panic!("it does not end: {:?}", desk.batch_show(BatchId { id: id.into() }).await),
    }
}

/// The batch once it is at its end or waits for a person's decision only, however long that takes.
pub async fn at_its_end(desk: &Desk, id: &str) -> BatchView {
    loop {
        // Asking for the status has this process work on it where no other one does any more.
        desk.outbox_status(Nothing {}).await.unwrap();
        let view = desk.batch_show(BatchId { id: id.into() }).await.unwrap();
        if view.state.is_ended() || (view.asks && !view.goes_on) {
            return view;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
