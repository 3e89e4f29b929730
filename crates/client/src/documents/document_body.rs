//! The body of a document import: JSON whose base64 is made while it is sent, so that a document of any size
//! takes the memory of two pieces.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_contract::{DocumentImport, ImportDocument};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, ReadBuf};

use super::file::{DocumentBytes, DocumentFile, OpenedDocument, hex_digest};
use super::upload::DocumentTarget;
use crate::ClientError;

/// Bytes of the file that are encoded at once; a multiple of 3, so that only the last piece has padding.
const PIECE: usize = 3 * 64 * 1024;
/// Marks where the content will be; no JSON text contains it unescaped.
const PLACE: &str = "\u{1}";
const PLACE_AS_JSON: &str = r"\u0001";

type OnSent = Arc<dyn Fn(u64) + Send + Sync>;

/// A document prepared for sending, any number of times.
pub(crate) struct OutgoingDocument {
    file: DocumentFile,
    head: Bytes,
    tail: Bytes,
    on_sent: OnSent,
    report: Arc<Mutex<SendReport>>,
}

/// What is known of the attempt to send.
#[derive(Clone, Default)]
pub(crate) struct SendReport {
    /// Hash of what was sent, once all of it was.
    pub(crate) sha256: Option<String>,
    /// Why the file could not be read to its end; then the service never had all of it.
    pub(crate) trouble: Option<String>,
}

impl OutgoingDocument {
    pub(super) fn new(to: &DocumentTarget, file: DocumentFile, on_sent: OnSent) -> OutgoingDocument {
        let document = ImportDocument {
            name: file.name.replace(PLACE, ""),
            code: file.code.replace(PLACE, ""),
            file_name: file.file_name.replace(PLACE, ""),
            content: PLACE.to_owned(),
        };
        let (transaction_id, invoice_number) = match to {
            DocumentTarget::Transaction(number) => (Some(*number), None),
            DocumentTarget::Invoice(number) => (None, Some(number.replace(PLACE, ""))),
        };
        let import = DocumentImport { transaction_id, invoice_number, documents: vec![document] };
        let text = serde_json::to_string(&import).expect("strings serialize");
        let (head, tail) = text.split_once(PLACE_AS_JSON).unwrap_or((&text, ""));
        let (head, tail) = (Bytes::from(head.to_owned()), Bytes::from(tail.to_owned()));
        OutgoingDocument { file, head, tail, on_sent, report: Arc::default() }
    }

    pub(super) fn send_report(&self) -> SendReport {
        self.report.lock().clone()
    }

    /// The body, from its beginning.
    pub(crate) async fn request_body(&self) -> Result<reqwest::Body, ClientError> {
        let OpenedDocument { length, bytes } = self.file.open().await?;
        *self.report.lock() = SendReport::default();
        (self.on_sent)(0);
        let whole = self.head.len() as u64 + length.div_ceil(3) * 4 + self.tail.len() as u64;
        Ok(reqwest::Body::wrap(SendAttempt {
            head: Some(self.head.clone()),
            source: bytes,
            piece: Vec::new(),
            filled: 0,
            left: length,
            sent: 0,
            hasher: Some(Sha256::new()),
            expected: self.file.sha256.clone(),
            tail: Some(self.tail.clone()),
            unsent: whole,
            on_sent: self.on_sent.clone(),
            report: self.report.clone(),
        }))
    }
}

impl fmt::Debug for OutgoingDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outgoing").finish_non_exhaustive()
    }
}

/// One attempt.
struct SendAttempt {
    head: Option<Bytes>,
    source: DocumentBytes,
    /// A piece of the file that is being read.
    piece: Vec<u8>,
    filled: usize,
    /// Bytes of the file not read yet.
    left: u64,
    sent: u64,
    hasher: Option<Sha256>,
    /// The hash it must have.
    expected: Option<String>,
    tail: Option<Bytes>,
    /// Bytes of the body not handed out yet.
    unsent: u64,
    on_sent: OnSent,
    report: Arc<Mutex<SendReport>>,
}

impl SendAttempt {
    fn next_frame(&mut self, bytes: Bytes) -> Frame<Bytes> {
        self.unsent = self.unsent.saturating_sub(bytes.len() as u64);
        Frame::data(bytes)
    }

    fn note_trouble(&mut self, error: io::Error) -> io::Error {
        self.report.lock().trouble = Some(error.to_string());
        error
    }

    /// The next piece of the file, full unless it is the last.
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let wanted = usize::try_from(self.left).unwrap_or(PIECE).min(PIECE);
        self.piece.resize(wanted, 0);
        while self.filled < wanted {
            let room = self.piece.get_mut(self.filled..).unwrap_or_default();
            let mut buffer = ReadBuf::new(room);
            ready!(Pin::new(&mut self.source).poll_read(cx, &mut buffer))?;
            match buffer.filled().len() {
                0 => return Poll::Ready(Err(io::Error::other("it became shorter while it was read"))),
                read => self.filled += read,
            }
        }
        Poll::Ready(Ok(()))
    }

    fn encode_piece(&mut self) -> Bytes {
        if let Some(hasher) = &mut self.hasher {
            hasher.update(&self.piece);
        }
        self.left -= self.piece.len() as u64;
        self.sent += self.piece.len() as u64;
        self.filled = 0;
        (self.on_sent)(self.sent);
        STANDARD.encode(&self.piece).into()
    }

    /// Nothing may follow: a file that grew meanwhile is not the one that was to be sent.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut one = [0; 1];
        let mut buffer = ReadBuf::new(&mut one);
        ready!(Pin::new(&mut self.source).poll_read(cx, &mut buffer))?;
        Poll::Ready(match buffer.filled().len() {
            0 => Ok(()),
            _ => Err(io::Error::other("it became longer while it was read")),
        })
    }
}

impl Body for SendAttempt {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let this = self.get_mut();
        if let Some(head) = this.head.take() {
            return Poll::Ready(Some(Ok(this.next_frame(head))));
        }
        if this.left > 0 {
            return Poll::Ready(Some(match ready!(this.poll_piece(cx)) {
                Ok(()) => {
                    let bytes = this.encode_piece();
                    Ok(this.next_frame(bytes))
                }
                Err(error) => Err(this.note_trouble(error)),
            }));
        }
        if let Some(hasher) = this.hasher.take() {
            match this.poll_end(cx) {
                Poll::Pending => {
                    this.hasher = Some(hasher);
                    return Poll::Pending;
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(this.note_trouble(error)))),
                Poll::Ready(Ok(())) => {}
            }
            let sha256 = hex_digest(hasher);
            if this.expected.as_ref().is_some_and(|expected| !expected.eq_ignore_ascii_case(&sha256)) {
                // Without its tail the body is no request: the service takes nothing of it.
                let error = io::Error::other("its content has changed since it was queued");
                return Poll::Ready(Some(Err(this.note_trouble(error))));
            }
            this.report.lock().sha256 = Some(sha256);
        }
        Poll::Ready(this.tail.take().map(|tail| Ok(this.next_frame(tail))))
    }

    fn is_end_stream(&self) -> bool {
        self.tail.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.unsent)
    }
}
