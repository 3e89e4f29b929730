//! Steps: done, undone, redone, and still there after a crash.

use bordereau_desk::api::*;

use crate::review_flow::{HEAD, excluding, good, id, last_step, rows, settled, started};
use crate::test_desk::TestDesk;

fn edit(view: &ReviewView, cells: &[(u32, u32, &str)]) -> ReviewEdit {
    let edits =
        cells.iter().map(|(row, column, text)| CellEdit { row: *row, column: *column, text: (*text).into() });
    ReviewEdit {
        id: view.id.clone(),
        label: format!("Edit {} cells", cells.len()),
        edits: edits.collect(),
        ..ReviewEdit::default()
    }
}

/// What must be the same again: everything but the names of steps and the time.
async fn seen(test: &TestDesk, view: &ReviewView) -> (ReviewView, RowsPage) {
    let now = test.desk.review_state(id(view)).await.unwrap();
    let page = rows(test, &view.id, RowFilter::All).await;
    let now = ReviewView { undo: String::new(), redo: String::new(), stored_at: String::new(), ..now };
    (now, page)
}

#[tokio::test]
async fn every_step_is_taken_back_and_done_again_exactly() {
    let test = TestDesk::offline();
    let wrong = good(3).replace("48.50", "40.00").replace(",PN,", ",NP,");
    let text = format!("{HEAD}{}{}{wrong}{}", good(1), good(2), good(1));
    let view = started(&test, "a.csv", &text).await;
    let mut states = vec![seen(&test, &view).await];
    let id_ = view.id.clone();
    let fix = |code: &str, fix: &str| ReviewFix {
        seen_changes: None,
        id: id_.clone(),
        code: code.into(),
        fix: fix.into(),
        row: None,
        value: String::new(),
        preview: false,
    };
    test.desk.review_edit(edit(&view, &[(2, 0, "X"), (2, 6, "2000"), (3, 1, " P ")])).await.unwrap();
    states.push(seen(&test, &view).await);
    test.desk.review_fix(fix("tax_differs", "use_calculated")).await.unwrap();
    states.push(seen(&test, &view).await);
    test.desk.review_fix(fix("duplicate_id", "exclude")).await.unwrap();
    states.push(seen(&test, &view).await);
    let paste: Vec<(u32, u32, &str)> = vec![(5, 0, "NEW-1"), (5, 1, "P-9"), (6, 0, "NEW-2"), (6, 1, "P-10")];
    test.desk.review_edit(edit(&view, &paste)).await.unwrap();
    states.push(seen(&test, &view).await);
    let exclude = excluding(&view, &[1, 2]);
    test.desk.review_exclude(exclude).await.unwrap();
    states.push(seen(&test, &view).await);
    for (before, after) in states.iter().zip(&states[1..]) {
        assert_ne!(before.1, after.1, "each step does something");
    }
    for expected in states.iter().rev().skip(1) {
        test.desk.review_undo(last_step(&view)).await.unwrap();
        let found = seen(&test, &view).await;
        assert_eq!(found.0.counts, expected.0.counts);
        assert_eq!(found.0.totals, expected.0.totals);
        assert_eq!(found.0.groups, expected.0.groups);
        assert_eq!(cells(&found.1), cells(&expected.1));
    }
    for expected in &states[1..] {
        test.desk.review_redo(last_step(&view)).await.unwrap();
        let found = seen(&test, &view).await;
        assert_eq!((found.0.counts, &found.0.groups), (expected.0.counts, &expected.0.groups));
        assert_eq!(cells(&found.1), cells(&expected.1));
    }
}

/// Rows as they are seen, without the empty places behind them that were shown meanwhile.
fn cells(page: &RowsPage) -> Vec<RowView> {
    let row = |row: &RowView| {
        let mut row = row.clone();
        row.cells.truncate(16);
        row
    };
    page.rows.iter().map(row).collect()
}

