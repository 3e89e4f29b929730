//! Which rows are shown and in which order, what is replaced in them, and what is sent all the same.

use bordereau_desk::api::*;

use crate::review_flow::{HEAD, good, id, last_step, settled, started};
use crate::test_desk::TestDesk;

const STATE: u32 = 4;
const PREMIUM: u32 = 6;
const INSURED: u32 = 10;

/// Four rows that are right, with insured, premium and, in the third, no description.
async fn reviewed(test: &TestDesk) -> ReviewView {
    let row = |n: usize, insured: &str| good(n).replace(&format!("Insured {n}"), insured);
    let text = format!(
        "{HEAD}{}{}{}{}",
        row(1, "Cedar llc"),
        row(2, "acme LLC").replace(",1000,48.50,0.40,1048.90,", ",200,9.70,0.08,209.78,"),
        row(3, "Birch Inc").replace("Shop", ""),
        row(4, "acme LLC"),
    );
    started(test, "a.csv", &text).await
}

fn having(column: u32, text: &str, values: &[&str]) -> RowsQuery {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    RowsQuery { columns: vec![ColumnFilter { column, text: text.into(), values }], ..RowsQuery::default() }
}

fn area(first: u32, last: u32, columns: &[u32]) -> CellArea {
    CellArea { first, last, columns: columns.to_vec() }
}

fn sorted_by(column: u32, descending: bool) -> RowsQuery {
    RowsQuery { sort: Some(ColumnSort { column, descending }), ..RowsQuery::default() }
}

async fn shown(test: &TestDesk, view: &ReviewView, rows: RowsQuery) -> Vec<u32> {
    let request = RowsRequest { id: view.id.clone(), rows, from: 0, count: 500 };
    let page = test.desk.review_rows(request).await.unwrap();
    assert_eq!(page.total as usize, page.rows.len());
    page.rows.iter().map(|row| row.row).collect()
}

#[tokio::test]
async fn rows_are_filtered_by_text_and_value_and_sent_all_the_same() {
    let test = TestDesk::offline();
    let view = reviewed(&test).await;
    let cases = [
        (having(INSURED, "LLC", &[]), vec![1, 2, 4]),
        (having(INSURED, "", &["Birch Inc"]), vec![3]),
        (having(INSURED, "cedar", &["acme LLC"]), vec![]),
        (having(13, "", &[""]), vec![3]),
        (RowsQuery { filter: RowFilter::Ready, ..having(INSURED, "acme", &[]) }, vec![2, 4]),
    ];
    for (query, expected) in cases {
        assert_eq!(shown(&test, &view, query.clone()).await, expected, "{query:?}");
    }
    let all = test.desk.review_state(id(&view)).await.unwrap();
    assert_eq!((all.counts, all.totals), (view.counts, view.totals), "a filter changes nothing that is sent");

    let rows = having(INSURED, "acme", &[]);
    let values = ReviewValues { id: view.id.clone(), rows, column: INSURED };
    let values = test.desk.review_values(values).await.unwrap();
    let values: Vec<(&str, u32)> = values.values.iter().map(|v| (v.text.as_str(), v.rows)).collect();
    assert_eq!(
        values,
        [("acme LLC", 2), ("Birch Inc", 1), ("Cedar llc", 1)],
        "whatever the column itself asks"
    );
}

#[tokio::test]
async fn rows_keep_their_order_while_cells_change() {
    let test = TestDesk::offline();
    let view = reviewed(&test).await;
    assert_eq!(shown(&test, &view, sorted_by(INSURED, false)).await, [2, 4, 3, 1]);
    assert_eq!(shown(&test, &view, sorted_by(PREMIUM, false)).await, [2, 1, 3, 4], "by amount, not by text");
    assert_eq!(shown(&test, &view, sorted_by(13, true)).await, [1, 2, 4, 3], "empty cells are last");
    let by_premium = sorted_by(PREMIUM, true);
    assert_eq!(shown(&test, &view, by_premium.clone()).await, [1, 3, 4, 2]);
    let edits = vec![CellEdit { row: 2, column: PREMIUM, text: "5000".into() }];
    let edit = ReviewEdit { id: view.id.clone(), label: "Edit".into(), edits, ..ReviewEdit::default() };
    test.desk.review_edit(edit).await.unwrap();
    assert_eq!(shown(&test, &view, by_premium.clone()).await, [1, 3, 4, 2], "the row stays where it is");
    shown(&test, &view, RowsQuery::default()).await;
    assert_eq!(shown(&test, &view, by_premium).await, [2, 1, 3, 4], "until it is sorted again");
}

