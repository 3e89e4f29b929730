//! Several people of an office: what each has read, who does what, and what they send together.

use std::time::Duration;

use bordereau_api::{EventsMark, EventsRequest, Profile, WorkKind};
use bordereau_database::{Connection, DatabaseError};
use bordereau_store::assignments::{AssignedItem, assign, list_assignments};
use bordereau_store::events::listing::{inbox_status, list_events, mark_events};
use bordereau_store::profiles::{find_profile, list_profiles, remove_profile, store_profile};
use bordereau_store::retention::profiles_with_data;
use bordereau_store::workspace::{
    OfficeObstacle, RequestReservation, check_workspace, copy_from_office, create_workspace,
    people::{list_names, list_people, save_name},
    reserve_requests,
};
use bordereau_store::{ActorTimestamp, Store, StoreError, StoredReview, audit};

use crate::cluster::Cluster;
use crate::{blocking, event_work, join, office_at, told, turn, work};

/// What two people of an office have read is two things, and an event that one desk received is there once for both.
#[tokio::test(flavor = "multi_thread")]
async fn each_person_reads_events_for_themselves() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "inbox", "postgres");
    blocking(move || create_workspace(&owner)).await.unwrap();
    let desk = |name: &str, role: &str| {
        cluster.run(&format!("CREATE ROLE {name} LOGIN IN ROLE inbox_{role}"));
        join(tempfile::tempdir().unwrap().path(), &office_at(&cluster, "inbox", name)).unwrap()
    };
    let (ann, bob, rita) = (desk("ann", "clerk"), desk("bob", "clerk"), desk("rita", "reader"));
    // Two desks and a server receive the same three deliveries.
    for receiver in [&ann, &bob, &ann] {
        receiver.with_connection(event_work::receive_three).await.unwrap();
    }
    let unread = async |desk: &Store| {
        let page = desk
            .with_connection(|db| {
                let request = EventsRequest { count: 50, ..EventsRequest::default() };
                Ok((inbox_status(db, "office")?.unread, list_events(db, "office", &request)?))
            })
            .await
            .unwrap();
        assert_eq!(page.1.total, 3, "each is there once");
        assert_eq!(page.1.events.iter().filter(|event| !event.read).count(), page.0 as usize);
        page.0
    };
    let mark = |ids: &[&str], read: bool| {
        let all = ids.is_empty();
        EventsMark { ids: ids.iter().map(|id| (*id).to_owned()).collect(), all, read }
    };
    assert_eq!((unread(&ann).await, unread(&bob).await, unread(&rita).await), (3, 3, 3));
    for (desk, mark) in
        [(&ann, mark(&["1", "2"], true)), (&rita, mark(&[], true)), (&rita, mark(&["3"], false))]
    {
        desk.with_connection(move |db| mark_events(db, "office", &mark)).await.unwrap();
    }
    assert_eq!((unread(&ann).await, unread(&bob).await, unread(&rita).await), (1, 3, 1));
    bob.with_connection(|db| Ok(db.execute("DELETE FROM events", [])?)).await.unwrap();
    assert_eq!(cluster.told("postgres", "SELECT count(*) FROM inbox.event_reads"), "0");
}

