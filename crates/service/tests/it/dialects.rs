//! Each dialect answers in the shape that its sentence claims.

use std::collections::BTreeSet;

use bordereau_service::dialects;
use reqwest::Method;
use serde_json::{Value, json};

use crate::documents::DOCUMENTS;
use crate::harness::{Answer, Service, service, texas};
use crate::imports::{BATCH, RESULTS, STATUS, row};
use crate::receiver::Receiver;

const SEARCH: &str = "/api/v1/search-transactions";
const FILED: &str = "webhook.transaction.status.filed";

/// A service with two rows: `a` whole, `b` with a warning; both have a policy number of digits.
struct Provider {
    service: Service,
    batch: String,
}

impl Provider {
    async fn speaking(name: &str) -> Provider {
        let service = service().await;
        let mut rows = [row("a"), row("b")];
        for (row, number) in rows.iter_mut().zip(["17", "18"]) {
            row["policy_number"] = json!(number);
        }
        rows[1]["sl_tax"] = json!(117);
        let batch = service.accepted(&rows).await;
        service.processed(&batch).await;
        let provider = Provider { service, batch };
        provider.speak(&[name]).await;
        provider
    }

    async fn speak(&self, names: &[&str]) {
        self.service.act(json!({"action": "set_dialects", "names": names})).await;
    }

    async fn get(&self, path: &str) -> Answer {
        self.service.send(self.service.keyed(Method::GET, path)).await
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.service.send(self.service.keyed(Method::POST, path).json(body)).await
    }

    async fn record(&self, query: &str) -> Answer {
        self.get(&format!("{STATUS}?{query}")).await
    }

    async fn results(&self) -> Value {
        self.get(&format!("{RESULTS}?batch_id={}", self.batch)).await.expect(200).json()
    }

    async fn accepted(&self) -> Value {
        self.post(BATCH, &json!({"transactions": [row("c")]})).await.expect(200).json()
    }

    async fn search(&self) -> Value {
        let day = json!({"from": "2026-02-23", "to": "2026-02-23"});
        self.post(SEARCH, &json!({"policy_effective_date": day})).await.expect(200).json()
    }

    async fn quote(&self) -> Value {
        self.service.calculate(&texas()).await.expect(200).json()
    }

    /// Uploads a document for `a`.
    async fn upload(&self) -> Value {
        let document =
            json!({"name": "D", "code": "MISC", "file_name": "d.pdf", "content": "JVBERi0xLjcgeA=="});
        let body = json!({"invoice_number": "INV-a", "documents": [document]});
        self.post(DOCUMENTS, &body).await.expect(200).json()
    }