/// Who corrects row after row under a filter is still in the row that comes next on screen.
#[tokio::test(flavor = "multi_thread")]
async fn rows_that_a_person_chose_stay_while_cells_change() {
    let test = TestDesk::offline();
    let view = reviewed(&test).await;
    let other = TestDesk { desk: test.again(), ..TestDesk::offline() };
    let of = |choice| RowsQuery { choice, ..having(INSURED, "llc", &[]) };
    let filtered = |choice| RowsQuery { choice, filter: RowFilter::Changed, ..RowsQuery::default() };
    let put = |row, text: &str| ReviewEdit {
        id: view.id.clone(),
        label: "Edit".into(),
        edits: vec![CellEdit { row, column: INSURED, text: text.into() }],
        ..ReviewEdit::default()
    };
    for (query, before) in [(of(7), vec![1, 2, 4]), (filtered(8), vec![]), (of(0), vec![1, 2, 4])] {
        assert_eq!(shown(&test, &view, query).await, before);
    }
    test.desk.review_edit(put(2, "Elm")).await.unwrap();
    assert_eq!(shown(&test, &view, of(7)).await, [1, 2, 4], "those that were chosen");
    assert_eq!(shown(&test, &view, filtered(8)).await, [0u32; 0]);
    assert_eq!(shown(&test, &view, of(0)).await, [1, 4], "as they are now");
    let clear =
        AreaChange { area: area(2, 2, &[INSURED]), content: AreaContent::Text { text: String::new() } };
    let third = ReviewAreas {
        seen_changes: None,
        id: view.id.clone(),
        rows: of(7),
        verb: "Clear".into(),
        changes: vec![clear],
    };
    test.desk.review_areas(third).await.unwrap();
    let cleared = shown(&test, &view, having(INSURED, "", &[""])).await;
    assert_eq!(cleared, [4], "the third on screen is the row that was the third");

    let sorted = RowsQuery { choice: 11, ..sorted_by(INSURED, true) };
    let order = shown(&test, &view, sorted.clone()).await;
    assert_eq!(shown(&test, &view, RowsQuery::default()).await, [1, 2, 3, 4]);
    assert_eq!(shown(&test, &view, of(7)).await, [1, 2, 4], "whatever another window asks for meanwhile");
    assert_eq!(shown(&test, &view, sorted).await, order);

    // Another window on the same folder.
    let opened = other.desk.review_state(id(&view)).await.unwrap();
    settled(&other, opened).await;
    other.desk.review_edit(put(1, "Oak")).await.unwrap();
    assert_eq!(shown(&test, &view, of(7)).await, [1, 2, 4], "what others change moves no row either");
    assert_eq!(shown(&test, &view, of(9)).await, [0u32; 0], "until rows are chosen again");
    assert_eq!(shown(&test, &view, filtered(10)).await, [1, 2, 4]);
}

