//! Warnings kept with a reason: stored, shown, undone, told in the audit log; and what a batch has to correct.

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::outbox_fixture::{OutboxFixture, ended, rows};
use crate::review_flow::{HEAD, good, id, last_step, started as started_in};
use crate::test_desk::TestDesk;

fn keep(review: &str, code: &str, row: Option<u32>, reason: &str) -> ReviewKeep {
    let (id, code) = (review.to_owned(), code.to_owned());
    ReviewKeep { id, code, row, column: None, keep: true, reason: reason.into() }
}

fn group<'v>(view: &'v ReviewView, code: &str) -> Option<&'v IssueGroupView> {
    view.groups.iter().find(|group| group.code == code)
}

/// The tax of rows 1 and 2 of three is too high.
fn file() -> String {
    format!("{HEAD}{}{}{}", good(1).replace("48.50", "50.00"), good(2).replace("48.50", "51.00"), good(3))
}

#[tokio::test]
async fn a_kept_warning_is_shown_with_its_reason_and_undone_like_any_step() {
    let test = TestDesk::offline();
    let before = started_in(&test, "a.csv", &file()).await;
    let code = "tax_differs";
    let warned = group(&before, code).map(|group| (group.rows, group.first_row));
    let Some((2, first)) = warned else { panic!("two taxes differ: {:#?}", before.groups) };

    let refused = test.desk.review_keep(keep(&before.id, code, None, "  ")).await.unwrap_err();
    assert_eq!(refused.details[0].pointer, "/reason");

    let one =
        test.desk.review_keep(keep(&before.id, code, Some(first), "agreed  with the state")).await.unwrap();
    assert_eq!(group(&one, code).map(|group| group.rows), Some(1));
    assert_eq!(group(&one, "kept").map(|group| group.rows), Some(1));
    assert_eq!(one.undo, "Keep 1 warning");
    let cell = CellId { id: one.id.clone(), row: first, column: None };
    let issues = test.desk.review_issues(cell.clone()).await.unwrap().issues;
    let kept = issues.iter().find(|issue| issue.code == code).unwrap();
    assert_eq!(kept.kept.as_deref(), Some("agreed with the state"));

    // After a crash it is still there.
    let again = test.again();
    let reopened = settled(&again, again.review_state(id(&one)).await.unwrap()).await;
    assert_eq!((reopened.counts, group(&reopened, code).map(|g| g.rows)), (one.counts, Some(1)));

    let undone = test.desk.review_undo(last_step(&one)).await.unwrap();
    assert_eq!((undone.counts, group(&undone, "kept")), (before.counts, None));
    let redone = test.desk.review_redo(last_step(&one)).await.unwrap();
    assert_eq!(redone.counts, one.counts);

    // Another text is another warning.
    let column = before.columns.iter().find(|c| c.field.as_deref() == Some("sl_tax")).unwrap().column;
    let edits = vec![CellEdit { row: first, column, text: "52.00".into() }];
    let edit = ReviewEdit { id: one.id.clone(), label: "Edit".into(), edits, ..ReviewEdit::default() };
    let edited = test.desk.review_edit(edit).await.unwrap();
    assert_eq!(group(&edited, code).map(|group| group.rows), Some(2));

    let all = test.desk.review_keep(keep(&one.id, code, None, "paid so")).await.unwrap();
    assert_eq!((group(&all, code), group(&all, "kept").map(|group| group.rows)), (None, Some(2)));
    // A repair of the group leaves alone what was kept.
    let fix = ReviewFix {
        seen_changes: None,
        id: one.id.clone(),
        code: code.into(),
        fix: "use_calculated".into(),
        row: None,
        value: String::new(),
        preview: true,
    };
    assert_eq!(test.desk.review_fix(fix).await.unwrap().total, 0);
    let open = ReviewKeep { keep: false, ..keep(&one.id, code, None, "") };
    let opened = test.desk.review_keep(open).await.unwrap();
    assert_eq!((group(&opened, code).map(|group| group.rows), group(&opened, "kept")), (Some(2), None));
}

#[tokio::test]
async fn an_error_cannot_be_kept() {
    let test = TestDesk::offline();
    let text = format!("{HEAD}{}", good(1).replace("1000", "one thousand"));
    let view = started_in(&test, "a.csv", &text).await;
    let error = view.groups.iter().find(|group| group.severity == "error").unwrap();
    let refused = test.desk.review_keep(keep(&view.id, &error.code, None, "so be it")).await.unwrap_err();
    assert!(refused.message.contains("Only warnings"), "{refused:?}");
}

