//! Imports: the contract's texts, one transaction for each own id, accounts apart.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Service, service};

pub const BATCH: &str = "/api/v4/transaction-import.json";
pub const RESULTS: &str = "/api/v4/transaction-import-results.json";
pub const STATUS: &str = "/api/v1/get-transaction-status.json";
pub const SINGLE: &str = "/api/v2/single/transaction";

/// A policy in Texas with which nothing is wrong: 48.50 tax and 0.40 stamping fee.
pub fn row(id: &str) -> Value {
    json!({
        "id": id, "policy_number": format!("P-{id}"), "policy_effective_date": "2026-02-23",
        "invoice_number": format!("INV-{id}"), "transaction_type": "PN", "physical_state": "TX",
        "account_written_as": "DC", "risk_description": "a warehouse", "layered_risk": 0,
        "risk_retention_group": 0, "mailing_insured_name": "Some Company", "premium": 1000,
        "line_of_business_list": [{"item": "GEN-1002", "coverage": 1000}],
        "insurance_company_list": [{"item": "AA-1", "coverage": 100}],
        "sl_tax": 48.5, "stamping_fee": 0.4, "total": 1048.9,
        "documents": [{"name": "Policy", "code": "POLIC", "file_name": "policy.pdf", "content": "aGVsbG8="}]
    })
}

/// A row with some members changed; null takes one away.
fn with(id: &str, changes: Value) -> Value {
    let mut row = row(id);
    for (name, value) in changes.as_object().unwrap() {
        row[name] = value.clone();
    }
    row
}

pub fn rows(prefix: &str, count: usize) -> Vec<Value> {
    (0..count).map(|number| row(&format!("{prefix}{number:05}"))).collect()
}

impl Service {
    pub async fn import(&self, rows: &[Value]) -> Answer {
        self.send(self.keyed(Method::POST, BATCH).json(&json!({ "transactions": rows }))).await
    }

    pub async fn accepted(&self, rows: &[Value]) -> String {
        let accepted = self.import(rows).await.expect(200).json();
        accepted["batch_id"].as_str().unwrap().to_owned()
    }

    pub async fn results(&self, batch: &str) -> Value {
        self.send(self.keyed(Method::GET, &format!("{RESULTS}?batch_id={batch}"))).await.expect(200).json()
    }

