//! A request's body: what a refusal did not read is read to its end before the answer goes.
//!
//! A connection closed on unread bytes is reset, and the reset overtakes the answer: the client, still
//! writing, would see a broken connection instead of 401 or 413, and would have to take the outcome
//! of its import for unknown.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};
use parking_lot::Mutex;

/// At most this much is read for nothing; whoever sends more finds the connection closed.
const READ_OUT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// And for this long.
const READ_OUT_TIME: Duration = Duration::from_secs(5);

/// The body, of which one copy answers and the other sees to the rest.
#[derive(Clone)]
pub(crate) struct RequestBody {
    body: Arc<Mutex<Incoming>>,
}

impl RequestBody {
    pub(crate) fn new(body: Incoming) -> RequestBody {
        RequestBody { body: Arc::new(Mutex::new(body)) }
    }

    /// Reads and forgets what no one has read, within bounds.
    pub(crate) async fn read_out(mut self) {
        if self.is_end_stream() || self.size_hint().lower() > READ_OUT_BYTES_MAX {
            return;
        }
        let mut bytes = 0u64;
        let reading = async {
            // A body that breaks off has been read to its end as well.
            while let Some(Ok(frame)) = self.frame().await {
                bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
                if bytes > READ_OUT_BYTES_MAX {
                    break;
                }
            }
        };
        if tokio::time::timeout(READ_OUT_TIME, reading).await.is_err() {
            tracing::debug!("what a refused request still sent took too long");
        }
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let mut body = self.body.lock();
        Pin::new(&mut *body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.lock().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.lock().size_hint()
    }
}
