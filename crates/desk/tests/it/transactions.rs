//! Transactions: found in the index, refreshed from the practice service, followed and exported.

use std::io::Cursor;
use std::time::Duration;

use bordereau_contract::{RecordDocument, ServiceStatus, TransactionRecord};
use bordereau_desk::api::*;
use bordereau_desk::{Desk, OutboxPace};
use bordereau_money::Usd;
use calamine::{Data, Reader, Xlsx};

use crate::outbox_fixture::{OutboxFixture, many, quick, row, sent};
use crate::test_desk::{TestDesk, file_handle, profile};

fn usd(text: &str) -> Option<Usd> {
    Some(Usd::parse(text).unwrap())
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// A record as the service has it; every third is filed and paid.
fn record(id: i64) -> TransactionRecord {
    let states = ["TX", "FL", "NY"];
    let done = id % 3 == 0;
    TransactionRecord {
        id,
        transaction_type: text("PN"),
        transaction_status: ServiceStatus::Number(if done { 4 } else { 1 }),
        policy_number: Some(format!("ESX-2026-{id:05}")),
        policy_effective_date: text("2026-02-10"),
        transaction_effective_date: Some(format!("2026-0{}-15", id % 3 + 1)),
        date_filed: done.then(|| "2026-02-20".into()),
        premium: usd("1250.50"),
        sl_tax: usd("60.65"),
        stamping_fee: usd("0.50"),
        sl_tax_paid_date: done.then(|| "2026-02-25".into()),
        stamping_fee_paid_date: done.then(|| "2026-02-25".into()),
        mailing_insured_name: Some(format!("Harbor Diner {id} LLC")),
        physical_state: text(states[usize::try_from(id).unwrap() % 3]),
        extra_invoice_number: Some(format!("INV-{id}")),
        transaction_documents: if id % 2 == 0 {
            vec![RecordDocument { name: "Policy".into(), code: "POLIC".into(), download_url: String::new() }]
        } else {
            Vec::new()
        },
        ..TransactionRecord::default()
    }
}

async fn filled(count: i64) -> TestDesk {
    let test = TestDesk::offline();
    let mut records: Vec<TransactionRecord> = (1..=count).map(record).collect();
    if let Some(first) = records.first_mut() {
        first.mailing_insured_name = text("=Café Muñoz & Söhne, Inc.");
        first.premium = usd("-9521.07");
        first.unique_id = text("007");
    }
    test.desk.store_records(records).await.unwrap();
    test
}

fn typed(text: &str) -> TransactionsSearch {
    let filter = TransactionsFilter { text: text.into(), ..TransactionsFilter::default() };
    TransactionsSearch { filter, count: 500, ..TransactionsSearch::default() }
}

async fn ids(desk: &Desk, search: TransactionsSearch) -> Vec<String> {
    let page = desk.transactions_search(search).await.unwrap();
    assert_eq!(page.total as usize, page.rows.len());
    page.rows.into_iter().map(|row| row.id).collect()
}

#[tokio::test]
async fn text_is_found_as_people_type_it() {
    let test = filled(12).await;
    let all: Vec<String> = (1..=12).rev().map(|n| n.to_string()).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let cases: [(&str, &[&str]); 18] = [
        ("", &all),
        ("ESX-2026-00007", &["7"]),
        ("esx202600007", &["7"]),
        ("2026-00007", &["7"]),
        ("00007", &["7"]),
        ("munoz", &["1"]),
        ("Söhne", &["1"]),
        ("cafe inc", &["1"]),
        ("$9,521.07", &["1"]),
        ("9521", &["1"]),
        // The taxes and the total of the others stand in the table, not in their records.
        ("61.15 munoz", &["1"]),
        ("1,311.65", &all[..11]),
        ("inv-12", &["12"]),
        ("diner 12", &["12"]),
        ("texas filed", &["12", "9", "6", "3"]),
        ("02/25/2026 diner", &["12", "9", "6", "3"]),
        ("nothing like it", &[]),
        ("\" OR *", &[]),
    ];
    for (asked, expected) in cases {
        assert_eq!(ids(&test.desk, typed(asked)).await, expected, "{asked}");
    }
}

#[tokio::test]
async fn facets_count_as_if_nothing_of_their_own_were_chosen() {
    let test = filled(12).await;
    let mut filter = TransactionsFilter { states: vec!["TX".into()], ..TransactionsFilter::default() };
    filter.statuses = vec!["4".into()];
    let summary = test.desk.transactions_summary(filter.clone()).await.unwrap();
    assert_eq!((summary.totals.count, summary.totals.premium.as_str()), (4, "5002.00"));
    assert_eq!((summary.totals.taxes.as_str(), summary.totals.total.as_str()), ("244.60", "5246.60"));
    let counts = |name: &str| -> Vec<(String, u32, bool)> {
        let facet = summary.facets.iter().find(|facet| facet.name == name).unwrap();
        facet.choices.iter().map(|c| (c.value.clone(), c.count, c.chosen)).collect()
    };
    let choice = |value: &str, count, chosen| (value.to_owned(), count, chosen);
    // Only the filed ones are counted by state, and only Texas by status.
    assert_eq!(counts("states"), [choice("TX", 4, true)]);
    assert_eq!(counts("statuses"), [choice("4", 4, true)]);
    assert_eq!(counts("documents"), [choice("with", 2, false), choice("without", 2, false)]);
    assert_eq!(counts("paid"), [choice("paid", 4, false)]);
    let search = TransactionsSearch { filter, count: 10, ..TransactionsSearch::default() };
    assert_eq!(ids(&test.desk, search).await, ["12", "9", "6", "3"]);
}

#[tokio::test]
async fn open_ones_are_due_by_the_states_rule_and_overdue_after_it() {
    let test = filled(12).await;
    let summary = test.desk.transactions_summary(TransactionsFilter::default()).await.unwrap();
    let due = summary.facets.iter().find(|facet| facet.name == "due").unwrap();
    assert_eq!(due.choices.iter().map(|choice| choice.count).sum::<u32>(), 12, "{due:?}");
    for choice in &due.choices {
        let filter = TransactionsFilter { due: vec![choice.value.clone()], ..TransactionsFilter::default() };
        let page = test
            .desk
            .transactions_search(TransactionsSearch { filter, count: 50, ..TransactionsSearch::default() })
            .await
            .unwrap();
        assert_eq!(page.total, choice.count, "{}", choice.value);
        assert!(page.rows.iter().all(|row| row.overdue == (choice.value == "overdue")), "{page:?}");
    }
}

#[tokio::test]
async fn rows_are_sorted_and_selections_summed() {
    let test = filled(12).await;
    let mut search = typed("");
    (search.sort, search.ascending) = (TransactionSort::Premium, true);
    let page = test.desk.transactions_search(search.clone()).await.unwrap();
    let first = &page.rows[0];
    assert_eq!((first.id.as_str(), first.premium.as_str()), ("1", "-9521.07"));
    let sum =
        test.desk.transactions_sum(TransactionsSum { search: search.clone(), from: 1, to: 0 }).await.unwrap();
    assert_eq!((sum.count, sum.premium.as_str()), (2, "-8270.57"));
    (search.from, search.count) = (10, 5);
    let last = test.desk.transactions_search(search).await.unwrap();
    assert_eq!((last.total, last.rows.len()), (12, 2));
}

#[tokio::test]
async fn a_row_has_each_column_of_the_table() {
    let test = filled(1).await;
    let columns = test.desk.transactions_overview(Nothing {}).await.unwrap().columns;
    let page = test.desk.transactions_search(typed("")).await.unwrap();
    let row = serde_json::to_value(&page.rows[0]).unwrap();
    for column in columns {
        assert!(row.get(&column.name).is_some(), "{} would be empty for every row", column.name);
    }
}

#[tokio::test]
async fn a_date_that_is_none_is_named() {
    let test = TestDesk::offline();
    let mut search = typed("");
    search.filter.filed.from = "yesterday".into();
    let refused = test.desk.transactions_search(search).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Validation);
    assert_eq!(refused.details[0].pointer, "/filter/filed/from");
}