#[tokio::test]
async fn a_text_is_replaced_in_the_rows_shown_as_one_step() {
    let test = TestDesk::offline();
    let view = reviewed(&test).await;
    let all = ReviewReplace {
        seen_changes: None,
        id: view.id.clone(),
        rows: RowsQuery::default(),
        text: "llc".into(),
        replacement: "L.L.C.".into(),
        has_case: false,
        is_whole: false,
        areas: vec![area(0, u32::MAX, &[INSURED])],
        preview: true,
    };
    let preview = test.desk.review_replace(all.clone()).await.unwrap();
    let first = FixChange {
        line: 2,
        header: "Insured".into(),
        before: "Cedar llc".into(),
        after: "Cedar L.L.C.".into(),
    };
    assert_eq!((preview.total, &preview.changes[0], preview.review.undo.as_str()), (3, &first, ""));

    let narrow = [
        (ReviewReplace { has_case: true, ..all.clone() }, 1),
        (ReviewReplace { is_whole: true, ..all.clone() }, 0),
        (ReviewReplace { text: "ACME llc".into(), is_whole: true, ..all.clone() }, 2),
        (ReviewReplace { areas: vec![area(0, u32::MAX, &[STATE])], ..all.clone() }, 0),
        (ReviewReplace { areas: vec![area(1, 2, &[INSURED])], ..all.clone() }, 1),
        (ReviewReplace { areas: vec![area(0, 0, &[INSURED]), area(0, 1, &[INSURED])], ..all.clone() }, 2),
        (ReviewReplace { areas: Vec::new(), ..all.clone() }, 3),
        (ReviewReplace { rows: having(INSURED, "cedar", &[]), ..all.clone() }, 1),
        (
            ReviewReplace {
                text: String::new(),
                is_whole: true,
                areas: vec![area(0, u32::MAX, &[13])],
                ..all.clone()
            },
            1,
        ),
    ];
    for (request, expected) in narrow {
        assert_eq!(test.desk.review_replace(request.clone()).await.unwrap().total, expected, "{request:?}");
    }
    let refused = ReviewReplace { text: String::new(), ..all.clone() };
    assert_eq!(test.desk.review_replace(refused).await.unwrap_err().code, ErrorCode::Validation);

    let done = test.desk.review_replace(ReviewReplace { preview: false, ..all.clone() }).await.unwrap();
    assert_eq!((done.review.undo.as_str(), done.review.counts.changed), ("Replace in 3 cells", 3));
    assert_eq!(shown(&test, &view, having(INSURED, "L.L.C.", &[])).await, [1, 2, 4]);
    let undone = test.desk.review_undo(last_step(&view)).await.unwrap();
    assert_eq!((undone.counts, undone.undo.as_str()), (view.counts, ""));
}

#[tokio::test]
async fn the_edge_of_the_data_is_as_in_a_spreadsheet() {
    let test = TestDesk::offline();
    let text = ["a", "b", "", "", "c", "", "d", "e"]
        .iter()
        .enumerate()
        .map(|(n, risk)| good(n + 1).replace("Shop", risk))
        .collect::<String>();
    let view = started(&test, "a.csv", &format!("{HEAD}{text}")).await;
    let forward = [(0, 1), (1, 4), (2, 4), (4, 6), (6, 7), (7, 7)];
    let back = [(7, 6), (6, 4), (5, 4), (4, 1), (1, 0), (0, 0)];
    for (backwards, cases) in [(false, forward), (true, back)] {
        for (index, expected) in cases {
            let edge =
                ReviewEdge { id: view.id.clone(), rows: RowsQuery::default(), index, column: 13, backwards };
            assert_eq!(test.desk.review_edge(edge).await.unwrap().index, expected, "{index} {backwards}");
        }
    }
}

#[tokio::test]
async fn a_group_says_how_many_rows_have_what_with_two_of_them() {
    let test = TestDesk::offline();
    let late = |n: usize| good(n).trim_end().replace(",PN,", ",PR,") + &format!(",2026-03-0{n},EXP-{n}\n");
    let head = HEAD.trim_end().to_owned() + ",transaction_effective_date,expiring_policy_number\n";
    let view = started(&test, "a.csv", &format!("{head}{}{}{}", late(1), late(2), late(3))).await;
    let group = view.groups.iter().find(|group| group.code == "transaction_date_differs").unwrap();
    assert_eq!(group.headline, "3 renewals start on another day than their policy");
    assert_eq!(group.examples.len(), 2, "{group:?}");
    assert!(
        group.examples[0]
            .starts_with("Row 2: \"03/01/2026\", expected the policy's effective date 02/23/2026"),
        "{group:?}"
    );
    assert!(group.summary.ends_with("set the date."), "{group:?}");
}

