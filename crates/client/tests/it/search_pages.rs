//! Pages of a search as other services number or link them: each is read, or what is missing is said.

use bordereau_client::{SearchOptions, SearchOrder, ShortfallReason};
use bordereau_contract::SearchRequest;

use crate::scripted::{Scripted, answer, json_answer};
use crate::searching::search_all;

/// Pages that count from 0, of a service that does not say how many there are: none is missing without a word.
#[tokio::test]
async fn a_search_may_begin_at_page_zero() {
    for (says, has_zero, ids, short) in [
        (r#""first":false"#, true, vec![1, 2, 3, 4, 5, 6], None),
        (r#""pagination":{"has_previous":true}"#, true, vec![1, 2, 3, 4, 5, 6], None),
        (r#""previous":"/search?page=0""#, true, vec![1, 2, 3, 4, 5, 6], None),
        (r#""first":false"#, false, vec![3, 4, 5, 6], Some(ShortfallReason::BeforeFirst)),
        // A link to the first page is no such word, nor is that there is none before.
        (r#""first":"/search?page=1","previous":null,"has_prev":false"#, true, vec![3, 4, 5, 6], None),
    ] {
        let service = Scripted::start(move |request| {
            let page = request.split("page=").nth(1).and_then(|rest| rest.split(' ').next());
            let page: usize = page.and_then(|page| page.parse().ok()).unwrap_or(99);
            let rows = match page {
                0 if !has_zero => return json_answer(400, r#"{"message":"Pages begin at 1"}"#),
                0..3 => format!(r#"{{"id":{}}},{{"id":{}}}"#, page * 2 + 1, page * 2 + 2),
                _ => String::new(),
            };
            let rows = rows.replace('}', r#","premium":5}"#);
            json_answer(200, &format!(r#"{{"data":[{rows}],{says}}}"#))
        })
        .await;
        let options = SearchOptions { order: SearchOrder::ByPage, ..SearchOptions::default() };
        let request = SearchRequest::default();
        let outcome = search_all(&service.client(), &request, options, |_| ()).await;
        let outcome = outcome.expect(says);
        assert_eq!(outcome.records.iter().map(|record| record.id).collect::<Vec<_>>(), ids, "{says}");
        assert_eq!(outcome.shortfalls.first().map(|short| short.reason), short, "{says}");
    }
}

/// Pages without numbers are read by the links from one to the next, on the service's own host alone.
#[tokio::test]
async fn a_search_follows_links_where_pages_have_no_numbers() {
    const ALL: [i64; 6] = [1, 2, 3, 4, 5, 6];
    for (how, ids, short) in [
        ("next", ALL.as_slice(), None),
        ("offset", &ALL, None),
        ("hal", &ALL, None),
        ("header", &ALL, None),
        ("elsewhere", &ALL[..2], Some(ShortfallReason::Repeated)),
        ("without end", &ALL[..4], Some(ShortfallReason::Repeated)),
        ("announced", &ALL[..2], Some(ShortfallReason::Missing)),
    ] {
        let service = Scripted::start(move |request| {
            let at = request.split("cursor=c").nth(1).and_then(|rest| rest.split(' ').next());
            let at: usize = at.and_then(|at| at.parse().ok()).unwrap_or_default();
            let rows = format!(r#"{{"id":{},"premium":5}},{{"id":{},"premium":5}}"#, at * 2 + 1, at * 2 + 2);
            let link = format!("/search?cursor=c{}", at + 1);
            let next = if at < 2 { format!(r#""{link}""#) } else { "null".to_owned() };
            let rest = match how {
                "next" => format!(r#","next":{next}"#),
                "offset" => format!(r#","total":6,"nextLink":{}"#, next.replace("?", "?limit=2&page=1&")),
                "hal" => format!(r#","_links":{{"next":{{"href":{next}}}}}"#),
                "elsewhere" => r#","next":"https://other.example/search?cursor=c1""#.to_owned(),
                "without end" => r#","next":"/search?cursor=c1""#.to_owned(),
                "announced" => r#","pagination":{"total":6,"pages":1},"next":null"#.to_owned(),
                _ => String::new(),
            };
            let header = format!("link: </search>; rel=\"first\", <{link}>; rel=\"next\"\r\n");
            let header = if how == "header" && at < 2 { header.as_str() } else { "" };
            answer(200, header, &format!(r#"{{"data":[{rows}]{rest}}}"#))
        })
        .await;
        let options = SearchOptions { order: SearchOrder::ByPage, ..SearchOptions::default() };
        let request = SearchRequest::default();
        let outcome = search_all(&service.client(), &request, options, |_| ()).await;
        let outcome = outcome.expect(how);
        assert_eq!(outcome.records.iter().map(|record| record.id).collect::<Vec<_>>(), ids, "{how}");
        assert_eq!(outcome.shortfalls.first().map(|short| short.reason), short, "{how}");
    }
}

/// A service that says how many records there are, and nothing of its pages: they are as large as the first.
#[tokio::test]
async fn a_number_of_records_alone_tells_how_many_pages_there_are() {
    for (total, ids, short) in [
        (5, [1, 2, 3, 4, 5].as_slice(), None),
        (2, &[1, 2], None),
        (9, &[1, 2, 3, 4, 5], Some(ShortfallReason::Missing)),
    ] {
        let service = Scripted::start(move |request| {
            let page = request.split("page=").nth(1).and_then(|rest| rest.split(' ').next());
            let page: usize = page.and_then(|page| page.parse().ok()).unwrap_or(99);
            let ids = (page * 2 - 1..=page * 2).filter(|id| *id <= total.min(5));
            let rows: Vec<String> = ids.map(|id| format!(r#"{{"id":{id},"premium":5}}"#)).collect();
            let links = format!(r#"{{"self":"/search?page={page}","next":"/search?page={}"}}"#, page + 1);
            let rows = rows.join(",");
            json_answer(200, &format!(r#"{{"data":[{rows}],"links":{links},"meta":{{"total":{total}}}}}"#))
        })
        .await;
        let options = SearchOptions { order: SearchOrder::ByPage, ..SearchOptions::default() };
        let outcome = search_all(&service.client(), &SearchRequest::default(), options, |_| ()).await;
        let outcome = outcome.expect("an answer");
        assert_eq!(outcome.records.iter().map(|record| record.id).collect::<Vec<_>>(), ids, "{total}");
        assert_eq!(outcome.shortfalls.first().map(|short| short.reason), short, "{total}");
    }
}

/// A service that is being restarted answers a page of the search with its own page for people, or sends everybody to
/// one: the question is asked again, like after a 503, and says what came where it keeps doing so.
#[tokio::test]
async fn a_page_for_people_in_the_middle_of_a_search_is_passed() {
    use std::sync::atomic::{AtomicU32, Ordering};
    for (what, times, expected) in [
        ("page", 2, Ok(4)),
        ("redirect", 2, Ok(4)),
        ("page", 9, Err("it is a web page: Back at 6 am")),
        ("redirect", 9, Err("points to /maintenance")),
    ] {
        let left = AtomicU32::new(times);
        let service = Scripted::start(move |request| {
            if !request.starts_with("POST") || request.contains("page=1 ") {
                return json_answer(
                    200,
                    r#"{"data":[{"id":1,"premium":5},{"id":2,"premium":5}],"total":4,"pages":2}"#,
                );
            }
            match left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) {
                Ok(_) if what == "page" => answer(200, "", "\r\n<!doctype html><p>Back at 6 am"),
                Ok(_) => answer(302, "location: /maintenance\r\n", ""),
                Err(_) => json_answer(
                    200,
                    r#"{"data":[{"id":3,"premium":5},{"id":4,"premium":5}],"total":4,"pages":2}"#,
                ),
            }
        })
        .await;
        let found =
            search_all(&service.client(), &SearchRequest::default(), SearchOptions::default(), |_| ()).await;
        match (found.map(|found| found.records.len()), expected) {
            (Ok(found), Ok(count)) => assert_eq!(found, count, "{what} {times}"),
            (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
            (found, expected) => panic!("{what} {times}: {found:?}, not {expected:?}"),
        }
    }
}
