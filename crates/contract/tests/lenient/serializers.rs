//! Answers as serializers, converters of XML, and gateways write them.

use bordereau_contract::{
    AccountWebhooks, AnswerFault, CalculateResponse, DiligentForms, DocumentsImported, ImportAccepted,
    ImportResult, ImportResults, ReadFaultKind, SearchAnswer, TokenResponse, TransactionRecord, has_entries,
    is_nothing, name_by_place, read_in_spite,
};
use bordereau_money::Usd;
use serde_json::json;

use super::{paths, read, value, with};

/// Lists in an object: with the type of each object, as pages of edges, as an element of its own.
#[test]
fn a_list_may_lie_in_an_object() {
    let rows = json!([{ "id": "INV-1", "status": 1, "errors": { "$type": "List", "$values": [{ "$type": "E", "message": "No insurer" }] } }]);
    let edges = json!([{ "cursor": "x", "node": rows[0] }]);
    for list in [
        json!({ "$type": "List", "$values": rows }),
        json!({ "edges": edges, "pageInfo": { "hasNextPage": false }, "totalCount": 1 }),
        json!({ "nodes": rows, "pageInfo": { "hasNextPage": false } }),
        json!({ "Transaction": rows }),
        json!({ "@attributes": { "count": "1" }, "Transaction": rows }),
        json!([{ "transaction": rows[0] }]),
        json!([{ "importRow": rows[0], "__typename": "Row" }]),
    ] {
        let results: ImportResults =
            value(&json!({ "batch_id": "b", "status": "processed", "transactions": list }));
        let [row] = results.transactions.as_slice() else { panic!("{list}: {results:?}") };
        assert_eq!(row.id, "INV-1", "{list}");
        assert_eq!(row.errors.iter().collect::<Vec<_>>(), [("", "No insurer")], "{list}");
    }
    let record = json!({ "id": 17, "policy_number": "P-1" });
    let page = json!({ "$type": "Page", "TotalPages": 1, "Succeeded": true, "Errors": null, "Message": null,
        "Data": { "$type": "List", "$values": [record] } });
    assert_eq!(value::<SearchAnswer>(&page).data[0].id, 17);
    let listed = json!({ "items": [record], "hasMore": false, "limit": 25, "offset": 0, "count": 1,
        "links": [{ "rel": "self", "href": "/t" }] });
    assert_eq!(value::<TransactionRecord>(&listed).id, 17);
    let hooks: AccountWebhooks = value(
        &json!({ "data": { "webhooks": { "nodes": [{ "id": "w1", "events": { "$values": ["webhook.transaction.status.filed"] } }] } } }),
    );
    assert_eq!((hooks.webhooks[0].id.as_str(), hooks.webhooks[0].events.len()), ("w1", 1));
    let hooks: AccountWebhooks = value(&json!({ "d": [{ "id": "w1" }] }));
    assert_eq!(hooks.webhooks.len(), 1);
}

