//! Documents: sent piece by piece, never twice by themselves, asked for when their outcome is not known.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bordereau_client::{
    Client, ClientError, DocumentContent, DocumentFile, DocumentPresence, DocumentTarget, SaveError,
};
use bordereau_contract::{DOCUMENT_BYTES_MAX, ImportTransaction};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::faults::LOST_ANSWERS;
use crate::practice::Practice;
use crate::scripted::{Scripted, answer, json_answer};

/// A file that begins as a PDF and is of the size given.
fn pdf(size: usize) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    bytes.extend((0..size.saturating_sub(9)).map(|at| u8::try_from(at % 251).unwrap_or_default()));
    bytes
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn file(content: impl Into<DocumentContent>) -> DocumentFile {
    DocumentFile {
        name: "Policy \"quoted\" \u{1}".to_owned(),
        code: "POLIC".to_owned(),
        file_name: "policy.pdf".to_owned(),
        content: content.into(),
        sha256: None,
    }
}

async fn transaction(client: &Client) -> DocumentTarget {
    let row = ImportTransaction {
        id: "1".to_owned(),
        invoice_number: Some("INV-1".to_owned()),
        ..ImportTransaction::default()
    };
    let result = client.import_single(&row).await.expect("a result");
    DocumentTarget::Transaction(result.transaction_id.expect("a number"))
}

