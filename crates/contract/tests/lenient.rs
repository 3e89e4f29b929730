//! Whatever a service answers is read with the same meaning, or told as not understood: never with another meaning.

#[path = "lenient/acceptances.rs"]
mod acceptances;
#[path = "lenient/other_forms.rs"]
mod other_forms;
#[path = "lenient/serializers.rs"]
mod serializers;

use bordereau_contract::{
    AccountWebhooks, AnswerFault, BatchStatus, CalculateResponse, DiligentForms, DocumentsImported,
    ImportAccepted, ImportResults, ReadAnswer, ReadFaultKind, SearchAnswer, ServiceStatus, TokenResponse,
    TransactionRecord, read_answer,
};
use bordereau_money::Usd;
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

fn read<T: DeserializeOwned>(value: &Value) -> Result<ReadAnswer<T>, AnswerFault> {
    read_answer(value.to_string().as_bytes())
}

fn value<T: DeserializeOwned>(answer: &Value) -> T {
    read(answer).unwrap_or_else(|fault| panic!("{answer}: {fault:?}")).value
}

fn paths<T>(read: &ReadAnswer<T>) -> Vec<&str> {
    read.losses.iter().map(|loss| loss.path.as_str()).collect()
}

#[test]
fn a_refresh_may_answer_the_access_token_alone() {
    for (answer, expected) in [
        (json!({ "access_token": "a" }), None),
        (json!({ "access_token": "a", "expires_in": "3600" }), Some(3_600)),
        (json!({ "accessToken": "a", "expiresIn": 3600.0, "token_type": "bearer" }), Some(3_600)),
        (json!({ "data": { "access_token": "a", "expires_in": null } }), None),
        (json!({ "access_token": "a", "expires_in": "soon" }), None),
    ] {
        let tokens: TokenResponse = value(&answer);
        assert_eq!((tokens.access_token.as_str(), tokens.expires_in), ("a", expected), "{answer}");
    }
}

