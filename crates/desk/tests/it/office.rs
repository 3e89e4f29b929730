//! Two desks on the workspace of one office, on a PostgreSQL of the test's own.

use bordereau_desk::Desk;
use bordereau_desk::api::*;
use bordereau_desk::workspace::{create_workspace, open_settings};

use crate::review_flow::{HEAD, good, id, started};
use crate::test_desk::TestDesk;

#[path = "../../../store/tests/engines/cluster.rs"]
#[allow(dead_code, reason = "not every test that includes this file needs all of it")]
mod cluster;

/// Desks of these people, each in a folder of its own.
async fn open_office<const N: usize>(cluster: &cluster::Cluster, people: [&str; N]) -> [TestDesk; N] {
    let settings = |user: &str| OfficeSettings {
        host: cluster.socket(),
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
    for (test, name) in desks.iter_mut().zip(people) {
        cluster.run(&format!("CREATE ROLE {name} LOGIN IN ROLE bordereau_clerk"));
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
    ReviewEdit { id: view.id.clone(), label: "Edit".into(), edits: vec![edit] }
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

    // A connection that was lost is made again by whoever waits, and what was missed is told.
    let known = turn(&ann.desk).await;
    cluster
        .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Bordereau'");
    bob.desk.review_close(id(&draft)).await.unwrap();
    let told = news(&ann.desk, known).await;
    assert!(told.changed.contains(&OfficeRoom::Drafts) && told.changed.contains(&OfficeRoom::Events));
    assert!(ann.desk.review_list(Nothing {}).await.unwrap().reviews.is_empty());
}
