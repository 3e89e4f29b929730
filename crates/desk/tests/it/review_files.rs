//! What comes in and goes out: files refused, questions, rejected rows, documents, a correction.

use bordereau_desk::api::*;

use crate::review_flow::{HEAD, good, id, rows, settled, started};
use crate::test_desk::TestDesk;

#[tokio::test]
async fn a_wrong_file_is_refused_with_a_sentence_and_leaves_no_draft() {
    let test = TestDesk::offline();
    for (name, content) in [("a.pdf", "%PDF-1.7"), ("b.csv", "  \n ")] {
        let view = started(&test, name, content).await;
        assert_eq!(view.stage, ReviewStage::Refused, "{name}");
        let why = view.refusal.unwrap();
        assert!(why.ends_with('.') && why.len() > 30, "{why}");
    }
    let canceled = test.desk.review_start(ReviewStart { source: ReviewSource::Dialog }).await.unwrap();
    assert_eq!(canceled.stage, ReviewStage::Canceled);
    let unknown = ReviewSource::Dropped { handle: "1-0".into() };
    assert!(test.desk.review_start(ReviewStart { source: unknown }).await.is_err());
    assert!(test.desk.review_list(Nothing {}).await.unwrap().reviews.is_empty());
}

#[tokio::test]
async fn a_dropped_file_is_read_by_its_handle() {
    let test = TestDesk::offline();
    let path = test.folder.path().join("dropped.csv");
    std::fs::write(&path, format!("{HEAD}{}", good(1))).unwrap();
    let dropped = test.desk.drop_files(vec![path]).remove(0);
    assert_eq!((dropped.name.as_str(), dropped.folder), ("dropped.csv", false));
    let source = ReviewSource::Dropped { handle: dropped.handle };
    let view = test.desk.review_start(ReviewStart { source }).await.unwrap();
    assert_eq!(settled(&test, view).await.counts.rows, 1);
}

/// Windows would sign in there: nothing of such a path is looked at unless the person chose or typed it.
#[tokio::test]
async fn a_file_on_another_computer_is_chosen_and_not_dropped() {
    let test = TestDesk::offline();
    let share = std::path::PathBuf::from(r"\\server\share\may.csv");
    let start = |handle| ReviewStart { source: ReviewSource::Dropped { handle } };
    let dropped = test.desk.drop_files(vec![share.clone()]).remove(0);
    let refused = test.desk.review_start(start(dropped.handle)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Validation, "{refused:?}");
    assert!(refused.message.contains("on another computer"), "{refused:?}");
    let chosen = test.desk.choose_files(vec![share]).remove(0);
    let view = test.desk.review_start(start(chosen.handle)).await.unwrap();
    let read = settled(&test, view).await;
    assert!(read.refusal.unwrap().contains("no longer there"), "it was looked for");
}

#[tokio::test]
async fn the_order_of_dates_stays_open_until_it_is_answered() {
    let test = TestDesk::offline();
    let text = format!("{HEAD}{}", good(1).replace("2026-02-23", "02/03/2026"));
    let view = started(&test, "a.csv", &text).await;
    assert_eq!(view.stage, ReviewStage::Match);
    let done = ReviewMatch { id: view.id.clone(), done: true, ..ReviewMatch::default() };
    let still = test.desk.review_match(done.clone()).await.unwrap();
    assert_eq!(still.stage, ReviewStage::Match);
    assert!(still.detected.iter().any(|d| d.what == "date_order" && d.value.is_none()));
    let overrides = vec![NamedCode { code: "date_order".into(), name: "month_first".into() }];
    let answered = test.desk.review_match(ReviewMatch { overrides, ..done }).await.unwrap();
    assert_eq!((answered.stage, answered.counts.ready), (ReviewStage::Review, 1));
}

