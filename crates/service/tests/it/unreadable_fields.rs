//! What cannot be read of a body: every field of it, each by its pointer and in a sentence that names it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::documents::DOCUMENTS;
use crate::harness::{CALCULATOR, Service, service, texas};
use crate::imports::{BATCH, SINGLE, row};
use crate::receiver::WEBHOOKS;

const SEARCH: &str = "/api/v1/search-transactions";
const SINGLE_V1: &str = "/api/v1/single/transaction";
const DILIGENT: &str = "/api/v1/diligent-forms.json";

/// A body with some members changed.
fn changed(mut body: Value, changes: &Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

fn owned(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut all: Vec<_> =
        expected.iter().map(|(pointer, detail)| ((*pointer).to_owned(), (*detail).to_owned())).collect();
    all.sort();
    all
}

async fn problems(service: &Service, path: &str, body: &Value) -> Vec<(String, String)> {
    let request = service.keyed(Method::POST, path).json(body);
    let answer = service.send(request).await.expect(422).json();
    let errors = answer["errors"].as_array().unwrap().iter();
    let text = |error: &Value, name: &str| error[name].as_str().unwrap().to_owned();
    let mut all: Vec<_> = errors.map(|error| (text(error, "pointer"), text(error, "detail"))).collect();
    // In which order the members of a body come is up to how the test writes it.
    all.sort();
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_of_a_transaction_table() {
    let service = service().await;
    for (changes, expected) in [
        (json!({"id": 7}), vec![("/id", "id must be a string, found 7.")]),
        (json!({"rpg": "yes"}), vec![("/rpg", "rpg must be 0 or 1, found \"yes\".")]),
        (json!({"rpg": 300}), vec![("/rpg", "rpg must be 0 or 1, found 300.")]),
        (json!({"rpg": 2}), vec![("/rpg", "rpg must be 0 or 1, found 2.")]),
        (json!({"premium": "much"}), vec![("/premium", "premium must be a number, found \"much\".")]),
        (json!({"premium": {}}), vec![("/premium", "premium must be a number, found an object.")]),
        (
            json!({"premium": 1e15}),
            vec![("/premium", "premium: the amount is larger than 999,999,999,999.99.")],
        ),
        (
            json!({"assessment_rate": 6}),
            vec![("/assessment_rate", "assessment_rate must be a fraction from 0 to 1, found 6.")],
        ),
        (
            json!({"line_of_business_list": {"item": "GEN-1002"}}),
            vec![("/line_of_business_list", "line_of_business_list must be an array, found an object.")],
        ),
        (
            json!({"policy_type": "odd"}),
            vec![(
                "/policy_type",
                "policy_type must be one of standard, master, cert, reporting_form, found \"odd\".",
            )],
        ),
        (
            json!({"account_written_as": "X"}),
            vec![(
                "/account_written_as",
                "account_written_as must be B (through a retail agent) or DC (direct), found \"X\".",
            )],
        ),
        // Every field, also those deeper down and those that can be read and are wrong.
        (
            json!({
                "policy_number": 7, "layered_risk": true, "premium": [], "total": "?", "rpg": 2,
                "invoice_date": "02/23/2026",
                "line_of_business_list": [
                    {"item": "GEN-1002", "coverage": 1}, {"item": 7, "coverage": "x"}, "GEN-1002",
                ],
                "documents": [{"name": [], "code": "POLIC", "file_name": 1, "content": "aGk="}],
            }),
            vec![
                ("/documents/0/file_name", "documents[0].file_name must be a string, found 1."),
                ("/documents/0/name", "documents[0].name must be a string, found an array."),
                ("/layered_risk", "layered_risk must be 0 or 1, found true."),
                (
                    "/line_of_business_list/1/coverage",
                    "line_of_business_list[1].coverage must be a number, found \"x\".",
                ),
                ("/line_of_business_list/1/item", "line_of_business_list[1].item must be a string, found 7."),
                (
                    "/line_of_business_list/2",
                    "line_of_business_list[2] must be an object, found \"GEN-1002\".",
                ),
                ("/policy_number", "policy_number must be a string, found 7."),
                ("/premium", "premium must be a number, found an array."),
                ("/total", "total must be a number, found \"?\"."),
                ("/invoice_date", "\"02/23/2026\" is not a date; write it like 2026-02-23."),
                ("/rpg", "rpg must be 0 or 1, found 2."),
            ],
        ),
    ] {
        let bad = changed(row("bad"), &changes);
        assert_eq!(problems(&service, SINGLE, &bad).await, owned(&expected), "{changes}");
        let expected: Vec<_> =
            expected.iter().map(|(at, detail)| (format!("/transactions/1{at}"), *detail)).collect();
        let expected: Vec<_> = expected.iter().map(|(at, detail)| (at.as_str(), *detail)).collect();
        let batch = json!({"transactions": [row("good"), bad, row("other")]});
        assert_eq!(problems(&service, BATCH, &batch).await, owned(&expected), "{changes}");
    }
    assert_eq!(service.stored().await["count"], 0, "nothing was kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_of_every_other_body_table() {
    let service = service().await;
    let webhook = |changes| {
        changed(
            json!({"title": "W", "url": "https://example.com/", "events": ["webhook.batch.status.failed"]}),
            &changes,
        )
    };
    let diligent = |changes| {
        let body = json!({"state": "TX", "transaction_type": "PN", "policy_effective_date": "2026-02-23"});
        changed(body, &changes)
    };
    for (path, body, expected) in [
        (
            BATCH,
            json!({"transactions": [7, {"premium": "x"}]}),
            vec![
                ("/transactions/0", "The transaction must be an object, found 7."),
                ("/transactions/1/premium", "premium must be a number, found \"x\"."),
                (
                    "/transactions/1/id",
                    "id is required: the caller's own, by which the transaction is known again.",
                ),
            ],
        ),
        (
            BATCH,
            json!({"transactions": 7}),
            vec![("/transactions", "transactions must be an array of transactions, given once.")],
        ),
        (SINGLE_V1, json!({"batch_id": "b"}), vec![("/transaction", "transaction is required.")]),
        (
            SINGLE_V1,
            json!({"batch_id": 7, "total_items": -1, "transaction": {"premium": "x", "rpg": "x"}}),
            vec![
                ("/batch_id", "batch_id must be a string, found 7."),
                ("/total_items", "total_items must be a whole number from 0 to 4294967295, found -1."),
                ("/transaction/premium", "transaction.premium must be a number, found \"x\"."),
                ("/transaction/rpg", "transaction.rpg must be 0 or 1, found \"x\"."),
            ],
        ),
        (DOCUMENTS, json!({"transaction_id": 1}), vec![("/documents", "documents is required.")]),
        (
            DOCUMENTS,
            json!({"transaction_id": "one", "documents": [{"name": 1}, 2]}),
            vec![
                ("/documents/0/name", "documents[0].name must be a string, found 1."),
                ("/documents/1", "documents[1] must be an object, found 2."),
                (
                    "/transaction_id",
                    "transaction_id must be a whole number of at most 18 digits, found \"one\".",
                ),
            ],
        ),
        (
            WEBHOOKS,
            webhook(json!({"events": ["webhook.none", 7], "states": ["TX", 7], "title": null, "more": 1})),
            vec![
                ("/events/0", ""),
                ("/events/1", "events[1] must be a string, found 7."),
                (
                    "/more",
                    "more is not known; known here: title, description, events, url, header_key, \
                     header_value, states.",
                ),
                ("/states/1", "states[1] must be a string, found 7."),
                ("/title", "title must be a string, found null."),
            ],
        ),
        (WEBHOOKS, webhook(json!({"states": ["Texas"]})), vec![("/states/0", "")]),
        (
            DILIGENT,
            diligent(
                json!({"ecp": "no", "values": {"insured_name": 7, "a/b": []}, "declinations": [{"naic": 1}]}),
            ),
            vec![
                ("/declinations/0/naic", "declinations[0].naic must be a string, found 1."),
                ("/ecp", "ecp must be 0 or 1, found \"no\"."),
                ("/values/a~1b", "values.a/b must be a string, found an array."),
                ("/values/insured_name", "values.insured_name must be a string, found 7."),
            ],
        ),
        (
            SEARCH,
            json!({"date_filed": {"from": "soon", "to": 7}, "policy_effective_date": {"from": "2026-01-01"}}),
            vec![
                ("/date_filed/from", "date_filed.from: \"soon\" is not a date; write it like 2026-02-23."),
                ("/date_filed/to", "date_filed.to must be a string, found 7."),
                ("/policy_effective_date/to", "policy_effective_date.to is required."),
            ],
        ),
        (
            CALCULATOR,
            changed(
                texas(),
                &json!({"physical_state": 7, "agency_fee": "x", "rpg": "x", "inspection_fee": 1e15}),
            ),
            vec![
                ("/physical_state", "physical_state must be a string, found 7."),
                ("/agency_fee", "agency_fee must be a number, found \"x\"."),
                ("/inspection_fee", "inspection_fee: the amount is larger than 999,999,999,999.99."),
                ("/rpg", "rpg must be 0 or 1, found \"x\"."),
            ],
        ),
        (
            "/practice/actions",
            json!({"action": "move_clock", "seconds": "soon"}),
            vec![("/seconds", "seconds must be a whole number of at most 18 digits, found \"soon\".")],
        ),
        ("/practice/actions", json!({"action": "set_role", "role": "king"}), vec![("/role", "")]),
        ("/practice/actions", json!({"seconds": 1}), vec![("/action", "action is required.")]),
        (
            "/practice/faults",
            json!({"operation": "calculator", "kind": 7}),
            vec![("/kind", "kind must be a string, found 7.")],
        ),
        (
            "/practice/speed",
            json!({"rows_per_second": -1, "rows": 1}),
            vec![
                ("/rows", "rows is not known; known here: rows_per_second or seconds_per_batch."),
                (
                    "/rows_per_second",
                    "rows_per_second must be a whole number of at most 19 digits, 0 or more, found -1.",
                ),
            ],
        ),
    ] {
        let mut found = problems(&service, path, &body).await;
        let expected = owned(&expected);
        for (problem, (_, detail)) in found.iter_mut().zip(&expected) {
            // A list of codes is read by its beginning.
            if detail.is_empty() && problem.1.contains(" must be one of ") {
                problem.1.clear();
            }
        }
        assert_eq!(found, expected, "{path} {body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_named_is_bounded() {
    let service = service().await;
    let many = |count: usize| changed(row("many"), &json!({"line_of_business_list": vec![json!(7); count]}));
    assert_eq!(problems(&service, SINGLE, &many(900)).await.len(), 100);
    // Too many to be looked at one by one.
    let first = problems(&service, SINGLE, &many(5_000)).await;
    assert_eq!(first[0].0, "/line_of_business_list/0");
    let batch = json!({"transactions": (0..30).map(|_| many(200)).collect::<Vec<_>>()});
    let request = service.keyed(Method::POST, BATCH).json(&batch);
    let answer = service.send(request).await.expect(422).json();
    assert_eq!(answer["errors"].as_array().map(Vec::len), Some(1_000));
    let sentence =
        "30 of 30 transactions cannot be read; nothing was kept. 2000 more fields are not named here.";
    assert_eq!(answer["detail"], sentence);
}
