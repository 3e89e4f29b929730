//! kill -9 of the service that tells and of the desk that hears, at random: every event is shown, and once.
//!
//! Both run in processes of their own: this test program again, with [`teller_to_be_killed`] or
//! [`hearer_to_be_killed`] alone. A small run is part of the tests; `cargo xtask faults` asks for the large one
//! through the environment. Between the two is a proxy that never closes, so that the address stays.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bordereau_contract::{EventKind, WhichTransactions};
use bordereau_desk::api::{DeliveriesRequest, DeliveryStatus, SaveWebhook, SendAgain};
use bordereau_desk::{EventListener, PracticeAction, PracticeAnswer, SecretText};
use bordereau_service::{AccountSeed, RunningService, ServiceConfig, StartError, start_service};
use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use crate::outbox_fixture::{OutboxFixture, row};

const FOLDER: &str = "BORDEREAU_FAULTS_FOLDER";
const SECRET: &str = "BORDEREAU_FAULTS_SECRET";
const EVENTS: &str = "BORDEREAU_FAULTS_EVENTS";
const KILLS: &str = "BORDEREAU_FAULTS_KILLS";
const SEED: &str = "BORDEREAU_FAULTS_SEED";
const TELLER: &str = "events_kills::teller_to_be_killed";
const HEARER: &str = "events_kills::hearer_to_be_killed";
/// As the service has it: deliveries on their way to one endpoint.
const SIDE_BY_SIDE: u64 = 32;
/// Transactions filed at once; each is filed and numbered, which are two events of one subject.
const SLICE: usize = 25;
/// Deliveries that may wait before more is filed, so that an outage meets some and not all.
const BACKLOG: i64 = 100;
/// As many as a batch may have.
const BATCH_ROWS: usize = 10_000;
/// Without any progress for so long it has failed.
const PATIENCE: Duration = Duration::from_secs(300);

fn number(name: &str, absent: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(absent)
}

fn port_file(folder: &Path) -> PathBuf {
    folder.join("hearer.port")
}

fn said_file(folder: &Path, test: &str) -> PathBuf {
    folder.join(format!("{}.said", test.replace("::", "-")))
}

/// Where the desk listens, or listened before it was killed.
fn behind_the_door(folder: &Path) -> Option<SocketAddr> {
    std::fs::read_to_string(port_file(folder)).ok()?.parse().ok()
}

async fn act(running: &RunningService, action: PracticeAction) -> PracticeAnswer {
    running.practice_controls().perform_action(action).await.unwrap()
}

/// The service on its data; whoever had it before may still be ending.
async fn service(folder: &Path) -> RunningService {
    let begun = Instant::now();
    loop {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let config = ServiceConfig {
            data_dir: Some(folder.join("service")),
            account: AccountSeed::default(),
            ..ServiceConfig::default()
        };
        match start_service(listener, config).await {
            Ok(running) => return running,
            Err(StartError::InUse(_)) if begun.elapsed() < PATIENCE => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// The process that tells: plays the state for every transaction that has no number yet, and ends when nothing
/// waits any more.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "run by the test below, in a process of its own"]
async fn teller_to_be_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let folder = PathBuf::from(folder);
    let running = service(&folder).await;
    for slice in without_number(&folder).chunks(SLICE) {
        let which = WhichTransactions { transaction_ids: slice.to_vec(), ..WhichTransactions::default() };
        act(&running, PracticeAction::File { which: which.clone(), status: None, date: None }).await;
        act(&running, PracticeAction::AssignNumber { which, number: None }).await;
        waits_until(&running, &folder, BACKLOG).await;
    }
    waits_until(&running, &folder, 0).await;
}

fn without_number(folder: &Path) -> Vec<i64> {
    let store = Connection::open(folder.join("service/practice.sqlite")).unwrap();
    store.busy_timeout(PATIENCE).unwrap();
    let mut statement = store
        .prepare("SELECT id FROM filing WHERE progress ->> 'transaction_id_number' IS NULL ORDER BY id")
        .unwrap();
    let ids = statement.query_map([], |row| row.get(0)).unwrap();
    ids.collect::<Result<_, _>>().unwrap()
}

/// Until so few deliveries wait. Those that wait for their half hour get it once somebody listens again.
async fn waits_until(running: &RunningService, folder: &Path, few: i64) {
    loop {
        let PracticeAnswer::Queue { deliveries_waiting, deliveries, .. } =
            act(running, PracticeAction::LookAtQueue).await
        else {
            panic!("no queue")
        };
        if deliveries_waiting <= few {
            return;
        }
        // What comes after one that rests waits for its turn.
        let rests: HashSet<&str> =
            deliveries.iter().filter(|it| it.failures >= 2).map(|it| it.subject.as_str()).collect();
        let all_rest = deliveries.iter().all(|it| rests.contains(it.subject.as_str()));
        let listens = match behind_the_door(folder) {
            Some(address) if all_rest => tokio::net::TcpStream::connect(address).await.is_ok(),
            _ => false,
        };
        if listens {
            act(running, PracticeAction::MoveClock { seconds: 30 * 60 }).await;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The process that hears.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "run by the test below, in a process of its own"]
async fn hearer_to_be_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let folder = PathBuf::from(folder);
    let desk = OutboxFixture::desk_in(&folder.join("desk"));
    let secret = std::env::var(SECRET).unwrap();
    let listener = EventListener::for_profile(&practice(), &secret, ("", SecretText::default()), None);
    let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    // Whole or not at all: it is read while it is written.
    let draft = folder.join("hearer.port.new");
    std::fs::write(&draft, socket.local_addr().unwrap().to_string()).unwrap();
    // Windows refuses it while the other process reads the one that is there.
    let mut tries = 0;
    while let Err(error) = std::fs::rename(&draft, port_file(&folder)) {
        tries += 1;
        assert!(tries < 200, "{error}");
        std::thread::sleep(Duration::from_millis(5));
    }
    desk.receive_events(listener, socket, std::future::pending()).await.unwrap();
}

/// The address the service knows. Behind it is whoever listens at the time, or nobody: then it hangs up.
async fn door(folder: PathBuf) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut outside, _)) = listener.accept().await {
            let Some(inside) = behind_the_door(&folder) else { continue };
            tokio::spawn(async move {
                let Ok(mut inside) = tokio::net::TcpStream::connect(inside).await else { return };
                let _ = (outside.set_nodelay(true), inside.set_nodelay(true));
                let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside).await;
            });
        }
    });
    address
}

