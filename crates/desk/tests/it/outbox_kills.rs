//! kill -9 at random points while a batch is being sent; afterwards every row is in the service exactly once.
//!
//! The core runs in its own process: this test program again, with [`core_to_be_killed`] alone. A small
//! run is part of the tests; `cargo xtask faults` asks for the large one through the environment.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bordereau_contract::ImportTransaction;
use bordereau_desk::api::*;
use bordereau_desk::{
    BoxFuture, Desk, DeskConfig, KeyFileSecrets, KeyFileUse, MemorySecrets, OutboxPace, Ports,
    PracticeEndpoint, PracticePort, SecretStore, SystemClock, key_file_make,
};
use rusqlite::Connection;

use crate::erase::is_anywhere;
use crate::outbox_fixture::{OutboxFixture, at_its_end, ended, many, queue, quick};
use crate::test_desk::Scripted;
use crate::test_keychain::desk_with;

const FOLDER: &str = "BORDEREAU_FAULTS_FOLDER";
const ADDRESS: &str = "BORDEREAU_FAULTS_ADDRESS";
const AUTHORITY: &str = "BORDEREAU_FAULTS_AUTHORITY";
const KEY: &str = "BORDEREAU_FAULTS_KEY";
/// Key file of an encrypted data folder.
const DATA_KEY: &str = "BORDEREAU_FAULTS_DATA_KEY";
const ROWS: &str = "BORDEREAU_FAULTS_ROWS";
const KILLS: &str = "BORDEREAU_FAULTS_KILLS";
const SEED: &str = "BORDEREAU_FAULTS_SEED";

struct GivenEndpoint(PracticeEndpoint);

impl PracticePort for GivenEndpoint {
    fn endpoint(&self) -> BoxFuture<'_, Result<PracticeEndpoint, String>> {
        Box::pin(async { Ok(self.0.clone()) })
    }
}

fn number(name: &str, absent: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(absent)
}

fn pace() -> OutboxPace {
    OutboxPace { part_rows: 125, parts_in_flight: 3, ..quick() }
}

/// The process that is killed: queues the batch unless it is in the store, and works until it ends.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "run by the test below, in a process of its own"]
async fn core_to_be_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let endpoint = PracticeEndpoint {
        base_url: std::env::var(ADDRESS).unwrap(),
        ca_pem: std::fs::read_to_string(std::env::var(AUTHORITY).unwrap()).unwrap(),
        api_key: std::env::var(KEY).unwrap(),
        username: String::new(),
        password: String::new(),
    };
    let person: Arc<Scripted> = Arc::default();
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets: std::env::var(DATA_KEY).map_or_else(
            |_| Arc::new(MemorySecrets::new()) as Arc<dyn SecretStore>,
            |file| key_file(Path::new(&file)),
        ),
        practice: Arc::new(GivenEndpoint(endpoint)),
        dialogs: person.clone(),
        browser: person,
        policy: Arc::default(),
        sign_in: None,
    };
    let desk = Desk::open(DeskConfig { data_dir: folder.into(), ports }).unwrap();
    desk.set_outbox_pace(pace());
    let batches = desk.batch_list(Nothing {}).await.unwrap().batches;
    let id = match batches.first() {
        Some(batch) => batch.id.clone(),
        None => queue(&desk, "killed.csv", rows_to_send(number(ROWS, 1_000))).await.unwrap().id,
    };
    at_its_end(&desk, &id).await;
}

/// Ids that the outbox gives have to stay the same through every kill.
fn rows_to_send(count: u32) -> Vec<ImportTransaction> {
    let mut rows = many("k", count);
    rows.iter_mut().step_by(2).for_each(|row| row.id.clear());
    rows
}

fn key_file(file: &Path) -> Arc<dyn SecretStore> {
    let inner = Arc::new(MemorySecrets::new());
    Arc::new(KeyFileSecrets::open(inner, file, KeyFileUse::Unattended).unwrap())
}

fn spawn(test: &OutboxFixture, rows: u32, data_key: Option<&Path>) -> Child {
    let service = test.service.as_ref().unwrap();
    let authority = test.folder.path().join("ca.pem");
    std::fs::write(&authority, &service.ca_pem).unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "outbox_kills::core_to_be_killed", "--ignored", "--test-threads=1"])
        .env(FOLDER, test.folder.path().join("desk"))
        .env(ADDRESS, &service.base_url)
        .env(AUTHORITY, authority)
        .env(KEY, &service.api_key)
        .env(ROWS, rows.to_string())
        .envs(data_key.map(|file| (DATA_KEY, file)))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A number below `end`; good enough to spread kills, and the same for the same seed.
fn random(state: &mut u64, end: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % end.max(1)
}

