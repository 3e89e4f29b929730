//! Two desks on the workspace of one office, on a PostgreSQL of the test's own.

use bordereau_desk::api::*;
use bordereau_desk::workspace::{create_workspace, open_settings};
use bordereau_desk::{Desk, dispatch};

use serde_json::{Value, json};

use crate::outbox_fixture::{OutboxFixture, ended, many, queue, quick, rows};
use crate::review_flow::{HEAD, excluding, good, id, last_step, started};
use crate::test_desk::{TestDesk, file_handle, profile};

#[path = "../../../store/tests/engines/cluster.rs"]
#[allow(dead_code, reason = "not every test that includes this file needs all of it")]
pub mod cluster;

/// Desks of these clerks, each in a folder of its own.
async fn open_office<const N: usize>(cluster: &cluster::Cluster, people: [&str; N]) -> [TestDesk; N] {
    open_office_as(cluster, people.map(|name| (name, "clerk"))).await
}

/// The same with the role of each.
async fn open_office_as<const N: usize>(
    cluster: &cluster::Cluster,
    people: [(&str, &str); N],
) -> [TestDesk; N] {
    open_office_at(cluster, &cluster.socket(), people).await
}

/// The same on several hosts, of which this one can be written now.
async fn open_office_at<const N: usize>(
    cluster: &cluster::Cluster,
    hosts: &str,
    people: [(&str, &str); N],
) -> [TestDesk; N] {
    let settings = |user: &str| OfficeSettings {
        host: hosts.into(),
        port: 5432,
        database: "postgres".into(),
        workspace: "bordereau".into(),
        user: user.into(),
        sign_in: OfficeSignIn::Nothing,
        trust: OfficeTrustKind::ThisComputer,
        ..OfficeSettings::default()
    };
    create_workspace(open_settings(&settings("postgres"), None).unwrap()).await.unwrap();
    let mut desks = people.map(|_| TestDesk::offline());
    for (test, (name, role)) in desks.iter_mut().zip(people) {
        cluster.run(&format!("CREATE ROLE {name} LOGIN IN ROLE bordereau_{role}"));
        let request = OfficeRequest { settings: settings(name), ..OfficeRequest::default() };
        assert!(test.desk.office_use(request).await.unwrap().restart);
        test.desk = test.again();
    }
    desks
}

/// What others changed behind this turn.
async fn news(desk: &Desk, known: u32) -> OfficeNews {
    desk.office_news(OfficeNewsRequest { known, wait_ms: 20_000 }).await.unwrap()
}

/// The turn until now.
async fn turn(desk: &Desk) -> u32 {
    desk.office_news(OfficeNewsRequest::default()).await.unwrap().turn.unwrap()
}

/// The text of a draft's cell in the first row.
async fn first_cell(desk: &Desk, view: &ReviewView, column: usize) -> String {
    let request = RowsRequest { id: view.id.clone(), count: 1, ..RowsRequest::default() };
    desk.review_rows(request).await.unwrap().rows[0].cells[column].clone()
}

