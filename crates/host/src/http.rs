//! The desk over HTTP on loopback: `POST /op/{name}`, `POST /drop?name=...` and the built UI.
//!
//! For tests and design work in a browser. Other programs and other pages of the same machine are kept
//! out by the token, by the `Host` header (a name that was rebound to 127.0.0.1 is refused) and by `Origin`.

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

use crate::drops::Drops;
use crate::static_files;
use crate::token::AccessToken;

/// The header that carries the token.
pub const TOKEN_HEADER: &str = "x-bordereau-token";
/// The largest request body: that of a large paste, far below what could hurt.
pub const BODY_MAX_BYTES: usize = 16 * 1024 * 1024;
/// That of the window (`tauri.conf.json`; a test compares them), with the own origin in place of the IPC.
/// Neither scripts nor styles are allowed inline.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// A desk to be served.
#[derive(Clone)]
pub struct HttpHost {
    desk: Desk,
    ui: Option<PathBuf>,
    token: AccessToken,
    drops: Option<Arc<Drops>>,
}

impl HttpHost {
    /// Serves this desk to whoever shows the token, and the UI in this folder to everybody on the machine.
    #[must_use]
    pub fn new(desk: Desk, ui: Option<PathBuf>, token: AccessToken) -> HttpHost {
        HttpHost { desk, ui, token, drops: None }
    }

    /// Takes dropped files too and keeps them in this folder, which is the host's alone: what is in it from
    /// the run before is removed.
    #[must_use]
    pub fn keeping_drops_in(self, folder: PathBuf) -> HttpHost {
        HttpHost { drops: Some(Arc::new(Drops::in_folder(folder))), ..self }
    }

    /// The routes.
    pub fn router(self) -> Router {
        Router::new()
            .route("/op/{name}", post(operation))
            .route("/drop", post(dropped))
            .fallback(get(page))
            .layer(from_fn(only_loopback))
            .with_state(Arc::new(self))
    }
}

/// Serves until `stop` is ready, then finishes the requests in progress.
///
/// # Errors
/// Those of the listener.
pub async fn serve_http(
    host: HttpHost,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    axum::serve(listener, host.router()).with_graceful_shutdown(stop).await
}

async fn operation(
    State(host): State<Arc<HttpHost>>,
    Path(name): Path<String>,
    request: Request,
) -> Response<Body> {
    match answer(&host, &name, request).await {
        Ok(value) => json(StatusCode::OK, &value),
        Err((status, error)) => json(status, &error),
    }
}

type Refusal = (StatusCode, BoundaryError);

/// Whoever acts on the desk shows the token.
fn let_in(host: &HttpHost, headers: &HeaderMap) -> Result<(), Refusal> {
    if headers.get(TOKEN_HEADER).is_some_and(|shown| host.token.matches(shown.as_bytes())) {
        return Ok(());
    }
    Err(refusal(StatusCode::UNAUTHORIZED, ErrorCode::NotAuthorized, "The host's token is missing."))
}

async fn answer(host: &HttpHost, name: &str, request: Request) -> Result<serde_json::Value, Refusal> {
    let (parts, body) = request.into_parts();
    let_in(host, &parts.headers)?;
    if !OPERATIONS.contains(&name) {
        return Err(refusal(StatusCode::NOT_FOUND, ErrorCode::NotFound, "There is no such operation."));
    }
    let bytes = to_bytes(body, BODY_MAX_BYTES).await.map_err(|_| {
        refusal(
            StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::Validation,
            "The request is larger than 16 MiB. Drop the rows as a file.",
        )
    })?;
    let request = serde_json::from_slice(&bytes)
        .map_err(|_| refusal(StatusCode::BAD_REQUEST, ErrorCode::Validation, "The request is not JSON."))?;
    dispatch(&host.desk, name, request).await.map_err(|error| (status_of(error.code), error))
}

#[derive(serde::Deserialize)]
struct DropQuery {
    name: String,
}

