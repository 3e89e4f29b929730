//! Document templates behind one-time addresses, good for one minute (contract section 2).
//!
//! An address carries what it refers to, signed: making one costs no memory and no database access,
//! and any instance of the service understands it. Only its use is recorded.

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bordereau_contract::DOWNLOAD_LINK_SECONDS;
use bordereau_dialects::ServiceEndpoint;
use bordereau_service_store::{filled_forms, tokens};
use rand::Rng;
use ring::hmac;

use crate::Clock;
use crate::form_pdf::form_pdf;
use crate::refusal::Refusal;
use crate::service::{AppState, Service};

/// Path of the one-time addresses \[ours].
pub(crate) const TEMPLATE_PATH: &str = "/api/templates/";

/// Bytes of the signature kept in an address.
const SIGNATURE_BYTES: usize = 16;
/// Bytes before the texts: expiry, number of the answer, number within the answer, state.
const FIXED_BYTES: usize = 8 + 8 + 1 + 2;

/// Signs one-time addresses.
pub(crate) struct LinkSigner(hmac::Key);

/// What an address refers to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TemplateLink {
    /// Unique to the address.
    pub(crate) id: String,
    pub(crate) expires_at: i64,
    pub(crate) state: String,
    pub(crate) code: String,
    pub(crate) name: String,
}

/// The addresses of one answer's documents.
pub(crate) struct AnswerLinks<'a> {
    signer: &'a LinkSigner,
    base_url: &'a str,
    expires_at: i64,
    nonce: u64,
    next: u8,
}

impl LinkSigner {
    pub(crate) fn new(secret: &[u8]) -> LinkSigner {
        LinkSigner(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    /// Addresses below `base_url`, good for a minute from `now` (seconds since 1970).
    pub(crate) fn answer_links<'a>(&'a self, base_url: &'a str, now: i64) -> AnswerLinks<'a> {
        let expires_at = now + DOWNLOAD_LINK_SECONDS;
        AnswerLinks { signer: self, base_url, expires_at, nonce: rand::rng().random(), next: 0 }
    }

    /// What the last part of an address refers to; `None` if it was not made here.
    pub(crate) fn open(&self, token: &str) -> Option<TemplateLink> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (payload, signature) = bytes.split_at_checked(bytes.len().checked_sub(SIGNATURE_BYTES)?)?;
        let right = hmac::sign(&self.0, payload);
        // Truncated, so ring's own comparison does not fit; folding does not stop at a difference.
        let differing = right.as_ref().iter().zip(signature).fold(0u8, |d, (a, b)| d | (a ^ b));
        if differing != 0 {
            return None;
        }
        let (fixed, texts) = payload.split_at_checked(FIXED_BYTES)?;
        let expires_at = i64::from_be_bytes(fixed[..8].try_into().ok()?);
        let mut texts = std::str::from_utf8(texts).ok()?.splitn(2, '\n');
        Some(TemplateLink {
            id: URL_SAFE_NO_PAD.encode(signature),
            expires_at,
            state: std::str::from_utf8(&fixed[17..]).ok()?.to_owned(),
            code: texts.next()?.to_owned(),
            name: texts.next()?.to_owned(),
        })
    }
}

impl AnswerLinks<'_> {
    /// The address of the next document. `state` is two letters.
    pub(crate) fn next(&mut self, state: &str, code: &str, name: &str) -> String {
        let mut bytes = Vec::with_capacity(FIXED_BYTES + code.len() + 1 + name.len() + SIGNATURE_BYTES);
        bytes.extend_from_slice(&self.expires_at.to_be_bytes());
        bytes.extend_from_slice(&self.nonce.to_be_bytes());
        bytes.push(self.next);
        bytes.extend(state.bytes().chain(*b"  ").take(2));
        bytes.extend_from_slice(code.as_bytes());
        bytes.push(b'\n');
        bytes.extend_from_slice(name.as_bytes());
        let signature = hmac::sign(&self.signer.0, &bytes);
        bytes.extend_from_slice(&signature.as_ref()[..SIGNATURE_BYTES]);
        self.next = self.next.wrapping_add(1);
        let mut link =
            String::with_capacity(self.base_url.len() + TEMPLATE_PATH.len() + bytes.len() * 4 / 3 + 4);
        link.push_str(self.base_url);
        link.push_str(TEMPLATE_PATH);
        URL_SAFE_NO_PAD.encode_string(&bytes, &mut link);
        link
    }
}

/// `GET` of a one-time address. The address itself is the permission; no credentials are asked for.
pub(crate) async fn get_template(
    State(app): State<AppState>,
    Path(token): Path<String>,
    request: Request,
) -> Response {
    let answer = async |request: Request| fetch_template(&app, &token, request.method()).await;
    app.answer(ServiceEndpoint::Template, request, answer).await
}

async fn fetch_template(app: &Service, token: &str, method: &Method) -> Result<Response, Refusal> {
    let linked =
        app.links.open(token).ok_or_else(|| Refusal::not_found("There is no document at this address."))?;
    let now = app.clock.now().timestamp();
    if now >= linked.expires_at {
        return Err(Refusal::gone(format!(
            "This address expired after {DOWNLOAD_LINK_SECONDS} seconds. Calculate again for a new one."
        )));
    }
    // HEAD only looks: the one use is the reading.
    if method == Method::GET {
        let id = linked.id.clone();
        if !app.store.with_connection(move |db| tokens::use_link(db, &id, now)).await? {
            return Err(Refusal::gone("This address was used already. Calculate again for a new one."));
        }
    }
    let id = linked.id.clone();
    let filled = app.store.with_connection(move |db| filled_forms::find_form(db, &id)).await?;
    let bytes = filled
        .or_else(|| form_pdf(&linked.state, &linked.code, &linked.name))
        .ok_or_else(|| Refusal::internal_error("The pages of the form could not be created."))?;
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let disposition = format!("attachment; filename=\"{}\"", file_name(&linked));
    if let Ok(value) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// A file name without anything a file system or a header could trip over.
fn file_name(linked: &TemplateLink) -> String {
    let words: String =
        linked.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
    format!("{}-{}-{}.pdf", linked.state.trim(), linked.code, words.join("-"))
}
