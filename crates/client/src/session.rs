//! The sign-in of a user: an access token, renewed once for all calls that wait for it.

use std::sync::Arc;
use std::time::Duration;

use bordereau_contract::{TOKEN_SECONDS, TokenResponse};
use chrono::Utc;
use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio::time::Instant;

use crate::{ClientError, Credentials, Secret, StoredTokens, TokenStore};

/// A token is renewed this long before it expires, or a tenth of its life if that is shorter.
const MARGIN: Duration = Duration::from_secs(60);

/// A refresh that the service answered without a token rests this long, doubled with each one that follows.
const FIRST_REST: Duration = Duration::from_secs(15);
const LONGEST_REST: Duration = Duration::from_secs(15 * 60);

fn rest_after(failures: u32) -> Duration {
    FIRST_REST.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1).min(10))).min(LONGEST_REST)
}

/// An access token in use.
#[derive(Clone)]
pub(crate) struct SessionAccess {
    pub(crate) token: Secret,
    /// Counts up with every token, so that a call can say which one was refused.
    pub(crate) generation: u64,
    renew_at: Instant,
}

/// What only the one who renews may touch.
#[derive(Default)]
pub(crate) struct RenewalState {
    tokens: Option<StoredTokens>,
    /// A refresh token the service no longer accepts: not tried again.
    dead: Option<Secret>,
    /// Counts finished attempts; with the error of the last one, where it failed.
    attempts: u64,
    failure: Option<ClientError>,
    /// Failures one after another, and until when the last of them is answered without asking the service.
    failures: u32,
    rests_until: Option<Instant>,
}

/// The sign-in of one client.
pub(crate) struct SignInSession {
    store: Arc<dyn TokenStore>,
    access: Mutex<Option<SessionAccess>>,
    renewal: Arc<AsyncMutex<RenewalState>>,
    /// The number of finished attempts, readable without waiting.
    attempts: Mutex<u64>,
    user: Mutex<bool>,
}

/// Whether the caller must renew.
pub(crate) enum RenewalGuard {
    /// Another call did it meanwhile.
    Renewed(SessionAccess),
    /// It is the caller's turn; the guard keeps the others waiting.
    Yours(OwnedMutexGuard<RenewalState>),
}

impl SignInSession {
    pub(crate) fn new(credentials: &Credentials, store: Arc<dyn TokenStore>) -> SignInSession {
        let user = credentials.user.as_ref();
        let tokens = user.and_then(|user| user.tokens.clone());
        let access = user.and_then(|user| user.access.clone()).map(|grant| grant.0);
        SignInSession {
            store,
            access: Mutex::new(access),
            renewal: Arc::new(AsyncMutex::new(RenewalState { tokens, ..RenewalState::default() })),
            attempts: Mutex::default(),
            user: Mutex::new(credentials.user.is_some()),
        }
    }

    /// Whether this client signs in as a user at all.
    pub(crate) fn is_user(&self) -> bool {
        *self.user.lock()
    }

    /// The access token, unless it is about to expire.
    pub(crate) fn fresh_access(&self) -> Option<SessionAccess> {
        self.access.lock().clone().filter(|access| Instant::now() < access.renew_at)
    }

    /// Waits for the turn to renew. `refused` is the generation the service refused, if any.
    ///
    /// Whoever waited while another call renewed gets that call's outcome: fifty calls with an expired
    /// token make one request, also when it fails.
    pub(crate) async fn acquire_renewal(&self, refused: Option<u64>) -> Result<RenewalGuard, ClientError> {
        let before = *self.attempts.lock();
        let renewal = self.renewal.clone().lock_owned().await;
        if let Some(access) = self.fresh_access().filter(|access| Some(access.generation) != refused) {
            return Ok(RenewalGuard::Renewed(access));
        }
        match &renewal.failure {
            Some(failure) if renewal.attempts != before => Err(failure.clone()),
            Some(failure) if renewal.rests_until.is_some_and(|until| Instant::now() < until) => {
                Err(failure.clone())
            }
            _ => Ok(RenewalGuard::Yours(renewal)),
        }
    }

    /// Waits until nobody renews: a sign-in replaces the tokens.
    pub(crate) async fn lock_renewal(&self) -> OwnedMutexGuard<RenewalState> {
        self.renewal.clone().lock_owned().await
    }

