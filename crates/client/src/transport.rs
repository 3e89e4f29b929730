//! One request: limit, headers, redirects, bounded answer, errors described.

use std::sync::Arc;
use std::time::Duration;

use bordereau_contract::{API_KEY_HEADER, Paths};
use hyper::body::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response, StatusCode};
use tokio::sync::mpsc::Sender;
use tokio::time::Instant;
use url::Url;

use crate::address::{BaseAddress, host_and_port};
use crate::body::{BodyTrouble, forward_bounded, read_beginning, read_bounded};
use crate::documents::Outgoing;
use crate::limiter::Limiter;
use crate::refusal::Refusal;
use crate::trouble::Place;
use crate::trust::Trust;
use crate::{ClientConfig, ClientError, Effect, Operation, Secret, Timeouts, connection, redirect};

/// Of an error body no more than this is read, in bytes.
const ERROR_BYTES_MAX: usize = 64 * 1024;
/// The same for an import, whose refusal names every row at fault.
const IMPORT_ERROR_BYTES_MAX: usize = 1024 * 1024;

/// A request, ready to be sent any number of times.
pub(crate) struct Request {
    pub(crate) operation: Operation,
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) body: Option<Payload>,
    /// Secrets inside the body, to be kept out of messages.
    pub(crate) secrets: Vec<Secret>,
    /// Largest answer in bytes.
    pub(crate) answer_max: u64,
    /// Where the bytes of the answer go, piece by piece, instead of into the answer.
    pub(crate) pieces: Option<Sender<Bytes>>,
}

/// What a request carries; JSON in either case.
pub(crate) enum Payload {
    /// In memory; a copy costs nothing.
    Json(Bytes),
    /// A document that is read while it is sent.
    Document(Arc<Outgoing>),
}

impl Payload {
    async fn body(&self) -> Result<reqwest::Body, ClientError> {
        match self {
            Payload::Json(text) => Ok(text.clone().into()),
            Payload::Document(outgoing) => outgoing.body().await,
        }
    }
}

impl From<Vec<u8>> for Payload {
    fn from(text: Vec<u8>) -> Payload {
        Payload::Json(text.into())
    }
}

/// What proves who asks.
#[derive(Clone, Default)]
pub(crate) struct Proof {
    pub(crate) api_key: Option<Secret>,
    pub(crate) bearer: Option<Secret>,
}

/// A successful answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// Where it came from after redirects.
    pub(crate) url: Url,
    /// Name of the operation in logs.
    pub(crate) operation: &'static str,
    /// Whether repeating the operation changes something.
    pub(crate) effect: Effect,
    /// Whether its body is a secret: the answer to a sign-in.
    pub(crate) is_secret: bool,
    /// Secrets sent along, to be kept out of what is shown.
    pub(crate) secrets: Vec<Secret>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The service answered, but not with a success.
    Refused(Refusal),
    /// Anything else.
    Error(ClientError),
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Failure {
        Failure::Error(error)
    }
}

impl Failure {
    /// What it means for this operation. Whoever answers a write with 503 may stand in front of a service that
    /// has taken it, also where it names a time to come back; the pause is kept all the same.
    pub(crate) fn of(self, operation: Operation) -> ClientError {
        match self {
            Failure::Refused(refusal)
                if refusal.status == StatusCode::SERVICE_UNAVAILABLE
                    && operation.effect() == Effect::Write =>
            {
                ClientError::ServiceFailed { status: refusal.status.as_u16(), text: refusal.text }
            }
            other => other.into(),
        }
    }
}

impl From<Failure> for ClientError {
    fn from(failure: Failure) -> ClientError {
        match failure {
            Failure::Refused(refusal) => refusal.into_error(),
            Failure::Error(error) => error,
        }
    }
}

