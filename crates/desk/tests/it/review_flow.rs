//! Reviews from a messy file to rows that can be sent.

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::outbox_fixture::{OutboxFixture, ended};
use crate::test_desk::TestDesk;

pub const HEAD: &str = "id,policy_number,policy_effective_date,transaction_type,physical_state,\
    line_of_business_list,premium,sl_tax,stamping_fee,total,mailing_insured_name,invoice_number,\
    insurance_company_list,risk_description,layered_risk,risk_retention_group\n";

/// A row of the template that is right.
pub fn good(n: usize) -> String {
    format!(
        "ID-{n},P-{n},2026-02-23,PN,TX,GEN-1002,1000,48.50,0.40,1048.90,Insured {n},I-{n},10899,Shop,0,0\n"
    )
}

pub async fn started(test: &TestDesk, name: &str, text: &str) -> ReviewView {
    let path = test.answer_dialog(name);
    std::fs::write(path, text).unwrap();
    let view = test.desk.review_start(ReviewStart { source: ReviewSource::Dialog }).await.unwrap();
    settled(test, view).await
}

/// Waits until the file is read.
pub async fn settled(test: &TestDesk, view: ReviewView) -> ReviewView {
    read(&test.desk, view).await
}

pub async fn read(desk: &Desk, mut view: ReviewView) -> ReviewView {
    while view.stage == ReviewStage::Reading {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        view = desk.review_state(ReviewId { id: view.id }).await.unwrap();
    }
    view
}

pub async fn rows(test: &TestDesk, id: &str, filter: RowFilter) -> RowsPage {
    let rows = RowsQuery { filter, ..RowsQuery::default() };
    let request = RowsRequest { id: id.into(), rows, count: 500, ..RowsRequest::default() };
    test.desk.review_rows(request).await.unwrap()
}

/// Excludes these rows of a table whose first row is its header.
pub fn excluding(view: &ReviewView, rows: &[u32]) -> ReviewExclude {
    let area = |row: &u32| CellArea { first: row - 1, last: row - 1, columns: Vec::new() };
    ReviewExclude {
        seen_changes: None,
        id: view.id.clone(),
        rows: RowsQuery::default(),
        areas: rows.iter().map(area).collect(),
        excluded: Some(true),
    }
}

pub fn id(view: &ReviewView) -> ReviewId {
    ReviewId { id: view.id.clone() }
}

/// The last step of a review as this view shows it.
pub fn last_step(view: &ReviewView) -> ReviewUndo {
    ReviewUndo { id: view.id.clone(), seen_changes: Some(view.changes_of_others) }
}

#[tokio::test]
async fn the_template_is_reviewed_at_once_and_a_change_is_checked() {
    let test = TestDesk::offline();
    let view = started(&test, "a.csv", &format!("{HEAD}{}{}", good(1), good(2))).await;
    assert_eq!(view.stage, ReviewStage::Review, "{view:#?}");
    assert_eq!((view.counts.rows, view.counts.ready, view.counts.errors), (2, 2, 0), "{:#?}", view.groups);
    assert_eq!((view.totals.premium.as_str(), view.totals.taxes.as_str()), ("2000.00", "97.80"));
    let edits = vec![CellEdit { row: 1, column: 5, text: "NONSENSE".into() }];
    let edit = ReviewEdit { id: view.id.clone(), label: "Edit".into(), edits, ..ReviewEdit::default() };
    let after = test.desk.review_edit(edit).await.unwrap();
    assert_eq!((after.counts.ready, after.counts.errors, after.counts.changed), (1, 1, 1));
    let issues =
        test.desk.review_issues(CellId { id: view.id.clone(), row: 1, column: Some(5) }).await.unwrap();
    let unknown = &issues.issues[0];
    assert_eq!((unknown.code.as_str(), unknown.fix.as_deref()), ("line_unknown", Some("match_values")));
    let page = rows(&test, &view.id, RowFilter::Errors).await;
    assert_eq!((page.total, page.rows[0].row, page.rows[0].changed.as_slice()), (1, 1, [5].as_slice()));
    let undone = test.desk.review_undo(last_step(&view)).await.unwrap();
    assert_eq!(undone.counts, view.counts);
}

