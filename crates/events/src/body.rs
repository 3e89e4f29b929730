//! Reads the body of a delivery within limits of length, time and memory, and verifies it meanwhile.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use http_body_util::BodyExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::signature::BodyProof;

/// How long the whole body may take.
const BODY_WITHIN: Duration = Duration::from_secs(30);
/// Bytes of all bodies in memory at once.
const BYTES_TOGETHER: usize = 32 * 1024 * 1024;

/// Memory for bodies that are being read or stored.
#[derive(Clone)]
pub(super) struct BodyMemory(Arc<Semaphore>);

/// A body that was read completely. Its memory is counted until this is dropped.
pub(super) struct DeliveryBody {
    pub(super) bytes: Vec<u8>,
    /// Result of verifying it.
    pub(super) proven: Result<(), &'static str>,
    _memory: Option<OwnedSemaphorePermit>,
}

/// Why a body was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnreadReason {
    TooLarge,
    BrokeOff,
    TooSlow,
    /// Too many bytes are being read at the moment.
    NoMemory,
}

impl BodyMemory {
    pub(super) fn new() -> BodyMemory {
        BodyMemory(Arc::new(Semaphore::new(BYTES_TOGETHER)))
    }

    /// Reads the whole body, of at most this many bytes. Memory is reserved as bytes arrive: a sender that announces
    /// many and sends few blocks no one.
    pub(super) async fn read_body(
        &self,
        mut body: Body,
        mut proof: BodyProof,
        bytes_max: usize,
    ) -> Result<DeliveryBody, UnreadReason> {
        if body.size_hint().lower() > bytes_max as u64 {
            return Err(UnreadReason::TooLarge);
        }
        let reading = async {
            let (mut bytes, mut memory) = (Vec::new(), None::<OwnedSemaphorePermit>);
            while let Some(frame) = body.frame().await {
                // Trailers aren't needed.
                let Ok(piece) = frame.map_err(|_| UnreadReason::BrokeOff)?.into_data() else { continue };
                if bytes.len() + piece.len() > bytes_max {
                    return Err(UnreadReason::TooLarge);
                }
                let more = self.take_memory(piece.len())?;
                match &mut memory {
                    Some(memory) => memory.merge(more),
                    None => memory = Some(more),
                }
                proof.add_piece(&piece);
                bytes.extend_from_slice(&piece);
            }
            Ok(DeliveryBody { bytes, proven: proof.check_body(), _memory: memory })
        };
        tokio::time::timeout(BODY_WITHIN, reading).await.unwrap_or(Err(UnreadReason::TooSlow))
    }

    fn take_memory(&self, bytes: usize) -> Result<OwnedSemaphorePermit, UnreadReason> {
        let bytes = u32::try_from(bytes).map_err(|_| UnreadReason::TooLarge)?;
        Arc::clone(&self.0).try_acquire_many_owned(bytes).map_err(|_| UnreadReason::NoMemory)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use axum::body::Bytes;
    use hyper::body::Frame;

    use super::*;
    use crate::signature::DeliveryProofs;
    use bordereau_api::Profile;
    use bordereau_session::secrets::SecretText;

    fn proof() -> BodyProof {
        let signature = "00".repeat(32);
        let proofs =
            DeliveryProofs::new(&Profile::default(), "secret of 20 letters", "", SecretText::default());
        proofs.check_headers(|_| Some(signature.as_bytes())).unwrap()
    }

    #[tokio::test]
    async fn bodies_in_memory_are_bounded_together_and_given_back() {
        let memory = BodyMemory::new();
        let (mib, most) = (1024 * 1024, BYTES_TOGETHER);
        let read = async |bytes: usize| memory.read_body(Body::from(vec![0; bytes]), proof(), most).await;
        let held = read(most - mib).await.unwrap();
        assert_eq!(read(2 * mib).await.err(), Some(UnreadReason::NoMemory));
        assert!(read(mib).await.is_ok());
        drop(held);
        assert!(read(2 * mib).await.is_ok(), "what was refused has given its memory back too");
    }

    #[tokio::test]
    async fn a_body_without_end_is_refused_at_the_bound() {
        let read = BodyMemory::new().read_body(Body::new(Endless), proof(), 64 * 1024).await;
        assert_eq!(read.err(), Some(UnreadReason::TooLarge));
    }

    /// Pieces that never end.
    struct Endless;

    impl HttpBody for Endless {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b'x'; 1_000])))))
        }
    }
}
