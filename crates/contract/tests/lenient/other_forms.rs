//! Results in two lists, HAL, and JSON inside of a text.

use bordereau_contract::{
    AccountWebhooks, CalculateResponse, ImportAccepted, ImportResults, ReadAnswer, SearchAnswer,
    TransactionRecord, failure_inside, without_quotes,
};
use bordereau_money::Usd;
use serde_json::json;

use super::{paths, read, value, with};

/// A list says how its rows ended; a success needs the service's number all the same.
#[test]
fn results_may_come_in_two_lists() {
    let taken = json!({ "id": "INV-1", "transaction_id": 17 });
    let refused = json!({ "id": "INV-2", "reason": "No insurer" });
    for answer in [
        json!({ "accepted": [taken], "rejected": [refused] }),
        json!({ "data": { "Successful": [taken], "Failed": [refused] } }),
        json!({ "succeeded": [taken], "errors": [refused], "failed": 1, "message": "1 of 2" }),
        json!({ "success": [taken], "failures": [{ "row": { "id": "INV-2" }, "errors": ["No insurer"] }] }),
        json!({ "imported": 1, "transactions": [{ "id": "INV-1", "transaction_id": 17, "success": true }],
            "invalid": { "INV-2": ["No insurer"] } }),
        json!({ "success": false, "created": [taken], "refused": [{ "id": "INV-2", "status": 0, "message": "No insurer" }] }),
    ] {
        let mut body = answer.clone();
        if answer.get("data").is_none() {
            body["batch_id"] = json!("b");
            body["status"] = json!("processed");
        }
        let read = read::<ImportResults>(&body).map(|read| read.value);
        let read = read.or_else(|_| {
            bordereau_contract::read_in_spite(body.to_string().as_bytes()).map(|read| read.value).ok_or(())
        });
        let results: ImportResults = read.unwrap_or_else(|()| panic!("{answer}"));
        let [one, two] = results.transactions.as_slice() else { panic!("{answer}: {results:?}") };
        assert_eq!(
            (one.id.as_str(), one.transaction_id, one.is_told()),
            ("INV-1", Some(17), false),
            "{answer}"
        );
        assert_eq!((two.id.as_str(), two.status.to_string()), ("INV-2", "failed".to_owned()), "{answer}");
        let reasons: Vec<&str> =
            two.errors.iter().map(|(_, text)| text).chain(two.status_message.as_deref()).collect();
        assert_eq!(reasons, ["No insurer"], "{answer}");
    }
    // Ids alone; a row under both, and one that its list contradicts, has no outcome.
    let results: ImportResults =
        value(&json!({ "batch_id": "b", "accepted": ["INV-1", { "id": "INV-3", "status": 1 }],
        "rejected": ["INV-2"] }));
    let told: Vec<(&str, bool)> =
        results.transactions.iter().map(|row| (row.id.as_str(), row.is_told())).collect();
    assert_eq!(told, [("INV-1", false), ("INV-3", false), ("INV-2", true)]);
    // Counts, flags and errors of the whole are no rows.
    for answer in [
        json!({ "batch_id": "b", "accepted": 4, "rejected": 2, "success": true, "errors": "None" }),
        json!({ "batch_id": "b", "transactions": [], "errors": [{ "id": "INV-1", "message": "Odd" }] }),
    ] {
        let read = read::<ImportResults>(&answer).unwrap();
        assert_eq!((read.value.transactions.len(), paths(&read).len()), (0, 0), "{answer}");
    }
    // The immediate answer alike.
    let accepted: ImportAccepted = value(&json!({ "accepted": [taken], "rejected": [refused] }));
    assert_eq!((accepted.batch_id.as_str(), accepted.transactions.len()), ("", 2));
    let accepted: ImportAccepted = value(&json!({ "accepted": true, "data": { "batch_id": "b" } }));
    assert_eq!(accepted.batch_id, "b");
}

/// A batch that failed has its reason for the rows that it names.
#[test]
fn rows_of_a_failed_batch_have_its_reason() {
    let results: ImportResults =
        value(&json!({ "batch_id": "b", "status": "failed", "message": "The file is damaged",
        "transactions": [{ "id": "INV-1" }, { "id": "INV-2", "transaction_id": 7 }] }));
    let [one, two] = results.transactions.as_slice() else { panic!("{results:?}") };
    assert_eq!((one.is_told(), one.status_message.as_deref()), (true, Some("The file is damaged")));
    assert_eq!((two.is_told(), results.message.as_str()), (false, "The file is damaged"));
}

