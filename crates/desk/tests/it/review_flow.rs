//! Reviews from a messy file to rows that can be sent.

use bordereau_desk::api::*;

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
pub async fn settled(test: &TestDesk, mut view: ReviewView) -> ReviewView {
    while view.stage == ReviewStage::Reading {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        view = test.desk.review_state(ReviewId { id: view.id }).await.unwrap();
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
        id: view.id.clone(),
        rows: RowsQuery::default(),
        areas: rows.iter().map(area).collect(),
        excluded: Some(true),
    }
}

pub fn id(view: &ReviewView) -> ReviewId {
    ReviewId { id: view.id.clone() }
}

#[tokio::test]
async fn the_template_is_reviewed_at_once_and_a_change_is_checked() {
    let test = TestDesk::offline();
    let view = started(&test, "a.csv", &format!("{HEAD}{}{}", good(1), good(2))).await;
    assert_eq!(view.stage, ReviewStage::Review, "{view:#?}");
    assert_eq!((view.counts.rows, view.counts.ready, view.counts.errors), (2, 2, 0), "{:#?}", view.groups);
    assert_eq!((view.totals.premium.as_str(), view.totals.taxes.as_str()), ("2000.00", "97.80"));
    let edits = vec![CellEdit { row: 1, column: 5, text: "NONSENSE".into() }];
    let edit = ReviewEdit { id: view.id.clone(), label: "Edit".into(), edits };
    let after = test.desk.review_edit(edit).await.unwrap();
    assert_eq!((after.counts.ready, after.counts.errors, after.counts.changed), (1, 1, 1));
    let issues =
        test.desk.review_issues(CellId { id: view.id.clone(), row: 1, column: Some(5) }).await.unwrap();
    assert_eq!(issues.issues[0].code, "line_unknown");
    let page = rows(&test, &view.id, RowFilter::Errors).await;
    assert_eq!((page.total, page.rows[0].row, page.rows[0].changed.as_slice()), (1, 1, [5].as_slice()));
    let undone = test.desk.review_undo(id(&view)).await.unwrap();
    assert_eq!(undone.counts, view.counts);
}
