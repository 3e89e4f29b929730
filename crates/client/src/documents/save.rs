//! Fetching a document into whatever takes bytes.

use std::io;

use sha2::{Digest, Sha256};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

use super::file::hex_digest;
use crate::download::describe_document;
use crate::{Client, ClientError};

/// Pieces that may wait to be written.
const WAITING_MAX: usize = 4;

/// A document that was fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedDownload {
    /// A plain file name, safe on every system: never a path.
    pub file_name: String,
    /// Media type as the service says it, or `application/octet-stream`.
    pub content_type: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
}

/// Why a document was not fetched; what was written until then is not the document.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// It did not come.
    #[error(transparent)]
    Fetch(#[from] ClientError),
    /// It came and could not be written.
    #[error("the document could not be written: {0}")]
    Write(io::Error),
}

impl Client {
    /// Fetches a document piece by piece into `writer`, which is flushed at the end. As
    /// [`Client::download`]: credentials go along only to the profile's own scheme, host and port.
    ///
    /// # Errors
    /// [`SaveError::Fetch`] with [`ClientError::TooLarge`] beyond `max_bytes`, and others as everywhere;
    /// [`SaveError::Write`] where the writer fails.
    pub async fn download_to(
        &self,
        url: &str,
        max_bytes: u64,
        writer: &mut (impl AsyncWrite + Unpin + ?Sized),
    ) -> Result<SavedDownload, SaveError> {
        let (sender, mut pieces) = mpsc::channel(WAITING_MAX);
        let fetch = self.inner.fetch_document(url, max_bytes, Some(sender));
        tokio::pin!(fetch);
        let (mut hasher, mut bytes, mut answer) = (Sha256::new(), 0, None);
        loop {
            tokio::select! {
                piece = pieces.recv() => match piece {
                    Some(piece) => {
                        hasher.update(&piece);
                        bytes += piece.len() as u64;
                        writer.write_all(&piece).await.map_err(SaveError::Write)?;
                    }
                    // The sender is gone: the answer is there, or about to be.
                    None => break,
                },
                outcome = &mut fetch, if answer.is_none() => answer = Some(outcome),
            }
        }
        let answer = match answer {
            Some(answer) => answer,
            None => fetch.await,
        }?;
        writer.flush().await.map_err(SaveError::Write)?;
        let (file_name, content_type) = describe_document(&answer);
        Ok(SavedDownload { file_name, content_type, bytes, sha256: hex_digest(hasher) })
    }
}
