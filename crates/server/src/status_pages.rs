//! What a monitor asks of a listener: whether it answers, whether it can work, and what it counted.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, Method, Response, StatusCode, header, request};
use parking_lot::Mutex;

use crate::RefusalCounts;

/// Says whether the listener can do its work now, such as read its database.
pub type ReadyCheck = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync>;

/// Answers by HTTP status, without those of the status pages.
#[derive(Default)]
pub(crate) struct AnswerCounts(Mutex<BTreeMap<u16, u64>>);

impl AnswerCounts {
    pub(crate) fn count_answer(&self, status: StatusCode) {
        *self.0.lock().entry(status.as_u16()).or_default() += 1;
    }
}

/// `/healthz`: the process answers. `/readyz`: it can work as well. They hold nothing that a stranger may not know.
pub(crate) async fn answer_probe(parts: &request::Parts, ready: &ReadyCheck) -> Option<Response<Body>> {
    if !matches!(parts.method, Method::GET | Method::HEAD) {
        return None;
    }
    match parts.uri.path() {
        "/healthz" => Some(plain_text(StatusCode::OK, "ok\n".into())),
        "/readyz" if ready().await => Some(plain_text(StatusCode::OK, "ready\n".into())),
        "/readyz" => {
            Some(plain_text(StatusCode::SERVICE_UNAVAILABLE, "The database cannot be read.\n".into()))
        }
        _ => None,
    }
}

/// Whether `/metrics` is asked for from this computer and not through a web server in front.
pub(crate) fn permits_metrics(parts: &request::Parts, peer: IpAddr) -> bool {
    let forwarded = |headers: &HeaderMap| {
        headers.keys().any(|name| name == header::FORWARDED || name.as_str().starts_with("x-forwarded-"))
    };
    parts.method == Method::GET
        && parts.uri.path() == "/metrics"
        && peer.is_loopback()
        && !forwarded(&parts.headers)
}

/// The counters in the text form of Prometheus.
pub(crate) fn write_metrics(answers: &AnswerCounts, refusals: &RefusalCounts, open: usize) -> Response<Body> {
    let mut text = format!(
        "# HELP bordereau_build_info Version of the program.\n# TYPE bordereau_build_info gauge\n\
         bordereau_build_info{{version=\"{}\"}} 1\n\
         # HELP bordereau_open_connections Connections open now.\n# TYPE bordereau_open_connections gauge\n\
         bordereau_open_connections {open}\n\
         # HELP bordereau_answers_total Requests answered since the start.\n# TYPE bordereau_answers_total counter\n",
        env!("CARGO_PKG_VERSION")
    );
    for (status, count) in &*answers.0.lock() {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "bordereau_answers_total{{status=\"{status}\"}} {count}");
    }
    text.push_str("# HELP bordereau_refusals_total Refused connections and requests since the start.\n# TYPE bordereau_refusals_total counter\n");
    for (reason, count) in refusals.counts() {
        let _ = writeln!(text, "bordereau_refusals_total{{reason=\"{reason}\"}} {count}");
    }
    let mut response = plain_text(StatusCode::OK, text);
    let form = header::HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, form);
    response
}

fn plain_text(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let form = header::HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, form);
    response.headers_mut().insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    response
}
