//! Worlds of an office: three desks that send, each on its computer with its own clock, and one real PostgreSQL between
//! them. Each has its own [`OfficeLine`] to it, which is cut before or after a request or a commit, while the process
//! lives on and its locks are gone; the server refuses requests, ends as in a loss of power, and another one takes over,
//! with all that was committed or with less.
//!
//! One thread does everything, and waits while the server works, so that the order of what is done follows from
//! the number of the world, as elsewhere. Not quite all does: a session that was cut ends when its server notices, and
//! notices from other desks come when they come.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use bordereau_desk::api::*;
use bordereau_desk::{Desk, DeskConfig};
use bordereau_store::Connection;
use bordereau_store::workspace::{OfficeDatabase, OfficeProof, OfficeTrust, create_workspace};

use super::office_line::{FaultPlan, LineFault, OfficeLine};
use super::runs::{asked, run_each, run_office_alone, run_to_end};
use super::seed::Seed;
use super::service::SimFaults;
use super::webhook::SimReceiver;
use super::{SEED_VARIABLE, SEEDS, SEEDS_VARIABLE, SimClock, World, sim_pace};
use crate::office::cluster::Cluster;

/// Of so many worlds one has an office: it takes as long as twenty without.
const SHARE: u64 = 50;
/// Seeds that failed once: they are always run.
const CASES: &[u64] = &[];
const TEMPLATE: &str = "office_template";
const PEOPLE: [(&str, &str); 3] = [("ann", "administrator"), ("bob", "clerk"), ("wally", "clerk")];
/// What a server refuses a request with: it took too long, two stood in each other's way, another one has the lock.
const REFUSALS: [&str; 4] = ["57014", "40001", "40P01", "55P03"];

/// A server, with a workspace from which those of the worlds are copied.
pub struct OfficeServer(Cluster);

impl OfficeServer {
    /// None where there is no PostgreSQL.
    fn start() -> Option<OfficeServer> {
        let server = OfficeServer(Cluster::start()?);
        server.0.run(&format!("CREATE DATABASE {TEMPLATE}"));
        create_workspace(&server.database(TEMPLATE)).unwrap();
        for (name, role) in PEOPLE {
            server.0.run(&format!("CREATE ROLE {name} LOGIN IN ROLE bordereau_{role}"));
        }
        Some(server)
    }

    fn database(&self, name: &str) -> OfficeDatabase {
        OfficeDatabase {
            host: self.0.socket(),
            port: 5432,
            database: name.into(),
            workspace: "bordereau".into(),
            user: "postgres".into(),
            proof: OfficeProof::None,
            trust: OfficeTrust::ThisComputer,
            storage_key: String::new(),
        }
    }

    fn socket(&self) -> PathBuf {
        PathBuf::from(self.0.socket()).join(".s.PGSQL.5432")
    }