/// Such transactions are filed too: a due date nobody sees is missed.
#[tokio::test]
async fn a_transaction_whose_dates_cannot_be_read_is_counted_among_the_due_dates() {
    let test = TestDesk::offline();
    let undated = |id: i64| TransactionRecord {
        policy_effective_date: None,
        transaction_effective_date: text("in spring"),
        physical_state: text("CO"),
        ..record(id)
    };
    let (open, filed) = (undated(1), undated(3));
    assert!(open.date_filed.is_none() && filed.date_filed.is_some());
    test.desk.store_records(vec![open, filed]).await.unwrap();
    let due = test.desk.due_list(DueRequest::default()).await.unwrap();
    assert_eq!((due.total, due.unreadable), (0, 2));
    let today = test.desk.today_show(Nothing {}).await.unwrap();
    assert_eq!((due.gaps.len(), &due.gaps), (1, &today.due_gaps), "neither says that nothing is due");
}

/// A search by days counts what has no day that can be read, among what else it asks for.
#[tokio::test]
async fn a_search_by_days_counts_what_has_none() {
    let test = TestDesk::offline();
    let of = |id: i64, day: &str, state: &str| TransactionRecord {
        policy_effective_date: text(day),
        physical_state: text(state),
        ..record(id)
    };
    let all = vec![of(1, "2026-02-23", "TX"), of(3, "in spring", "TX"), of(5, "soon", "CO")];
    test.desk.store_records(all).await.unwrap();
    let days = || DayRange { from: "2026-01-01".into(), to: "2026-12-31".into() };
    for (filter, found) in [
        (TransactionsFilter { policy_effective: days(), ..Default::default() }, (1, 2)),
        (
            TransactionsFilter { policy_effective: days(), states: vec!["CO".into()], ..Default::default() },
            (0, 1),
        ),
        (TransactionsFilter { states: vec!["TX".into()], ..Default::default() }, (2, 0)),
        (TransactionsFilter { transaction_effective: days(), ..Default::default() }, (3, 0)),
    ] {
        let totals = test.desk.transactions_summary(filter.clone()).await.unwrap().totals;
        assert_eq!((totals.count, totals.undated), found, "{filter:?}");
    }
}

