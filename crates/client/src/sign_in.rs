//! Signing in, and staying signed in (contract section 1).

use std::sync::Arc;

use bordereau_contract::{TokenRequest, TokenResponse};
use chrono::Utc;
use tokio::time::{Instant, timeout_at};

use crate::body::decode_json;
use crate::client::ClientInner;
use crate::refusal::ServiceRefusal;
use crate::session::{RenewalGuard, RenewalState, SessionAccess};
use crate::transport::{OutgoingRequest, RequestCredentials, RequestFailure, ServiceAnswer};
use crate::unread_answer::UnreadAnswer;
use crate::{AccessGrant, ClientError, Secret, ServiceOperation, StoredTokens};

/// A token answer is a few hundred bytes; anything of this size is something else.
const TOKEN_BYTES_MAX: u64 = 64 * 1024;

impl ClientInner {
    /// Signs in with username and password; the refresh token goes to the store.
    pub(crate) async fn sign_in(
        &self,
        username: &str,
        password: &Secret,
    ) -> Result<AccessGrant, ClientError> {
        let deadline = self.call_deadline();
        let work = async {
            let mut renewal = self.session.lock_renewal().await;
            let grant = TokenRequest::Password {
                username: username.to_owned(),
                password: password.expose().to_owned(),
            };
            let exchange = self.exchange_tokens(ServiceOperation::SignIn, &grant, password, deadline).await;
            let answer = exchange.map_err(|failure| match failure {
                RequestFailure::Refused(refusal) if is_wrong_password(&refusal) => {
                    ClientError::NotAuthorized { status: refusal.status.as_u16(), text: refusal.whole_text() }
                }
                other => other.into(),
            })?;
            self.session.accept_tokens(&mut renewal, answer).await;
            self.session.accepted_access().map(AccessGrant).ok_or_else(|| sign_in_again(""))
        };
        timeout_at(deadline, work).await.unwrap_or_else(|_| Err(self.timed_out()))
    }

    /// An access token that is good for now; `None` where this client does not sign in as a user.
    pub(crate) async fn bearer_access(self: &Arc<Self>) -> Result<Option<SessionAccess>, ClientError> {
        if !self.session.is_user() {
            return Ok(None);
        }
        match self.session.fresh_access() {
            Some(access) => Ok(Some(access)),
            None => self.renew_access(None).await,
        }
    }

    /// Renews the access token, unless another call just did. `None` where no one is signed in but an
    /// API key is there to go on with.
    pub(crate) async fn renew_access(
        self: &Arc<Self>,
        refused: Option<u64>,
    ) -> Result<Option<SessionAccess>, ClientError> {
        let mut renewal = match self.session.acquire_renewal(refused).await? {
            RenewalGuard::Renewed(access) => return Ok(Some(access)),
            RenewalGuard::Yours(renewal) => renewal,
        };
        // A task of its own: a caller that goes away must not lose a refresh token the service just
        // replaced.
        let inner = self.clone();
        let task = tokio::spawn(async move {
            let tokens = inner.session.current_tokens(&mut renewal).await;
            let Some(tokens) = tokens else { return inner.not_signed_in(&renewal) };
            let outcome = inner.refresh_access(&mut renewal, tokens).await;
            inner.session.finish_attempt(&mut renewal, &outcome);
            outcome.map(Some)
        });
        task.await.unwrap_or_else(|_| Err(self.timed_out()))
    }

    fn not_signed_in(&self, renewal: &RenewalState) -> Result<Option<SessionAccess>, ClientError> {
        if renewal.was_invalidated() {
            return Err(sign_in_again("the service no longer accepts it"));
        }
        if self.api_key.is_some() { Ok(None) } else { Err(ClientError::NoCredentials) }
    }

    /// Refreshes with the tokens at hand; when they are dead, once more with those in the store, which
    /// another process may have renewed.
    async fn refresh_access(
        &self,
        renewal: &mut RenewalState,
        tokens: StoredTokens,
    ) -> Result<SessionAccess, ClientError> {
        let dead = match self.refresh_with(renewal, &tokens).await? {
            Ok(access) => return Ok(access),
            Err(dead) => dead,
        };
        let Some(stored) = self.session.reload_tokens(renewal, &tokens.refresh_token).await else {
            self.session.invalidate_token(renewal, tokens.refresh_token).await;
            return Err(dead);
        };
        match self.refresh_with(renewal, &stored).await? {
            Ok(access) => Ok(access),
            Err(dead) => {
                self.session.invalidate_token(renewal, stored.refresh_token).await;
                Err(dead)
            }
        }
    }

