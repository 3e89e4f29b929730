//! One request: limit, headers, redirects, bounded answer, errors described.

use std::sync::Arc;
use std::time::Duration;

use bordereau_contract::{API_KEY_HEADER, ServicePaths, failure_inside, without_quotes};
use http_body_util::BodyExt;
use hyper::body::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response, StatusCode};
use tokio::sync::mpsc::Sender;
use tokio::time::Instant;
use url::Url;

use crate::address::{BaseAddress, host_and_port};
use crate::body::{BodyTrouble, forward_bounded, read_beginning, read_bounded};
use crate::documents::OutgoingDocument;
use crate::limiter::RateLimiter;
use crate::refusal::ServiceRefusal;
use crate::transport_error::ErrorContext;
use crate::trust::ProfileTrust;
use crate::{
    ClientConfig, ClientError, ExchangeFailure, ExchangedRequest, OperationEffect, Secret, ServiceOperation,
    SharedExchange, Timeouts, connection, redirect,
};

/// Of an error body no more than this is read, in bytes.
const ERROR_BYTES_MAX: usize = 64 * 1024;
/// The same for an import, whose refusal names every row at fault.
const IMPORT_ERROR_BYTES_MAX: usize = 1024 * 1024;

/// A request, ready to be sent any number of times.
pub(crate) struct OutgoingRequest {
    pub(crate) operation: ServiceOperation,
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) body: Option<RequestPayload>,
    /// Secrets inside the body, to be kept out of messages.
    pub(crate) secrets: Vec<Secret>,
    /// Largest answer in bytes.
    pub(crate) answer_max: u64,
    /// Where the bytes of the answer go, piece by piece, instead of into the answer.
    pub(crate) pieces: Option<Sender<Bytes>>,
}

impl OutgoingRequest {
    pub(crate) fn get(operation: ServiceOperation, url: Url, answer_max: u64) -> OutgoingRequest {
        let (secrets, pieces) = (Vec::new(), None);
        OutgoingRequest { operation, method: Method::GET, url, body: None, secrets, answer_max, pieces }
    }

    pub(crate) fn post(
        operation: ServiceOperation,
        url: Url,
        body: impl Into<RequestPayload>,
        answer_max: u64,
    ) -> OutgoingRequest {
        let body = Some(body.into());
        OutgoingRequest { method: Method::POST, body, ..OutgoingRequest::get(operation, url, answer_max) }
    }
}

/// What a request carries; JSON in either case.
pub(crate) enum RequestPayload {
    /// In memory; a copy costs nothing.
    Json(Bytes),
    /// A document that is read while it is sent.
    Document(Arc<OutgoingDocument>),
}

impl RequestPayload {
    async fn request_body(&self) -> Result<reqwest::Body, ClientError> {
        match self {
            RequestPayload::Json(text) => Ok(text.clone().into()),
            RequestPayload::Document(outgoing) => outgoing.request_body().await,
        }
    }
}

impl From<Vec<u8>> for RequestPayload {
    fn from(text: Vec<u8>) -> RequestPayload {
        RequestPayload::Json(text.into())
    }
}

/// What proves who asks.
#[derive(Clone, Default)]
pub(crate) struct RequestCredentials {
    pub(crate) api_key: Option<Secret>,
    pub(crate) bearer: Option<Secret>,
}

/// A successful answer.
pub(crate) struct ServiceAnswer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// Where it came from after redirects.
    pub(crate) url: Url,
    /// Name of the operation in logs.
    pub(crate) operation: &'static str,
    /// Whether repeating the operation changes something.
    pub(crate) effect: OperationEffect,
    /// Whether its body is a secret: the answer to a sign-in.
    pub(crate) is_secret: bool,
    /// Secrets sent along, to be kept out of what is shown.
    pub(crate) secrets: Vec<Secret>,
}

