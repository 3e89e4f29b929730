//! Reads the body of a delivery within limits of length, time and memory, and verifies it meanwhile.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use http_body_util::BodyExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::signature::BodyProof;

/// How a body begins that was packed with gzip, whatever its header says.
const GZIP_START: &[u8] = &[0x1f, 0x8b];
/// Bytes that are unpacked at once.
const PIECE_BYTES: usize = 64 * 1024;
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
    /// Packed in a way that isn't known, or not to its end.
    NotUnpacked,
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

    /// The body as it was before the sender packed it, of at most this many bytes; the signature may be of either.
    pub(super) fn unpack_body(
        &self,
        packed: DeliveryBody,
        encoding: &[u8],
        mut proof: BodyProof,
        bytes_max: usize,
    ) -> Result<DeliveryBody, UnreadReason> {
        let encoding = encoding.trim_ascii().to_ascii_lowercase();
        let mut reader: Box<dyn Read> = match encoding.as_slice() {
            _ if packed.bytes.starts_with(GZIP_START) => {
                Box::new(MultiGzDecoder::new(packed.bytes.as_slice()))
            }
            b"" | b"identity" => return Ok(packed),
            b"deflate" => Box::new(ZlibDecoder::new(packed.bytes.as_slice())),
            // Some say so of what isn't packed.
            b"gzip" | b"x-gzip" => return Ok(packed),
            _ => return Err(UnreadReason::NotUnpacked),
        };
        let (mut bytes, mut memory) = (Vec::new(), self.take_memory(0)?);
        loop {
            let start = bytes.len();
            memory.merge(self.take_memory(PIECE_BYTES)?);
            let more = reader.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut bytes);
            match more.map_err(|_| UnreadReason::NotUnpacked)? {
                0 => break,
                _ if bytes.len() > bytes_max => return Err(UnreadReason::TooLarge),
                _ => proof.add_piece(&bytes[start..]),
            }
        }
        let proven = packed.proven.or_else(|_| proof.check_body());
        drop(reader);
        Ok(DeliveryBody { bytes, proven, _memory: Some(memory) })
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
    use ring::hmac;

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

    /// A body may be packed, and its signature be of what travels or of what is in it; a few bytes never become more than
    /// the bound.
    #[tokio::test]
    async fn a_packed_body_is_unpacked_within_the_bound() {
        const EVENT: &[u8] = br#"{"event":"webhook.transaction.status.filed"}"#;
        let gzip = |bytes: &[u8]| {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            std::io::Write::write_all(&mut packed, bytes).unwrap();
            packed.finish().unwrap()
        };
        let (packed, bomb) = (gzip(EVENT), gzip(&vec![b' '; 8 * 1024 * 1024]));
        let key = hmac::Key::new(hmac::HMAC_SHA256, b"secret of 20 letters");
        let memory = BodyMemory::new();
        let cut = &packed[..packed.len() - 12];
        for (what, body, encoding, signed, expected) in [
            ("as it is", EVENT, "", EVENT, Ok(true)),
            ("signed as it travels", packed.as_slice(), "gzip", packed.as_slice(), Ok(true)),
            ("signed as it was", &packed, "GZIP", EVENT, Ok(true)),
            ("without saying so", &packed, "", EVENT, Ok(true)),
            ("said of what is not packed", EVENT, "gzip", EVENT, Ok(true)),
            ("another signature", &packed, "gzip", b"{}", Ok(false)),
            ("a bomb", &bomb, "gzip", &bomb, Err(UnreadReason::TooLarge)),
            ("cut", cut, "gzip", cut, Err(UnreadReason::NotUnpacked)),
            ("in another way", EVENT, "br", EVENT, Err(UnreadReason::NotUnpacked)),
        ] {
            let tag = bordereau_contract::hex_text(hmac::sign(&key, signed).as_ref());
            let proofs =
                DeliveryProofs::new(&Profile::default(), "secret of 20 letters", "", SecretText::default());
            let proof = proofs.check_headers(|_| Some(tag.as_bytes())).unwrap();
            let most = 1024 * 1024;
            let read = memory.read_body(Body::from(body.to_vec()), proof.clone(), most).await.unwrap();
            let read = memory.unpack_body(read, encoding.as_bytes(), proof, most);
            let found =
                read.as_ref().map(|read| read.proven.is_ok() && read.bytes == EVENT).map_err(|why| *why);
            assert_eq!(found, expected, "{what}");
        }
        assert!(memory.read_body(Body::from(vec![0; BYTES_TOGETHER]), proof(), BYTES_TOGETHER).await.is_ok());
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