/// A process of this program that runs one of the two.
struct Victim {
    child: Child,
    test: &'static str,
    folder: PathBuf,
    secret: String,
}

impl Victim {
    fn start(test: &'static str, folder: &Path, secret: &str) -> Victim {
        // Of the last one of its kind: why it failed is said with the failure.
        let said = std::fs::File::create(said_file(folder, test)).unwrap();
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--ignored", "--test-threads=1", "--nocapture"])
            .env(FOLDER, folder)
            .env(SECRET, secret)
            .stdout(Stdio::null())
            .stderr(said)
            .spawn()
            .unwrap();
        Victim { child, test, folder: folder.to_owned(), secret: secret.to_owned() }
    }

    /// True once it ended by itself, having done what it was to do.
    fn has_ended(&mut self) -> bool {
        let Some(status) = self.child.try_wait().unwrap() else { return false };
        let said = std::fs::read_to_string(said_file(&self.folder, self.test)).unwrap_or_default();
        assert!(status.success(), "{} failed: {status}\n{said}", self.test);
        true
    }

    /// kill -9, and another one in its place.
    fn killed(&mut self) {
        self.end();
        *self = Victim::start(self.test, &self.folder, &self.secret);
    }

    fn end(&mut self) {
        // It may have ended by itself in this moment.
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        self.end();
    }
}

/// What the desk has, read from its store as another process would.
struct Shown(Connection);

impl Shown {
    fn new(folder: &Path) -> Shown {
        let path = folder.join("desk/desk.sqlite");
        let store = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        // Whoever opens the store after a kill puts it in order first, and waits for the disk.
        store.busy_timeout(PATIENCE).unwrap();
        Shown(store)
    }

    fn number(&self, sql: &str) -> u64 {
        let number: i64 = self.0.query_row(sql, [], |row| row.get(0)).unwrap();
        u64::try_from(number).unwrap()
    }

    fn heard(&self) -> u64 {
        self.number("SELECT coalesce(max(arrival), 0) FROM events")
    }
}

/// A number below `end`; good enough to spread kills, and the same for the same seed.
fn random(state: &mut u64, end: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % end.max(1)
}

