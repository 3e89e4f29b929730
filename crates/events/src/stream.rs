//! Forwarding: followers of a listener get its deliveries in order, and continue where they stopped.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::body::Frame;
use tokio::sync::mpsc;

use super::receiver::{EventReceiver, plain_response};
use super::signature::is_same;
use bordereau_store::events::inbox::{ForwardedDelivery, list_deliveries_after};

/// Desks that can follow at once.
pub(super) const FOLLOWERS_MAX: usize = 64;
/// Events read from the store at once.
const AT_ONCE: u32 = 100;
/// How often a comment is sent, so that each side notices when the other is gone.
const BEAT: Duration = Duration::from_secs(15);

/// `GET /follow` with `Authorization: Bearer TOKEN`, and `Last-Event-ID` to continue.
pub(super) async fn stream_events(
    State(receiver): State<Arc<EventReceiver>>,
    request: Request,
) -> Response<Body> {
    if !is_let_in(&receiver, request.headers()) {
        return plain_response(StatusCode::UNAUTHORIZED, "Not accepted.");
    }
    let Some(profile_id) = receiver.only_profile() else {
        return plain_response(StatusCode::NOT_FOUND, "There is nothing here.");
    };
    // Refused before the stream starts: a follower accepted and then dropped would come back at once.
    let Ok(place) = Arc::clone(&receiver.followers).try_acquire_owned() else {
        return plain_response(StatusCode::SERVICE_UNAVAILABLE, "Too many followers are connected.");
    };
    let last = request.headers().get("last-event-id").and_then(|id| id.to_str().ok()?.trim().parse().ok());
    let (send, pieces) = mpsc::channel(16);
    let shared = Arc::clone(&receiver);
    tokio::spawn(async move {
        forward_events(&shared, &profile_id, last.unwrap_or(0), send).await;
        drop(place);
    });
    let mut response = Response::new(Body::new(ChunkedBody(pieces)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A proxy that buffers answers would delay events.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

fn is_let_in(receiver: &EventReceiver, headers: &HeaderMap) -> bool {
    let Some(token) = receiver.token.as_ref().filter(|token| !token.is_empty()) else { return false };
    let shown =
        headers.get(header::AUTHORIZATION).and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
    shown.is_some_and(|shown| is_same(token.as_bytes(), shown))
}

async fn forward_events(
    receiver: &EventReceiver,
    profile_id: &str,
    mut last: i64,
    send: mpsc::Sender<Bytes>,
) {
    let inbox = super::EventInbox::from_context(&receiver.ctx);
    let mut changes = inbox.changes();
    // Sent at once, so that the other side knows it is connected.
    if send.send(Bytes::from_static(b": follows\n\n")).await.is_err() {
        return;
    }
    if is_beyond_all(receiver, profile_id, last).await {
        // A number from another data folder, or made up: send everything; a follower recognizes what it has.
        last = 0;
    }
    loop {
        changes.mark_unchanged();
        let of = profile_id.to_owned();
        let store = receiver.ctx.store();
        let read = store
            .with_connection(move |connection| list_deliveries_after(connection, &of, last, AT_ONCE))
            .await;
        let deliveries = match read {
            Ok(deliveries) => deliveries,
            Err(error) => {
                tracing::warn!(%error, "a follower was let go");
                return;
            }
        };
        let is_all = deliveries.len() < AT_ONCE as usize;
        for ForwardedDelivery { arrival, received_at, body } in deliveries {
            let data = serde_json::json!({ "received_at": received_at, "body": STANDARD.encode(body) });
            if send
                .send(Bytes::from(format!("id: {arrival}\nevent: delivery\ndata: {data}\n\n")))
                .await
                .is_err()
            {
                return;
            }
            last = arrival;
        }
        if is_all {
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = send.closed() => return,
                () = tokio::time::sleep(BEAT) => {
                    if send.send(Bytes::from_static(b": \n\n")).await.is_err() {
                        return;
                    }
                }
            }
        }
    }
}

/// Whether every delivery has a lower number.
async fn is_beyond_all(receiver: &EventReceiver, profile_id: &str, last: i64) -> bool {
    let of = profile_id.to_owned();
    let before = last.saturating_sub(1);
    let store = receiver.ctx.store();
    let read =
        store.with_connection(move |connection| list_deliveries_after(connection, &of, before, 1)).await;
    read.is_ok_and(|deliveries| deliveries.is_empty())
}

/// A body that arrives in pieces until its sender is dropped.
struct ChunkedBody(mpsc::Receiver<Bytes>);

impl HttpBody for ChunkedBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::convert::Infallible>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}