    /// Another database with what was committed in this one, which nobody may have open.
    fn copy_database(&self, from: &str, to: &str) {
        for _ in 0..500 {
            if self.0.may("postgres", &format!("CREATE DATABASE {to} TEMPLATE {from}")) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{from} is not let go by everyone");
    }
}

/// A server that would take over, with what had reached it, and what was true then.
struct Standby {
    database: String,
    queued: BTreeMap<String, u32>,
    uploads: BTreeSet<String>,
    answered: BTreeSet<i64>,
    batches: u32,
}

/// The computer of a person.
struct SimSeat {
    name: &'static str,
    folder: PathBuf,
    line: OfficeLine,
    clock: Arc<SimClock>,
}

/// The office of a world.
pub struct SimOffice {
    server: Arc<OfficeServer>,
    /// The databases of this world; the last one is in use, or the standby's.
    databases: Vec<String>,
    /// The one in use.
    database: String,
    standby: Option<Standby>,
    seats: Vec<SimSeat>,
    /// At which seat each open desk of the world is.
    open: Vec<usize>,
    /// Somebody who writes and does not finish.
    writer: Option<Connection>,
    is_stopped: bool,
    /// Batches that may have been lost with a server, by number: the first, and the first behind them.
    forgotten: Vec<(u32, u32)>,
}

impl Drop for SimOffice {
    fn drop(&mut self) {
        self.seats.iter().for_each(|seat| seat.line.close());
        if self.is_stopped {
            self.server.0.start_again();
        }
        for name in &self.databases {
            self.server.0.may("postgres", &format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

impl World {
    async fn new_office(number: u64, server: Arc<OfficeServer>) -> World {
        let mut world = World::with_seed(Seed::new(number), true);
        let database = format!("world_{number}");
        server.copy_database(TEMPLATE, &database);
        let began = world.clock.began;
        let seats = PEOPLE.iter().map(|(name, _)| SimSeat {
            name,
            folder: world.home.path().canonicalize().unwrap().join(name),
            line: OfficeLine::open(&server.socket(), &database),
            clock: Arc::new(SimClock { began, set_by_ms: AtomicI64::new(0) }),
        });
        world.office = Some(SimOffice {
            seats: seats.collect(),
            server,
            databases: vec![database.clone()],
            database,
            standby: None,
            open: Vec::new(),
            writer: None,
            is_stopped: false,
            forgotten: Vec::new(),
        });
        for seat in 0..PEOPLE.len() {
            world.join_office(seat).await;
        }
        world
    }

    fn office(&mut self) -> &mut SimOffice {
        self.office.as_mut().unwrap()
    }

    fn seat(&self, seat: usize) -> &SimSeat {
        &self.office.as_ref().unwrap().seats[seat]
    }

    /// A desk works for the office from now on; the first one adds its profile.
    async fn join_office(&mut self, seat: usize) {
        let SimSeat { name, folder, line, .. } = self.seat(seat);
        let settings = OfficeSettings {
            host: "127.0.0.1".into(),
            port: line.port,
            database: "office".into(),
            workspace: "bordereau".into(),
            user: (*name).into(),
            sign_in: OfficeSignIn::Nothing,
            trust: OfficeTrustKind::ThisComputer,
            ..OfficeSettings::default()
        };
        let ports = self.ports(self.clock.clone(), Arc::new(|| false));
        let desk = Desk::open_idle(DeskConfig { data_dir: folder.clone(), ports }).unwrap();
        desk.office_use(OfficeRequest { settings, ..OfficeRequest::default() }).await.unwrap();
        drop(desk);
        assert!(self.open_seat(seat).await);
        if seat == 0 {
            self.use_service().await;
            // It listens for the events of this profile.
            self.kill_seat(0).await;
        } else {
            let id = ProfileId { id: self.profile_id.clone() };
            self.desks[seat].profile_select(id).await.unwrap();
        }
    }

    /// A process starts. Where its office can't be reached, it is tried again later.
    async fn open_seat(&mut self, seat: usize) -> bool {
        let SimSeat { name, folder, line, clock } = self.seat(seat);
        let (name, process) = (*name, line.clone());
        let ports = self.ports(clock.clone(), Arc::new(move || process.is_killed()));
        match Desk::open_idle(DeskConfig { data_dir: folder.clone(), ports }) {
            Ok(desk) => {
                // Three look at every idle moment.
                desk.set_outbox_pace(bordereau_desk::OutboxPace {
                    idle: Duration::from_secs(60),
                    ..sim_pace()
                });
                desk.start_work();
                self.receivers.push(SimReceiver::start(&desk, &self.profile_id));
                self.desks.push(desk);
                self.office().open.push(seat);
                true
            }
            Err(error) => {
                self.note(format!("the desk of {name} does not start: {error}"));
                false
            }
        }
    }

    /// kill -9 of a process; then one starts again.
    async fn kill_seat(&mut self, seat: usize) {
        self.note(format!("kill -9 of {}", self.seat(seat).name));
        self.seat(seat).line.interrupt();
        if let Some(at) = self.office().open.iter().position(|open| *open == seat) {
            self.office().open.remove(at);
            drop(self.desks.remove(at));
            self.receivers.remove(at).end().await;
            let lock = std::fs::File::open(self.seat(seat).folder.join("store.lock")).unwrap();
            while lock.try_lock().is_err() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        let office = self.office();
        office.seats[seat].line.restore(&office.database);
        self.open_seat(seat).await;
    }

    /// Starts again what was killed at a request.
    pub(super) async fn restart_killed(&mut self) {
        for seat in 0..PEOPLE.len() {
            if self.seat(seat).line.is_killed() {
                self.kill_seat(seat).await;
            }
        }
    }

    pub(super) async fn spoil_office(&mut self) {
        self.office().writer = None;
        for seat in 0..PEOPLE.len() {
            if !self.office().is_stopped && !self.office().open.contains(&seat) {
                self.open_seat(seat).await;
            }
        }
        let seat = self.seed.below(PEOPLE.len());
        let name = self.seat(seat).name;
        match self.seed.below(22) {
            0..=3 => self.queue_batch().await,
            4 | 5 => self.upload().await,
            6 => self.kill_seat(seat).await,
            7 => {
                self.note(format!("the connection of {name} is cut"));
                self.seat(seat).line.cut();
            }
            8..=12 => {
                let fault = match self.seed.below(5) {
                    0 => LineFault::CutBefore,
                    1 | 2 => LineFault::CutAfter,
                    3 => LineFault::Killed,
                    _ => LineFault::Refused(REFUSALS[self.seed.below(REFUSALS.len())]),
                };
                let is_commit = self.seed.chance(60);
                let after = self.seed.below(if is_commit { 12 } else { 150 }) as u32;
                let plan = FaultPlan { after, is_commit, fault };
                self.note(format!("{name}: {plan:?}"));
                self.seat(seat).line.plan(plan);
            }
            13 | 14 if self.office().is_stopped => self.start_server(),
            13 => {
                self.note("the server loses its power");
                let office = self.office();
                office.server.0.crash();
                office.is_stopped = true;
            }
            14 | 15 => self.fail_over(),
            16 => self.set_clock(&self.seat(seat).clock.clone()),
            17 | 18 => self.spoil_service(),
            19 => self.deliver_events().await,
            20 if !self.office().is_stopped => {
                self.note("somebody writes and does not finish");
                let office = self.office();
                let database = office.server.database(&office.database);
                office.writer = Some(begin_writing(&database));
                self.pass(Duration::from_secs(40)).await;
                self.office().writer = None;
            }
            _ => {}
        }
    }

    fn start_server(&mut self) {
        self.note("the server is started again");
        let office = self.office();
        office.server.0.start_again();
        office.is_stopped = false;
    }

    /// Another server gets what was committed and takes over, now or later; later, what was committed since is lost. Desks
    /// that are open stay so.
    fn fail_over(&mut self) {
        if self.office().is_stopped {
            self.start_server();
        }
        for seat in &self.office().seats {
            seat.line.interrupt();
        }
        match self.office().standby.take() {
            None if self.seed.chance(50) => {
                self.note("a standby has all that was committed");
                let standby = self.copy_office();
                self.office().standby = Some(standby);
            }
            earlier => {
                let standby = earlier.unwrap_or_else(|| self.copy_office());
                let had = standby.batches;
                self.note(format!("a standby takes over that had {had} of {} batches", self.batches));
                self.webhook.expect_answered(&standby.answered);
                self.queued = standby.queued;
                self.uploads = standby.uploads;
                let lost = (had + 1, self.batches + 1);
                self.office().forgotten.push(lost);
                self.office().database = standby.database;
            }
        }
        let office = self.office();
        office.seats.iter().for_each(|seat| seat.line.restore(&office.database));
    }

    fn copy_office(&mut self) -> Standby {
        let (queued, uploads) = (self.queued.clone(), self.uploads.clone());
        let (answered, batches) = (self.webhook.answered(), self.batches);
        let office = self.office();
        let database = format!("{}_{}", office.databases[0], office.databases.len());
        office.server.copy_database(&office.database, &database);
        office.databases.push(database.clone());
        Standby { database, queued, uploads, answered, batches }
    }

    /// Whether a row belongs to a batch that may be lost with a server.
    pub(super) fn is_forgotten(&self, row: &str) -> bool {
        let batch = row.trim_start_matches('r').split('-').next().and_then(|number| number.parse().ok());
        let Some((office, batch)) = self.office.as_ref().zip(batch) else { return false };
        office.forgotten.iter().any(|(first, end): &(u32, u32)| (*first..*end).contains(&batch))
    }

    /// All faults stop.
    pub(super) async fn repair_office(&mut self) {
        self.office().writer = None;
        if self.office().is_stopped {
            self.start_server();
        }
        for seat in 0..PEOPLE.len() {
            self.kill_seat(seat).await;
        }
        assert_eq!(self.desks.len(), PEOPLE.len(), "{}", self.story.join("\n"));
    }
}

/// A transaction that stays open until its connection is dropped.
fn begin_writing(database: &OfficeDatabase) -> Connection {
    on_thread(|| {
        let mut connection = Connection::open_office(database).unwrap();
        std::mem::forget(connection.transaction().unwrap());
        connection
    })
}

/// The connection waits by a runtime of its own.
fn on_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap())
}

fn run_office(number: u64, server: &Arc<OfficeServer>) -> String {
    run_office_alone(async { run_to_end(World::new_office(number, server.clone()).await).await })
}

#[test]
fn in_no_simulated_office_anything_is_lost_or_sent_twice() {
    let start = || OfficeServer::start().map(Arc::new);
    if start().is_none() {
        return;
    }
    let run = |server: &Option<Arc<OfficeServer>>, number| drop(run_office(number, server.as_ref().unwrap()));
    if let Some(number) = asked(SEED_VARIABLE) {
        return run_each(&[number], start, run);
    }
    let count = asked(SEEDS_VARIABLE).unwrap_or(SEEDS) / SHARE;
    println!("{count} offices");
    run_each(&CASES.iter().copied().chain(0..count).collect::<Vec<_>>(), start, run);
}

/// A simulation that finds nothing may look at nothing: rows that the office forgot are there twice, and it is seen.
#[test]
fn the_simulation_sees_a_row_that_an_office_sends_twice() {
    let Some(server) = OfficeServer::start().map(Arc::new) else { return };
    let run = std::panic::catch_unwind(|| {
        run_office_alone(async {
            let mut world = World::new_office(1, server.clone()).await;
            world.service.set_faults(SimFaults::default());
            world.queue_batch().await;
            world.pass(Duration::from_secs(600)).await;
            assert!(!world.service.transactions().is_empty());
            let database = server.database(&world.office().database);
            on_thread(|| {
                let connection = Connection::open_office(&database).unwrap();
                connection.execute("UPDATE batch_rows SET row_state = 'not_sent'", []).unwrap();
            });
            world.batches -= 1;
            world.seed = Seed::new(1);
            world.queue_batch().await;
            world.pass(Duration::from_secs(6_000)).await;
        });
    });
    let seen = *run.unwrap_err().downcast::<String>().unwrap();
    assert!(seen.contains("arrived 2 times"), "{seen}");
}
