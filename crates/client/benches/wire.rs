//! The client on the wire, against the practice service in this process.
//!
//! - 2,500 records in 50 pages, over a line on which there and back takes 50 ms, beside the same pages one after
//!   another; the goal is at least 5 times faster. Both begin without a connection, as after a pause.
//! - As many requests as the limit allows: at least 9,800 a minute, none refused. The minute is shortened: the service's
//!   clock runs five times as fast, and the client's window is as much shorter. The service's own count says that
//!   nothing was sent that was not answered: a 429 would have been repeated and counted twice.
//! - 500 files of 1 MB, beside a bare loop of reqwest that reads, encodes and sends the same files: at least 70% of its
//!   speed, in memory that does not grow with what is sent. The desk's whole way is measured by its bench `uploads`.
//!
//! `cargo bench -p bordereau-client --bench wire`; on a shared machine only the ratios mean something.

mod bare_upload;
#[path = "../tests/it/driver.rs"]
mod driver;
#[path = "../tests/it/practice.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod practice;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bare_upload::{send_bare, status_kib};
use bordereau_client::{
    Client, ClientConfig, Credentials, DocumentContent, DocumentFile, DocumentTarget, MemoryTokens,
    SearchOptions, TransactionLookup,
};
use bordereau_contract::{
    BatchStatus, ImportTransaction, REQUESTS_PER_MINUTE, SEARCH_PAGES_MAX, SearchRequest,
};
use bordereau_service::{Clock, RunningService, ServiceConfig, start_service};
use chrono::{DateTime, Utc};
use practice::Practice;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;

const RECORDS: usize = 2_500;
const LATENCY: Duration = Duration::from_millis(50);
const ROUNDS: usize = 5;
/// How much faster the minute of the limit passes.
const SPEED: u32 = 5;
const WINDOWS: u32 = 3;
const FILES: usize = 500;
const FILE_BYTES: usize = 1_000_000;
/// What the whole process, service included, may grow by while 500 MB are sent.
const GROWTH_MAX_KIB: u64 = 64 * 1024;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    runtime.block_on(pages());
    runtime.block_on(limit());
    runtime.block_on(uploads());
}

fn verdict(good: bool) -> &'static str {
    if good { "pass" } else { "MISS" }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn row(id: String) -> ImportTransaction {
    ImportTransaction {
        id,
        policy_effective_date: Some("2026-02-23".to_owned()),
        ..ImportTransaction::default()
    }
}

/// A line to the service on which there and back takes as long as [`LATENCY`]: for the opening of a connection,
/// its TLS and every answer.
async fn line(service: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            tokio::spawn(async move {
                tokio::time::sleep(LATENCY).await;
                let Ok(far) = TcpStream::connect(service).await else { return };
                let _ = (near.set_nodelay(true), far.set_nodelay(true));
                let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
                tokio::join!(held_back(near_in, far_out), held_back(far_in, near_out));
            });
        }
    });
    address
}

async fn held_back(mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
    let (send, mut receive) = unbounded_channel::<(Instant, Vec<u8>)>();
    let reading = async move {
        let mut piece = vec![0; 64 * 1024];
        while let Ok(read @ 1..) = from.read(&mut piece).await {
            if send.send((Instant::now() + LATENCY / 2, piece[..read].to_vec())).is_err() {
                break;
            }
        }
    };
    let writing = async move {
        while let Some((at, piece)) = receive.recv().await {
            tokio::time::sleep_until(at.into()).await;
            if to.write_all(&piece).await.is_err() {
                break;
            }
        }
        let _ = to.shutdown().await;
    };
    tokio::join!(reading, writing);
}

