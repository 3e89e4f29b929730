//! What is finished goes after the time its profile keeps it; what is unfinished, asked or the only copy stays.

use std::fs;
use std::path::Path;
use std::time::Duration;

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::outbox_fixture::{OutboxFixture, csv_file, ended, many, queue};

const LONG_AGO: &str = "2020-01-02T03:04:05Z";
const PDF: &[u8] = b"%PDF-1.7 what the policy of Zephyrine says %%EOF\n";

fn store(test: &OutboxFixture) -> rusqlite::Connection {
    let store = rusqlite::Connection::open(test.folder.path().join("desk/desk.sqlite")).unwrap();
    store.busy_timeout(Duration::from_secs(30)).unwrap();
    store
}

fn count(test: &OutboxFixture, sql: &str) -> u32 {
    store(test).query_row(sql, [], |row| row.get(0)).unwrap()
}

fn is_in_files(folder: &Path, text: &[u8]) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let bytes = fs::read(entry.path()).unwrap_or_default();
        bytes.windows(text.len()).any(|part| part == text)
    })
}

/// Starts a review of rows with a document for the first of them; its id.
async fn review_with_document(test: &OutboxFixture, desk: &Desk, prefix: &str) -> String {
    let rows = test.folder.path().join("rows.csv");
    fs::write(&rows, csv_file(&many(prefix, 2))).unwrap();
    let documents = test.folder.path().join("documents");
    fs::create_dir_all(&documents).unwrap();
    fs::write(documents.join(format!("P-{prefix}00000 policy.pdf")), PDF).unwrap();
    let dropped = desk.drop_files(vec![rows, documents]);
    let review = read_review(desk, dropped[0].handle.clone()).await;
    let handles = vec![dropped[1].handle.clone()];
    let asked = ReviewDocuments { id: review.id.clone(), handles, attach: false };
    desk.review_documents(asked.clone()).await.unwrap();
    let attached =
        desk.review_documents(ReviewDocuments { handles: Vec::new(), attach: true, ..asked }).await.unwrap();
    assert_eq!(attached.review.documents_matched, 1);
    review.id
}

async fn read_review(desk: &Desk, handle: String) -> ReviewView {
    let source = ReviewSource::Dropped { handle };
    let mut review = desk.review_start(ReviewStart { source }).await.unwrap();
    while review.stage == ReviewStage::Reading {
        tokio::time::sleep(Duration::from_millis(2)).await;
        review = desk.review_state(ReviewId { id: review.id }).await.unwrap();
    }
    review
}