#[tokio::test]
async fn saved_mappings_are_copied_renamed_and_removed_with_their_columns() {
    let test = TestDesk::offline();
    let head = HEAD.replace("policy_number", "Our reference");
    let view = started(&test, "a.csv", &format!("{head}{}", good(1))).await;
    let columns = vec![ColumnChange { column: 1, field: Some("policy_number".into()) }];
    let done = ReviewMatch {
        id: view.id.clone(),
        columns,
        remember_as: "AMS".into(),
        done: true,
        ..Default::default()
    };
    test.desk.review_match(done).await.unwrap();
    let layout = GridLayout { frozen: 2, ..GridLayout::default() };
    test.desk
        .grid_layout_save(SaveGridLayout { mapping: "AMS".into(), layout: layout.clone() })
        .await
        .unwrap();
    let copy = |name: &str, to: &str, moves| MappingCopy { name: name.into(), to: to.into(), moves };
    let of = |name: &str| MappingName { name: name.into() };

    test.desk.mapping_copy(copy("AMS", " Copy ", false)).await.unwrap();
    test.desk.mapping_copy(copy("AMS", "Nightly", true)).await.unwrap();
    let names = || async { test.desk.review_list(Nothing {}).await.unwrap().mappings };
    assert_eq!(names().await, ["Copy", "Nightly"]);
    assert_eq!(test.desk.grid_layout(of("Nightly")).await.unwrap(), layout);
    assert_eq!(test.desk.grid_layout(of("AMS")).await.unwrap(), GridLayout::default());
    for wrong in
        [copy("Copy", "Nightly", true), copy("Copy", "  ", false), copy("Copy", &"x".repeat(81), false)]
    {
        assert_eq!(test.desk.mapping_copy(wrong).await.unwrap_err().code, ErrorCode::Validation);
    }
    assert_eq!(test.desk.mapping_copy(copy("AMS", "B", true)).await.unwrap_err().code, ErrorCode::NotFound);

    let path = test.answer_dialog("nightly.json");
    test.desk.mapping_export(of("Nightly")).await.unwrap();
    assert!(std::fs::read_to_string(path).unwrap().contains("\"Nightly\""));
    test.desk.mapping_remove(of("Nightly")).await.unwrap();
    assert_eq!(names().await, ["Copy"]);
    let again = ReviewMatch { id: view.id.clone(), use_mapping: "Copy".into(), ..Default::default() };
    assert_eq!(test.desk.review_match(again).await.unwrap().mapping, "Copy");
}

/// The texts of a column in the rows shown.
async fn texts(test: &TestDesk, view: &ReviewView, rows: RowsQuery, column: u32) -> Vec<String> {
    let request = RowsRequest { id: view.id.clone(), rows, from: 0, count: 500 };
    let page = test.desk.review_rows(request).await.unwrap();
    page.rows.iter().map(|row| row.cells[column as usize].clone()).collect()
}

#[tokio::test]
async fn ranges_are_filled_and_cleared_as_they_are_shown_as_one_step() {
    let test = TestDesk::offline();
    let view = reviewed(&test).await;
    let by_insured = sorted_by(INSURED, false);
    let change = |verb: &str, changes: Vec<(CellArea, AreaContent)>| ReviewAreas {
        seen_changes: None,
        id: view.id.clone(),
        rows: by_insured.clone(),
        verb: verb.into(),
        changes: changes.into_iter().map(|(area, content)| AreaChange { area, content }).collect(),
    };
    let copy = |area: CellArea| AreaContent::Copy { area };
    let all = || texts(&test, &view, by_insured.clone(), INSURED);
    assert_eq!(all().await, ["acme LLC", "acme LLC", "Birch Inc", "Cedar llc"]);

    // Down from two rows, repeated; cells that have the text already do not count.
    let fill = change("Fill", vec![(area(2, 3, &[INSURED]), copy(area(0, 1, &[INSURED])))]);
    let done = test.desk.review_areas(fill).await.unwrap();
    assert_eq!((done.total, done.review.undo.as_str()), (2, "Fill 2 cells"));
    assert_eq!(all().await, ["acme LLC", "acme LLC", "acme LLC", "acme LLC"]);
    test.desk.review_undo(last_step(&view)).await.unwrap();
    assert_eq!(all().await, ["acme LLC", "acme LLC", "Birch Inc", "Cedar llc"]);

    // To the right, and two ranges at once; beyond the last row there is nothing.
    let both = change(
        "Fill",
        vec![
            (area(0, 0, &[13]), copy(area(0, 0, &[INSURED]))),
            (area(3, u32::MAX, &[13]), AreaContent::Text { text: "Bakery".into() }),
        ],
    );
    assert_eq!(test.desk.review_areas(both).await.unwrap().total, 2);
    assert_eq!(texts(&test, &view, by_insured.clone(), 13).await, ["acme LLC", "Shop", "", "Bakery"]);

    let clear =
        change("Clear", vec![(area(0, u32::MAX, &[13, INSURED]), AreaContent::Text { text: String::new() })]);
    let done = test.desk.review_areas(clear).await.unwrap();
    assert_eq!((done.total, done.review.undo.as_str()), (7, "Clear 7 cells"), "one was empty");
    let outside = change("Fill", vec![(area(0, 0, &[9_999]), AreaContent::Text { text: "x".into() })]);
    assert_eq!(test.desk.review_areas(outside).await.unwrap_err().code, ErrorCode::Validation);
}

