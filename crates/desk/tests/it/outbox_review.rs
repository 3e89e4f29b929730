//! From a file to a batch and back: reviewed, confirmed, sent, corrected, only what changed sent again.

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::outbox_fixture::{OutboxFixture, ended, rows};
use crate::review_flow::{HEAD, good};

async fn settled(desk: &Desk, mut view: ReviewView) -> ReviewView {
    while view.stage == ReviewStage::Reading {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        view = desk.review_state(ReviewId { id: view.id }).await.unwrap();
    }
    assert_eq!(view.stage, ReviewStage::Review, "{view:#?}");
    view
}

pub async fn started(test: &OutboxFixture, desk: &Desk, text: &str) -> ReviewView {
    let path = test.folder.path().join("week.csv");
    std::fs::write(&path, text).unwrap();
    test.person.answers.lock().unwrap().push_back(path);
    settled(desk, desk.review_start(ReviewStart { source: ReviewSource::Dialog }).await.unwrap()).await
}

pub async fn preview(desk: &Desk, id: &str) -> SendPreview {
    desk.review_send_preview(SendReviewPreview { id: id.into(), scope: SendScope::All }).await.unwrap()
}

pub fn send(id: &str, confirmed: ReviewTotals) -> SendReview {
    SendReview { id: id.into(), scope: SendScope::All, confirmed, typed: String::new() }
}

