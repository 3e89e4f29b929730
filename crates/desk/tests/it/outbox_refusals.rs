//! What a service refuses is told with its reason and what to do.

use bordereau_desk::api::*;
use serde_json::json;

use crate::other_service::reply;
use crate::outbox_fixture::{many, sent};
use crate::outbox_proof::{office, record, upload};

/// A refusal says what to do where the status knows it, and nothing of other rows where there are none.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_says_what_to_do() {
    for (status, body, count, expected) in [
        (
            413,
            r#"{"message":"Too much"}"#,
            2,
            "The service refused it and says: Too much. Send fewer rows at once.",
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
