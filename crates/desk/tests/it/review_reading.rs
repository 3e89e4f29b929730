//! A large file is read in one go, and what a program left that ended in the middle is no draft.

use std::path::Path;

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::review_flow::{HEAD, excluding, good, id, settled};
use crate::test_desk::TestDesk;

pub(crate) const BEGINNING_BYTES: usize = 5 << 20;
/// A row far down in the beginning, as the table counts.
pub(crate) const FAR: u32 = 6_000;

/// Rows that are right but for every tenth, whose line of business is not known.
pub(crate) fn beginning() -> String {
    let mut text = HEAD.to_owned();
    let mut row = 1;
    while text.len() < BEGINNING_BYTES {
        let line = good(row).replace("Shop", &"A shop. ".repeat(80));
        text += &if row % 10 == 3 { line.replace("GEN-1002", "NONSENSE") } else { line };
        row += 1;
    }
    text
}

pub(crate) async fn dropped(desk: &Desk, path: &Path) -> ReviewView {
    let handle = desk.drop_files(vec![path.to_owned()]).remove(0).handle;
    desk.review_start(ReviewStart { source: ReviewSource::Dropped { handle } }).await.unwrap()
}

pub(crate) fn page(view: &ReviewView, filter: RowFilter, from: u32) -> RowsRequest {
    let rows = RowsQuery { filter, ..RowsQuery::default() };
    RowsRequest { id: view.id.clone(), rows, from, count: 50 }
}

pub(crate) fn edit(view: &ReviewView, row: u32) -> ReviewEdit {
    let edits = vec![CellEdit { row, column: 5, text: "GEN-1001".into() }];
    ReviewEdit { id: view.id.clone(), label: "Edit".into(), edits, ..ReviewEdit::default() }
}

/// All there is to say of a review, without its id and the time of its draft.
pub(crate) async fn told(desk: &Desk, view: &ReviewView) -> (ReviewView, Vec<RowsPage>) {
    let mut pages = Vec::new();
    for (filter, from) in [(RowFilter::All, 0), (RowFilter::All, FAR), (RowFilter::Errors, 0)] {
        pages.push(desk.review_rows(page(view, filter, from)).await.unwrap());
    }
    let view = ReviewView {
        id: String::new(),
        stored_at: String::new(),
        name: String::new(),
        total_bytes: 0,
        ..view.clone()
    };
    (view, pages)
}

/// The same as a workbook, with its first rows only; their descriptions pack to no less than a large file has.
fn workbook() -> Vec<u8> {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    let mut random = 1u64;
    for (row, line) in (0..).zip(beginning().lines().take(4_000)) {
        for (column, cell) in (0..).zip(line.split(',')) {
            let noise = (0..25).map(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                format!("{random:016x}")
            });
            let is_long = cell.len() > 100;
            let text = if is_long { noise.collect() } else { cell.to_owned() };
            sheet.write(row, column, text).unwrap();
        }
    }
    workbook.save_to_buffer().unwrap()
}

#[tokio::test]
async fn the_first_rows_of_a_large_file_are_shown_while_all_of_it_is_read() {
    for (name, bytes) in [("large.csv", beginning().into_bytes()), ("large.xlsx", workbook())] {
        assert!(bytes.len() > 1 << 20, "{name} is large: {}", bytes.len());
        let test = TestDesk::offline();
        let path = test.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let mut view = dropped(&test.desk, &path).await;
        while view.counts.rows == 0 {
            view = test.desk.review_state(id(&view)).await.unwrap();
        }
        assert_eq!(view.stage, ReviewStage::Reading, "{name}");
        let is_said = view.groups.iter().any(|group| group.code.starts_with("line_unknown"));
        assert!(is_said, "{name}: {:?}", view.groups);
        let first = test.desk.review_rows(page(&view, RowFilter::Errors, 0)).await.unwrap();
        assert_eq!(first.rows[0].cells[5], "NONSENSE", "{name}");
        let refused = test.desk.review_edit(edit(&view, first.rows[0].row)).await.unwrap_err();
        assert!(refused.retryable, "what is not read yet is not changed: {refused:?}");
        let whole = settled(&test, view.clone()).await;
        assert!(whole.counts.rows > 3_000 && whole.counts.rows > view.counts.rows, "{name}");
    }
}

/// How a crash in the middle of the copying leaves a draft.
fn crashed(test: &TestDesk, review: &str, path: &Path, keeps_copy: bool) {
    let metadata = std::fs::metadata(path).unwrap();
    let modified = metadata.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let arrival = serde_json::json!({
        "path": path, "bytes": metadata.len(), "modified": u64::try_from(modified).unwrap(),
    });
    let body = serde_json::json!({ "arrival": arrival }).to_string();
    let store = rusqlite::Connection::open(test.folder.path().join("data/desk.sqlite")).unwrap();
    store.execute("UPDATE reviews SET body = ?2 WHERE id = ?1", [review, &body]).unwrap();
    if !keeps_copy {
        let removed =
            store.execute("DELETE FROM review_sources WHERE review = ?1 AND part > 0", [review]).unwrap();
        assert_eq!(removed, 1);
    }
}