#[tokio::test]
async fn columns_are_matched_remembered_and_used_again() {
    let test = TestDesk::offline();
    let head = HEAD.replace("policy_number", "Our reference").replace("premium,", "Gross,");
    let text = format!("{head}{}", good(1));
    let view = started(&test, "a.csv", &text).await;
    assert_eq!(view.stage, ReviewStage::Match);
    let columns = vec![
        ColumnChange { column: 1, field: Some("policy_number".into()) },
        ColumnChange { column: 6, field: Some("premium".into()) },
    ];
    let request = ReviewMatch {
        id: view.id.clone(),
        columns,
        remember_as: "Nightly".into(),
        done: true,
        ..ReviewMatch::default()
    };
    let matched = test.desk.review_match(request).await.unwrap();
    assert_eq!((matched.stage, matched.counts.ready), (ReviewStage::Review, 1), "{:#?}", matched.groups);
    assert_eq!(test.desk.review_list(Nothing {}).await.unwrap().mappings, ["Nightly"]);
    let again = started(&test, "b.csv", &text).await;
    assert_eq!(again.stage, ReviewStage::Review, "remembered");
    let used = ReviewMatch { id: again.id, use_mapping: "Nightly".into(), ..ReviewMatch::default() };
    assert_eq!(test.desk.review_match(used).await.unwrap().mapping, "Nightly");
}

#[tokio::test]
async fn every_row_of_the_sample_is_accounted_for_and_made_ready_by_groups() {
    let test = TestDesk::offline();
    let view = test.desk.review_start(ReviewStart { source: ReviewSource::Sample }).await.unwrap();
    let mut view = settled(&test, view).await;
    assert_eq!((view.stage, view.counts.rows), (ReviewStage::Match, 41));
    let done = ReviewMatch {
        id: view.id.clone(),
        overrides: vec![NamedCode { code: "date_order".into(), name: "month_first".into() }],
        columns: vec![ColumnChange { column: 0, field: Some("id".into()) }],
        done: true,
        ..ReviewMatch::default()
    };
    view = test.desk.review_match(done).await.unwrap();
    assert_eq!(view.stage, ReviewStage::Review);
    let values: Vec<ValueMatch> = view
        .values
        .iter()
        .filter(|value| value.code.is_none())
        .map(|value| ValueMatch { code: Some("GEN-1004".into()), ..value.clone() })
        .collect();
    assert_eq!(values.iter().map(|v| v.found.as_str()).collect::<Vec<_>>(), ["GLIAB"]);
    let before = view.counts;
    view = test
        .desk
        .review_match(ReviewMatch { id: view.id.clone(), values, ..ReviewMatch::default() })
        .await
        .unwrap();
    assert_eq!(view.undo, "Match 1 value");
    assert!(view.counts.errors < before.errors, "{:#?}", view.groups);
    for _ in 0..12 {
        let Some(group) = view
            .groups
            .iter()
            .find(|g| g.fix.as_deref().is_some_and(|fix| !["match_values", "set_value"].contains(&fix)))
            .cloned()
        else {
            break;
        };
        let fix = ReviewFix {
            seen_changes: None,
            id: view.id.clone(),
            code: group.code.clone(),
            fix: group.fix.unwrap(),
            row: None,
            value: String::new(),
            preview: true,
        };
        let preview = test.desk.review_fix(fix.clone()).await.unwrap();
        assert_eq!(preview.review.counts, view.counts, "a preview changes nothing");
        assert!(preview.total > 0, "{}", group.code);
        let outcome = test.desk.review_fix(ReviewFix { preview: false, ..fix }).await.unwrap();
        assert_eq!((outcome.total, outcome.changes), (preview.total, preview.changes), "{}", group.code);
        view = outcome.review;
    }
    // What is left is no certain repair: the policies that are renewed.
    let codes: Vec<&str> =
        view.groups.iter().filter(|g| g.severity == "error").map(|g| g.code.as_str()).collect();
    assert_eq!(codes, ["expiring_missing"], "{:#?}", view.groups);
    let errors = rows(&test, &view.id, RowFilter::Errors).await;
    let column = view.columns.iter().find(|c| c.field.as_deref() == Some("expiring_policy_number")).unwrap();
    let edits =
        errors.rows.iter().map(|row| CellEdit { row: row.row, column: column.column, text: "OLD-1".into() });
    let edit = ReviewEdit {
        id: view.id.clone(),
        label: "Fill".into(),
        edits: edits.collect(),
        ..ReviewEdit::default()
    };
    view = test.desk.review_edit(edit).await.unwrap();
    assert_eq!(view.counts.errors, 0, "{:#?}", view.groups);
    assert_eq!(view.counts.ready + view.counts.excluded, 41, "no row is lost");
    assert_eq!(view.totals.count, view.counts.ready);
}

