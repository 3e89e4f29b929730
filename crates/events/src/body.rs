//! The body of a delivery, read within its bound; the rest of a refused body is drained before the answer is sent.
//!
//! A connection closed on unread bytes is reset, and the reset overtakes the answer: a sender that is still
//! writing would see a broken connection instead of the 401 or 413.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{header, request::Parts};
use bordereau_contract::EVENT_BYTES_MAX;

/// How long the whole body may take.
const BODY_WITHIN: Duration = Duration::from_secs(30);
/// At most this much is read for nothing; whoever sends more finds the connection closed.
const READ_OUT_BYTES_MAX: usize = 4 * EVENT_BYTES_MAX;
/// And for this long.
const READ_OUT_WITHIN: Duration = Duration::from_secs(5);

/// The body of a request being received.
pub(super) struct Brought {
    body: Body,
    /// The sender waits for permission to send it: nothing was sent yet, and reading would ask for it.
    waits_for_leave: bool,
}

/// Why a body was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    TooLarge,
    BrokeOff,
    TooSlow,
}

impl Brought {
    pub(super) fn of(request: Request) -> (Parts, Brought) {
        let (parts, body) = request.into_parts();
        let waits_for_leave = parts.headers.contains_key(header::EXPECT);
        (parts, Brought { body, waits_for_leave })
    }

    /// The whole body, of a length that an event may have.
    pub(super) async fn read(&mut self) -> Result<Vec<u8>, Unread> {
        if self.body.size_hint().lower() > EVENT_BYTES_MAX as u64 {
            return Err(Unread::TooLarge);
        }
        self.waits_for_leave = false;
        let reading = async {
            let mut bytes = Vec::new();
            while let Some(piece) = self.piece().await {
                let piece = piece.map_err(|_| Unread::BrokeOff)?;
                if bytes.len() + piece.len() > EVENT_BYTES_MAX {
                    return Err(Unread::TooLarge);
                }
                bytes.extend_from_slice(&piece);
            }
            Ok(bytes)
        };
        tokio::time::timeout(BODY_WITHIN, reading).await.unwrap_or(Err(Unread::TooSlow))
    }

    /// Reads and forgets what nobody has read, within bounds.
    pub(super) async fn read_out(mut self) {
        if self.waits_for_leave || self.body.size_hint().lower() > READ_OUT_BYTES_MAX as u64 {
            return;
        }
        let mut bytes = 0;
        let reading = async {
            // A body that breaks off has been read to its end as well.
            while let Some(Ok(piece)) = self.piece().await {
                bytes += piece.len();
                if bytes > READ_OUT_BYTES_MAX {
                    break;
                }
            }
        };
        if tokio::time::timeout(READ_OUT_WITHIN, reading).await.is_err() {
            tracing::debug!("what a refused delivery still sent took too long");
        }
    }

    /// The next piece; `None` at the end. Trailers say nothing here.
    async fn piece(&mut self) -> Option<Result<axum::body::Bytes, axum::Error>> {
        loop {
            let frame =
                std::future::poll_fn(|context| std::pin::Pin::new(&mut self.body).poll_frame(context));
            match frame.await? {
                Ok(frame) => {
                    if let Ok(data) = frame.into_data() {
                        return Some(Ok(data));
                    }
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
