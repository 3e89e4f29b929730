//! Documents by their one-time addresses (contract sections 2, 4 and 5): whole in memory, or piece by piece into
//! whatever takes bytes.

use std::io;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_contract::{
    AnswerLoss, DOCUMENT_BYTES_MAX, DiligentForms, DiligentRequest, FilledForm, read_answer,
};
use hyper::body::Bytes;
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{self, Sender};
use tokio::time::{Instant, timeout_at};

use super::file::hex_digest;
use crate::client::ClientInner;
use crate::file_name::file_name;
use crate::transport::{OutgoingRequest, RequestFailure, ServiceAnswer};
use crate::unread_answer::UnreadAnswer;
use crate::{Client, ClientError, ServiceOperation};

/// Pieces that may wait to be written.
const WAITING_MAX: usize = 4;
/// Largest answer with filled forms, which may have their files in it, in bytes.
const FORMS_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Forms of one answer that are fetched.
const FORMS_MAX: usize = 50;

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

/// A filled form and its file.
#[derive(Clone, Debug)]
pub struct FetchedForm {
    /// What the service says of it; its content is in the file alone.
    pub form: FilledForm,
    /// The PDF, or why it did not come: that costs no other form.
    pub file: Result<DownloadedDocument, ClientError>,
}

/// The forms that a service filled.
#[derive(Clone, Debug, Default)]
pub struct FetchedForms {
    /// Those that could be read, in order.
    pub forms: Vec<FetchedForm>,
    /// Entries of its list that could not.
    pub unread: usize,
}

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
    /// Fetches a document. Credentials go along only when scheme, host and port are the profile's own;
    /// from elsewhere it is fetched without them, over https only. A relative address is the profile's.
    ///
    /// # Errors
    /// [`ClientError::TooLarge`] beyond `max_bytes`; others as everywhere.
    pub async fn download_document(
        &self,
        url: &str,
        max_bytes: u64,
    ) -> Result<DownloadedDocument, ClientError> {
        let answer = self.inner.fetch_document(url, max_bytes, None).await?;
        if answer.body.is_empty() {
            return Err(no_document(&answer, "the document is empty"));
        }
        let (file_name, content_type) = describe_document(&answer);
        Ok(DownloadedDocument { bytes: answer.body, file_name, content_type })
    }

    /// Fetches a document piece by piece into `writer`, which is flushed at the end. As
    /// [`Client::download_document`]: credentials go along only to the profile's own scheme, host and port.
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
        if bytes == 0 {
            return Err(no_document(&answer, "the document is empty").into());
        }
        writer.flush().await.map_err(SaveError::Write)?;
        let (file_name, content_type) = describe_document(&answer);
        Ok(SavedDownload { file_name, content_type, bytes, sha256: hex_digest(hasher) })
    }

    /// Has forms filled and fetches them at once. Repeated after a failure: nothing is kept by it.
    ///
    /// # Errors
    /// [`ClientError::Rejected`] with the fields at fault by pointer; others as everywhere.
    pub async fn fill_forms(&self, request: &DiligentRequest) -> Result<FetchedForms, ClientError> {
        let path = &self.inner.transport.config.paths.diligent_forms;
        let question =
            self.inner.post_question(ServiceOperation::DiligentForms, path, request, FORMS_BYTES_MAX);
        let mut answer = question.await?;
        answer.wrap_list();
        let read = self.inner.understand::<DiligentForms>(&answer)?;
        let is_form = |loss: &&AnswerLoss| loss.is_record && !loss.path.contains('.');
        let unread = read.losses.iter().filter(is_form).count();
        let mut forms = Vec::with_capacity(read.value.forms.len().min(FORMS_MAX));
        let mut all = read.value.forms.into_iter();
        for mut form in all.by_ref().take(FORMS_MAX) {
            let file = match (inline_file(&mut form), form.download_url.trim()) {
                (Some(bytes), _) => Ok(DownloadedDocument {
                    bytes,
                    file_name: String::new(),
                    content_type: "application/octet-stream".to_owned(),
                }),
                (None, "") => {
                    Err(no_document(&answer, "it has neither the file of the form nor its address"))
                }
                (None, address) => self.download_document(address, DOCUMENT_BYTES_MAX as u64).await,
            };
            forms.push(FetchedForm { form, file });
        }
        Ok(FetchedForms { forms, unread: unread + all.len() })
    }
}

/// The file that lies in the answer itself: in base64, or as a `data:` address. A web page or nothing is none.
fn inline_file(form: &mut FilledForm) -> Option<Vec<u8>> {
    let content = std::mem::take(&mut form.content);
    let text = match form.download_url.trim().strip_prefix("data:") {
        Some(address) => address.split_once(";base64,").unwrap_or_default().1,
        None => content.as_str(),
    };
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let bytes = STANDARD.decode(text).ok()?;
    (!bytes.is_empty() && !is_about_document(&HeaderMap::new(), &bytes)).then_some(bytes)
}