async fn settled(desk: &Desk, mut view: ReviewView) -> ReviewView {
    while view.stage == ReviewStage::Reading {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        view = desk.review_state(ReviewId { id: view.id }).await.unwrap();
    }
    view
}

async fn preview(desk: &Desk, id: &str) -> SendPreview {
    desk.review_send_preview(SendReviewPreview { id: id.into(), scope: SendScope::Valid }).await.unwrap()
}

async fn send(desk: &Desk, id: &str) -> BatchView {
    let confirmed = preview(desk, id).await.totals;
    let request = SendReview { id: id.into(), scope: SendScope::Valid, confirmed, typed: String::new() };
    ended(desk, &desk.review_send(request).await.unwrap().id).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_back_is_kept_and_no_longer_to_be_corrected() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let path = test.folder.path().join("week.csv");
    std::fs::write(&path, file()).unwrap();
    test.person.answers.lock().unwrap().push_back(path);
    let review =
        settled(&desk, desk.review_start(ReviewStart { source: ReviewSource::Dialog }).await.unwrap()).await;
    desk.review_keep(keep(&review.id, "tax_differs", Some(1), "an agreement of May")).await.unwrap();
    let shown = preview(&desk, &review.id).await;
    assert_eq!((shown.totals.count, shown.kept), (3, 1));
    let batch = send(&desk, &review.id).await;
    let sent = rows(&desk, &batch.id, None, 0).await;
    assert_eq!(sent[0].kept.len() + sent[1].kept.len(), 1, "{sent:#?}");
    let log = desk.audit_list(Nothing {}).await.unwrap();
    assert!(
        log.intact && log.entries.iter().any(|entry| entry.text.contains("an agreement of May")),
        "{log:#?}"
    );
    assert!(batch.to_correct == 0 && batch.open_warnings >= 2, "{batch:#?}");

    // What the service says is kept, too: nothing is sent, and nothing is left to correct.
    let source = ReviewSource::Batch { batch: batch.id.clone() };
    let correction = settled(&desk, desk.review_start(ReviewStart { source }).await.unwrap()).await;
    let mut now = correction.clone();
    for group in correction.groups.iter().filter(|group| group.severity == "warning") {
        now = desk
            .review_keep(keep(&correction.id, &group.code, None, "confirmed by the state"))
            .await
            .unwrap();
    }
    assert!(now.groups.iter().all(|group| group.severity == "kept"), "{:#?}", now.groups);
    let shown = preview(&desk, &correction.id).await;
    assert!(shown.totals.count == 0 && shown.kept > 0, "{shown:#?}");
    let same = send(&desk, &correction.id).await;
    assert_eq!((same.id.as_str(), same.open_warnings), (batch.id.as_str(), 0));
    assert_eq!(desk.batch_list(Nothing {}).await.unwrap().batches.len(), 1);
    assert_eq!(desk.outbox_status(Nothing {}).await.unwrap().attention, 0);
    let log = desk.audit_list(Nothing {}).await.unwrap();
    assert!(log.intact && log.entries.iter().any(|entry| entry.text.contains("confirmed by the state")));
}

