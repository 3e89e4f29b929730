//! Uploading documents the whole way a person's files take: copied and hashed, stored, sent by the worker, ended in
//! the store, the record reread; beside a bare loop of reqwest that reads, encodes and sends the same files.
//!
//! 500 files of 1 MB, in rounds that alternate with the loop: at least 70% of its speed, in memory that does not grow
//! with what is sent. The practice service runs in the same process, with its data on the disk.
//! `cargo bench -p bordereau-desk --bench uploads`.

#[path = "../../client/benches/bare_upload/mod.rs"]
mod bare_upload;
#[path = "../../client/tests/it/driver.rs"]
mod driver;
mod no_ports;
mod practice_desk;

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bare_upload::{send_bare, status_kib};
use bordereau_client::{Client, ClientConfig, Credentials, MemoryTokens};
use bordereau_contract::ImportTransaction;
use bordereau_desk::api::{DocumentTarget, DocumentsUpload, Nothing, UploadFile, UploadState};
use bordereau_desk::{Desk, MemorySecrets};
use bordereau_service::{RunningService, ServiceConfig, start_service};
use driver::driver;
use practice_desk::open_desk;

const ROUNDS: usize = 5;
const FILES_A_ROUND: usize = 100;
const FILE_BYTES: usize = 1_000_000;
/// What the whole process, service included, may grow by while 500 MB are sent.
const GROWTH_MAX_KIB: u64 = 64 * 1024;

fn main() {
    tokio::runtime::Runtime::new().expect("a runtime starts").block_on(run());
}

async fn run() {
    let folder = tempfile::tempdir().expect("a folder");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let data_dir = Some(folder.path().join("service"));
    let running = start_service(listener, ServiceConfig { data_dir, ..ServiceConfig::default() })
        .await
        .expect("a service");
    let (ours, bare) = (transaction(&running, "ours").await, transaction(&running, "bare").await);
    let desk = open_desk(&folder.path().join("desk"), &running, Arc::new(MemorySecrets::new()));
    let http = driver(&running.ca_pem);
    // Everything is warm before it is measured.
    send_all(&desk, ours, &files(folder.path(), 0, 4)).await;
    send_bare(&http, &running, bare, &files(folder.path(), 1, 1)[0]).await;
    let (mut our_time, mut bare_time) = (Duration::ZERO, Duration::ZERO);
    let before = resident();
    for round in 0..ROUNDS {
        let files = files(folder.path(), 10 + round, FILES_A_ROUND);
        let began = Instant::now();
        for file in &files {
            send_bare(&http, &running, bare, file).await;
        }
        bare_time += began.elapsed();
        let began = Instant::now();
        send_all(&desk, ours, &files).await;
        our_time += began.elapsed();
        files.iter().for_each(|file| std::fs::remove_file(file).expect("it is there"));
    }
    let percent = bare_time.as_micros() * 100 / our_time.as_micros().max(1);
    let verdict = |good: bool| if good { "pass" } else { "MISS" };
    println!("500 files of 1 MB: {} ms, bare loop {} ms", our_time.as_millis(), bare_time.as_millis());
    println!(
        "500 files of 1 MB through the desk against a bare loop | {percent} % | at least 70 % | {}",
        verdict(percent >= 70)
    );
    match before {
        Some(before) => {
            let grown = status_kib("VmHWM:").saturating_sub(before);
            println!(
                "memory grown while 500 MB go through the desk | {} MiB, service and bare loop included | at most 64 MiB | {}",
                grown / 1024,
                verdict(grown <= GROWTH_MAX_KIB)
            );
        }
        None => println!("memory while uploading: not measured, this system has no /proc/self/clear_refs"),
    }
    running.stop().await;
}

/// Resident memory now; from here on the peak counts.
fn resident() -> Option<u64> {
    std::fs::write("/proc/self/clear_refs", "5").ok().map(|()| status_kib("VmRSS:"))
}

/// Files of their own content each, so that the service keeps each.
fn files(folder: &Path, round: usize, count: usize) -> Vec<PathBuf> {
    let file = |number: usize| {
        let mut content = format!("%PDF-1.7\n{round:04}-{number:04}\n").into_bytes();
        let filling = content.len()..FILE_BYTES - 6;
        content.extend(filling.map(|at| u8::try_from(at * 7 % 251).unwrap_or_default()));
        content.extend(b"%%EOF\n");
        let path = folder.join(format!("{round}-{number}.pdf"));
        std::fs::write(&path, content).expect("room for a file");
        path
    };
    (0..count).map(file).collect()
}

async fn transaction(running: &RunningService, id: &str) -> i64 {
    let config = ClientConfig {
        extra_ca_pem: Some(running.ca_pem.clone()),
        ..ClientConfig::for_address(running.base_url.clone())
    };
    let credentials = Credentials::with_api_key(running.api_key.clone());
    let client = Client::new(config, credentials, Arc::new(MemoryTokens::new())).expect("a client");
    let row = ImportTransaction { id: id.to_owned(), ..ImportTransaction::default() };
    let result = client.import_single(&row).await.expect("a result");
    result.transaction_id.expect("a number")
}

async fn send_all(desk: &Desk, transaction: i64, files: &[PathBuf]) {
    let dropped = desk.drop_files(files.to_vec()).into_iter();
    let file =
        |handle| UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() };
    let request = DocumentsUpload {
        target: DocumentTarget { transaction_id: transaction.to_string(), ..DocumentTarget::default() },
        files: dropped.map(|dropped| file(dropped.handle)).collect(),
        typed: String::new(),
    };
    let queued = desk.documents_upload(request).await.expect("they are stored");
    assert_eq!((queued.uploads.len(), queued.refused.len()), (files.len(), 0), "{:?}", queued.refused);
    let ids: Vec<String> = queued.uploads.into_iter().map(|upload| upload.id).collect();
    let ended = desk.documents_wait(&ids).await.expect("they end");
    assert!(ended.iter().all(|upload| upload.state == UploadState::Sent), "{:?}", ended.first());
    assert_eq!(desk.documents_queue(Nothing {}).await.expect("the queue").open, 0);
}