#[tokio::test]
async fn a_draft_survives_a_crash_with_its_undo() {
    let test = TestDesk::offline();
    let text = format!("{HEAD}{}{}{}", good(1), good(2), good(3));
    let view = started(&test, "a.csv", &text).await;
    test.desk.review_edit(edit(&view, &[(1, 10, "Other"), (4, 0, "NEW")])).await.unwrap();
    let exclude = excluding(&view, &[2]);
    test.desk.review_exclude(exclude).await.unwrap();
    test.desk.review_edit(edit(&view, &[(3, 10, "Gone")])).await.unwrap();
    test.desk.review_undo(last_step(&view)).await.unwrap();
    let before = test.desk.review_state(id(&view)).await.unwrap();
    let page = rows(&test, &view.id, RowFilter::All).await;

    let again = test.again();
    let listed = again.review_list(Nothing {}).await.unwrap();
    assert_eq!((listed.reviews.len(), listed.reviews[0].name.as_str()), (1, "a.csv"));
    let opened = again.review_state(id(&view)).await.unwrap();
    let test = TestDesk { desk: again, ..test };
    let opened = settled(&test, opened).await;
    assert_eq!((opened.counts, &opened.totals), (before.counts, &before.totals));
    assert_eq!((opened.undo.as_str(), opened.redo.as_str()), ("Exclude 1 row", "Edit 1 cells"));
    assert_eq!(cells(&rows(&test, &view.id, RowFilter::All).await), cells(&page));
    let undone = test.desk.review_undo(last_step(&view)).await.unwrap();
    assert_eq!(undone.counts.excluded, 0);

    test.desk.review_close(id(&view)).await.unwrap();
    assert!(test.desk.review_list(Nothing {}).await.unwrap().reviews.is_empty());
    let gone = test.again().review_state(id(&view)).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);
}

/// Another window on the folder, or another desk of an office, asks for everything it shows at the same time.
#[tokio::test(flavor = "multi_thread")]
async fn what_someone_else_changed_is_in_every_answer_asked_for_at_once() {
    let test = TestDesk::offline();
    let view = started(&test, "a.csv", &format!("{HEAD}{}{}", good(1), good(2))).await;
    let other = TestDesk { desk: test.again(), ..TestDesk::offline() };
    let opened = other.desk.review_state(id(&view)).await.unwrap();
    settled(&other, opened).await;
    for round in 0..30 {
        let name = format!("Insured of round {round}");
        test.desk.review_edit(edit(&view, &[(1, 10, &name)])).await.unwrap();
        let page = || rows(&other, &view.id, RowFilter::All);
        let (_, one, two, three) = tokio::join!(other.desk.review_state(id(&view)), page(), page(), page());
        for page in [one, two, three] {
            assert!(page.rows.iter().any(|row| row.cells.contains(&name)), "{name}");
        }
    }
}

#[tokio::test]
async fn a_paste_adds_rows_and_is_undone_whole() {
    let test = TestDesk::offline();
    let view = started(&test, "a.csv", &format!("{HEAD}{}", good(1))).await;
    let line = good(7);
    let cells: Vec<&str> = line.trim_end().split(',').collect();
    let paste: Vec<(u32, u32, &str)> = (2..5)
        .flat_map(|row| cells.iter().enumerate().map(move |(c, text)| (row, c as u32, *text)))
        .collect();
    let after = test.desk.review_edit(edit(&view, &paste)).await.unwrap();
    assert_eq!((after.counts.rows, after.counts.ready), (4, 2), "two of the three have an id twice");
    let undone = test.desk.review_undo(last_step(&view)).await.unwrap();
    assert_eq!((undone.counts.rows, undone.counts.ready), (1, 1));
    let far = test.desk.review_edit(edit(&view, &[(5_000_000, 0, "x")])).await.unwrap_err();
    assert_eq!(far.code, ErrorCode::Validation);
}