async fn send(desk: &Desk, id: &str) -> Result<BatchView, BoundaryError> {
    let (id, scope) = (id.to_owned(), SendScope::All);
    let preview = desk.review_send_preview(SendReviewPreview { id: id.clone(), scope }).await?;
    desk.review_send(SendReview { id, scope, confirmed: preview.totals, typed: preview.type_word }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_go_once_the_service_has_them_and_not_before() {
    let mut test = OutboxFixture::new().await;
    let desk = test.desk();
    test.darken().await;
    let review = review_with_document(&test, &desk, "doc").await;
    let waiting = send(&desk, &review).await.unwrap();
    let held = "SELECT count(*) FROM batch_documents WHERE length(content) > 0";
    desk.run_upkeep_once().await.unwrap();
    assert_eq!(count(&test, held), 1, "what waits keeps its documents");

    test.light().await;
    let done = ended(&desk, &waiting.id).await;
    assert_eq!((done.state, done.counts.total), (BatchState::Processed, 2), "{done:?}");
    assert_eq!(desk.review_list(Nothing {}).await.unwrap().reviews, [], "every row of the draft was sent");
    assert_eq!(done.draft.as_deref(), Some(review.as_str()), "it is reached from its batch");
    let gone = async {
        while count(&test, held) > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), gone).await.expect("the document goes by itself");
    fs::remove_dir_all(test.folder.path().join("desk/backups")).unwrap();
    assert!(
        !is_in_files(&test.folder.path().join("desk"), &PDF[9..40]),
        "not in a free page or a log either"
    );
    let log = desk.audit_list(Nothing {}).await.unwrap();
    assert!(log.intact && log.entries[0].text.contains("1 document"), "{:?}", log.entries[0]);
    let again = send(&desk, &review).await.unwrap_err();
    assert!(again.message.contains("nothing to send"), "it is known as sent with its document: {again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_leaves_the_list_when_several_rows_were_sent_as_one_transaction() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let file = test.folder.path().join("rows.csv");
    fs::write(&file, csv_file(&[many("one", 1), many("one", 1), many("two", 1)].concat())).unwrap();
    let review = read_review(&desk, desk.drop_files(vec![file]).remove(0).handle).await;
    let answer = |code: &str, name: &str| NamedCode { code: code.into(), name: name.into() };
    let overrides = vec![answer("grouping", "by_id"), answer("row_amounts", "repeat")];
    let done = ReviewMatch { id: review.id.clone(), overrides, done: true, ..ReviewMatch::default() };
    let joined = desk.review_match(done).await.unwrap();
    assert_eq!((joined.stage, joined.counts.rows), (ReviewStage::Review, 3));
    assert_eq!(desk.review_list(Nothing {}).await.unwrap().reviews.len(), 1);
    assert_eq!(send(&desk, &review.id).await.unwrap().counts.total, 2);
    assert_eq!(desk.review_list(Nothing {}).await.unwrap().reviews, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_kept_long_enough_goes_and_nothing_unfinished_does() {
    let mut test = OutboxFixture::new().await;
    let desk = test.desk();
    let sent = ended(&desk, &queue(&desk, "rows.csv", many("r", 20)).await.unwrap().id).await;
    let done = review_with_document(&test, &desk, "done").await;
    ended(&desk, &send(&desk, &done).await.unwrap().id).await;
    let draft = review_with_document(&test, &desk, "open").await;
    test.darken().await;
    let file = test.folder.path().join("late.pdf");
    fs::write(&file, PDF).unwrap();
    let handle = desk.drop_files(vec![file]).remove(0).handle;
    let files =
        vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() }];
    let target = DocumentTarget { transaction_id: "1".into(), ..DocumentTarget::default() };
    let asked = DocumentsUpload { target, files, ..DocumentsUpload::default() };
    let upload = desk.documents_upload(asked).await.unwrap().uploads.remove(0).id;
    // Not while it is tried: it is queued again when the service can't be reached.
    let canceled = async {
        while desk.upload_cancel(UploadId { id: upload.clone() }).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), canceled)
        .await
        .expect("an upload that was not begun is canceled");
    store(&test)
        .execute_batch(&format!(
            "UPDATE batches SET ended_at = '{LONG_AGO}';
             UPDATE reviews SET at = '{LONG_AGO}';
             UPDATE quotes SET at = '{LONG_AGO}';
             UPDATE document_uploads SET ended_at = '{LONG_AGO}';
             UPDATE batch_rows SET row_state = 'accepted';
             UPDATE batch_rows SET row_state = 'warning', messages = '[]' WHERE row = 0 AND batch = 1;"
        ))
        .unwrap();
    for (seq, read, checked) in [(901, 1, "confirmed"), (902, 0, "confirmed"), (903, 1, "unchecked")] {
        store(&test)
            .execute(
                "INSERT INTO events (seq, profile_id, recognition, fact, what, event, event_id, said_at, received_at, batch_id,
                     transaction_id, policy_number, invoice_number, state_code, title, signature, checked, is_read, body)
                 VALUES (?1, 'practice', ?1, 'fact', 'filed', '', '', '', ?2, '', '', '', '', '', '', 'valid', ?3, ?4, x'7b7d')",
                rusqlite::params![seq, LONG_AGO, checked, read],
            )
            .unwrap();
    }
    let rules = RetentionRules {
        rows: Some(30),
        events: Some(30),
        uploads: Some(30),
        drafts: Some(30),
        ..RetentionRules::default()
    };
    let preview = desk.data_retention_preview(rules).await.unwrap();
    let expected = RetentionCounts { rows: 21, events: 1, uploads: 1, drafts: 1, ..Default::default() };
    assert_eq!(preview.counts, expected);
    assert_eq!(desk.data_retention(Nothing {}).await.unwrap().rules, RetentionRules::default(), "only asked");
    assert_eq!(desk.data_retention_save(rules).await.unwrap().counts, expected);
    assert_eq!(desk.data_retention(Nothing {}).await.unwrap().counts, RetentionCounts::default());

    assert_eq!(count(&test, "SELECT count(*) FROM batch_rows WHERE wire <> ''"), 1, "one is to be corrected");
    assert_eq!(count(&test, "SELECT count(*) FROM events WHERE length(body) > 0 AND seq > 900"), 2);
    assert_eq!(count(&test, "SELECT count(*) FROM events WHERE recognition = '901'"), 1, "a repeat is known");
    let listed = desk.review_list(Nothing {}).await.unwrap();
    assert_eq!(listed.reviews.iter().map(|review| review.id.clone()).collect::<Vec<_>>(), [draft]);
    let uploads = desk.documents_queue(Nothing {}).await.unwrap().uploads;
    assert!(!uploads[0].can_retry && uploads[0].message.contains("Add the document again"), "{uploads:?}");
    desk.upload_retry(UploadRetry { id: upload, typed: String::new() }).await.unwrap_err();
    let copies = fs::read_dir(test.folder.path().join("desk/uploads")).unwrap().count();
    assert_eq!(copies, 0);
    test.light().await;
    let again = queue(&desk, "rows.csv", many("r", 20)).await.unwrap_err();
    assert!(again.message.contains("nothing to send"), "the hash still knows each row: {again}");
    let shown = desk.batch_show(BatchId { id: sent.id.clone() }).await.unwrap();
    assert_eq!((shown.counts.total, shown.open_warnings), (20, 1));
    let start = ReviewStart { source: ReviewSource::Batch { batch: sent.id } };
    assert!(desk.review_start(start).await.is_ok(), "what is to be corrected can be");
    let log = desk.audit_list(Nothing {}).await.unwrap();
    assert!(log.intact && log.entries.iter().any(|entry| entry.text.contains("rows 30 days")), "{log:?}");
    let refused = desk.data_retention_save(RetentionRules { rows: Some(40_000), ..rules }).await.unwrap_err();
    assert_eq!(refused.details[0].pointer, "/rows");
}
