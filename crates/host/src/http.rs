//! The desk over HTTP on loopback: `POST /op/{name}`, `POST /drop?name=...` and the built UI.
//!
//! For tests and design work in a browser. Other programs and pages on the same computer are kept out by the token,
//! by the `Host` header (the accept loop refuses a name rebound to 127.0.0.1) and by `Origin`.

use std::future::Future;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::routing::{get, post};
use bordereau_desk::api::{BoundaryError, ErrorCode, OPERATIONS};
use bordereau_desk::{Desk, dispatch};
use bordereau_server::{HostNames, HttpServer, LoopRefusal, RefusalCounts, ServerLimits, accept_connections};

use crate::drop_folder::DropFolder;
use crate::static_files;
use crate::token::AccessToken;

/// The header that carries the token.
pub const TOKEN_HEADER: &str = "x-bordereau-token";
/// Largest request body: enough for a large paste, and harmless.
pub const BODY_MAX_BYTES: usize = 16 * 1024 * 1024;
/// Connections open at once: a few pages of one person.
const CONNECTIONS: usize = 128;
const OWN_PAGE_ONLY: &str = "This host answers its own page only.";
/// The window's policy (`tauri.conf.json`; a test compares them), with the own origin in place of the IPC. Inline
/// scripts and styles are forbidden.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// A desk to be served.
#[derive(Clone)]
pub struct HttpHost {
    desk: Desk,
    ui: Option<PathBuf>,
    token: AccessToken,
    drops: Option<Arc<DropFolder>>,
}

impl HttpHost {
    /// Serves this desk to clients with the token, and the UI in this folder to every program on the computer.
    pub fn new(desk: Desk, ui: Option<PathBuf>, token: AccessToken) -> HttpHost {
        HttpHost { desk, ui, token, drops: None }
    }

    /// Accepts dropped files too and stores them in this folder, which belongs to the host: files of the previous
    /// run are removed.
    #[must_use]
    pub fn keeping_drops_in(self, folder: PathBuf) -> HttpHost {
        HttpHost { drops: Some(Arc::new(DropFolder::in_folder(folder))), ..self }
    }

    /// The routes.
    pub fn router(self) -> Router {
        Router::new()
            .route("/op/{name}", post(handle_operation))
            .route("/drop", post(handle_drop))
            .fallback(get(serve_page))
            .layer(from_fn(only_own_page))
            .with_state(Arc::new(self))
    }
}

/// Serves until `stop` is ready, then finishes open requests.
pub async fn serve_http(
    host: HttpHost,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let server = HttpServer {
        router: host.router(),
        tls: None,
        limits: ServerLimits { connections: CONNECTIONS, ..ServerLimits::default() },
        hosts: HostNames::for_address(listener.local_addr()?.ip()),
        counts: RefusalCounts::default(),
        ready: Arc::new(|| Box::pin(async { true })),
        refuse: |refusal| match refusal {
            LoopRefusal::OtherHost => {
                static_files::plain_response(StatusCode::MISDIRECTED_REQUEST, OWN_PAGE_ONLY)
            }
            LoopRefusal::NoRoom => static_files::plain_response(
                StatusCode::SERVICE_UNAVAILABLE,
                "Too many requests at once. Try again.",
            ),
            LoopRefusal::Failed => static_files::plain_response(
                StatusCode::INTERNAL_SERVER_ERROR,
                "The request failed. See the log.",
            ),
        },
    };
    accept_connections(listener, server, stop).await;
    Ok(())
}

async fn handle_operation(
    State(host): State<Arc<HttpHost>>,
    Path(name): Path<String>,
    request: Request,
) -> Response<Body> {
    match run_operation(&host, &name, request).await {
        Ok(value) => json_response(StatusCode::OK, &value),
        Err((status, error)) => json_response(status, &error),
    }
}

type Refusal = (StatusCode, BoundaryError);

/// Refuses a request without the token.
fn let_in(host: &HttpHost, headers: &HeaderMap) -> Result<(), Refusal> {
    if headers.get(TOKEN_HEADER).is_some_and(|shown| host.token.matches(shown.as_bytes())) {
        return Ok(());
    }
    Err(new_refusal(StatusCode::UNAUTHORIZED, ErrorCode::NotAuthorized, "The host's token is missing."))
}