impl ClientInner {
    /// Fetches a document; where `pieces` is given, its bytes go there instead of into the answer. An answer that names
    /// its address is followed once, and one that has the content in base64 is decoded.
    async fn fetch_document(
        self: &Arc<Self>,
        address: &str,
        max_bytes: u64,
        pieces: Option<Sender<Bytes>>,
    ) -> Result<ServiceAnswer, ClientError> {
        let answer = self.fetch_address(address, max_bytes, pieces.clone()).await?;
        if !is_about_document(&answer.headers, &answer.body) {
            return Ok(answer);
        }
        // Some services answer with the address of a document, or with its content, as they do for a form.
        let mut form = match serde_json::from_slice::<String>(&answer.body) {
            Ok(content) => FilledForm { content, ..FilledForm::default() },
            Err(_) => self.understand::<FilledForm>(&answer)?.value,
        };
        if let Some(bytes) = inline_file(&mut form) {
            return deliver_content(answer, bytes, pieces).await;
        }
        let address = form.download_url;
        if address.trim().is_empty() {
            return Err(no_document(&answer, "it is JSON and not the document, and names no address of it"));
        }
        let answer = self.fetch_address(&address, max_bytes, pieces).await?;
        if !is_about_document(&answer.headers, &answer.body) {
            return Ok(answer);
        }
        Err(no_document(&answer, "it names another address once more instead of being the document"))
    }

    async fn fetch_address(
        self: &Arc<Self>,
        address: &str,
        max_bytes: u64,
        pieces: Option<Sender<Bytes>>,
    ) -> Result<ServiceAnswer, ClientError> {
        let url = self.transport.base.resolve_url(address)?;
        let own = self.transport.base.is_own(&url);
        let request =
            OutgoingRequest { pieces, ..OutgoingRequest::get(ServiceOperation::Download, url, max_bytes) };
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

/// The answer as if its content, which came as text, had come as it is, under the name beside it.
async fn deliver_content(
    mut answer: ServiceAnswer,
    bytes: Vec<u8>,
    pieces: Option<Sender<Bytes>>,
) -> Result<ServiceAnswer, ClientError> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct FileName {
        #[serde(alias = "filename", alias = "name", alias = "title")]
        file_name: String,
    }
    let name = read_answer::<FileName>(&answer.body).map(|read| read.value.file_name).unwrap_or_default();
    let named = format!("attachment; filename=\"{}\"", name.replace(['"', '\\'], ""));
    answer.headers.remove(CONTENT_TYPE);
    if let (false, Ok(named)) = (name.is_empty(), HeaderValue::from_str(&named)) {
        answer.headers.insert(CONTENT_DISPOSITION, named);
    }
    answer.body = bytes;
    if let Some(pieces) = pieces {
        // Where nobody takes it any more, it is not missed.
        pieces.send(std::mem::take(&mut answer.body).into()).await.ok();
    }
    Ok(answer)
}

/// Why an answer is not the document.
fn no_document(answer: &ServiceAnswer, why: &str) -> ClientError {
    ClientError::Unreadable {
        status: answer.status.as_u16(),
        path: String::new(),
        detail: why.to_owned(),
        answer: Box::new(UnreadAnswer::of(answer, Vec::new())),
    }
}

/// Whether an answer is words about a document, and not the document: a web page, whatever its header says, or JSON that
/// its header calls so and that is not sent as a file.
pub(crate) fn is_about_document(headers: &HeaderMap, beginning: &[u8]) -> bool {
    let beginning = beginning.trim_ascii_start();
    let begins = |tag: &str| {
        beginning.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
    };
    let kind = media_type(headers).unwrap_or_default();
    let is_page = begins("<!doctype html") || begins("<html") || (kind == "text/html" && begins("<"));
    let is_json = (kind == "application/json" || kind.ends_with("+json"))
        && matches!(beginning.first(), Some(b'{' | b'[' | b'"'))
        && !headers.contains_key(CONTENT_DISPOSITION);
    is_page || is_json
}

/// File name and media type of a document.
fn describe_document(answer: &ServiceAnswer) -> (String, String) {
    let content_type = media_type(&answer.headers).unwrap_or_else(|| "application/octet-stream".to_owned());
    let disposition = text_of(&answer.headers, CONTENT_DISPOSITION);
    (file_name(disposition.as_deref(), answer.url.path(), &content_type), content_type)
}

fn media_type(headers: &HeaderMap) -> Option<String> {
    let text = text_of(headers, CONTENT_TYPE)?;
    let kind = text.split(';').next().map(|kind| kind.trim().to_ascii_lowercase());
    kind.filter(|kind| !kind.is_empty())
}

fn text_of(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    // Some servers write plain UTF-8 into headers.
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}
