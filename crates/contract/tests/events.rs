//! Events are written as the contract has them and read however they come.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bordereau_contract::{
    BatchEvent, BatchEventRow, ChargePaid, Event, EventBody, EventKind, EventSubject, FiledEvent,
    NumberAssigned, StampWordingChanged, TaxesAndFeesPaid, split_delivery, unwrap_event,
};
use bordereau_money::Usd;

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn paid() -> ChargePaid {
    ChargePaid {
        policy_number: text("P-1"),
        transaction_id: Some(17),
        title: text("FSLSO Fee"),
        paid_date: text("2026-03-01 00:00:00"),
        amount: Usd::parse("4.85").ok(),
        active: Some(true),
        amount_type: text("percentage"),
        charged: Usd::parse("461.77").ok(),
        ..ChargePaid::default()
    }
}

#[test]
fn what_is_written_is_read_again() {
    let row = BatchEventRow { transaction_id: Some(17), warnings: vec!["x".into()], ..Default::default() };
    let batch = |status: &str| BatchEvent {
        batch_id: "0f".into(),
        status: status.into(),
        transactions: vec![row.clone()],
    };
    let bodies = [
        (EventKind::BatchProcessed, EventBody::BatchProcessed(batch("processed")), "batch 0f"),
        (EventKind::BatchFailed, EventBody::BatchFailed(batch("failed")), "batch 0f"),
        (
            EventKind::Filed,
            EventBody::Filed(FiledEvent { transaction_id: Some(17), ..Default::default() }),
            "transaction 17",
        ),
        (EventKind::SlTaxPaid, EventBody::SlTaxPaid(paid()), "transaction 17"),
        (EventKind::StampingFeePaid, EventBody::StampingFeePaid(paid()), "transaction 17"),
        (
            EventKind::TaxesAndFeesPaid,
            EventBody::TaxesAndFeesPaid(TaxesAndFeesPaid { transaction_id: Some(17), ..Default::default() }),
            "transaction 17",
        ),
        (
            EventKind::NumberAssigned,
            EventBody::NumberAssigned(NumberAssigned { transaction_id: Some(17), ..Default::default() }),
            "transaction 17",
        ),
        (
            EventKind::StampWordingChanged,
            EventBody::StampWordingChanged(StampWordingChanged { state: "TX".into(), ..Default::default() }),
            "state TX",
        ),
    ];
    for (kind, body, subject) in bodies {
        let event = Event {
            event_id: "62".into(),
            event: kind.identifier().into(),
            timestamp: "2026-03-01 12:00:00".into(),
            body,
        };
        let json = event.to_json();
        assert!(json.starts_with("{\"event_id\":62,\"event\":\"webhook."), "{json}");
        let read = Event::read(json.as_bytes()).unwrap();
        assert_eq!((&read, read.kind()), (&event, kind));
        assert_eq!(read.subject().map(|subject| subject.to_string()), text(subject));
        assert_eq!(EventKind::from_identifier(kind.identifier()), Some(kind));
    }
}

#[test]
fn every_kind_has_names_of_its_own() {
    let kinds = || EventKind::ALL.into_iter().chain([EventKind::Other]);
    for name in [EventKind::identifier, EventKind::title, |kind: EventKind| kind.into()] {
        let names: std::collections::BTreeSet<&str> = kinds().map(name).collect();
        assert_eq!(names.len(), kinds().count(), "{names:?}");
    }
}

#[test]
fn the_names_of_a_paid_charge() {
    let event = Event {
        event_id: "62".into(),
        event: EventKind::StampingFeePaid.identifier().into(),
        timestamp: String::new(),
        body: EventBody::StampingFeePaid(paid()),
    };
    for part in [
        "\"stamping_fee_title\":\"FSLSO Fee\"",
        "\"stamping_fee_amount\":4.85",
        "\"is_stamping_fee_active\":true",
        "\"stamping_fee_amount_type\":\"percentage\"",
        "\"stamping_fee_paid_date\":\"2026-03-01 00:00:00\"",
    ] {
        assert!(event.to_json().contains(part), "{part}");
    }
}