async fn run_operation(host: &HttpHost, name: &str, request: Request) -> Result<serde_json::Value, Refusal> {
    let (parts, body) = request.into_parts();
    let_in(host, &parts.headers)?;
    if !OPERATIONS.contains(&name) {
        return Err(new_refusal(StatusCode::NOT_FOUND, ErrorCode::NotFound, "There is no such operation."));
    }
    let bytes = to_bytes(body, BODY_MAX_BYTES).await.map_err(|_| {
        new_refusal(
            StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::Validation,
            "The request is larger than 16 MiB. Drop the rows as a file.",
        )
    })?;
    let request = serde_json::from_slice(&bytes).map_err(|_| {
        new_refusal(StatusCode::BAD_REQUEST, ErrorCode::Validation, "The request is not JSON.")
    })?;
    dispatch(&host.desk, name, request).await.map_err(|error| (status_of(error.code), error))
}

#[derive(serde::Deserialize)]
struct DropQuery {
    name: String,
}

/// A file dropped on the page: the host stores its bytes and hands it to the desk.
async fn handle_drop(
    State(host): State<Arc<HttpHost>>,
    Query(query): Query<DropQuery>,
    request: Request,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    if let Err((status, error)) = let_in(&host, &parts.headers) {
        return json_response(status, &error);
    }
    let Some(drops) = &host.drops else {
        let (status, error) =
            new_refusal(StatusCode::NOT_FOUND, ErrorCode::NotFound, "Dropped files aren't accepted here.");
        return json_response(status, &error);
    };
    match drops.store_drop(&query.name, body).await {
        Ok(path) => match host.desk.drop_files(vec![path]).pop() {
            Some(file) => json_response(StatusCode::OK, &file),
            None => static_files::plain_response(
                StatusCode::INTERNAL_SERVER_ERROR,
                "The file couldn't be stored.",
            ),
        },
        Err(error) => json_response(status_of(error.code), &error),
    }
}

fn new_refusal(status: StatusCode, code: ErrorCode, message: &str) -> Refusal {
    (status, BoundaryError::with_code(code, message))
}

/// The status that fits an error; the body says more.
pub fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::Validation | ErrorCode::Rejected | ErrorCode::ProfileInvalid => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        ErrorCode::NotAuthorized | ErrorCode::SignInAgain | ErrorCode::NoCredentials => {
            StatusCode::UNAUTHORIZED
        }
        ErrorCode::NotPermitted | ErrorCode::Locked | ErrorCode::Office => StatusCode::FORBIDDEN,
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::Canceled
        | ErrorCode::StoreTooNew
        | ErrorCode::DataKeyMissing
        | ErrorCode::NoProgram
        | ErrorCode::ChangedElsewhere => StatusCode::CONFLICT,
        ErrorCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::Timeout | ErrorCode::OutcomeUnknown => StatusCode::GATEWAY_TIMEOUT,
        ErrorCode::Offline | ErrorCode::Untrusted | ErrorCode::ServiceFailed | ErrorCode::Unreadable => {
            StatusCode::BAD_GATEWAY
        }
        ErrorCode::KeychainUnavailable | ErrorCode::KeychainLocked => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
        ErrorCode::Storage
        | ErrorCode::DiskFailed
        | ErrorCode::DataReadOnly
        | ErrorCode::StoreDamaged
        | ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn json_response(status: StatusCode, value: &impl serde::Serialize) -> Response<Body> {
    let Ok(bytes) = serde_json::to_vec(value) else {
        return static_files::plain_response(
            StatusCode::INTERNAL_SERVER_ERROR,
            "The answer cannot be written.",
        );
    };
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

async fn serve_page(State(host): State<Arc<HttpHost>>, request: Request) -> Response<Body> {
    static_files::serve_file(host.ui.as_deref(), request.uri().path()).await
}

async fn only_own_page(request: Request, next: Next) -> Response<Body> {
    if !is_own_origin(request.headers()) {
        return static_files::plain_response(StatusCode::FORBIDDEN, OWN_PAGE_ONLY);
    }
    let mut response = next.run(request).await;
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// An `Origin`, if there is one, must be the requested host, which the accept loop has checked.
fn is_own_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let own = text(header::HOST).map(|host| format!("http://{host}"));
    headers.get(header::ORIGIN).is_none_or(|_| own.as_deref() == text(header::ORIGIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_page_is_answered() {
        let cases = [
            (Some("127.0.0.1:4000"), None, true),
            (Some("localhost:4000"), Some("http://localhost:4000"), true),
            (Some("localhost:4000"), Some("http://localhost:4001"), false),
            (Some("127.0.0.1:4000"), Some("https://evil.example"), false),
            (Some("127.0.0.1:4000"), Some("null"), false),
            (Some("127.0.0.1:4000"), Some(""), false),
            (None, Some("http://localhost:4000"), false),
        ];
        for (host, origin, expected) in cases {
            let mut headers = HeaderMap::new();
            for (name, value) in [(header::HOST, host), (header::ORIGIN, origin)] {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            assert_eq!(is_own_origin(&headers), expected, "{host:?} {origin:?}");
        }
    }
}