#[tokio::test]
async fn rejected_rows_come_in_again_as_they_were() {
    let test = TestDesk::offline();
    let bad = good(2).replace("GEN-1002", "=NONSENSE()").replace("1000,", "-1000,");
    let view = started(&test, "a.csv", &format!("{HEAD}{}{bad}{}", good(1), good(3))).await;
    let errors = rows(&test, &view.id, RowFilter::Errors).await;
    assert_eq!(errors.total, 1);
    for format in TableFormat::ALL {
        let path = test.answer_dialog(&format!("rejected.{}", format.extension()));
        let save = SaveRejects { id: view.id.clone(), format, with_warnings: false };
        let saved = test.desk.rejects_save(save).await.unwrap();
        assert!(saved.saved && saved.bytes > 0);
        if format == TableFormat::Csv {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains("'=NONSENSE()") && text.contains(",-1000,"), "{text}");
            assert!(text.lines().next().unwrap().ends_with(",Error,Original row"));
        }
        test.person.answers.lock().unwrap().push_back(path);
        let again = test.desk.review_start(ReviewStart { source: ReviewSource::Dialog }).await.unwrap();
        let again = settled(&test, again).await;
        assert_eq!(again.stage, ReviewStage::Review, "{format:?}: {:#?}", again.columns);
        assert!(again.columns.iter().any(|c| c.header == "Original row" && c.field.is_none()));
        let page = rows(&test, &again.id, RowFilter::All).await;
        assert_eq!(page.total, 1);
        let cells = |row: &RowView| row.cells[..16].iter().map(|c| c.replace('\'', "")).collect::<Vec<_>>();
        assert_eq!(cells(&page.rows[0]), cells(&errors.rows[0]), "{format:?}");
    }
}