/// Waits for the process, at most so long; true when it ended by itself.
async fn ended_within(child: &mut Child, wait: Duration) -> bool {
    let until = Instant::now() + wait;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "the core failed: {status}");
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_random_points_every_row_arrives_exactly_once() {
    let (rows, kills) = (number(ROWS, 1_000), number(KILLS, 5));
    for seed in seeds() {
        println!("{rows} rows, {kills} kills, {SEED}={seed}");
        kill_at_random(rows, kills, seed).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_killed_on_an_encrypted_folder_send_every_row_exactly_once() {
    let (rows, kills) = (number(ROWS, 1_000), number(KILLS, 5));
    for seed in seeds() {
        println!("{rows} rows, {kills} kills of two processes, {SEED}={seed}");
        kill_two_at_random(rows, kills, seed).await;
    }
}

async fn kill_two_at_random(rows: u32, kills: u32, mut seed: u64) {
    let test = OutboxFixture::new().await;
    test.drive("POST", "speed", serde_json::json!({ "rows_per_second": rows })).await;
    let slow = serde_json::json!({ "operation": "batch_import", "kind": "delay_after", "times": 100_000, "delay_ms": 40 });
    test.drive("POST", "faults", slow).await;
    let file = test.folder.path().join("data.key");
    key_file_make(file.clone()).await.unwrap();
    let desk = desk_with(&test, key_file(&file));
    let batch = queue(&desk, "killed.csv", rows_to_send(rows)).await.unwrap();
    test.close(desk).await;

    let mut cores = [spawn(&test, rows, Some(&file)), spawn(&test, rows, Some(&file))];
    for _ in 0..kills {
        let whom = usize::from(random(&mut seed, 2) == 1);
        if ended_within(&mut cores[whom], Duration::from_millis(20 + random(&mut seed, 1_000))).await {
            break;
        }
        cores[whom].kill().unwrap();
        cores[whom].wait().unwrap();
        cores[whom] = spawn(&test, rows, Some(&file));
    }
    for core in &mut cores {
        assert!(ended_within(core, Duration::from_secs(120)).await, "it goes on after the kills");
    }
    let desk = desk_with(&test, key_file(&file));
    let batch = desk.batch_show(BatchId { id: batch.id }).await.unwrap();
    assert_eq!((batch.state, batch.counts.total), (BatchState::Processed, rows), "{batch:?}");
    test.exactly_once(&desk, &batch).await;
    assert!(desk.audit_list(Nothing {}).await.unwrap().intact);
    assert!(!is_anywhere(&test.folder.path().join("desk"), "Example Diner"), "all of it is encrypted");
}

/// The same ones each time, and one that no one chose; or the one that is asked for.
fn seeds() -> Vec<u64> {
    match std::env::var(SEED).ok().and_then(|text| text.parse().ok()) {
        Some(seed) => vec![seed],
        None => {
            let fresh = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos();
            vec![1, u64::from(fresh)]
        }
    }
}

async fn kill_at_random(rows: u32, kills: u32, mut seed: u64) {
    let (mut killed, mut rounds, mut parts, mut taken) = (0, 0, 0, 0);
    // Kills fall within this time; it follows what they hit.
    let mut within_ms = 1_500;
    while killed < kills {
        rounds += 1;
        let test = OutboxFixture::new().await;
        test.drive("POST", "speed", serde_json::json!({ "rows_per_second": rows })).await;
        // Slow answers, so that kills fall before and after the service has taken a part.
        let slow = if rounds % 2 == 0 { "delay" } else { "delay_after" };
        let fault = serde_json::json!({ "operation": "batch_import", "kind": slow, "times": 100_000, "delay_ms": 40 });
        test.drive("POST", "faults", fault).await;
        let mut states = Vec::new();
        while killed < kills {
            let mut core = spawn(&test, rows, None);
            // Early more often than late: that is when something is being sent.
            let latest = 1 + random(&mut seed, within_ms);
            if ended_within(&mut core, Duration::from_millis(20 + random(&mut seed, latest))).await {
                within_ms = (within_ms * 3 / 4).max(300);
                break;
            }
            core.kill().unwrap();
            core.wait().unwrap();
            match standing(&test) {
                // Before the batch is stored a kill proves nothing: not counted.
                None => within_ms = (within_ms * 5 / 4).min(10_000),
                Some(parts) => {
                    killed += 1;
                    states.push(parts);
                }
            }
        }
        let desk = test.desk();
        let Some(batch) = desk.batch_list(Nothing {}).await.unwrap().batches.first().cloned() else {
            continue;
        };
        let batch = ended(&desk, &batch.id).await;
        assert_eq!((batch.state, batch.counts.total), (BatchState::Processed, rows), "{batch:?}");
        test.exactly_once(&desk, &batch).await;
        assert!(desk.audit_list(Nothing {}).await.unwrap().intact);
        parts += batch.batch_ids.len();
        taken += batches_taken(&test);
        println!("round {rounds}: killed at {}", states.join(" | "));
    }
    println!("{killed} kills in {rounds} rounds: {parts} parts, {taken} batches taken by the service");
}

/// States of the parts at the time of a kill; `None` when nothing was stored yet.
fn standing(test: &OutboxFixture) -> Option<String> {
    let store = Connection::open(test.folder.path().join("desk/desk.sqlite")).ok()?;
    let sql = "SELECT group_concat(state || ' ' || n, ', ') FROM
               (SELECT state, count(*) AS n FROM batch_parts GROUP BY state)";
    let found = store.query_row(sql, [], |row| row.get::<_, Option<String>>(0));
    found.ok().flatten()
}

fn batches_taken(test: &OutboxFixture) -> usize {
    let store = Connection::open(test.folder.path().join("service/practice.sqlite")).unwrap();
    store.query_row("SELECT count(*) FROM import_batch", [], |row| row.get::<_, u32>(0)).unwrap() as usize
}