fn edit(view: &ReviewView, column: u32, text: &str) -> ReviewEdit {
    let edit = CellEdit { row: 1, column, text: text.into() };
    ReviewEdit { id: view.id.clone(), label: "Edit".into(), edits: vec![edit], ..ReviewEdit::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_desk_changes_the_other_shows() {
    let own = TestDesk::offline();
    let answer = own.desk.office_news(OfficeNewsRequest { known: 0, wait_ms: 20_000 }).await.unwrap();
    assert_eq!(answer, OfficeNews::default(), "a desk of its own does not wait");
    let Some(cluster) = cluster::Cluster::start() else { return };
    let [ann, bob] = open_office(&cluster, ["ann", "bob"]).await;

    let draft = started(&ann, "may.csv", &format!("{HEAD}{}{}", good(1), good(2))).await;
    let mut told = news(&bob.desk, 0).await;
    while !told.changed.contains(&OfficeRoom::Drafts) {
        told = news(&bob.desk, told.turn.unwrap()).await;
    }
    let listed = bob.desk.review_list(Nothing {}).await.unwrap();
    assert_eq!(listed.reviews[0].id, draft.id);
    assert_eq!(first_cell(&bob.desk, &draft, 1).await, "P-1");

    let known = told.turn.unwrap();
    ann.desk.review_edit(edit(&draft, 1, "P-100")).await.unwrap();
    assert_eq!(news(&bob.desk, known).await.changed, [OfficeRoom::Drafts]);
    assert_eq!(first_cell(&bob.desk, &draft, 1).await, "P-100");

    // What both change, one after the other, is both there.
    let before = turn(&ann.desk).await;
    bob.desk.review_edit(edit(&draft, 10, "Example Diner")).await.unwrap();
    assert_eq!(news(&ann.desk, before).await.changed, [OfficeRoom::Drafts]);
    assert_eq!(first_cell(&ann.desk, &draft, 10).await, "Example Diner");
    assert_eq!(first_cell(&ann.desk, &draft, 1).await, "P-100");

    // Of a text typed over another than is there nothing is stored, whatever the window shows; what was typed alike is.
    let typed =
        |text: &str, over: &str| ReviewEdit { typed_over: vec![over.into()], ..edit(&draft, 10, text) };
    let refused = bob.desk.review_edit(typed("Summit", "Name")).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ChangedElsewhere);
    assert_eq!(first_cell(&ann.desk, &draft, 10).await, "Example Diner");
    bob.desk.review_edit(typed("Example Diner", "Name")).await.unwrap();
    ann.desk.review_edit(typed("Harbor", "Example Diner")).await.unwrap();
    assert_eq!(first_cell(&bob.desk, &draft, 10).await, "Harbor");

    change_as_seen(&ann.desk, &bob.desk, &draft).await;

    // A connection that was lost is made again by whoever waits, and what was missed is told.
    let known = turn(&ann.desk).await;
    cluster
        .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Bordereau'");
    bob.desk.review_close(id(&draft)).await.unwrap();
    let told = news(&ann.desk, known).await;
    assert!(told.changed.contains(&OfficeRoom::Drafts) && told.changed.contains(&OfficeRoom::Events));
    assert!(ann.desk.review_list(Nothing {}).await.unwrap().reviews.is_empty());
}

/// What was decided on a view that others have changed since is not done, whatever it would change: a range, a repair, a
/// replacement, rows excluded, an undo. Seen again, it is.
async fn change_as_seen(ann: &Desk, bob: &Desk, draft: &ReviewView) {
    first_cell(bob, draft, 10).await;
    let seen = bob.review_state(id(draft)).await.unwrap();
    let fill = |view: &ReviewView| ReviewAreas {
        id: view.id.clone(),
        rows: RowsQuery::default(),
        verb: "Fill".into(),
        changes: vec![AreaChange {
            area: CellArea { first: 0, last: 1, columns: vec![10] },
            content: AreaContent::Text { text: "Filled".into() },
        }],
        seen_changes: Some(view.changes_of_others),
    };
    let replace = |view: &ReviewView, preview| ReviewReplace {
        id: view.id.clone(),
        rows: RowsQuery::default(),
        text: "Harbor".into(),
        replacement: "Bay".into(),
        has_case: false,
        is_whole: false,
        areas: Vec::new(),
        preview,
        seen_changes: Some(view.changes_of_others),
    };
    let exclude = |view: &ReviewView| ReviewExclude {
        seen_changes: Some(view.changes_of_others),
        ..excluding(view, &[1])
    };
    ann.review_edit(edit(draft, 10, "Harbor Inn")).await.unwrap();
    let paste = ReviewEdit { seen_changes: Some(seen.changes_of_others), ..edit(draft, 10, "Pasted") };
    for refused in [
        bob.review_undo(last_step(&seen)).await.map(drop),
        bob.review_areas(fill(&seen)).await.map(drop),
        bob.review_replace(replace(&seen, false)).await.map(drop),
        bob.review_exclude(exclude(&seen)).await.map(drop),
        bob.review_edit(paste).await.map(drop),
    ] {
        assert_eq!(refused.unwrap_err().code, ErrorCode::ChangedElsewhere);
    }
    assert_eq!(first_cell(ann, draft, 10).await, "Harbor Inn");
    assert_eq!(
        bob.review_replace(replace(&seen, true)).await.unwrap().total,
        1,
        "what it would change is shown"
    );

    let seen = bob.review_state(id(draft)).await.unwrap();
    let filled = bob.review_areas(fill(&seen)).await.unwrap();
    assert_eq!((filled.total, filled.review.changes_of_others), (2, seen.changes_of_others));
    // One's own changes since are no one else's.
    bob.review_undo(last_step(&seen)).await.unwrap();
    bob.review_redo(last_step(&seen)).await.unwrap();
    first_cell(ann, draft, 10).await;
    let seen = ann.review_state(id(draft)).await.unwrap();
    let undone = ann.review_undo(last_step(&seen)).await.unwrap();
    assert_eq!((undone.undo.as_str(), undone.redo.as_str()), ("Edit", "Fill 2 cells"));
    assert_eq!(first_cell(bob, draft, 10).await, "Harbor Inn");
}

/// While the database is gone: what was open can be read, a change is refused in a sentence, and nothing of it is there
/// when the database is back; then all goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_gone_is_said_and_nothing_is_half_done() {
    let Some(cluster) = cluster::Cluster::start() else { return };
    let [ann, bob] = open_office(&cluster, ["ann", "bob"]).await;
    let draft = started(&ann, "may.csv", &format!("{HEAD}{}{}", good(1), good(2))).await;
    assert_eq!(first_cell(&ann.desk, &draft, 1).await, "P-1");
    cluster.crash();
    assert_eq!(first_cell(&ann.desk, &draft, 1).await, "P-1", "what was open stays readable");
    let state = ann.desk.review_state(id(&draft)).await.unwrap();
    assert_eq!(state.counts.rows, 2);
    let assign = AssignWork {
        kind: WorkKind::Draft,
        ids: vec![draft.id.clone()],
        person: "bob".into(),
        note: Some("half".into()),
    };
    for refused in [
        ann.desk.review_edit(edit(&draft, 1, "P-100")).await.map(|_| ()),
        ann.desk.work_assign(assign.clone()).await.map(|_| ()),
        ann.desk.batch_list(Nothing {}).await.map(|_| ()),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Office, "{refused:?}");
        assert!(refused.message.ends_with('.') && !refused.message.contains("os error"), "{refused:?}");
    }
    assert_eq!(first_cell(&ann.desk, &draft, 1).await, "P-1", "what was refused isn't shown as done");
    let waited =
        ann.desk.office_news(OfficeNewsRequest { known: turn(&ann.desk).await, wait_ms: 1_500 }).await;
    assert!(waited.is_ok(), "who waits for others goes on waiting: {waited:?}");

    cluster.start_again();
    assert_eq!(first_cell(&bob.desk, &draft, 1).await, "P-1");
    ann.desk.review_edit(edit(&draft, 1, "P-100")).await.unwrap();
    ann.desk.work_assign(assign).await.unwrap();
    assert_eq!(first_cell(&bob.desk, &draft, 1).await, "P-100");
    let listed = bob.desk.review_list(Nothing {}).await.unwrap();
    assert_eq!(listed.reviews[0].assigned.as_ref().unwrap().person, "bob");
    let today = bob.desk.today_show(Nothing {}).await.unwrap();
    assert_eq!(today.own_work.unwrap().drafts, 1);
}