#[test]
fn whatever_comes_is_read_as_far_as_it_goes() {
    let read = |text: &str| Event::read(text.as_bytes());
    // As a public sample has it: no event, a day that is none.
    let sample = read(
        r#"{"event_id": 62, "event": "", "timestamp": "2024-11-08 12:11:02", "transaction_id": 4982215,
            "sl_tax_paid_date": "2024-11-02-2024 00:00:00", "sl_tax_amount": 1.5}"#,
    );
    let sample = sample.unwrap();
    assert_eq!(
        (sample.kind(), sample.subject()),
        (EventKind::Other, Some(EventSubject::Transaction(4_982_215)))
    );

    let odd = read(
        r#"{"event_id": "a", "event": "webhook.transaction.sl-tax-paid-date.updated", "timestamp": 5,
            "transaction_id": "17", "sl_tax_paid_date": "2024-11-02-2024", "sl_tax_amount": "abc",
            "is_sl_tax_active": 1, "sl_tax_invoice_id": 99, "new": {"member": []}}"#,
    )
    .unwrap();
    let EventBody::SlTaxPaid(paid) = odd.body else { panic!("{odd:?}") };
    assert_eq!(
        (paid.transaction_id, paid.paid_date, paid.amount, paid.active, paid.invoice_id),
        (Some(17), text("2024-11-02-2024"), None, Some(true), text("99"))
    );

    let keyed = read(
        r#"{"event": "webhook.batch.status.processed", "batch_id": "b", "transactions":
            [{"transaction_id": 1, "warnings": {"slTax": "A", "total": ["B"]}}, 7, {"warnings": ["C"]}]}"#,
    );
    let EventBody::BatchProcessed(batch) = keyed.unwrap().body else { panic!() };
    let warnings: Vec<_> = batch.transactions.iter().map(|row| row.warnings.join(",")).collect();
    assert_eq!(warnings, ["A,B", "C"]);

    assert_eq!(read("{}").unwrap().subject(), None);
    assert_eq!(
        read(r#"{"event": "webhook.new", "state": "TX"}"#).unwrap().subject().unwrap().to_string(),
        "state TX"
    );
    for refused in ["", "[]", "7", "null", "\"x\"", "{"] {
        assert!(read(refused).is_err(), "{refused}");
    }
}

/// What services and notification services put around events: each delivery, with the events in it as kind, id, time and
/// subject.
#[test]
fn an_event_is_found_in_whatever_is_around_it() {
    const FILED: &str = "webhook.transaction.status.filed";
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let event = format!(
        r#"{{"event_id":62,"event":"{FILED}","timestamp":"2026-03-05 10:00:00","transaction_id":17}}"#
    );
    let inner = r#"{"transaction_id":17,"policy_number":"P-1"}"#;
    let whole = "filed 62 2026-03-05 10:00:00 transaction 17";
    for (body, expected) in [
        (event.clone(), whole),
        (format!("\u{feff}[{event}]"), whole),
        // A notification service, whose own time and id are not the event's.
        (
            format!(
                r#"{{"Type":"Notification","MessageId":"m-1","Message":{},"Timestamp":"2026-03-05T10:00:01Z"}}"#,
                quoted(&event)
            ),
            whole,
        ),
        (format!(r#"{{"event":{event}}}"#), whole),
        (format!(r#"{{"notification":{{"event":{event}}}}}"#), whole),
        (format!(r#"{{"event":"{FILED}","event_id":62,"timestamp":"T","payload":{inner}}}"#), "filed 62 T transaction 17"),
        (format!(r#"{{"id":"e-1","type":"{FILED}","created":"T","data":{inner}}}"#), "filed e-1 T transaction 17"),
        (
            format!(r#"{{"version":"0","id":"e-1","detail-type":"{FILED}","time":"T","detail":{inner}}}"#),
            "filed e-1 T transaction 17",
        ),
        (format!(r#"{{"event_type":"{FILED}","data":{{"object":{inner}}}}}"#), "filed   transaction 17"),
        (
            format!(r#"{{"event":"{FILED}","transaction":{{"id":17,"policy_number":"P-1"}}}}"#),
            "filed   transaction 17",
        ),
        (
            format!(r#"{{"event":"{FILED}","transaction_id":17,"data":{{"date_filed":"2026-03-05"}}}}"#),
            "filed   transaction 17",
        ),
        (
            format!(r#"[{{"id":"e-1","eventType":"{FILED}","eventTime":"T","data":{inner}}},{event}]"#),
            "filed e-1 T transaction 17; filed 62 2026-03-05 10:00:00 transaction 17",
        ),
        (format!(r#"{{"event":"{FILED}","data":[{inner},{inner}]}}"#), "filed   transaction 17; filed   transaction 17"),
        (
            format!(r#"{{"Type":"Notification","Message":{}}}"#, quoted(&format!(r#"{{"events":[{event}]}}"#))),
            whole,
        ),
        (
            r#"{"event":"webhook.batch.status.processed","data":{"batch_id":"b","status":"processed"}}"#.to_owned(),
            "batch_processed   batch b",
        ),
        // Rows of a batch are no events.
        (
            r#"{"event":"webhook.batch.status.processed","batch_id":"b","data":[{"transaction_id":1}]}"#.to_owned(),
            "batch_processed   batch b",
        ),
        // It has no event: it is shown, with the address that it wants opened.
        (
            r#"{"Type":"SubscriptionConfirmation","MessageId":"m","Message":"You have chosen to subscribe.","SubscribeURL":"https://n.example/c"}"#
                .to_owned(),
            "other m  https://n.example/c",
        ),
        (r#"{"data":"no JSON {"}"#.to_owned(), "other   "),
        (format!("{}1{}", r#"{"data":"#.repeat(30), "}".repeat(30)), "other   "),
    ] {
        let read = |part: &Vec<u8>| {
            let event = Event::read(&unwrap_event(part)).unwrap();
            let subject = event.subject().map(|subject| subject.to_string());
            let subject = subject.or(event.reference().confirm_url).unwrap_or_default();
            let kind: &str = event.kind().into();
            format!("{kind} {} {} {subject}", event.event_id, event.timestamp)
        };
        let found: Vec<String> = split_delivery(body.clone().into_bytes()).iter().map(read).collect();
        assert_eq!(found.join("; "), expected, "{body}");
    }
}