/// An envelope may have the name of an operation.
#[test]
fn an_envelope_may_have_the_name_of_an_operation() {
    let inner = json!({ "batchId": "b", "status": "QUEUED", "totalItems": 2 });
    for answer in [
        json!({ "data": { "importTransactions": inner } }),
        json!({ "ImportResponse": { "@attributes": { "xmlns": "urn:x" }, "ImportResult": inner } }),
        json!({ "requestId": "r-1", "timestamp": "2026-11-26", "batchImport": inner }),
    ] {
        assert_eq!(value::<ImportAccepted>(&answer).batch_id, "b", "{answer}");
    }
    let token: TokenResponse = value(
        &json!({ "data": { "login": { "accessToken": "a", "refreshToken": "r", "expiresIn": 3600 } } }),
    );
    assert_eq!(token.access_token, "a");
    let quote: CalculateResponse = value(&json!({ "data": { "calculate": with(&json!({})) } }));
    assert!(quote.premium > Usd::ZERO);
    let fault = |answer: &serde_json::Value| -> AnswerFault { read::<ImportAccepted>(answer).unwrap_err() };
    for other in [
        json!({ "error": { "id": "E-1", "total_items": 3 } }),
        json!({ "validationFault": { "id": "E-1", "batch_id": "x" } }),
        json!({ "importTransactions": { "id": "r-1" } }),
    ] {
        assert_ne!(fault(&other).kind, ReadFaultKind::Refusal, "{other}");
    }
    // A refusal is one in it too, and a number beside it leaves the outcome open.
    let refused = json!({ "data": { "importTransactions": { "success": false, "message": "No" } } });
    assert_eq!(fault(&refused).kind, ReadFaultKind::Refusal);
    let both = json!({ "data": { "importTransactions": { "success": false, "batchId": "b" } } });
    assert_eq!(fault(&both).kind, ReadFaultKind::Contradiction);
    assert_eq!(read_in_spite::<ImportAccepted>(both.to_string().as_bytes()).unwrap().value.batch_id, "b");
    let failed =
        json!({ "importResults": { "success": false, "transactions": [{ "id": "INV-1", "status": 1 }] } });
    assert!(has_entries(failed.to_string().as_bytes()));
    for (answer, expected) in [
        (json!({ "data": { "getTransaction": null } }), true),
        (json!({ "data": { "getTransaction": null }, "errors": [{ "message": "Down" }] }), false),
        (json!({ "data": { "getTransaction": { "id": 5 } } }), false),
        (json!({ "@odata.context": "$metadata#Transactions", "value": [] }), true),
        (json!({ "@odata.context": "$metadata#Transactions", "value": [{ "id": 5 }] }), false),
    ] {
        assert_eq!(is_nothing(answer.to_string().as_bytes()), expected, "{answer}");
    }
}

/// Elements of XML with their attributes.
#[test]
fn a_value_may_be_the_text_of_an_element() {
    let text = |text: &str| json!({ "@attributes": { "type": "string" }, "#text": text });
    let none = json!({ "@attributes": { "nil": "true" } });
    let record: TransactionRecord = value(
        &json!({ "GetStatusResponse": { "@xmlns": "urn:x", "GetStatusResult": {
        "Id": { "#text": "17" }, "PolicyNumber": text("P-1"), "Premium": { "@currency": "USD", "#text": "1234.50" },
        "DateFiled": none, "CountyFee": { "@xsi:nil": "true" },
        "TransactionDocuments": { "Item": { "Name": text("Policy"), "Code": text("POLIC") } } } } }),
    );
    assert_eq!((record.id, record.policy_number.as_deref()), (17, Some("P-1")));
    assert_eq!(
        (record.premium, record.date_filed, record.county_fee),
        (Usd::parse("1234.50").ok(), None, None)
    );
    assert_eq!(record.transaction_documents[0].code, "POLIC");
    let euros = json!({ "Id": { "#text": "17" }, "Premium": { "@attributes": { "currency": "EUR" }, "#text": "5.00" } });
    assert!(read::<TransactionRecord>(&euros).is_err());
}

/// The service's number for each own id, and the reasons of the others beside them.
#[test]
fn results_may_be_numbers_by_own_id() {
    let results: ImportResults = value(&json!({ "batch_id": "b", "status": "processed",
        "transactions": { "INV-1": 17, "INV-2": "18" }, "errors": { "INV-3": "No insurer" } }));
    let found: Vec<_> =
        results.transactions.iter().map(|row| (row.id.as_str(), row.transaction_id)).collect();
    assert_eq!(found, [("INV-1", Some(17)), ("INV-2", Some(18)), ("INV-3", None)]);
    let refused: Vec<bool> = results.transactions.iter().map(|row| row.is_told()).collect();
    assert_eq!(refused, [false, false, true]);
    // Counts are no rows.
    let counts: ImportResults = value(&json!({ "batch_id": "b", "results": { "total": 3, "accepted": 2 } }));
    assert!(counts.transactions.iter().all(|row| !row.is_told()));
}

