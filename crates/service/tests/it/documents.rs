//! Documents for transactions that exist, and their way back (contract section 4).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Service, service};
use crate::imports::row;

pub const DOCUMENTS: &str = "/api/v1/document-import.json";

fn document(code: &str, file_name: &str, content: &[u8]) -> Value {
    json!({ "name": "A document", "code": code, "file_name": file_name, "content": STANDARD.encode(content) })
}

impl Service {
    async fn import_documents(&self, body: &Value) -> Answer {
        self.send(self.keyed(Method::POST, DOCUMENTS).json(body)).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_document_has_its_answer() {
    let service = service().await;
    let mut bare = row("1");
    bare["documents"] = json!([]);
    let id = service.single(&bare).await["transaction_id"].clone();
    let large = vec![b'%'; 25 * 1_048_576 + 1];
    let mut unreadable = document("POLIC", "u.pdf", b"");
    unreadable["content"] = json!("JVBERi0xLjc*");
    let cases = [
        (document("POLIC", "policy.pdf", b"%PDF-1.7 one"), None),
        (document("MISC", "photo.jpg", b"\xff\xd8\xff\xe0 photo"), None),
        (document("POLIC", "empty.pdf", b""), Some("empty")),
        (document("POLIC", "fake.pdf", b"MZ a program"), Some("none of PDF, image or Office")),
        (document("POLIC", "photo.pdf", b"\xff\xd8\xff\xe0 photo"), Some("the content is a JPEG image")),
        (document("NOPE", "policy.pdf", b"%PDF-1.7 two"), Some("\"NOPE\" is not known")),
        (document("", "policy.pdf", b"%PDF-1.7 three"), Some("code is required")),
        (document("POLIC", "", b"%PDF-1.7 four"), Some("file_name is required")),
        (unreadable, Some("not base64")),
        (document("POLIC", "large.pdf", &large), Some("larger than 25 MB")),
    ];
    let documents: Vec<_> = cases.iter().map(|(document, _)| document.clone()).collect();
    let body = json!({ "transaction_id": id, "documents": documents });
    let answer = service.import_documents(&body).await.expect(200).json();
    assert_eq!(answer["transaction_id"], id);
    for (number, (sent, why)) in cases.iter().enumerate() {
        let outcome = &answer["documents"][number];
        assert_eq!((&outcome["file_name"], &outcome["code"]), (&sent["file_name"], &sent["code"]));
        assert_eq!(outcome["imported"], why.is_none(), "{outcome}");
        let reason = outcome["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(why.unwrap_or_default()) && reason.is_empty() == why.is_none(), "{outcome}");
        assert_eq!(outcome["sha256"].is_string(), why.is_none(), "{outcome}");
    }
    let record = service.record("1").await;
    let kept = record["transaction_documents"].as_array().unwrap();
    assert_eq!(kept.len(), 2);
    let url = kept[0]["download_url"].as_str().unwrap();
    let path = url.strip_prefix(&service.running.base_url).unwrap();
    let download = service.send(service.keyed(Method::GET, path)).await.expect(200);
    assert_eq!(download.text, "%PDF-1.7 one");
    assert_eq!(download.header("content-disposition"), "attachment; filename=\"policy.pdf\"");
    service.send(service.bare(Method::GET, path)).await.expect(401);
    for elsewhere in [path.replace("/1/download", "/99/download"), path.replace(&id.to_string(), "77777")] {
        service.send(service.keyed(Method::GET, &elsewhere)).await.expect(404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn by_invoice_and_once_each() {
    let service = service().await;
    let mut bare = row("1");
    bare["documents"] = json!([]);
    service.single(&bare).await;
    let body = json!({ "invoice_number": "INV-1", "documents": [document("POLIC", "p.pdf", b"%PDF-1.7")] });
    for path in [DOCUMENTS, DOCUMENTS.trim_end_matches(".json")] {
        let answer = service.send(service.keyed(Method::POST, path).json(&body)).await.expect(200).json();
        assert_eq!(answer["documents"][0]["imported"], true, "also the second time");
    }
    assert_eq!(service.record("1").await["transaction_documents"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_imports_table() {
    let service = service().await;
    service.single(&row("1")).await;
    let one = document("POLIC", "p.pdf", b"%PDF-1.7");
    for (body, status, pointer) in [
        (json!({ "documents": [one] }), 422, "/transaction_id"),
        (json!({ "invoice_number": "INV-1", "documents": [] }), 422, "/documents"),
        (json!({ "invoice_number": "INV-1", "documents": vec![one.clone(); 51] }), 422, "/documents"),
        (json!({ "invoice_number": "INV-1", "documents": [1] }), 422, "/documents/0"),
        (json!({ "transaction_id": "x", "documents": [one] }), 422, "/transaction_id"),
        (json!({ "invoice_number": "INV-9", "documents": [one] }), 404, ""),
        (json!([]), 400, ""),
    ] {
        let answer = service.import_documents(&body).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text);
        let expected: Vec<_> = Some(pointer).into_iter().filter(|pointer| !pointer.is_empty()).collect();
        assert_eq!(answer.pointers(), expected);
    }
}
