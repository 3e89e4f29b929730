//! The client itself: what it is made of and what it offers.

use std::fmt;
use std::sync::Arc;

use bordereau_contract::{CalculateRequest, CalculateResponse, ReadAnswer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

use crate::body::decode_json;
use crate::session::SignInSession;
use crate::transport::{OutgoingRequest, RequestCredentials, RequestFailure, ServiceAnswer, Transport};
use crate::unread_answer::{UnreadAnswer, UnreadAnswers, UnreadObserver};
use crate::{
    AccessGrant, ClientConfig, ClientError, Credentials, OperationEffect, ProbeStep, Secret,
    ServiceOperation, TokenStore,
};

/// Client of one profile. Cheap to clone: all clones share limit, tokens and connections.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<ClientInner>,
}

pub(crate) struct ClientInner {
    pub(crate) transport: Transport,
    pub(crate) api_key: Option<Secret>,
    pub(crate) session: SignInSession,
    pub(crate) unread: UnreadAnswers,
}

impl Client {
    /// A client for a profile. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ClientError::InsecureAddress`], [`ClientError::BadAddress`] or [`ClientError::BadTrust`].
    pub fn new(
        config: ClientConfig,
        credentials: Credentials,
        token_store: Arc<dyn TokenStore>,
    ) -> Result<Client, ClientError> {
        let session = SignInSession::new(&credentials, token_store);
        let api_key = credentials.api_key.filter(|key| !key.is_empty());
        let transport = Transport::new(config)?;
        Ok(Client {
            inner: Arc::new(ClientInner { transport, api_key, session, unread: UnreadAnswers::default() }),
        })
    }

    /// Taxes and fees of a transaction (contract section 2). Repeated after a failure: it changes nothing.
    pub async fn calculate(&self, request: &CalculateRequest) -> Result<CalculateResponse, ClientError> {
        self.inner.calculate(request).await
    }

    /// Signs in with username and password, which is not kept; the refresh token goes to the store, and the access
    /// token can be given to another client.
    ///
    /// # Errors
    /// [`ClientError::NotAuthorized`] for a wrong username or password; others as everywhere.
    pub async fn sign_in(&self, username: &str, password: &Secret) -> Result<AccessGrant, ClientError> {
        self.inner.sign_in(username, password).await
    }

    /// Tests the connection step by step: address, name lookup, connection, certificate, sign-in,
    /// calculator. Always all six steps, in this order.
    pub async fn test_connection(&self) -> Vec<ProbeStep> {
        self.inner.run_probe().await
    }

    /// The last answers that were not understood, or not in all their parts; the newest first.
    pub fn unread_answers(&self) -> Vec<UnreadAnswer> {
        self.inner.unread.all()
    }

    /// From now on this hears of answers that are not understood, or not in all their parts; the first one set stays.
    pub fn observe_unread(&self, observer: UnreadObserver) {
        self.inner.unread.observe(observer);
    }

    /// Requests sent in the last minute, and the limit.
    pub fn request_usage(&self) -> (u32, u32) {
        self.inner.transport.limiter.current_usage()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("host", &self.inner.transport.base.host()).finish_non_exhaustive()
    }
}

impl ClientInner {
    /// When a call that begins now must have ended.
    pub(crate) fn call_deadline(&self) -> Instant {
        Instant::now() + self.transport.config.timeouts.overall
    }

    pub(crate) fn timed_out(&self) -> ClientError {
        self.transport.timed_out(self.transport.config.timeouts.overall)
    }

    pub(crate) async fn calculate(
        self: &Arc<Self>,
        request: &CalculateRequest,
    ) -> Result<CalculateResponse, ClientError> {
        let path = &self.transport.config.paths.calculator;
        let answer_max = self.transport.config.answer_bytes_max;
        let answer = self.post_question(ServiceOperation::Calculate, path, request, answer_max).await?;
        self.understand(&answer).map(CalculateResponse::of_read)
    }

    /// A question that is posted: it changes nothing.
    pub(crate) async fn post_question(
        self: &Arc<Self>,
        operation: ServiceOperation,
        path: &str,
        question: &impl Serialize,
        answer_max: u64,
    ) -> Result<ServiceAnswer, ClientError> {
        let body = serde_json::to_vec(question).expect("amounts and strings serialize");
        let url = self.transport.base.endpoint_url(path)?;
        let request = OutgoingRequest::post(operation, url, body, answer_max);
        self.call_service(&request, self.call_deadline()).await
    }