#[tokio::test]
async fn documents_are_matched_by_numbers_or_a_list_and_others_are_told() {
    let test = TestDesk::offline();
    let text = format!("{HEAD}{}{}{}", good(101), good(102), good(103));
    let view = started(&test, "a.csv", &text).await;
    let folder = test.folder.path().join("documents");
    std::fs::create_dir_all(folder.join("more")).unwrap();
    let files = [
        ("P-101 policy.pdf", "%PDF-1.7 one %%EOF"),
        ("P-102 dec page.pdf", "MZ and what programs have"),
        ("more/invoice_I-102.pdf", "%PDF-1.7 two %%EOF"),
        ("scan.pdf", "%PDF-1.7 three %%EOF"),
        ("nobody.pdf", "%PDF-1.7 four %%EOF"),
        ("P-103.pdf", ""),
        ("documents.csv", "file,policy_number,code\nscan.pdf,P-103,AFFIDC\n"),
    ];
    for (name, content) in files {
        std::fs::write(folder.join(name), content).unwrap();
    }
    let handles: Vec<String> =
        test.desk.drop_files(vec![folder]).into_iter().map(|dropped| dropped.handle).collect();
    let request = ReviewDocuments { id: view.id.clone(), handles, attach: false };
    let shown = test.desk.review_documents(request.clone()).await.unwrap();
    let found: Vec<(&str, Option<u32>, &str, &str)> = shown
        .matched
        .iter()
        .map(|m| (m.file_name.as_str(), m.row, m.code.as_str(), m.reason.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("P-101 policy.pdf", Some(1), "POLIC", "policy number"),
            ("scan.pdf", Some(3), "AFFIDC", "documents.csv"),
            ("invoice_I-102.pdf", Some(2), "POLIC", "invoice number"),
        ]
    );
    assert_eq!(shown.matched[0].sha256.len(), 64);
    let left: Vec<&str> = shown.unmatched.iter().map(|m| m.file_name.as_str()).collect();
    assert_eq!(left, ["P-102 dec page.pdf", "P-103.pdf", "nobody.pdf"]);
    assert!(shown.unmatched.iter().all(|m| m.reason.ends_with('.')));
    assert!(shown.unmatched[0].reason.starts_with("It is a program, not a document."), "{shown:?}");
    assert_eq!((shown.attached, shown.review.documents_matched), (false, 0));
    let attached =
        test.desk.review_documents(ReviewDocuments { handles: Vec::new(), attach: true, ..request }).await;
    assert_eq!(attached.unwrap().review.documents_matched, 3);
    let page = rows(&test, &view.id, RowFilter::All).await;
    assert_eq!(page.rows.iter().map(|r| r.documents).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!(test.again().review_state(id(&view)).await.unwrap().documents_matched, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_file_says_how_far_it_is() {
    let test = TestDesk::offline();
    let text: String = std::iter::once(HEAD.to_owned()).chain((0..20_000).map(good)).collect();
    let path = test.answer_dialog("large.csv");
    std::fs::write(path, &text).unwrap();
    let view = test.desk.review_start(ReviewStart { source: ReviewSource::Dialog }).await.unwrap();
    let mut now = view.clone();
    while now.stage == ReviewStage::Reading {
        assert!(now.read_bytes <= now.total_bytes && now.checked_rows <= now.read_rows, "{now:?}");
        let shown = rows(&test, &view.id, RowFilter::All).await.total;
        assert!(shown < 20_000 || now.checked_rows == now.read_rows, "the first ones are shown: {shown}");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        now = test.desk.review_state(id(&view)).await.unwrap();
    }
    assert_eq!((now.counts.rows, now.counts.ready), (20_000, 20_000));
    assert_eq!((now.read_bytes, now.checked_rows), (now.total_bytes, now.counts.rows));
    assert_eq!(u64::from(now.total_bytes), text.len() as u64);
}

#[tokio::test]
async fn an_amount_is_explained() {
    let test = TestDesk::offline();
    let view = started(&test, "a.csv", &format!("{HEAD}{}", good(1).replace("48.50", "40.00"))).await;
    let cell = CellId { id: view.id.clone(), row: 1, column: Some(7) };
    let issue = test.desk.review_issues(cell).await.unwrap().issues.remove(0);
    assert_eq!(issue.code, "tax_differs");
    assert_eq!(
        (issue.provided.as_deref(), issue.calculated.as_deref(), issue.difference.as_deref()),
        (Some("40.00"), Some("48.50"), Some("8.50"))
    );
    assert!(issue.why.as_deref().is_some_and(|why| why.contains("48.50")), "{:?}", issue.why);
    assert_eq!(issue.place, "Row 2, column \"sl_tax\"");
    assert_eq!(issue.fix.as_deref(), Some("use_calculated"));
}

/// Each word for yes or no is matched by itself.
#[tokio::test]
async fn yes_and_no_words_are_matched_one_by_one() {
    let test = TestDesk::offline();
    let row = |n: usize, layered: &str| good(n).replace("Shop,0,0", &format!("Shop,{layered},0"));
    let text = format!("{HEAD}{}{}{}{}", row(1, "X"), row(2, "X"), row(3, "never"), row(4, "maybe"));
    let view = started(&test, "a.csv", &text).await;
    let group = view.groups.iter().find(|group| group.code == "flag_unreadable:layered_risk").unwrap();
    assert_eq!((group.rows, group.fix.as_deref()), (4, Some("match_values")));
    let words: Vec<(&str, u32, Option<&str>)> = view
        .values
        .iter()
        .map(|value| {
            (value.found.as_str(), value.rows, value.proposed.as_ref().map(|code| code.code.as_str()))
        })
        .collect();
    assert_eq!(words, [("X", 2, Some("1")), ("maybe", 1, None), ("never", 1, None)]);
    let word = |found: &str, code: &str| ValueMatch {
        field: "layered_risk".into(),
        found: found.into(),
        code: Some(code.into()),
        rows: 0,
        proposed: None,
    };
    let matched = ReviewMatch {
        id: view.id.clone(),
        values: vec![word("X", "1"), word("never", "0")],
        ..ReviewMatch::default()
    };
    let after = test.desk.review_match(matched).await.unwrap();
    let group = after.groups.iter().find(|group| group.code == "flag_unreadable:layered_risk").unwrap();
    assert_eq!(group.rows, 1, "\"maybe\" is left");
}

/// What the row itself says of a value that can't be read is offered for all such rows; the others keep theirs.
#[tokio::test]
async fn unreadable_dates_and_taxes_are_repaired_by_what_the_row_says() {
    let test = TestDesk::offline();
    let head = HEAD
        .replace("transaction_type", "policy_expiration_date,transaction_effective_date,transaction_type");
    let row = |n: usize, dates: &str| good(n).replace("2026-02-23,PN", dates);
    let text = format!(
        "{head}{}{}{}{}{}",
        row(1, "TBD,02/23/2027,02/23/2026,PN"),
        row(2, "02/23/2026,02/30/2027,02/23/2026,PN"),
        row(3, "02/23/2026,02/23/2027,soon,PN"),
        row(4, "soon,later,02/23/2026,APE"),
        row(1, "02/23/2026,02/23/2027,02/23/2026,PN").replace("P-1", "P-5").replace("48.50", "see invoice"),
    );
    let view = started(&test, "a.csv", &text).await;
    let fix = async |code: &str, fix: &str| {
        let request = ReviewFix {
            seen_changes: None,
            id: view.id.clone(),
            code: code.into(),
            fix: fix.into(),
            row: None,
            value: String::new(),
            preview: false,
        };
        let outcome = test.desk.review_fix(request).await.unwrap();
        outcome.changes.into_iter().map(|change| change.after).collect::<Vec<_>>()
    };
    let label = |code: &str| {
        let group = view.groups.iter().find(|group| group.code == code).unwrap_or_else(|| panic!("{code}"));
        group.fix_label.clone().unwrap_or_default()
    };
    assert_eq!(label("date_unreadable:policy_effective_date"), "Set the likely date in 1 row");
    assert_eq!(fix("date_unreadable:policy_effective_date", "likely_date").await, ["02/23/2026"]);
    assert_eq!(fix("date_unreadable:policy_expiration_date", "likely_date").await, ["02/23/2027"]);
    assert_eq!(fix("date_unreadable:transaction_effective_date", "likely_date").await, ["02/23/2026"]);
    assert_eq!(fix("amount_unreadable:sl_tax", "use_calculated").await, ["48.50"]);
    assert_eq!(label("duplicate_id"), "Make the ID unique in 1 row");
    assert_eq!(fix("duplicate_id", "own_id").await, ["ID-1-6"]);
    // Of the endorsement no other date says enough.
    let left = rows(&test, &view.id, RowFilter::Errors).await;
    assert_eq!(left.rows.iter().map(|row| row.row).collect::<Vec<_>>(), [4], "{left:#?}");
}

/// Names of insurers beside their numbers are no more insurers, and tell the number that is missing.
#[tokio::test]
async fn a_name_in_the_place_of_a_number_is_proposed_its_number() {
    let test = TestDesk::offline();
    let head = HEAD.replace("insurance_company_list", "Carrier,NAIC");
    let row = |n: usize, insurer: &str| good(n).replace("10899", insurer);
    let text = format!(
        "{head}{}{}{}",
        row(1, "Example Specialty,10899"),
        row(2, "Other Mutual,20443"),
        row(3, "Example Specialty,Example Specialty")
    );
    let view = started(&test, "a.csv", &text).await;
    let carrier = view.columns.iter().find(|column| column.header == "Carrier").unwrap();
    assert_eq!(carrier.field, None);
    assert!(carrier.proposed.as_ref().unwrap().reason.contains("column \"NAIC\""), "{carrier:?}");
    let proposed = view.values.iter().find(|value| value.found == "Example Specialty").unwrap();
    assert_eq!(proposed.proposed.as_ref().unwrap().code, "10899");
}