    /// The refresh token to use, from memory or the store. `None` where nobody is signed in.
    pub(crate) async fn current_tokens(&self, renewal: &mut RenewalState) -> Option<StoredTokens> {
        if renewal.tokens.is_none() {
            renewal.tokens = self.load_tokens().await;
        }
        renewal.tokens.clone()
    }

    /// Reads the store again: another process of the same person may have renewed or signed in.
    pub(crate) async fn reload_tokens(
        &self,
        renewal: &mut RenewalState,
        instead_of: &Secret,
    ) -> Option<StoredTokens> {
        let tokens = self.load_tokens().await.filter(|tokens| tokens.refresh_token != *instead_of)?;
        renewal.tokens = Some(tokens.clone());
        Some(tokens)
    }

    /// Takes over an answer of the token endpoint: stored first, then used.
    pub(crate) async fn accept_tokens(&self, renewal: &mut RenewalState, answer: TokenResponse) {
        let now = Utc::now();
        let trimmed = |token: String| token.trim().to_owned();
        if let Some(refresh_token) = answer.refresh_token.map(trimmed).filter(|token| !token.is_empty()) {
            let tokens = StoredTokens::given_at(Secret::new(refresh_token), now);
            self.save_tokens(tokens.clone()).await;
            renewal.tokens = Some(tokens);
        }
        renewal.dead = None;
        (renewal.failures, renewal.rests_until) = (0, None);
        // The specification names the life of a token for a sign-in only. Nothing below zero is a life.
        let seconds = answer.expires_in.filter(|seconds| *seconds >= 0).unwrap_or(TOKEN_SECONDS);
        let life = Duration::from_secs(seconds.unsigned_abs());
        let renew_at = Instant::now() + life.saturating_sub(MARGIN.min(life / 10));
        *self.user.lock() = true;
        let mut access = self.access.lock();
        let generation = access.as_ref().map_or(1, |old| old.generation + 1);
        *access =
            Some(SessionAccess { token: Secret::new(trimmed(answer.access_token)), generation, renew_at });
    }

    /// Notes that the service no longer accepts a refresh token, and forgets it where it is kept.
    pub(crate) async fn invalidate_token(&self, renewal: &mut RenewalState, dead: Secret) {
        let store = self.store.clone();
        let token = dead.clone();
        run_blocking(move || {
            if let Some(kept) = store.load_tokens().filter(|kept| kept.refresh_token == token) {
                store.forget_refused(&kept);
            }
        })
        .await;
        renewal.tokens = None;
        renewal.dead = Some(dead);
        *self.access.lock() = None;
    }

    /// Ends an attempt: whoever waits for it learns its outcome.
    pub(crate) fn finish_attempt(
        &self,
        renewal: &mut RenewalState,
        outcome: &Result<SessionAccess, ClientError>,
    ) {
        renewal.attempts += 1;
        renewal.failure = outcome.as_ref().err().cloned();
        // Only what the service answers without giving a token: it would answer the same at once.
        let is_answered =
            matches!(outcome, Err(ClientError::Unreadable { .. } | ClientError::Rejected { .. }));
        renewal.failures = if is_answered { renewal.failures.saturating_add(1) } else { 0 };
        renewal.rests_until = is_answered.then(|| Instant::now() + rest_after(renewal.failures));
        *self.attempts.lock() = renewal.attempts;
    }

    /// The token just accepted.
    pub(crate) fn accepted_access(&self) -> Option<SessionAccess> {
        self.access.lock().clone()
    }

    async fn load_tokens(&self) -> Option<StoredTokens> {
        let store = self.store.clone();
        run_blocking(move || store.load_tokens()).await.flatten()
    }

    async fn save_tokens(&self, tokens: StoredTokens) {
        let store = self.store.clone();
        run_blocking(move || store.save_tokens(&tokens)).await;
    }
}

impl RenewalState {
    /// Whether the service already refused this refresh token.
    pub(crate) fn is_dead(&self, token: &Secret) -> bool {
        self.dead.as_ref() == Some(token)
    }

    /// Whether a sign-in there was has died.
    pub(crate) fn was_invalidated(&self) -> bool {
        self.dead.is_some()
    }
}

/// A keychain may ask the person or talk over a bus: never on a thread of the runtime.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Some(done),
        Err(error) => {
            tracing::warn!(panicked = error.is_panic(), "the token store failed");
            None
        }
    }
}
