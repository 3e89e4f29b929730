//! Refusals: `application/problem+json` (RFC 9457) that names every field at fault (contract section 7).

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bordereau_contract::{FieldProblem, ProblemBody};
use bordereau_service_store::StoreError;

/// A refused request, before it is written as a response.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    kind: &'static str,
    detail: String,
    errors: Vec<FieldProblem>,
    retry_after_seconds: Option<i64>,
}

impl Refusal {
    fn new(status: StatusCode, kind: &'static str, detail: impl Into<String>) -> Refusal {
        Refusal { status, kind, detail: detail.into(), errors: Vec::new(), retry_after_seconds: None }
    }

    /// 400: the body is not what can be read at all.
    pub(crate) fn malformed(detail: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, "malformed", detail)
    }

    /// 401: no credentials, or dead ones.
    pub(crate) fn not_signed_in(detail: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
    }

    /// 403: known, but not allowed.
    pub(crate) fn forbidden(detail: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    /// 404.
    pub(crate) fn not_found(detail: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    /// 405.
    pub(crate) fn method_not_allowed(detail: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method", detail)
    }

    /// 408: the body did not come in time.
    pub(crate) fn too_slow(limit: std::time::Duration) -> Refusal {
        Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            "too-slow",
            format!("The body did not arrive within {} seconds.", limit.as_secs()),
        )
    }

    /// 409.
    pub(crate) fn conflict(pointer: &str, detail: impl Into<String>) -> Refusal {
        let mut refusal = Refusal::invalid_field(pointer, detail);
        refusal.status = StatusCode::CONFLICT;
        refusal.kind = "conflict";
        refusal
    }

    /// 410: a one-time link used or too old.
    pub(crate) fn gone(detail: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::GONE, "gone", detail)
    }

    /// 413.
    pub(crate) fn too_large(limit_bytes: usize) -> Refusal {
        Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            format!("The body is larger than {limit_bytes} bytes."),
        )
    }

    /// 415.
    pub(crate) fn media_type(found: &str) -> Refusal {
        let found: String = found.chars().take(80).collect();
        let found = if found.is_empty() { "nothing".to_owned() } else { format!("\"{found}\"") };
        Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "media-type",
            format!("The content type is {found}; application/json is expected."),
        )
    }

    /// 422: fields at fault.
    pub(crate) fn invalid_fields(errors: Vec<FieldProblem>) -> Refusal {
        let detail = match errors.len() {
            1 => "1 field is invalid.".to_owned(),
            count => format!("{count} fields are invalid."),
        };
        let mut refusal = Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "validation", detail);
        refusal.errors = errors;
        refusal
    }

    /// The same refusal with another sentence.
    pub(crate) fn with_detail(mut self, detail: impl Into<String>) -> Refusal {
        self.detail = detail.into();
        self
    }

    /// 421: the request's `Host` is not this service.
    pub(crate) fn other_host() -> Refusal {
        let sentence =
            "The Host header names another service; use the address that this one was started with.";
        Refusal::new(StatusCode::MISDIRECTED_REQUEST, "other-host", sentence)
    }

    /// 503: too much at once.
    pub(crate) fn busy() -> Refusal {
        let sentence = "The service is busy. Try again in a moment.";
        let mut refusal = Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", sentence);
        refusal.retry_after_seconds = Some(1);
        refusal
    }

    /// 429 after failed sign-ins.
    pub(crate) fn too_many_sign_ins(wait: std::time::Duration) -> Refusal {
        let seconds = i64::try_from(wait.as_secs()).unwrap_or(i64::MAX).saturating_add(1);
        let sentence = format!("Too many sign-ins failed; try again in {seconds} s.");
        let mut refusal = Refusal::new(StatusCode::TOO_MANY_REQUESTS, "too-many-sign-ins", sentence);
        refusal.retry_after_seconds = Some(seconds);
        refusal
    }

    /// 429 until the next minute begins.
    pub(crate) fn too_many(retry_after_seconds: i64) -> Refusal {
        let mut refusal = Refusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests",
            format!(
                "The account made too many requests in this minute; try again in {retry_after_seconds} s."
            ),
        );
        refusal.retry_after_seconds = Some(retry_after_seconds);
        refusal
    }

    /// 500; `detail` must not carry what only the log may have.
    pub(crate) fn internal_error(detail: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    }

    /// What it says, in sentences.
    pub(crate) fn to_sentence(&self) -> String {
        let fields: Vec<&str> = self.errors.iter().map(|error| error.detail.as_str()).collect();
        if fields.is_empty() { self.detail.clone() } else { fields.join(" ") }
    }

    /// 422 for one field.
    pub(crate) fn invalid_field(pointer: &str, detail: impl Into<String>) -> Refusal {
        Refusal::invalid_fields(vec![FieldProblem { pointer: pointer.into(), detail: detail.into() }])
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the database did not answer");
        Refusal::internal_error("The service's database did not answer.")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let problem = ProblemBody {
            kind: format!("urn:bordereau:problem:{}", self.kind),
            title: self.status.canonical_reason().unwrap_or("Refused").into(),
            status: self.status.as_u16(),
            detail: self.detail,
            errors: self.errors,
        };
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after_seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
