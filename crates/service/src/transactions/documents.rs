//! Documents for transactions that exist, and their download (contract section 4).

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use bordereau_contract::{
    DocumentImport, DocumentOutcome, DocumentsImported, ImportDocument, document_codes,
};
use bordereau_dialects::ServiceEndpoint;
use bordereau_service_store::documents::{self, NewDocument};
use bordereau_service_store::{StoreError, filings};

use crate::Clock;
use crate::answer::json_answer;
use crate::body::{self, BodyBounds};
use crate::imports;
use crate::refusal::Refusal;
use crate::service::AppState;

/// `POST` of documents for a transaction.
pub(crate) async fn post_documents(State(app): State<AppState>, request: Request) -> Response {
    let answer = async |request| Ok(json_answer(&store_documents(&app, request).await?));
    app.answer(ServiceEndpoint::DocumentImport, request, answer).await
}

async fn store_documents(app: &AppState, request: Request) -> Result<DocumentsImported, Refusal> {
    let (parts, body) = request.into_parts();
    let account = app.admit_caller(&parts).await?;
    let _of_account = app.imports.account_place(&account.id).await?;
    let text = body::bounded_text(&parts, body, BodyBounds::IMPORT).await?;
    let _working = app.imports.work_place().await?;
    let app = app.clone();
    imports::off_thread(move || {
        let sent: DocumentImport = body::parse_object(&text)?;
        if sent.transaction_id.is_none() && sent.invoice_number.is_none() {
            return Err(Refusal::invalid_field(
                "/transaction_id",
                "transaction_id or invoice_number is required.",
            ));
        }
        if sent.documents.is_empty() {
            return Err(Refusal::invalid_field("/documents", "At least one document is expected."));
        }
        if sent.documents.len() > imports::DOCUMENTS_MAX {
            let (given, most) = (sent.documents.len(), imports::DOCUMENTS_MAX);
            let detail = format!("{given} documents are given; at most {most} are allowed.");
            return Err(Refusal::invalid_field("/documents", detail));
        }
        let files: Vec<_> = sent.documents.iter().map(decode_file).collect();
        let now = app.clock.now().timestamp();
        let stored = app.store.run_on_this_thread(|db| {
            let filing = match (sent.transaction_id, &sent.invoice_number) {
                (Some(id), _) => filings::by_id(db, &account.id, id)?,
                (None, Some(invoice)) => filings::by_invoice(db, &account.id, invoice)?,
                (None, None) => None,
            };
            let Some(filing) = filing else { return Ok(None) };
            for (document, file) in sent.documents.iter().zip(&files) {
                let Ok(file) = file else { continue };
                let new = NewDocument {
                    name: &document.name,
                    code: document.code.trim(),
                    file_name: &document.file_name,
                    sha256: &file.sha256,
                    content: &file.content,
                };
                documents::insert(db, filing.id, &new, now)?;
            }
            Ok(Some(filing.id))
        });
        let id = stored.map_err(StoreError::from)?;
        let id = id.ok_or_else(|| Refusal::not_found("The account has no such transaction."))?;
        let outcomes =
            sent.documents.into_iter().zip(files).map(|(document, file)| document_outcome(document, file));
        Ok(DocumentsImported { transaction_id: Some(id), documents: outcomes.collect() })
    })
    .await
}

/// The file, or why it is not taken: one bad document does not keep the others out.
fn decode_file(document: &ImportDocument) -> Result<imports::DecodedFile, String> {
    if let Some((_, why)) = imports::document_texts(document).into_iter().next() {
        return Err(why);
    }
    if !document_codes().any(|known| known == document.code.trim()) {
        let code: String = document.code.chars().take(40).collect();
        return Err(format!(
            "The code \"{code}\" is not known; known are {}.",
            document_codes().collect::<Vec<_>>().join(", ")
        ));
    }
    imports::decode_file(document)
}

fn document_outcome(document: ImportDocument, file: Result<imports::DecodedFile, String>) -> DocumentOutcome {
    let (sha256, reason) = match file {
        Ok(file) => (Some(file.sha256), None),
        Err(reason) => (None, Some(reason)),
    };
    DocumentOutcome {
        name: document.name,
        code: document.code,
        file_name: document.file_name,
        imported: sha256.is_some(),
        reason,
        sha256,
    }
}

/// Path of a document's download \[spec].
pub(super) fn download_path(transaction: i64, document: i64) -> String {
    format!("/transaction/document/{transaction}/{document}/download")
}

/// `GET` of a document's file; credentials as everywhere.
pub(crate) async fn get_document(
    State(app): State<AppState>,
    Path((transaction, document)): Path<(String, String)>,
    request: Request,
) -> Response {
    let answer = async |request| fetch_document(&app, &transaction, &document, request).await;
    app.answer(ServiceEndpoint::DocumentDownload, request, answer).await
}

async fn fetch_document(
    app: &AppState,
    transaction: &str,
    document: &str,
    request: Request,
) -> Result<Response, Refusal> {
    let (parts, _) = request.into_parts();
    let account = app.admit_caller(&parts).await?;
    let none = || Refusal::not_found("The account has no such document.");
    let (Ok(transaction), Ok(document)) = (transaction.parse(), document.parse()) else { return Err(none()) };
    let id = account.id.clone();
    let found = app.store.read(move |db| documents::load_file(db, &id, transaction, document)).await?;
    let file = found.ok_or_else(none)?;
    let mut response = Response::new(Body::from(file.content));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '-' };
    let name: String = file.file_name.chars().map(plain).collect();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}