/// Has the service know so many transactions, and tell of them at the door. The webhook's id and its secret.
async fn prepare(test: &mut OutboxFixture, transactions: u32) -> (String, String) {
    let address = door(test.folder.path().to_owned()).await;
    let request = SaveWebhook {
        title: "Kills".into(),
        url: format!("http://{address}/events"),
        events: [EventKind::Filed, EventKind::NumberAssigned].map(|kind| kind.identifier().into()).to_vec(),
        ..SaveWebhook::default()
    };
    let made = test.desk().webhook_save(request).await.unwrap();
    let rows: Vec<_> = (0..transactions).map(|n| row(&format!("k{n:06}"))).collect();
    for part in rows.chunks(BATCH_ROWS) {
        let path = "api/v4/transaction-import.json";
        let accepted = test.ask("POST", path, json!({ "transactions": part })).await;
        let id = accepted["batch_id"].as_str().unwrap().to_owned();
        let results = format!("api/v4/transaction-import-results.json?batch_id={id}");
        while test.ask("GET", &results, json!(null)).await["status"] != "processed" {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    test.darken().await;
    (made.webhook.id, made.secret)
}

/// As a person does who reads the mails: what was given up is sent again. How many there were.
async fn sends_again_what_was_given_up(test: &mut OutboxFixture, webhook: &str) -> usize {
    test.light().await;
    let desk = test.desk();
    let state = Some(DeliveryStatus::Failed);
    let request = DeliveriesRequest { webhook: webhook.into(), state, count: u32::MAX };
    let failed = desk.deliveries_list(request).await.unwrap().deliveries;
    for delivery in &failed {
        desk.events_send_again(SendAgain { delivery: delivery.id.clone() }).await.unwrap();
    }
    waits_until(test.service.as_ref().unwrap(), test.folder.path(), 0).await;
    failed.len()
}

/// Kills one of them, or both, whenever a random number of further events was heard, until the teller is done.
fn kill_at_random(
    folder: &Path,
    secret: &str,
    events: u32,
    kills: u32,
    seed: &mut u64,
) -> (Victim, u64, u64) {
    let mut teller = Victim::start(TELLER, folder, secret);
    let mut hearer = Victim::start(HEARER, folder, secret);
    let shown = Shown::new(folder);
    let (mut tellers, mut hearers) = (0, 0);
    let mut done = false;
    while !done && tellers + hearers < u64::from(kills) {
        let target = shown.heard() + 1 + random(seed, u64::from(events / (kills + 1)));
        done = goes_on_until(&shown, &mut teller, &mut hearer, target);
        let whom = random(seed, 3);
        if !done && whom != 0 {
            hearers += 1;
            hearer.killed();
        }
        if !done && whom != 1 {
            tellers += 1;
            teller.killed();
        }
    }
    if !done {
        assert!(goes_on_until(&shown, &mut teller, &mut hearer, u64::MAX));
    }
    (hearer, tellers, hearers)
}

/// Waits until so many events were heard; true when the teller was done before.
fn goes_on_until(shown: &Shown, teller: &mut Victim, hearer: &mut Victim, target: u64) -> bool {
    let (mut last, mut since) = (shown.heard(), Instant::now());
    while last < target {
        if teller.has_ended() {
            return true;
        }
        assert!(!hearer.has_ended(), "the hearer ended by itself");
        std::thread::sleep(Duration::from_millis(2));
        let heard = shown.heard();
        if heard > last {
            (last, since) = (heard, Instant::now());
        }
        assert!(since.elapsed() < PATIENCE, "nothing goes on after {last} events");
    }
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_random_on_both_sides_no_event_is_lost_or_shown_twice() {
    let (events, kills) = (number(EVENTS, 160), number(KILLS, 3));
    let fresh = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos();
    // The same one each time, and one that nobody chose; or the one that is asked for.
    let seeds = match std::env::var(SEED) {
        Ok(_) => vec![number(SEED, fresh)],
        Err(_) => vec![1, fresh],
    };
    for seed in seeds {
        println!("{events} events, {kills} kills, {SEED}={seed}");
        kill_both_sides(events, kills, u64::from(seed)).await;
    }
}

async fn kill_both_sides(events: u32, kills: u32, mut seed: u64) {
    let mut test = OutboxFixture::new().await;
    let (webhook, secret) = prepare(&mut test, events / 2).await;
    let folder = test.folder.path().to_owned();
    let begun = Instant::now();
    let killing =
        tokio::task::spawn_blocking(move || kill_at_random(&folder, &secret, events, kills, &mut seed));
    let (hearer, tellers, hearers) = killing.await.unwrap();
    let shown = Shown::new(test.folder.path());
    let by_hand = if shown.heard() < u64::from(events) {
        sends_again_what_was_given_up(&mut test, &webhook).await
    } else {
        0
    };
    let took = begun.elapsed().as_secs();
    drop(hearer);

    assert_eq!(shown.number("SELECT count(*) FROM events"), u64::from(events), "none lost, none twice");
    assert_eq!(shown.number("SELECT count(DISTINCT fact) FROM events"), u64::from(events), "each its own");
    let repeats = shown.number("SELECT coalesce(sum(repeats), 0) FROM events");
    assert!(repeats <= (tellers + hearers) * SIDE_BY_SIDE, "{repeats} came again");
    // What a person sends again comes when it comes.
    let turned = "SELECT count(*) FROM events a JOIN events b ON b.transaction_id = a.transaction_id
                  WHERE a.what = 'state_number' AND b.what = 'filed' AND a.arrival < b.arrival";
    let turned = shown.number(turned);
    assert!(turned <= u64::try_from(by_hand).unwrap(), "{turned} came before what they follow");
    println!(
        "{events} events in {took} s, {tellers} kills of the teller, {hearers} of the hearer: none lost, none \
         shown twice; {repeats} came again and were recognized, {by_hand} were given up and sent again by hand"
    );
}

fn practice() -> bordereau_desk::api::Profile {
    bordereau_desk::api::Profile { id: "practice".into(), ..bordereau_desk::api::Profile::default() }
}
