//! What a service refuses is told with its reason and what to do.

use std::sync::Mutex;

use bordereau_desk::api::*;
use bordereau_money::Usd;
use serde_json::{Value, json};

use crate::other_service::reply;
use crate::outbox_answers::record_by_the_letter;
use crate::outbox_fixture::{many, rows, sent};
use crate::outbox_proof::{imported, office, record, upload};

/// A refusal says what to do where the status knows it, and nothing of other rows where there are none.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_says_what_to_do() {
    for (status, body, count, expected) in [
        (
            413,
            r#"{"message":"Too much"}"#,
            2,
            "The service refused it and says: Too much. Set fewer transactions per request in the profile and send them again.",
        ),
        (413, r#"{"message":"Too much"}"#, 1, "The service refused it and says: Too much."),
        (
            404,
            r#"{"message":"No such endpoint"}"#,
            1,
            "The service refused it and says: No such endpoint. The paths of imports are settings of the profile: check them.",
        ),
        (
            422,
            r#"{"errors":[{"id":"a00000","message":"no insurer"}]}"#,
            1,
            "The service refused it because of 1 row and says: no insurer.",
        ),
        (
            422,
            r#"{"errors":[{"id":"a00000","message":"no insurer"}]}"#,
            2,
            "The service refused it because of 1 row and says: no insurer. The others weren't accepted; they can be sent again.",
        ),
    ] {
        let (_test, desk, _service) = office(move |_| Some((status, body.into()))).await;
        let batch = sent(&desk, many("a", count)).await;
        assert_eq!(batch.trouble, expected, "{status} {count}");
    }
}

/// Rows at fault are refused at once by the body that names them, whatever its status is, once a lookup shows that none of
/// the others is there. Where the service can't be asked, a failure is looked up and nothing sent again.
#[tokio::test(flavor = "multi_thread")]
async fn rows_at_fault_are_refused_under_any_status() {
    let by_index = r#"{"message":"Validation failed","errors":[{"index":2,"field":"PolicyNumber","message":"Too long"}]}"#;
    let by_number =
        r#"{"status":"error","message":"Import not valid","errors":{"2":{"PolicyNumber":["Too long"]}}}"#;
    for (status, body, look, expected) in [
        (500, by_index, "", BatchState::Failed),
        (555, by_number, "", BatchState::Failed),
        (200, by_index, "", BatchState::Failed),
        (200, by_number, "", BatchState::Failed),
        // Nothing is known of the others.
        (500, by_index, "no question", BatchState::Unknown),
        (200, by_index, "no question", BatchState::Failed),
    ] {
        let (_test, desk, service) = office(move |question| match question {
            import if import.is("/import") => Some((status, body.into())),
            _ if look == "no question" => Some((405, "{}".into())),
            _ => reply(r#"{"message":"Transaction not found"}"#),
        })
        .await;
        let batch = sent(&desk, many("a", 4)).await;
        assert_eq!((batch.state, service.count("/import")), (expected, 1), "{status} {look}: {batch:?}");
        if expected == BatchState::Failed {
            assert_eq!((batch.counts.error, batch.counts.accepted), (1, 0), "{status} {body}: {batch:?}");
            let row = rows(&desk, &batch.id, Some(RowState::Error), 0).await.remove(0);
            let message = &row.messages[0];
            assert_eq!(
                (message.field.as_str(), message.text.as_str()),
                ("PolicyNumber", "Too long"),
                "{row:?}"
            );
        }
    }
}

/// A document that the service says it did not import is refused, with its reason.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_document_is_told_with_its_reason() {
    for (member, text, expected) in [
        ("error", json!("The file is too blurry"), "The service rejected it: The file is too blurry."),
        ("message", json!("The file is too blurry"), "The service rejected it: The file is too blurry."),
        ("errors", json!({"content": ["Blurry"]}), "The service rejected it: Blurry."),
        ("code", json!("POLIC"), "The service rejected it and gave no reason."),
    ] {
        let (test, desk, service) = office(move |question| match question {
            look if look.is("/status") => reply(record("https://none", false)),
            _ => reply(json!({ "documents": [{ "imported": false, member: text }] }).to_string()),
        })
        .await;
        let view = upload(&test, &desk, "policy.pdf").await;
        assert_eq!((view.state, service.count("/documents")), (UploadState::Refused, 1), "{view:?}");
        assert_eq!(view.message, expected);
    }
}

/// Lists of ids alone, of a batch whose word nobody knows: who is refused is said at once, the others are looked up, and
/// so is a row that was refused and is sent again: corrected, or as it was, because what the service asked for may be
/// there now.
#[tokio::test(flavor = "multi_thread")]
async fn rows_listed_by_id_alone_are_looked_up_also_when_sent_again() {
    for premium in ["77.00", ""] {
        send_refused_row_again(premium).await;
    }
}

/// `premium`: what it is corrected to, USD; empty where it stays as it was.
async fn send_refused_row_again(premium: &str) {
    let imports = Mutex::new(Vec::<Vec<Value>>::new());
    let (_test, desk, service) = office(move |question| match question {
        import if import.is("/import") => {
            let mut all = imports.lock().unwrap();
            all.push(imported(import));
            reply(format!(r#"{{"batch_id": "b-{}", "status": "queued"}}"#, all.len()))
        }
        look if look.path.starts_with("/results?batch_id=b-") => {
            let at: usize = look.path.trim_start_matches("/results?batch_id=b-").parse().unwrap();
            let ids: Vec<Value> =
                imports.lock().unwrap()[at - 1].iter().map(|row| row["id"].clone()).collect();
            let (failed, succeeded) = if at == 1 { ids.split_at(1) } else { ids.split_at(0) };
            let failed: Vec<Value> =
                failed.iter().map(|id| json!({ "id": id, "reason": "No insurer" })).collect();
            reply(json!({ "status": "COMPLETED", "succeeded": succeeded, "failed": failed }).to_string())
        }
        look if look.path.starts_with("/status?invoice_number=INV-") => {
            let invoice = look.path.trim_start_matches("/status?invoice_number=");
            let all = imports.lock().unwrap();
            // The first one of the first import was refused.
            let mut rows = all.iter().flatten().zip(1000..).skip(1);
            match rows.find(|(row, _)| row["invoice_number"] == invoice) {
                Some((row, number)) => reply(record_by_the_letter(row, number).to_string()),
                None => Some((404, "{}".into())),
            }
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let mut all = many("a", 3);
    let batch = sent(&desk, all.clone()).await;
    assert_eq!((batch.counts.accepted, batch.counts.error), (2, 1), "{batch:?}");
    all.truncate(1);
    all[0].premium = Usd::parse(premium).ok().or(all[0].premium);
    let again = sent(&desk, all).await;
    assert_eq!((again.state, again.counts.accepted), (BatchState::Processed, 1), "{premium} {again:?}");
    assert_eq!(service.count("/import"), 2);
}
