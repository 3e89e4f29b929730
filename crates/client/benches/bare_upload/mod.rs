//! What an upload is measured beside, a bare call of reqwest, and the memory of this process.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_contract::{DocumentImport, DocumentsImported, ImportDocument};
use bordereau_service::RunningService;

/// A figure of `/proc/self/status`; zero where there is none.
pub fn status_kib(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

pub async fn send_bare(bare: &reqwest::Client, running: &RunningService, transaction: i64, path: &Path) {
    let content = std::fs::read(path).expect("a file");
    let body = DocumentImport {
        transaction_id: Some(transaction),
        invoice_number: None,
        documents: vec![ImportDocument {
            name: "Policy".to_owned(),
            code: "POLIC".to_owned(),
            file_name: "policy.pdf".to_owned(),
            content: STANDARD.encode(content),
        }],
    };
    let url = format!("{}/api/v1/document-import.json", running.base_url);
    let request = bare.post(url).header("apiKey", &running.api_key).json(&body);
    let answer = request.send().await.expect("an answer").error_for_status().expect("a success");
    let answer: DocumentsImported = answer.json().await.expect("JSON");
    assert!(answer.documents[0].imported);
}