async fn pages() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let rows: Vec<_> = (0..RECORDS).map(|number| row(format!("{number:05}"))).collect();
    let batch = client.import_batch(&rows).await.expect("accepted").batch_id;
    while client.import_results(&batch).await.expect("results").status != BatchStatus::Processed {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let service = practice.running.base_url.trim_start_matches("https://").parse().expect("an address");
    let base_url = format!("https://{}", line(service).await);
    let far_away = || practice.with_key(ClientConfig { base_url: base_url.clone(), ..practice.config() });
    let request = SearchRequest::default();
    let (mut side_by_side, mut one_by_one) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let client = far_away();
        let started = Instant::now();
        let mut records = 0;
        for page in 1..=SEARCH_PAGES_MAX {
            records += client.search_page(&request, page).await.expect("a page").data.len();
        }
        one_by_one.push(started.elapsed());
        assert_eq!(records, RECORDS);
        let client = far_away();
        let started = Instant::now();
        let mut search = client.search_transactions(&request, SearchOptions::default());
        let mut found = 0;
        while let Some(some) = search.next().await {
            found += some.expect("records").records.len();
        }
        side_by_side.push(started.elapsed());
        assert_eq!((found, search.shortfalls().len()), (RECORDS, 0));
    }
    let (ours, plain) = (median(side_by_side).as_micros(), median(one_by_one).as_micros());
    let tenths = plain * 10 / ours.max(1);
    println!("50 pages with 50 ms latency: {} ms, page after page {} ms", ours / 1_000, plain / 1_000);
    println!(
        "2,500 records against page after page, 50 ms latency | {}.{} times faster | at least 5 | {}",
        tenths / 10,
        tenths % 10,
        verdict(tenths >= 50)
    );
}

/// Runs as many times faster than the operating system's.
struct FastClock {
    began: Instant,
    at: DateTime<Utc>,
}

impl Clock for FastClock {
    fn now(&self) -> DateTime<Utc> {
        self.at + self.began.elapsed() * SPEED
    }
}

async fn service(config: ServiceConfig) -> RunningService {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    start_service(listener, config).await.expect("the practice service starts")
}

fn client(running: &RunningService, config: ClientConfig) -> Client {
    let config = ClientConfig {
        base_url: running.base_url.clone(),
        extra_ca_pem: Some(running.ca_pem.clone()),
        ..config
    };
    Client::new(config, Credentials::with_api_key(running.api_key.clone()), Arc::new(MemoryTokens::new()))
        .expect("a client")
}