#[tokio::test]
async fn a_changed_record_takes_the_place_of_the_old_one() {
    let test = filled(3).await;
    let changed = TransactionRecord { mailing_insured_name: text("Blue Lantern"), ..record(2) };
    let counts = test.desk.store_records(vec![changed.clone(), record(3)]).await.unwrap();
    assert_eq!(counts, (0, 1));
    assert_eq!(test.desk.store_records(vec![changed]).await.unwrap(), (0, 0));
    assert_eq!(ids(&test.desk, typed("lantern")).await, ["2"]);
    assert_eq!(ids(&test.desk, typed("diner")).await, ["3"]);
    // As another process on the same folder.
    assert_eq!(ids(&test.again(), typed("lantern")).await, ["2"]);
}

#[tokio::test]
async fn words_for_a_status_are_the_practice_services_alone() {
    let test = TestDesk::new().await;
    test.desk.store_records(vec![record(3)]).await.unwrap();
    let words = |page: TransactionsPage| page.rows[0].status_word.clone();
    assert_eq!(words(test.desk.transactions_search(typed("")).await.unwrap()), "Filed");
    test.sandbox(|_| {}).await;
    assert_eq!(test.desk.transactions_search(typed("")).await.unwrap().total, 0, "each profile has its own");
    test.desk.store_records(vec![record(3)]).await.unwrap();
    assert_eq!(words(test.desk.transactions_search(typed("")).await.unwrap()), "Status 4");
}

#[tokio::test]
async fn a_text_finds_what_the_profile_says_a_status_means() {
    let test = TestDesk::new().await;
    let released = |meaning: &str| {
        vec![ServiceWord { kind: WordKind::Transaction, word: "4".into(), meaning: meaning.into() }]
    };
    test.sandbox(|profile| profile.words = released("Released by the state")).await;
    test.desk.store_records(vec![record(3), record(4)]).await.unwrap();
    assert_eq!(ids(&test.desk, typed("released")).await, ["3"]);
    let listed = test.desk.profile_list(Nothing {}).await.unwrap();
    let mut profile = listed.profiles.into_iter().find(|view| view.active).unwrap().profile;
    profile.words = released("Filed");
    test.desk.profile_save(profile).await.unwrap();
    assert_eq!(ids(&test.desk, typed("released")).await, [""; 0]);
    assert_eq!(ids(&test.desk, typed("filed")).await, ["3"]);
}

#[tokio::test]
async fn searches_are_kept_under_a_name() {
    let test = filled(1).await;
    let saved =
        SavedSearch { name: "  Texas  open ".into(), search: typed("tx"), columns: vec!["insured".into()] };
    let list = test.desk.search_save(saved).await.unwrap().searches;
    assert_eq!((list[0].name.as_str(), list[0].search.filter.text.as_str()), ("Texas open", "tx"));
    let nameless = SavedSearch { name: " ".into(), search: typed(""), columns: Vec::new() };
    assert_eq!(test.desk.search_save(nameless).await.unwrap_err().details[0].pointer, "/name");
    let rest = test.desk.search_remove(SearchName { name: "Texas open".into() }).await.unwrap();
    assert!(rest.searches.is_empty());
}