/// Who does what is everybody's to see; a reader assigns nothing, and a batch is whose its draft was.
#[tokio::test(flavor = "multi_thread")]
async fn work_is_assigned_and_everyone_sees_it() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "people", "postgres");
    blocking(move || create_workspace(&owner)).await.unwrap();
    let desk = |name: &str, role: &str| {
        cluster.run(&format!("CREATE ROLE {name} LOGIN IN ROLE people_{role}"));
        join(tempfile::tempdir().unwrap().path(), &office_at(&cluster, "people", name)).unwrap()
    };
    let (ann, bob, rita) = (desk("ann", "clerk"), desk("bob", "manager"), desk("rita", "reader"));
    cluster.run("CREATE ROLE stranger LOGIN");
    let seat = rita.office().unwrap().database.clone();
    let people = rita.with_connection(move |db| list_people(db, &seat)).await.unwrap();
    assert_eq!(people, ["ann", "bob"], "who only looks does nothing, and the server's own account is nobody");

    let draft = StoredReview { name: "May.csv".into(), body: "{}".into(), ..Default::default() };
    let id = ann.begin_review(draft, false).await.unwrap();
    let now = ActorTimestamp { at: "2026-03-01T12:00:00Z".into(), ms: 0, by: "ann".into() };
    let assign_to = |person: &'static str| {
        let item = AssignedItem { kind: WorkKind::Draft, profile_id: String::new(), id: id.clone() };
        let now = now.clone();
        move |db: &mut Connection| assign(db, &[item], person, Some("the last rows are missing"), &now)
    };
    let seen = turn(&bob);
    ann.with_connection(assign_to("bob")).await.unwrap();
    assert!(told(&bob, "assignments", seen).await);
    let refused = rita.with_connection(assign_to("ann")).await.unwrap_err();
    let StoreError::Database(DatabaseError::Office(refused)) = &refused else { panic!("{refused}") };
    assert_eq!(refused.obstacle, OfficeObstacle::Role);
    let found = rita.review_summaries().await.unwrap();
    let assigned = found[0].assigned.as_ref().unwrap();
    assert_eq!((assigned.person.as_str(), assigned.by.as_str()), ("bob", "ann"));

    work::queue_review(&ann, &id).await;
    let batches = bob.with_connection(|db| list_assignments(db, WorkKind::Batch, "")).await.unwrap();
    assert_eq!(batches.values().map(|of| of.person.as_str()).collect::<Vec<_>>(), ["bob"]);
    ann.remove_review(&id).await.unwrap();
    assert_eq!(
        cluster.told("postgres", "SELECT string_agg(kind, ' ') FROM people.assignments"),
        "batch",
        "the note goes with the draft"
    );
}

/// What several desks send with a key is counted together, by the clock of the server.
#[tokio::test(flavor = "multi_thread")]
async fn desks_reserve_requests_together() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "limits", "postgres");
    blocking(move || create_workspace(&owner)).await.unwrap();
    let desk = |name: &str, role: &str| {
        cluster.run(&format!("CREATE ROLE {name} LOGIN IN ROLE limits_{role}"));
        join(tempfile::tempdir().unwrap().path(), &office_at(&cluster, "limits", name)).unwrap()
    };
    let (ann, rita) = (desk("ann", "clerk"), desk("rita", "reader"));
    let reserve = async |desk: &Store, account: &'static str, wanted: u32| {
        let slots = (Duration::from_secs(1), 65);
        desk.with_connection(move |db| reserve_requests(db, account, wanted, 10, slots)).await.unwrap()
    };
    assert_eq!(reserve(&ann, "key", 4).await, RequestReservation::Given(4));
    assert_eq!(reserve(&rita, "key", 4).await, RequestReservation::Given(4));
    assert_eq!(reserve(&ann, "key", 4).await, RequestReservation::Given(2), "as many as are left");
    let full = reserve(&rita, "key", 1).await;
    assert!(
        matches!(full, RequestReservation::Full(wait) if wait > Duration::from_secs(30) && wait <= Duration::from_secs(66)),
        "{full:?}"
    );
    assert_eq!(reserve(&ann, "other key", 1).await, RequestReservation::Given(1));
    // The clock of a host that took over is an hour behind: nothing is given twice, and nobody waits an hour.
    cluster.run("UPDATE limits.request_counts SET slot = slot + 3600");
    let full = reserve(&rita, "key", 1).await;
    assert!(matches!(full, RequestReservation::Full(wait) if wait <= Duration::from_secs(66)), "{full:?}");
    cluster.run("UPDATE limits.request_counts SET slot = slot - 66");
    assert_eq!(reserve(&rita, "key", 20).await, RequestReservation::Given(10));
}