    pub async fn processed(&self, batch: &str) -> Vec<Value> {
        for _ in 0..1_200 {
            let results = self.results(batch).await;
            if results["status"] == "processed" {
                return results["transactions"].as_array().unwrap().clone();
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("batch {batch} is not processed")
    }

    pub async fn imported(&self, rows: &[Value]) -> Vec<Value> {
        let batch = self.accepted(rows).await;
        self.processed(&batch).await
    }

    pub async fn single(&self, row: &Value) -> Value {
        self.send(self.keyed(Method::POST, SINGLE).json(row)).await.expect(200).json()
    }

    pub async fn record(&self, own_id: &str) -> Value {
        self.send(self.keyed(Method::GET, &format!("{STATUS}?id={own_id}"))).await.expect(200).json()
    }

    pub async fn stored(&self) -> Value {
        self.practice(Method::GET, "transactions", None).await.expect(200).json()
    }
}

/// A homeowner's policy with this surcharge and total.
fn connecticut(surcharge: Value, total: u32) -> Value {
    json!({"physical_state": "CT", "line_of_business_list": [{"item": "GEN-2026", "coverage": 1000}], "sl_tax": 40,
        "stamping_fee": null, "sl_service_charge": surcharge, "total": total})
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_table() {
    let service = service().await;
    let nothing = json!({});
    for (number, (changes, warnings)) in [
        (json!({}), nothing.clone()),
        (json!({"line_of_business_list": [{"item": "GEN-9999", "coverage": 1000}]}), json!({"lineOfBusiness": "Line of business is invalid."})),
        (json!({"sl_tax": 117}), json!({"slTax": "SL tax values don't match. Provided - 117.00. Calculated - 48.50"})),
        (json!({"stamping_fee": 1.5}), json!({"stampingFee": "Stamping fee values don't match. Provided - 1.50. Calculated - 0.40"})),
        (json!({"total": 4224.8}), json!({"total": "Transaction total values don't match. Provided - 4224.80. Calculated - 1048.90"})),
        (json!({"premium": 900}), json!({"premium": "Premium values don't match. Provided - 900.00. Calculated - 1000.00"})),
        (json!({"insurance_company_list": []}), json!({"insuranceCompany": "Missing Insurance Company"})),
        (json!({"insurance_company_list": [], "syndicate_list": [{"item": "1234", "coverage": 100}]}), nothing.clone()),
        (json!({"risk_description": " "}), json!({"riskDescription": "Description of risk not provided or not found"})),
        (json!({"account_written_as": "B"}), json!({"retailProducer": "Retail producer not provided"})),
        (json!({"account_written_as": "B", "retail_producer": "An Agency"}), nothing.clone()),
        (json!({"layered_risk": null}), json!({"layeredRisk": "Layered risk not provided"})),
        (json!({"risk_retention_group": null}), json!({"riskRetentionGroup": "Risk retention group not provided"})),
        (json!({"sl_tax": null, "stamping_fee": null, "total": null}), nothing.clone()),
        // A credit is submitted as the positive difference; layered risk is asked for at the start only.
        (json!({"transaction_type": "RPE", "transaction_effective_date": "2026-02-23", "layered_risk": null}), nothing.clone()),
        (json!({"transaction_type": "RPE", "transaction_effective_date": "2026-02-23", "sl_tax": -40}),
         json!({"slTax": "SL tax values don't match. Provided - -40.00. Calculated - -48.50"})),
        // Maine taxes the licensee's fee of 100.00 and not the retail agent's.
        (json!({"physical_state": "ME", "agency_fee": 100, "agency_fee_charged_by": "retail_agent", "sl_tax": 30, "stamping_fee": null, "total": 1130}),
         nothing.clone()),
        (json!({"physical_state": "ME", "agency_fee": 100, "agency_fee_charged_by": "surplus_lines_licensee", "sl_tax": 30, "stamping_fee": null, "total": 1133}),
         json!({"slTax": "SL tax values don't match. Provided - 30.00. Calculated - 33.00"})),
        // Connecticut's surcharge of 12.00 depends on who lives there, which the row doesn't say.
        (connecticut(json!(0), 1040), nothing.clone()),
        (connecticut(json!(12), 1052), nothing.clone()),
        (connecticut(json!(null), 1040), nothing.clone()),
        (connecticut(json!(null), 1052), nothing.clone()),
        (connecticut(json!(12), 1040), json!({"total": "Transaction total values don't match. Provided - 1040.00. Calculated - 1052.00"})),
    ]
    .into_iter()
    .enumerate()
    {
        let result = service.single(&with(&format!("t{number}"), changes.clone())).await;
        assert_eq!(result["warnings"], warnings, "{changes}");
        assert_eq!((&result["status"], &result["errors"]), (&json!(0), &nothing), "{changes}: {result}");
        let record = service.record(&format!("t{number}")).await;
        assert_eq!(record["transaction_status"], 1, "{record}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_document_is_named_until_it_comes() {
    let service = service().await;
    let without = with("1", json!({"documents": []}));
    let missing = json!({"documents.POLIC": "Required document is missing"});
    let first = service.single(&without).await;
    assert_eq!((&first["warnings"], &first["status"]), (&missing, &json!(0)));
    let other = service
        .single(&with(
            "2",
            json!({"documents": [{"name": "", "code": "MISC", "file_name": "f", "content": "aGVsbG8="}]}),
        ))
        .await;
    assert_eq!(other["warnings"], missing);
    // The transaction once more with its document: the same transaction, now with a document.
    let again = service.single(&row("1")).await;
    assert_eq!(again["transaction_id"], first["transaction_id"]);
    assert_eq!((&again["warnings"], &again["documents"][0]["imported"]), (&json!({}), &json!(true)));
    // And it stays there when the transaction comes without it, and is kept once when it comes twice.
    assert_eq!(service.single(&without).await["warnings"], json!({}));
    service.single(&row("1")).await;
    assert_eq!(service.record("1").await["transaction_documents"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn incomplete_rows_are_saved_table() {
    let service = service().await;
    for (number, (changes, missing)) in [
        (json!({"policy_number": null}), "policyNumber"),
        (json!({"policy_effective_date": ""}), "policyEffectiveDate"),
        (json!({"transaction_type": null}), "transactionType"),
        (json!({"physical_state": null}), "physicalState"),
        (json!({"mailing_insured_name": "  "}), "mailingInsuredName"),
        (json!({"line_of_business_list": []}), "lineOfBusiness"),
        (json!({"premium": null, "line_of_business_list": [{"item": "GEN-1002"}]}), "premium"),
        (json!({"transaction_type": "APE"}), "transactionEffectiveDate"),
        (json!({"transaction_type": "PR"}), "expiringPolicyNumber"),
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("i{number}");
        let result = &service.imported(&[with(&id, changes.clone())]).await[0];
        let keys: Vec<&str> = result["errors"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!((&result["status"], keys), (&json!(2), vec![missing]), "{result}");
        assert_eq!(service.record(&id).await["transaction_status"], 0);
        // Repaired and sent again it is the same transaction.
        let repaired = &service.imported(&[row(&id)]).await[0];
        assert_eq!(repaired["transaction_id"], result["transaction_id"]);
        assert_eq!((&repaired["status"], &repaired["status_message"]), (&json!(0), &json!("Updated")));
        assert_eq!(service.record(&id).await["transaction_status"], 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_own_id_is_one_transaction() {
    let service = service().await;
    let first = service.imported(&rows("d", 60)).await;
    // The same batch again: nothing new, the same numbers.
    let again = service.imported(&rows("d", 60)).await;
    for (first, again) in first.iter().zip(&again) {
        assert_eq!(first["transaction_id"], again["transaction_id"]);
        assert_eq!(again["status"], 0);
        assert!(again["status_message"].as_str().unwrap().starts_with("Duplicate"), "{again}");
    }
    // Within one batch: the same twice is one, a different one is an error and changes nothing.
    let other = with("x", json!({"premium": 2000, "mailing_insured_name": "Another"}));
    let mut batch = rows("e", 40);
    batch.insert(3, row("x"));
    batch.insert(20, row("x"));
    batch.push(other);
    let results = service.imported(&batch).await;
    assert_eq!(results[3]["transaction_id"], results[20]["transaction_id"]);
    assert_eq!((&results[20]["status"], &results[42]["status"]), (&json!(0), &json!(1)));
    assert!(results[42]["errors"]["id"].as_str().unwrap().contains("more than once"), "{}", results[42]);
    assert_eq!(service.record("x").await["mailing_insured_name"], "Some Company");
    // What is ready to file can no longer be changed.
    service.practice(Method::POST, "transactions", Some(json!({"id": "x", "status": 4}))).await.expect(200);
    let refused = service.single(&with("x", json!({"premium": 2000}))).await;
    assert_eq!((&refused["status"], &refused["transaction_id"]), (&json!(1), &results[3]["transaction_id"]));
    assert!(refused["errors"]["id"].as_str().unwrap().contains("can no longer be changed"), "{refused}");
    assert_eq!(service.single(&row("x")).await["status"], 0);
    assert_eq!(service.record("x").await["date_filed"], "2026-02-23");
    assert_eq!(service.stored().await["count"], 101);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_waited_does_not_undo_a_later_change() {
    let service = service().await;
    service.practice(Method::POST, "speed", Some(json!({"rows_per_second": 0}))).await.expect(200);
    let batch = service.accepted(&[row("1"), row("2")]).await;
    service.single(&with("1", json!({"mailing_insured_name": "Corrected"}))).await;
    service.practice(Method::POST, "speed", Some(json!({}))).await.expect(200);
    let results = service.processed(&batch).await;
    assert_eq!((&results[0]["status"], &results[1]["status"]), (&json!(1), &json!(0)));
    assert_eq!(service.record("1").await["mailing_insured_name"], "Corrected");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_at_fault_table() {
    let service = service().await;
    for (changes, pointer) in [
        (json!({"id": ""}), "id"),
        (json!({"id": 7}), "id"),
        (json!({"id": "x".repeat(256)}), "id"),
        (json!({"policy_number": "9".repeat(51)}), "policy_number"),
        (json!({"policy_effective_date": "02/23/2026"}), "policy_effective_date"),
        (json!({"invoice_date": "2026-02-30"}), "invoice_date"),
        (json!({"transaction_type": "NP"}), "transaction_type"),
        (json!({"physical_state": "ZZ"}), "physical_state"),
        (json!({"policy_type": "odd"}), "policy_type"),
        (json!({"layered_risk": 2}), "layered_risk"),
        (json!({"rpg": "yes"}), "rpg"),
        (json!({"sl_tax": 48.505}), "sl_tax"),
        (json!({"premium": "much"}), "premium"),
        (
            json!({"line_of_business_list": [{"item": "GEN-1002", "coverage": true}]}),
            "line_of_business_list/0/coverage",
        ),
        (json!({"line_of_business_list": {"item": "GEN-1002"}}), "line_of_business_list"),
        (
            json!({"documents": [{"name": "n", "code": "POLIC", "file_name": "f", "content": "!"}]}),
            "documents/0/content",
        ),
        (
            json!({"documents": [{"name": "n", "code": "", "file_name": "f", "content": "aGk="}]}),
            "documents/0/code",
        ),
        (json!({"risk_description": "x".repeat(4_001)}), "risk_description"),
    ] {
        let batch = [row("good"), with("bad", changes.clone())];
        let answer = service.import(&batch).await.expect(422);
        assert_eq!(answer.pointers(), [format!("/transactions/1/{pointer}")], "{changes}: {}", answer.text);
        let answer = service.send(service.keyed(Method::POST, SINGLE).json(&batch[1])).await.expect(422);
        assert_eq!(answer.pointers(), [format!("/{pointer}")], "{changes}");
    }
    for (body, status) in [
        ("{", 400),
        ("[]", 400),
        ("{}", 422),
        (r#"{"transactions":[]}"#, 422),
        (r#"{"transactions":7}"#, 422),
        (r#"{"transactions":[7]}"#, 422),
        (r#"{"transactions":[],"transactions":[]}"#, 422),
    ] {
        let request = service.keyed(Method::POST, BATCH).header("content-type", "application/json");
        service.send(request.body(body)).await.expect(status);
    }
    let many: Vec<Value> = (0..=10_000).map(|number| json!({"id": number.to_string()})).collect();
    let answer = service.import(&many).await.expect(422);
    assert_eq!(answer.pointers(), ["/transactions"]);
    let length = (64 * 1_048_576 + 1).to_string();
    let announced = service.keyed(Method::POST, BATCH).header("content-type", "application/json");
    let announced = announced.header("content-length", length).body("{}").send().await;
    assert!(announced.is_err() || announced.unwrap().status() == 413);
    assert_eq!(service.stored().await["count"], 0, "nothing was kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_path_with_and_without_json() {
    let service = service().await;
    let mut number = 0;
    for suffix in ["", ".json"] {
        for (path, body) in [
            (format!("/api/v4/transaction-import{suffix}"), json!({"transactions": [row("1")]})),
            (format!("/api/v2/single/transaction{suffix}"), row("1")),
            (
                format!("/api/v1/single/transaction{suffix}"),
                json!({"batch_id": "b", "total_items": 1, "current_item": 1, "transaction": row("1")}),
            ),
        ] {
            service.send(service.keyed(Method::POST, &path).json(&body)).await.expect(200);
            service.send(service.bare(Method::POST, &path).json(&body)).await.expect(401);
            service.send(service.keyed(Method::GET, &path)).await.expect(405);
            number += 1;
        }
        let found = service.accepted(&[row("1")]).await;
        let key = &service.running.api_key;
        for (path, query) in [
            ("/api/v4/transaction-import-results", format!("batch_id={found}&apikey={key}")),
            ("/api/v4/transaction-import-results", format!("id=1&apikey={key}")),
            ("/api/v1/get-transaction-status", format!("invoice_number=INV-1&apikey={key}")),
        ] {
            let path = format!("{path}{suffix}");
            service.send(service.bare(Method::GET, &format!("{path}?{query}"))).await.expect(200);
            service.send(service.keyed(Method::GET, &path)).await.expect(422);
            service.send(service.bare(Method::GET, &path)).await.expect(401);
        }
    }
    assert_eq!(number, 6);
    assert_eq!(service.stored().await["count"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_see_only_their_own_and_do_not_wait_for_each_other() {
    let service = service().await;
    let other = json!({"name": "Other", "username": "other"});
    let other = service.practice(Method::POST, "accounts", Some(other)).await.expect(201).json();
    let key = other["api_key"].as_str().unwrap();
    let theirs = |method, path: &str| service.bare(method, path).header("apiKey", key);

    let mine = service.accepted(&rows("", 500)).await;
    let body = json!({"transactions": rows("", 400)});
    let sent = service.send(theirs(Method::POST, BATCH).json(&body)).await.expect(200).json();
    let batch = sent["batch_id"].as_str().unwrap();
    service.processed(&mine).await;
    for _ in 0..400 {
        let results = service.send(theirs(Method::GET, &format!("{RESULTS}?batch_id={batch}"))).await;
        if results.expect(200).json()["status"] == "processed" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let account = format!("transactions?account={}", other["id"].as_str().unwrap());
    let stored = service.practice(Method::GET, &account, None).await.expect(200).json();
    assert_eq!((&stored["count"], &service.stored().await["count"]), (&json!(400), &json!(500)));

    let my_record = service.record("00450").await;
    for path in [
        format!("{RESULTS}?batch_id={mine}"),
        format!("{RESULTS}?id=00450"),
        format!("{STATUS}?id=00450"),
        format!("{STATUS}?transaction_id={}", my_record["id"]),
        format!("{STATUS}?invoice_number=INV-00450"),
        format!("/transaction/document/{}/1/download", my_record["id"]),
    ] {
        service.send(theirs(Method::GET, &path)).await.expect(404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_given_up_says_so() {
    let service = service().await;
    service.practice(Method::POST, "speed", Some(json!({"seconds_per_batch": 1800}))).await.expect(200);
    let batch = service.accepted(&rows("", 10)).await;
    let path = format!("batches/{batch}");
    let body = json!({"status": "failed"});
    service.practice(Method::POST, &path, Some(body.clone())).await.expect(200);
    let results = service.results(&batch).await;
    assert_eq!((&results["status"], &results["transactions"]), (&json!("failed"), &json!([])));
    service.practice(Method::POST, &path, Some(body)).await.expect(404);
    // The next one is not held up by it.
    service.practice(Method::POST, "speed", Some(json!({}))).await.expect(200);
    assert_eq!(service.imported(&rows("", 10)).await.len(), 10);
}
