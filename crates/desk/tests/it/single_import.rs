//! One transaction by hand: a draft with the checks of a review, sent as a single import with its answer at once, under
//! the invariants of the outbox.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bordereau_desk::Desk;
use bordereau_desk::api::*;
use serde_json::{Value, json};

use crate::other_service::reply;
use crate::outbox_answers::record_by_the_letter;
use crate::outbox_fixture::{OutboxFixture, ended, rows};
use crate::outbox_proof::office;

/// Values with nothing to correct; the service asks for no more.
fn values(policy: &str) -> BTreeMap<String, String> {
    [
        ("policy_number", policy),
        ("policy_effective_date", "02/03/2026"),
        ("invoice_number", "10001"),
        ("transaction_type", "PN"),
        ("physical_state", "TX"),
        ("account_written_as", "DC"),
        ("risk_description", "a warehouse"),
        ("layered_risk", "0"),
        ("risk_retention_group", "0"),
        ("mailing_insured_name", "Example Diner LLC"),
        ("premium", "1,000.00"),
        ("line_of_business_list", "GEN-1002"),
        ("line_of_business_coverage", "1000"),
        ("insurance_company_list", "AA-1120337"),
        ("insurance_company_coverage", "100"),
        ("sl_tax", "48.50"),
        ("stamping_fee", "0.40"),
        ("total", "1048.90"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into()
}

async fn begun(desk: &Desk, begin: NewTransaction) -> ReviewView {
    let source = ReviewSource::Transaction(Box::new(begin));
    let mut view = desk.review_start(ReviewStart { source }).await.unwrap();
    while view.stage == ReviewStage::Reading {
        view = desk.review_state(ReviewId { id: view.id }).await.unwrap();
    }
    assert_eq!((view.stage, view.is_single, view.counts.rows), (ReviewStage::Review, true, 1), "{view:?}");
    view
}

async fn send(desk: &Desk, id: &str) -> BatchView {
    let scope = SendScope::Valid;
    let preview = desk.review_send_preview(SendReviewPreview { id: id.into(), scope }).await.unwrap();
    assert_eq!(preview.totals.count, 1, "{preview:?}");
    let confirmed = preview.totals;
    desk.review_send(SendReview { id: id.into(), scope, confirmed, typed: preview.type_word }).await.unwrap()
}

fn with_values(policy: &str) -> NewTransaction {
    NewTransaction { values: values(policy), ..NewTransaction::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_a_draft_until_it_is_sent_and_answered_at_once() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    begun(&desk, NewTransaction::default()).await;
    let view = begun(&desk, with_values("0012345678")).await;
    assert_eq!((view.counts.errors, view.counts.ready), (0, 1), "{:?}", view.groups);
    let drafts = desk.review_list(Nothing {}).await.unwrap().reviews;
    assert_eq!(drafts.len(), 1, "a draft until it is sent; a blank one that was only opened is none");
    let batch = ended(&desk, &send(&desk, &view.id).await.id).await;
    assert_eq!(
        (batch.state, batch.is_single, batch.counts.total),
        (BatchState::Processed, true, 1),
        "{batch:?}"
    );
    let row = rows(&desk, &batch.id, None, 0).await.remove(0);
    assert_eq!(row.policy_number, "0012345678", "leading zeros stay");
    assert!(row.transaction_id.is_some() && row.stage == DeliveryStage::Processed, "{row:?}");
    assert_eq!(row.evidence.map(|evidence| evidence.question).as_deref(), Some("import of the transaction"));
    test.exactly_once(&desk, &batch).await;
    assert!(batch.batch_ids.is_empty(), "a single import has no batch at the service: {batch:?}");
    let log = desk.audit_list(Nothing {}).await.unwrap().entries;
    assert!(log.iter().any(|entry| entry.text.contains("Transaction 0012345678")), "{log:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_leaves_it_exactly_once() {
    for kind in
        ["delay", "cut_before", "error_before", "error_after", "cut", "cut_body", "malformed", "not_found"]
    {
        let test = OutboxFixture::new().await;
        let desk = test.desk();
        test.fault("single_import", kind, 1).await;
        let view = begun(&desk, with_values("P-1")).await;
        let batch = ended(&desk, &send(&desk, &view.id).await.id).await;
        test.exactly_once(&desk, &batch).await;
        if kind != "not_found" {
            assert_eq!(batch.state, BatchState::Processed, "{kind}: {batch:?}");
            assert_eq!(batch.counts.accepted + batch.counts.warning, 1, "{kind}: {batch:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_service_that_loses_the_answer_is_asked_and_never_sent_to_twice() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    test.office(&desk).await;
    // Something that the service is known to have, and to name the batch of.
    let known = crate::outbox_fixture::sent(&desk, crate::outbox_fixture::many("k", 3)).await;
    assert_eq!(known.state, BatchState::Processed);
    for (kind, policy) in [("cut", "P-1"), ("cut_before", "P-2")] {
        test.fault("single_import", kind, 1).await;
        let view = begun(&desk, with_values(policy)).await;
        let batch = ended(&desk, &send(&desk, &view.id).await.id).await;
        assert_eq!(batch.counts.accepted + batch.counts.warning, 1, "{kind}: {batch:?}");
        let row = rows(&desk, &batch.id, None, 0).await.remove(0);
        assert_eq!(test.stored().await.get(&row.id), Some(&1), "{kind}");
    }
    assert_eq!(test.stored().await.values().sum::<i64>(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_comes_back_to_the_form_and_is_corrected_as_a_single_import() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let mut begin = with_values("P-1");
    begin.values.insert("total".into(), "2000.00".into());
    let view = begun(&desk, begin).await;
    let batch = ended(&desk, &send(&desk, &view.id).await.id).await;
    assert_eq!(batch.counts.warning, 1, "{batch:?}");
    let source = ReviewSource::Batch { batch: batch.id.clone() };
    let mut view = desk.review_start(ReviewStart { source }).await.unwrap();
    while view.stage == ReviewStage::Reading {
        view = desk.review_state(ReviewId { id: view.id }).await.unwrap();
    }
    assert!(view.is_single && view.batch.is_some(), "{view:?}");
    let column = view.columns.iter().find(|column| column.field.as_deref() == Some("total")).unwrap().column;
    let edits = vec![CellEdit { row: 1, column, text: "1048.90".into() }];
    let label = String::new();
    desk.review_edit(ReviewEdit { id: view.id.clone(), label, edits, ..ReviewEdit::default() })
        .await
        .unwrap();
    let again = ended(&desk, &send(&desk, &view.id).await.id).await;
    assert!(again.is_single && again.counts.error == 0, "{again:?}");
    let row = rows(&desk, &again.id, None, 0).await.remove(0);
    assert!(!row.messages.iter().any(|message| message.field == "total"), "{row:?}");
    assert_eq!(test.stored().await.values().sum::<i64>(), 1, "corrected, not doubled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quote_is_filed_with_its_amounts() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let request = QuoteRequest {
        state: "TX".into(),
        transaction_type: "RPE".into(),
        lines: vec![QuoteLine { code: "GEN-1002".into(), premium: "$1,000".into() }],
        policy_effective: "2026-02-23".into(),
        transaction_effective: "2026-05-01".into(),
        insured: "Example Diner LLC".into(),
        ..QuoteRequest::default()
    };
    let answer = desk.quote_calculate(request.clone()).await.unwrap();
    let filing = async || desk.quote_filing(request.clone()).await.unwrap();
    assert_eq!(filing().await, QuoteFiling::default());
    let quote =
        NewTransaction { quote: Some(request.clone()), answer: Some(answer), ..NewTransaction::default() };
    let view = begun(&desk, quote).await;
    assert_eq!(filing().await, QuoteFiling { draft: Some(view.id.clone()), sent_at: None });
    assert_eq!(view.name, "Transaction Example Diner LLC", "no policy number yet: by its insured");
    let page = desk
        .review_rows(RowsRequest { id: view.id.clone(), count: 1, ..RowsRequest::default() })
        .await
        .unwrap();
    let cell = |field: &str| {
        let at = view.columns.iter().position(|column| column.field.as_deref() == Some(field)).unwrap();
        page.rows[0].cells[at].clone()
    };
    for (field, expected) in [
        ("transaction_type", "RPE"),
        ("premium", "1,000.00"),
        ("sl_tax", "48.50"),
        ("stamping_fee", "0.40"),
        ("mailing_insured_name", "Example Diner LLC"),
        ("policy_number", ""),
    ] {
        assert_eq!(cell(field), expected, "{field}");
    }
    assert!(!view.groups.iter().any(|group| group.code.starts_with("tax_")), "{:?}", view.groups);
    assert!(view.counts.errors > 0, "a policy number is missing, and is asked for");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_looked_up_by_the_number_of_the_service() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let sent = crate::outbox_fixture::sent(&desk, crate::outbox_fixture::many("n", 3)).await;
    let number = sent.batch_ids[0].clone();
    let found = desk.batch_lookup(BatchLookupRequest { number: format!(" {number} ") }).await.unwrap();
    assert_eq!((found.total, found.batch.as_deref()), (3, Some(sent.id.as_str())), "{found:?}");
    assert!(found.rows.iter().all(|row| row.transaction_id.is_some()), "{found:?}");
    // Of a colleague: nothing here was sent.
    let import = json!({ "transactions": [crate::outbox_fixture::row("other")] });
    let taken = test.ask("POST", "api/v4/transaction-import.json", import).await;
    let number = taken["batch_id"].as_str().unwrap().to_owned();
    let found = desk.batch_lookup(BatchLookupRequest { number }).await.unwrap();
    assert_eq!(found.batch, None);
    for (number, code) in
        [("", ErrorCode::Validation), ("0123456789abcdef0123456789abcdef", ErrorCode::NotFound)]
    {
        let refused = desk.batch_lookup(BatchLookupRequest { number: number.into() }).await.unwrap_err();
        assert_eq!(refused.code, code, "{number}: {refused:?}");
    }
}

/// The record under the number that the answer gives shows that it arrived, whatever else the answer says.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_with_a_number_alone_is_confirmed_by_its_record() {
    for names_it in [true, false] {
        let kept: Arc<Mutex<Value>> = Arc::default();
        let (_test, desk, service) = office(move |question| match question {
            import if import.path.contains("single/transaction") => {
                let row: Value = serde_json::from_str(&import.body).unwrap();
                *kept.lock().unwrap() = record_by_the_letter(&row, 1001);
                match names_it {
                    true => reply(r#"{"success":true,"transaction_id":1001,"message":"ok"}"#),
                    false => Some((201, kept.lock().unwrap().to_string())),
                }
            }
            look if look.path == "/status?transaction_id=1001" => reply(kept.lock().unwrap().to_string()),
            _ => Some((400, "{}".into())),
        })
        .await;
        let view = begun(&desk, with_values("P-1")).await;
        let batch = ended(&desk, &send(&desk, &view.id).await.id).await;
        assert_eq!((batch.state, batch.counts.accepted), (BatchState::Processed, 1), "{names_it}: {batch:?}");
        let row = rows(&desk, &batch.id, None, 0).await.remove(0);
        assert_eq!(row.transaction_id.as_deref(), Some("1001"));
        assert!(service.count("/status") > 0);
    }
}

/// Who typed one transaction has no file with rows and columns, and no mapping that remembers a word.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_it_is_told_by_field_with_the_code_to_write() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let mut begin = with_values("P-1");
    begin.values.insert("line_of_business_list".into(), "General Liability".into());
    let view = begun(&desk, begin).await;
    assert!(view.groups[0].examples.iter().all(|example| !example.contains("Row")), "{:?}", view.groups);
    let cell = CellId { id: view.id.clone(), row: view.groups[0].first_row, column: None };
    let issues = desk.review_issues(cell).await.unwrap().issues;
    let message = &issues[0].message;
    assert!(message.starts_with("Lines of business: found \"General Liability\", expected"), "{message}");
    assert!(message.ends_with("usually means Commercial general liability. Write GEN-1002."), "{message}");
}

#[tokio::test]
async fn a_value_under_another_name_is_refused_with_the_name_to_write() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    for (name, advice) in [
        ("line of business", "Write line_of_business_list, as the import template does."),
        ("Policy #", "Write policy_number, as the import template does."),
        ("documents", "Attach documents as files."),
        ("shoe size", "The columns are those of the import template, such as policy_number."),
    ] {
        let values = [(name.to_owned(), "1".to_owned())].into();
        let begin = NewTransaction { values, ..NewTransaction::default() };
        let source = ReviewSource::Transaction(Box::new(begin));
        let refused = desk.review_start(ReviewStart { source }).await.unwrap_err();
        assert_eq!(refused.message, format!("There is no column \"{name}\". {advice}"));
    }
}