/// Answers of many parts, each with a status of HTTP and a body.
#[test]
fn parts_of_an_answer_have_bodies() {
    let results: ImportResults = value(
        &json!({ "payload": { "id": "b", "state": "JobComplete", "compositeResponse": [
        { "referenceId": "INV-1", "httpStatusCode": 201, "body": { "id": "17", "success": true, "errors": [] } },
        { "referenceId": "INV-2", "httpStatusCode": 400,
            "body": [{ "message": "No insurer", "errorCode": "X", "fields": ["insurer"] }] },
    ] } }),
    );
    let [one, two] = results.transactions.as_slice() else { panic!("{results:?}") };
    assert_eq!((one.external_id.as_str(), one.id.as_str(), one.success), ("INV-1", "17", Some(true)));
    assert_eq!(two.errors.iter().collect::<Vec<_>>(), [("insurer", "No insurer")]);
    assert!(two.is_plain_failure() && two.external_id == "INV-2");
}

/// A place says which row is meant only where every row has one.
#[test]
fn results_may_name_rows_by_their_place() {
    let rows = |name: &str, places: &[u32]| -> Vec<ImportResult> {
        let row = |place: &u32| json!({ name: place, "status": place % 2, "transaction_id": 17 });
        let rows: Vec<_> = places.iter().map(row).collect();
        value::<ImportResults>(&json!({ "batch_id": "b", "status": "processed", "transactions": rows }))
            .transactions
    };
    for (name, places, expected) in [
        ("line", [1, 2, 3], ["a", "b", "c"]),
        ("index", [2, 0, 1], ["c", "a", "b"]),
        ("row_number", [2, 3, 4], ["a", "b", "c"]),
        ("row", [1, 2, 4], [""; 3]),
        ("row", [5, 6, 7], [""; 3]),
        ("row", [1, 1, 2], [""; 3]),
    ] {
        let mut results = rows(name, &places);
        name_by_place(&mut results, &["a", "b", "c"]);
        let ids: Vec<&str> = results.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids, expected, "{name} {places:?}");
        // A success is looked up by its number.
        let are_sure = results.iter().any(|row| row.status.to_string() == "0");
        assert_eq!(
            are_sure,
            expected[0].is_empty() && places.iter().any(|place| place % 2 == 0),
            "{name} {places:?}"
        );
    }
    let mut fewer = rows("line", &[1, 2]);
    name_by_place(&mut fewer, &["a", "b", "c"]);
    assert!(fewer.iter().all(|row| row.id.is_empty()));
    let mut named = rows("line", &[1, 2]);
    named[0].policy_number = Some("P-1".to_owned());
    name_by_place(&mut named, &["a", "b"]);
    assert!(named.iter().all(|row| row.id.is_empty()));
}

/// A number below zero without a number of the service refuses a row.
#[test]
fn a_status_below_zero_is_a_refusal() {
    for (row, expected) in [
        (json!({ "policy_number": "P-1", "status": -1 }), true),
        (json!({ "policy_number": "P-1", "status": "-1", "transaction_id": 0 }), true),
        (json!({ "policy_number": "P-1", "status": -1, "transaction_id": 17 }), false),
        (json!({ "policy_number": "P-1", "status": -1, "success": true }), false),
        (json!({ "policy_number": "P-1", "status": 8, "message": "Waits" }), false),
    ] {
        assert_eq!(value::<ImportResult>(&row).is_plain_failure(), expected, "{row}");
    }
}