/// HAL: lists are embedded, pages are linked.
#[test]
fn what_is_embedded_belongs_to_what_has_it() {
    let record =
        json!({ "id": 17, "policy_number": "P-1", "premium": 5, "_links": { "self": { "href": "/t/17" } } });
    let page = json!({ "size": 1, "totalElements": 3, "totalPages": 3, "number": 1 });
    for name in ["transactions", "transactionRecordList"] {
        let found: SearchAnswer = value(&json!({ "_embedded": { name: [record] }, "page": page,
            "_links": { "prev": { "href": "/search?page=0" }, "next": { "href": "/search?page=2" } } }));
        assert_eq!((found.data.len(), found.data[0].id, found.has_page_before()), (1, 17, true), "{name}");
        assert_eq!((found.pagination.total, found.pagination.pages), (3, 3), "{name}");
        let results: ImportResults = value(&json!({ "batch_id": "b", "status": "processed",
            "_embedded": { name: [{ "id": "INV-1", "status": 1 }] }, "_links": { "next": { "href": "/results?page=2" } } }));
        assert_eq!((results.transactions.len(), results.next.as_str()), (1, "/results?page=2"), "{name}");
    }
    let none: SearchAnswer = value(
        &json!({ "_links": { "self": { "href": "/search" } }, "page": { "size": 20, "totalElements": 0 } }),
    );
    assert_eq!((none.data.len(), none.has_page_before()), (0, false));
    let webhooks: AccountWebhooks = value(&json!({ "_embedded": { "webhooks": [{ "id": "w1" }] } }));
    assert_eq!(webhooks.webhooks[0].id, "w1");
}

