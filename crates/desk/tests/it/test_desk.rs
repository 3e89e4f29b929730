//! A desk with everything around it: one practice service in process, answers from scripted dialogs.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bordereau_desk::api::*;
use bordereau_desk::{
    BoxFuture, Browser, Clock, Desk, DeskConfig, FileDialogs, FileFilter, MemorySecrets, Ports,
    PracticeEndpoint, PracticePort,
};
use bordereau_service::{RunningService, ServiceConfig, start_service};
use chrono::{DateTime, NaiveDate, Utc};

/// 1 March 2026, noon UTC.
pub struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> DateTime<Utc> {
        "2026-03-01T12:00:00Z".parse().unwrap()
    }

    fn today(&self) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, 1).unwrap()
    }
}

/// The practice service of a test; `None` cannot be started.
pub struct TestPractice(pub Option<PracticeEndpoint>);

impl PracticePort for TestPractice {
    fn endpoint(&self) -> BoxFuture<'_, Result<PracticeEndpoint, String>> {
        Box::pin(async { self.0.clone().ok_or_else(|| "no port is free.".to_owned()) })
    }
}

/// Answers dialogs in order; without an answer the person cancels.
#[derive(Default)]
pub struct Scripted {
    pub answers: Mutex<VecDeque<PathBuf>>,
    pub suggested: Mutex<Vec<String>>,
    pub opened: Mutex<Vec<String>>,
    /// The system has no program for documents.
    pub opens_nothing: AtomicBool,
}

impl FileDialogs for Scripted {
    fn choose_save_path(
        &self,
        suggested_name: String,
        _filter: FileFilter,
    ) -> BoxFuture<'_, Option<PathBuf>> {
        self.suggested.lock().unwrap().push(suggested_name);
        Box::pin(async { self.answers.lock().unwrap().pop_front() })
    }

    fn open(&self, _title: String, _filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async { self.answers.lock().unwrap().pop_front() })
    }
}

impl Browser for Scripted {
    fn open(&self, url: &str) -> Result<(), String> {
        self.opened.lock().unwrap().push(url.to_owned());
        Ok(())
    }

    fn open_file(&self, path: &std::path::Path) -> Result<(), String> {
        if self.opens_nothing.load(Ordering::Relaxed) {
            return Err("No program could be started for it.".to_owned());
        }
        self.opened.lock().unwrap().push(path.display().to_string());
        Ok(())
    }
}

/// A desk, its folder and its service.
pub struct TestDesk {
    pub desk: Desk,
    pub folder: tempfile::TempDir,
    pub service: Option<RunningService>,
    pub person: Arc<Scripted>,
    pub secrets: Arc<MemorySecrets>,
}

impl TestDesk {
    /// With a running practice service.
    pub async fn new() -> TestDesk {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let service = start_service(listener, ServiceConfig::default()).await.unwrap();
        TestDesk::around(Some(service))
    }

    /// Without any service.
    pub fn offline() -> TestDesk {
        TestDesk::around(None)
    }

    fn around(service: Option<RunningService>) -> TestDesk {
        let folder = tempfile::tempdir().unwrap();
        let (person, secrets) = (Arc::new(Scripted::default()), Arc::new(MemorySecrets::new()));
        let desk = open(&folder, service.as_ref(), &person, &secrets);
        TestDesk { desk, folder, service, person, secrets }
    }

    /// The same folder as another process, or after a crash.
    pub fn again(&self) -> Desk {
        open(&self.folder, self.service.as_ref(), &self.person, &self.secrets)
    }

    /// The same as a window opens it.
    #[cfg(unix)]
    pub fn window(&self) -> Desk {
        let config = config_of(&self.folder, self.service.as_ref(), &self.person, &self.secrets);
        Desk::open_for_window(config).unwrap()
    }

    pub fn running(&self) -> &RunningService {
        self.service.as_ref().unwrap()
    }

    /// A sandbox profile on the practice service, in use, with its key.
    pub async fn sandbox(&self, change: impl FnOnce(&mut Profile)) -> ProfileView {
        let ca_file = self.folder.path().join("ca.pem");
        std::fs::write(&ca_file, &self.running().ca_pem).unwrap();
        let mut profile = Profile {
            base_url: self.running().base_url.clone(),
            ca_file: file_handle(&self.desk, &ca_file),
            ..profile("Sandbox")
        };
        change(&mut profile);
        let id = self.desk.profile_save(profile).await.unwrap().profile.id;
        let key = self.running().api_key.clone();
        let view = self.desk.profile_set_key(SetApiKey { id: id.clone(), key }).await.unwrap();
        self.desk.profile_select(ProfileId { id }).await.unwrap();
        view
    }

    pub fn answer_dialog(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        self.person.answers.lock().unwrap().push_back(path.clone());
        path
    }
}

fn open(
    folder: &tempfile::TempDir,
    service: Option<&RunningService>,
    person: &Arc<Scripted>,
    secrets: &Arc<MemorySecrets>,
) -> Desk {
    Desk::open(config_of(folder, service, person, secrets)).unwrap()
}

fn config_of(
    folder: &tempfile::TempDir,
    service: Option<&RunningService>,
    person: &Arc<Scripted>,
    secrets: &Arc<MemorySecrets>,
) -> DeskConfig {
    let endpoint = service.map(|running| PracticeEndpoint {
        base_url: running.base_url.clone(),
        ca_pem: running.ca_pem.clone(),
        api_key: running.api_key.clone(),
        username: running.username.clone(),
        password: running.password.clone(),
    });
    let ports = Ports {
        clock: Arc::new(FixedClock),
        secrets: secrets.clone(),
        practice: Arc::new(TestPractice(endpoint)),
        dialogs: person.clone(),
        browser: person.clone(),
        policy: Arc::default(),
        sign_in: None,
    };
    DeskConfig { data_dir: folder.path().join("data"), ports }
}

/// As a person chooses a file.
pub fn file_handle(desk: &Desk, path: &std::path::Path) -> String {
    desk.drop_files(vec![path.to_owned()]).remove(0).handle
}

/// A sandbox profile that signs in with a key.
pub fn profile(name: &str) -> Profile {
    Profile { name: name.into(), base_url: "https://service.example".into(), ..Profile::default() }
}

/// A question on 23 February 2026: state, type, lines as `GEN-1002=9521`.
pub fn question(state: &str, kind: &str, lines: &[(&str, &str)]) -> QuoteRequest {
    let line =
        |(code, premium): &(&str, &str)| QuoteLine { code: (*code).into(), premium: (*premium).into() };
    QuoteRequest {
        state: state.into(),
        transaction_type: kind.into(),
        lines: lines.iter().map(line).collect(),
        policy_effective: "2026-02-23".into(),
        ..QuoteRequest::default()
    }
}

/// The published Texas case, as a person types it.
pub fn texas() -> QuoteRequest {
    QuoteRequest {
        agency_fee: "$400".into(),
        inspection_fee: "150.42".into(),
        insured: "Example LLC".into(),
        ..question("tx", "PN", &[("GEN-1002", "9,000"), ("gen-1008", "521.00")])
    }
}

/// The amount on a field of the contract.
pub fn amount<'a>(answer: &'a QuoteAnswer, field: &str) -> Option<&'a str> {
    answer.fields.iter().find(|shown| shown.field == field).map(|shown| shown.amount.as_str())
}
