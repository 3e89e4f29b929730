//! Searching: every record once, whatever the number of pages and whatever goes wrong on the way.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bordereau_client::{
    Client, ClientError, MemoryTokens, RecordSearch, SearchOptions, SearchOrder, SearchProgress,
    SearchShortfall, ShortfallReason, TransactionLookup,
};
use bordereau_contract::{BatchStatus, DateRange, ImportTransaction, SearchRequest, TransactionRecord};
use chrono::{Days, NaiveDate};
use serde_json::{Value, json};

use crate::practice::Practice;
use crate::scripted::{Scripted, answer, json_answer};

const FIRST: NaiveDate = NaiveDate::from_ymd_opt(2026, 1, 1).unwrap();

fn date(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).expect("a date")
}

/// Everything a search found.
pub struct SearchOutcome {
    pub records: Vec<TransactionRecord>,
    /// What could not be read.
    pub shortfalls: Vec<SearchShortfall>,
}

pub async fn search_all(
    client: &Client,
    request: &SearchRequest,
    options: SearchOptions,
    mut on_progress: impl FnMut(SearchProgress),
) -> Result<SearchOutcome, ClientError> {
    let mut search = client.search_transactions(request, options);
    let mut records = Vec::new();
    while let Some(found) = search.next().await {
        let found = found?;
        records.extend(found.records);
        on_progress(found.progress);
    }
    Ok(SearchOutcome { records, shortfalls: search.shortfalls().to_vec() })
}

