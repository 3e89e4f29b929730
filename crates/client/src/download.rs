//! Documents by their one-time addresses (contract sections 2 and 4).

use std::sync::Arc;

use hyper::body::Bytes;
use reqwest::Method;
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderMap};
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, timeout_at};

use crate::client::ClientInner;
use crate::file_name::file_name;
use crate::transport::{OutgoingRequest, RequestFailure, ServiceAnswer};
use crate::{ClientError, ServiceOperation};

/// A document as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DownloadedDocument {
    /// Content.
    pub bytes: Vec<u8>,
    /// A plain file name, safe on every system: never a path.
    pub file_name: String,
    /// Media type as the service says it, or `application/octet-stream`.
    pub content_type: String,
}

impl ClientInner {
    pub(crate) async fn download_document(
        self: &Arc<Self>,
        address: &str,
        max_bytes: u64,
    ) -> Result<DownloadedDocument, ClientError> {
        let answer = self.fetch_document(address, max_bytes, None).await?;
        let (file_name, content_type) = describe_document(&answer);
        Ok(DownloadedDocument { bytes: answer.body, file_name, content_type })
    }

    /// Fetches a document; where `pieces` is given, its bytes go there instead of into the answer.
    pub(crate) async fn fetch_document(
        self: &Arc<Self>,
        address: &str,
        max_bytes: u64,
        pieces: Option<Sender<Bytes>>,
    ) -> Result<ServiceAnswer, ClientError> {
        let url = self.transport.base.resolve_url(address)?;
        let own = self.transport.base.is_own(&url);
        let request = OutgoingRequest {
            operation: ServiceOperation::Download,
            method: Method::GET,
            url,
            body: None,
            secrets: Vec::new(),
            answer_max: max_bytes,
            pieces,
        };
        let limit = self.transport.config.timeouts.download;
        let deadline = Instant::now() + limit;
        if own {
            self.call_service(&request, deadline).await
        } else {
            let fetch = self.transport.fetch_elsewhere(&request, request.url.clone());
            let outcome = timeout_at(deadline, fetch).await;
            Ok(outcome.unwrap_or_else(|_| Err(RequestFailure::Error(self.transport.timed_out(limit))))?)
        }
    }
}

/// File name and media type of a document.
pub(crate) fn describe_document(answer: &ServiceAnswer) -> (String, String) {
    let header = |name| text_of(&answer.headers, name);
    let content_type = header(CONTENT_TYPE)
        .and_then(|text| text.split(';').next().map(|kind| kind.trim().to_ascii_lowercase()))
        .filter(|kind| !kind.is_empty())
        .unwrap_or_else(|| "application/octet-stream".to_owned());
    let disposition = header(CONTENT_DISPOSITION);
    (file_name(disposition.as_deref(), answer.url.path(), &content_type), content_type)
}

fn text_of(headers: &HeaderMap, name: reqwest::header::HeaderName) -> Option<String> {
    // Some servers write plain UTF-8 into headers.
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}
