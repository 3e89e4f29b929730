//! One suite for both engines: the same work on a file of SQLite and on a workspace of PostgreSQL, compared answer by
//! answer. Where there is no PostgreSQL the file alone is used, and the test says so.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics, in its helpers too")]

mod cluster;
mod work;

use bordereau_store::office::{OfficeObstacle, OfficeProof, create_workspace, workspace_status};
use bordereau_store::{Store, StoreError};
use cluster::Cluster;

#[tokio::test(flavor = "multi_thread")]
async fn both_engines_answer_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let on_file = work::run(&Store::open(folder.path()).unwrap()).await;
    assert!(on_file.len() > 50, "{} answers", on_file.len());
    let Some(cluster) = Cluster::start() else { return };
    let database = cluster.database("alone", "postgres");
    blocking({
        let database = database.clone();
        move || create_workspace(&database)
    })
    .await
    .unwrap();
    let office = tempfile::tempdir().unwrap();
    let in_office = work::run(&Store::open_office(office.path(), &database).unwrap()).await;
    for (file, office) in on_file.iter().zip(&in_office) {
        assert_eq!(file, office);
    }
    assert_eq!(on_file.len(), in_office.len());
    let status = blocking(move || workspace_status(&database)).await.unwrap();
    assert_eq!((status.steps, status.audit_is_intact), (status.known, true));
    assert!(status.audit_entries > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_is_made_once_and_used_in_its_own_version_alone() {
    let Some(cluster) = Cluster::start() else { return };
    let database = cluster.database("versions", "postgres");
    let open = |database: &bordereau_store::office::OfficeDatabase| {
        let folder = tempfile::tempdir().unwrap();
        Store::open_office(folder.path(), database).map(|_| ())
    };
    let missing = open(&database).unwrap_err();
    assert!(
        matches!(&missing, StoreError::Office(error) if error.obstacle == OfficeObstacle::Workspace),
        "{missing}"
    );
    for _ in 0..2 {
        let database = database.clone();
        blocking(move || create_workspace(&database)).await.unwrap();
    }
    open(&database).unwrap();

    let opened = Store::open_office(tempfile::tempdir().unwrap().path(), &database).unwrap();
    cluster.run("UPDATE versions.store_schema SET steps = steps + 1");
    assert!(matches!(open(&database), Err(StoreError::TooNew { .. })));
    let late =
        opened.with_connection(|connection| bordereau_store::profiles::list_profiles(connection)).await;
    assert!(matches!(late, Err(StoreError::TooNew { .. })), "a desk that was open is told too");
    cluster.run("UPDATE versions.store_schema SET steps = steps - 2");
    assert!(open(&database).is_err(), "an older one is brought forward by its administrator");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_role_may_what_it_may() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = cluster.database("rights", "postgres");
    blocking(move || create_workspace(&owner)).await.unwrap();
    for role in ["reader", "clerk", "manager"] {
        cluster.run(&format!("CREATE ROLE {role}_person LOGIN IN ROLE rights_{role}"));
    }
    cluster.run("CREATE ROLE stranger LOGIN");
    let may = |person: &str, sql: &str| cluster.may(person, &format!("SET search_path = rights; {sql}"));
    let batch = |environment: &str| {
        format!(
            "INSERT INTO batches (id, name, profile_id, profile_name, environment, state, totals, sent_by, created_at, \
             day) VALUES (fresh_id(), '', '', '', '\"{environment}\"', 'queued', '', '', '', '')"
        )
    };
    let entry = "INSERT INTO audit SELECT coalesce(max(number), 0) + 1, '', '', '', '' FROM audit";
    let [production, sandbox] = ["production", "sandbox"].map(batch);
    // The statement, and who may: reader, clerk, manager.
    let cases = [
        ("SELECT * FROM batches", [true, true, true]),
        ("SELECT * FROM audit", [true, true, true]),
        ("UPDATE outbox_revision SET revision = revision + 1", [false, true, true]),
        (sandbox.as_str(), [false, true, true]),
        (production.as_str(), [false, false, true]),
        ("UPDATE batches SET state = 'canceled'", [false, true, true]),
        ("UPDATE batches SET environment = '\"production\"'", [false, false, false]),
        ("UPDATE document_uploads SET address = ''", [false, false, false]),
        (entry, [false, true, true]),
        ("UPDATE audit SET text = 'x'", [false, false, false]),
        ("DELETE FROM audit", [false, false, false]),
        ("TRUNCATE audit", [false, false, false]),
        ("UPDATE audit_given SET given = 0", [false, false, false]),
        ("UPDATE store_schema SET steps = 1", [false, false, false]),
        ("DROP TABLE audit", [false, false, false]),
        ("ALTER TABLE batches DISABLE ROW LEVEL SECURITY", [false, false, false]),
    ];
    for (sql, expected) in cases {
        for (role, expected) in ["reader", "clerk", "manager"].into_iter().zip(expected) {
            assert_eq!(may(&format!("{role}_person"), sql), expected, "{role}: {sql}");
        }
        assert!(!may("stranger", sql), "stranger: {sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_is_said() {
    let Some(cluster) = Cluster::start() else { return };
    let good = cluster.database("said", "postgres");
    let with = |change: &dyn Fn(&mut bordereau_store::office::OfficeDatabase)| {
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
        let error = Store::open_office(folder.path(), &database).map(|_| ()).unwrap_err();
        let StoreError::Office(found) = &error else { panic!("{error}") };
        assert_eq!(found.obstacle, expected, "{found}");
        let told = bordereau_api::BoundaryError::from(error);
        assert!(told.message.ends_with('.') && !told.message.contains("not needed"), "{}", told.message);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_is_made_again_and_nothing_half_is_kept() {
    let Some(cluster) = Cluster::start() else { return };
    let database = cluster.database("cut", "postgres");
    blocking({
        let database = database.clone();
        move || create_workspace(&database)
    })
    .await
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_office(folder.path(), &database).unwrap();
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

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}
