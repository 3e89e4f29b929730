//! The dispatcher against a real endpoint: nothing is sent twice, the order of a subject holds, and what a killed
//! process leaves behind the next one sends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use bordereau_contract::EventKind;
use bordereau_dialects::SpokenDialects;
use bordereau_service_store::Store;
use bordereau_service_store::webhooks::{self, StoredWebhook};
use bordereau_service_store::webhooks_queue;
use bordereau_tax::{LocalTables, RuleBook};
use tokio::sync::{Semaphore, watch};

use super::{SecretSealer, WebhookState, dispatch};
use crate::clock::PracticeClock;
use crate::data_dir::DataDir;
use crate::directory::AccountDirectory;
use crate::faults::FaultQueue;
use crate::imports::ImportQueue;
use crate::limits::RequestLimits;
use crate::rule_notes::RuleNotes;
use crate::service::{AppState, Service};
use crate::sign_in_guard::SignInGuard;
use crate::templates::LinkSigner;
use crate::wordings::ChangedWordings;
use crate::{Clock, SettableClock};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const SUBJECTS: usize = 60;
const EVENTS_OF_EACH: usize = 4;

/// What arrived, in order, and how many of the next are never answered.
#[derive(Default)]
struct ReceivedEvents {
    bodies: Vec<serde_json::Value>,
    hold: usize,
}

type Endpoint = Arc<Mutex<ReceivedEvents>>;

async fn hook(State(heard): State<Endpoint>, body: String) -> StatusCode {
    let holds = {
        let mut heard = heard.lock().expect("nobody panicked");
        heard.bodies.push(serde_json::from_str(&body).expect("JSON"));
        let holds = heard.hold > 0;
        heard.hold = heard.hold.saturating_sub(1);
        holds
    };
    if holds {
        std::future::pending::<()>().await;
    }
    StatusCode::OK
}