/// JSON that was written as a text once more is read, one level of it.
#[test]
fn json_in_a_text_is_the_answer() {
    let inner = json!({ "batch_id": "b", "status": "processed", "transactions": [] }).to_string();
    for (body, expected) in [
        (json!(inner).to_string(), Some(inner.clone())),
        (
            json!({ "statusCode": 200, "body": inner }).to_string(),
            Some(format!(r#"{{"statusCode":200,"body":{inner}}}"#)),
        ),
        (json!({ "data": "[1]" }).to_string(), Some(r#"{"data":[1]}"#.to_owned())),
        (inner.clone(), None),
        (json!({ "data": "{no JSON", "body": "a sentence" }).to_string(), None),
        (json!({ "note": "{}" }).to_string(), None),
        (json!({ "id": "d-1", "attempts": 2, "body": inner }).to_string(), None),
        ("\"a sentence\"".to_owned(), None),
    ] {
        let found = without_quotes(body.as_bytes()).map(|body| String::from_utf8(body).unwrap());
        assert_eq!(found, expected, "{body}");
    }
    let twice = json!(json!(inner).to_string()).to_string();
    assert_eq!(without_quotes(twice.as_bytes()), None);
}

/// A gateway writes the status of what is behind it into its own answer.
#[test]
fn a_failure_may_lie_in_the_answer_of_a_gateway() {
    let inner = r#"{"message":"No"}"#;
    for (answer, expected) in [
        (json!({ "statusCode": 422, "body": inner }), Some((422, inner))),
        (
            json!({ "StatusCode": "404", "Headers": {}, "IsBase64Encoded": false, "Body": { "message": "No" } }),
            Some((404, inner)),
        ),
        (json!({ "statusCode": 502, "body": "" }), Some((502, ""))),
        (json!({ "statusCode": 200, "body": inner }), None),
        (json!({ "statusCode": 422, "message": "No" }), None),
        (json!({ "statusCode": 422, "body": inner, "batch_id": "b" }), None),
    ] {
        let found = failure_inside(answer.to_string().as_bytes());
        let found = found.as_ref().map(|(status, body)| (*status, std::str::from_utf8(body).unwrap()));
        assert_eq!(found, expected, "{answer}");
    }
}

/// Results whose pages are counted beside them, a record in a list that is counted, and a place among pages in `meta`.
#[test]
fn what_is_counted_beside_is_read() {
    let results: ImportResults =
        value(&json!({ "id": "b", "state": "processed", "transactions": [{ "id": "a" }],
        "total": 20, "page": 1, "page_size": 7, "has_more": true }));
    assert_eq!((results.pagination.page_count(), results.has_more), (3, true));
    assert_eq!(results.status, bordereau_contract::BatchStatus::Processed);
    let record: bordereau_contract::TransactionRecord =
        value(&json!({ "data": [{ "id": 7, "policy_number": "P" }], "count": 1 }));
    assert_eq!(record.id, 7);
    let record: bordereau_contract::TransactionRecord = value(
        &json!({ "@odata.context": "$metadata#Transactions", "value": [{ "Id": 7, "PolicyNumber": "P" }] }),
    );
    assert_eq!(record.id, 7);
    let page = read::<SearchAnswer>(&json!({ "data": [{ "id": 7, "policy_number": "P" }],
        "meta": { "pagination": { "total": 17, "per_page": 6, "current_page": 1, "total_pages": 3 } } }));
    let page = page.unwrap();
    assert_eq!((page.value.pagination.pages, paths(&page).len()), (3, 0), "{page:?}");
}

/// What means none is absent, and so are an id and a day of it; an object may have an amount of US dollars.
#[test]
fn what_means_none_is_absent_and_no_zero() {
    for none in ["", "  ", "-", "--", "\u{2014}", "n/a", "N/A", "None", "NaN"] {
        let quoted: ReadAnswer<CalculateResponse> = read(&with(&json!({ "sl_tax": none }))).unwrap();
        assert_eq!((quoted.value.sl_tax, paths(&quoted).len()), (None, 0), "{none:?}");
        let record: ReadAnswer<SearchAnswer> =
            read(&json!({ "data": [{ "id": 1, "premium": none, "transaction_id_number": none,
            "transaction_status": none, "date_filed": none, "physical_state": "TX " }] }))
            .unwrap();
        let found = &record.value.data[0];
        assert_eq!((found.premium, found.physical_state.as_deref()), (None, Some("TX")), "{none:?}");
        assert_eq!(
            (found.filed_date(), &found.transaction_id_number, paths(&record).len()),
            (None, &None, 0),
            "{none:?}"
        );
    }
    // As Python writes a number that is none; in a text it stays.
    let python = r#"{"data":[{"id":1,"premium":NaN,"policy_number":"NaN \"NaN\\","agency_fee":5},{"id":2,"premium":NaN}]}"#;
    let page = bordereau_contract::read_answer::<SearchAnswer>(python.as_bytes()).unwrap();
    let found = &page.value.data[0];
    assert_eq!((found.premium, found.policy_number.as_deref()), (None, Some(r#"NaN "NaN\"#)), "{page:?}");
    assert_eq!((found.agency_fee, page.value.data.len(), page.losses.len()), (Usd::parse("5").ok(), 2, 0));
    for dollars in [
        json!({ "amount": "1,234.50", "currency": "USD" }),
        json!({ "currencyCode": "usd", "value": 1234.5 }),
    ] {
        let quote: CalculateResponse = value(&with(&json!({ "sl_tax": dollars })));
        assert_eq!(quote.sl_tax, Usd::parse("1234.50").ok(), "{dollars}");
    }
}

#[test]
fn a_row_is_refused_in_many_words() {
    let results: ImportResults = value(&json!({ "batch_id": "b", "status": "processed", "transactions": [
        { "id": "6", "status": false, "warnings": " ", "errors": "" },
        { "id": "7  ", "result": "rejected", "messages": [{ "severity": "error", "field": "premium", "text": "Low" }] },
        { "id": "8", "status": 422, "problem": { "type": "about:blank", "title": "Invalid", "status": 422,
            "detail": "No insurer", "instance": "/transactions/8" } },
        { "id": "9", "status": "422", "detail": "No insurer" },
        { "id": "10", "status": 409, "detail": "It is there" },
        { "id": "11", "status": 422, "detail": "It is there", "transaction_id": 7 },
    ] }));
    let rows = &results.transactions;
    // A text of nothing is no warning, and false no success.
    assert!(rows[0].is_told() && rows[0].warnings.is_empty() && rows[0].errors.is_empty());
    assert_eq!((rows[1].id.as_str(), rows[1].is_told()), ("7", true));
    assert_eq!(rows[1].errors.iter().collect::<Vec<_>>(), [("premium", "Low")]);
    assert_eq!(rows[2].errors.iter().collect::<Vec<_>>(), [("", "No insurer")]);
    let refused: Vec<bool> = rows[2..].iter().map(|row| row.is_plain_failure()).collect();
    assert_eq!(refused, [true, true, false, false]);
}

/// What lies in groups is read under the contract's names, but not what two groups tell differently or what belongs to
/// something else.
#[test]
fn members_may_lie_in_groups() {
    for answer in [
        json!({ "id": 17, "policy": { "number": "P-1", "effectiveDate": "2026-02-23" }, "dates": { "filed": "2026-03-01" },
            "amounts": { "premium": 100, "sl_tax": "4.85", "id": 3, "total": 7 }, "insured": { "name": "Acme" } }),
        json!({ "Transaction": { "Id": 17, "Status": 4 }, "Policy": { "PolicyNumber": "P-1", "PolicyEffectiveDate": "2026-02-23" },
            "Filing": { "Id": 5, "DateFiled": "2026-03-01" }, "Insured": { "Name": "Acme" },
            "Premiums": { "Premium": 100 }, "Taxes": { "SlTax": 4.85 } }),
        json!({ "id": 17, "premium": 100, "policy_number": null, "policy": { "policy_number": "P-1", "effective_date": "2026-02-23" },
            "financials": { "premium": 900, "sl_tax": 4.85 }, "filing": { "date_filed": "2026-03-01" },
            "mailing": { "insured_name": "Acme" }, "expiring": { "premium": 5, "stamping_fee": 2 } }),
    ] {
        for whole in [json!({ "data": [answer], "pagination": { "total": 1 } }), answer.clone()] {
            let record: TransactionRecord = match whole.get("pagination") {
                Some(_) => value::<SearchAnswer>(&whole).data.remove(0),
                None => value(&whole),
            };
            assert_eq!((record.id, record.policy_number.as_deref()), (17, Some("P-1")), "{whole}");
            assert_eq!(record.policy_effective_date.as_deref(), Some("2026-02-23"), "{whole}");
            assert_eq!(record.filed_date(), Some("2026-03-01"), "{whole}");
            assert_eq!(
                (record.premium, record.sl_tax),
                (Some(Usd::from_cents(10_000)), Some(Usd::from_cents(485))),
                "{whole}"
            );
            assert_eq!(record.mailing_insured_name.as_deref(), Some("Acme"), "{whole}");
            assert_eq!(record.stamping_fee, None, "{whole}");
        }
    }
    let two = json!({ "id": 17, "policy_number": "P-1", "amounts": { "premium": 100 }, "charges": { "premium": 200 } });
    assert_eq!(value::<TransactionRecord>(&two).premium, None);
    let whole = json!({ "id": 17, "policy": { "number": "P-1", "premium": 5000 } });
    let record: TransactionRecord = value(&whole);
    assert_eq!(
        (record.policy_number.as_deref(), record.premium),
        (Some("P-1"), None),
        "it may be the whole policy's"
    );
    let odd = json!({ "data": [{ "id": 17, "policy_number": "P-1", "amounts": { "premium": "a lot" } }] });
    let read = read::<SearchAnswer>(&odd).unwrap();
    assert_eq!(
        (read.value.data.len(), read.losses[0].is_record),
        (0, true),
        "an amount that cannot be read costs its record"
    );
    // An unknown charge counts.
    let quote = json!({ "premium": 100, "taxes": { "sl_tax": 4.85, "total": 4.85 }, "fees": { "stamping_fee": 0.04, "fire_marshal_fee": 1 } });
    let read = bordereau_contract::read_answer::<CalculateResponse>(quote.to_string().as_bytes()).unwrap();
    let quote = CalculateResponse::of_read(read);
    assert_eq!((quote.sl_tax, quote.stamping_fee), (Some(Usd::from_cents(485)), Some(Usd::from_cents(4))));
    assert_eq!(quote.unknown_charges, [("fire_marshal_fee".to_owned(), Usd::from_cents(100))]);
    assert_eq!(quote.total, "");
}