/// Every path of the profile.
fn paths(paths: &Paths) -> [&str; 11] {
    let Paths {
        token,
        calculator,
        single_v1,
        single_v2,
        batch_import,
        batch_results,
        transaction_status,
        search,
        document_import,
        diligent_forms,
        webhooks,
    } = paths;
    [
        token,
        calculator,
        single_v1,
        single_v2,
        batch_import,
        batch_results,
        transaction_status,
        search,
        document_import,
        diligent_forms,
        webhooks,
    ]
}

/// What all requests of a client share.
pub(crate) struct Transport {
    pub(crate) config: ClientConfig,
    pub(crate) base: BaseAddress,
    pub(crate) trust: Trust,
    pub(crate) limiter: Limiter,
    http: reqwest::Client,
    /// As patient as an upload needs: the answer comes after minutes of sending.
    uploads: reqwest::Client,
}

impl Transport {
    pub(crate) fn new(config: ClientConfig) -> Result<Transport, ClientError> {
        let base = BaseAddress::parse(&config.base_url)?;
        // A path that is not one is found now, not at the first call.
        for path in paths(&config.paths) {
            base.endpoint(path)?;
        }
        let trust = Trust::new(config.extra_ca_pem.as_deref())?;
        let http = connection::build(&trust, &config.timeouts, base.is_loopback())?;
        let patient = Timeouts { read: config.timeouts.upload, ..config.timeouts };
        let uploads = connection::build(&trust, &patient, base.is_loopback())?;
        let limiter = Limiter::new(config.limit(), config.limit_window);
        Ok(Transport { config, base, trust, limiter, http, uploads })
    }

    /// Sends a request to the profile's own host, once; redirects within the host are followed.
    pub(crate) async fn send(
        &self,
        request: &Request,
        proof: &Proof,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let mut secrets = request.secrets.clone();
        secrets.extend(proof.api_key.clone().into_iter().chain(proof.bearer.clone()));
        let mut url = request.url.clone();
        for hops in 0.. {
            if !self.base.is_own(&url) {
                let (from, to) = (self.base.host(), host_and_port(&url));
                return Err(ClientError::CrossHostRedirect { from, to }.into());
            }
            self.limiter.take(deadline).await?;
            let http = if request.operation.is_upload() { &self.uploads } else { &self.http };
            let response = self.exchange(http, request, &url, headers(request, proof)?).await?;
            match redirect::target(response.status(), response.headers(), &url) {
                Some(target) => {
                    let target = target?;
                    // Documents often lie in a storage elsewhere; no credentials go there.
                    if request.operation == Operation::Download && !self.base.is_own(&target) {
                        return self.fetch_elsewhere(request, target).await;
                    }
                    url = redirect::follow(&request.method, response.status(), &url, target, hops)?;
                }
                None => return self.receive(response, &url, request, &secrets).await,
            }
        }
        unreachable!("the number of hops is bounded by redirect::follow")
    }

    /// Fetches from anywhere else: no credentials, https only, redirects followed.
    pub(crate) async fn fetch_elsewhere(&self, request: &Request, mut url: Url) -> Result<Answer, Failure> {
        for hops in 0..=redirect::HOPS_MAX {
            if url.scheme() != "https" {
                return Err(ClientError::InsecureAddress { address: host_and_port(&url) }.into());
            }
            if !url.username().is_empty() || url.password().is_some() {
                let reason = "a user name or password does not belong in an address".to_owned();
                return Err(ClientError::BadAddress { address: host_and_port(&url), reason }.into());
            }
            let direct = crate::address::is_loopback(&url);
            let http = connection::build(&self.trust, &self.config.timeouts, direct)?;
            let headers = headers(request, &Proof::default())?;
            let response = self.exchange(&http, request, &url, headers).await?;
            let status = response.status();
            match redirect::target(status, response.headers(), &url) {
                Some(_) if hops == redirect::HOPS_MAX => {
                    return Err(redirect::bad(&url, status, "too many redirects follow one another").into());
                }
                Some(target) => url = target?,
                None => return self.receive(response, &url, request, &[]).await,
            }
        }
        unreachable!("the last hop returns")
    }