/// SL tax of row 2 is wrong; the service warns of it.
fn file() -> String {
    format!("{HEAD}{}{}{}", good(1), good(2).replace("48.50", "50.00"), good(3))
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_changed_is_sent_again_and_changes_the_same_transaction() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let review = started(&test, &desk, &file()).await;
    let shown = preview(&desk, &review.id).await;
    assert_eq!((shown.totals.count, shown.totals.premium.as_str(), shown.parts), (3, "3000.00", 1));
    assert_eq!(shown.type_word, "");
    let first = desk.review_send(send(&review.id, shown.totals)).await.unwrap();
    let first = ended(&desk, &first.id).await;
    assert_eq!((first.name.as_str(), first.counts.total), ("week.csv", 3));
    let warned = rows(&desk, &first.id, Some(RowState::Warning), 0).await;
    let transaction = warned.iter().find(|row| row.id == "ID-2").unwrap().transaction_id.clone();

    let source = ReviewSource::Batch { batch: first.id.clone() };
    let correction = settled(&desk, desk.review_start(ReviewStart { source }).await.unwrap()).await;
    assert_eq!(correction.batch.as_deref(), Some(first.id.as_str()));
    assert_eq!(correction.name, "Correction of week.csv");
    assert_eq!(preview(&desk, &correction.id).await.totals.count, 0, "nothing is changed yet");
    let drafts = async || desk.review_list(Nothing {}).await.unwrap().reviews.len();
    assert_eq!(drafts().await, 0, "a correction that was only opened is no draft");
    let of_tax: Vec<&str> = correction
        .groups
        .iter()
        .map(|g| g.code.as_str())
        .filter(|code| code.to_lowercase().contains("tax"))
        .collect();
    assert!(
        !correction.groups.iter().any(|g| g.code.starts_with("service:documents")),
        "{:#?}",
        correction.groups
    );
    assert_eq!(of_tax, ["tax_differs"], "one card has what the service and the checks said of it");
    let tax = correction.columns.iter().position(|column| column.field.as_deref() == Some("sl_tax")).unwrap();
    let request = RowsRequest { id: correction.id.clone(), count: 500, ..RowsRequest::default() };
    let page = desk.review_rows(request).await.unwrap();
    let row = page.rows.iter().find(|row| row.cells.iter().any(|cell| cell == "ID-2")).unwrap();
    let edits = vec![CellEdit { row: row.row, column: u32::try_from(tax).unwrap(), text: "48.50".into() }];
    desk.review_edit(ReviewEdit {
        id: correction.id.clone(),
        label: "Edit".into(),
        edits,
        ..ReviewEdit::default()
    })
    .await
    .unwrap();
    assert_eq!(drafts().await, 1);

    let shown = preview(&desk, &correction.id).await;
    assert_eq!((shown.totals.count, shown.totals.taxes.as_str()), (1, "48.90"));
    let second = desk.review_send(send(&correction.id, shown.totals)).await.unwrap();
    let second = ended(&desk, &second.id).await;
    assert_eq!((second.corrects.as_deref(), second.counts.total), (Some(first.id.as_str()), 1));
    let again = &rows(&desk, &second.id, None, 0).await[0];
    assert_eq!((again.id.as_str(), &again.transaction_id), ("ID-2", &transaction));
    assert!(!again.messages.iter().any(|message| message.field == "slTax"), "{again:?}");
    assert_eq!(test.stored().await.len(), 3);
    assert!(test.stored().await.values().all(|count| *count == 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn rejected_rows_of_a_batch_of_several_files_say_which_file_they_are_from() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let folder = test.folder.path();
    let wrong = |n: usize| good(n).replace("48.50", "50.00");
    // June calls a column otherwise, and a copy of May is among them.
    let may = format!("{HEAD}{}{}", good(1), wrong(2));
    let june = format!("{}{}", HEAD.replace("policy_number", "Policy No"), wrong(3));
    let files = [("may.csv", may.clone()), ("june.csv", june), ("copy of may.csv", may)];
    let paths = files.map(|(name, text)| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    });
    let handles = desk.drop_files(paths.to_vec()).into_iter().map(|file| file.handle).collect();
    let together = ReviewStart { source: ReviewSource::Together { handles } };
    let mut review = desk.review_start(together).await.unwrap();
    while review.stage == ReviewStage::Reading {
        review = desk.review_state(ReviewId { id: review.id }).await.unwrap();
    }
    assert_eq!((review.counts.rows, review.left_out.len()), (3, 1), "{:?}", review.left_out);
    if review.stage == ReviewStage::Match {
        let done = ReviewMatch { id: review.id.clone(), done: true, ..ReviewMatch::default() };
        review = desk.review_match(done).await.unwrap();
    }
    let totals = preview(&desk, &review.id).await.totals;
    let sent = desk.review_send(send(&review.id, totals)).await.unwrap();
    let sent = ended(&desk, &sent.id).await;
    assert_eq!(sent.counts.total, 3);
    let saved = folder.join("rejected.csv");
    test.person.answers.lock().unwrap().push_back(saved.clone());
    desk.rejects_save(SaveRejects { id: sent.id.clone(), format: TableFormat::Csv, with_warnings: true })
        .await
        .unwrap();
    let text = std::fs::read_to_string(saved).unwrap();
    assert!(text.lines().next().unwrap().ends_with(",Source file,Error,Original row"), "{text}");
    let line = |id: &str| text.lines().find(|line| line.contains(id)).unwrap();
    assert!(line("ID-2").contains(",may.csv,") && line("ID-3").contains(",june.csv,"), "{text}");
    let source = ReviewSource::Batch { batch: sent.id };
    let correction = settled(&desk, desk.review_start(ReviewStart { source }).await.unwrap()).await;
    assert!(correction.columns.iter().any(|column| column.header == "Source file" && column.field.is_none()));
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_came_back_are_saved_under_the_headings_of_their_file_and_read_without_matching() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    // One column has a heading that only a person can match; one row is incomplete, one has a warning.
    let text =
        format!("{HEAD}{}{}{}", good(1), good(2).replace("Insured 2", ""), good(3).replace("48.50", "50.00"));
    let text = text.replace("policy_number", "Zq");
    let path = test.folder.path().join("week.csv");
    std::fs::write(&path, text).unwrap();
    test.person.answers.lock().unwrap().push_back(path.clone());
    let mut review = desk.review_start(ReviewStart { source: ReviewSource::Dialog }).await.unwrap();
    while review.stage == ReviewStage::Reading {
        review = desk.review_state(ReviewId { id: review.id }).await.unwrap();
    }
    let column = review.columns.iter().find(|column| column.header == "Zq").unwrap().column;
    let columns = vec![ColumnChange { column, field: Some("policy_number".into()) }];
    let done = ReviewMatch { id: review.id.clone(), columns, done: true, ..ReviewMatch::default() };
    let review = settled(&desk, desk.review_match(done).await.unwrap()).await;
    let totals = preview(&desk, &review.id).await.totals;
    let sent = ended(&desk, &desk.review_send(send(&review.id, totals)).await.unwrap().id).await;
    assert_eq!((sent.to_correct, sent.open_warnings), (1, 2), "{sent:#?}");
    for (format, with_warnings, ids) in
        [(TableFormat::Csv, false, &["ID-2"][..]), (TableFormat::Xlsx, true, &["ID-1", "ID-2", "ID-3"][..])]
    {
        let saved = test.folder.path().join(format!("rejected.{}", format.extension()));
        test.person.answers.lock().unwrap().extend([saved.clone(), saved.clone()]);
        desk.rejects_save(SaveRejects { id: sent.id.clone(), format, with_warnings }).await.unwrap();
        if format == TableFormat::Csv {
            let text = std::fs::read_to_string(&saved).unwrap();
            let head = text.lines().next().unwrap();
            assert!(head.contains("Zq") && head.ends_with(",Error,Original row"), "{text}");
            assert!(
                text.contains("\"1,000.00\"") && text.contains("/2026") && !text.contains("2026-"),
                "{text}"
            );
        }
        let again = desk.review_start(ReviewStart { source: ReviewSource::Dialog }).await.unwrap();
        let again = settled(&desk, again).await;
        let request = RowsRequest { id: again.id.clone(), count: 9, ..RowsRequest::default() };
        let page = desk.review_rows(request).await.unwrap();
        assert_eq!(page.rows.len(), ids.len());
        for (row, id) in page.rows.iter().zip(ids) {
            assert!(row.cells.iter().any(|cell| cell == id), "{format:?}: {row:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_send_of_the_same_rows_and_old_totals_are_refused() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    // Without ids, which the outbox gives: the same ones each time.
    let text = file().replace("ID-1,", ",").replace("ID-2,", ",").replace("ID-3,", ",");
    let review = started(&test, &desk, &text).await;
    let totals = preview(&desk, &review.id).await.totals;
    let other = ReviewTotals { premium: "1.00".into(), ..totals.clone() };
    let refused = desk.review_send(send(&review.id, other)).await.unwrap_err();
    assert!(refused.message.contains("Check the new totals"), "{refused:?}");
    let (one, two) = tokio::join!(
        desk.review_send(send(&review.id, totals.clone())),
        desk.review_send(send(&review.id, totals.clone()))
    );
    assert!(one.is_ok() != two.is_ok(), "a double click sends once: {one:?} {two:?}");
    let batch = ended(&desk, &one.or(two).unwrap().id).await;
    test.exactly_once(&desk, &batch).await;
    // The same file once more, as its own review: it knows what was sent.
    let again = started(&test, &desk, &text).await;
    assert!(again.groups.iter().any(|group| group.code.contains("sent")), "{:#?}", again.groups);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_production_send_of_a_day_is_confirmed_by_a_word() {
    let test = OutboxFixture::dark();
    let desk = test.desk();
    let profile =
        Profile { environment: Environment::Production, ..crate::test_desk::profile("Head office") };
    let id = desk.profile_save(profile).await.unwrap().profile.id;
    desk.profile_select(ProfileId { id }).await.unwrap();
    let review = started(&test, &desk, &file()).await;
    let shown = preview(&desk, &review.id).await;
    assert_eq!(shown.type_word, "Head office");
    let refused = desk.review_send(send(&review.id, shown.totals.clone())).await.unwrap_err();
    assert_eq!(refused.details[0].pointer, "/typed");
    let typed = SendReview { typed: "Head office".into(), ..send(&review.id, shown.totals) };
    let queued = desk.review_send(typed).await.unwrap();
    assert_eq!(queued.environment, Environment::Production);
    assert_eq!(preview(&desk, &review.id).await.type_word, "");
}

/// A word that a code is chosen for is a change of every row that has it, though no cell is changed.
#[tokio::test(flavor = "multi_thread")]
async fn rows_whose_word_was_matched_in_a_correction_are_sent_again() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let unknown = |n: usize| good(n).replace("GEN-1002", "GLIAB");
    let review = started(&test, &desk, &format!("{HEAD}{}{}{}", good(1), unknown(2), unknown(3))).await;
    let shown = preview(&desk, &review.id).await;
    let first = desk.review_send(send(&review.id, shown.totals)).await.unwrap();
    let first = ended(&desk, &first.id).await;
    let source = ReviewSource::Batch { batch: first.id.clone() };
    let correction = settled(&desk, desk.review_start(ReviewStart { source }).await.unwrap()).await;
    assert_eq!(correction.counts.changed, 0);
    let values: Vec<ValueMatch> = (correction.values.iter().filter(|value| value.found == "GLIAB"))
        .map(|value| ValueMatch { code: Some("GEN-1002".into()), ..value.clone() })
        .collect();
    let matching = ReviewMatch { id: correction.id.clone(), values, ..ReviewMatch::default() };
    let matched = desk.review_match(matching).await.unwrap();
    assert_eq!((matched.counts.changed, matched.totals.count), (2, 2), "{:#?}", matched.groups);
    let totals = preview(&desk, &correction.id).await.totals;
    let second = desk.review_send(send(&correction.id, totals)).await.unwrap();
    let second = ended(&desk, &second.id).await;
    assert_eq!((second.counts.total, second.counts.error), (2, 0), "{second:?}");
    assert!(test.stored().await.values().all(|count| *count == 1));
}
