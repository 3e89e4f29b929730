//! A document to be sent: what it is called and where its bytes are.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};

use bordereau_contract::DOCUMENT_BYTES_MAX;
use hyper::body::Bytes;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, ReadBuf};

use crate::ClientError;

/// A document to be sent.
#[derive(Clone, Debug)]
pub struct DocumentFile {
    /// Name, such as `Policy`.
    pub name: String,
    /// Code of contract section 4, such as `POLIC`.
    pub code: String,
    /// File name.
    pub file_name: String,
    /// Its bytes.
    pub content: DocumentContent,
    /// SHA-256 the bytes must have, hexadecimal, where it is known: others are not sent to their end.
    pub sha256: Option<String>,
}

/// Where the bytes of a document are.
#[derive(Clone, Debug)]
pub enum DocumentContent {
    /// In memory.
    Bytes(Bytes),
    /// In a file, which is read piece by piece while it is sent.
    File(PathBuf),
}

impl From<Vec<u8>> for DocumentContent {
    fn from(bytes: Vec<u8>) -> DocumentContent {
        DocumentContent::Bytes(bytes.into())
    }
}

impl DocumentFile {
    /// Opens it; what can be seen to be wrong with it is said before anything is sent.
    pub(super) async fn open(&self) -> Result<OpenedDocument, ClientError> {
        let not_sendable = |reason: String| ClientError::NotSendable { reason };
        let opened = match &self.content {
            DocumentContent::Bytes(bytes) => {
                OpenedDocument { length: bytes.len() as u64, bytes: DocumentBytes::Memory(bytes.clone()) }
            }
            DocumentContent::File(path) => {
                // Asked before it is opened: a pipe would wait for whoever writes into it.
                let about = tokio::fs::metadata(path).await.map_err(|error| self.unreadable_file(&error))?;
                if !about.is_file() {
                    return Err(not_sendable(format!("{} is not a file", self.file_name)));
                }
                let file = tokio::fs::File::open(path).await.map_err(|error| self.unreadable_file(&error))?;
                let about = file.metadata().await.map_err(|error| self.unreadable_file(&error))?;
                OpenedDocument { length: about.len(), bytes: DocumentBytes::File(file) }
            }
        };
        match opened.length {
            0 => Err(not_sendable(format!("{} is empty", self.file_name))),
            length if length > DOCUMENT_BYTES_MAX as u64 => Err(not_sendable(format!(
                "{} is {length} bytes; at most {DOCUMENT_BYTES_MAX} are possible",
                self.file_name
            ))),
            _ => Ok(opened),
        }
    }

    pub(super) fn unreadable_file(&self, error: &io::Error) -> ClientError {
        ClientError::NotSendable { reason: format!("{} cannot be read: {error}", self.file_name) }
    }
}

/// A document that is being read.
pub(super) struct OpenedDocument {
    pub(super) length: u64,
    pub(super) bytes: DocumentBytes,
}

/// Bytes from memory or a file.
pub(super) enum DocumentBytes {
    Memory(Bytes),
    File(tokio::fs::File),
}

impl AsyncRead for DocumentBytes {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            DocumentBytes::Memory(bytes) => {
                let piece = bytes.split_to(buffer.remaining().min(bytes.len()));
                buffer.put_slice(&piece);
                Poll::Ready(Ok(()))
            }
            DocumentBytes::File(file) => Pin::new(file).poll_read(cx, buffer),
        }
    }
}

pub(super) fn hex_digest(hasher: Sha256) -> String {
    bordereau_contract::hex_text(&hasher.finalize())
}