#[tokio::test]
async fn a_mapping_goes_by_file_to_another_desk() {
    let (ours, theirs) = (TestDesk::offline(), TestDesk::offline());
    let text = format!("{HEAD}{}", good(1)).replace("policy_number", "Our column 7");
    let review = started_in(&ours, "a.csv", &text).await;
    let column = review.columns.iter().find(|column| column.header == "Our column 7").unwrap().column;
    let columns = vec![ColumnChange { column, field: Some("policy_number".into()) }];
    let named = ReviewMatch {
        id: review.id.clone(),
        columns,
        remember_as: "Nightly".into(),
        ..ReviewMatch::default()
    };
    ours.desk.review_match(named).await.unwrap();
    let file = ours.answer_dialog("nightly.bordereau");
    assert!(ours.desk.mapping_save(id(&review)).await.unwrap().saved);
    assert_eq!(ours.person.suggested.lock().unwrap().as_slice(), ["Nightly.bordereau"]);

    let other = started_in(&theirs, "b.csv", &text).await;
    let saved = ours.folder.path().join("nightly.bordereau");
    theirs.person.answers.lock().unwrap().push_back(file);
    let opened = theirs.desk.mapping_open(id(&other)).await.unwrap();
    let policy = opened.review.columns.iter().find(|column| column.header == "Our column 7").unwrap();
    assert_eq!((opened.name.as_str(), policy.field.as_deref()), ("Nightly", Some("policy_number")));
    assert_eq!(theirs.desk.review_list(Nothing {}).await.unwrap().mappings, ["Nightly"]);

    // Double-clicked, it says what it would do before it does it; a file of an earlier version still opens.
    let earlier = theirs.folder.path().join("earlier.json");
    std::fs::write(&earlier, std::fs::read_to_string(&saved).unwrap().replace("Nightly", "Earlier")).unwrap();
    for (path, name, replaces) in [(&saved, "Nightly", true), (&earlier, "Earlier", false)] {
        let handle = theirs.desk.drop_files(vec![path.clone()]).remove(0).handle;
        let asked = MappingAdd { handle: handle.clone(), preview: true };
        let told = theirs.desk.mapping_add(asked).await.unwrap();
        assert_eq!((told.name.as_str(), told.replaces), (name, replaces));
        let of = MappingName { name: "Nightly".into() };
        assert!(theirs.desk.mapping_versions(of).await.unwrap().versions.is_empty(), "nothing was saved");
        theirs.desk.mapping_add(MappingAdd { handle, preview: false }).await.unwrap();
    }
    assert_eq!(theirs.desk.review_list(Nothing {}).await.unwrap().mappings, ["Earlier", "Nightly"]);

    // Canceled, and no mapping at all.
    assert_eq!(theirs.desk.mapping_open(id(&other)).await.unwrap().name, "");
    let wrong = theirs.answer_dialog("wrong.json");
    std::fs::write(wrong, "[1, 2]").unwrap();
    assert_eq!(theirs.desk.mapping_open(id(&other)).await.unwrap_err().code, ErrorCode::Validation);
}

#[tokio::test]
async fn a_command_leaves_no_draft_unless_it_says_so() {
    let test = TestDesk::offline();
    let command = test.again();
    command.work_unattended(false);
    let path = test.folder.path().join("night.csv");
    std::fs::write(&path, file()).unwrap();
    let mut started = Vec::new();
    for _ in 0..2 {
        let handle = command.drop_files(vec![path.clone()]).remove(0).handle;
        let source = ReviewSource::Dropped { handle };
        let view = command.review_start(ReviewStart { source }).await.unwrap();
        started.push(settled(&command, view).await);
    }
    let drafts = || async { test.desk.review_list(Nothing {}).await.unwrap().reviews.len() };
    assert_eq!(drafts().await, 0);
    command.hand_over_draft(&started[0].id).await.unwrap();
    assert_eq!(drafts().await, 1);
    // The other one was left behind by a command that ended before its time.
    assert_eq!(test.again().remove_abandoned(0).await.unwrap(), 1);
    assert_eq!(drafts().await, 1);
}

#[tokio::test]
async fn the_columns_of_the_grid_are_as_they_were_left_for_each_mapping() {
    let test = TestDesk::offline();
    let widths = [("premium", 140), ("sl_tax", 5), ("no_such_field", 100)];
    let widths = widths.into_iter().map(|(field, width)| (field.to_owned(), width)).collect();
    let fields = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let layout = GridLayout {
        widths,
        order: fields(&["premium", "policy_number", "premium", "no_such_field"]),
        hidden: fields(&["total"]),
        frozen: 2,
        ..GridLayout::default()
    };
    let save = |mapping: &str, layout: &GridLayout| SaveGridLayout {
        mapping: mapping.into(),
        layout: layout.clone(),
    };
    test.desk.grid_layout_save(save("", &layout)).await.unwrap();
    test.desk.grid_layout_save(save("AMS", &GridLayout::default())).await.unwrap();
    let again = test.again();
    let of = |name: &str| MappingName { name: name.into() };
    let kept = again.grid_layout(of("")).await.unwrap();
    let expected = [("premium".to_owned(), 140), ("sl_tax".to_owned(), 32)];
    assert_eq!(kept.widths, expected.into_iter().collect());
    assert_eq!((kept.order.len(), kept.hidden.len(), kept.frozen), (2, 1, 2));
    assert_eq!(again.grid_layout(of("Another")).await.unwrap(), kept, "that of files without a mapping");
    assert_eq!(again.grid_layout(of("AMS")).await.unwrap(), GridLayout::default());
}
