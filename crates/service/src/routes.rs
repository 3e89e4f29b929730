//! Which address is what.

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bordereau_contract::ServicePaths;

use crate::refusal::Refusal;
use crate::service::AppState;
use crate::{calculator, diligent, imports, practice, templates, token, transactions, webhooks};

/// Path of a document's download \[spec].
pub(crate) const DOWNLOAD_PATH: &str = "/transaction/document/{transaction}/{document}/download";

/// Everything the service answers.
pub(crate) fn service_routes(app: AppState) -> Router {
    let paths = ServicePaths::default();
    let mut router = Router::new().route(&paths.token, post(token::post_token));
    for path in calculator_paths(&paths) {
        router = router.route(&path, post(calculator::post_calculate));
    }
    for (path, operation) in import_paths(&paths) {
        let handler = match operation {
            ImportOperation::SingleV1 => post(imports::single_v1),
            ImportOperation::SingleV2 => post(imports::single_v2),
            ImportOperation::Batch => post(imports::post_batch),
            ImportOperation::Results => get(imports::get_results),
            ImportOperation::Status => get(transactions::get_status),
            ImportOperation::Search => post(transactions::post_search),
            ImportOperation::Documents => post(transactions::import_documents),
            ImportOperation::DiligentForms => post(diligent::post_forms),
        };
        router = router.route(&path, handler);
    }
    let with_parts = Router::new()
        .route(DOWNLOAD_PATH, get(transactions::get_document))
        .route(&format!("{}{{token}}", templates::TEMPLATE_PATH), get(templates::get_template))
        .merge(practice::practice_routes())
        .merge(webhooks::webhook_routes(&paths))
        .layer(axum::middleware::map_response(refuse_in_words));
    router
        .route("/openapi.json", get(openapi_document))
        .merge(with_parts)
        .fallback(no_such_address)
        .method_not_allowed_fallback(no_such_method)
        .with_state(app)
}

/// Both paths of the calculator, with and without `.json` (contract section 2).
pub(crate) fn calculator_paths(paths: &ServicePaths) -> [String; 4] {
    let (first, second) = (paths.calculator.as_str(), ServicePaths::CALCULATOR_V2);
    [first.to_owned(), format!("{first}.json"), second.to_owned(), format!("{second}.json")]
}

/// The operations of sections 3, 4 and 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportOperation {
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
pub(crate) fn import_paths(paths: &ServicePaths) -> Vec<(String, ImportOperation)> {
    [
        (&paths.single_v1, ImportOperation::SingleV1),
        (&paths.single_v2, ImportOperation::SingleV2),
        (&paths.batch_import, ImportOperation::Batch),
        (&paths.batch_results, ImportOperation::Results),
        (&paths.transaction_status, ImportOperation::Status),
        (&paths.search, ImportOperation::Search),
        (&paths.document_import, ImportOperation::Documents),
        (&paths.diligent_forms, ImportOperation::DiligentForms),
    ]
    .into_iter()
    .flat_map(|(path, operation)| {
        let plain = path.trim_end_matches(".json");
        [(plain.to_owned(), operation), (format!("{plain}.json"), operation)]
    })
    .collect()
}

async fn openapi_document() -> Response {
    let mut response = Response::new(axum::body::Body::from(include_str!("../openapi.json")));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// What the router itself refuses, a part of an address that is no text, is said as everything else is.
async fn refuse_in_words(response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_plain = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if response.status() != StatusCode::BAD_REQUEST || !is_plain {
        return response;
    }
    Refusal::malformed("The address cannot be read: a part of it is not UTF-8 text.").into_response()
}

async fn no_such_address(request: Request) -> Response {
    let path: String = request.uri().path().chars().take(200).collect();
    Refusal::not_found(format!("Nothing is at {path}.")).into_response()
}

async fn no_such_method(request: Request) -> Response {
    Refusal::method_not_allowed(format!("{} is not supported at this address.", request.method()))
        .into_response()
}