/// Eight megabytes of `{"id":1}` would be most of a gigabyte of records.
#[test]
fn a_list_without_end_is_not_read() {
    let of = |count: usize| {
        let list = vec![r#"{"id":1,"premium":1}"#; count].join(",");
        read_answer::<SearchAnswer>(format!(r#"{{"data":[{list}],"pagination":{{"total":1}}}}"#).as_bytes())
    };
    assert_eq!(of(100_000).unwrap().value.data.len(), 100_000);
    let read = of(100_001).unwrap();
    assert_eq!((read.value.data.len(), paths(&read)), (0, vec!["data"]));
}

#[test]
fn batch_states_in_every_spelling() {
    for (word, expected) in [
        (json!("Processed"), BatchStatus::Processed),
        (json!("PROCESSED"), BatchStatus::Processed),
        (json!("Failed"), BatchStatus::Failed),
        (json!("queued"), BatchStatus::Queued),
        (json!("Complete"), BatchStatus::Unknown("Complete".into())),
        (json!(4), BatchStatus::Unknown("4".into())),
        (Value::Null, BatchStatus::default()),
    ] {
        let results: ImportResults = value(&json!({ "batch_id": "b", "status": word }));
        assert_eq!(results.status, expected, "{word}");
    }
}

/// Entries by their names: the names are ids where an entry has none, unless they only count.
#[test]
fn a_list_may_name_its_entries() {
    let ids = |list: Value| -> Vec<String> {
        let results: ImportResults = value(&json!({ "batch_id": "b", "transactions": list }));
        results.transactions.into_iter().map(|result| result.id).collect()
    };
    let row = json!({ "status": 0, "policy_number": "P" });
    let failed = json!({ "status": 1, "errors": ["No"] });
    for (list, expected) in [
        (json!({ "INV-1": row, "INV-2": failed }), ["INV-1", "INV-2"]),
        (json!({ "INV-1": { "id": "A", "status": 0 }, "INV-2": row }), ["A", "INV-2"]),
        (json!({ "20001": row, "20007": row }), ["20001", "20007"]),
        (json!({ "0": row, "1": row }), ["", ""]),
        (json!({ "1": row, "2": row }), ["", ""]),
    ] {
        assert_eq!(ids(list.clone()), expected, "{list}");
    }
    let alone: ImportResults = value(&json!({ "transactions": { "INV-1": row } }));
    assert_eq!(alone.transactions[0].id, "INV-1");
}

#[test]
fn a_sentence_is_never_a_record() {
    for (answer, kind) in [
        (json!({ "message": "Transaction not found" }), ReadFaultKind::Sentence),
        (json!({ "status": "error", "message": "Transaction not found" }), ReadFaultKind::Sentence),
        (json!({ "success": false, "error": "No" }), ReadFaultKind::Refusal),
        (json!({ "success": "false", "data": { "id": 7, "batch_id": 7 } }), ReadFaultKind::Contradiction),
        (json!({ "success": 0, "transaction_id": "T-1" }), ReadFaultKind::Contradiction),
        (json!({ "success": false, "batch_id": null, "error": "No" }), ReadFaultKind::Refusal),
        (json!({ "data": { "message": "none" } }), ReadFaultKind::Sentence),
        (json!({ "status": "ok", "result": { "data": { "error": "none" } } }), ReadFaultKind::Sentence),
        (json!({ "data": { "success": false, "message": "No" } }), ReadFaultKind::Refusal),
        (json!({ "id": null, "message": "none" }), ReadFaultKind::Sentence),
        (json!({}), ReadFaultKind::Garbled),
        (json!([]), ReadFaultKind::Garbled),
        (json!(null), ReadFaultKind::Garbled),
        (json!("Transaction not found"), ReadFaultKind::Garbled),
        (json!({ "success": true }), ReadFaultKind::Garbled),
    ] {
        let kinds = [
            read::<TransactionRecord>(&answer).err(),
            read::<ImportAccepted>(&answer).err(),
            read::<ImportResults>(&answer).err(),
            read::<DocumentsImported>(&answer).err(),
            read::<SearchAnswer>(&answer).err(),
            read::<CalculateResponse>(&answer).err(),
            read::<DiligentForms>(&answer).err(),
            read::<AccountWebhooks>(&answer).err(),
        ];
        for found in kinds {
            assert_eq!(found.map(|fault| fault.kind), Some(kind), "{answer}");
        }
    }
}

#[test]
fn a_record_has_a_real_id() {
    for id in [json!(null), json!(0), json!("0"), json!(""), json!(-4), json!("none"), json!([1])] {
        for name in ["id", "transaction_id"] {
            let answer = json!({ name: id, "policy_number": "P-1", "premium": 5 });
            assert!(read::<TransactionRecord>(&answer).is_err(), "{answer}");
        }
    }
    for answer in [
        json!({ "id": "17", "policy_number": 90210, "transaction_status": "4" }),
        json!({ "data": { "ID": 17, "PolicyNumber": "90210", "TransactionStatus": 4 } }),
        json!([{ "id": 17, "policy-number": "90210", "transactionStatus": 4 }]),
        json!({ "result": { "transaction": { "id": 17, "policy_number": "90210", "transaction_status": 4 } } }),
    ] {
        let record: TransactionRecord = value(&answer);
        assert_eq!(
            (record.id, record.policy_number.as_deref(), record.transaction_status),
            (17, Some("90210"), ServiceStatus::Number(4))
        );
    }
    // What nobody said is no status.
    for (status, expected) in [
        (Value::Null, ServiceStatus::NotTold),
        (json!(""), ServiceStatus::NotTold),
        (json!({ "code": 4 }), ServiceStatus::Number(4)),
        (json!(4.0), ServiceStatus::Number(4)),
        (json!(" 4 "), ServiceStatus::Number(4)),
        (json!("Complete"), ServiceStatus::Word("Complete".into())),
        (json!(true), ServiceStatus::Word("true".into())),
    ] {
        let answer = json!({ "id": 17, "transaction_status": status });
        assert_eq!(value::<TransactionRecord>(&answer).transaction_status, expected, "{answer}");
    }
    // As it is stored, and read again without the reader.
    for status in [ServiceStatus::NotTold, ServiceStatus::Number(4), ServiceStatus::Word("In review".into())]
    {
        let stored = serde_json::to_string(&status).unwrap();
        assert_eq!(serde_json::from_str::<ServiceStatus>(&stored).unwrap(), status);
    }
    assert_eq!(serde_json::from_str::<ServiceStatus>(&i64::MIN.to_string()).unwrap(), ServiceStatus::NotTold);
    let record: TransactionRecord = value(&json!({ "id": 17, "premium": 5 }));
    assert_eq!(record.transaction_status, ServiceStatus::NotTold);
    for answer in [json!({ "id": 17 }), json!({ "data": { "id": 17, "type": "transactions", "links": {} } })]
    {
        assert!(read::<TransactionRecord>(&answer).is_err(), "{answer}: a number alone is no record");
    }
}

/// The names of the contract's own codes are the codes; what is none of them stays as it came.
#[test]
fn types_and_states_are_read_by_code_or_name() {
    for (kind, state, expected) in [
        ("PN", "TX", ("PN", "TX")),
        ("New Policy", "Texas", ("PN", "TX")),
        ("return_premium_endorsement", "NEW YORK", ("RPE", "NY")),
        ("rpe", "tx", ("RPE", "TX")),
        ("Back-out or reversal", "District of Columbia", ("BO", "DC")),
        ("Return", "Tex.", ("Return", "Tex.")),
        ("NEW", "48", ("NEW", "48")),
    ] {
        let record: TransactionRecord =
            value(&json!({ "id": 7, "transaction_type": kind, "physical_state": state }));
        let found = (record.transaction_type.unwrap(), record.physical_state.unwrap());
        assert_eq!((found.0.as_str(), found.1.as_str()), expected, "{kind} {state}");
    }
}

/// JSON:API: the members lie beside the number.
#[test]
fn attributes_belong_to_what_has_them() {
    let one = json!({ "id": "17", "type": "transactions", "attributes": { "policy-number": "P-1", "premium": 5, "id": 18 },
        "links": { "self": "/t/17" } });
    let record: TransactionRecord = value(&json!({ "data": one, "jsonapi": { "version": "1.0" } }));
    assert_eq!(
        (record.id, record.policy_number.as_deref(), record.premium),
        (17, Some("P-1"), Usd::parse("5").ok())
    );
    let found: SearchAnswer = value(&json!({ "data": [one, one], "meta": { "total": 2 } }));
    assert_eq!(found.data, [record.clone(), record]);
    let accepted: ImportAccepted =
        value(&json!({ "data": { "id": "c9f0", "type": "batches", "attributes": { "status": "queued" } } }));
    assert_eq!((accepted.batch_id.as_str(), accepted.status), ("c9f0", BatchStatus::Queued));
    let results: ImportResults = value(
        &json!({ "data": { "id": "c9f0", "type": "batches", "attributes": { "batch-id": "c9f0", "status": "processed" },
            "relationships": { "transactions": { "data": [{ "type": "results", "id": "INV-1" }] } } },
        "included": [{ "id": "INV-1", "type": "results", "attributes": { "status": 1, "errors": ["No"] } }] }),
    );
    assert_eq!((results.batch_id.as_str(), results.status), ("c9f0", BatchStatus::Processed));
    assert_eq!((results.transactions[0].id.as_str(), results.transactions[0].is_told()), ("INV-1", true));
    let imported: DocumentsImported = value(
        &json!({ "data": [{ "id": "0", "type": "documents", "attributes": { "code": "POLIC", "imported": true } }] }),
    );
    assert_eq!((imported.documents[0].code.as_str(), imported.documents[0].imported), ("POLIC", true));
    let webhooks: AccountWebhooks =
        value(&json!({ "data": [{ "id": "w1", "type": "webhooks", "attributes": { "title": "Office" } }] }));
    assert_eq!(webhooks.webhooks[0].title, "Office");
}

#[test]
fn an_entry_may_lie_in_an_envelope() {
    let result = json!({ "id": "INV-1", "policy_number": "P-1", "status": 1, "errors": ["No insurer"] });
    let plain: ImportResults =
        value(&json!({ "batch_id": "b", "status": "processed", "transactions": [result] }));
    for entry in [
        json!({ "request": { "id": "INV-1", "policy_number": "P-1" }, "result": result }),
        json!({ "status": 200, "data": result }),
        json!({ "body": { "record": result } }),
    ] {
        let read: ImportResults =
            value(&json!({ "batch_id": "b", "status": "processed", "transactions": [entry, null, entry] }));
        assert_eq!(read.transactions.len(), 2, "{entry}");
        assert_eq!(read.transactions[0], plain.transactions[0], "{entry}");
    }
    // Each entry an answer of its own.
    let answers = json!({ "batch_id": "b", "responses": [
        { "status": 422, "id": "INV-1", "body": { "id": 9, "transaction_id": null, "errors": ["No insurer"] } },
        { "status": "201", "id": "INV-2", "body": { "transaction_id": 17, "status": 0 } },
    ] });
    let read: ImportResults = value(&answers);
    let [refused, taken] = read.transactions.as_slice() else { panic!("{read:?}") };
    assert_eq!((refused.id.as_str(), refused.is_plain_failure()), ("INV-1", true));
    assert_eq!((taken.id.as_str(), taken.transaction_id, taken.is_told()), ("INV-2", Some(17), true));
    // What an entry has itself is not taken out of something in it.
    let read: ImportResults =
        value(&json!({ "batch_id": "b", "transactions": [{ "id": "INV-2", "data": result }] }));
    assert_eq!((read.transactions[0].id.as_str(), read.transactions[0].is_told()), ("INV-2", false));
    let added: bordereau_contract::Webhook =
        value(&json!({ "webhook": { "id": "w1", "title": "Office" }, "message": "Webhook created" }));
    assert_eq!(added.id, "w1");
}

#[test]
fn webhooks_are_listed_under_any_name() {
    let one = json!({ "id": "w1", "title": "Office" });
    for answer in [
        json!({ "webhooks": [one] }),
        json!({ "data": [one] }),
        json!({ "items": [one], "total": 1 }),
        json!({ "results": [one] }),
        json!({ "data": { "webhooks": [one] } }),
    ] {
        let found: AccountWebhooks = value(&answer);
        assert_eq!(found.webhooks.len(), 1, "{answer}");
        assert_eq!(found.webhooks[0].title, "Office", "{answer}");
    }
    let none: AccountWebhooks = value(&json!({ "data": [] }));
    assert!(none.webhooks.is_empty());
}

#[test]
fn results_as_providers_write_them() {
    let read: ReadAnswer<ImportResults> = read(&json!({ "batch_id": "b", "status": "Processed", "transactions": [
        { "id": 1, "transaction_id": "17", "policy_number": 4711, "status": "0" },
        { "id": "2", "transaction_id": 0, "status": "Success", "warnings": { "message": "Look", "field": "slTax" } },
        { "id": "3", "status": "Odd", "warnings": "One" },
        { "id": "4", "status": null, "warnings": null, "errors": [{ "message": "A" }, "B", 7] },
        7,
        { "id": "5", "status": 1, "status_message": { "text": "Too low" } },
    ] }))
    .unwrap();
    let rows = &read.value.transactions;
    let first =
        (rows[0].id.as_str(), rows[0].transaction_id, rows[0].policy_number.as_deref(), &rows[0].status);
    assert_eq!(first, ("1", Some(17), Some("4711"), &ServiceStatus::Number(0)));
    assert_eq!((rows[1].transaction_id, rows[1].is_told()), (None, true));
    assert_eq!(rows[1].warnings.iter().collect::<Vec<_>>(), [("slTax", "Look")]);
    // A word nobody knows is kept as it came, and does not say how the row ended.
    assert_eq!((&rows[2].status, rows[2].is_told()), (&ServiceStatus::Word("Odd".into()), false));
    assert!(!rows[3].is_told());
    assert_eq!(rows[3].errors.iter().map(|(_, text)| text).collect::<Vec<_>>(), ["A", "B", "7"]);
    assert_eq!((rows.len(), rows[4].status_message.as_deref()), (5, Some("Too low")));
    let mut lost: Vec<_> = read.losses.iter().map(|loss| (loss.path.as_str(), loss.is_record)).collect();
    lost.sort_unstable();
    assert_eq!(lost, [("transactions[4]", true)]);
}

#[test]
fn an_odd_member_costs_the_member_and_an_odd_amount_its_record() {
    let answer = json!({
        "data": [
            { "id": 1, "premium": "12.30", "created_date": { "at": 1 }, "created_by": { "id": 1 } },
            { "id": 2, "premium": "twelve" },
            { "id": 3, "premium": null },
            { "id": null, "premium": 5 },
            { "id": 5, "transaction_documents": { "name": "Policy", "code": "POLIC", "download_url": "/d" } },
            null,
        ],
        "pagination": { "total": "5", "pages": 1.0 },
    });
    let read: ReadAnswer<SearchAnswer> = read(&answer).unwrap();
    let ids: Vec<_> = read.value.data.iter().map(|record| record.id).collect();
    assert_eq!(ids, [1, 3, 5]);
    assert_eq!(read.value.data[0].premium, Usd::parse("12.30").ok());
    assert_eq!((read.value.data[1].premium, read.value.data[2].transaction_documents.len()), (None, 1));
    assert_eq!((read.value.pagination.total, read.value.pagination.pages), (5, 1));
    let records: Vec<_> =
        read.losses.iter().filter(|loss| loss.is_record).map(|loss| loss.path.as_str()).collect();
    assert_eq!(records, ["data[1]", "data[3]"]);
    assert!(paths(&read).contains(&"data[0].created_by"), "{:?}", read.losses);
    assert_eq!(read.value.data[0].created_date.as_deref(), Some(r#"{"at":1}"#), "as it came");
    assert!(read.losses.iter().any(|loss| loss.is_record && loss.found.contains("twelve")));
}

fn quote() -> Value {
    json!({ "transaction_type": "PN", "physical_state": "TX", "premium": 100, "agency_fee": 0, "inspection_fee": 0,
        "sl_tax": 4.85, "stamping_fee": 0.04, "rpg": 1, "tax_rule": { "sl_tax_amount": 4.85, "max_fee": true },
        "state_properties": { "state_stamp_wording_font_size": 12 } })
}

fn with(change: &Value) -> Value {
    let mut quote = quote();
    quote.as_object_mut().expect("an object").extend(change.as_object().cloned().unwrap_or_default());
    quote
}

#[test]
fn a_quote_survives_what_is_not_money() {
    for (change, lost) in [
        (
            json!({ "state_properties": { "state_stamp_wording_font_size": "12px" } }),
            "state_properties.state_stamp_wording_font_size",
        ),
        (json!({ "tax_rule": { "max_fee": 2 } }), "tax_rule.max_fee"),
        (json!({ "tax_rule": { "sl_tax_amount": [] } }), "tax_rule.sl_tax_amount"),
        (json!({ "rpg": 300 }), "rpg"),
        (
            json!({ "tax_rule": { "state_notes": [{ "bold": "x", "note": "N" }] } }),
            "tax_rule.state_notes[0].bold",
        ),
    ] {
        let read: ReadAnswer<CalculateResponse> = read(&with(&change)).unwrap();
        assert_eq!(paths(&read), [lost], "{change}");
        assert_eq!(read.value.sl_tax, Usd::parse("4.85").ok());
    }
    let county =
        json!({ "county_tax_settings": { "municipal_tax_setting": { "municipality_name": "Jefferson" } } });
    assert_eq!(value::<CalculateResponse>(&with(&county)).county_tax_settings.len(), 1);
    // Absent is absent, and no zero.
    let plain: CalculateResponse = value(&quote());
    assert_eq!((plain.empa_tax, plain.stamping_fee), (None, Usd::parse("0.04").ok()));
    for (name, odd) in [
        ("sl_tax", json!("four")),
        ("premium", json!("-")),
        ("premium", Value::Null),
        ("empa_tax", json!("TBD")),
        ("premium", json!({})),
        ("fm_tax", json!(true)),
    ] {
        let fault = read::<CalculateResponse>(&with(&json!({ name: odd }))).unwrap_err();
        assert!(fault.path.starts_with(name) || fault.detail.contains(name), "{name}: {fault:?}");
    }
}

#[test]
fn a_document_is_taken_by_its_own_outcome_only() {
    let read: ReadAnswer<DocumentsImported> =
        read(&json!({ "status": "success", "documents": [{ "name": "Policy", "status": 0 }] })).unwrap();
    assert!(read.value.documents.is_empty() && read.losses[0].is_record, "{read:?}");
    let one: DocumentsImported = value(
        &json!({ "data": { "TransactionId": "7", "documents": { "file_name": "a.pdf", "imported": "1" } } }),
    );
    assert_eq!((one.transaction_id, one.documents[0].imported), (Some(7), true));
}

/// The ways in which a provider may write the same thing.
fn bent(value: &Value, way: u8) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(name, inner)| {
                    let name = match way % 4 {
                        0 => name.clone(),
                        1 => name.to_ascii_uppercase(),
                        2 => name.replace('_', ""),
                        _ => name.replace('_', "-"),
                    };
                    (name, bent(inner, way))
                })
                .chain((way & 4 != 0).then(|| ("a_new_member".to_owned(), json!({ "deep": [null] }))))
                .collect::<Map<_, _>>(),
        ),
        Value::Array(entries) => match entries.as_slice() {
            [one] if way & 8 != 0 && one.is_object() => bent(one, way),
            entries => Value::Array(entries.iter().map(|entry| bent(entry, way)).collect()),
        },
        Value::Number(number) if way & 16 != 0 => Value::String(number.to_string()),
        Value::Bool(truth) if way & 32 != 0 => json!(u8::from(*truth)),
        Value::Bool(truth) if way & 16 != 0 => Value::String(truth.to_string()),
        other => other.clone(),
    }
}

fn in_envelope(value: Value, way: u8) -> Value {
    match way >> 6 {
        0 => value,
        1 => json!({ "data": value }),
        2 => json!({ "success": true, "result": value }),
        _ => json!({ "status": "ok", "response": { "data": value } }),
    }
}

fn same<T: DeserializeOwned + PartialEq + std::fmt::Debug>(sample: &Value, way: u8) {
    let plain: T = value(sample);
    let read: ReadAnswer<T> = read(&in_envelope(bent(sample, way), way)).expect("an answer");
    assert_eq!((read.value, read.losses.len()), (plain, 0), "{way}: {sample}");
}

/// Any JSON that is not too large.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z0-9 .]{0,8}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        Just("data"),
        Just("status"),
        Just("message"),
        Just("transactions"),
        Just("documents"),
        Just("premium"),
        Just("batch_id"),
        Just("transaction_id"),
        Just("success"),
        Just("pagination"),
        Just("policy_number"),
        Just("x"),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..6).prop_map(|members| {
                Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn the_same_answer_in_another_form_means_the_same(way in any::<u8>()) {
        same::<TransactionRecord>(&json!({ "id": 17, "transaction_status": 4, "policy_number": "P-1", "premium": 1250.5,
            "sl_tax": -3, "county_fee": null, "created_date": "2026-02-23 10:00:00 UTC",
            "transaction_documents": [{ "name": "Policy", "code": "POLIC", "download_url": "/d/1" }] }), way);
        same::<ImportAccepted>(&json!({ "batch_id": "0f3a", "status": "queued", "total_items": 20 }), way);
        same::<ImportResults>(&json!({ "batch_id": "0f3a", "status": "processed", "transactions": [
            { "id": "a", "policy_number": "P", "transaction_id": 17, "status": 0, "status_message": "Ok" },
            { "id": "b", "status": 1, "errors": ["No insurer"] }] }), way);
        same::<DocumentsImported>(&json!({ "transaction_id": 17, "documents": [
            { "name": "Policy", "code": "POLIC", "file_name": "a.pdf", "imported": true }] }), way);
        same::<CalculateResponse>(&quote(), way);
    }

    #[test]
    fn random_answers_never_panic_and_make_no_record(answer in any_json()) {
        // No other of the names above is a record's number.
        let has_number = answer.to_string().contains("transaction_id");
        prop_assert!(has_number || read::<TransactionRecord>(&answer).is_err());
        let _ = read::<CalculateResponse>(&answer);
        let _ = read::<ImportResults>(&answer);
        if let Ok(accepted) = read::<ImportAccepted>(&answer) {
            let is_results = !accepted.value.transactions.is_empty();
            prop_assert!(is_results || !matches!(accepted.value.batch_id.as_str(), "" | "0"));
        }
        if let Ok(search) = read::<SearchAnswer>(&answer) {
            prop_assert!(has_number || search.value.data.is_empty());
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read_answer::<TransactionRecord>(&bytes).is_err());
    }
}

#[test]
fn hostile_answers_end_soon() {
    let deep = "[".repeat(200_000);
    assert!(read_answer::<SearchAnswer>(deep.as_bytes()).is_err());
    let nested = format!("{}{{\"id\":1}}{}", "{\"data\":".repeat(100), "}".repeat(100));
    assert!(read_answer::<TransactionRecord>(nested.as_bytes()).is_err());
    let many: Vec<Value> = (1..=10_000).map(|id| json!({ "id": id, "status": { "odd": id } })).collect();
    let answer = json!({ "batch_id": "b", "status": "processed", "transactions": many });
    let _ = read::<ImportResults>(&answer);
}

#[test]
fn records_by_their_number() {
    let records =
        json!({ "7001": { "id": 7001, "premium": 5 }, "20260000000007002": { "id": 7002, "premium": 5 } });
    let pagination = json!({ "total": 2, "per_page": 50, "page": 1, "pages": 1 });
    for answer in [
        json!({ "data": records, "pagination": pagination }),
        json!({ "data": records, "total": 2, "pages": 1, "page": 1 }),
        json!({ "data": records }),
        json!({ "transactions": records }),
        json!({ "data": { "transactions": records } }),
        json!({ "@odata.count": 2, "value": records }),
        json!({ "d": { "results": records } }),
        json!({ "content": records, "totalElements": 2, "totalPages": 1, "number": 0 }),
        json!({ "data": [{ "transaction_id": 7001, "premium": 5 }, { "id": null, "transactionId": "7002", "premium": 5 }] }),
    ] {
        let found: SearchAnswer = value(&answer);
        assert_eq!(found.data.iter().map(|record| record.id).collect::<Vec<_>>(), [7001, 7002], "{answer}");
    }
    let past_the_end = read::<SearchAnswer>(&json!({ "data": {}, "pagination": pagination })).unwrap();
    assert_eq!((past_the_end.value.data.len(), paths(&past_the_end)), (0, vec![]));
}