/// A file dropped on the page: its bytes, kept by the host and handed to the desk.
async fn dropped(
    State(host): State<Arc<HttpHost>>,
    Query(query): Query<DropQuery>,
    request: Request,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    if let Err((status, error)) = let_in(&host, &parts.headers) {
        return json(status, &error);
    }
    let Some(drops) = &host.drops else {
        let (status, error) =
            refusal(StatusCode::NOT_FOUND, ErrorCode::NotFound, "This host takes no dropped files.");
        return json(status, &error);
    };
    match drops.take(&query.name, body).await {
        Ok(path) => match host.desk.drop_files(vec![path]).pop() {
            Some(file) => json(StatusCode::OK, &file),
            None => static_files::plain(StatusCode::INTERNAL_SERVER_ERROR, "The file couldn't be stored."),
        },
        Err(error) => json(status_of(error.code), &error),
    }
}

fn refusal(status: StatusCode, code: ErrorCode, message: &str) -> Refusal {
    (status, BoundaryError { code, message: message.to_owned(), details: Vec::new(), retryable: false })
}

/// The status that fits an error; the body says more.
#[must_use]
pub fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::Validation | ErrorCode::Rejected | ErrorCode::ProfileInvalid => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        ErrorCode::NotAuthorized | ErrorCode::SignInAgain | ErrorCode::NoCredentials => {
            StatusCode::UNAUTHORIZED
        }
        ErrorCode::NotPermitted => StatusCode::FORBIDDEN,
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::Canceled | ErrorCode::StoreTooNew => StatusCode::CONFLICT,
        ErrorCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::Timeout | ErrorCode::OutcomeUnknown => StatusCode::GATEWAY_TIMEOUT,
        ErrorCode::Offline | ErrorCode::Untrusted | ErrorCode::ServiceFailed | ErrorCode::Unreadable => {
            StatusCode::BAD_GATEWAY
        }
        ErrorCode::KeychainUnavailable | ErrorCode::KeychainLocked => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::Storage | ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn json(status: StatusCode, value: &impl serde::Serialize) -> Response<Body> {
    let Ok(bytes) = serde_json::to_vec(value) else {
        return static_files::plain(StatusCode::INTERNAL_SERVER_ERROR, "The answer cannot be written.");
    };
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

async fn page(State(host): State<Arc<HttpHost>>, request: Request) -> Response<Body> {
    static_files::serve(host.ui.as_deref(), request.uri().path()).await
}

async fn only_loopback(request: Request, next: Next) -> Response<Body> {
    if !comes_from_here(request.headers()) {
        return static_files::plain(StatusCode::FORBIDDEN, "This host answers its own page only.");
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

/// `Host` must be a loopback name, and an `Origin`, when there is one, must be that same host.
fn comes_from_here(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(host) = text(header::HOST) else { return false };
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
    let loopback = matches!(name.map_or(host, |(name, _)| name), "127.0.0.1" | "localhost" | "[::1]");
    let own_origin = match headers.get(header::ORIGIN) {
        None => true,
        Some(origin) => origin.to_str().is_ok_and(|o| o.strip_prefix("http://") == Some(host)),
    };
    loopback && own_origin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_page_is_answered() {
        let cases = [
            (Some("127.0.0.1:4000"), None, true),
            (Some("localhost:4000"), Some("http://localhost:4000"), true),
            (Some("[::1]:4000"), None, true),
            (Some("localhost"), None, true),
            (Some("evil.example:4000"), None, false),
            (Some("127.0.0.1.evil.example"), None, false),
            (Some("127.0.0.1:4000"), Some("https://evil.example"), false),
            (Some("127.0.0.1:4000"), Some("null"), false),
            (None, None, false),
        ];
        for (host, origin, expected) in cases {
            let mut headers = HeaderMap::new();
            for (name, value) in [(header::HOST, host), (header::ORIGIN, origin)] {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            assert_eq!(comes_from_here(&headers), expected, "{host:?} {origin:?}");
        }
    }
}