#[tokio::test]
async fn a_text_and_the_next_problem_are_found_all_around() {
    let test = TestDesk::offline();
    let text = format!("{HEAD}{}{}{}", good(1), good(2).replace("GEN-1002", "NONSENSE"), good(3));
    let view = started(&test, "a.csv", &text).await;
    let find = |text: &str, row, column, backwards| ReviewFind {
        id: view.id.clone(),
        text: text.into(),
        rows: RowsQuery::default(),
        row,
        column,
        backwards,
        order: Vec::new(),
    };
    let cases = [
        (find("insured 2", 0, 0, false), Some((2, 10, 1))),
        (find("insured", 3, 10, false), Some((1, 10, 3))),
        (find("insured", 1, 10, true), Some((3, 10, 3))),
        (find("nobody", 0, 0, false), None),
    ];
    for (request, expected) in cases {
        let found = test.desk.review_find(request.clone()).await.unwrap();
        let place = found.found.then_some((found.row, found.column, found.total));
        assert_eq!(place, expected, "{request:?}");
    }
    let problem = test.desk.review_find(find("", 1, 71, false)).await.unwrap();
    assert_eq!((problem.found, problem.row, problem.column), (true, 2, 5));
}

#[tokio::test]
async fn the_next_issue_follows_the_columns_as_they_are_shown() {
    let test = TestDesk::offline();
    let wrong = good(1).replace("GEN-1002", "NONSENSE").replace("1000", "a lot");
    let view = started(&test, "a.csv", &format!("{HEAD}{wrong}")).await;
    let issues = async |order: Vec<u32>| {
        let (mut column, mut found) = (u32::MAX, Vec::new());
        loop {
            let request = ReviewFind {
                id: view.id.clone(),
                text: String::new(),
                rows: RowsQuery::default(),
                row: if column == u32::MAX { 0 } else { 1 },
                column,
                backwards: false,
                order: order.clone(),
            };
            column = test.desk.review_find(request).await.unwrap().column;
            if found.contains(&column) {
                return found;
            }
            found.push(column);
        }
    };
    let in_file = issues(Vec::new()).await;
    assert!(in_file.is_sorted() && in_file.len() > 1, "{in_file:?}");
    let backwards: Vec<u32> = in_file.iter().rev().copied().collect();
    assert_eq!(issues(backwards.clone()).await, backwards);
}

/// What is wrong in a column that is no field is shown at its row: the next issue goes there, and then on.
#[tokio::test]
async fn an_issue_in_a_column_that_is_not_shown_is_found_at_its_row() {
    let test = TestDesk::offline();
    let wrong = good(2).replace("GEN-1002", "NONSENSE");
    let text =
        format!("{HEAD}{}{}{wrong}", good(1), good(3).trim_end().to_owned() + ",beyond the headings\n");
    let view = started(&test, "a.csv", &text).await;
    let shown: Vec<u32> =
        view.columns.iter().filter(|column| column.field.is_some()).map(|column| column.column).collect();
    let first = shown[3];
    let order: Vec<u32> = std::iter::once(first).chain(shown.into_iter().filter(|c| *c != first)).collect();
    let next = async |row: u32, column: u32| {
        let request = ReviewFind {
            id: view.id.clone(),
            text: String::new(),
            rows: RowsQuery::default(),
            row,
            column,
            backwards: false,
            order: order.clone(),
        };
        let found = test.desk.review_find(request).await.unwrap();
        (found.row, found.column)
    };
    // The documents that the row misses are behind all columns of the file.
    assert_eq!(
        next(1, u32::MAX).await,
        (2, first),
        "the first column that is shown takes the place of the row"
    );
    assert_ne!(next(2, first).await, (2, first), "and it goes on from there");
    let at_row = CellId { id: view.id.clone(), row: 2, column: None };
    let issues = test.desk.review_issues(at_row).await.unwrap().issues;
    assert!(issues.iter().any(|issue| issue.code == "extra_cells"), "{issues:#?}");
}