#[tokio::test]
async fn a_draft_half_copied_is_read_again_from_its_file_or_from_a_copy_that_became_whole() {
    // Whether the copy had become whole, and whether the person's file is still what it was; whether it opens.
    for (is_copied, is_there, opens) in [(false, true, true), (true, false, true), (false, false, false)] {
        let test = TestDesk::offline();
        let path = test.folder.path().join("large.csv");
        std::fs::write(&path, beginning()).unwrap();
        let view = settled(&test, dropped(&test.desk, &path).await).await;
        crashed(&test, &view.id, &path, is_copied);
        if !is_there {
            std::fs::write(&path, format!("{HEAD}{}", good(1))).unwrap();
        }
        for _ in 0..2 {
            let again = TestDesk { desk: test.again(), ..TestDesk::offline() };
            let opened = again.desk.review_state(id(&view)).await.unwrap();
            let opened = settled(&again, opened).await;
            assert_eq!(
                opened.stage == ReviewStage::Review,
                opens,
                "{is_copied} {is_there} {:?}",
                opened.refusal
            );
            if opens {
                assert_eq!(opened.counts, view.counts);
            }
        }
    }
}

/// Whatever is asked of it first waits for the whole.
#[tokio::test]
async fn a_large_draft_is_opened_again_with_what_was_done_to_it() {
    let test = TestDesk::offline();
    let path = test.folder.path().join("large.csv");
    std::fs::write(&path, beginning()).unwrap();
    let view = settled(&test, dropped(&test.desk, &path).await).await;
    for row in [3, FAR] {
        test.desk.review_edit(edit(&view, row)).await.unwrap();
    }
    let out = excluding(&view, &[5, FAR + 1]);
    let done = test.desk.review_exclude(out).await.unwrap().review;
    let expected = told(&test.desk, &done).await.1;

    let again = TestDesk { desk: test.again(), ..TestDesk::offline() };
    let state = again.desk.review_state(id(&view)).await.unwrap();
    assert_eq!(state.is_draft, state.stage == ReviewStage::Reading);
    let rows = again.desk.review_rows(page(&view, RowFilter::All, 0)).await.unwrap();
    assert_eq!(rows.rows, expected[0].rows, "the rows are those of the draft");
    let state = settled(&again, state).await;
    assert_eq!((state.counts, &state.undo), (done.counts, &done.undo));
    assert_eq!(told(&again.desk, &state).await.1, expected);
    assert_eq!((state.is_draft, state.checked_rows), (false, state.counts.rows), "all of it was checked");
}

/// A workbook in a draft that says it is being read: as a process leaves it that ended in the middle.
#[tokio::test]
async fn a_workbook_whose_reading_did_not_end_is_read_again_only_when_a_person_says_so() {
    let test = TestDesk::offline();
    let path = test.folder.path().join("rows.xlsx");
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    for (row, line) in (0..).zip(format!("{HEAD}{}", good(1)).lines()) {
        for (column, cell) in (0..).zip(line.split(',')) {
            sheet.write(row, column, cell).unwrap();
        }
    }
    workbook.save(&path).unwrap();
    let view = settled(&test, dropped(&test.desk, &path).await).await;
    assert_eq!(view.counts.rows, 1, "{:?}", view.refusal);
    let mark = |is_being_read: bool| {
        let store = rusqlite::Connection::open(test.folder.path().join("data/desk.sqlite")).unwrap();
        let body = "UPDATE reviews SET body = json_set(body, '$.is_being_read', json(?2)) WHERE id = ?1";
        store.execute(body, [view.id.as_str(), if is_being_read { "true" } else { "false" }]).unwrap();
    };
    mark(true);
    let again = TestDesk { desk: test.again(), ..TestDesk::offline() };
    for _ in 0..2 {
        let opened = again.desk.review_state(id(&view)).await.unwrap();
        let opened = settled(&again, opened).await;
        assert_eq!((opened.stage, opened.can_read_again), (ReviewStage::Refused, true));
        assert!(opened.refusal.unwrap().contains("couldn't be read to its end"));
    }
    let opened = again.desk.review_read_again(id(&view)).await.unwrap();
    let opened = settled(&again, opened).await;
    assert_eq!((opened.stage, &opened.counts), (ReviewStage::Review, &view.counts));
    // Its end was reached: from now on it opens by itself.
    let later = TestDesk { desk: test.again(), ..TestDesk::offline() };
    let opened = later.desk.review_state(id(&view)).await.unwrap();
    assert_eq!(settled(&later, opened).await.counts, view.counts);
}
