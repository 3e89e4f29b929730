//! Answers in JSON, and the way every request of the contract is answered.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bordereau_dialects::ServiceEndpoint;
use serde::Serialize;

use crate::refusal::Refusal;
use crate::service::Service;
use crate::speak::speak;

/// 200 with a value as JSON.
pub(crate) fn json_answer(value: &impl Serialize) -> Response {
    // The calculator's answers have about 11 KB, and growing to that from nothing copies them seven times.
    let mut body = Vec::with_capacity(16 * 1024);
    match serde_json::to_writer(&mut body, value) {
        Ok(()) => json_text(body),
        Err(_) => json_text(Vec::new()),
    }
}

/// What is answered with 200 as JSON.
pub(crate) struct JsonAnswer<T>(pub T);

impl<T: Serialize> IntoResponse for JsonAnswer<T> {
    fn into_response(self) -> Response {
        json_answer(&self.0)
    }
}

/// A value as JSON under another status.
pub(crate) fn json_status(status: StatusCode, value: &impl Serialize) -> Response {
    let mut response = json_answer(value);
    *response.status_mut() = status;
    response
}

/// 200 with what is JSON already.
pub(crate) fn json_text(body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

impl Service {
    /// Answers a request of the contract in the dialects that are spoken, unless or until a simulated failure says
    /// otherwise.
    pub(crate) async fn answer(
        self: &Arc<Self>,
        operation: ServiceEndpoint,
        request: Request,
        work: impl AsyncFnOnce(Request) -> Result<Response, Refusal>,
    ) -> Response {
        let answer = async |request| {
            let run = async { work(request).await.unwrap_or_else(IntoResponse::into_response) };
            self.faults.run_with_faults(operation, &self.clock, run).await
        };
        let spoken = self.dialects.spoken();
        if spoken.is_empty() {
            return answer(request).await;
        }
        speak(self, &spoken, operation, request, answer).await
    }
}