/// Another host takes over while desks are open: they go on there, with what was done before, and it is in the log.
#[tokio::test(flavor = "multi_thread")]
async fn open_desks_go_on_at_the_host_that_takes_over() {
    let Some(first) = cluster::Cluster::start() else { return };
    let standby = first.add_standby();
    let hosts = format!("{},{}", first.socket(), standby.socket());
    let people = [("ann", "clerk"), ("bob", "clerk")];
    let [ann, bob] = open_office_at(&first, &hosts, people).await;
    let draft = started(&ann, "may.csv", &format!("{HEAD}{}{}", good(1), good(2))).await;
    assert_eq!(first_cell(&bob.desk, &draft, 1).await, "P-1");
    ann.desk.review_edit(edit(&draft, 1, "P-100")).await.unwrap();
    assert_eq!(first_cell(&bob.desk, &draft, 1).await, "P-100");
    let known = turn(&bob.desk).await;
    first.crash();
    standby.promote();
    ann.desk.review_edit(edit(&draft, 10, "Example Diner")).await.unwrap();
    assert_eq!(first_cell(&bob.desk, &draft, 1).await, "P-100");
    assert_eq!(first_cell(&bob.desk, &draft, 10).await, "Example Diner");
    let told = news(&bob.desk, known).await;
    assert!(told.changed.contains(&OfficeRoom::Drafts) && told.changed.contains(&OfficeRoom::Events));
    let log = bob.desk.audit_list(Nothing {}).await.unwrap();
    let noticed =
        log.entries.iter().filter(|entry| entry.text.contains("restored, or is another one")).count();
    assert!(log.intact && noticed == 1, "{log:?}");
}