    /// What an answer says; what of it could not be read is kept to be looked at.
    pub(crate) fn understand<T: DeserializeOwned>(
        &self,
        answer: &ServiceAnswer,
    ) -> Result<ReadAnswer<T>, ClientError> {
        let outcome = decode_json(answer);
        match &outcome {
            Ok(read) if read.losses.is_empty() => {}
            Ok(read) => self.unread.keep(UnreadAnswer::of(answer, read.losses.clone())),
            Err(_) => self.unread.keep(UnreadAnswer::of(answer, Vec::new())),
        }
        outcome
    }

    /// A call with credentials: within its deadline, repeated where its operation may be.
    pub(crate) async fn call_service(
        self: &Arc<Self>,
        request: &OutgoingRequest,
        deadline: Instant,
    ) -> Result<ServiceAnswer, ClientError> {
        let retry = self.transport.config.retry;
        let started = Instant::now();
        let attempts = async {
            for failed in 1.. {
                let outcome = self.send_authorized(request, deadline).await;
                // Within this process nobody fails together with others.
                let pause = match self.transport.config.exchange {
                    Some(_) => retry.pause_bound(failed),
                    None => retry.retry_pause(failed),
                };
                let is_repeated = match &outcome {
                    Ok(answer) => {
                        answer.is_web_page() && retry.may_repeat(request.operation.effect(), failed)
                    }
                    Err(error) => retry.should_retry(effect_after(request.operation, error), failed, error),
                };
                if !is_repeated || Instant::now() + pause >= deadline {
                    return outcome;
                }
                let said = outcome.map_or_else(|error| error.to_string(), |_| "a web page".to_owned());
                let operation = request.operation.name();
                tracing::debug!(operation, failed, said, pause_ms = pause.as_millis(), "trying again");
                tokio::time::sleep(pause).await;
            }
            unreachable!("the number of attempts is bounded by the retry policy")
        };
        let outcome = timeout_at(deadline, attempts).await;
        outcome.unwrap_or_else(|_| Err(self.transport.timed_out(started.elapsed())))
    }

    /// Sends with credentials; when the access token is refused, once more with a new one. A refused
    /// request was not carried out, so that holds for writes too.
    async fn send_authorized(
        self: &Arc<Self>,
        request: &OutgoingRequest,
        deadline: Instant,
    ) -> Result<ServiceAnswer, ClientError> {
        let access = self.bearer_access().await.map_err(|error| self.of_sign_in(request, error))?;
        let mut proof = RequestCredentials {
            api_key: self.api_key.clone(),
            bearer: access.as_ref().map(|a| a.token.clone()),
        };
        if proof.api_key.is_none() && proof.bearer.is_none() {
            return Err(ClientError::NoCredentials);
        }
        let refusal = match self.transport.send(request, &proof, deadline).await {
            Ok(answer) => return Ok(answer),
            Err(RequestFailure::Refused(refusal)) if refusal.status.as_u16() == 401 => refusal,
            Err(failure) => return Err(failure.into_error(request.operation)),
        };
        let Some(access) = access else { return Err(refusal.into_error()) };
        let renewed = self.renew_access(Some(access.generation)).await;
        let renewed = renewed.map_err(|error| self.of_sign_in(request, error))?;
        proof.bearer = renewed.map(|access| access.token);
        match self.transport.send(request, &proof, deadline).await {
            // A token just given is refused: where it is all there is, only a new sign-in can help.
            Err(RequestFailure::Refused(refusal))
                if refusal.status.as_u16() == 401 && self.api_key.is_none() =>
            {
                Err(ClientError::SignInAgain { reason: refusal.text })
            }
            outcome => outcome.map_err(|failure| failure.into_error(request.operation)),
        }
    }
}

impl ClientInner {
    /// An error of the sign-in before a request: nothing of the request was sent, and no answer to the sign-in is one
    /// to it.
    fn of_sign_in(&self, request: &OutgoingRequest, error: ClientError) -> ClientError {
        let is_read = request.operation.effect() == OperationEffect::Read;
        match error {
            ClientError::Rejected { text, .. } => ClientError::SignInAgain { reason: text },
            error if error.is_outcome_unknown() && !is_read => {
                let host = self.transport.base.host();
                ClientError::Offline { host, reason: format!("the sign-in was not renewed: {error}") }
            }
            error => error,
        }
    }
}

/// A download that was answered with a 503, or told to wait, has not spent its address: like a read, it may be tried again.
fn effect_after(operation: ServiceOperation, error: &ClientError) -> OperationEffect {
    match (operation, error) {
        (
            ServiceOperation::Download,
            ClientError::ServiceFailed { status: 503, .. } | ClientError::RateLimited { .. },
        ) => OperationEffect::Read,
        _ => operation.effect(),
    }
}