/// Transactions, some on each day from the first of January on.
async fn imported(practice: &Practice, per_day: &[usize]) {
    let client = practice.with_key(practice.config());
    let day = |number: usize| {
        FIRST.checked_add_days(Days::new(u64::try_from(number).expect("small"))).expect("a day")
    };
    let rows: Vec<_> = per_day
        .iter()
        .enumerate()
        .flat_map(|(number, count)| (0..*count).map(move |row| (number, row)))
        .map(|(number, row)| ImportTransaction {
            id: format!("{number:03}-{row:05}"),
            policy_effective_date: Some(day(number).to_string()),
            ..ImportTransaction::default()
        })
        .collect();
    for part in rows.chunks(10_000) {
        let accepted = client.import_batch(part).await.expect("accepted");
        for round in 0.. {
            let results = client.import_results(&accepted.batch_id).await.expect("results");
            if results.status == BatchStatus::Processed {
                break;
            }
            assert!(round < 1_200, "the batch is not processed");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

fn january(to: NaiveDate) -> SearchRequest {
    SearchRequest { policy_effective_date: Some(DateRange { from: FIRST, to }), ..SearchRequest::default() }
}

fn ids(records: &[TransactionRecord]) -> Vec<&str> {
    records.iter().map(|record| record.unique_id.as_deref().expect("an own id")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_record_once_in_either_order() {
    let practice = Practice::start().await;
    imported(&practice, &[230, 0, 171, 4]).await;
    let client = practice.with_key(practice.config());
    for order in [SearchOrder::AsTheyCome, SearchOrder::ByPage] {
        // Whatever fits, in one part, in several, or split down to its days.
        for (pages_max, concurrent) in [(50, 12), (50, 1), (5, 4), (4, 3), (1, 2)] {
            let options = SearchOptions { order, pages_max, concurrent };
            let mut heard: Vec<SearchProgress> = Vec::new();
            let request = january(date(2026, 1, 31));
            let outcome = search_all(&client, &request, options, |progress| heard.push(progress)).await;
            let outcome = outcome.expect("an outcome");
            let different: BTreeSet<_> = ids(&outcome.records).into_iter().collect();
            assert_eq!((outcome.records.len(), different.len()), (405, 405), "{options:?}");
            assert_eq!(outcome.shortfalls, [], "{options:?}");
            if order == SearchOrder::ByPage {
                let found = ids(&outcome.records);
                assert!(found.is_sorted(), "{options:?}: {found:?}");
            }
            let last = heard.last().expect("progress");
            assert_eq!((last.records, last.of), (405, Some(405)), "{options:?}");
            assert!(heard.iter().all(|progress| progress.of == Some(405)), "{options:?}: {heard:?}");
            assert!(heard.windows(2).all(|pair| pair[0].records <= pair[1].records));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn generated_ranges() {
    let practice = Practice::start().await;
    let per_day: Vec<usize> = (0..40).map(|day| (day * 7) % 13 * (day % 3)).collect();
    imported(&practice, &per_day).await;
    let client = practice.with_key(practice.config());
    let day = |number: u64| FIRST.checked_add_days(Days::new(number)).expect("a day");
    // The same pseudo-random ranges every time.
    let mut state = 20_261_121_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..25 {
        let (one, other) = (random(45), random(45));
        let options = SearchOptions {
            pages_max: u32::try_from(random(4) + 1).expect("small"),
            concurrent: usize::try_from(random(6) + 1).expect("small"),
            order: SearchOrder::AsTheyCome,
        };
        let request = SearchRequest {
            policy_effective_date: Some(DateRange { from: day(one), to: day(other) }),
            ..SearchRequest::default()
        };
        let expected: usize = per_day
            .iter()
            .zip(0_u64..)
            .filter(|(_, day)| (one.min(other)..=one.max(other)).contains(day))
            .map(|(count, _)| count)
            .sum();
        let outcome = search_all(&client, &request, options, |_| {}).await.expect("an outcome");
        assert_eq!(outcome.records.len(), expected, "{one} to {other}, {options:?}");
        assert!(outcome.shortfalls.iter().all(|short| short.reason == ShortfallReason::TooManyOnOneDay));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn more_pages_on_one_day_than_there_can_be() {
    let practice = Practice::start().await;
    imported(&practice, &[10, 2_560, 10]).await;
    let client = practice.with_key(practice.config());
    let outcome = search_all(&client, &january(date(2026, 1, 31)), SearchOptions::default(), |_| {}).await;
    let outcome = outcome.expect("an outcome");
    assert_eq!(outcome.records.len(), 2_520, "as far as the service goes");
    let [short] = &outcome.shortfalls[..] else { panic!("{:?}", outcome.shortfalls) };
    assert_eq!((short.reason, short.of, short.records), (ShortfallReason::TooManyOnOneDay, 2_560, 2_500));
    let day = date(2026, 1, 2);
    assert_eq!(short.request.policy_effective_date, Some(DateRange { from: day, to: day }));
    assert!(short.to_string().contains("2560 transactions fall on one day"), "{short}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_dates_everything_that_has_some_is_found() {
    let practice = Practice::start().await;
    imported(&practice, &[60, 60]).await;
    let client = practice.with_key(practice.config());
    let undated = ImportTransaction { id: "undated".to_owned(), ..ImportTransaction::default() };
    client.import_single(&undated).await.expect("a result");
    let everything = SearchRequest::default();
    let options = SearchOptions { pages_max: 2, ..SearchOptions::default() };
    let outcome = search_all(&client, &everything, options, |_| {}).await.expect("an outcome");
    assert_eq!(outcome.records.len(), 120);
    let [short] = &outcome.shortfalls[..] else { panic!("{:?}", outcome.shortfalls) };
    assert_eq!((short.reason, short.of, short.records), (ShortfallReason::WithoutDates, 121, 120));
    let whole = search_all(&client, &everything, SearchOptions::default(), |_| {}).await.expect("an outcome");
    assert_eq!((whole.records.len(), whole.shortfalls.len()), (121, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_on_the_way_table() {
    let practice = Practice::start().await;
    imported(&practice, &[120, 120]).await;
    for (kind, times) in [
        ("error_before", 2),
        ("error_after", 2),
        ("cut", 2),
        ("cut_body", 2),
        ("cut_before", 2),
        ("delay", 3),
    ] {
        let client = practice.with_key(practice.config());
        let fault = json!({ "operation": "search", "kind": kind, "times": times, "delay_ms": 150 });
        practice.drive("POST", "faults", fault).await;
        let outcome =
            search_all(&client, &january(date(2026, 1, 31)), SearchOptions::default(), |_| {}).await;
        let outcome = outcome.unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_eq!((outcome.records.len(), outcome.shortfalls.len()), (240, 0), "{kind}");
        assert_eq!(practice.faults_left().await, 0, "{kind}");
    }
}

/// Everything that is left of a search, whatever goes wrong on the way; and what went wrong.
async fn rest(mut search: RecordSearch) -> (Vec<TransactionRecord>, Vec<ClientError>) {
    let (mut records, mut errors) = (Vec::new(), Vec::new());
    while let Some(found) = search.next().await {
        match found {
            Ok(found) => records.extend(found.records),
            Err(error) => errors.push(error),
        }
        assert!(errors.len() < 100, "it comes to no end: {errors:?}");
    }
    assert!(search.next().await.is_none(), "the end stays the end");
    (records, errors)
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_error_the_search_goes_on_where_it_was() {
    let practice = Practice::start().await;
    imported(&practice, &[120, 120]).await;
    let client = practice.with_key(practice.config());
    // Answers that cannot be read are not asked for again; those that break off again and again end in an error too.
    for (kind, times) in [("malformed", 2), ("cut_body", 20), ("cut", 20), ("error_after", 20)] {
        for order in [SearchOrder::AsTheyCome, SearchOrder::ByPage] {
            let options = SearchOptions { order, ..SearchOptions::default() };
            let mut search = client.search_transactions(&january(date(2026, 1, 31)), options);
            let first = search.next().await.expect("not the end").expect("a page");
            practice.fault("search", kind, times).await;
            let (records, errors) = rest(search).await;
            let records = [first.records, records].concat();
            let different: BTreeSet<_> = ids(&records).into_iter().collect();
            assert_eq!((records.len(), different.len()), (240, 240), "{kind}, {order:?}");
            assert!(!errors.is_empty(), "{kind}, {order:?}");
            let is_meant = |error: &ClientError| match kind {
                "malformed" => matches!(error, ClientError::Unreadable { .. }),
                "error_after" => matches!(error, ClientError::ServiceFailed { .. }),
                _ => matches!(error, ClientError::Interrupted { .. }),
            };
            assert!(errors.iter().all(is_meant), "{kind}, {order:?}: {errors:?}");
            assert_eq!(practice.faults_left().await, 0, "{kind}, {order:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_429_in_the_middle_is_waited_for_and_nothing_is_missing() {
    let practice = Practice::start().await;
    imported(&practice, &[120, 120]).await;
    // One second before the minute of the service ends, so that there is little to wait for.
    practice.clock.advance(59);
    let client = practice.with_key(practice.config());
    let mut search = client.search_transactions(&january(date(2026, 1, 31)), SearchOptions::default());
    let first = search.next().await.expect("not the end").expect("a page");
    practice.fault("search", "rate_limit", 1).await;
    let (records, errors) = rest(search).await;
    assert_eq!((first.records.len() + records.len(), errors), (240, Vec::new()));
    assert_eq!(practice.faults_left().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_ends_in_the_middle_is_renewed_or_asked_for() {
    let practice = Practice::start().await;
    imported(&practice, &[120, 120]).await;
    let client = practice.with_user(Arc::new(MemoryTokens::new()));
    client.sign_in("practice", &practice.password()).await.expect("signed in");
    // An hour ends the access token, which is renewed; a month the sign-in itself.
    for (seconds, asks) in [(3_601, false), (40 * 86_400, true)] {
        let mut search = client.search_transactions(&january(date(2026, 1, 31)), SearchOptions::default());
        let first = search.next().await.expect("not the end").expect("a page");
        practice.clock.advance(seconds);
        let mut records = first.records;
        let mut asked = 0;
        while let Some(found) = search.next().await {
            match found {
                Ok(found) => records.extend(found.records),
                Err(ClientError::SignInAgain { .. }) => {
                    asked += 1;
                    assert!(asked < 100, "it comes to no end");
                    client.sign_in("practice", &practice.password()).await.expect("signed in");
                }
                Err(error) => panic!("{error}"),
            }
        }
        let different: BTreeSet<_> = ids(&records).into_iter().collect();
        assert_eq!((records.len(), different.len()), (240, 240), "after {seconds} s");
        assert_eq!(asked > 0, asks, "after {seconds} s");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_429_is_waited_for_within_the_calls_time() {
    let practice = Practice::start().await;
    imported(&practice, &[120]).await;
    let mut config = practice.config();
    config.timeouts.overall = Duration::from_secs(1);
    config.limit_window = Duration::from_secs(1);
    let client = practice.with_key(config);
    practice.fault("search", "rate_limit", 1).await;
    let error =
        client.search_page(&SearchRequest::default(), 1).await.expect_err("a minute is too long here");
    assert!(matches!(error, ClientError::RateLimited { .. }), "{error}");
}

#[tokio::test]
async fn retry_after_holds_back_every_page() {
    let asked = Arc::new(AtomicU32::new(0));
    let counted = asked.clone();
    let service = Scripted::start(move |request| match counted.fetch_add(1, Ordering::SeqCst) {
        1 => answer(429, "retry-after: 1\r\n", ""),
        _ => json_answer(200, &page_of(request, 150, &(1..=150).collect::<Vec<_>>())),
    })
    .await;
    let started = std::time::Instant::now();
    let outcome =
        search_all(&service.client(), &SearchRequest::default(), SearchOptions::default(), |_| {}).await;
    assert_eq!(outcome.expect("an outcome").records.len(), 150);
    assert!(started.elapsed() >= Duration::from_millis(990));
    assert_eq!(asked.load(Ordering::SeqCst), 4, "three pages and the one refused");
}

fn page_number(request: &str) -> usize {
    let asked = request.split_once("?page=").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
    asked.expect("a page is asked for")
}

/// The page a request asks for, out of the records given.
fn page_of(request: &str, total: usize, records: &[usize]) -> String {
    let page = page_number(request);
    let data: Vec<Value> =
        records.iter().skip((page - 1) * 50).take(50).map(|id| json!({ "id": id, "premium": 5 })).collect();
    let pages = total.div_ceil(50);
    json!({ "data": data, "pagination": { "total": total, "per_page": 50, "page": page, "pages": pages } })
        .to_string()
}

#[tokio::test]
async fn an_empty_list_is_an_answer_whatever_stands_beside_it() {
    for (body, is_read) in [
        (r#"{"data":[],"pagination":{}}"#, true),
        (r#"{"data":[],"pagination":[]}"#, true),
        (r#"{"data":[],"pagination":{"count":0,"next":null}}"#, true),
        ("[]", true),
        (r#"{"data":"none","pagination":{}}"#, false),
        (r#"{"pagination":{}}"#, false),
    ] {
        let service = Scripted::start(move |_| json_answer(200, body)).await;
        let read = service.client().search_page(&SearchRequest::default(), 1).await;
        assert_eq!(read.as_ref().map(|page| page.data.len()).ok(), is_read.then_some(0), "{body}: {read:?}");
    }
}

/// A 404 that says in the service's JSON that there are none is an empty page; any other is an error.
#[tokio::test]
async fn a_search_may_find_nothing_with_a_404() {
    for (body, is_read) in [
        (r#"{"message":"No transactions found"}"#, true),
        (r#"{"status":404,"detail":"There are no matching records for these dates."}"#, true),
        (r#"{"data":{"error":"No results"}}"#, true),
        (r#"{"message":"Not found"}"#, false),
        (r#"{"message":"No such transaction search"}"#, false),
        (r#"{"message":"No handler for transactions"}"#, false),
        ("No transactions found", false),
        ("<html><title>404</title><p>No results found</p></html>", false),
        ("", false),
    ] {
        let service = Scripted::start(move |_| answer(404, "", body)).await;
        let read = service.client().search_page(&SearchRequest::default(), 1).await;
        assert_eq!(read.as_ref().map(|page| page.data.len()).ok(), is_read.then_some(0), "{body}: {read:?}");
    }
}

/// A provider that lists the newest first, where a new record pushes all others on while pages are read.
#[tokio::test]
async fn records_added_while_paging_push_none_out_of_sight() {
    let records = Arc::new(Mutex::new((1..=200_usize).rev().collect::<Vec<_>>()));
    let (listed, answers) = (records.clone(), AtomicU32::new(0));
    let service = Scripted::start(move |request| {
        let mut listed = listed.lock().expect("records");
        let answered = json_answer(200, &page_of(request, listed.len(), &listed));
        if answers.fetch_add(1, Ordering::SeqCst) == 2 {
            listed.insert(0, 201);
        }
        answered
    })
    .await;
    for order in [SearchOrder::AsTheyCome, SearchOrder::ByPage] {
        let options = SearchOptions { order, concurrent: 2, ..SearchOptions::default() };
        let outcome = search_all(&service.client(), &SearchRequest::default(), options, |_| {}).await;
        let outcome = outcome.expect("an outcome");
        let found: BTreeSet<_> = outcome.records.iter().map(|record| record.id).collect();
        assert_eq!((found.len(), outcome.records.len()), (201, 201), "{order:?}");
        assert_eq!(outcome.shortfalls, []);
    }
}

#[tokio::test]
async fn records_that_never_stand_still_are_reported() {
    let count = AtomicU32::new(0);
    let service = Scripted::start(move |request| {
        let more = usize::try_from(count.fetch_add(1, Ordering::SeqCst)).expect("small");
        let records: Vec<_> = (1..=100 + more).collect();
        json_answer(200, &page_of(request, records.len(), &records))
    })
    .await;
    let outcome =
        search_all(&service.client(), &SearchRequest::default(), SearchOptions::default(), |_| {}).await;
    let outcome = outcome.expect("an outcome");
    assert_eq!(outcome.shortfalls.len(), 1);
    assert_eq!(outcome.shortfalls[0].reason, ShortfallReason::Changing);
    assert!(outcome.records.len() >= 100);
}

/// A provider whose pages overlap: a record is handed out once, and what is missing for it is told.
#[tokio::test]
async fn records_on_several_pages_are_handed_out_once() {
    let service = Scripted::start(|request| {
        let page = page_number(request) - 1;
        let data: Vec<Value> =
            (page * 40 + 1..=page * 40 + 50).map(|id| json!({ "id": id, "premium": 5 })).collect();
        let pagination = json!({ "total": 200, "per_page": 50, "page": page + 1, "pages": 4 });
        json_answer(200, &json!({ "data": data, "pagination": pagination }).to_string())
    })
    .await;
    for order in [SearchOrder::AsTheyCome, SearchOrder::ByPage] {
        let options = SearchOptions { order, ..SearchOptions::default() };
        let outcome = search_all(&service.client(), &SearchRequest::default(), options, |_| {}).await;
        let outcome = outcome.expect("an outcome");
        let found: BTreeSet<_> = outcome.records.iter().map(|record| record.id).collect();
        assert_eq!((found.len(), outcome.records.len()), (170, 170), "{order:?}");
        let [short] = &outcome.shortfalls[..] else { panic!("{:?}", outcome.shortfalls) };
        assert_eq!((short.reason, short.of, short.records), (ShortfallReason::Missing, 200, 170));
    }
}

/// A provider that answers the first page whatever page is asked for.
#[tokio::test]
async fn the_same_page_again_and_again_is_handed_out_once() {
    let data: Vec<Value> = (1..=50).map(|id| json!({ "id": id, "premium": 5 })).collect();
    let pagination = json!({ "total": 200, "per_page": 50, "page": 1, "pages": 4 });
    let counted = json!({ "data": data, "pagination": pagination });
    for answered in [counted, json!({ "data": data })] {
        let service = Scripted::start(move |_| json_answer(200, &answered.to_string())).await;
        let options = SearchOptions::default();
        let outcome = search_all(&service.client(), &SearchRequest::default(), options, |_| {}).await;
        let outcome = outcome.expect("an outcome");
        assert_eq!(outcome.records.len(), 50);
        assert_eq!(outcome.shortfalls.len(), 1, "there may be more");
        assert!(service.requests().len() < 20, "{}", service.requests().len());
    }
}

/// Services that count the records of each page, that send a list alone, or that have no content where nothing is found.
#[tokio::test]
async fn pages_of_other_forms_are_read_to_the_end() {
    for form in ["counted by page", "a list", "no content"] {
        let service = Scripted::start(move |request| {
            let page = page_number(request);
            let ids = if page <= 2 { page * 10..page * 10 + 6 - page } else { 0..0 };
            let data: Vec<Value> = ids.map(|id| json!({ "id": id, "premium": 5 })).collect();
            let pagination = json!({ "total": data.len(), "per_page": 5, "page": page, "pages": 2 });
            match form {
                "counted by page" => {
                    json_answer(200, &json!({ "data": data, "pagination": pagination }).to_string())
                }
                "no content" if data.is_empty() => answer(204, "", ""),
                _ => json_answer(200, &json!(data).to_string()),
            }
        })
        .await;
        let outcome =
            search_all(&service.client(), &SearchRequest::default(), SearchOptions::default(), |_| {}).await;
        let outcome = outcome.expect(form);
        assert_eq!(
            (outcome.records.len(), outcome.shortfalls.len()),
            (9, 0),
            "{form}: {:?}",
            outcome.shortfalls
        );
    }
}

/// A record whose date is changed while a split search is read is found in two of its parts.
#[tokio::test]
async fn a_record_in_two_parts_is_handed_out_once() {
    let service = Scripted::start(|request| match request.contains("policy_effective_date") {
        true => json_answer(200, &page_of(request, 1, &[7])),
        false => json_answer(200, &page_of(request, 60, &(1..=60).collect::<Vec<_>>())),
    })
    .await;
    let options = SearchOptions { pages_max: 1, ..SearchOptions::default() };
    let outcome = search_all(&service.client(), &SearchRequest::default(), options, |_| {}).await;
    let outcome = outcome.expect("an outcome");
    assert_eq!(outcome.records.iter().map(|record| record.id).collect::<Vec<_>>(), [7]);
    assert_eq!(outcome.shortfalls.len(), 1, "59 of 60 are told as missing");
}

/// A provider whose announcements cannot be trusted must not keep the client busy forever.
#[tokio::test]
async fn announcements_that_are_not_kept() {
    let endless = json!({ "data": [], "pagination": { "total": 900_000_000_000_u64, "per_page": 50, "page": 1, "pages": u64::MAX / 2 } });
    let service = Scripted::start(move |request| match request.contains("?page=1 ") {
        true => json_answer(200, &endless.to_string()),
        false => json_answer(200, r#"{"data":[],"pagination":{"total":0,"per_page":50,"page":2,"pages":0}}"#),
    })
    .await;
    let day = DateRange { from: FIRST, to: FIRST };
    let request = SearchRequest { date_filed: Some(day), ..SearchRequest::default() };
    let options = SearchOptions { concurrent: 2, ..SearchOptions::default() };
    let outcome = search_all(&service.client(), &request, options, |_| {}).await.expect("an outcome");
    assert_eq!(outcome.records, []);
    assert_eq!(outcome.shortfalls.len(), 1, "{:?}", outcome.shortfalls);
    assert!(service.requests().len() < 60, "{}", service.requests().len());
}

#[tokio::test]
async fn what_is_not_taken_is_not_asked_for() {
    let service = Scripted::start(|request| {
        json_answer(200, &page_of(request, 2_000, &(1..=2_000).collect::<Vec<_>>()))
    })
    .await;
    for order in [SearchOrder::AsTheyCome, SearchOrder::ByPage] {
        let before = service.requests().len();
        let options = SearchOptions { order, concurrent: 3, ..SearchOptions::default() };
        let client = service.client();
        let mut search = client.search_transactions(&SearchRequest::default(), options);
        assert_eq!(service.requests().len(), before, "nothing is sent before it is asked for");
        for _ in 0..4 {
            search.next().await.expect("not the end").expect("a page");
        }
        drop(search);
        tokio::task::yield_now().await;
        let asked = service.requests().len() - before;
        assert!(asked <= 4 + 2 * 3, "{order:?}: {asked} pages asked for, four taken");
    }
}

/// `next` may be dropped while it waits: nothing it had is lost.
#[tokio::test]
async fn giving_up_a_wait_loses_nothing() {
    let service =
        Scripted::start(|request| json_answer(200, &page_of(request, 400, &(1..=400).collect::<Vec<_>>())))
            .await;
    let client = service.client();
    let mut search = client.search_transactions(&SearchRequest::default(), SearchOptions::default());
    let mut found = BTreeSet::new();
    let mut given_up = 0;
    loop {
        tokio::select! {
            biased;
            () = tokio::task::yield_now(), if given_up < 200 => given_up += 1,
            next = search.next() => match next {
                Some(page) => found.extend(page.expect("a page").records.into_iter().map(|record| record.id)),
                None => break,
            },
        }
    }
    assert_eq!(found.len(), 400);
}

#[tokio::test]
async fn dates_are_sent_in_order() {
    let service = Scripted::start(|request| json_answer(200, &page_of(request, 0, &[]))).await;
    let backwards = DateRange { from: date(2026, 3, 1), to: date(2026, 2, 1) };
    let request = SearchRequest {
        date_filed: Some(backwards),
        transaction_effective_date: Some(backwards),
        ..SearchRequest::default()
    };
    let client = service.client();
    client.search_page(&request, 1).await.expect("a page");
    search_all(&client, &request, SearchOptions::default(), |_| {}).await.expect("an outcome");
    for sent in service.requests() {
        assert!(sent.starts_with("POST /api/v1/search-transactions?page=1 "), "{sent}");
        assert!(sent.contains(r#""date_filed":{"from":"2026-02-01","to":"2026-03-01"}"#), "{sent}");
        assert!(!sent.contains("policy_effective_date"), "{sent}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_transaction_by_its_numbers() {
    let practice = Practice::start().await;
    let client: Client = practice.with_key(practice.config());
    let row = ImportTransaction {
        id: "1".to_owned(),
        invoice_number: Some("INV 1/ä&b".to_owned()),
        ..ImportTransaction::default()
    };
    let id = client.import_single(&row).await.expect("a result").transaction_id.expect("a number");
    practice.fault("transaction_status", "error_before", 2).await;
    for lookup in
        [TransactionLookup::TransactionId(id), TransactionLookup::InvoiceNumber("INV 1/ä&b".to_owned())]
    {
        let record = client.transaction_status(&lookup).await.expect("an answer").expect("a record");
        assert_eq!((record.id, record.transaction_status), (id, 0.into()));
    }
    let unknown = TransactionLookup::InvoiceNumber("INV 2".to_owned());
    assert_eq!(client.transaction_status(&unknown).await.expect("an answer"), None);
}
