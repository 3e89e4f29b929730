//! One suite for both engines: the same work on a file of SQLite and on a workspace of PostgreSQL, compared answer by
//! answer. Where there is no PostgreSQL the file alone is used, and the test says so.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics, in its helpers too")]

mod cluster;
mod conflicts;
mod copies;
mod event_work;
mod files;
mod people;
mod rights;
#[allow(dead_code, reason = "what fails is tried where the files are")]
#[path = "../../../file-storage/tests/places/s3_server.rs"]
mod s3_server;
mod work;

use bordereau_database::{Connection, DatabaseError};
use bordereau_store::workspace::{
    OfficeDatabase, OfficeObstacle, OfficeProof, OfficeTrust, check_workspace, create_workspace,
    workspace_status,
};
use bordereau_store::{StepChange, Store, StoreError, StoredReview};
use cluster::Cluster;

fn join(folder: &std::path::Path, database: &OfficeDatabase) -> Result<Store, StoreError> {
    Store::open(folder)?.join_office(database.clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn both_engines_answer_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let on_file = work::run(&Store::open(folder.path()).unwrap()).await;
    assert!(on_file.len() > 50, "{} answers", on_file.len());
    let Some(cluster) = Cluster::start() else { return };
    let database = office_at(&cluster, "alone", "postgres");
    blocking({
        let database = database.clone();
        move || create_workspace(&database)
    })
    .await
    .unwrap();
    let office = tempfile::tempdir().unwrap();
    let in_office = work::run(&join(office.path(), &database).unwrap()).await;
    for (file, office) in on_file.iter().zip(&in_office) {
        assert_eq!(file, office);
    }
    assert_eq!(on_file.len(), in_office.len());
    let asked = database.clone();
    let status = blocking(move || workspace_status(&asked)).await.unwrap();
    assert_eq!((status.steps, status.role.as_str()), (status.known, "administrator"));
    assert!(blocking(move || check_workspace(&database)).await.unwrap().audit_entries > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_is_made_once_and_used_in_its_own_version_alone() {
    let Some(cluster) = Cluster::start() else { return };
    let database = office_at(&cluster, "versions", "postgres");
    let open = |database: &OfficeDatabase| {
        let folder = tempfile::tempdir().unwrap();
        join(folder.path(), database).map(|_| ())
    };
    let missing = open(&database).unwrap_err();
    assert!(
        matches!(&missing, StoreError::Database(DatabaseError::Office(error)) if error.obstacle == OfficeObstacle::Workspace),
        "{missing}"
    );
    for _ in 0..2 {
        let database = database.clone();
        blocking(move || create_workspace(&database)).await.unwrap();
    }
    open(&database).unwrap();

    let opened = join(tempfile::tempdir().unwrap().path(), &database).unwrap();
    cluster.run("UPDATE versions.store_schema SET steps = steps + 1");
    let is_newer = |error: StoreError| {
        bordereau_api::BoundaryError::from(error).code == bordereau_api::ErrorCode::StoreTooNew
    };
    assert!(is_newer(open(&database).unwrap_err()));
    let late =
        opened.with_connection(|connection| bordereau_store::profiles::list_profiles(connection)).await;
    assert!(is_newer(late.unwrap_err()), "a desk that was open is told too");
    cluster.run("UPDATE versions.store_schema SET steps = steps - 1");
    let socket = cluster.socket();
    let waited = opened
        .with_connection(move |connection| {
            // An administrator updates it after the work began, and before its transaction does.
            let database = OfficeDatabase { user: "postgres".into(), ..shared_database(&socket, "versions") };
            let other = Connection::open_office(&database)?;
            other.execute("UPDATE store_schema SET steps = steps + 1", [])?;
            let begun = connection.transaction().map(drop);
            other.execute("UPDATE store_schema SET steps = steps - 1", [])?;
            Ok(begun?)
        })
        .await;
    assert!(is_newer(waited.unwrap_err()), "what waited is not done in another version");
    cluster.run("UPDATE versions.store_schema SET steps = steps - 1");
    assert!(open(&database).is_err(), "an older one is brought forward by its administrator");
}

/// Two desks with the same draft open: who changes it second is told, and overwrites nothing.
async fn assert_nothing_is_overwritten(ann: &Store, bob: &Store) {
    let draft = |body: &str| StoredReview { name: "May.csv".into(), body: body.into(), ..Default::default() };
    let id = ann.begin_review(draft("{}"), false).await.unwrap();
    bob.open_review(&id).await.unwrap();
    let kept = |body: &str| StoredReview { id: id.clone(), ..draft(body) };
    let step = |text: &str| StepChange::New(0, text.into());
    ann.save_review(kept("1"), step("ann's")).await.unwrap();
    assert!(bob.was_review_changed(&id).await.unwrap() && !ann.was_review_changed(&id).await.unwrap());
    let refused = bob.save_review(kept("2"), step("bob's")).await.unwrap_err();
    assert!(matches!(refused, StoreError::ChangedElsewhere), "{refused}");
    let (found, steps) = bob.open_review(&id).await.unwrap();
    assert_eq!((found.body.as_str(), steps), ("1", vec!["ann's".to_owned()]));
    bob.save_review(kept("2"), StepChange::None).await.unwrap();
    assert!(ann.was_review_changed(&id).await.unwrap());
    conflicts::assert_both_are_said(ann, bob).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_someone_else_changed_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    assert_nothing_is_overwritten(&Store::open(folder.path()).unwrap(), &Store::open(folder.path()).unwrap())
        .await;
    let Some(cluster) = Cluster::start() else { return };
    let database = office_at(&cluster, "drafts", "postgres");
    let made = database.clone();
    blocking(move || create_workspace(&made)).await.unwrap();
    let [ann, bob] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    assert_nothing_is_overwritten(
        &join(ann.path(), &database).unwrap(),
        &join(bob.path(), &database).unwrap(),
    )
    .await;
}

/// A database that is another one than it was, by the name of its server or its history, believes nothing unsent.
#[tokio::test(flavor = "multi_thread")]
async fn a_restored_office_looks_up_what_waits() {
    let Some(cluster) = Cluster::start() else { return };
    let database = office_at(&cluster, "restored", "postgres");
    let made = database.clone();
    blocking(move || create_workspace(&made)).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    work::queue_one(&join(folder.path(), &database).unwrap()).await;
    let state = || cluster.told("postgres", "SELECT state FROM restored.batch_parts");
    drop(join(folder.path(), &database).unwrap());
    assert_eq!(state(), "queued", "it is the same one");
    cluster.run("UPDATE restored.store_place SET file = '7000000000000000000 5 00000001'");
    drop(join(folder.path(), &database).unwrap());
    assert_eq!(state(), "unknown");
    assert!(
        cluster
            .told("postgres", "SELECT text FROM restored.audit ORDER BY number DESC LIMIT 1")
            .contains("database was restored")
    );
}

/// A clerk's desk that comes first marks what a clerk may send, and a manager's the rest: nothing goes without a lookup.
#[tokio::test(flavor = "multi_thread")]
async fn a_clerk_looks_up_what_waits_in_a_restored_office() {
    let Some(cluster) = Cluster::start() else { return };
    let made = office_at(&cluster, "halves", "postgres");
    blocking(move || create_workspace(&made)).await.unwrap();
    cluster.run("SET search_path = halves; UPDATE store_place SET file = '7000000000000000000 5 00000001'");
    for (number, environment) in [(1, "production"), (2, "sandbox")] {
        cluster.run(&format!(
            "SET search_path = halves;
             INSERT INTO batches (id, name, profile_id, profile_name, environment, state, totals, sent_by, created_at, day)
                 VALUES ('b{number}', '', '', '', '\"{environment}\"', 'queued', '', '', '', '');
             INSERT INTO batch_parts (batch, part, state) VALUES ({number}, 1, 'queued');
             INSERT INTO document_uploads (id, profile_id, profile_name, environment, invoice_number, name, code,
                 file_name, kind, bytes, sha256, state, created_at, created_by) VALUES ('u{number}', '', '',
                 '\"{environment}\"', 'I', '', '', '', '', 1, '', 'queued', '', '')"
        ));
    }
    let open_as = |person: &str, role: &str| {
        cluster.run(&format!("CREATE ROLE {person} LOGIN IN ROLE halves_{role}"));
        let office = office_at(&cluster, "halves", person);
        for _ in 0..2 {
            drop(join(tempfile::tempdir().unwrap().path(), &office).unwrap());
        }
        cluster.told(
            "postgres",
            "SET search_path = halves; SELECT string_agg(p.state || ' ' || u.state || ' ' || u.copied, ', ' ORDER BY p.batch)
                 || '; ' || (SELECT count(*) FROM audit) || (SELECT copied_at <> '' FROM store_place)
             FROM batch_parts p JOIN document_uploads u ON u.seq = p.batch",
        )
    };
    assert_eq!(open_as("rita", "reader"), "queued queued 0, queued queued 0; 0false");
    assert_eq!(open_as("carl", "clerk"), "queued queued 0, unknown unknown 1; 1true");
    assert_eq!(open_as("mary", "manager"), "unknown unknown 1, unknown unknown 1; 2true");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_is_said() {
    let Some(cluster) = Cluster::start() else { return };
    let good = office_at(&cluster, "said", "postgres");
    let with = |change: &dyn Fn(&mut OfficeDatabase)| {
        let mut database = good.clone();
        change(&mut database);
        database
    };
    let cases = [
        (with(&|it| it.host = "/nowhere".into()), OfficeObstacle::Unreachable),
        (with(&|it| it.database = "nothing".into()), OfficeObstacle::Database),
        (with(&|it| it.user = "nobody_here".into()), OfficeObstacle::SignIn),
        (with(&|it| it.host = "db.office.example".into()), OfficeObstacle::Settings),
        (with(&|it| it.proof = OfficeProof::Password("not needed".into())), OfficeObstacle::Workspace),
    ];
    for (database, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        let error = join(folder.path(), &database).map(|_| ()).unwrap_err();
        let StoreError::Database(DatabaseError::Office(found)) = &error else { panic!("{error}") };
        assert_eq!(found.obstacle, expected, "{found}");
        let told = bordereau_api::BoundaryError::from(error);
        assert!(told.message.ends_with('.') && !told.message.contains("not needed"), "{}", told.message);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_office_is_reached_over_tls_with_a_trusted_certificate_alone() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "sealed", "postgres");
    blocking(move || create_workspace(&owner)).await.unwrap();
    cluster.run("CREATE ROLE ann LOGIN PASSWORD 'correct horse' IN ROLE sealed_clerk");
    cluster.run("CREATE ROLE ben LOGIN PASSWORD 'correct horse' IN ROLE sealed_manager");
    let [authority, other] = [(); 2].map(|()| Authority::new());
    let (certificate, key) = authority.issue("127.0.0.1");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    cluster.listen_with_tls(port, &authority.pem, &certificate, &key);
    let at = |user: &str, trust: OfficeTrust, proof: OfficeProof| OfficeDatabase {
        host: "127.0.0.1".into(),
        port,
        user: user.into(),
        proof,
        trust,
        ..shared_database("", "sealed")
    };
    let trusted = || OfficeTrust::Authority(authority.pem.clone());
    let password = |text: &str| OfficeProof::Password(text.into());
    let right = || password("correct horse");
    let certified = |by: &Authority, name: &str| {
        let (chain, key) = by.issue(name);
        OfficeProof::Certificate { chain, key }
    };
    for (database, role) in [
        (at("ann", trusted(), right()), "clerk"),
        (at("ben", trusted(), certified(&authority, "ben")), "manager"),
    ] {
        assert_eq!(blocking(move || workspace_status(&database)).await.unwrap().role, role);
    }
    // The server lets go what a computer holds that sleeps, or is gone, after about a minute.
    let ann = at("ann", trusted(), right());
    let told = blocking(move || {
        let connection = Connection::open_office(&ann).unwrap();
        let settings =
            ["tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout"];
        settings.map(|setting| {
            connection.query_row(&format!("SHOW {setting}"), [], |row| row.get::<String>(0)).unwrap()
        })
    });
    assert_eq!(told.await, ["20", "10", "3", "60000"]);
    let ((chain, _), (_, key)) = (authority.issue("ben"), authority.issue("ben"));
    let cases = [
        (at("ann", trusted(), password("wrong")), OfficeObstacle::SignIn),
        (at("ann", OfficeTrust::Authority(other.pem.clone()), right()), OfficeObstacle::Certificate),
        (at("ann", OfficeTrust::Authority("no certificate".into()), right()), OfficeObstacle::Certificate),
        (at("ann", OfficeTrust::System, right()), OfficeObstacle::Certificate),
        // The server takes no one without TLS.
        (at("ann", OfficeTrust::ThisComputer, right()), OfficeObstacle::SignIn),
        // Whom it knows by certificate it takes by no password, by nobody else's, and by no one's that it does not trust.
        (at("ben", trusted(), right()), OfficeObstacle::SignIn),
        (at("ben", trusted(), certified(&authority, "ann")), OfficeObstacle::SignIn),
        (at("ben", trusted(), certified(&other, "ben")), OfficeObstacle::SignIn),
        (at("ann", trusted(), certified(&authority, "ben")), OfficeObstacle::SignIn),
        (
            at("ben", trusted(), OfficeProof::Certificate { chain: chain.clone(), key }),
            OfficeObstacle::OwnCertificate,
        ),
        (
            at("ben", trusted(), OfficeProof::Certificate { chain, key: "no key".into() }),
            OfficeObstacle::OwnCertificate,
        ),
    ];
    for (at, (database, expected)) in cases.into_iter().enumerate() {
        let error = blocking(move || workspace_status(&database)).await.unwrap_err();
        let StoreError::Database(DatabaseError::Office(found)) = &error else { panic!("{at}: {error}") };
        assert_eq!(found.obstacle, expected, "{at}: {found}");
        assert!(!format!("{error} {error:?}").contains("correct horse"));
    }
}

/// One that an office trusts.
struct Authority {
    pem: String,
    issuer: rcgen::Issuer<'static, rcgen::KeyPair>,
}

impl Authority {
    fn new() -> Authority {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut authority = rcgen::CertificateParams::default();
        authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let pem = authority.self_signed(&key).unwrap().pem();
        Authority { pem, issuer: rcgen::Issuer::new(authority, key) }
    }

    /// A certificate of this name, of a computer or a person, and its key; PEM.
    fn issue(&self, name: &str) -> (String, String) {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut of = rcgen::CertificateParams::new(vec![name.to_owned()]).unwrap();
        of.distinguished_name.push(rcgen::DnType::CommonName, name);
        (of.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_is_made_again_and_nothing_half_is_kept() {
    let Some(cluster) = Cluster::start() else { return };
    let database = office_at(&cluster, "cut", "postgres");
    blocking({
        let database = database.clone();
        move || create_workspace(&database)
    })
    .await
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = join(folder.path(), &database).unwrap();
    let profile = bordereau_api::Profile { name: "Office".into(), ..Default::default() };
    let stored = store
        .with_connection(move |connection| bordereau_store::profiles::store_profile(connection, profile))
        .await
        .unwrap();
    cluster
        .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Bordereau'");
    let found = store
        .with_connection(|connection| bordereau_store::profiles::list_profiles(connection))
        .await
        .unwrap();
    assert_eq!(found, [stored]);
}

/// A server that hangs, while its system goes on answering for it, doesn't keep a desk; and a transaction that a desk
/// leaves open ends.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_is_left() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "hung", "postgres");
    let made = owner.clone();
    blocking(move || create_workspace(&made)).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = join(folder.path(), &owner).unwrap();
    let ask = async |sql: &'static str| {
        store.with_connection(move |it| Ok(it.query_row(sql, [], |row| row.get::<String>(0))?)).await.unwrap()
    };
    let signal = |name: &str, process: &str| {
        assert!(std::process::Command::new("kill").args([name, process]).status().unwrap().success());
    };
    let process = "SELECT CAST(pg_backend_pid() AS TEXT)";
    let hung = ask(process).await;
    signal("-STOP", &hung);
    let other = ask(process).await;
    signal("-CONT", &hung);
    assert_ne!(other, hung, "another connection was made");
    assert_eq!(ask("SHOW idle_in_transaction_session_timeout").await, "1min");
}

/// Where the answer to a COMMIT is lost, nobody is told that nothing was saved; nor is who only reads.
#[tokio::test(flavor = "multi_thread")]
async fn what_may_be_saved_is_not_said_to_be_lost() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "lost", "postgres");
    let made = owner.clone();
    blocking(move || create_workspace(&made)).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = join(folder.path(), &owner).unwrap();
    let save = async || {
        let profile = bordereau_api::Profile { name: "Office".into(), ..Default::default() };
        let saved = store
            .with_connection(move |connection| bordereau_store::profiles::store_profile(connection, profile));
        saved.await.map_err(bordereau_api::BoundaryError::from)
    };
    save().await.unwrap();
    cluster.run(
        "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS
         $$BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END$$;
         CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON lost.profiles DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION cut()",
    );
    let lost = save().await.unwrap_err();
    assert!(lost.message.contains("isn't known whether your last change was saved"), "{lost:?}");
    assert!(!lost.retryable, "it is not made twice without a look: {lost:?}");
    cluster.crash();
    let read = store.with_connection(|connection| bordereau_store::profiles::list_profiles(connection)).await;
    let told = bordereau_api::BoundaryError::from(read.unwrap_err());
    assert!(told.retryable && !told.message.contains("Nothing was saved"), "{told:?}");
}

/// What of an office changes is told to every other desk, whatever its role, with the change itself or not at all.
#[tokio::test(flavor = "multi_thread")]
async fn what_one_desk_changes_the_others_are_told() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "live", "postgres");
    blocking(move || create_workspace(&owner)).await.unwrap();
    let desk = |name: &str, role: &str| {
        cluster.run(&format!("CREATE ROLE {name} LOGIN IN ROLE live_{role}"));
        join(tempfile::tempdir().unwrap().path(), &office_at(&cluster, "live", name)).unwrap()
    };
    let (ann, bob, rita) = (desk("ann", "clerk"), desk("bob", "clerk"), desk("rita", "reader"));
    let draft = StoredReview { name: "May.csv".into(), body: "{}".into(), ..Default::default() };
    let id = ann.begin_review(draft.clone(), false).await.unwrap();
    for desk in [&bob, &rita] {
        assert!(told(desk, "drafts", 0).await);
    }
    assert!(!is_told(&ann, "drafts", 0) && !is_told(&bob, "batches", 0));
    work::queue_one_by(&bob, "bob").await;
    for desk in [&ann, &rita] {
        assert!(told(desk, "batches", 0).await && told(desk, "audit_log", 0).await);
    }

    let seen = turn(&bob);
    ann.with_connection(|connection| {
        let begun = connection.transaction()?;
        begun.execute("DELETE FROM reviews", [])?;
        begun.rollback()?;
        connection
            .execute("INSERT INTO saved_searches (profile, name, body) VALUES ('p', 'Texas', '{}')", [])?;
        Ok(())
    })
    .await
    .unwrap();
    assert!(told(&bob, "searches", seen).await && !is_told(&bob, "drafts", seen), "only what was kept");

    let seen = turn(&bob);
    cluster
        .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Bordereau'");
    let saved = StoredReview { id, ..draft };
    ann.save_review(saved.clone(), StepChange::None).await.unwrap();
    bob.with_connection(|_| Ok(())).await.unwrap();
    assert!(is_told(&bob, "drafts", seen) && is_told(&bob, "events", seen), "anything was missed");
    let seen = turn(&bob);
    ann.save_review(saved, StepChange::None).await.unwrap();
    assert!(told(&bob, "drafts", seen).await && !is_told(&bob, "events", seen), "it is told again");

    // A table that is shown and of which nothing is told would be forgotten.
    let silent = cluster.told(
        "postgres",
        "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class c WHERE relnamespace = 'live'::regnamespace
         AND relkind = 'r' AND NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND tgname = 'change_is_told')",
    );
    assert_eq!(
        silent,
        "audit_given declining_carriers document_contents event_follows event_reads event_refusal_count \
         event_watches events_revision file_places import_chunks import_keys import_runs kept_values outbox_revision \
         profile_files request_counts review_sources store_place store_schema stored_files unread_answers watched_files"
    );
}

fn is_told(desk: &Store, name: &str, behind: u32) -> bool {
    desk.office().unwrap().notices.subscribe().borrow().is_changed(name, behind)
}

fn turn(desk: &Store) -> u32 {
    desk.office().unwrap().notices.subscribe().borrow().now()
}

/// Waits until it is.
async fn told(desk: &Store, name: &str, behind: u32) -> bool {
    let mut notices = desk.office().unwrap().notices.subscribe();
    let told = notices.wait_for(|turns| turns.is_changed(name, behind));
    tokio::time::timeout(std::time::Duration::from_secs(30), told).await.is_ok_and(|told| told.is_ok())
}

/// A workspace of this name, for this person.
fn office_at(cluster: &Cluster, workspace: &str, user: &str) -> OfficeDatabase {
    OfficeDatabase { user: user.into(), ..shared_database(&cluster.socket(), workspace) }
}

fn shared_database(socket: &str, workspace: &str) -> OfficeDatabase {
    OfficeDatabase {
        host: socket.into(),
        port: 5432,
        database: "postgres".into(),
        workspace: workspace.into(),
        user: String::new(),
        proof: OfficeProof::None,
        trust: OfficeTrust::ThisComputer,
        storage_key: String::new(),
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}
