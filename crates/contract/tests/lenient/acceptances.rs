//! Answers to a batch that was sent: its number, its numbers, or its results.

use bordereau_contract::{ImportAccepted, ReadFaultKind, batch_numbers};
use serde_json::json;

use super::{read, value};

#[test]
fn an_acceptance_is_one_by_its_number() {
    for answer in [
        json!({ "batch_id": 123 }),
        json!({ "batch_id": "123" }),
        json!({ "BatchId": "123", "status": "Received", "total_items": "many" }),
        json!({ "success": true, "data": { "batchId": 123, "message": "Thank you" } }),
        json!({ "status": "success", "batch": { "id": 123 } }),
        json!({ "id": "request-7", "batch_ids": ["123"] }),
        json!({ "id": "123", "batch_ids": [0] }),
    ] {
        assert_eq!(value::<ImportAccepted>(&answer).batch_id, "123", "{answer}");
    }
    // A service may make several batches of one.
    for (answer, items) in [
        (
            json!({ "batches": [{ "batch_id": "1f", "total_items": 3 }, { "batch_id": 20, "total_items": 2 }] }),
            5,
        ),
        (json!({ "id": "request-7", "batches": [{ "id": "1f" }, { "id": 20 }, { "id": "1f" }] }), 0),
        (json!({ "data": { "batchIds": ["1f", 20], "totalItems": 6 } }), 6),
    ] {
        let accepted: ImportAccepted = value(&answer);
        assert_eq!(batch_numbers(&accepted.batch_id).collect::<Vec<_>>(), ["1f", "20"], "{answer}");
        assert_eq!(accepted.total_items, items, "{answer}");
    }
    for answer in [
        json!({ "batch_id": null, "status": "queued" }),
        json!({ "batch_id": 0 }),
        json!({ "batch_id": "" }),
        json!({}),
        json!([]),
        json!({ "total_items": 3 }),
        json!({ "batches": [{ "batch_id": "1f" }, { "total_items": 3 }] }),
        json!({ "batch_ids": [] }),
        json!({ "batch_ids": "0" }),
        json!({ "batch_ids": ["1f", 0] }),
    ] {
        assert_eq!(read::<ImportAccepted>(&answer).unwrap_err().kind, ReadFaultKind::Garbled, "{answer}");
    }
}

/// Results that come instead of a batch's number.
#[test]
fn an_acceptance_may_be_its_results() {
    let row = json!({ "id": "a", "transaction_id": 17, "status": 0 });
    for (answer, count) in [
        (json!({ "status": "processed", "transactions": [row, row] }), 2),
        (json!({ "status": "processed", "transactions": [row] }), 1),
        (json!({ "data": { "results": [row] } }), 1),
        (
            json!({ "transactions": [{ "id": "a", "transaction_id": 17 }], "errors": [{ "id": "b", "message": "No" }] }),
            1,
        ),
        (json!({ "responses": [{ "status": 201, "id": "a", "body": { "transaction_id": 17 } }] }), 1),
    ] {
        let accepted: ImportAccepted = value(&answer);
        assert_eq!((accepted.batch_id.as_str(), accepted.transactions.len()), ("", count), "{answer}");
    }
    // What was sent, said again, is no result.
    assert!(read::<ImportAccepted>(&json!({ "transactions": [{ "id": "a" }] })).is_err());
    let spite = json!({ "success": false, "transactions": [row, { "id": "b", "status": 1 }] });
    assert_eq!(read::<ImportAccepted>(&spite).unwrap_err().kind, ReadFaultKind::Contradiction);
}