/// Who wrote an entry of the audit log is who the database says it was: another name is refused, and told where it is there
/// from before.
#[tokio::test(flavor = "multi_thread")]
async fn an_entry_in_the_name_of_another_is_refused_and_told() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "forged", "postgres");
    let made = owner.clone();
    blocking(move || create_workspace(&made)).await.unwrap();
    cluster.run("CREATE ROLE carl LOGIN IN ROLE forged_clerk; CREATE ROLE ann LOGIN IN ROLE forged_manager");
    let carl = join(tempfile::tempdir().unwrap().path(), &office_at(&cluster, "forged", "carl")).unwrap();
    let write = async |by: &'static str| {
        let entry = move |db: &mut Connection| {
            audit::append_entry(db, "2026-03-01T12:00:00Z", by, "Cancel of batch 1: 1 part was not sent.")
        };
        carl.with_connection(entry).await
    };
    write("carl").await.unwrap();
    write("Bordereau").await.unwrap();
    let refused = write("ann").await.unwrap_err();
    let StoreError::Database(DatabaseError::Office(refused)) = &refused else { panic!("{refused}") };
    assert_eq!(refused.obstacle, OfficeObstacle::Role);
    let checked = owner.clone();
    let check = blocking(move || check_workspace(&checked)).await.unwrap();
    assert_eq!((check.audit_entries, check.faults), (2, Vec::new()));

    cluster.run("ALTER TABLE forged.audit DISABLE TRIGGER audit_is_signed");
    write("ann").await.unwrap();
    let checked = owner.clone();
    let faults = blocking(move || check_workspace(&checked)).await.unwrap().faults;
    assert_eq!(faults.len(), 1);
    assert!(faults[0].contains("Entry 3") && faults[0].contains("names ann"), "{faults:?}");
    let told = |log: bordereau_api::AuditLog| (log.intact, log.entries[0].author());
    let expected = (false, "ann (signed in as carl)".to_owned());
    assert_eq!(told(carl.with_connection(|db| audit::list_entries(db)).await.unwrap()), expected);
    // A folder that is copied out of the workspace tells it as well.
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().to_owned();
    blocking(move || copy_from_office(&owner, &copy, None)).await.unwrap();
    let own = Store::open(folder.path()).unwrap();
    assert_eq!(told(own.with_connection(|db| audit::list_entries(db)).await.unwrap()), expected);
}

/// Who someone is shown as is theirs to say, or an administrator's; the log keeps the role.
#[tokio::test(flavor = "multi_thread")]
async fn people_are_shown_by_a_name_and_logged_by_their_role() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "names", "postgres");
    blocking(move || create_workspace(&owner)).await.unwrap();
    let desk = |name: &str, role: &str| {
        cluster.run(&format!("CREATE ROLE {name} LOGIN IN ROLE names_{role}"));
        join(tempfile::tempdir().unwrap().path(), &office_at(&cluster, "names", name)).unwrap()
    };
    let (ann, bob, rita) = (desk("ann", "administrator"), desk("bob", "clerk"), desk("rita", "reader"));
    let name = async |desk: &Store, by: &str, role: &'static str, name: &'static str| {
        let now = ActorTimestamp { at: "2026-03-01T12:00:00Z".into(), ms: 0, by: by.into() };
        desk.with_connection(move |db| save_name(db, role, name, &now)).await
    };
    let seen = turn(&rita);
    name(&bob, "bob", "bob", "Bob Miller").await.unwrap();
    assert!(told(&rita, "assignments", seen).await);
    name(&ann, "ann", "rita", "Rita Lopez").await.unwrap();
    for (desk, by, role) in [(&bob, "bob", "ann"), (&rita, "rita", "rita")] {
        let refused = name(desk, by, role, "Somebody").await.unwrap_err();
        let StoreError::Database(DatabaseError::Office(refused)) = &refused else { panic!("{refused}") };
        assert_eq!(refused.obstacle, OfficeObstacle::Role, "{by} names {role}");
    }
    name(&bob, "bob", "rita", "").await.unwrap();
    let names = rita.with_connection(|db| list_names(db)).await.unwrap();
    let shown: Vec<_> = names.iter().map(|(role, name)| (role.as_str(), name.as_str())).collect();
    assert_eq!(shown, [("bob", "Bob Miller"), ("rita", "Rita Lopez")], "nobody takes another's name away");
    let log = ann.with_connection(|db| audit::list_entries(db)).await.unwrap();
    let entry = log.entries.iter().find(|entry| entry.text.contains("Bob Miller")).unwrap();
    assert_eq!((entry.by.as_str(), entry.text.as_str()), ("bob", "bob is shown as \"Bob Miller\"."));
}