    /// The outer error is a passing one, the inner one says that the refresh token is dead.
    async fn refresh_with(
        &self,
        renewal: &mut RenewalState,
        tokens: &StoredTokens,
    ) -> Result<Result<SessionAccess, ClientError>, ClientError> {
        if renewal.is_dead(&tokens.refresh_token) {
            return Ok(Err(sign_in_again("the service no longer accepts it")));
        }
        if tokens.refresh_expires_at <= Utc::now() {
            return Ok(Err(sign_in_again("it is older than a month")));
        }
        let grant = TokenRequest::RefreshToken { refresh_token: tokens.refresh_token.expose().to_owned() };
        let deadline = self.call_deadline();
        let exchange =
            self.exchange_tokens(ServiceOperation::Refresh, &grant, &tokens.refresh_token, deadline);
        let answer = match timeout_at(deadline, exchange).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(RequestFailure::Refused(refusal))) if is_dead(&refusal) => {
                return Ok(Err(sign_in_again(&refusal.text)));
            }
            Ok(Err(failure)) => return Err(failure.into()),
            Err(_) => return Err(self.timed_out()),
        };
        self.session.accept_tokens(renewal, answer).await;
        self.session.accepted_access().map(Ok).ok_or_else(|| sign_in_again(""))
    }

    async fn exchange_tokens(
        &self,
        operation: ServiceOperation,
        grant: &TokenRequest,
        secret: &Secret,
        deadline: Instant,
    ) -> Result<TokenResponse, RequestFailure> {
        let url = self.transport.base.endpoint_url(&self.transport.config.paths.token)?;
        let body = serde_json::to_vec(grant).expect("strings serialize");
        let request = OutgoingRequest {
            secrets: vec![secret.clone()],
            ..OutgoingRequest::post(operation, url, body, TOKEN_BYTES_MAX)
        };
        for failed in 1.. {
            // The key is not needed here, so it is not sent.
            match self.transport.send(&request, &RequestCredentials::default(), deadline).await {
                Ok(answer) => return read_tokens(&answer),
                // Told to wait, it was not looked at. The next one waits as long as the service asks for, or fails
                // at once where that is too long.
                Err(RequestFailure::Refused(refusal))
                    if refusal.status.as_u16() == 429 && failed < self.transport.config.retry.attempts => {}
                Err(failure) => return Err(failure),
            }
        }
        unreachable!("the number of attempts is bounded by the retry policy")
    }
}

/// Dead is what the service calls an invalid grant, or simply refuses (RFC 6749 says 400, the contract
/// 401, others a success). Everything else may pass.
fn is_dead(refusal: &ServiceRefusal) -> bool {
    match refusal.status.as_u16() {
        401 => true,
        200..=299 | 400 => refusal.oauth_error.as_deref() == Some("invalid_grant"),
        _ => false,
    }
}

/// A password is sent by a person: what the service says no to is that, unless it names the form of the request.
fn is_wrong_password(refusal: &ServiceRefusal) -> bool {
    let is_form = matches!(
        refusal.oauth_error.as_deref(),
        Some("invalid_request" | "unsupported_grant_type" | "server_error" | "temporarily_unavailable")
    );
    matches!(refusal.status.as_u16(), 200..=299 | 400 | 401 | 422) && !is_form
}

/// Decodes a token answer; an error names the field but never shows what was found there. One that names an
/// error or says that it failed is a refusal, whatever its status.
fn read_tokens(answer: &ServiceAnswer) -> Result<TokenResponse, RequestFailure> {
    let unreadable = |path: &str, detail: &str| ClientError::Unreadable {
        status: answer.status.as_u16(),
        path: path.to_owned(),
        detail: detail.to_owned(),
        answer: Box::new(UnreadAnswer::of(answer, Vec::new())),
    };
    let mut refusal = ServiceRefusal::read(answer.status, &answer.headers, &answer.body, &answer.secrets);
    if refusal.text.starts_with('{') {
        // Nothing is said in it, and it may have a token.
        refusal.text = String::new();
    }
    match decode_json::<TokenResponse>(answer) {
        Ok(read) if read.value.access_token.trim().is_empty() => {
            Err(unreadable("access_token", "it is empty").into())
        }
        Ok(read) => Ok(read.value),
        Err(ClientError::Rejected { .. }) => Err(RequestFailure::Refused(refusal)),
        Err(ClientError::Unreadable { .. })
            if refusal.oauth_error.is_some() || !refusal.problems.is_empty() =>
        {
            Err(RequestFailure::Refused(refusal))
        }
        Err(ClientError::Unreadable { path, .. }) => {
            Err(unreadable(&path, "access_token (text) is expected").into())
        }
        Err(other) => Err(other.into()),
    }
}

fn sign_in_again(reason: &str) -> ClientError {
    ClientError::SignInAgain { reason: reason.to_owned() }
}