#[tokio::test(flavor = "multi_thread")]
async fn there_and_back_unchanged() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let by_number = transaction(&client).await;
    let dir = std::env::temp_dir().join(format!("bordereau-documents-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    // Around the size of a piece, and every remainder of 3.
    for size in [9, 10, 11, 196_607, 196_608, 196_609, 1_000_000] {
        let bytes = pdf(size);
        let path = dir.join(format!("{size}.pdf"));
        std::fs::write(&path, &bytes).expect("a file");
        for (to, content) in [
            (by_number.clone(), DocumentContent::File(path)),
            (DocumentTarget::Invoice("INV-1".to_owned()), bytes.clone().into()),
        ] {
            let document = file(content);
            let sent = Arc::new(AtomicU64::new(0));
            let heard = sent.clone();
            let uploaded = client
                .upload_document(&to, &document, move |bytes| heard.store(bytes, Ordering::SeqCst))
                .await
                .unwrap_or_else(|error| panic!("{size}: {error}"));
            assert!(uploaded.outcome.imported, "{size}: {:?}", uploaded.outcome);
            assert_eq!(uploaded.outcome.name, "Policy \"quoted\"", "blanks at the end are not read");
            assert_eq!(uploaded.outcome.sha256.as_deref(), Some(uploaded.sha256.as_str()));
            assert_eq!(sent.load(Ordering::SeqCst), size as u64);
            assert_eq!(uploaded.sha256, sha256(&bytes));
            let arrived = client.document_arrived(&to, "POLIC", &uploaded.sha256).await.expect("an answer");
            assert_eq!(arrived, DocumentPresence::Arrived, "{size}");
        }
        let record = client
            .transaction_status(&by_number.transaction_lookup())
            .await
            .expect("an answer")
            .expect("a record");
        let last = record.transaction_documents.last().expect("a document");
        let mut saved = Vec::new();
        let about = client.download_to(&last.download_url, 1_000_000, &mut saved).await.expect("a document");
        assert!(saved == bytes, "{size}");
        assert_eq!((about.file_name.as_str(), about.bytes), ("policy.pdf", size as u64));
    }
    let _ = std::fs::remove_dir_all(dir);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_before_anything_is_sent() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let to = DocumentTarget::Transaction(1);
    let folder = std::env::temp_dir();
    for (content, part) in [
        (DocumentContent::from(Vec::new()), "is empty"),
        (DocumentContent::from(vec![b'%'; DOCUMENT_BYTES_MAX + 1]), "at most 26214400"),
        (DocumentContent::File(folder.join("there is no such file.pdf")), "cannot be read"),
        (DocumentContent::File(folder), "is not a file"),
    ] {
        let error = client.upload_document(&to, &file(content), |_| {}).await.expect_err(part);
        assert!(matches!(error, ClientError::NotSendable { .. }), "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
    assert_eq!(practice.counted().await, 0);
}

/// What was stored and what lies there now are compared on the way, before the service has all of it.
#[tokio::test(flavor = "multi_thread")]
async fn other_bytes_than_expected_are_not_accepted_by_anybody() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let to = transaction(&client).await;
    for size in [1_000, 1_000_000] {
        let expected = sha256(&pdf(size));
        let mut changed = pdf(size);
        changed.reverse();
        let other = DocumentFile { sha256: Some(expected.clone()), ..file(changed) };
        let error = client.upload_document(&to, &other, |_| {}).await.expect_err("other bytes");
        assert!(matches!(error, ClientError::NotSendable { .. }), "{error}");
        assert!(error.to_string().contains("has changed since it was queued"), "{error}");
        let record =
            client.transaction_status(&to.transaction_lookup()).await.expect("an answer").expect("a record");
        assert_eq!(record.transaction_documents.len(), 0, "{size}");
    }
    let sha256 = sha256(&pdf(1_000)).to_uppercase();
    let same = DocumentFile { sha256: Some(sha256), ..file(pdf(1_000)) };
    let uploaded = client.upload_document(&to, &same, |_| {}).await.expect("an answer");
    assert!(uploaded.outcome.imported, "{:?}", uploaded.outcome);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_service_does_not_take_is_an_answer() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let to = transaction(&client).await;
    let program = file(b"MZ a program".to_vec());
    let uploaded = client.upload_document(&to, &program, |_| {}).await.expect("an answer");
    assert!(!uploaded.outcome.imported);
    assert!(uploaded.outcome.reason.is_some_and(|why| why.contains("none of PDF")));
    let nowhere = DocumentTarget::Invoice("INV-9".to_owned());
    let error = client.upload_document(&nowhere, &file(pdf(99)), |_| {}).await.expect_err("no transaction");
    assert!(matches!(error, ClientError::Rejected { status: 404, .. }), "{error}");
    let arrived = client.document_arrived(&nowhere, "POLIC", &uploaded.sha256).await.expect("an answer");
    assert_eq!(arrived, DocumentPresence::NoTransaction);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_unknown_outcome_the_service_is_asked_table() {
    let practice = Practice::start().await;
    let patient = practice.with_key(practice.config());
    let to = transaction(&patient).await;
    for (number, (kind, done)) in LOST_ANSWERS.into_iter().enumerate() {
        let mut config = practice.config();
        config.timeouts.upload = Duration::from_secs(2);
        let client = practice.with_key(config);
        let fault = json!({ "operation": "document_import", "kind": kind, "times": 1, "delay_ms": 60_000 });
        practice.drive("POST", "faults", fault).await;
        let document = file(pdf(1_000 + number));
        let sha256 = sha256(&pdf(1_000 + number));
        let error = client.upload_document(&to, &document, |_| {}).await.expect_err(kind);
        assert!(matches!(error, ClientError::OutcomeUnknown { .. }), "{kind}: {error}");
        assert_eq!(client.request_usage().0, 1, "{kind}: a write is sent once");
        let expected = if done { DocumentPresence::Arrived } else { DocumentPresence::NotListed };
        assert_eq!(
            patient.document_arrived(&to, "POLIC", &sha256).await.expect("an answer"),
            expected,
            "{kind}"
        );
        let other = patient.document_arrived(&to, "MISC", &sha256).await.expect("an answer");
        assert_eq!(other, DocumentPresence::NotListed, "{kind}: of another code");
    }
    // A document that cannot be fetched to compare it leaves the question open.
    practice.fault("document_download", "error_before", 50).await;
    let arrival = patient.document_arrived(&to, "POLIC", "00").await.expect("an answer");
    assert_eq!(arrival, DocumentPresence::Unsure);
}

/// What is said of the whole does not undo what is said of the document.
#[tokio::test]
async fn a_document_is_imported_by_its_own_outcome() {
    for (body, expected) in [
        (
            r#"{"success":false,"message":"1 warning","documents":[{"file_name":"policy.pdf","imported":true}]}"#,
            Some(true),
        ),
        (r#"{"ok":0,"data":{"documents":[{"file_name":"policy.pdf","imported":"true"}]}}"#, Some(true)),
        (
            r#"{"success":false,"message":"No","documents":[{"file_name":"policy.pdf","imported":false}]}"#,
            None,
        ),
        (r#"{"success":false,"message":"No"}"#, None),
    ] {
        let service = Scripted::start(move |_| json_answer(200, body)).await;
        let to = DocumentTarget::Transaction(7);
        match service.client().upload_document(&to, &file(pdf(20)), |_| {}).await {
            Ok(uploaded) => assert_eq!(Some(uploaded.outcome.imported), expected, "{body}"),
            Err(error) => {
                assert!(expected.is_none() && !error.is_outcome_unknown(), "{body}: {error}");
            }
        }
    }
}

#[tokio::test]
async fn other_bytes_at_the_service_are_not_taken_for_imported() {
    let body = r#"{"transaction_id":1,"documents":[{"name":"","code":"POLIC","file_name":"p.pdf","imported":true,"sha256":"ab"}]}"#;
    let service = Scripted::start(move |_| json_answer(200, body)).await;
    let to = DocumentTarget::Transaction(1);
    let uploaded = service.client().upload_document(&to, &file(pdf(20)), |_| {}).await.expect("an answer");
    assert!(!uploaded.outcome.imported);
    assert!(uploaded.outcome.reason.is_some_and(|why| why.contains("other bytes")));
    let request = &service.requests()[0];
    assert!(request.to_ascii_lowercase().contains("content-length: "), "{request}");
    assert!(!request.to_ascii_lowercase().contains("transfer-encoding"), "{request}");

    let silent = Scripted::start(|_| json_answer(200, r#"{"transaction_id":1,"documents":[]}"#)).await;
    let error =
        silent.client().upload_document(&to, &file(pdf(20)), |_| {}).await.expect_err("no answer for it");
    assert!(matches!(error, ClientError::OutcomeUnknown { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_sign_in_sends_the_document_from_its_beginning() {
    let practice = Practice::start().await;
    let store = Arc::new(bordereau_client::MemoryTokens::new());
    let client = practice.with_user(store);
    client.sign_in("practice", &practice.password()).await.expect("signed in");
    let to = transaction(&client).await;
    // The service's clock passes the token's life; the client's own does not.
    practice.clock.advance(3_601);
    // Large enough that the 401 is decided while the file is still being written.
    let uploaded = client.upload_document(&to, &file(pdf(300_000)), |_| {}).await.expect("an answer");
    assert!(uploaded.outcome.imported, "{:?}", uploaded.outcome);
}

#[tokio::test]
async fn downloads_are_bounded_and_go_to_the_own_host_with_credentials_only() {
    let body = "x".repeat(5_000);
    let text = answer(
        200,
        "content-type: application/pdf\r\ncontent-disposition: attachment; filename=\"..\\\\CON.pdf\"\r\n",
        &body,
    );
    let (own_text, away_text) = (text.clone(), text);
    let own = Scripted::start(move |_| own_text.clone()).await;
    let away = Scripted::start(move |_| away_text.clone()).await;
    let mut config = own.config();
    config.extra_ca_pem = Some(format!("{}\n{}", own.ca_pem, away.ca_pem));
    let credentials = bordereau_client::Credentials::with_api_key("bdk_visible_key");
    let store = Arc::new(bordereau_client::MemoryTokens::new());
    let client = Client::new(config, credentials, store).expect("a client");
    for (service, address) in [(&own, "/doc".to_owned()), (&away, format!("{}/doc", away.base_url))] {
        let mut saved = Vec::new();
        let about = client.download_to(&address, 5_000, &mut saved).await.expect("a document");
        assert_eq!((saved.len(), about.bytes), (5_000, 5_000));
        assert!(
            !about.file_name.contains(['/', '\\']) && !about.file_name.starts_with("CON."),
            "{}",
            about.file_name
        );
        let error = client.download_to(&address, 4_999, &mut tokio::io::sink()).await.expect_err("too large");
        assert!(matches!(error, SaveError::Fetch(ClientError::TooLarge { .. })), "{error}");
        let with_key = service.requests().iter().any(|request| request.contains("bdk_visible_key"));
        assert_eq!(with_key, service.base_url == own.base_url);
    }
    let error = client
        .download_to("http://filing.example/doc", 10, &mut tokio::io::sink())
        .await
        .expect_err("not https");
    assert!(matches!(error, SaveError::Fetch(ClientError::BadLink { .. })), "{error}");
    // A full disk is said as what it is.
    let (mut narrow, other_end) = tokio::io::duplex(16);
    drop(other_end);
    let error = client.download_to("/doc", 5_000, &mut narrow).await.expect_err("nobody takes it");
    assert!(matches!(error, SaveError::Write(_)), "{error}");
}