async fn limit() {
    let at = "2026-11-20T10:00:30Z".parse().expect("an instant");
    let clock = Arc::new(FastClock { began: Instant::now(), at });
    let running = service(ServiceConfig { clock, ..ServiceConfig::default() }).await;
    let window = Duration::from_secs(60) / SPEED;
    // One client, as one profile has it; the key's minute is shared by everything it does.
    let client = client(&running, ClientConfig { limit_window: window, ..ClientConfig::default() });
    let lookup = {
        let result = client.import_single(&row("1".to_owned())).await.expect("a result");
        TransactionLookup::TransactionId(result.transaction_id.expect("a number"))
    };
    let end = Instant::now() + window * WINDOWS;
    let counters = || (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (in_time, answered, failed) = counters();
    let mut callers = JoinSet::new();
    for _ in 0..32 {
        let (client, lookup) = (client.clone(), lookup.clone());
        let (in_time, answered, failed) = (in_time.clone(), answered.clone(), failed.clone());
        callers.spawn(async move {
            while Instant::now() < end {
                match client.transaction_status(&lookup).await {
                    Ok(record) => assert!(record.is_some(), "the record is there"),
                    Err(_) => {
                        failed.fetch_add(1, Ordering::Relaxed);
                        continue;
                    }
                }
                answered.fetch_add(1, Ordering::Relaxed);
                if Instant::now() < end {
                    in_time.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
    }
    callers.join_all().await;
    let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let (in_time, answered, failed) = (of(&in_time), of(&answered), of(&failed));
    // The import at the beginning counts too.
    let repeated = counted(&running).await - answered - failed - 1;
    let a_minute = in_time / u64::from(WINDOWS);
    println!(
        "limit {REQUESTS_PER_MINUTE}: {in_time} answers in {WINDOWS} minutes of {window:?}, {failed} failed, {repeated} sent again"
    );
    println!(
        "requests a minute at the limit, minute of 12 s | {a_minute}, {} refused | at least 9800, none | {}",
        failed + repeated,
        verdict(a_minute >= 9_800 && failed + repeated == 0)
    );
    running.stop().await;
}

/// Requests the service counted, refused ones included.
async fn counted(running: &RunningService) -> u64 {
    let url = format!("{}/practice/requests", running.base_url);
    let request = driver::driver(&running.ca_pem).get(url).header("apiKey", &running.api_key);
    let counts: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    counts["accounts"][0]["total"].as_u64().expect("a count")
}

async fn uploads() {
    let dir = tempfile::tempdir().expect("a directory");
    let files: Vec<PathBuf> = (0..FILES).map(|number| write_file(dir.path(), number)).collect();
    let data_dir = Some(dir.path().join("service"));
    let running = service(ServiceConfig { data_dir, ..ServiceConfig::default() }).await;
    let client = client(&running, ClientConfig::default());
    let bare = driver::driver(&running.ca_pem);
    let mut numbers = Vec::new();
    for id in ["ours", "bare"] {
        let result = client.import_single(&row(id.to_owned())).await.expect("a result");
        numbers.push(result.transaction_id.expect("a number"));
    }
    let target = DocumentTarget::Transaction(numbers[0]);
    let (mut ours, mut theirs) = (Duration::ZERO, Duration::ZERO);
    // Warm, and from here on the peak counts.
    send_bare(&bare, &running, numbers[1], &files[0]).await;
    send(&client, &target, &files[0]).await;
    for path in &files {
        let started = Instant::now();
        send_bare(&bare, &running, numbers[1], path).await;
        theirs += started.elapsed();
        let started = Instant::now();
        send(&client, &target, path).await;
        ours += started.elapsed();
    }
    let percent = theirs.as_micros() * 100 / ours.as_micros().max(1);
    println!("{FILES} files of 1 MB: {} ms, bare loop {} ms", ours.as_millis(), theirs.as_millis());
    println!(
        "500 files of 1 MB against a bare loop | {percent} % | at least 70 % | {}",
        verdict(percent >= 70)
    );
    memory(&client, &target, dir.path()).await;
    running.stop().await;
}

/// The peak of the whole process while another 500 files are sent, four side by side.
async fn memory(client: &Client, target: &DocumentTarget, dir: &Path) {
    let (before, Ok(())) = (status_kib("VmRSS:"), std::fs::write("/proc/self/clear_refs", "5")) else {
        println!("memory while uploading: not measured, this system has no /proc/self/clear_refs");
        return;
    };
    let mut sending = JoinSet::new();
    for number in FILES..2 * FILES {
        if sending.len() == 4 {
            sending.join_next().await.expect("one is being sent").expect("no panic");
        }
        let (client, target, path) = (client.clone(), target.clone(), write_file(dir, number));
        sending.spawn(async move { send(&client, &target, &path).await });
    }
    sending.join_all().await;
    let grown = status_kib("VmHWM:").saturating_sub(before);
    println!(
        "memory grown while 500 MB are sent, four at once | {} MiB, service included | at most 64 MiB | {}",
        grown / 1024,
        verdict(grown <= GROWTH_MAX_KIB)
    );
}

/// A file of its own content, so that the service keeps each.
fn write_file(dir: &Path, number: usize) -> PathBuf {
    let mut content = format!("%PDF-1.7\n{number:08}\n").into_bytes();
    content.extend((content.len()..FILE_BYTES).map(|at| u8::try_from(at * 7 % 251).unwrap_or_default()));
    let path = dir.join(format!("{number}.pdf"));
    std::fs::write(&path, content).expect("room for a file");
    path
}

async fn send(client: &Client, target: &DocumentTarget, path: &Path) {
    let document = DocumentFile {
        name: "Policy".to_owned(),
        code: "POLIC".to_owned(),
        file_name: "policy.pdf".to_owned(),
        content: DocumentContent::File(path.to_owned()),
        sha256: None,
    };
    let uploaded = client.upload_document(target, &document, |_| {}).await.expect("an answer");
    assert!(uploaded.outcome.imported, "{:?}", uploaded.outcome);
}
