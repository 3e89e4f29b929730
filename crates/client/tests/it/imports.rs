//! Batches and single transactions against the practice service and everything that goes wrong on the way.

use std::time::Duration;

use bordereau_client::{Client, ClientError, TransactionLookup};
use bordereau_contract::{
    BatchStatus, CoverageItem, DocumentImport, IMPORT_ROWS_MAX, ImportDocument, ImportResults,
    ImportTransaction, ResultStatus,
};
use serde_json::json;

use crate::faults::LOST_ANSWERS;
use crate::practice::{Practice, usd};
use crate::scripted::{Scripted, json_answer};

fn row(id: &str) -> ImportTransaction {
    let text = |text: &str| Some(text.to_owned());
    ImportTransaction {
        id: id.to_owned(),
        policy_number: Some(format!("P-{id}")),
        policy_effective_date: text("2026-02-23"),
        invoice_number: Some(format!("INV-{id}")),
        transaction_type: text("PN"),
        physical_state: text("TX"),
        account_written_as: text("DC"),
        risk_description: text("a warehouse"),
        layered_risk: Some(0),
        risk_retention_group: Some(0),
        mailing_insured_name: text("Some Company"),
        line_of_business_list: vec![CoverageItem { item: "GEN-1002".into(), coverage: Some(usd("1000")) }],
        insurance_company_list: vec![CoverageItem { item: "AA-1".into(), coverage: Some(usd("100")) }],
        premium: Some(usd("1000")),
        sl_tax: Some(usd("48.50")),
        ..ImportTransaction::default()
    }
}

fn rows(count: usize) -> Vec<ImportTransaction> {
    (0..count).map(|number| row(&format!("row-{number:05}"))).collect()
}