impl ServiceAnswer {
    /// Whether a page for people came where data was asked for.
    pub(crate) fn is_web_page(&self) -> bool {
        let body = self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body);
        body.trim_ascii_start().first() == Some(&b'<')
    }

    /// Puts a list without anything around it under the name that its type has for it.
    pub(crate) fn wrap_list(&mut self) {
        if let Some(body) = self.listed_as("data") {
            self.body = body;
        }
    }

    /// The body under a name, where it is a list.
    pub(crate) fn listed_as(&self, name: &str) -> Option<Vec<u8>> {
        let is_list = self.body.trim_ascii_start().starts_with(b"[");
        is_list.then(|| [br#"{""#, name.as_bytes(), br#"":"#, self.body.as_slice(), b"}"].concat())
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum RequestFailure {
    /// The service answered, but not with a success.
    Refused(ServiceRefusal),
    /// Anything else.
    Error(ClientError),
}

impl From<ClientError> for RequestFailure {
    fn from(error: ClientError) -> RequestFailure {
        RequestFailure::Error(error)
    }
}

impl RequestFailure {
    /// What it means for this operation. Whoever answers a write with 503 may stand in front of a service that
    /// has taken it, also where it names a time to come back; the pause is kept all the same.
    pub(crate) fn into_error(self, operation: ServiceOperation) -> ClientError {
        match self {
            RequestFailure::Refused(refusal) if refusal.is_refused_whole && operation.is_row_import() => {
                refusal.into_rejection()
            }
            RequestFailure::Refused(refusal)
                if refusal.status == StatusCode::SERVICE_UNAVAILABLE
                    && operation.effect() == OperationEffect::Write =>
            {
                ClientError::ServiceFailed { status: refusal.status.as_u16(), text: refusal.text }
            }
            // A search that finds nothing, as an answer without content says it.
            RequestFailure::Refused(refusal)
                if refusal.is_none_found && operation == ServiceOperation::Search =>
            {
                ClientError::Rejected { status: 204, text: refusal.text, problems: Vec::new() }
            }
            other => other.into(),
        }
    }
}

impl From<RequestFailure> for ClientError {
    fn from(failure: RequestFailure) -> ClientError {
        match failure {
            RequestFailure::Refused(refusal) => refusal.into_error(),
            RequestFailure::Error(error) => error,
        }
    }
}

/// Every path of the profile.
fn profile_paths(paths: &ServicePaths) -> [&str; 11] {
    let ServicePaths {
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
    pub(crate) trust: ProfileTrust,
    pub(crate) limiter: RateLimiter,
    network: Option<NetworkClients>,
}

/// The clients of the network; none where requests stay inside of this process.
struct NetworkClients {
    http: reqwest::Client,
    /// As patient as an upload needs: the answer comes after minutes of sending.
    uploads: reqwest::Client,
}

impl Transport {
    pub(crate) fn new(config: ClientConfig) -> Result<Transport, ClientError> {
        let base = BaseAddress::parse(&config.base_url)?;
        // A path that is not one is found now, not at the first call.
        for path in profile_paths(&config.paths) {
            base.endpoint_url(path)?;
        }
        let trust = match &config.extra_ca_pem {
            Some(ca) if config.only_extra_ca => ProfileTrust::with_only(ca)?,
            ca => ProfileTrust::new(ca.as_deref(), base.url())?,
        };
        let patient = Timeouts { read: config.timeouts.upload, ..config.timeouts };
        let network = match config.exchange {
            Some(_) => None,
            None => Some(NetworkClients {
                http: connection::build(&trust, &config.timeouts, base.is_loopback())?,
                uploads: connection::build(&trust, &patient, base.is_loopback())?,
            }),
        };
        let limiter =
            RateLimiter::new(config.request_limit(), config.limit_window, config.shared_limit.clone());
        Ok(Transport { config, base, trust, limiter, network })
    }

    /// Sends a request to the profile's own host, once; redirects within the host are followed.
    pub(crate) async fn send(
        &self,
        request: &OutgoingRequest,
        proof: &RequestCredentials,
        deadline: Instant,
    ) -> Result<ServiceAnswer, RequestFailure> {
        let mut secrets = request.secrets.clone();
        secrets.extend(proof.api_key.clone().into_iter().chain(proof.bearer.clone()));
        let mut url = request.url.clone();
        for hops in 0.. {
            if !self.base.is_own(&url) {
                let (from, to) = (self.base.host(), host_and_port(&url));
                return Err(ClientError::CrossHostRedirect { from, to }.into());
            }
            self.limiter.acquire_slot(deadline).await?;
            let is_upload = request.operation.is_upload();
            let http = self.network.as_ref().map(|n| if is_upload { &n.uploads } else { &n.http });
            let response = self.send_request(http, request, &url, request_headers(request, proof)?).await?;
            match redirect::redirect_target(response.status(), response.headers(), &url) {
                Some(target) => {
                    let target = target?;
                    // Documents often lie in a storage elsewhere; no credentials go there.
                    if request.operation == ServiceOperation::Download && !self.base.is_own(&target) {
                        return self.fetch_elsewhere(request, target).await;
                    }
                    url = redirect::check_redirect(&request.method, response.status(), &url, target, hops)?;
                }
                None => return self.receive_answer(response, &url, request, &secrets).await,
            }
        }
        unreachable!("the number of hops is bounded by redirect::follow")
    }

    /// Fetches from anywhere else: no credentials, https only, redirects followed.
    pub(crate) async fn fetch_elsewhere(
        &self,
        request: &OutgoingRequest,
        mut url: Url,
    ) -> Result<ServiceAnswer, RequestFailure> {
        for hops in 0..=redirect::HOPS_MAX {
            if url.scheme() != "https" {
                return Err(ClientError::InsecureAddress { address: host_and_port(&url) }.into());
            }
            if !url.username().is_empty() || url.password().is_some() {
                let reason = "a username or password does not belong in an address".to_owned();
                return Err(ClientError::BadAddress { address: host_and_port(&url), reason }.into());
            }
            let direct = crate::address::is_loopback(&url);
            let http = connection::build(&self.trust, &self.config.timeouts, direct)?;
            let headers = request_headers(request, &RequestCredentials::default())?;
            let response = self.send_request(Some(&http), request, &url, headers).await?;
            let status = response.status();
            match redirect::redirect_target(status, response.headers(), &url) {
                Some(_) if hops == redirect::HOPS_MAX => {
                    return Err(redirect::bad_redirect(
                        &url,
                        status,
                        "too many redirects follow one another",
                    )
                    .into());
                }
                Some(target) => url = target?,
                None => return self.receive_answer(response, &url, request, &[]).await,
            }
        }
        unreachable!("the last hop returns")
    }

    async fn send_request(
        &self,
        http: Option<&reqwest::Client>,
        request: &OutgoingRequest,
        url: &Url,
        headers: HeaderMap,
    ) -> Result<Response, ClientError> {
        let started = Instant::now();
        let outcome = match (http, &self.config.exchange) {
            (Some(http), None) => {
                let mut builder = http.request(request.method.clone(), url.clone()).headers(headers);
                if let Some(body) = &request.body {
                    builder = builder.body(body.request_body().await?);
                }
                builder.send().await.map_err(|error| self.explain_error(error, url))
            }
            (_, Some(exchange)) => self.exchange_request(exchange, request, url).await,
            (None, None) => Err(not_reached(url)),
        };
        let elapsed_ms = started.elapsed().as_millis();
        // Without the path: that of a one-time link is a credential.
        let operation = request.operation.name();
        match &outcome {
            Ok(response) => {
                tracing::debug!(operation, status = response.status().as_u16(), elapsed_ms, "answered");
            }
            Err(error) => tracing::debug!(operation, %error, elapsed_ms, "not answered"),
        }
        outcome
    }

    /// The same inside of this process.
    async fn exchange_request(
        &self,
        exchange: &SharedExchange,
        request: &OutgoingRequest,
        url: &Url,
    ) -> Result<Response, ClientError> {
        let body = match &request.body {
            Some(body) => body.request_body().await?.collect().await.map(|body| body.to_bytes().to_vec()),
            None => Ok(Vec::new()),
        };
        let body = body.map_err(|error| self.explain_error(error, url))?;
        let carried = ExchangedRequest { method: request.method.to_string(), url: url.clone(), body };
        match exchange.0.carry_request(carried).await {
            Ok((status, body)) => {
                let mut answer = hyper::Response::new(body);
                *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
                let json = HeaderValue::from_static("application/json");
                answer.headers_mut().insert(CONTENT_TYPE, json);
                Ok(answer.into())
            }
            Err(ExchangeFailure::NotReached) => Err(not_reached(url)),
            Err(ExchangeFailure::AnswerLost) => {
                let reason = "the connection was cut".to_owned();
                Err(ClientError::Interrupted { host: host_and_port(url), reason })
            }
        }
    }

    async fn receive_answer(
        &self,
        response: Response,
        url: &Url,
        request: &OutgoingRequest,
        secrets: &[Secret],
    ) -> Result<ServiceAnswer, RequestFailure> {
        let answer_max = request.answer_max;
        let (status, headers) = (response.status(), response.headers().clone());
        if !status.is_success() {
            let upload = request.operation.is_upload();
            let error_max = if upload { IMPORT_ERROR_BYTES_MAX } else { ERROR_BYTES_MAX };
            let body = read_beginning(response, error_max).await;
            return Err(self.refused(status, &headers, body, url, request, secrets).await);
        }
        let body = match &request.pieces {
            Some(pieces) => forward_bounded(response, answer_max, pieces).await,
            None => read_bounded(response, answer_max).await,
        };
        let body = body.map_err(|trouble| match trouble {
            BodyTrouble::TooLarge => ClientError::TooLarge { limit_bytes: answer_max },
            BodyTrouble::Transport(error) => self.explain_error(error, url),
        })?;
        let operation = request.operation;
        if let Some((inner, body)) = failure_inside(&body)
            && let Ok(status) = StatusCode::from_u16(inner)
        {
            return Err(self.refused(status, &headers, body, url, request, secrets).await);
        }
        Ok(ServiceAnswer {
            status,
            headers,
            body: without_quotes(&body).unwrap_or(body),
            url: url.clone(),
            operation: operation.name(),
            effect: operation.effect(),
            is_secret: matches!(operation, ServiceOperation::SignIn | ServiceOperation::Refresh),
            secrets: secrets.to_vec(),
        })
    }

    /// A failure with what it asks for, such as to wait.
    async fn refused(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
        body: Vec<u8>,
        url: &Url,
        request: &OutgoingRequest,
        secrets: &[Secret],
    ) -> RequestFailure {
        let body = without_quotes(&body).unwrap_or(body);
        let refusal = ServiceRefusal::read(status, headers, &body, secrets);
        if let Some(wait) = refusal.retry_pause().filter(|_| self.base.is_own(url)) {
            tracing::debug!(wait_s = wait.as_secs(), "the service asks to wait");
            self.limiter.pause_all(wait);
            // A sign-in that is held back is one person's.
            let is_sign_in =
                matches!(request.operation, ServiceOperation::SignIn | ServiceOperation::Refresh);
            if status == StatusCode::TOO_MANY_REQUESTS && !is_sign_in {
                self.limiter.use_up().await;
            }
        }
        RequestFailure::Refused(refusal)
    }

    fn explain_error(&self, error: reqwest::Error, url: &Url) -> ClientError {
        let host = host_and_port(url);
        let name = url.host_str().unwrap_or_default();
        ErrorContext { host: &host, name, trust: &self.trust, timeouts: &self.config.timeouts }
            .describe_error(error)
    }

    /// The error of a call that ran out of its time altogether.
    pub(crate) fn timed_out(&self, waited: Duration) -> ClientError {
        ClientError::Timeout { host: self.base.host(), waited }
    }
}

fn not_reached(url: &Url) -> ClientError {
    ClientError::Offline { host: host_and_port(url), reason: "nothing answers".to_owned() }
}

fn request_headers(request: &OutgoingRequest, proof: &RequestCredentials) -> Result<HeaderMap, ClientError> {
    let mut headers = HeaderMap::new();
    if request.operation != ServiceOperation::Download {
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    }
    if request.body.is_some() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if let Some(key) = &proof.api_key {
        let name =
            HeaderName::from_bytes(API_KEY_HEADER.as_bytes()).expect("the contract's header is a name");
        headers.insert(name, sensitive_header(key.expose(), "the API key")?);
    }
    if let Some(token) = &proof.bearer {
        headers.insert(
            AUTHORIZATION,
            sensitive_header(&format!("Bearer {}", token.expose()), "the access token")?,
        );
    }
    Ok(headers)
}

fn sensitive_header(text: &str, what: &str) -> Result<HeaderValue, ClientError> {
    let mut value =
        HeaderValue::from_str(text).map_err(|_| ClientError::BadCredential { what: what.to_owned() })?;
    value.set_sensitive(true);
    Ok(value)
}