    /// A delivery of the event that `a` was filed.
    async fn delivery(&self) -> reqwest::header::HeaderMap {
        let receiver = Receiver::start().await;
        self.service.subscribe(&receiver.url(), &[FILED]).await;
        self.service.act(json!({"action": "file", "which": {"ids": ["a"]}})).await;
        receiver.wait_for(1).await.remove(0).headers
    }
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The claim of a dialect, checked; false for a name that has none.
async fn holds(name: &str) -> bool {
    let at = Provider::speaking(name).await;
    let first = |value: &Value, list: &str| value[list][0].clone();
    match name {
        "refresh-token-alone" => {
            let (_, refresh) = at.service.sign_in().await;
            let body = json!({"grant_type": "refresh_token", "refresh_token": refresh});
            assert_eq!(keys(&at.service.token(&body).await.json()), ["access_token"]);
        }
        "expires-as-text" => {
            let (username, password) = (&at.service.running.username, &at.service.running.password);
            let body = json!({"grant_type": "password", "username": username, "password": password});
            assert_eq!(at.service.token(&body).await.json()["expires_in"], "3600");
        }
        "no-calculator" => {
            at.service.calculate(&texas()).await.expect(403);
        }
        "quote-zeros-null" => {
            let quote = at.quote().await;
            assert!(quote["empa_tax"].is_null() && keys(&quote).contains(&"empa_tax"));
            assert!(quote["sl_tax"].is_number());
        }
        "quote-zeros-absent" => {
            let quote = at.quote().await;
            assert!(!keys(&quote).contains(&"empa_tax") && keys(&quote).contains(&"sl_tax"));
        }
        "quote-loose-types" => {
            let quote = at.quote().await;
            assert_eq!(quote["state_properties"]["state_stamp_wording_font_size"], "12px");
            assert!(quote["rpg"] == 2 && quote["county_tax_settings"].is_object());
        }
        "batch-refused" => {
            let answer = at.accepted().await;
            assert!(answer["success"] == false && answer["error"].is_string());
            assert_eq!(at.service.stored().await["count"], 2);
        }
        "other-office" => {
            at.accepted().await;
            crate::receiver::until(|| async { at.service.stored().await["count"] == 4 }).await;
            let ours = |record: &&Value| record["extra_invoice_number"] == "INV-c";
            let found = at.search().await;
            let ids: Vec<_> =
                found["data"].as_array().unwrap().iter().filter(ours).map(|r| &r["unique_id"]).collect();
            assert_eq!(ids, [&json!("other-office-c"), &json!("c")]);
        }
        "acceptance-without-status" => assert_eq!(keys(&at.accepted().await), ["batch_id"]),
        "batch-id-number" => {
            let number = at.accepted().await["batch_id"].as_i64().unwrap();
            let results = at.get(&format!("{RESULTS}?batch_id={number}")).await.expect(200).json();
            assert_eq!(results["batch_id"], number);
        }
        "states-capitalized" => assert_eq!(at.results().await["status"], "Processed"),
        "states-as-numbers" => assert_eq!(at.results().await["status"], 2),
        "states-own-words" => assert_eq!(at.results().await["status"], "Complete"),
        "row-status-as-text" => assert_eq!(first(&at.results().await, "transactions")["status"], "Success"),
        "warnings-as-objects" => {
            let warnings = at.results().await["transactions"][1]["warnings"].clone();
            assert_eq!((&warnings[0]["field"], warnings[0]["message"].is_string()), (&json!("slTax"), true));
        }
        "warnings-null" => {
            let results = at.results().await;
            assert!(results["transactions"][0]["warnings"].is_null());
            assert!(results["transactions"][1]["warnings"]["slTax"].is_string());
        }
        "partial-results" => assert_eq!(at.results().await["transactions"].as_array().unwrap().len(), 1),
        "policy-as-number" => {
            assert_eq!(first(&at.results().await, "transactions")["policy_number"], 17);
            assert_eq!(at.record("id=a").await.json()["policy_number"], 17);
        }
        "own-id-unsupported" => {
            at.record("id=a").await.expect(404);
            at.record("invoice_number=INV-a").await.expect(200);
            at.get(&format!("{RESULTS}?id=a")).await.expect(404);
        }
        "service-number-only" => {
            at.record("invoice_number=INV-a").await.expect(404);
            at.record("transaction_id=1").await.expect(200);
        }
        "rows-late" => {
            at.record("id=a").await.expect(404);
            assert_eq!(at.search().await["pagination"]["total"], 0);
            at.service.clock.advance(3);
            at.record("id=a").await.expect(200);
            assert_eq!(at.search().await["pagination"]["total"], 2);
        }
        "unique-id-null" => {
            assert!(at.record("id=a").await.json()["unique_id"].is_null());
            assert!(first(&at.search().await, "data")["unique_id"].is_null());
        }
        "transaction-status-words" => {
            assert_eq!(at.record("id=a").await.json()["transaction_status"], "In review");
        }
        "search-odd-member" => {
            let found = at.search().await;
            assert!(
                found["data"][0]["created_date"].is_object() && found["data"][1]["created_date"].is_string()
            );
        }
        "documents-success-only" => assert_eq!(at.upload().await, json!({"success": true})),
        "documents-own-words" => {
            let answer = at.upload().await;
            assert_eq!(answer["status"], "success");
            assert_eq!(answer["documents"], json!([{"title": "D", "type": "MISC", "status": 0}]));
        }
        "documents-late" => {
            let listed = || async {
                at.record("id=a").await.json()["transaction_documents"].as_array().unwrap().len()
            };
            at.service.clock.advance(19);
            at.upload().await;
            assert_eq!(listed().await, 0, "the one that came along is late as well");
            at.service.clock.advance(1);
            assert_eq!(listed().await, 1);
            at.service.clock.advance(19);
            assert_eq!(listed().await, 2);
        }
        "documents-unlisted" => {
            at.upload().await;
            assert_eq!(at.record("id=a").await.json()["transaction_documents"], json!([]));
        }
        "download-unavailable-once" => {
            let record = at.record("id=a").await.json();
            let url = record["transaction_documents"][0]["download_url"].as_str().unwrap();
            let path = url.strip_prefix(&at.service.running.base_url).unwrap();
            let refused = at.get(path).await.expect(503);
            assert!(refused.text.starts_with("<html>"));
            at.get(path).await.expect(200);
        }
        "webhook-unsigned" => assert!(!at.delivery().await.contains_key("x-hmac-signature")),
        "webhook-signature-renamed" => {
            let headers = at.delivery().await;
            assert!(!headers.contains_key("x-hmac-signature"));
            assert_eq!(headers["x-signature"].len(), 44, "SHA-256 in base64");
        }
        "results-reversed" => assert_eq!(first(&at.results().await, "transactions")["id"], "b"),
        "results-with-history" => {
            let results = at.results().await;
            let ids: Vec<_> = (0..6).map(|at| results["transactions"][at]["id"].clone()).collect();
            assert_eq!(ids, ["a", "a", "a", "b", "b", "b"]);
            assert!(results["transactions"][0]["transaction_id"].is_null());
        }
        "results-share-number" => assert_eq!(at.results().await["transactions"][1]["transaction_id"], 1),
        "row-status-of-http" => assert_eq!(first(&at.results().await, "transactions")["status"], 200),
        "batch-id-dashed" => {
            let id = at.results().await["batch_id"].as_str().unwrap().to_owned();
            assert_eq!(id.to_lowercase().replace('-', ""), at.batch);
            assert_eq!(id.len(), 36);
        }
        "import-redirected" => {
            // The redirect leads to the results.
            let answer = at.post(BATCH, &json!({"transactions": [row("c")]})).await.expect(200).json();
            assert!(answer["transactions"].is_array(), "{answer}");
        }
        "import-without-body" => {
            assert_eq!(at.post(BATCH, &json!({"transactions": [row("c")]})).await.expect(202).text, "");
        }
        "policy-zeros-dropped" => {
            let mut zeros = row("c");
            zeros["policy_number"] = json!("0017");
            let body = json!({"transactions": [zeros]});
            let batch = at.post(BATCH, &body).await.expect(200).json()["batch_id"].clone();
            at.service.processed(batch.as_str().unwrap()).await;
            assert_eq!(at.record("id=c").await.json()["policy_number"], "17");
        }
        "types-in-words" => assert_eq!(at.record("id=a").await.json()["transaction_type"], "New Policy"),
        "invoice-own" => {
            assert_eq!(at.record("id=a").await.json()["extra_invoice_number"], "2026-000001");
        }
        "own-id-prefixed" => assert_eq!(at.record("id=a").await.json()["unique_id"], "IMPORT-a"),
        "dates-american" => {
            assert_eq!(at.record("id=a").await.json()["policy_effective_date"], "02/23/2026");
        }
        "dates-with-time" => {
            let day = at.record("id=a").await.json()["policy_effective_date"].clone();
            assert_eq!(day, "2026-02-23T00:00:00.000Z");
        }
        "dates-zero" => assert_eq!(at.record("id=a").await.json()["date_filed"], "0000-00-00"),
        "amounts-written" => {
            let premium = at.record("id=a").await.json()["premium"].clone();
            assert!(premium.as_str().unwrap().starts_with("$1,"), "{premium}");
            assert_eq!(at.quote().await["sl_tax"], "$488.46");
        }
        "pagination-absent" => assert_eq!(keys(&at.search().await), ["data"]),
        "members-grouped" => {
            let record = at.record("id=a").await.json();
            assert_eq!((&record["policy"]["number"], &record["policy_number"]), (&json!("17"), &Value::Null));
            assert_eq!(at.quote().await["amounts"]["sl_tax"], 488.46);
        }
        "record-in-list" => assert_eq!(at.record("id=a").await.json()["data"][0]["id"], 1),
        "missing-as-nothing" => {
            assert_eq!(at.record("id=none").await.expect(200).json(), json!({"data": null}));
        }
        "nulls-blank" => assert_eq!(at.record("id=a").await.json()["sl_tax_paid_date"], ""),
        "lists-numbered" => assert_eq!(at.results().await["transactions"]["1"]["id"], "b"),
        "lists-wrapped" => assert_eq!(at.results().await["transactions"]["transaction"][1]["id"], "b"),
        "numbers-with-fraction" => {
            let text = at.get(&format!("{RESULTS}?batch_id={}", at.batch)).await.text;
            assert!(text.contains("\"transaction_id\":1.0"), "{text}");
        }
        "flags-as-letters" => {
            let answer = at.upload().await;
            assert_eq!(answer["documents"][0]["imported"], "Y");
        }
        "envelope-with-message" => {
            let record = at.record("id=a").await.json();
            assert_eq!((&record["code"], &record["message"]), (&json!(200), &json!("OK")));
            assert_eq!(record["data"]["id"], 1);
        }
        "answers-wide" => {
            let request = at.service.keyed(Method::GET, &format!("{STATUS}?id=a"));
            let response = request.send().await.unwrap();
            assert_eq!(response.headers()["content-type"], "application/json; charset=utf-16le");
            assert_eq!(response.bytes().await.unwrap()[..2], *b"{\0");
        }
        "answers-marked" => {
            let request = at.service.keyed(Method::GET, &format!("{STATUS}?id=a"));
            let body = request.send().await.unwrap().bytes().await.unwrap();
            assert!(body.starts_with(b"\xef\xbb\xbf{") && body.ends_with(b"}\r\n"));
        }
        "missing-as-message" => {
            let answer = at.record("id=none").await.expect(200).json();
            assert_eq!(keys(&answer), ["message"]);
        }
        "refusals-success-false" => {
            let mut bad = row("c");
            bad["premium"] = json!("much");
            let answer = at.post(BATCH, &json!({"transactions": [bad]})).await.expect(200).json();
            assert_eq!(answer["success"], false);
            assert!(answer["error"].as_str().unwrap().contains("/transactions/0/premium"), "{answer}");
            at.service.send(at.service.bare(Method::GET, STATUS)).await.expect(401);
        }
        "nulls-absent" => assert!(!keys(&at.record("id=a").await.json()).contains(&"sl_tax_paid_date")),
        "absent-null" => {
            let row = first(&at.results().await, "transactions");
            assert!(keys(&row).contains(&"message") && row["message"].is_null());
        }
        "single-object" => {
            assert!(at.record("id=a").await.json()["transaction_documents"].is_object());
            assert!(at.results().await["transactions"].is_array(), "two stay a list");
        }
        "numbers-as-text" => {
            let row = first(&at.results().await, "transactions");
            assert_eq!((&row["transaction_id"], &row["status"]), (&json!("1"), &json!("0")));
            assert_eq!(at.quote().await["sl_tax"], "488.46");
        }
        "members-camel-case" => {
            assert_eq!(first(&at.results().await, "transactions")["transactionId"], 1);
            assert!(at.results().await["transactions"][1]["warnings"]["slTax"].is_string());
        }
        "members-pascal-case" => assert_eq!(first(&at.results().await, "Transactions")["TransactionId"], 1),
        "envelope-data" => {
            assert_eq!(at.record("id=a").await.json()["data"]["id"], 1);
            assert!(at.search().await["data"]["pagination"].is_object());
        }
        "envelope-result" => assert_eq!(at.results().await["result"]["status"], "processed"),
        "envelope-transaction" => {
            assert_eq!(at.record("id=a").await.json()["transaction"]["id"], 1);
            assert!(at.results().await["status"].is_string());
        }
        _ => return false,
    }
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn each_dialect_does_what_its_sentence_says() {
    for dialect in dialects() {
        assert!(holds(dialect.name).await, "{} is not checked", dialect.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_are_spoken_together_and_taken_away_again() {
    let at = Provider::speaking("states-capitalized").await;
    at.speak(&["envelope-data", "numbers-as-text", "states-capitalized", "missing-as-message"]).await;
    let results = at.results().await;
    assert_eq!(results["data"]["status"], "Processed");
    assert_eq!(results["data"]["transactions"][0]["transaction_id"], "1");
    let missing = at.record("id=none").await.expect(200).json();
    assert!(missing["data"]["message"].is_string(), "{missing}");
    // A fault is still a fault, and a body cut in half stays one.
    let fault = json!({"operation": "import_results", "kind": "malformed"});
    at.service.practice(Method::POST, "faults", Some(fault)).await.expect(201);
    let half = at.get(&format!("{RESULTS}?batch_id={}", at.batch)).await;
    assert!(serde_json::from_str::<Value>(&half.text).is_err());

    at.speak(&[]).await;
    assert_eq!(at.results().await["status"], "processed");
    let unknown = json!({"action": "set_dialects", "names": ["klingon"]});
    let refused = at.service.practice(Method::POST, "actions", Some(unknown)).await.expect(422);
    assert!(refused.text.contains("klingon"), "{}", refused.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_table_is_listed_with_what_is_spoken() {
    let at = Provider::speaking("rows-late").await;
    let listed = at.service.act(json!({"action": "list_dialects"})).await;
    let listed = listed["dialects"].as_array().unwrap().clone();
    let names: BTreeSet<_> = listed.iter().map(|dialect| dialect["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), dialects().len(), "each name once");
    let spoken = |dialect: &&Value| dialect["spoken"] == true;
    let spoken: Vec<_> = listed.iter().filter(spoken).map(|dialect| &dialect["name"]).collect();
    assert_eq!(spoken, ["rows-late"]);
    assert!(dialects().iter().all(|dialect| dialect.sentence.ends_with('.')));
}