#[tokio::test]
async fn ranges_are_added_up_over_all_rows() {
    let test = TestDesk::offline();
    let view = reviewed(&test).await;
    let figures = |areas: Vec<CellArea>| {
        let request = ReviewFigures { id: view.id.clone(), rows: RowsQuery::default(), areas };
        let desk = &test.desk;
        async move {
            let found = desk.review_figures(request).await.unwrap();
            (found.filled, found.amounts, found.sum, found.average)
        }
    };
    let cases = [
        (vec![area(0, u32::MAX, &[PREMIUM])], (4, 4, "3200.00", "800.00")),
        (vec![area(0, 1, &[PREMIUM]), area(1, 2, &[PREMIUM, INSURED])], (5, 3, "2200.00", "733.33")),
        // A state or a policy number is no amount.
        (vec![area(0, u32::MAX, &[1, STATE])], (8, 0, "0.00", "0.00")),
        (vec![area(0, u32::MAX, &[13])], (3, 0, "0.00", "0.00")),
    ];
    for (areas, (filled, amounts, sum, average)) in cases {
        let expected = (filled, amounts, sum.to_owned(), average.to_owned());
        assert_eq!(figures(areas.clone()).await, expected, "{areas:?}");
    }
}

#[tokio::test]
async fn a_file_whose_rows_are_all_excluded_is_no_file_being_prepared() {
    let test = TestDesk::offline();
    let view = reviewed(&test).await;
    let change = |excluded| ReviewExclude {
        seen_changes: None,
        id: view.id.clone(),
        rows: RowsQuery::default(),
        areas: vec![area(0, u32::MAX, &[])],
        excluded: Some(excluded),
    };
    for (excluded, drafts) in [(true, 0), (false, 1)] {
        test.desk.review_exclude(change(excluded)).await.unwrap();
        assert_eq!(test.desk.today_show(Nothing {}).await.unwrap().drafts_total, drafts);
        assert_eq!(test.desk.review_list(Nothing {}).await.unwrap().reviews[0].excluded, excluded);
    }
}

#[tokio::test]
async fn rows_of_ranges_are_excluded_and_included_again() {
    let test = TestDesk::offline();
    let view = reviewed(&test).await;
    let exclude = |areas: &[CellArea]| ReviewExclude {
        seen_changes: None,
        id: view.id.clone(),
        rows: having(INSURED, "llc", &[]),
        areas: areas.to_vec(),
        excluded: None,
    };
    let two = [area(0, 0, &[INSURED]), area(2, 2, &[])];
    let cases = [(&two[..1], 1, true, 1), (&two[..], 1, true, 2), (&two[..], 2, false, 0)];
    for (areas, rows, excluded, left) in cases {
        let done = test.desk.review_exclude(exclude(areas)).await.unwrap();
        assert_eq!((done.rows, done.excluded, done.review.counts.excluded), (rows, excluded, left));
    }
}

#[tokio::test]
async fn a_date_is_written_as_its_column_writes_dates() {
    let test = TestDesk::offline();
    let us = good(1).replace("2026-02-23", "02/23/2026");
    for (row, expected) in [(good(1), "03/05/2026"), (us, "03/05/2026")] {
        let view = started(&test, "a.csv", &format!("{HEAD}{row}")).await;
        let asked = |column: u32, date: &str| CellDateRequest {
            id: view.id.clone(),
            row: 1,
            column,
            date: date.into(),
        };
        let read = test.desk.review_date(asked(2, "")).await.unwrap();
        assert_eq!((read.date.as_deref(), read.text.as_str()), (Some("2026-02-23"), ""));
        let written = test.desk.review_date(asked(2, "2026-03-05")).await.unwrap();
        assert_eq!((written.date.as_deref(), written.text.as_str()), (Some("2026-02-23"), expected));
        assert_eq!(test.desk.review_date(asked(INSURED, "")).await.unwrap().date, None);
        let wrong = test.desk.review_date(asked(2, "2026-02-30")).await.unwrap_err();
        assert_eq!(wrong.code, ErrorCode::Validation);
    }
}

