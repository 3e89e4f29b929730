//! Which address is what.

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bordereau_contract::Paths;

use crate::faults::Operation;
use crate::refusal::Refusal;
use crate::service::App;
use crate::{
    calculator, dialects, diligent, imports, openapi, practice, templates, token, transactions, webhooks,
};

/// Everything the service answers.
pub(crate) fn routes(app: App) -> Router {
    let paths = Paths::default();
    let mut router = Router::new().route(&paths.token, post(token::token));
    for path in calculator_paths(&paths) {
        router = router.route(&path, post(calculator::calculate));
    }
    for (path, operation) in import_paths(&paths) {
        let handler = match operation {
            Imported::SingleV1 => post(imports::single_v1),
            Imported::SingleV2 => post(imports::single_v2),
            Imported::Batch => post(imports::batch),
            Imported::Results => get(imports::results),
            Imported::Status => get(transactions::status),
            Imported::Search => post(transactions::search),
            Imported::Documents => post(transactions::import_documents),
            Imported::DiligentForms => post(diligent::forms),
        };
        router = router.route(&path, handler);
    }
    router
        .route(openapi::DOWNLOAD_PATH, get(transactions::download))
        .route(&format!("{}{{token}}", templates::TEMPLATE_PATH), get(templates::template))
        .route("/openapi.json", get(openapi_document))
        .merge(practice::routes())
        .merge(webhooks::routes(&paths))
        .fallback(no_such_address)
        .method_not_allowed_fallback(no_such_method)
        .layer(axum::middleware::map_response(in_our_words))
        .layer(axum::middleware::from_fn_with_state(app.clone(), dialects::speak::speak))
        .with_state(app)
}

/// Both paths of the calculator, with and without `.json` (contract section 2).
pub(crate) fn calculator_paths(paths: &Paths) -> [String; 4] {
    let (first, second) = (paths.calculator.as_str(), Paths::CALCULATOR_V2);
    [first.to_owned(), format!("{first}.json"), second.to_owned(), format!("{second}.json")]
}

/// The operations of sections 3, 4 and 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Imported {
    SingleV1,
    SingleV2,
    Batch,
    Results,
    Status,
    Search,
    Documents,
    DiligentForms,
}

/// Every path of the imports, each with and without `.json` (contract sections 3 and 4).
pub(crate) fn import_paths(paths: &Paths) -> Vec<(String, Imported)> {
    [
        (&paths.single_v1, Imported::SingleV1),
        (&paths.single_v2, Imported::SingleV2),
        (&paths.batch_import, Imported::Batch),
        (&paths.batch_results, Imported::Results),
        (&paths.transaction_status, Imported::Status),
        (&paths.search, Imported::Search),
        (&paths.document_import, Imported::Documents),
        (&paths.diligent_forms, Imported::DiligentForms),
    ]
    .into_iter()
    .flat_map(|(path, operation)| {
        let plain = path.trim_end_matches(".json");
        [(plain.to_owned(), operation), (format!("{plain}.json"), operation)]
    })
    .collect()
}

/// What is asked for at an address of the contract.
pub(crate) fn operation_at(path: &str) -> Option<Operation> {
    let paths = Paths::default();
    if path == paths.token {
        return Some(Operation::Token);
    }
    if path.starts_with("/transaction/document/") {
        return Some(Operation::DocumentDownload);
    }
    if calculator_paths(&paths).iter().any(|known| known == path) {
        return Some(Operation::Calculator);
    }
    let (_, imported) = import_paths(&paths).into_iter().find(|(known, _)| known == path)?;
    Some(match imported {
        Imported::SingleV1 | Imported::SingleV2 => Operation::SingleImport,
        Imported::Batch => Operation::BatchImport,
        Imported::Results => Operation::ImportResults,
        Imported::Status => Operation::TransactionStatus,
        Imported::Search => Operation::Search,
        Imported::Documents => Operation::DocumentImport,
        Imported::DiligentForms => Operation::DiligentForms,
    })
}

async fn openapi_document() -> Response {
    let mut response = Response::new(axum::body::Body::from(openapi::document_text()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// What the router itself refuses, a part of an address that is no text, is said as everything else is.
async fn in_our_words(response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let plain = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if plain && response.status() == StatusCode::BAD_REQUEST {
        return Refusal::malformed("The address cannot be read: a part of it is not UTF-8 text.")
            .into_response();
    }
    response
}

async fn no_such_address(request: Request) -> Response {
    let path: String = request.uri().path().chars().take(200).collect();
    Refusal::not_found(format!("There is nothing at {path}.")).into_response()
}

async fn no_such_method(request: Request) -> Response {
    Refusal::method(format!("{} is not possible at this address.", request.method())).into_response()
}