/// Each role tries by the operations what changes something of the office; all of them see it.
#[tokio::test(flavor = "multi_thread")]
async fn each_role_does_by_operations_what_its_role_lets_it() {
    let Some(cluster) = cluster::Cluster::start() else { return };
    let roles = ["administrator", "manager", "clerk", "reader"];
    let desks = open_office_as(&cluster, roles.map(|role| (role, role))).await;
    let draft = started(&desks[2], "may.csv", &format!("{HEAD}{}{}", good(1), good(2))).await;
    for (test, role) in desks.iter().zip(roles) {
        let desk = &test.desk;
        let profile = Profile {
            name: format!("Profile of {role}"),
            base_url: "https://api.office.example".into(),
            environment: Environment::Sandbox,
            ..Profile::default()
        };
        let quote = SaveQuote {
            id: None,
            name: format!("Quote of {role}"),
            request: QuoteRequest { state: "TX".into(), ..QuoteRequest::default() },
            answer: None,
            revision: None,
        };
        let search = SavedSearch {
            name: format!("Search of {role}"),
            search: TransactionsSearch::default(),
            columns: Vec::new(),
        };
        let due = DueMark { id: "TX-tax".into(), kind: DueMarkKind::Done, note: role.into(), revision: None };
        let work = AssignWork {
            kind: WorkKind::Draft,
            ids: vec![draft.id.clone()],
            person: "clerk".into(),
            note: None,
        };
        let tried = [
            ("profile", desk.profile_save(profile).await.map(|_| ())),
            ("edit", desk.review_edit(edit(&draft, 10, role)).await.map(|_| ())),
            ("quote", desk.quote_save(quote).await.map(|_| ())),
            ("search", desk.search_save(search).await.map(|_| ())),
            ("due", desk.due_mark(due).await.map(|_| ())),
            ("assign", desk.work_assign(work).await.map(|_| ())),
        ];
        for (what, outcome) in tried {
            let may = match what {
                "profile" => role == "administrator",
                _ => role != "reader",
            };
            match outcome {
                Ok(()) => assert!(may, "{role}: {what}"),
                Err(error) => {
                    assert!(!may && error.code == ErrorCode::Office, "{role}: {what}: {error:?}");
                    assert!(error.message.contains("role"), "{error:?}");
                }
            }
        }
        let read = EventsMark { ids: Vec::new(), all: true, read: true };
        desk.events_mark(read).await.unwrap();
        assert_eq!(desk.review_list(Nothing {}).await.unwrap().reviews.len(), 1, "{role}");
        assert!(desk.audit_list(Nothing {}).await.unwrap().intact, "{role}");
        let people = desk.office_people(Nothing {}).await.unwrap();
        assert_eq!((people.me.as_str(), people.may_assign), (role, role != "reader"));
        assert_eq!(people.people, ["administrator", "clerk", "manager"]);
    }
    let quotes = desks[3].desk.quote_list(Nothing {}).await.unwrap();
    assert_eq!(quotes.saved.len(), 3, "{quotes:?}");
}

