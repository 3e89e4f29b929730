//! The work of desks copied into a workspace that is in use, and out of it.

use std::path::Path;

use bordereau_api::{OfficeCopy, Profile, SavedSearch, TransactionsSearch};
use bordereau_database::Connection;
use bordereau_store::workspace::{
    OfficeDatabase, check_workspace, copy_from_office, copy_to_office, create_workspace,
};
use bordereau_store::{Store, StoreError, audit, batches, profiles, saved_searches};
use tempfile::TempDir;

use crate::cluster::Cluster;
use crate::{blocking, join, office_at, work};

const AT: &str = "2026-11-24T10:00:00Z";

/// An administrator's copy of a folder.
async fn copy_in(folder: &Path, database: &OfficeDatabase) -> Result<OfficeCopy, StoreError> {
    let (folder, database) = (folder.to_owned(), database.clone());
    blocking(move || copy_to_office(&folder, None, &database, AT)).await
}

async fn log_is_whole(database: &OfficeDatabase) -> bool {
    let database = database.clone();
    blocking(move || check_workspace(&database)).await.is_ok()
}

/// What a question finds in a folder.
fn read(folder: &Path, sql: &str) -> Vec<String> {
    let file = Connection::open(folder.join("desk.sqlite")).unwrap();
    let mut statement = file.prepare_cached(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// A computer on which somebody worked: one batch was sent, and nothing waits.
async fn laptop(profile: &str, address: &str) -> (TempDir, Store, String) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    work::run(&store).await;
    let sent = work::send_one(&store, profile).await;
    let (id, address) = (profile.to_owned(), address.to_owned());
    store
        .with_connection(move |db| {
            db.execute_batch(
                "UPDATE batch_parts SET state = 'canceled' WHERE state <> 'processed';
                 UPDATE document_uploads SET state = 'canceled';
                 INSERT INTO events (arrival, profile_id, recognition, what, event, event_id, said_at, batch_id,
                     transaction_id, policy_number, invoice_number, state_code, title, signature, body)
                 VALUES (77, 'practice', 'same', '', '', '', '', '', '', '', '', '', 'x', '', x'00ff')",
            )?;
            // The profile of the batches, under the id that this computer has for it.
            let profile =
                Profile { id: id.clone(), name: "Agency".into(), base_url: address, ..Profile::default() };
            profiles::store_profile(db, profile)?;
            for changed in ["batches", "document_uploads", "events"] {
                let sql = format!("UPDATE {changed} SET profile_id = ?1 WHERE profile_id = 'office'");
                db.execute(&sql, [&id])?;
            }
            let search = SavedSearch {
                name: "Texas".into(),
                search: TransactionsSearch::default(),
                columns: vec![id.clone()],
            };
            saved_searches::store_search(db, &id, &search)
        })
        .await
        .unwrap();
    let mapping = format!("{{\"name\":\"Usual\",\"of\":\"{profile}\"}}");
    store.save_mapping("Usual", "", mapping, AT.into()).await.unwrap();
    (folder, store, sent)
}

async fn sent_numbers(office: &Store, profile: &'static str) -> usize {
    let found =
        office.with_connection(move |db| batches::sent_rows::list_sent_numbers(db, profile, None)).await;
    found.unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_laptops_are_copied_into_a_workspace_in_use_and_back() {
    let Some(cluster) = Cluster::start() else { return };
    let database = office_at(&cluster, "copied", "postgres");
    let made = database.clone();
    blocking(move || create_workspace(&made)).await.unwrap();
    cluster.run(
        "CREATE ROLE anna LOGIN IN ROLE copied_administrator; CREATE ROLE carl LOGIN IN ROLE copied_clerk",
    );
    let admin = office_at(&cluster, "copied", "anna");
    let desk = tempfile::tempdir().unwrap();
    let office = join(desk.path(), &database).unwrap();
    work::queue_one(&office).await;
    let told = |sql: &str| cluster.told("postgres", &format!("SET search_path = copied; {sql}"));
    let waiting = "SELECT string_agg(r::text, ' ' ORDER BY row) FROM batch_rows r WHERE batch = 1";
    let before = told(waiting);

    let (first, first_store, first_sent) = laptop("laptop-1", "https://s.example").await;
    let (second, _, second_sent) = laptop("laptop-2", "https://s.example/").await;
    let (third, _, _) = laptop("laptop-3", "https://other.example").await;
    let refused = copy_in(first.path(), &office_at(&cluster, "copied", "carl")).await.unwrap_err();
    assert!(matches!(refused, StoreError::CopyRefused(_)), "a clerk: {refused}");
    let copied = copy_in(first.path(), &admin).await.unwrap();
    assert!(copied.rows > 40 && copied.tables > 20 && copied.log_entries > 5, "{copied:?}");
    assert_eq!(copied.renamed, []);
    let copied = copy_in(second.path(), &admin).await.unwrap();
    let renamed: Vec<String> =
        copied.renamed.iter().map(|it| format!("{} {} {}", it.kind, it.name, it.new_name)).collect();
    assert_eq!(renamed, ["mapping Usual Usual (2)", "search Texas Texas (2)"]);
    let copied = copy_in(third.path(), &admin).await.unwrap();
    assert!(
        copied.renamed.iter().any(|it| it.kind == "profile" && it.new_name == "Agency (2)"),
        "{copied:?}"
    );

    assert_eq!(told(waiting), before, "what waits in the workspace is as it was");
    assert_eq!(told("SELECT state FROM batch_parts WHERE batch = 1"), "queued");
    // Both laptops had the same service: what either sent is known as sent under the one profile that is left.
    let numbers = "SELECT CAST(transaction_id AS TEXT) FROM batch_rows WHERE transaction_id IS NOT NULL";
    let own = [&first, &second].map(|folder| read(folder.path(), numbers).len());
    assert!(own[0] > 1 && sent_numbers(&office, "laptop-1").await == own[0] + own[1], "{own:?}");
    assert_eq!(sent_numbers(&office, "laptop-3").await, own[0]);
    assert_eq!(
        told("SELECT string_agg(name, ', ' ORDER BY name) FROM review_mappings WHERE name LIKE 'Usual%'"),
        "Usual, Usual (2), Usual (3)"
    );
    assert_eq!(
        told("SELECT body FROM review_mappings WHERE name = 'Usual (2)'"),
        "{\"name\":\"Usual (2)\",\"of\":\"laptop-2\"}"
    );
    assert_eq!(
        told("SELECT count(DISTINCT profile_id) FROM events WHERE recognition = 'same'"),
        "3",
        "each computer's own practice"
    );
    for sent in [&first_sent, &second_sent] {
        let rows =
            "SELECT string_agg(wire || own_id || coalesce(same_key, ''), ' ' ORDER BY row) FROM batch_rows r
            JOIN batches b ON b.seq = r.batch WHERE b.id";
        let of_laptop = if sent == &first_sent { &first } else { &second };
        let own = format!(
            "SELECT group_concat(w, ' ') FROM (SELECT wire || own_id || coalesce(same_key, '') AS w
            FROM batch_rows r JOIN batches b ON b.seq = r.batch WHERE b.id = '{sent}' ORDER BY row)"
        );
        assert_eq!(read(of_laptop.path(), &own), [told(&format!("{rows} = '{sent}'"))]);
    }
    assert!(log_is_whole(&admin).await);

    // Once more: nothing is there twice, and what is new comes along.
    let counts = "SELECT (SELECT count(*) FROM batches) || ' ' || (SELECT count(*) FROM batch_rows) || ' ' || (SELECT count(*) FROM events)
        || ' ' || (SELECT count(*) FROM review_mappings) || ' ' || (SELECT count(*) FROM profiles) || ' ' || (SELECT count(*) FROM audit)
        || ' ' || (SELECT count(*) FROM unread_answers) || ' ' || (SELECT count(*) FROM event_refusals) || ' ' || (SELECT count(*) FROM copied_audit)";
    let all = told(counts);
    // The second laptop writes the address of the same service in another way.
    for (folder, different) in [(&second, 1), (&first, 0), (&third, 0)] {
        let again = copy_in(folder.path(), &admin).await.unwrap();
        assert_eq!((again.rows, again.log_entries, again.different), (0, 0, different), "{again:?}");
        assert!(again.present > 10);
    }
    assert_eq!(told(counts), all);
    let twin = tempfile::tempdir().unwrap();
    let copy = twin.path().join("desk.sqlite");
    let taken = copy.clone();
    first_store
        .with_connection(move |db| Ok(db.execute("VACUUM INTO ?1", [taken.to_string_lossy().as_ref()])?))
        .await
        .unwrap();
    let later = work::send_one(&first_store, "later").await;
    let copied = copy_in(first.path(), &admin).await.unwrap();
    assert_eq!(
        told(&format!(
            "SELECT count(*) FROM batch_rows r JOIN batches b ON b.seq = r.batch WHERE b.id = '{later}'"
        )),
        "2"
    );
    assert!(copied.rows < 12 && copied.log_entries > 0, "{copied:?}");
    let twin_store = Store::open(twin.path()).unwrap();
    work::send_one(&twin_store, "of the twin").await;
    drop(twin_store);
    let refused = copy_in(twin.path(), &admin).await.unwrap_err();
    assert!(matches!(refused, StoreError::CopyRefused(_)), "another copy of the first laptop: {refused}");

    go_back(&admin, &cluster, &office).await;
    see_changed_logs(&admin, &cluster).await;
}

/// Out of the workspace into a new folder, as soon as nothing waits.
async fn go_back(admin: &OfficeDatabase, cluster: &Cluster, office: &Store) {
    let copy_out = async |folder: &Path| {
        let (folder, database) = (folder.to_owned(), admin.clone());
        blocking(move || copy_from_office(&database, &folder, None)).await
    };
    let back = tempfile::tempdir().unwrap();
    let refused = copy_out(back.path()).await.unwrap_err();
    assert!(matches!(refused, StoreError::CopyRefused(_)), "{refused}");
    cluster.run("UPDATE copied.batch_parts SET state = 'canceled' WHERE batch = 1");
    let back = tempfile::tempdir().unwrap();
    let copied = copy_out(back.path()).await.unwrap();
    assert!(matches!(copy_out(back.path()).await, Err(StoreError::CopyRefused(_))), "once");
    assert_eq!((copied.present, copied.different), (0, 0), "{copied:?}");
    for table in
        ["batches", "batch_rows", "events", "copied_audit", "audit", "review_mappings", "batch_documents"]
    {
        let found = read(back.path(), &format!("SELECT CAST(count(*) AS TEXT) FROM {table}"));
        assert_eq!(
            found,
            [cluster.told("postgres", &format!("SELECT count(*) FROM copied.{table}"))],
            "{table}"
        );
    }
    let own = Store::open(back.path()).unwrap();
    let log = own.with_connection(|db| audit::list_entries(db)).await.unwrap();
    let there = office.with_connection(|db| audit::list_entries(db)).await.unwrap();
    assert!(log.intact && log == there && !log.copied.is_empty());
}

/// Whatever is changed in a log that was copied is seen, also where all of it is taken away.
async fn see_changed_logs(admin: &OfficeDatabase, cluster: &Cluster) {
    cluster.run("CREATE TABLE saved AS SELECT * FROM copied.copied_audit; ALTER TABLE copied.copied_audit DISABLE TRIGGER USER");
    for change in [
        "UPDATE copied.copied_audit SET text = text || '.' WHERE number = 2",
        "DELETE FROM copied.copied_audit WHERE number = 3",
        "DELETE FROM copied.copied_audit c WHERE number = (SELECT max(number) FROM copied.copied_audit m WHERE m.log = c.log)",
        "DELETE FROM copied.copied_audit WHERE log = (SELECT min(log) FROM copied.copied_audit)",
        "DELETE FROM copied.copied_audit",
    ] {
        cluster.run(change);
        assert!(!log_is_whole(admin).await, "{change}");
        cluster.run("DELETE FROM copied.copied_audit; INSERT INTO copied.copied_audit SELECT * FROM saved");
        assert!(log_is_whole(admin).await);
    }
}

/// What would be sent from both sides is copied to none.
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_to_be_sent_is_not_copied() {
    let Some(cluster) = Cluster::start() else { return };
    let database = office_at(&cluster, "waiting", "postgres");
    let made = database.clone();
    blocking(move || create_workspace(&made)).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    work::queue_one(&store).await;
    let refused = copy_in(folder.path(), &database).await.unwrap_err();
    assert!(matches!(refused, StoreError::CopyRefused(_)), "{refused}");
    assert_eq!(cluster.told("postgres", "SELECT count(*) FROM waiting.batches"), "0");
    let left = std::fs::read_dir(folder.path()).unwrap().flatten();
    let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with("workspace"));
    assert_eq!(left.count(), 0, "nothing of it is left in the folder");
}
