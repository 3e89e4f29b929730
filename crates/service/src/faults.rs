//! Faults on demand, so that a client is tried against the nasty half of the world.

use std::future::Future;
use std::time::Duration;

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bordereau_dialects::ServiceEndpoint;
use bordereau_server::CutConnection;
use hyper::body::Frame;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::limits::seconds_to_next_minute;
use crate::refusal::Refusal;
use crate::{Clock, clock::PracticeClock};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FaultKind {
    /// The answer comes late, by `delay_ms` of real time.
    Delay,
    /// Everything is done at once, but the answer comes late, by `delay_ms` of real time.
    DelayAfter,
    /// The connection is cut before the body is read; nothing is done.
    CutBefore,
    /// 500 before anything was done.
    ErrorBefore,
    /// Everything is done, then 500.
    ErrorAfter,
    /// Everything is done, then the connection is cut without an answer.
    Cut,
    /// Everything is done, then the connection is cut in the middle of the answer's body.
    CutBody,
    /// 429 until the next minute begins.
    RateLimit,
    /// 200 with half a body.
    Malformed,
    /// 404 before anything was done, as of a service that does not know the question or does not show it yet.
    NotFound,
}

/// A fault waiting for its request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingFault {
    pub(crate) operation: ServiceEndpoint,
    pub(crate) kind: FaultKind,
    /// Requests still to be hit.
    #[serde(default = "once")]
    pub(crate) times: u32,
    /// Milliseconds of real time, for `delay`.
    #[serde(default)]
    pub(crate) delay_ms: u64,
}

fn once() -> u32 {
    1
}

/// Marks an answer that was spoiled on purpose and is to be sent as it is.
#[derive(Clone, Copy)]
pub(crate) struct SpoiledAnswer;

/// The faults waiting.
#[derive(Default)]
pub(crate) struct FaultQueue(Mutex<Vec<PendingFault>>);

impl FaultQueue {
    pub(crate) fn add(&self, fault: PendingFault) {
        self.0.lock().push(fault);
    }

    pub(crate) fn list_waiting(&self) -> Vec<PendingFault> {
        self.0.lock().clone()
    }

    pub(crate) fn clear(&self) {
        self.0.lock().clear();
    }

    /// The fault for this request, if one waits; the oldest first.
    fn take_for(&self, operation: ServiceEndpoint) -> Option<PendingFault> {
        let mut waiting = self.0.lock();
        let at = waiting
            .iter()
            .position(|fault| fault.operation == operation || fault.operation == ServiceEndpoint::Any)?;
        let fault = waiting[at].clone();
        waiting[at].times = waiting[at].times.saturating_sub(1);
        waiting.retain(|fault| fault.times > 0);
        Some(fault)
    }

    /// Runs the operation, unless or until the fault that waits for it says otherwise.
    pub(crate) async fn run_with_faults(
        &self,
        operation: ServiceEndpoint,
        clock: &PracticeClock,
        run: impl Future<Output = Response>,
    ) -> Response {
        let Some(fault) = self.take_for(operation) else { return run.await };
        tracing::info!(?operation, kind = ?fault.kind, "a simulated failure");
        match fault.kind {
            FaultKind::Delay => {
                tokio::time::sleep(Duration::from_millis(fault.delay_ms)).await;
                run.await
            }
            FaultKind::DelayAfter => {
                let response = run.await;
                tokio::time::sleep(Duration::from_millis(fault.delay_ms)).await;
                response
            }
            FaultKind::CutBefore => {
                let mut response = Response::new(Body::empty());
                response.extensions_mut().insert(CutConnection);
                response
            }
            FaultKind::CutBody => broken_off(run.await).await,
            FaultKind::ErrorBefore => {
                Refusal::internal_error("A simulated failure. Nothing was processed.").into_response()
            }
            FaultKind::ErrorAfter => {
                run.await;
                Refusal::internal_error("A simulated failure.").into_response()
            }
            FaultKind::Cut => {
                let mut response = run.await;
                response.extensions_mut().insert(CutConnection);
                response
            }
            FaultKind::RateLimit => Refusal::too_many(seconds_to_next_minute(clock.now())).into_response(),
            FaultKind::Malformed => half_response(run.await).await,
            FaultKind::NotFound => Refusal::not_found("A simulated failure.").into_response(),
        }
    }
}

/// An answer that announces its whole body and breaks off in the middle of it.
async fn broken_off(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    let half = bytes.slice(..bytes.len() / 2);
    parts.extensions.insert(SpoiledAnswer);
    Response::from_parts(parts, Body::new(BreakingBody { half: Some(half), flushed: false }))
}

/// A body of one piece, after which the connection breaks.
struct BreakingBody {
    half: Option<Bytes>,
    flushed: bool,
}

impl HttpBody for BreakingBody {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        match self.half.take() {
            Some(half) => Poll::Ready(Some(Ok(Frame::data(half)))),
            None if self.flushed => Poll::Ready(Some(Err(std::io::Error::other("a simulated failure")))),
            // Answered on the next poll, so that the half is sent.
            None => {
                self.flushed = true;
                context.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }
}

/// The first half of an answer's body.
async fn half_response(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.extensions.insert(SpoiledAnswer);
    Response::from_parts(parts, Body::from(bytes.slice(..bytes.len() / 2)))
}
