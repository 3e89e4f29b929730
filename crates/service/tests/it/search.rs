//! Search by dates, and the record it answers with (contract sections 3 and 8).

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Service, service};
use crate::imports::{STATUS, row};

const SEARCH: &str = "/api/v1/search-transactions";

impl Service {
    async fn search(&self, query: &str, body: &str) -> Answer {
        let request = self.keyed(Method::POST, &format!("{SEARCH}{query}"));
        self.send(request.header("content-type", "application/json").body(body.to_owned())).await
    }

    /// Own ids found, in their order.
    async fn found(&self, body: &str) -> Vec<String> {
        let answer = self.search("", body).await.expect(200).json();
        let data = answer["data"].as_array().unwrap();
        assert_eq!(answer["pagination"]["total"], data.len(), "{answer}");
        data.iter().map(|record| record["unique_id"].as_str().unwrap().to_owned()).collect()
    }

    async fn filed(&self, own_id: &str, status: i64) {
        let change = json!({ "id": own_id, "status": status });
        self.practice(Method::POST, "transactions", Some(change)).await.expect(200);
    }
}

/// One for each of the first days of March, as an endorsement of a policy of 23 February.
async fn march(service: &Service, days: u32) {
    let rows: Vec<_> = (1..=days)
        .map(|day| {
            let mut row = row(&format!("{day:02}"));
            row["transaction_type"] = json!("APE");
            row["transaction_effective_date"] = json!(format!("2026-03-{day:02}"));
            row
        })
        .collect();
    service.imported(&rows).await;
}

