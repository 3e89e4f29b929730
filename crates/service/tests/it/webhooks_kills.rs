//! kill -9 of the sender at random points: every event that was stored arrives, and only what was on its way
//! arrives twice.
//!
//! The service runs in a process of its own: this test program again, with [`sender_to_be_killed`] alone. A
//! small run is part of the tests; `cargo xtask faults` asks for the large one through the environment.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bordereau_contract::{PracticeAction, PracticeAnswer, WhichTransactions};
use bordereau_service::{AccountSeed, Config, Running, StartError, start};
use serde_json::json;

use crate::harness::{listener, try_start};
use crate::imports::rows;
use crate::receiver::Receiver;

const FOLDER: &str = "BORDEREAU_FAULTS_FOLDER";
const EVENTS: &str = "BORDEREAU_FAULTS_EVENTS";
const KILLS: &str = "BORDEREAU_FAULTS_KILLS";
/// As the service has it: deliveries on their way to one endpoint.
const SIDE_BY_SIDE: usize = 32;
/// Transactions filed at once, each an event.
const SLICE: usize = 25;
/// As many as a batch may have.
const BATCH_ROWS: usize = 10_000;

fn number(name: &str, absent: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(absent)
}

/// The directory's last user may still be ending.
async fn started(folder: &str) -> Running {
    for _ in 0..600 {
        let config = Config { data_dir: Some(folder.into()), ..Config::default() };
        match start(listener(), config).await {
            Ok(running) => return running,
            Err(StartError::InUse(_)) => tokio::time::sleep(Duration::from_millis(20)).await,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the directory stays in use")
}

/// The process that is killed: files what is not filed yet, and ends when nothing waits any more.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "run by the test below, in a process of its own"]
async fn sender_to_be_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let running = started(&folder).await;
    let room = running.practice();
    let numbers: Vec<i64> = (1..).take(number(EVENTS, 0)).collect();
    for slice in numbers.chunks(SLICE) {
        let which = WhichTransactions { transaction_ids: slice.to_vec(), ..WhichTransactions::default() };
        room.act(PracticeAction::File { which, status: None, date: None }).await.unwrap();
    }
    loop {
        let queue = room.act(PracticeAction::LookAtQueue).await.unwrap();
        if matches!(queue, PracticeAnswer::Queue { deliveries_waiting: 0, .. }) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn spawn(folder: &Path, events: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "webhooks_kills::sender_to_be_killed", "--ignored", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(EVENTS, events.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_random_points_no_event_is_lost() {
    let (events, kills) = (number(EVENTS, 300), number(KILLS, 2));
    let folder = tempfile::tempdir().unwrap();
    let receiver = Receiver::start().await;
    let service = try_start(Some(folder.path()), AccountSeed::default()).await.unwrap();
    service.subscribe(&receiver.url(), &["webhook.transaction.status.filed"]).await;
    let all = rows("k", events);
    for part in all.chunks(BATCH_ROWS) {
        service.imported(part).await;
    }
    service.running.stop().await;

    let mut seed = u64::from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos());
    let mut killed = 0;
    for round in 0.. {
        let mut child = spawn(folder.path(), events);
        // Killed only once it does something: at a random number of further deliveries.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let further = usize::try_from(seed >> 33).unwrap() % (events / (kills + 1)).max(1);
        let (before, begun) = (receiver.count(), Instant::now());
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success(), "the service failed: {status}");
                break true;
            }
            if round < kills && receiver.count() > before + further {
                break false;
            }
            assert!(begun.elapsed() < Duration::from_secs(3_000), "it never ends");
            tokio::time::sleep(Duration::from_millis(1)).await;
        };
        if ended {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
    }
    let mut times: HashMap<i64, usize> = HashMap::new();
    for received in receiver.received() {
        let body = received.json();
        assert_eq!(body["transaction_status"], json!(4));
        *times.entry(body["transaction_id"].as_i64().unwrap()).or_default() += 1;
    }
    assert_eq!(times.len(), events, "every event arrived, after {killed} kills");
    let twice = times.values().filter(|times| **times > 1).count();
    assert!(twice <= killed * SIDE_BY_SIDE, "{twice} arrived twice after {killed} kills");
    println!("{events} events, {killed} kills: none lost, {twice} sent again");
}