/// A document has a flag, or a word that leaves no doubt.
#[test]
fn a_document_is_taken_by_a_flag_or_a_word() {
    for (outcome, expected) in [
        (json!({ "name": "Policy", "imported": true, "reason": null }), Some((true, None))),
        (json!({ "name": "Policy", "imported": false, "reason": "No" }), Some((false, Some("No")))),
        (json!({ "document": "Policy", "result": "OK" }), Some((true, None))),
        (json!({ "name": "Policy", "status": "UPLOADED" }), Some((true, None))),
        (json!({ "name": "Policy", "isImported": true }), Some((true, None))),
        (json!({ "id": "7", "success": true, "errors": [] }), Some((true, None))),
        (json!({ "document": "Policy", "result": "ERROR: not a PDF" }), Some((false, Some("not a PDF")))),
        (json!({ "name": "Policy", "status": "rejected", "error_message": "No" }), Some((false, Some("No")))),
        (json!({ "name": "Policy", "status": "received" }), None),
        (json!({ "name": "Policy", "status": 0 }), None),
        (json!({ "name": "Policy", "status": "pending", "imported": null }), None),
    ] {
        let read = read::<DocumentsImported>(&json!({ "documents": [outcome] })).unwrap();
        let found = read.value.documents.first().map(|one| (one.imported, one.reason.as_deref()));
        assert_eq!(found, expected, "{outcome}");
    }
}

/// The address of a file, or the file itself, under a name of the service's own.
#[test]
fn a_file_is_known_by_its_form() {
    let address = "https://files.example/d/1";
    for form in [
        json!({ "code": "DEF", "presignedUrl": address }),
        json!({ "code": "DEF", "file": address }),
        json!({ "code": "DEF", "_links": { "self": { "href": "/f/1" }, "download": { "href": address } } }),
        json!({ "code": "DEF", "links": [{ "rel": "enclosure", "href": address }] }),
        json!({ "form": { "code": "DEF", "url": address } }),
    ] {
        let forms: DiligentForms = value(&json!({ "forms": [form] }));
        assert_eq!(forms.forms[0].download_url, address, "{form}");
    }
    for form in [
        json!({ "code": "DEF", "fileBlob": "JVBERi0xLjQK" }),
        json!({ "code": "DEF", "file_contents": "AAAA" }),
    ] {
        let forms: DiligentForms = value(&json!({ "forms": [form] }));
        assert!(!forms.forms[0].content.is_empty(), "{form}");
    }
    let listed = json!({ "forms": [{ "code": "DEF", "missing_fields": { "$type": "List", "$values": ["insured_name"] } }] });
    assert_eq!(value::<DiligentForms>(&listed).forms[0].missing_fields, ["insured_name"]);
    // An address of its own counts first, and no other address is one of the file.
    for (form, expected) in [
        (
            json!({ "code": "DEF", "download_url": "/f/1", "fileUrl": address, "thumbnail": "iVBORw0K" }),
            "/f/1",
        ),
        (json!({ "code": "DEF", "instructions_url": address, "blank_pdf": address }), ""),
    ] {
        let forms: DiligentForms = value(&json!({ "forms": [form] }));
        let found = (forms.forms[0].download_url.as_str(), forms.forms[0].content.as_str());
        assert_eq!(found, (expected, ""), "{form}");
    }
    let read =
        read::<SearchAnswer>(&json!({ "data": [{ "id": 1, "policy_number": "P", "transaction_documents":
        [{ "name": "Policy", "_links": { "download": { "href": address } } }] }] }));
    let read = read.unwrap();
    assert_eq!(read.value.data[0].transaction_documents[0].download_url, address);
    assert!(paths(&read).is_empty());
}

/// A code or a status may be an object with its title.
#[test]
fn a_code_may_have_a_title() {
    let record: TransactionRecord = value(&json!({ "id": 17, "policy_number": "P-1",
        "transaction_status": { "id": 4, "label": "Filed" }, "transaction_type": { "id": 3, "name": "New Policy" },
        "physical_state": { "code": "TX", "name": "Texas" } }));
    assert_eq!(record.transaction_status, 4.into());
    assert_eq!(
        (record.transaction_type.as_deref(), record.physical_state.as_deref()),
        (Some("PN"), Some("TX"))
    );
    let row: ImportResult = value(&json!({ "id": "INV-1", "status": { "code": 1, "text": "Failed" } }));
    assert!(row.is_told());
    let other: TransactionRecord = value(&json!({ "id": 17, "physical_state": {}, "policy_number": "P-1" }));
    assert_eq!(other.physical_state, None);
}
