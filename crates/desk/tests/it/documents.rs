//! Templates of state documents, fetched by a fresh link each time.

use bordereau_desk::api::*;

use crate::test_desk::{TestDesk, question};

async fn with_template(test: &TestDesk) -> (QuoteRequest, DocumentView) {
    for state in ["TX", "FL", "CA", "NY", "IL", "PA"] {
        let request = question(state, "PN", &[("GEN-1002", "1000")]);
        let answer = test.desk.quote_calculate(request.clone()).await.unwrap();
        if let Some(document) = answer.documents.into_iter().find(|document| document.downloadable) {
            return (request, document);
        }
    }
    panic!("no state offers a template");
}

#[tokio::test]
async fn a_template_is_fetched_again_and_again() {
    let test = TestDesk::new().await;
    let (request, document) = with_template(&test).await;
    for name in ["first.pdf", "second.pdf"] {
        let path = test.answer_dialog(name);
        let download = DocumentDownload { request: request.clone(), key: document.key.clone() };
        let outcome = test.desk.form_template_download(download).await.unwrap();
        assert!(outcome.saved);
        assert_eq!(
            (outcome.file_name.as_str(), u64::from(outcome.bytes)),
            (name, std::fs::metadata(&path).unwrap().len())
        );
        assert!(outcome.bytes > 0);
    }
    assert_eq!(test.person.suggested.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn canceling_is_no_error_and_an_unknown_document_is() {
    let test = TestDesk::new().await;
    let (request, document) = with_template(&test).await;
    let download = DocumentDownload { request: request.clone(), key: document.key };
    let outcome = test.desk.form_template_download(download).await.unwrap();
    assert_eq!(outcome, FileOutcome { saved: false, file_name: String::new(), bytes: 0 });
    let download = DocumentDownload { request, key: "NOPE|Nothing".into() };
    assert_eq!(test.desk.form_template_download(download).await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test]
async fn an_estimate_offers_no_download() {
    let test = TestDesk::offline();
    let answer = test.desk.quote_estimate(question("TX", "PN", &[("GEN-1002", "1000")])).await.unwrap();
    assert!(answer.documents.iter().all(|document| !document.downloadable));
    let keys: std::collections::HashSet<&String> =
        answer.documents.iter().map(|document| &document.key).collect();
    assert_eq!(keys.len(), answer.documents.len(), "keys tell documents apart");
}

#[tokio::test]
async fn a_file_is_chosen_or_not() {
    let test = TestDesk::offline();
    let choose = || ChooseFile { purpose: FilePurpose::Lines };
    assert_eq!(test.desk.choose_file(choose()).await.unwrap(), ChosenFile::default());
    let path = test.answer_dialog("lines.csv");
    let chosen = test.desk.choose_file(choose()).await.unwrap();
    assert_eq!(chosen.name, "lines.csv");
    let folder = path.parent().unwrap().to_string_lossy().into_owned();
    assert!(!chosen.handle.is_empty() && !chosen.handle.contains(&folder), "a handle, no path: {chosen:?}");
}