/// The file as it is on the disk.
async fn exported(test: &TestDesk, export: &TransactionsExport) -> Result<Vec<u8>, BoundaryError> {
    let path = test.answer_dialog(&format!("found.{}", export.format.extension()));
    test.desk.transactions_export(export.clone()).await.map(|_| std::fs::read(path).unwrap())
}

#[tokio::test]
async fn an_export_has_numbers_dates_and_no_formula() {
    let test = filled(4).await;
    let columns = ["id", "insured", "transaction_effective", "premium", "own_id", "status"];
    let mut export = TransactionsExport {
        search: typed(""),
        format: TableFormat::Xlsx,
        columns: columns.map(str::to_owned).to_vec(),
    };
    (export.search.sort, export.search.ascending) = (TransactionSort::Id, true);
    let bytes = exported(&test, &export).await.unwrap();
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
    assert_eq!(book.worksheet_formula("Transactions").unwrap().used_cells().count(), 0);
    let sheet = book.worksheet_range("Transactions").unwrap();
    let cells: Vec<&Data> = (0..6).map(|column| sheet.get((1, column)).unwrap()).collect();
    assert_eq!(cells[0], &Data::Float(1.0));
    assert_eq!(cells[1], &Data::String("=Café Muñoz & Söhne, Inc.".into()));
    // 15 February 2026 as a workbook counts days.
    assert!(matches!(cells[2], Data::DateTime(date) if date.as_f64() == 46_068.0), "{:?}", cells[2]);
    assert_eq!(cells[3], &Data::Float(-9521.07));
    assert_eq!(cells[4], &Data::String("007".into()), "leading zeros stay");
    assert_eq!(sheet.height(), 5);

    export.format = TableFormat::Csv;
    let csv = String::from_utf8(exported(&test, &export).await.unwrap()).unwrap();
    let line = csv.lines().nth(1).unwrap();
    assert_eq!(line, "1,\"'=Café Muñoz & Söhne, Inc.\",2026-02-15,-9521.07,007,Submitted");

    export.search.filter.text = "nothing like it".into();
    assert_eq!(exported(&test, &export).await.unwrap_err().code, ErrorCode::Validation);
    export.columns = vec!["no such".into()];
    assert_eq!(exported(&test, &export).await.unwrap_err().details[0].pointer, "/columns");
}

