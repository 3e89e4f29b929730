//! Records and answers as providers may write them: nulls, flags as `true`, numbers in quotes, unknown fields.

use bordereau_contract::{
    AnswerFault, CalculateResponse, DiligentForms, DocumentsImported, Event, EventKind, FilledForm,
    ImportTransaction, SearchAnswer, SearchRequest, TransactionRecord, read_answer,
};
use bordereau_money::Usd;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

fn usd(text: &str) -> Option<Usd> {
    Usd::parse(text).ok()
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, AnswerFault> {
    read_answer(text.as_bytes()).map(|read| read.value)
}

/// A record with every field null that may be.
fn all_null() -> Value {
    let mut record = serde_json::to_value(TransactionRecord::default()).expect("a record is JSON");
    for (name, value) in record.as_object_mut().expect("a record is an object") {
        if name != "id" {
            *value = Value::Null;
        }
    }
    record["id"] = json!(17);
    record
}

#[test]
fn a_record_of_nulls_is_a_record() {
    let record: TransactionRecord = read(&all_null().to_string()).unwrap();
    assert_eq!(record, TransactionRecord { id: 17, ..TransactionRecord::default() });
    let bare: TransactionRecord = read(r#"{"id":17,"premium":null}"#).unwrap();
    assert_eq!(bare, record);
}

#[test]
fn what_is_missing_in_a_form_is_read_in_every_form() {
    for (missing, expected) in [
        (json!(["a", "b"]), vec!["a", "b"]),
        (json!([{ "field": "a", "label": "A" }, { "label": "B" }]), vec!["a", "B"]),
        (json!({ "a": "A is missing" }), vec!["a"]),
        (json!("a, b"), vec!["a", "b"]),
        (json!(null), vec![]),
    ] {
        let form: FilledForm =
            read(&json!({ "code": "DEF", "missing_fields": missing }).to_string()).unwrap();
        assert_eq!(form.missing_fields, expected, "{missing}");
    }
}

#[test]
fn a_filled_form_is_read_under_every_name() {
    let form = json!({ "code": "DEF", "download_url": "/f/1" });
    for answer in [
        json!({ "forms": [form] }),
        json!({ "forms": form }),
        json!({ "documents": [form] }),
        json!({ "success": true, "data": [form] }),
        json!({ "success": true, "data": { "forms": [form] } }),
        json!({ "forms": [{ "code": "DEF", "url": "/f/1" }] }),
        json!({ "forms": [{ "code": "DEF", "link": "/f/1", "url": "" }] }),
        json!({ "forms": [{ "code": "DEF", "href": "/f/1", "link": "/f/2" }] }),
    ] {
        let forms: DiligentForms =
            read(&answer.to_string()).unwrap_or_else(|fault| panic!("{answer}: {fault}"));
        let read: Vec<_> =
            forms.forms.iter().map(|form| (form.code.as_str(), form.download_url.as_str())).collect();
        assert_eq!(read, [("DEF", "/f/1")], "{answer}");
    }
}

/// Two names of one member are no reason to lose its record; the first that says something counts.
#[test]
fn what_is_said_twice_is_read_once() {
    for (said, expected) in [
        (json!({ "message": "Too large", "errors": [] }), Some("Too large")),
        (json!({ "errors": [], "error": null, "message": "Too large" }), Some("Too large")),
        (json!({ "message": "", "detail": "Too large", "status_message": "Failed" }), Some("Too large")),
        (json!({ "message": "", "errors": {} }), None),
    ] {
        let mut outcome = json!({ "name": "Policy", "imported": false });
        outcome.as_object_mut().unwrap().extend(said.as_object().unwrap().clone());
        let answer = json!({ "documents": [outcome] }).to_string();
        let read = read_answer::<DocumentsImported>(answer.as_bytes()).unwrap();
        assert!(read.losses.is_empty(), "{answer}: {:?}", read.losses);
        assert_eq!(read.value.documents[0].reason.as_deref(), expected, "{answer}");
    }
}

#[test]
fn a_tab_or_a_line_break_in_a_text_is_a_blank() {
    let sloppy = "{\"id\":17,\"mailing_insured_name\":\"Harbor\tDiner\nLLC\"}";
    let record: TransactionRecord = read(sloppy).unwrap();
    assert_eq!(record.mailing_insured_name.as_deref(), Some("Harbor Diner LLC"));
}

/// What steers a terminal has no place in a text of a service.
#[test]
fn control_characters_are_dropped() {
    let answer = json!({ "id": 17, "mailing_insured_name": "Harbor\u{1b}[2J\u{7f} \u{202e}Diner\nLLC" });
    let record: TransactionRecord = read(&answer.to_string()).unwrap();
    assert_eq!(record.mailing_insured_name.as_deref(), Some("Harbor[2J Diner\nLLC"));
}

#[test]
fn unknown_fields_are_passed_over() {
    let mut record = all_null();
    for (name, value) in [
        ("state_filing_id", json!("TX-1")),
        ("nested", json!({ "deep": [1, { "er": null }] })),
        ("Premium", json!("not this one")),
    ] {
        record[name] = value;
    }
    let record: TransactionRecord = read(&record.to_string()).unwrap();
    assert_eq!((record.id, record.premium), (17, None));
}

#[test]
fn amounts_come_as_numbers_or_in_quotes() {
    for (written, expected) in [
        ("1250.5", usd("1250.50")),
        ("\"1250.50\"", usd("1250.50")),
        ("-1250.50", usd("-1250.50")),
        ("1.2505e3", usd("1250.50")),
        ("125050000000000000000e-17", usd("1250.50")),
        // A float's last bits, and a float written in full.
        ("1.1368683772161603e-13", usd("0")),
        ("-5e-324", usd("0")),
        ("1250.5000000000000454747350886464118957519531", usd("1250.50")),
        ("1250.4949999999999", usd("1250.495")),
        ("0", usd("0")),
        ("\"1,250.50\"", usd("1250.50")),
        ("\"$1250.5\"", usd("1250.50")),
        ("\"($1,250.50)\"", usd("-1250.50")),
        ("\"USD 1,250.50 \"", usd("1250.50")),
        ("null", None),
        ("\"\"", None),
    ] {
        for field in ["premium", "agency_fee", "sl_tax", "municipal_fee", "county_fee", "collection_fee"] {
            let text = format!(r#"{{"id":1,"{field}":{written}}}"#);
            let record: TransactionRecord = read(&text).unwrap();
            let back = serde_json::to_value(&record).unwrap();
            let read: Option<Usd> = back[field].as_number().and_then(|number| usd(&number.to_string()));
            assert_eq!(read, expected, "{text}");
        }
    }
    for wrong in [
        "\"1.250,50\"",
        "\"1,25\"",
        "\"1 250\"",
        "\"EUR 5\"",
        "\"5%\"",
        "\"TBD\"",
        // A whole number may be of cents.
        r#"{"amount":1250,"currency":"USD"}"#,
        r#"{"amount":"12.50","currency":"CAD"}"#,
        r#"{"amount":"12.50","currency":"USD","scale":2}"#,
        r#"{"amount":"12.50"}"#,
        "true",
        "[]",
        "{}",
        "1e99",
        "1e-401",
        "1e-",
        "1e1.5",
        "99999999999999999999999999999999999999999999",
    ] {
        let text = format!(r#"{{"id":1,"premium":{wrong}}}"#);
        assert!(read::<TransactionRecord>(&text).is_err(), "{text}");
    }
}

#[test]
fn identifiers_come_as_texts_or_numbers() {
    for field in
        ["policy_number", "extra_invoice_number", "sl_tax_invoice_id", "unique_id", "transaction_id_number"]
    {
        let text = format!(r#"{{"id":1,"transaction_status":"4","{field}":90210}}"#);
        let record: TransactionRecord = read(&text).unwrap();
        assert_eq!(record.transaction_status, 4.into());
        assert_eq!(serde_json::to_value(&record).unwrap()[field], "90210", "{field}");
    }
}

#[test]
fn pages_count_in_numbers_or_texts() {
    for pagination in [
        json!({ "total": 51, "per_page": 50, "page": 2, "pages": 2 }),
        json!({ "total": "51", "per_page": "50", "page": "2", "pages": "2", "next": null }),
    ] {
        let answer = json!({ "data": [{ "id": 1, "premium": 5 }], "pagination": pagination });
        let answer: SearchAnswer = read(&answer.to_string()).unwrap();
        assert_eq!((answer.pagination.total, answer.pagination.pages, answer.data.len()), (51, 2, 1));
    }
    let untold: SearchAnswer = read(&json!({ "data": [{ "id": 1, "premium": 5 }] }).to_string()).unwrap();
    assert!(!untold.pagination.is_told() && untold.data.len() == 1);
}

#[test]
fn a_search_travels_with_the_dates_it_has() {
    let range = r#"{"from":"2026-02-01","to":"2026-02-28"}"#;
    let request: SearchRequest = serde_json::from_str(&format!(r#"{{"date_filed":{range}}}"#)).unwrap();
    assert_eq!(serde_json::to_string(&request).unwrap(), format!(r#"{{"date_filed":{range}}}"#));
    assert_eq!(serde_json::to_string(&SearchRequest::default()).unwrap(), "{}");
}

/// The smallest calculator answer, with the members given on top.
fn answer(more: &Value) -> Result<CalculateResponse, AnswerFault> {
    let mut whole: Map<String, Value> = serde_json::from_str(
        r#"{"transaction_type":"PN","physical_state":"TX","premium":1,"agency_fee":0,"inspection_fee":0,"sl_tax":4.85,
            "stamping_fee":0.04,"sl_service_charge":0,"fm_tax":0,"empa_tax":0,"collection_fee":0}"#,
    )
    .expect("an object");
    whole.extend(more.as_object().cloned().unwrap_or_default());
    read(&Value::Object(whole).to_string())
}

#[test]
fn calculator_flags_in_every_form() {
    for (yes, no) in [
        (json!(1), json!(0)),
        (json!(true), json!(false)),
        (json!("1"), json!("0")),
        (json!(true), Value::Null),
    ] {
        let flags = json!({
            "rpg": yes, "tax_exempt": no, "export_list": yes, "commission_received": no, "continuous_coverage": yes,
            "tax_rule": {
                "is_sl_tax_active": yes, "fee_restrictions": no, "max_fee": yes, "both_fees_allowed": no,
                "sl_tax_amount_type": 1, "state_notes": [{ "bold": yes, "italic": no }],
                "state_documents": [{ "upload_required": yes, "keep_on_hand": no, "rpg": 2, "ecp": yes }]
            },
            "state_properties": { "state_stamp_wording_font_bold": yes, "state_stamp_wording_font_size": "12" }
        });
        let answer = answer(&flags).unwrap();
        assert_eq!((answer.rpg, answer.tax_exempt, answer.export_list), (1, 0, 1), "{flags}");
        let rule = answer.tax_rule;
        let is_no = if no.is_null() { None } else { Some(false) };
        assert_eq!((rule.fee_restrictions, rule.max_fee), (is_no, Some(true)));
        assert_eq!((rule.is_sl_tax_active, rule.both_fees_allowed), (Some(true), is_no));
        assert!(rule.state_notes[0].bold && !rule.state_notes[0].italic);
        let document = &rule.state_documents[0];
        assert!(document.upload_required && !document.keep_on_hand);
        assert_eq!((document.rpg, document.ecp, document.exempt), (Some(2), Some(1), None));
        assert_eq!(answer.state_properties.state_stamp_wording_font_bold, Some(true));
        assert_eq!(answer.state_properties.state_stamp_wording_font_size, Some(12));
    }
}

#[test]
fn calculator_objects_left_out_as_null() {
    let plain = answer(&json!({})).unwrap();
    let nulls = json!({
        "line_of_business_list": null, "state_properties": null, "mailing_state_properties": null, "tax_rule": null,
        "municipal_tax_settings": null, "county_tax_settings": null, "municipal_fee": null, "county_fee": null
    });
    assert_eq!(answer(&nulls).unwrap(), plain);
    let rule = json!({ "tax_rule": {
        "state_notes": null, "state_documents": null, "fee_restriction_apply_to": null, "stamping_fee_title": null,
        "max_fee_amount": null, "max_fee_amount_type": null
    } });
    assert_eq!(answer(&rule).unwrap(), plain);
    // An amount of the answer itself is never assumed.
    assert!(answer(&json!({ "premium": null })).is_err());
    let bare = json!({ "sl_tax": null, "inspection_fee": null, "agency_fee": "", "transaction_type": null,
        "physical_state": null });
    let bare = answer(&bare).unwrap();
    assert_eq!((bare.sl_tax, bare.inspection_fee, bare.agency_fee), (None, None, None));
    assert_eq!((bare.transaction_type, bare.physical_state), (None, None));
}

#[test]
fn a_null_list_of_a_row_is_absent() {
    let row = r#"{"id":"a","line_of_business_list":null,"insurance_company_list":null,"syndicate_list":null,"documents":null}"#;
    let row: ImportTransaction = serde_json::from_str(row).unwrap();
    assert_eq!(row, ImportTransaction { id: "a".into(), ..ImportTransaction::default() });
}

#[test]
fn an_event_may_begin_with_a_byte_order_mark() {
    let event = "\u{feff}{\"event\":\"webhook.transaction.status.filed\",\"transaction_id\":7}";
    assert_eq!(Event::read(event.as_bytes()).unwrap().kind(), EventKind::Filed);
}