async fn processed(client: &Client, batch_id: &str) -> ImportResults {
    for _ in 0..600 {
        let results = client.import_results(batch_id).await.expect("results");
        if results.status == BatchStatus::Processed {
            return results;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the batch is not processed")
}

fn own_id(id: &str) -> TransactionLookup {
    TransactionLookup::OwnId(id.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_from_acceptance_to_its_results() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let accepted = client.import_batch(&rows(120)).await.expect("accepted");
    assert_eq!(
        (accepted.batch_id.len(), accepted.status, accepted.total_items),
        (32, BatchStatus::Queued, 120)
    );
    let results = processed(&client, &accepted.batch_id).await;
    assert_eq!(results.transactions.len(), 120);
    for (number, result) in results.transactions.iter().enumerate() {
        assert_eq!(result.id, format!("row-{number:05}"), "in the order sent");
        assert_eq!(ResultStatus::of(&result.status), Some(ResultStatus::Success), "{result:?}");
        assert!(result.errors.is_empty(), "{result:?}");
        let id = result.transaction_id.expect("a number");
        let lookup = TransactionLookup::TransactionId(id);
        if number % 40 == 0 {
            let record = client.transaction_status(&lookup).await.expect("an answer").expect("a record");
            assert_eq!(record.unique_id.as_deref(), Some(result.id.as_str()));
            assert_eq!(record.stamping_fee, Some(usd("0.40")), "calculated where it was not given");
        }
    }
}

/// How many transactions the practice account has, and whether each own id is there once.
async fn stored(practice: &Practice) -> usize {
    let stored = practice.drive("GET", "transactions", json!({})).await;
    let listed = stored["transactions"].as_array().expect("a list");
    assert!(listed.iter().all(|one| one["count"] == 1), "{stored}");
    assert_eq!(stored["count"], listed.len());
    listed.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_unknown_outcome_the_lookup_tells_table() {
    let practice = Practice::start().await;
    for (number, (kind, done)) in LOST_ANSWERS.into_iter().enumerate() {
        let mut config = practice.config();
        config.timeouts.upload = Duration::from_secs(2);
        let client = practice.with_key(config);
        let fault = json!({ "operation": "batch_import", "kind": kind, "times": 1, "delay_ms": 60_000 });
        practice.drive("POST", "faults", fault).await;
        let batch: Vec<_> = (0..30).map(|row_number| row(&format!("{number}-{row_number}"))).collect();
        let error = client.import_batch(&batch).await.expect_err(kind);
        assert!(matches!(error, ClientError::OutcomeUnknown { .. }), "{kind}: {error}");
        assert!(error.is_outcome_unknown() && !error.is_retryable(), "{kind}");
        assert_eq!(client.request_usage().0, 1, "{kind}: a write is sent once");

        let client = practice.with_key(practice.config());
        let found = client.import_results_with(&format!("{number}-17")).await.expect("an answer");
        assert_eq!(found.is_some(), done, "{kind}");
        if let Some(found) = found {
            processed(&client, &found.batch_id).await;
            let record =
                client.transaction_status(&own_id(&format!("{number}-17"))).await.expect("an answer");
            assert!(record.is_some(), "{kind}");
        }
        // Whoever sends it all again, blindly, still doubles nothing.
        let again = client.import_batch(&batch).await.expect("accepted");
        let results = processed(&client, &again.batch_id).await;
        assert_eq!(results.transactions.len(), 30);
        assert!(results.transactions.iter().all(|result| result.status == 0.into()), "{kind}");
        assert_eq!(stored(&practice).await, (number + 1) * 30, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_that_says_so_is_no_unknown_outcome() {
    let practice = Practice::start().await;
    practice.fault("batch_import", "rate_limit", 1).await;
    let error = practice.with_key(practice.config()).import_batch(&rows(2)).await.expect_err("too many");
    assert!(matches!(error, ClientError::RateLimited { .. }), "{error}");

    let client = practice.with_key(practice.config());
    let mut batch = rows(500);
    batch[17].id = String::new();
    batch[203].policy_effective_date = Some("02/23/2026".to_owned());
    batch[203].transaction_type = Some("NP".to_owned());
    let error = client.import_batch(&batch).await.expect_err("rows at fault");
    let ClientError::Rejected { status: 422, problems, text } = &error else { panic!("{error}") };
    let pointers: Vec<_> = problems.iter().map(|problem| problem.pointer.as_str()).collect();
    assert_eq!(
        pointers,
        [
            "/transactions/17/id",
            "/transactions/203/transaction_type",
            "/transactions/203/policy_effective_date"
        ]
    );
    assert!(text.contains("2 of 500 transactions") && text.contains("nothing was kept"), "{text}");

    // A whole column at fault: all are named as far as the service does, the sentence stays short.
    for row in &mut batch {
        row.rpg = Some(7);
        row.ecp = Some(7);
        row.exempt = Some(7);
    }
    let error = client.import_batch(&batch).await.expect_err("rows at fault");
    let ClientError::Rejected { problems, .. } = &error else { panic!("{error}") };
    assert_eq!(problems.len(), 1_000);
    assert!(error.to_string().contains("and 980 more") && error.to_string().len() < 4_000, "{error}");
    assert_eq!(stored(&practice).await, 0);

    let before = client.request_usage().0;
    let error = client.import_batch(&rows(IMPORT_ROWS_MAX + 1)).await.expect_err("too many");
    assert!(matches!(error, ClientError::NotSendable { .. }), "{error}");
    assert!(error.to_string().contains("10001 transactions"), "{error}");
    assert_eq!(client.request_usage().0, before, "nothing was sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn results_grow_while_the_batch_is_processed() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    practice.drive("POST", "speed", json!({ "rows_per_second": 0 })).await;
    let accepted = client.import_batch(&rows(200)).await.expect("accepted");
    let waiting = client.import_results(&accepted.batch_id).await.expect("results");
    assert_eq!((waiting.status, waiting.transactions.len()), (BatchStatus::Queued, 0));
    assert_eq!(client.transaction_status(&own_id("row-00000")).await.expect("an answer"), None);
    practice.drive("POST", "speed", json!({ "rows_per_second": 200 })).await;
    let mut seen = Vec::new();
    for _ in 0..200 {
        // A read survives what a write does not.
        practice
            .fault("import_results", if seen.len() % 2 == 0 { "cut_body" } else { "error_before" }, 1)
            .await;
        let results = client.import_results(&accepted.batch_id).await.expect("results");
        seen.push(results.transactions.len());
        if results.status == BatchStatus::Processed {
            break;
        }
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    assert_eq!(seen.last(), Some(&200), "{seen:?}");
    assert!(seen.is_sorted() && seen.iter().any(|count| (1..200).contains(count)), "{seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_transaction_is_answered_at_once() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let first = client.import_single(&row("a b&c=ü")).await.expect("a result");
    assert_eq!((first.status.clone(), first.id.as_str()), (0.into(), "a b&c=ü"));
    let second = client.import_single(&row("2")).await.expect("a result");
    assert_ne!(first.transaction_id, second.transaction_id);
    for lookup in [own_id("a b&c=ü"), TransactionLookup::InvoiceNumber("INV-a b&c=ü".into())] {
        let record = client.transaction_status(&lookup).await.expect("an answer").expect("a record");
        assert_eq!(Some(record.id), first.transaction_id);
        assert_eq!(record.sl_tax, Some(usd("48.50")));
        assert_eq!(record.policy_expiration_date.as_deref(), Some("2027-02-23"));
    }
    for lookup in
        [own_id("nobody"), TransactionLookup::TransactionId(-1), TransactionLookup::InvoiceNumber("?".into())]
    {
        assert_eq!(client.transaction_status(&lookup).await.expect("an answer"), None);
    }
    let error = client.import_results("00000000000000000000000000000000").await.expect_err("no batch");
    assert!(matches!(error, ClientError::Rejected { status: 404, .. }), "{error}");

    practice.fault("single_import", "cut", 1).await;
    let error = client.import_single(&row("3")).await.expect_err("cut");
    assert!(matches!(error, ClientError::OutcomeUnknown { .. }), "{error}");
    assert!(client.transaction_status(&own_id("3")).await.expect("an answer").is_some());
    let error = client.import_single(&ImportTransaction::default()).await.expect_err("no id");
    let ClientError::Rejected { problems, .. } = &error else { panic!("{error}") };
    assert_eq!(problems[0].pointer, "/id");
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_along_and_afterwards() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let file = |name: &str, content: &str| ImportDocument {
        name: "Policy".into(),
        code: "POLIC".into(),
        file_name: name.into(),
        content: content.into(),
    };
    let mut first = row("1");
    first.documents.push(file("policy.pdf", "JVBERi0xLjc="));
    let result = client.import_single(&first).await.expect("a result");
    let afterwards = DocumentImport {
        invoice_number: Some("INV-1".into()),
        documents: vec![
            file("same.pdf", "JVBERi0xLjc="),
            file("more.pdf", "JVBERi0xLjggbW9yZQ=="),
            file("bad.pdf", "not base64!"),
        ],
        ..DocumentImport::default()
    };
    let answer = client.import_documents(&afterwards).await.expect("an answer");
    assert_eq!(answer.transaction_id, result.transaction_id);
    let imported: Vec<_> = answer.documents.iter().map(|document| document.imported).collect();
    assert_eq!(imported, [true, true, false]);
    assert!(answer.documents[2].reason.as_deref().is_some_and(|why| why.contains("base64")));

    let record = client.transaction_status(&own_id("1")).await.expect("an answer").expect("a record");
    assert_eq!(record.transaction_documents.len(), 2, "the same file is kept once");
    let download =
        client.download_document(&record.transaction_documents[1].download_url, 100).await.expect("a file");
    assert_eq!((download.bytes.as_slice(), download.file_name.as_str()), (&b"%PDF-1.8 more"[..], "more.pdf"));

    let unknown = DocumentImport { transaction_id: Some(999_999), ..afterwards };
    let error = client.import_documents(&unknown).await.expect_err("no transaction");
    assert!(matches!(error, ClientError::Rejected { status: 404, .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn providers_that_differ() {
    // Warnings as an array, unknown members, an unknown state, a path without .json.
    let body = r#"{"batch_id":"b","status":"validating","extra":1,"transactions":[
        {"id":"1","policy_number":null,"transaction_id":7,"status":3,"status_message":"Tax","warnings":["one","two"],"errors":null}]}"#;
    let service = Scripted::start(move |_| json_answer(200, body)).await;
    let mut config = service.config();
    config.paths.batch_results = "/v9/results".to_owned();
    let credentials = bordereau_client::Credentials::with_api_key("bdk_visible_key");
    let store = std::sync::Arc::new(bordereau_client::MemoryTokens::new());
    let client = Client::new(config, credentials, store).expect("a client");
    let results = client.import_results("b").await.expect("results");
    assert_eq!(results.status, BatchStatus::Unknown("validating".to_owned()));
    assert_eq!(ResultStatus::of(&results.transactions[0].status), None, "a number that means nothing yet");
    assert_eq!(results.transactions[0].warnings.iter().count(), 2);
    assert!(service.requests()[0].starts_with("GET /v9/results?batch_id=b "), "{}", service.requests()[0]);

    // Without the question by own id there is no batch to be found, which is no error.
    let without = Scripted::start(|_| json_answer(422, r#"{"message":"batch_id is required"}"#)).await;
    assert_eq!(without.client().import_results_with("1").await.expect("an answer"), None);
}