/// A workbook has its days as yyyy-mm-dd, and a program may write them so: people read, search and change them as they
/// write dates, and the file's own text stays until somebody types another day.
#[tokio::test]
async fn dates_are_shown_searched_and_replaced_as_people_write_them() {
    let test = TestDesk::offline();
    let view = reviewed(&test).await;
    const EFFECTIVE: u32 = 2;
    let rows = RowsRequest { id: view.id.clone(), rows: RowsQuery::default(), from: 0, count: 1 };
    let page = test.desk.review_rows(rows.clone()).await.unwrap();
    assert_eq!(page.rows[0].cells[EFFECTIVE as usize], "02/23/2026");
    assert_eq!(shown(&test, &view, having(EFFECTIVE, "02/23", &[])).await, [1, 2, 3, 4]);
    let values = ReviewValues { id: view.id.clone(), rows: RowsQuery::default(), column: EFFECTIVE };
    let values = test.desk.review_values(values).await.unwrap().values;
    assert_eq!((values[0].text.as_str(), values[0].rows, values.len()), ("02/23/2026", 4, 1));
    let edit = |text: &str, over: &str| ReviewEdit {
        seen_changes: None,
        id: view.id.clone(),
        label: "Edit".into(),
        edits: vec![CellEdit { row: 1, column: EFFECTIVE, text: text.into() }],
        typed_over: vec![over.into()],
    };
    let same = test.desk.review_edit(edit("02/23/2026", "02/23/2026")).await.unwrap();
    assert_eq!(same.counts.changed, 0, "the day that is there already");
    let moved = test.desk.review_edit(edit("02/24/2026", "02/23/2026")).await.unwrap();
    assert_eq!(moved.counts.changed, 1);
    let back = test.desk.review_edit(edit("02/23/2026", "02/24/2026")).await.unwrap();
    assert_eq!(back.counts.changed, 0, "the file's own text again");
    let replace = ReviewReplace {
        seen_changes: None,
        id: view.id.clone(),
        rows: RowsQuery::default(),
        text: "02/23".into(),
        replacement: "03/01".into(),
        has_case: false,
        is_whole: false,
        areas: vec![area(0, 0, &[EFFECTIVE])],
        preview: false,
    };
    let done = test.desk.review_replace(replace).await.unwrap();
    assert_eq!(
        (done.changes[0].before.as_str(), done.changes[0].after.as_str()),
        ("02/23/2026", "03/01/2026")
    );
    assert_eq!(test.desk.review_rows(rows).await.unwrap().rows[0].cells[EFFECTIVE as usize], "03/01/2026");
}

#[tokio::test]
async fn amounts_are_shown_alike_and_found_as_they_are_written_or_shown() {
    let test = TestDesk::offline();
    let view = reviewed(&test).await;
    let rows = RowsRequest { id: view.id.clone(), rows: RowsQuery::default(), from: 0, count: 2 };
    let page = test.desk.review_rows(rows).await.unwrap();
    let shown_premiums: Vec<&str> =
        page.rows.iter().map(|row| row.cells[PREMIUM as usize].as_str()).collect();
    assert_eq!(shown_premiums, ["1,000.00", "200.00"], "the file has 1000 and 200");
    for text in ["1000", "1,000", "1,000.00"] {
        assert_eq!(shown(&test, &view, having(PREMIUM, text, &[])).await, [1, 3, 4], "{text}");
    }
    assert_eq!(shown(&test, &view, having(PREMIUM, "", &["200.00"])).await, [2]);
    for text in ["1000", "1,000.00", "1000.00"] {
        let edit = ReviewEdit {
            seen_changes: None,
            id: view.id.clone(),
            label: "Edit".into(),
            edits: vec![CellEdit { row: 1, column: PREMIUM, text: text.into() }],
            typed_over: vec!["1,000.00".into()],
        };
        let same = test.desk.review_edit(edit).await.unwrap();
        assert_eq!((same.counts.changed, same.totals.premium.as_str()), (0, "3200.00"), "{text}");
    }
}