/// Whoever is faster: a file that was canceled is not there, one that was not is whole.
#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_watched_and_ends_when_it_is_canceled() {
    let test = filled(3_000).await;
    let export =
        TransactionsExport { search: typed(""), format: TableFormat::Xlsx, ..TransactionsExport::default() };
    let path = test.answer_dialog("all.xlsx");
    let desk = test.desk.clone();
    let writing = tokio::spawn(async move { desk.transactions_export(export).await });
    while !writing.is_finished() {
        let state = test.desk.transactions_export_cancel(Nothing {}).await.unwrap();
        assert!(
            state.stage == ExportStage::Idle || (state.rows == 3_000 && state.done <= 3_000),
            "{state:?}"
        );
        tokio::task::yield_now().await;
    }
    let outcome = writing.await.unwrap().unwrap();
    assert_eq!(outcome.saved, path.exists());
    let beside = std::fs::read_dir(path.parent().unwrap()).unwrap().flatten();
    let unfinished = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".unfinished");
    assert!(!beside.map(|entry| entry.file_name()).any(|name| unfinished(&name)), "nothing of it stays");
    if outcome.saved {
        let mut book: Xlsx<_> = calamine::open_workbook(&path).unwrap();
        assert_eq!(book.worksheet_range("Transactions").unwrap().height(), 3_001);
    }
    let idle = test.desk.transactions_export_state(Nothing {}).await.unwrap();
    assert_eq!((idle.stage, idle.rows), (ExportStage::Idle, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_imported_is_fetched_found_and_followed() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let mut rows = many("t", 60);
    rows[7].mailing_insured_name = text("Lone Star Roofing");
    rows[7].sl_tax = usd("50.00");
    let batch = sent(&desk, rows).await;
    assert_eq!(batch.state, BatchState::Processed);

    let refresh = TransactionsRefresh {
        policy_effective: DayRange { from: "2026-02-28".into(), to: "2026-02-01".into() },
        ..TransactionsRefresh::default()
    };
    desk.transactions_refresh(refresh.clone()).await.unwrap();
    let done = desk.transactions_refresh_wait().await.unwrap();
    assert_eq!((done.stage, done.new, done.trouble.as_str()), (RefreshStage::Done, 60, ""), "{done:?}");
    let overview = desk.transactions_overview(Nothing {}).await.unwrap();
    assert_eq!((overview.records, overview.fetched[0].from.as_str()), (60, "2026-02-01"));

    let page = desk.transactions_search(typed("lone star")).await.unwrap();
    let found = &page.rows[0];
    assert_eq!((page.total, found.own_id.as_str()), (1, "t00007"));
    assert_eq!(found.batch.as_deref(), Some(batch.id.as_str()));

    let detail = desk.transaction_detail(TransactionId { id: found.id.clone() }).await.unwrap();
    let tax = detail.amounts.iter().find(|amount| amount.field == "sl_tax").unwrap();
    assert_eq!((tax.provided.as_deref(), tax.calculated.as_deref()), (Some("50.00"), Some("48.50")));
    assert!(tax.differs && !tax.why.is_empty(), "{tax:?}");
    assert_eq!(detail.sent[0].batch_name, "week.csv");
    assert!(detail.timeline[0].done && detail.timeline.iter().filter(|step| step.done).count() == 1);
    let steps: Vec<&str> = detail.timeline.iter().map(|step| step.step.as_str()).collect();
    let awaited = ["imported", "ready", "filed", "tax_paid", "stamping_fee_paid", "state_number"];
    assert_eq!(steps, awaited, "Texas has no other taxes to wait for");

    let question =
        TransactionQuestion { invoice_number: "INV-t00007".into(), ..TransactionQuestion::default() };
    assert_eq!(desk.transaction_status(question).await.unwrap().row.id, found.id);
    let unknown = TransactionQuestion { id: "999999".into(), ..TransactionQuestion::default() };
    assert_eq!(desk.transaction_status(unknown).await.unwrap_err().code, ErrorCode::NotFound);

    // Offline, all of it is still there.
    let mut test = test;
    test.darken().await;
    let again = desk.transactions_search(typed("lone star")).await.unwrap();
    assert_eq!(again.total, 1);
    let failed = desk.transactions_refresh(refresh).await;
    let trouble = match failed {
        Ok(_) => desk.transactions_refresh_wait().await.unwrap().trouble,
        Err(error) => error.message,
    };
    assert!(!trouble.is_empty());
}

/// Where the service leaves out our own id, the number that its results gave is proof enough.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_sent_is_known_by_the_services_number() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let batch = sent(&desk, many("t", 3)).await;
    let names = serde_json::json!({"action": "set_dialects", "names": ["unique-id-null"]});
    test.drive("POST", "actions", names).await;
    let refresh = TransactionsRefresh {
        policy_effective: DayRange { from: "2026-02-01".into(), to: "2026-02-28".into() },
        ..TransactionsRefresh::default()
    };
    desk.transactions_refresh(refresh).await.unwrap();
    desk.transactions_refresh_wait().await.unwrap();
    let page = desk.transactions_search(typed("")).await.unwrap();
    assert_eq!(page.total, 3);
    for found in &page.rows {
        assert_eq!((found.own_id.as_str(), found.batch.as_ref()), ("", Some(&batch.id)));
        let detail = desk.transaction_detail(TransactionId { id: found.id.clone() }).await.unwrap();
        assert_eq!((detail.sent.len(), detail.no_calculation.as_str()), (1, ""));
        let premium = detail.amounts.iter().find(|amount| amount.field == "premium").unwrap();
        assert!(premium.provided.is_some() && premium.calculated.is_some(), "{premium:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn settled_days_are_not_asked_for_again_and_what_this_desk_sent_is_brought() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let mut old = row("old");
    (old.policy_effective_date, old.transaction_effective_date) = (text("2024-03-05"), None);
    sent(&desk, vec![old]).await;
    let range = DayRange { from: "2024-03-01".into(), to: "2024-03-31".into() };
    let refresh = TransactionsRefresh { policy_effective: range, ..TransactionsRefresh::default() };
    desk.transactions_refresh(refresh.clone()).await.unwrap();
    let first = desk.transactions_refresh_wait().await.unwrap();
    assert_eq!((first.new, first.steps), (1, 2), "the days, and the own row: {first:?}");
    desk.transactions_refresh(refresh.clone()).await.unwrap();
    let second = desk.transactions_refresh_wait().await.unwrap();
    assert_eq!((second.read, second.steps), (0, 0), "{second:?}");
    desk.transactions_refresh(TransactionsRefresh { again: true, ..refresh }).await.unwrap();
    assert_eq!(desk.transactions_refresh_wait().await.unwrap().read, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_that_breaks_off_says_why_and_the_next_one_brings_the_rest() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    // More than a page: what came before the failure is kept.
    sent(&desk, many("b", 120)).await;
    let range = DayRange { from: "2024-02-01".into(), to: "2026-02-28".into() };
    let refresh = TransactionsRefresh { policy_effective: range, ..TransactionsRefresh::default() };
    for (kind, said) in
        [("cut_body", "broke"), ("malformed", "cannot be read"), ("error_before", "The service failed")]
    {
        test.fault("search", kind, 1_000).await;
        desk.transactions_refresh(refresh.clone()).await.unwrap();
        let failed = desk.transactions_refresh_wait().await.unwrap();
        assert_eq!(failed.stage, RefreshStage::Failed, "{kind}: {failed:?}");
        assert!(failed.trouble.contains(said), "{kind}: {}", failed.trouble);
        let overview = desk.transactions_overview(Nothing {}).await.unwrap();
        assert!(
            overview.fetched.iter().all(|days| days.to.as_str() < "2026-02-23"),
            "{:?}",
            overview.fetched
        );
        test.drive("DELETE", "faults", serde_json::json!({})).await;
    }
    desk.transactions_refresh(refresh).await.unwrap();
    let done = desk.transactions_refresh_wait().await.unwrap();
    assert_eq!((done.stage, done.trouble.as_str()), (RefreshStage::Done, ""), "{done:?}");
    assert_eq!(desk.transactions_overview(Nothing {}).await.unwrap().records, 120);
}

/// Waits for so many transactions that nobody fetched.
async fn await_records(desk: &Desk, count: u32, within: Duration) {
    let all = async {
        while desk.transactions_overview(Nothing {}).await.unwrap().records < count {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    if tokio::time::timeout(within, all).await.is_err() {
        let overview = desk.transactions_overview(Nothing {}).await.unwrap();
        panic!("{} of {count} transactions: {overview:?}", overview.records);
    }
}

/// However many rows and whatever their dates: what was sent from here comes in, in as many turns as it takes.
#[tokio::test(flavor = "multi_thread")]
async fn all_of_a_large_batch_is_there_without_fetching() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    desk.set_outbox_pace(OutboxPace { part_rows: 1_000, ..quick() });
    let mut rows = many("t", 2_150);
    for (at, row) in rows.iter_mut().enumerate() {
        // Before the twelve months; the last ones on a day of their own.
        let day = if at < 2_040 { "2024-03-05" } else { "2024-09-05" };
        (row.policy_effective_date, row.transaction_effective_date) = (text(day), None);
    }
    sent(&desk, rows).await;
    let gaps = |list: DueList| {
        list.gaps.into_iter().filter(|gap| gap.contains("sent from here")).collect::<Vec<_>>()
    };
    let missing = gaps(desk.due_list(DueRequest::default()).await.unwrap());
    assert!(missing[0].contains(" 2,150 transactions "), "{missing:?}");
    desk.begin_auto_refresh();
    await_records(&desk, 2_150, Duration::from_secs(60)).await;
    assert_eq!(gaps(desk.due_list(DueRequest::default()).await.unwrap()), [""; 0]);
}

/// A profile without a key fails at each turn, later and later; the key ends that pause.
#[tokio::test(flavor = "multi_thread")]
async fn transactions_come_in_at_once_when_a_key_is_entered() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    sent(&desk, many("t", 3)).await;
    let running = test.service.as_ref().unwrap();
    let ca_file = test.folder.path().join("office.pem");
    std::fs::write(&ca_file, &running.ca_pem).unwrap();
    let office = Profile {
        base_url: running.base_url.clone(),
        ca_file: file_handle(&desk, &ca_file),
        ..profile("Office")
    };
    let id = desk.profile_save(office).await.unwrap().profile.id;
    desk.profile_select(ProfileId { id: id.clone() }).await.unwrap();
    desk.begin_auto_refresh();
    // A turn that fails leaves nothing to wait for; there is one every second.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    desk.profile_set_key(SetApiKey { id, key: running.api_key.clone() }).await.unwrap();
    // The first pause alone would be 15 seconds.
    await_records(&desk, 3, Duration::from_secs(8)).await;
}
