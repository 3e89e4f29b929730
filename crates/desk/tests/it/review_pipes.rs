//! Large files with progress, a way to stop and nothing left of what was cut off. A pipe is the gate: what is not
//! written into it yet cannot have been read.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::review_flow::{good, id, settled};
use crate::review_reading::{BEGINNING_BYTES, FAR, beginning, dropped, edit, page, told};
use crate::test_desk::TestDesk;

/// A twin of the first row, and one with a quote that never closes.
fn rest() -> String {
    format!("{}{}", good(1), good(900_000).replace("Shop", "\"Shop"))
}

/// A file whose end is not written yet.
struct Arriving {
    file: File,
}

impl Arriving {
    /// Drops it on the desk, which has its beginning then.
    async fn dropped(desk: &Desk, path: PathBuf) -> (Arriving, ReviewView) {
        desk.accept_pipes();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let view = dropped(desk, &path).await;
        let file = tokio::task::spawn_blocking(move || {
            let mut file = File::options().write(true).open(path).unwrap();
            file.write_all(beginning().as_bytes()).unwrap();
            file
        });
        (Arriving { file: file.await.unwrap() }, view)
    }

    /// The rest, and no more behind it. Where the reading was stopped no one takes it.
    async fn ends(mut self, rest: String) {
        tokio::task::spawn_blocking(move || drop(self.file.write_all(rest.as_bytes()))).await.unwrap();
    }
}

/// Waits until the beginning is read, as far as the pipe gives it.
async fn reading(desk: &Desk, view: &ReviewView) -> ReviewView {
    loop {
        let view = desk.review_state(id(view)).await.unwrap();
        assert_eq!(view.stage, ReviewStage::Reading, "{:?}", view.refusal);
        if view.read_bytes as usize >= BEGINNING_BYTES {
            return view;
        }
    }
}

#[tokio::test]
async fn a_pipe_shows_no_rows_while_it_is_read_and_all_of_them_then() {
    let test = TestDesk::offline();
    let (file, view) = Arriving::dropped(&test.desk, test.folder.path().join("large.csv")).await;
    let view = reading(&test.desk, &view).await;
    assert_eq!((view.counts.rows, view.read_rows, view.is_draft), (0, 0, false));
    assert!(test.desk.review_rows(page(&view, RowFilter::All, 0)).await.unwrap().rows.is_empty());

    // A change waits for the whole, and so does sending: told, not lost.
    let refused = test.desk.review_edit(edit(&view, 3)).await.unwrap_err();
    assert!(refused.retryable && refused.message.contains("still being read"), "{refused:?}");
    let send = SendReviewPreview { id: view.id.clone(), scope: SendScope::Valid };
    assert!(test.desk.review_send_preview(send).await.is_err());
    let matching = ReviewMatch { id: view.id.clone(), done: true, ..ReviewMatch::default() };
    assert!(test.desk.review_match(matching).await.is_err());

    file.ends(rest()).await;
    let view = settled(&test, view).await;
    let whole = test.folder.path().join("whole.csv");
    std::fs::write(&whole, beginning() + &rest()).unwrap();
    let other = TestDesk::offline();
    let expected = settled(&other, dropped(&other.desk, &whole).await).await;
    assert_eq!(told(&test.desk, &view).await, told(&other.desk, &expected).await);
    assert!(view.groups.iter().any(|group| group.code == "quote_not_closed"), "{:#?}", view.groups);
    let first = test.desk.review_rows(page(&view, RowFilter::All, 0)).await.unwrap();
    assert!(!first.rows[0].marks.is_empty(), "its twin came with the rest");

    let after = test.desk.review_edit(edit(&view, FAR + 3)).await.unwrap();
    assert_eq!((after.counts.errors, after.counts.changed), (view.counts.errors - 1, 1));
    let again = TestDesk { desk: test.again(), ..test };
    let opened = again.desk.review_state(id(&view)).await.unwrap();
    assert_eq!(settled(&again, opened).await.counts, after.counts, "kept whole");
}

#[tokio::test]
async fn reading_that_is_stopped_leaves_nothing() {
    let test = TestDesk::offline();
    let (file, view) = Arriving::dropped(&test.desk, test.folder.path().join("large.csv")).await;
    let view = reading(&test.desk, &view).await;
    test.desk.review_close(id(&view)).await.unwrap();
    file.ends(rest()).await;
    assert_eq!(test.desk.review_state(id(&view)).await.unwrap_err().code, ErrorCode::NotFound);
    for desk in [&test.desk, &test.again()] {
        assert!(desk.review_list(Nothing {}).await.unwrap().reviews.is_empty());
    }
}

#[tokio::test]
async fn a_file_dropped_while_another_is_read_does_not_wait_for_it() {
    let test = TestDesk::offline();
    let (first, view) = Arriving::dropped(&test.desk, test.folder.path().join("first.csv")).await;
    let second = test.folder.path().join("second.csv");
    std::fs::write(&second, beginning()).unwrap();
    let second = settled(&test, dropped(&test.desk, &second).await).await;
    assert_eq!(second.stage, ReviewStage::Review);
    assert_eq!(test.desk.review_state(id(&view)).await.unwrap().stage, ReviewStage::Reading);
    first.ends(rest()).await;
    let first = settled(&test, view).await;
    assert_eq!(first.counts.rows, second.counts.rows + 2);
    assert_eq!(test.desk.review_list(Nothing {}).await.unwrap().reviews.len(), 2);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_to_its_end_is_refused_with_the_place() {
    let test = TestDesk::offline();
    let (file, view) = Arriving::dropped(&test.desk, test.folder.path().join("large.csv")).await;
    let view = reading(&test.desk, &view).await;
    file.ends(",".repeat(10_001)).await;
    let view = settled(&test, view).await;
    assert_eq!(view.stage, ReviewStage::Refused);
    let line = beginning().lines().count() + 1;
    let why = view.refusal.unwrap();
    assert!(why.replace(',', "").contains(&line.to_string()), "{why}");
    assert!(test.desk.review_list(Nothing {}).await.unwrap().reviews.is_empty());
}

#[tokio::test]
async fn a_program_that_ends_while_it_reads_leaves_a_draft_that_says_so() {
    let test = TestDesk::offline();
    let (file, view) = Arriving::dropped(&test.desk, test.folder.path().join("large.csv")).await;
    let view = reading(&test.desk, &view).await;
    // As another process sees it after a crash. What came through a pipe cannot be read again.
    let again = TestDesk { desk: test.again(), ..TestDesk::offline() };
    assert_eq!(again.desk.review_list(Nothing {}).await.unwrap().reviews[0].name, "large.csv");
    let opened = again.desk.review_state(id(&view)).await.unwrap();
    let opened = settled(&again, opened).await;
    assert_eq!(opened.stage, ReviewStage::Refused, "half of its rows are not shown for all of them");
    assert!(opened.refusal.unwrap().contains("open the file again"));
    again.desk.review_close(id(&view)).await.unwrap();
    assert!(again.desk.review_list(Nothing {}).await.unwrap().reviews.is_empty());
    drop(file);
}