async fn endpoint(hold: usize) -> std::io::Result<(Endpoint, String)> {
    let heard: Endpoint = Arc::new(Mutex::new(ReceivedEvents { hold, ..ReceivedEvents::default() }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/", listener.local_addr()?);
    let router = Router::new().route("/", post(hook)).with_state(Arc::clone(&heard));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok((heard, url))
}

struct TestService {
    dir: DataDir,
    clock: Arc<SettableClock>,
    _folder: tempfile::TempDir,
}

impl TestService {
    /// A database with events that wait for one webhook.
    fn new(url: &str) -> Result<TestService, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let clock = Arc::new(SettableClock::starting_at("2026-02-23T15:00:30Z".parse()?));
        let test = TestService { dir: DataDir::open(folder.path())?, clock, _folder: folder };
        let app = test.instance()?;
        let now = app.clock.now().timestamp_millis();
        let secret = app.webhooks.sealer.seal_secret("w", "secret of 20 letters")?;
        let kept = StoredWebhook {
            seq: 0,
            id: "w".into(),
            account_id: "acc-1".into(),
            title: "W".into(),
            description: String::new(),
            events: vec![EventKind::Filed],
            url: url.into(),
            header_key: String::new(),
            header_value: String::new(),
            secret,
            states: Vec::new(),
            created_at: 0,
        };
        app.store.run_on_this_thread(|db| {
            db.execute(
                "INSERT INTO account (id, name, kind, username, password_hash, active, api_access, calculator, practice, created_at) VALUES ('acc-1', 'A', 'enterprise', 'a', '', 1, 1, 1, 1, 0)",
                [],
            )?;
            let webhook = webhooks::insert(db, kept)?.seq;
            for turn in 0..EVENTS_OF_EACH {
                for subject in 0..SUBJECTS {
                    let rest = format!("\"subject\":{subject},\"turn\":{turn}}}");
                    let event = EventKind::Filed.identifier();
                    let subject = format!("transaction {subject}");
                    webhooks_queue::insert(db, "acc-1", event, &subject, &rest, &[webhook], now)?;
                }
            }
            Ok(())
        })?;
        Ok(test)
    }

    /// A service of its own on the same database, as after a restart.
    fn instance(&self) -> Result<AppState, Box<dyn std::error::Error>> {
        let store = Store::open(Some(&self.dir.file_path("practice.sqlite")))?;
        let clock: Arc<dyn Clock> = self.clock.clone();
        Ok(Arc::new(Service {
            clock: PracticeClock::new(clock),
            directory: AccountDirectory::new(store.clone()),
            store,
            limits: RequestLimits::default(),
            faults: FaultQueue::default(),
            dialects: SpokenDialects::default(),
            links: LinkSigner::new(b"links"),
            base_url: String::new(),
            rules: RuleBook::builtin(),
            local: LocalTables::default(),
            imports: ImportQueue::default(),
            webhooks: WebhookState::new(SecretSealer::open(Some(&self.dir))?, true)?,
            wordings: ChangedWordings::default(),
            rule_notes: RuleNotes::default(),
            hashing: Semaphore::new(1),
            decoy_hash: String::new(),
            sign_ins: SignInGuard::default(),
            practice_key: tokio::sync::watch::Sender::default(),
        }))
    }
}

/// Waits until every delivery was made.
async fn all_sent(app: &AppState) -> Outcome {
    for _ in 0..6_000 {
        if app.store.with_connection(|db| webhooks_queue::list_waiting(db, 1)).await?.0 == 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Err("it never ends".into())
}

/// How often each event arrived, by its number; the first arrivals of a subject are in their order.
fn counted(heard: &Endpoint) -> HashMap<i64, usize> {
    let heard = heard.lock().expect("nobody panicked");
    let (mut times, mut turns) = (HashMap::new(), HashMap::<i64, i64>::new());
    for body in &heard.bodies {
        let number = |name: &str| body[name].as_i64().expect("a number");
        let count: &mut usize = times.entry(number("event_id")).or_default();
        *count += 1;
        if *count == 1 {
            let turn = turns.entry(number("subject")).or_default();
            assert_eq!(*turn, number("turn"), "of one subject in order");
            *turn += 1;
        }
    }
    times
}

#[tokio::test(flavor = "multi_thread")]
async fn each_event_is_sent_once_and_in_order() -> Outcome {
    let (heard, url) = endpoint(0).await?;
    let test = TestService::new(&url)?;
    let (stop, stopped) = watch::channel(false);
    let app = test.instance()?;
    let task = tokio::spawn(dispatch(Arc::clone(&app), stopped));
    all_sent(&app).await?;
    let times = counted(&heard);
    assert_eq!(times.len(), SUBJECTS * EVENTS_OF_EACH);
    assert!(times.values().all(|count| *count == 1), "none is sent twice");
    stop.send_replace(true);
    task.await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_process_had_on_its_way_the_next_one_sends() -> Outcome {
    const HELD: usize = 5;
    let (heard, url) = endpoint(HELD).await?;
    let test = TestService::new(&url)?;
    let (_stop, stopped) = watch::channel(false);
    let dies = tokio::spawn(dispatch(test.instance()?, stopped.clone()));
    let begun = || heard.lock().is_ok_and(|heard| heard.bodies.len() >= HELD && heard.hold == 0);
    while !begun() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    dies.abort();
    assert!(dies.await.is_err());
    let next = test.instance()?;
    tokio::spawn(dispatch(Arc::clone(&next), stopped));
    all_sent(&next).await?;
    let times = counted(&heard);
    assert_eq!(times.len(), SUBJECTS * EVENTS_OF_EACH, "none is lost");
    let twice = times.values().filter(|count| **count > 1).count();
    // Those that were held, and those on their way when it was killed.
    assert!((HELD..=super::sender::SIDE_BY_SIDE).contains(&twice), "{twice}");
    Ok(())
}
