//! Results as providers send them, and transactions as they travel.

use bordereau_contract::{
    BatchStatus, CoverageItem, FieldMessages, ImportResults, ImportTransaction, read_answer,
};
use bordereau_money::Usd;
use serde_json::json;

#[test]
fn messages_come_keyed_or_plain() {
    let cases = [
        (r#"{"total":"no match"}"#, vec![("total", "no match")]),
        (r#"{"slTax":["a","b"]}"#, vec![("slTax", "a"), ("slTax", "b")]),
        (r#"["Required document is missing"]"#, vec![("", "Required document is missing")]),
        (r#""one""#, vec![("", "one")]),
        (r#"[{"fieldName":"slTax","warningMessage":"no match"}]"#, vec![("slTax", "no match")]),
        (r#"[{"FieldName":"slTax","errorMessage":"no match","errorCode":7}]"#, vec![("slTax", "no match")]),
        (r#"{"field":"slTax","msg":"no match"}"#, vec![("slTax", "no match")]),
        (r#"{"slTax":{"Message":"no match","code":7}}"#, vec![("slTax", "no match")]),
        ("[]", vec![]),
        ("{}", vec![]),
        ("null", vec![]),
    ];
    for (json, expected) in cases {
        let messages: FieldMessages = serde_json::from_str(json).unwrap();
        assert_eq!(messages.iter().collect::<Vec<_>>(), expected, "{json}");
        assert_eq!(messages.is_empty(), expected.is_empty(), "{json}");
    }
}

#[test]
fn a_reason_in_any_form_is_read_as_a_sentence() {
    for (message, expected) in [
        (r#""Line of business is invalid.""#, Some("Line of business is invalid.")),
        (r#"{"lineOfBusiness":"Line of business is invalid."}"#, Some("Line of business is invalid.")),
        (r#"["One","Two"]"#, Some("One; Two")),
        (r#"[{"field":"premium","message":"One"}]"#, Some("One")),
        ("null", None),
        (r#""""#, None),
        ("false", None),
    ] {
        let json = format!(
            r#"{{"batch_id":"b","transactions":[{{"id":"1","status":1,"status_message":{message}}}]}}"#
        );
        let read = bordereau_contract::read_answer::<ImportResults>(json.as_bytes()).unwrap();
        assert!(read.losses.is_empty(), "{json}: {:?}", read.losses);
        assert_eq!(read.value.transactions[0].status_message.as_deref(), expected, "{json}");
    }
}

#[test]
fn an_unknown_batch_status_is_not_taken_for_done() {
    let results: ImportResults = serde_json::from_str(r#"{"batch_id":"b","status":"paused"}"#).unwrap();
    assert_eq!(results.status, BatchStatus::Unknown("paused".to_owned()));
}

#[test]
fn what_was_not_given_does_not_travel() {
    let transaction = ImportTransaction {
        id: "A-1".into(),
        sl_tax: Usd::parse("93.26").ok(),
        insurance_company_list: vec![CoverageItem {
            item: "AA-1120337".into(),
            coverage: Usd::parse("60").ok(),
        }],
        ..ImportTransaction::default()
    };
    let json = serde_json::to_string(&transaction).unwrap();
    assert_eq!(
        json,
        r#"{"id":"A-1","insurance_company_list":[{"item":"AA-1120337","coverage":60.00}],"sl_tax":93.26}"#
    );
    assert_eq!(serde_json::from_str::<ImportTransaction>(&json).unwrap(), transaction);
}

#[test]
fn results_may_come_in_pages() {
    let row = json!({ "id": "a", "status": 0 });
    for (answer, pages, next) in [
        (
            json!({ "transactions": [row], "pagination": { "total": 6, "per_page": 2, "page": 1, "pages": 3 } }),
            3,
            "",
        ),
        (json!({ "data": [row], "meta": { "current_page": 1, "last_page": 2 } }), 2, ""),
        (json!({ "transactions": [row], "pagination": { "total": 5, "per_page": 2 } }), 3, ""),
        (json!({ "transactions": [row], "next": "/r?page=2" }), 0, "/r?page=2"),
        (json!({ "transactions": [row], "next": null }), 0, ""),
    ] {
        let results = read_answer::<ImportResults>(answer.to_string().as_bytes()).unwrap().value;
        assert_eq!((results.pagination.page_count(), results.next.as_str()), (pages, next), "{answer}");
    }
    // What is asked for is written without it.
    let written = serde_json::to_value(ImportResults::default()).unwrap();
    assert_eq!(written, json!({ "batch_id": "", "status": "", "transactions": [] }));
}