    async fn exchange(
        &self,
        http: &reqwest::Client,
        request: &Request,
        url: &Url,
        headers: HeaderMap,
    ) -> Result<Response, ClientError> {
        let started = Instant::now();
        let mut builder = http.request(request.method.clone(), url.clone()).headers(headers);
        if let Some(body) = &request.body {
            builder = builder.body(body.body().await?);
        }
        let outcome = builder.send().await.map_err(|error| self.explain(error, url));
        let elapsed_ms = started.elapsed().as_millis();
        let (operation, path) = (request.operation.name(), url.path());
        match &outcome {
            Ok(response) => {
                tracing::debug!(operation, path, status = response.status().as_u16(), elapsed_ms, "answered");
            }
            Err(error) => tracing::debug!(operation, path, %error, elapsed_ms, "not answered"),
        }
        outcome
    }

    async fn receive(
        &self,
        response: Response,
        url: &Url,
        request: &Request,
        secrets: &[Secret],
    ) -> Result<Answer, Failure> {
        let answer_max = request.answer_max;
        let (status, headers) = (response.status(), response.headers().clone());
        if !status.is_success() {
            let upload = request.operation.is_upload();
            let error_max = if upload { IMPORT_ERROR_BYTES_MAX } else { ERROR_BYTES_MAX };
            let body = read_beginning(response, error_max).await;
            let refusal = Refusal::read(status, &headers, &body, secrets);
            if let Some(wait) = refusal.pause().filter(|_| self.base.is_own(url)) {
                tracing::debug!(wait_s = wait.as_secs(), "the service asks to wait");
                self.limiter.pause(wait);
            }
            return Err(Failure::Refused(refusal));
        }
        let body = match &request.pieces {
            Some(pieces) => forward_bounded(response, answer_max, pieces).await.map(|()| Vec::new()),
            None => read_bounded(response, answer_max).await,
        };
        let body = body.map_err(|trouble| match trouble {
            BodyTrouble::TooLarge => ClientError::TooLarge { limit_bytes: answer_max },
            BodyTrouble::Transport(error) => self.explain(error, url),
        })?;
        let operation = request.operation;
        Ok(Answer {
            status,
            headers,
            body,
            url: url.clone(),
            operation: operation.name(),
            effect: operation.effect(),
            is_secret: matches!(operation, Operation::SignIn | Operation::Refresh),
            secrets: secrets.to_vec(),
        })
    }

    fn explain(&self, error: reqwest::Error, url: &Url) -> ClientError {
        let host = host_and_port(url);
        let name = url.host_str().unwrap_or_default();
        Place { host: &host, name, trust: &self.trust, timeouts: &self.config.timeouts }.explain(error)
    }

    /// The error of a call that ran out of its time altogether.
    pub(crate) fn timed_out(&self, waited: Duration) -> ClientError {
        ClientError::Timeout { host: self.base.host(), waited }
    }
}

fn headers(request: &Request, proof: &Proof) -> Result<HeaderMap, ClientError> {
    let mut headers = HeaderMap::new();
    if request.operation != Operation::Download {
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    }
    if request.body.is_some() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if let Some(key) = &proof.api_key {
        let name =
            HeaderName::from_bytes(API_KEY_HEADER.as_bytes()).expect("the contract's header is a name");
        headers.insert(name, sensitive(key.expose(), "the API key")?);
    }
    if let Some(token) = &proof.bearer {
        headers.insert(AUTHORIZATION, sensitive(&format!("Bearer {}", token.expose()), "the access token")?);
    }
    Ok(headers)
}

fn sensitive(text: &str, what: &str) -> Result<HeaderValue, ClientError> {
    let mut value =
        HeaderValue::from_str(text).map_err(|_| ClientError::BadCredential { what: what.to_owned() })?;
    value.set_sensitive(true);
    Ok(value)
}