fn ids(range: std::ops::RangeInclusive<u32>) -> Vec<String> {
    range.map(|day| format!("{day:02}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn dates_table() {
    let service = service().await;
    march(&service, 9).await;
    // Filed on the service's day, 23 February.
    for own_id in ["03", "04"] {
        service.filed(own_id, 4).await;
    }
    let (policy, filed) =
        (r#"{"from":"2026-02-23","to":"2026-02-23"}"#, r#"{"from":"2026-02-22","to":"2026-02-24"}"#);
    for (body, expected) in [
        ("{}".to_owned(), ids(1..=9)),
        (r#"{"transaction_effective_date":{"from":"2026-03-02","to":"2026-03-04"}}"#.to_owned(), ids(2..=4)),
        // The reverse order is accepted too, and means the days between.
        (r#"{"transaction_effective_date":{"from":"2026-03-04","to":"2026-03-02"}}"#.to_owned(), ids(2..=4)),
        (r#"{"transaction_effective_date":{"from":"2026-03-05","to":"2026-03-05"}}"#.to_owned(), ids(5..=5)),
        (r#"{"transaction_effective_date":{"from":"2026-03-10","to":"2026-12-31"}}"#.to_owned(), Vec::new()),
        // A key given twice: the last one counts, inside and outside.
        (
            r#"{"transaction_effective_date":{"from":"2026-03-01","to":"2026-03-09"},
                "transaction_effective_date":{"from":"2026-03-06","to":"2026-03-06"}}"#
                .to_owned(),
            ids(6..=6),
        ),
        (
            r#"{"transaction_effective_date":{"from":"2026-03-01","from":"2026-03-08","to":"2026-03-09"}}"#
                .to_owned(),
            ids(8..=9),
        ),
        (format!(r#"{{"policy_effective_date":{policy}}}"#), ids(1..=9)),
        (format!(r#"{{"date_filed":{filed}}}"#), ids(3..=4)),
        // All that are given must match.
        (
            format!(
                r#"{{"date_filed":{filed},"policy_effective_date":{policy},
                    "transaction_effective_date":{{"from":"2026-03-04","to":"2026-03-09"}}}}"#
            ),
            ids(4..=4),
        ),
        (r#"{"date_filed":{"from":"2026-02-24","to":"2026-02-28"}}"#.to_owned(), Vec::new()),
        // Null is the same as absent; what the service does not know is passed over.
        (r#"{"date_filed":null,"policy_number":"P-01"}"#.to_owned(), ids(1..=9)),
    ] {
        assert_eq!(service.found(&body).await, expected, "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_without_a_date_of_its_own_has_the_policys() {
    let service = service().await;
    service.single(&row("1")).await;
    let found =
        service.found(r#"{"transaction_effective_date":{"from":"2026-02-23","to":"2026-02-23"}}"#).await;
    assert_eq!(found, ["1"]);
    assert_eq!(service.record("1").await["transaction_effective_date"], "2026-02-23");
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_questions_table() {
    let service = service().await;
    let range = |from: &str, to: &str| json!({ "date_filed": { "from": from, "to": to } }).to_string();
    for (query, body, status, pointer) in [
        ("", range("2026-02-30", "2026-03-01"), 422, "/date_filed/from"),
        ("", range("2026-02-01", "03/01/2026"), 422, "/date_filed/to"),
        ("", range("2026-02-01", "2026-02-01T00:00:00"), 422, "/date_filed/to"),
        ("", range("2026-02-01", "-2026-02-01"), 422, "/date_filed/to"),
        ("", range("", "2026-02-01"), 422, "/date_filed/from"),
        ("", r#"{"date_filed":{"from":"2026-02-01"}}"#.to_owned(), 422, "/date_filed/to"),
        ("", r#"{"date_filed":{"from":20260201,"to":"2026-02-01"}}"#.to_owned(), 422, "/date_filed/from"),
        ("", r#"{"date_filed":"2026-02-01"}"#.to_owned(), 422, "/date_filed"),
        ("", r#"{"transaction_effective_date":[]}"#.to_owned(), 422, "/transaction_effective_date"),
        ("", "[]".to_owned(), 400, ""),
        ("", "{".to_owned(), 400, ""),
        ("?page=0", "{}".to_owned(), 422, "/page"),
        ("?page=-1", "{}".to_owned(), 422, "/page"),
        ("?page=two", "{}".to_owned(), 422, "/page"),
    ] {
        let answer = service.search(query, &body).await;
        assert_eq!(answer.status.as_u16(), status, "{query} {body}: {}", answer.text);
        assert_eq!(answer.header("content-type"), "application/problem+json");
        let expected: Vec<String> = if pointer.is_empty() { Vec::new() } else { vec![pointer.to_owned()] };
        assert_eq!(answer.pointers(), expected, "{query} {body}: {}", answer.text);
    }
    service.send(service.bare(Method::POST, SEARCH).json(&json!({}))).await.expect(401);
    service.send(service.keyed(Method::GET, SEARCH)).await.expect(405);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_fifty() {
    let service = service().await;
    let rows: Vec<_> = (0..120)
        .map(|number| {
            let mut row = row(&format!("{number:03}"));
            row["documents"] = json!([]);
            row
        })
        .collect();
    service.imported(&rows).await;
    let mut seen = Vec::new();
    for (query, size, page) in [
        ("", 50, 1),
        ("?page=1", 50, 1),
        ("?page=2", 50, 2),
        ("?page=3", 20, 3),
        ("?page=4", 0, 4),
        ("?page=9999", 0, 9999),
    ] {
        let answer = service.search(query, "{}").await.expect(200).json();
        let pagination = json!({ "total": 120, "per_page": 50, "page": page, "pages": 3 });
        assert_eq!(answer["pagination"], pagination, "{query}");
        let data = answer["data"].as_array().unwrap();
        assert_eq!(data.len(), size, "{query}");
        if !query.is_empty() {
            seen.extend(data.iter().map(|record| record["unique_id"].as_str().unwrap().to_owned()));
        }
    }
    let expected: Vec<_> = (0..120).map(|number| format!("{number:03}")).collect();
    assert_eq!(seen, expected, "every one once, in a lasting order");
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_fifty_pages_the_dates_must_be_narrowed() {
    let service = service().await;
    let rows: Vec<_> = (0..2_501)
        .map(|number| json!({ "id": format!("{number:04}"), "policy_effective_date": "2026-02-23" }))
        .collect();
    service.imported(&rows).await;
    let last = service.search("?page=50", "{}").await.expect(200).json();
    assert_eq!((last["data"].as_array().unwrap().len(), &last["pagination"]["pages"]), (50, &json!(51)));
    let beyond = service.search("?page=51", "{}").await.expect(422);
    assert_eq!(beyond.pointers(), ["/page"]);
    let past = service.search("?page=52", "{}").await.expect(200).json();
    assert_eq!(past["data"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_field_by_field() {
    let service = service().await;
    let mut policy = row("1");
    policy["agency_fee"] = json!(25);
    service.single(&policy).await;
    let mut saved = row("2");
    for name in ["policy_number", "policy_effective_date", "mailing_insured_name", "invoice_number"] {
        saved[name] = Value::Null;
    }
    service.single(&saved).await;
    service.filed("1", 4).await;
    let answer = service.search("", "{}").await.expect(200).json();
    let record = &answer["data"][0];
    let id = record["id"].as_i64().unwrap();
    let (key, name) = (&record["filed_under_license_number"], &record["filed_under_license_name"]);
    let document = record["transaction_documents"][0]["download_url"].as_str().unwrap();
    assert!(document.starts_with(&format!("{}/transaction/document/{id}/", service.running.base_url)));
    let expected = json!({
            "id": id, "transaction_type": "PN", "transaction_status": 4, "policy_number": "P-1",
            "policy_effective_date": "2026-02-23", "transaction_effective_date": "2026-02-23",
            "policy_expiration_date": "2027-02-23", "date_filed": "2026-02-23",
            "date_ready_to_file": "2026-02-23", "premium": 1000.00, "agency_fee": 25.00,
            "inspection_fee": 0.00, "sl_tax": 48.50, "stamping_fee": 0.40, "sl_service_charge": 0.00,
            "municipal_fee": 0.00, "fm_tax": 0.00, "empa_tax": 0.00, "collection_fee": 0.00,
            "filed_under_license_name": name, "filed_under_license_number": key,
            "mailing_insured_name": "Some Company", "physical_state": "TX",
            "extra_invoice_number": "INV-1", "created_by": "practice",
            "created_date": "2026-02-23 15:00:30 UTC",
            "transaction_documents": [{ "name": "Policy", "code": "POLIC", "download_url": document }],
            "unique_id": "1"
    });
    // Every other member is there and null.
    for (name, value) in record.as_object().unwrap() {
        assert_eq!(*value, expected[name], "{name}");
    }
    for name in
        expected.as_object().unwrap().keys().map(String::as_str).chain(["county_fee", "gl_moved_date"])
    {
        assert!(record.get(name).is_some(), "{name}");
    }
    let incomplete = &answer["data"][1];
    assert_eq!(incomplete["transaction_status"], 0);
    for name in ["policy_number", "policy_effective_date", "policy_expiration_date", "date_filed"] {
        assert_eq!(incomplete[name], Value::Null, "{name}");
    }
    // The same record by either question, with and without the ending.
    for path in [STATUS, STATUS.trim_end_matches(".json")] {
        for question in [format!("transaction_id={id}"), "invoice_number=INV-1".to_owned()] {
            let one = service.send(service.keyed(Method::GET, &format!("{path}?{question}"))).await;
            assert_eq!(one.expect(200).json(), *record, "{path} {question}");
        }
        for unknown in ["transaction_id=999999", "transaction_id=x", "invoice_number=INV-9"] {
            service.send(service.keyed(Method::GET, &format!("{path}?{unknown}"))).await.expect(404);
        }
        service.send(service.keyed(Method::GET, path)).await.expect(422);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_own_transactions_are_found() {
    let service = service().await;
    service.single(&row("mine")).await;
    let other = json!({ "name": "Another Agency", "username": "another", "password": "long enough" });
    let other = service.practice(Method::POST, "accounts", Some(other)).await.expect(201).json();
    let key = other["api_key"].as_str().unwrap_or_default().to_owned();
    let ask = service.bare(Method::POST, SEARCH).header("apiKey", key).json(&json!({}));
    let found = service.send(ask).await.expect(200).json();
    assert_eq!((&found["data"], &found["pagination"]["total"]), (&json!([]), &json!(0)));
    assert_eq!(found["pagination"]["pages"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_hit_the_search_too() {
    let service = service().await;
    let fault = json!({ "operation": "search", "kind": "rate_limit", "times": 1 });
    service.practice(Method::POST, "faults", Some(fault)).await.expect(201);
    let refused = service.search("", "{}").await.expect(429);
    assert_eq!(refused.header("retry-after"), "30");
    service.search("", "{}").await.expect(200);
}