/// Waits until a desk says that it can't send a batch.
async fn says_not_sent(desk: &Desk, batch: &str) {
    for _ in 0..1_500 {
        let shown = desk.batch_show(BatchId { id: batch.to_owned() }).await.unwrap();
        if shown.trouble.starts_with("Not sent from this computer: ") {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("{:?}", desk.batch_show(BatchId { id: batch.to_owned() }).await);
}

/// Who has no key, or a wrong one, holds up nothing: the others send it, and don't see what this computer lacks.
#[tokio::test(flavor = "multi_thread")]
async fn a_desk_that_cannot_send_leaves_what_waits_to_the_others() {
    let Some(cluster) = cluster::Cluster::start() else { return };
    let service = OutboxFixture::new().await;
    let people = [("ann", "administrator"), ("bob", "clerk"), ("cleo", "clerk")];
    let desks = open_office_as(&cluster, people).await;
    let [ann, bob, cleo] = desks.each_ref().map(|test| &test.desk);
    let running = service.service.as_ref().unwrap();
    let ca_file = desks[0].folder.path().join("ca.pem");
    std::fs::write(&ca_file, &running.ca_pem).unwrap();
    let profile = Profile {
        base_url: running.base_url.clone(),
        ca_file: file_handle(ann, &ca_file),
        ..profile("Office")
    };
    let id = ann.profile_save(profile).await.unwrap().profile.id;
    for desk in [ann, bob, cleo] {
        desk.set_outbox_pace(quick());
        desk.profile_select(ProfileId { id: id.clone() }).await.unwrap();
    }
    let wrong = SetApiKey { id: id.clone(), key: "bdk_key_of_nobody_here_12345678".into() };
    cleo.profile_set_key(wrong).await.unwrap();

    let batch = queue(bob, "week.csv", many("a", 250)).await.unwrap();
    for desk in [bob, cleo, ann] {
        says_not_sent(desk, &batch.id).await;
    }
    let told = cluster.told("ann", "SELECT string_agg(trouble, '') FROM bordereau.batches");
    assert_eq!(told, "", "what a computer lacks is not told to everyone");
    let key_of_ann = |key: &str| ann.profile_set_key(SetApiKey { id: id.clone(), key: key.into() });
    key_of_ann(&running.api_key).await.unwrap();
    let done = ended(ann, &batch.id).await;
    assert_eq!((done.state, done.counts.pending), (BatchState::Processed, 0), "{done:?}");
    assert_eq!(bob.batch_show(BatchId { id: batch.id.clone() }).await.unwrap().trouble, "");
    service.exactly_once(ann, &done).await;

    // A document says the same at the desk that lacks something, and nobody else sees it.
    key_of_ann("").await.unwrap();
    let transaction_id = rows(bob, &batch.id, None, 0).await.remove(0).transaction_id.unwrap();
    let path = desks[1].folder.path().join("Policy.pdf");
    std::fs::write(&path, b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n").unwrap();
    let target = DocumentTarget { transaction_id, ..DocumentTarget::default() };
    let files =
        vec![UploadFile { handle: file_handle(bob, &path), code: "POLIC".into(), ..Default::default() }];
    let upload = DocumentsUpload { target, files, ..DocumentsUpload::default() };
    let queued = bob.documents_upload(upload).await.unwrap();
    let message =
        async |desk: &Desk| desk.documents_queue(Nothing {}).await.unwrap().uploads[0].message.clone();
    for _ in 0..1_500 {
        if message(bob).await.starts_with("Not sent from this computer: ") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(message(bob).await.contains("API key"), "{}", message(bob).await);
    assert_eq!(cluster.told("ann", "SELECT message FROM bordereau.document_uploads"), "");
    key_of_ann(&running.api_key).await.unwrap();
    let sent = bob.documents_wait(&[queued.uploads[0].id.clone()]).await.unwrap();
    assert_eq!((sent[0].state, sent[0].message.as_str()), (UploadState::Sent, ""));
}

/// Where its office can't be used at the start, a window serves the settings of the office, to be corrected or left, and
/// nothing of this computer's own data in its place.
#[tokio::test(flavor = "multi_thread")]
async fn an_office_that_is_gone_at_the_start_is_corrected_in_the_window() {
    let Some(cluster) = cluster::Cluster::start() else { return };
    let [ann] = open_office(&cluster, ["ann"]).await;
    let told = async |desk: &Desk, operation: &str, request: Value| dispatch(desk, operation, request).await;
    cluster.crash();
    let waiting = ann.window();
    for operation in ["batch_list", "quote_list", "review_list", "reference_data"] {
        let refused = told(&waiting, operation, json!({})).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Office, "{operation}: {refused:?}");
    }
    let shown = told(&waiting, "office_show", json!({})).await.unwrap();
    let trouble = shown["trouble"].as_str().unwrap();
    assert!(trouble.contains("can't be reached") && shown["restart"] == false, "{shown}");
    let mut request = json!(OfficeRequest::default());
    request["settings"] = shown["office"].clone();
    let refused = told(&waiting, "office_use", request.clone()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Office, "{refused:?}");

    cluster.start_again();
    told(&waiting, "office_use", request).await.unwrap();
    let opened = ann.window();
    let shown = told(&opened, "office_show", json!({})).await.unwrap();
    assert!(shown["trouble"] == "" && shown["role"] == "clerk", "{shown}");
    told(&opened, "quote_list", json!({})).await.unwrap();
    drop(opened);

    cluster.crash();
    let waiting = ann.window();
    let left = told(&waiting, "office_leave", json!({})).await.unwrap();
    assert_eq!(left["office"], Value::Null, "{left}");
    told(&ann.window(), "quote_list", json!({})).await.unwrap();
}

/// That no other copy of a restored database sends, a manager says.
#[tokio::test(flavor = "multi_thread")]
async fn a_manager_says_that_no_other_copy_sends() {
    let Some(cluster) = cluster::Cluster::start() else { return };
    let [ann, bob] = open_office_as(&cluster, [("ann", "clerk"), ("bob", "manager")]).await;
    cluster.run("UPDATE bordereau.store_place SET file = 'another one'");
    let bobs = bob.again();
    let copied_at = || cluster.told("ann", "SELECT copied_at FROM bordereau.store_place");
    assert_ne!(copied_at(), "");
    let refused = ann.desk.only_copy_confirm(Nothing {}).await.unwrap_err();
    assert!(refused.code == ErrorCode::Office && refused.message.contains("manager"), "{refused:?}");
    assert_ne!(copied_at(), "");
    bobs.only_copy_confirm(Nothing {}).await.unwrap();
    assert_eq!(copied_at(), "");
}