/// A manager's own profile is seen, changed and removed by that manager alone, by operations and by SQL; what was sent with
/// it stays as long as they say.
#[tokio::test(flavor = "multi_thread")]
async fn a_profile_of_a_person_is_nobody_elses() {
    let Some(cluster) = Cluster::start() else { return };
    let owner = office_at(&cluster, "owned", "postgres");
    let made = owner.clone();
    blocking(move || create_workspace(&made)).await.unwrap();
    let open = |office| join(tempfile::tempdir().unwrap().path(), &office).unwrap();
    let desk = |name: &str, role: &str| {
        cluster.run(&format!("CREATE ROLE {name} LOGIN IN ROLE owned_{role}"));
        open(office_at(&cluster, "owned", name))
    };
    let (ann, bob, carl) = (desk("ann", "manager"), desk("bob", "manager"), desk("carl", "clerk"));
    let (rosa, own) = (desk("rosa", "administrator"), open(owner));
    let store =
        async |desk: &Store, profile: Profile| desk.with_connection(|db| store_profile(db, profile)).await;
    let of =
        |owner: &str, name: &str| Profile { owner: owner.into(), name: name.into(), ..Profile::default() };
    store(&rosa, of("", "Everyone's")).await.unwrap();
    let anns = store(&ann, of("ann", "Trial")).await.unwrap();
    let names = async |desk: &Store| -> Vec<String> {
        let all = desk.with_connection(|db| list_profiles(db)).await.unwrap();
        all.into_iter().map(|profile| profile.name).collect()
    };
    assert_eq!(names(&ann).await, ["Everyone's", "Trial"]);
    for (person, other) in [("bob", &bob), ("carl", &carl), ("rosa", &rosa), ("the owner", &own)] {
        assert_eq!(names(other).await, ["Everyone's"], "{person}");
        let id = anns.id.clone();
        assert_eq!(other.with_connection(move |db| find_profile(db, &id)).await.unwrap(), None, "{person}");
    }
    for (person, other) in [("bob", &bob), ("carl", &carl), ("rosa", &rosa)] {
        let id = anns.id.clone();
        assert!(
            other.with_connection(move |db| remove_profile(db, &id)).await.is_err(),
            "{person} removes it"
        );
        let taken = Profile { owner: person.into(), revision: None, ..anns.clone() };
        assert!(store(other, taken).await.is_err(), "{person} takes it over");
        let seen = cluster.told(person, "SELECT count(*) FROM owned.profiles WHERE body LIKE '%Trial%'");
        assert_eq!(seen, "0", "{person} by SQL");
    }
    for (person, desk, profile) in
        [("carl", &carl, of("carl", "Mine")), ("bob", &bob, of("ann", "Hers")), ("bob", &bob, of("", "Ours"))]
    {
        assert!(store(desk, profile).await.is_err(), "{person} may not");
    }
    cluster.run(&format!(
        "INSERT INTO owned.batches (id, name, profile_id, profile_name, environment, state, totals, sent_by, created_at, day)
         VALUES ('a', '', '{}', '', '', 'processed', '', '', '', ''), ('b', '', 'removed', '', '', 'processed', '', '', '', '')",
        anns.id
    ));
    let gone = bob.with_connection(|db| profiles_with_data(db)).await.unwrap();
    assert_eq!(gone, ["removed"], "what ann sent isn't deleted as if her profile were gone");
    ann.with_connection(move |db| remove_profile(db, &anns.id)).await.unwrap();
    assert_eq!(names(&ann).await, ["Everyone's"]);
}