/// Of three rows the two good ones were sent.
async fn sent_in_part(test: &OutboxFixture, desk: &Desk) -> (ReviewView, BatchView) {
    let path = test.folder.path().join("week.csv");
    let wrong = good(3).replace("GEN-1002", "NONSENSE");
    std::fs::write(&path, format!("{HEAD}{}{}{wrong}", good(1), good(2))).unwrap();
    test.person.answers.lock().unwrap().push_back(path);
    let view = desk.review_start(ReviewStart { source: ReviewSource::Dialog }).await.unwrap();
    let view = read(desk, view).await;
    assert_eq!((view.counts.ready, view.counts.errors, view.counts.sent), (2, 1, 0), "{:#?}", view.groups);
    let scope = SendScope::Valid;
    let confirmed =
        desk.review_send_preview(SendReviewPreview { id: view.id.clone(), scope }).await.unwrap().totals;
    let send = SendReview { id: view.id.clone(), scope, confirmed, typed: String::new() };
    (view, desk.review_send(send).await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_were_sent_are_no_errors_of_their_draft() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let (view, batch) = sent_in_part(&test, &desk).await;
    ended(&desk, &batch.id).await;

    let after = desk.review_state(id(&view)).await.unwrap();
    let counts = after.counts;
    assert_eq!((counts.ready, counts.errors, counts.sent, counts.to_correct()), (0, 3, 2, 1));
    let rows_of = async |filter| {
        let rows = RowsQuery { filter, ..RowsQuery::default() };
        let request = RowsRequest { id: view.id.clone(), rows, count: 500, ..RowsRequest::default() };
        desk.review_rows(request).await.unwrap().rows.iter().map(|row| row.row).collect::<Vec<_>>()
    };
    assert_eq!((rows_of(RowFilter::Sent).await, rows_of(RowFilter::Errors).await), (vec![1, 2], vec![3]));

    let draft = desk.review_list(Nothing {}).await.unwrap().reviews.remove(0);
    assert_eq!((draft.rows, draft.errors), (1, 1), "rows that were sent are not counted");

    // The file of rejected rows has the one to correct.
    let saved = test.folder.path().join("rejected.csv");
    test.person.answers.lock().unwrap().push_back(saved.clone());
    desk.rejects_save(SaveRejects { id: view.id.clone(), format: TableFormat::Csv, with_warnings: false })
        .await
        .unwrap();
    let text = std::fs::read_to_string(saved).unwrap();
    assert!(text.contains("P-3") && !text.contains("P-1") && !text.contains("P-2"), "{text}");
}

#[tokio::test]
async fn rows_of_a_canceled_batch_are_ready_in_their_draft_again() {
    let test = OutboxFixture::new().await;
    let desk = test.desk_at_rest();
    let (view, batch) = sent_in_part(&test, &desk).await;
    assert_eq!(desk.review_state(id(&view)).await.unwrap().counts.sent, 2);
    desk.batch_cancel(BatchId { id: batch.id }).await.unwrap();
    let after = read(&desk, desk.review_state(id(&view)).await.unwrap()).await;
    assert_eq!((after.counts.ready, after.counts.sent), (2, 0), "{:#?}", after.groups);
}

#[tokio::test]
async fn a_draft_is_checked_against_what_was_sent_with_the_profile_in_use() {
    let test = OutboxFixture::new().await;
    let desk = test.desk_at_rest();
    let (view, _) = sent_in_part(&test, &desk).await;
    assert_eq!(desk.review_state(id(&view)).await.unwrap().counts.sent, 2);
    test.office(&desk).await;
    let elsewhere = read(&desk, desk.review_state(id(&view)).await.unwrap()).await;
    assert_eq!((elsewhere.counts.ready, elsewhere.counts.sent), (2, 0), "{:#?}", elsewhere.groups);
}
