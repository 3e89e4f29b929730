//! Commands that were stopped: what they left is taken up by the next one with the same file.

use std::path::Path;

use bordereau_desk::api::*;
use bordereau_desk::{Desk, ResumedDraft};

use crate::outbox_fixture::{OutboxFixture, ended, many, queue};

const HEAD: &str = "Policy Number,State,Type,Effective Date,Premium,SL Tax,Invoice Number\n";

fn file(folder: &Path, name: &str, rows: u32) -> std::path::PathBuf {
    let row = |n| format!("P-{n:04},TX,PN,2026-02-23,1000.00,48.50,INV-{n:04}\n");
    let text = format!("{HEAD}{}", (0..rows).map(row).collect::<String>());
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

async fn settled(desk: &Desk, mut view: ReviewView) -> ReviewView {
    while view.stage == ReviewStage::Reading {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        view = desk.review_state(ReviewId { id: view.id }).await.unwrap();
    }
    view
}

/// Reads the file as a command does, and answers every question.
async fn read(desk: &Desk, path: &Path, left: Option<ResumedDraft>) -> ReviewView {
    let view = match left {
        Some(left) => desk.review_state(ReviewId { id: left.review }).await.unwrap(),
        None => {
            let handle = desk.drop_files(vec![path.to_owned()]).remove(0).handle;
            let source = ReviewSource::Dropped { handle };
            desk.review_start(ReviewStart { source }).await.unwrap()
        }
    };
    let view = settled(desk, view).await;
    let done = ReviewMatch { id: view.id.clone(), done: true, ..ReviewMatch::default() };
    settled(desk, desk.review_match(done).await.unwrap()).await
}

async fn sent(desk: &Desk, review: &str) -> Result<BatchView, BoundaryError> {
    let scope = SendScope::All;
    let preview = desk.review_send_preview(SendReviewPreview { id: review.into(), scope }).await?;
    let typed = preview.type_word;
    desk.review_send(SendReview { id: review.into(), scope, confirmed: preview.totals, typed }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_stopped_after_it_stored_its_batch_sends_nothing_twice() {
    let test = OutboxFixture::new().await;
    let path = file(test.folder.path(), "night.csv", 40);
    let first = test.desk();
    first.work_unattended(false);
    let review = read(&first, &path, None).await;
    let batch = sent(&first, &review.id).await.unwrap();
    drop(first);

    let next = test.desk();
    next.work_unattended(false);
    assert_eq!(ended(&next, &batch.id).await.state, BatchState::Processed);
    let left = next.resume_draft(std::slice::from_ref(&path)).await.unwrap().expect("the same file");
    assert_eq!(left, ResumedDraft { review: review.id.clone(), batch: Some(batch.id.clone()) });
    let again = read(&next, &path, Some(left)).await;
    assert_eq!((again.id.as_str(), again.counts.transactions), (review.id.as_str(), 40));
    let of_sending = again.groups.iter().find(|group| group.code == "sent_before");
    assert!(of_sending.is_none(), "its own batch is no fault of it: {of_sending:?}");
    let refused = sent(&next, &review.id).await.unwrap_err();
    assert!(refused.message.contains("nothing to send"), "{refused:?}");
    let stored = test.stored().await;
    assert_eq!((stored.len(), stored.values().all(|count| *count == 1)), (40, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_very_same_file_is_taken_up() {
    let test = OutboxFixture::dark();
    let path = file(test.folder.path(), "night.csv", 5);
    let first = test.desk();
    first.work_unattended(false);
    let review = read(&first, &path, None).await;
    let edits = vec![CellEdit { row: 1, column: 0, text: "CHANGED".into() }];
    let edited = first
        .review_edit(ReviewEdit {
            id: review.id.clone(),
            label: String::new(),
            edits,
            ..ReviewEdit::default()
        })
        .await;
    assert_eq!(edited.unwrap().counts.changed, 1);
    drop(first);

    let next = test.desk();
    let other = file(test.folder.path(), "other.csv", 5);
    assert_eq!(next.resume_draft(std::slice::from_ref(&other)).await.unwrap(), None, "another name");
    file(test.folder.path(), "night.csv", 6);
    assert_eq!(next.resume_draft(std::slice::from_ref(&path)).await.unwrap(), None, "another content");
    file(test.folder.path(), "night.csv", 5);
    let left = next.resume_draft(std::slice::from_ref(&path)).await.unwrap().unwrap();
    assert_eq!(left, ResumedDraft { review: review.id, batch: None });
    let again = read(&next, &path, Some(left)).await;
    assert_eq!(again.counts.changed, 0, "as if it were read for the first time");
    assert_eq!(next.resume_draft(&["/nonexistent/night.csv".into()]).await.unwrap(), None);
    assert_eq!(next.remove_abandoned(0).await.unwrap(), 1);
    assert_eq!(next.resume_draft(std::slice::from_ref(&path)).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_at_rest_sends_nothing_until_it_is_told_to() {
    let test = OutboxFixture::new().await;
    let desk = test.desk_at_rest();
    let batch = queue(&desk, "week.csv", many("r", 3)).await.unwrap();
    desk.batch_list(Nothing {}).await.unwrap();
    desk.outbox_status(Nothing {}).await.unwrap();
    assert_eq!(desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap().state, BatchState::Queued);
    assert!(test.stored().await.is_empty());
    desk.start_work();
    assert_eq!(ended(&desk, &batch.id).await.state, BatchState::Processed);
}
