//! Documents by their one-time addresses (contract sections 2 and 4).

use std::sync::Arc;

use hyper::body::Bytes;
use reqwest::Method;
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderMap};
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, timeout_at};

use crate::client::Inner;
use crate::file_name::file_name;
use crate::transport::{Answer, Failure, Request};
use crate::{ClientError, Operation};

/// A document as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// Content.
    pub bytes: Vec<u8>,
    /// A plain file name, safe on every system: never a path.
    pub file_name: String,
    /// Media type as the service says it, or `application/octet-stream`.
    pub content_type: String,
}

impl Inner {
    pub(crate) async fn download(
        self: &Arc<Self>,
        address: &str,
        max_bytes: u64,
    ) -> Result<Download, ClientError> {
        let answer = self.fetch(address, max_bytes, None).await?;
        let (file_name, content_type) = described(&answer);
        Ok(Download { bytes: answer.body, file_name, content_type })
    }

    /// Fetches a document; where `pieces` is given, its bytes go there instead of into the answer.
    pub(crate) async fn fetch(
        self: &Arc<Self>,
        address: &str,
        max_bytes: u64,
        pieces: Option<Sender<Bytes>>,
    ) -> Result<Answer, ClientError> {
        let url = self.transport.base.resolve(address)?;
        let own = self.transport.base.is_own(&url);
        let request = Request {
            operation: Operation::Download,
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
            self.call(&request, deadline).await
        } else {
            let fetch = self.transport.fetch_elsewhere(&request, request.url.clone());
            let outcome = timeout_at(deadline, fetch).await;
            Ok(outcome.unwrap_or_else(|_| Err(Failure::Error(self.transport.timed_out(limit))))?)
        }
    }
}

/// File name and media type of a document.
pub(crate) fn described(answer: &Answer) -> (String, String) {
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
