//! An office of forty desks on a PostgreSQL of the bench's own, which syncs what it commits.
//!
//! Each desk changes a draft that it shares with another one, searches 1,000,000 transactions and follows what the others
//! do, at the pace of a person in a hurry. Then workers beside each other send to the practice service, which
//! answers 50 ms late; and what a computer of its own does is compared with the same statements on SQLite alone.
//! Everything runs in this process, but for the server, on the cores of one machine.
//! `cargo bench -p bordereau-desk --bench office`; `BORDEREAU_BENCH_ROWS`, `_DESKS`, `_SECONDS` and `_PARTS` make it smaller.

#[path = "../../../store/tests/engines/cluster.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "the tests' file, of which this needs a part")]
mod cluster;
mod desks;
#[path = "../generated_records/mod.rs"]
mod generated_records;
#[path = "../no_ports/mod.rs"]
mod no_ports;
mod own_file;
mod workers;

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bordereau_desk::api::*;
use bordereau_desk::workspace::{create_workspace, open_settings};
use bordereau_desk::{Desk, DeskConfig, MemorySecrets, Ports, SystemClock};
use bordereau_service::{RunningService, ServiceConfig, start_service};
use cluster::Cluster;
use no_ports::NoPorts;

/// The forty, the workers, and what looks on.
const CONNECTIONS: u32 = 80;
const HEAD: &str = "id,policy_number,policy_effective_date,transaction_type,physical_state,\
    line_of_business_list,premium,sl_tax,stamping_fee,total,mailing_insured_name,invoice_number,\
    insurance_company_list,risk_description,layered_risk,risk_retention_group\n";
/// Where the insured's name is in it.
const INSURED: usize = 10;

fn main() {
    tokio::runtime::Runtime::new().expect("a runtime starts").block_on(run());
}

async fn run() {
    own_file::compare_with_sqlite().await;
    let Some((mut office, owner)) = BenchOffice::open().await else { return };
    desks::measure_desks(&mut office, &owner).await;
    workers::measure_workers(&office, &owner).await;
    drop(owner);
    office.service.stop().await;
}

/// An office: its server, the service of its profile, and everyone's key.
struct BenchOffice {
    folder: tempfile::TempDir,
    cluster: Cluster,
    service: RunningService,
    secrets: Arc<MemorySecrets>,
    profile: String,
}

impl BenchOffice {
    /// With the desk of its administrator; none where there is no PostgreSQL.
    async fn open() -> Option<(BenchOffice, Desk)> {
        let cluster = Cluster::start()?;
        cluster.restart_synced(CONNECTIONS);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let mut office = BenchOffice {
            folder: tempfile::tempdir().expect("a folder"),
            service: start_service(listener, ServiceConfig::default()).await.expect("a service"),
            cluster,
            secrets: Arc::default(),
            profile: String::new(),
        };
        let database = open_settings(&office.settings("postgres"), None).expect("settings");
        create_workspace(database).await.expect("a workspace");
        let owner = office.open_desk("owner", "administrator").await;
        let authority = office.folder.path().join("authority.pem");
        std::fs::write(&authority, &office.service.ca_pem).expect("room for a file");
        let profile = Profile {
            name: "Office".into(),
            base_url: office.service.base_url.clone(),
            ca_file: owner.drop_files(vec![authority]).remove(0).handle,
            environment: Environment::Sandbox,
            ..Profile::default()
        };
        let id = owner.profile_save(profile).await.expect("a profile").profile.id;
        let key = SetApiKey { id: id.clone(), key: office.service.api_key.clone() };
        owner.profile_set_key(key).await.expect("a key");
        owner.profile_select(ProfileId { id: id.clone() }).await.expect("the profile");
        office.profile = id;
        Some((office, owner))
    }

    fn settings(&self, user: &str) -> OfficeSettings {
        OfficeSettings {
            host: self.cluster.socket(),
            port: 5432,
            database: "postgres".into(),
            workspace: "bordereau".into(),
            user: user.into(),
            sign_in: OfficeSignIn::Nothing,
            trust: OfficeTrustKind::ThisComputer,
            ..OfficeSettings::default()
        }
    }

    /// A desk of this person that sends nothing, on a folder of its own.
    async fn open_desk(&self, name: &str, role: &str) -> Desk {
        self.cluster.run(&format!("CREATE ROLE {name} LOGIN IN ROLE bordereau_{role}"));
        let folder = self.folder.path().join(name);
        let request = OfficeRequest { settings: self.settings(name), ..OfficeRequest::default() };
        open_folder(&folder, &self.secrets).office_use(request).await.expect("the office");
        let desk = open_folder(&folder, &self.secrets);
        if !self.profile.is_empty() {
            desk.profile_select(ProfileId { id: self.profile.clone() }).await.expect("the profile");
        }
        desk
    }
}

/// A desk that sends nothing.
fn open_folder(folder: &Path, secrets: &Arc<MemorySecrets>) -> Desk {
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets: secrets.clone(),
        practice: Arc::new(NoPorts),
        dialogs: Arc::new(NoPorts),
        browser: Arc::new(NoPorts),
        policy: Arc::default(),
        sign_in: None,
    };
    Desk::open_idle(DeskConfig { data_dir: folder.to_owned(), ports }).expect("the desk opens")
}

/// A draft of so many rows without problems, with numbers from `first`.
async fn start_draft(desk: &Desk, folder: &Path, first: usize, rows: usize) -> String {
    let path = folder.join(format!("{first}.csv"));
    let row = |n| {
        format!(
            "ID-{n},P-{n},2026-02-23,PN,TX,GEN-1002,1000,48.50,0.40,1048.90,Insured {n},I-{n},10899,Shop,0,0\n"
        )
    };
    let text = HEAD.to_owned() + &(first..first + rows).map(row).collect::<String>();
    std::fs::write(&path, text).expect("room for a file");
    let handle = desk.drop_files(vec![path]).remove(0).handle;
    let start = ReviewStart { source: ReviewSource::Dropped { handle } };
    let mut view = desk.review_start(start).await.expect("a draft");
    while view.stage == ReviewStage::Reading {
        tokio::time::sleep(Duration::from_millis(20)).await;
        view = desk.review_state(ReviewId { id: view.id }).await.expect("a draft");
    }
    assert_eq!((view.stage, view.counts.ready as usize), (ReviewStage::Review, rows), "{:?}", view.groups);
    view.id
}

fn read_number(variable: &str, absent: usize) -> usize {
    let text = std::env::var(format!("BORDEREAU_BENCH_{variable}")).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(absent)
}

/// A figure as `cargo xtask bench` reads it.
fn print_figure(what: &str, measured: &str, target: &str, reached: bool) {
    println!("{what} | {measured} | {target} | {}", if reached { "pass" } else { "MISS" });
}

/// Of a hundred samples so many took no longer than this.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
