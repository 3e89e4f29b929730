//! The sign-in of a user: an access token, renewed once for all calls that wait for it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bordereau_contract::{TOKEN_SECONDS, TokenResponse};
use chrono::Utc;
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
pub(crate) struct Access {
    pub(crate) token: Secret,
    /// Counts up with every token, so that a call can say which one was refused.
    pub(crate) generation: u64,
    renew_at: Instant,
}

/// What only the one who renews may touch.
#[derive(Default)]
pub(crate) struct Renewal {
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
pub(crate) struct Session {
    store: Arc<dyn TokenStore>,
    access: Mutex<Option<Access>>,
    renewal: Arc<AsyncMutex<Renewal>>,
    /// The number of finished attempts, readable without waiting.
    attempts: Mutex<u64>,
    user: Mutex<bool>,
}

/// Whether the caller must renew.
pub(crate) enum Turn {
    /// Another call did it meanwhile.
    Renewed(Access),
    /// It is the caller's turn; the guard keeps the others waiting.
    Yours(OwnedMutexGuard<Renewal>),
}

impl Session {
    pub(crate) fn new(credentials: &Credentials, store: Arc<dyn TokenStore>) -> Session {
        let tokens = credentials.user.as_ref().and_then(|user| user.tokens.clone());
        Session {
            store,
            access: Mutex::default(),
            renewal: Arc::new(AsyncMutex::new(Renewal { tokens, ..Renewal::default() })),
            attempts: Mutex::default(),
            user: Mutex::new(credentials.user.is_some()),
        }
    }

    /// Whether this client signs in as a user at all.
    pub(crate) fn is_user(&self) -> bool {
        *locked(&self.user)
    }

    /// The access token, unless it is about to expire.
    pub(crate) fn fresh(&self) -> Option<Access> {
        locked(&self.access).clone().filter(|access| Instant::now() < access.renew_at)
    }

    /// Waits for the turn to renew. `refused` is the generation the service refused, if any.
    ///
    /// Whoever waited while another call renewed gets that call's outcome: fifty calls with an expired
    /// token make one request, also when it fails.
    pub(crate) async fn turn(&self, refused: Option<u64>) -> Result<Turn, ClientError> {
        let before = *locked(&self.attempts);
        let renewal = self.renewal.clone().lock_owned().await;
        if let Some(access) = self.fresh().filter(|access| Some(access.generation) != refused) {
            return Ok(Turn::Renewed(access));
        }
        match &renewal.failure {
            Some(failure) if renewal.attempts != before => Err(failure.clone()),
            Some(failure) if renewal.rests_until.is_some_and(|until| Instant::now() < until) => {
                Err(failure.clone())
            }
            _ => Ok(Turn::Yours(renewal)),
        }
    }

    /// Waits until nobody renews: a sign-in replaces the tokens.
    pub(crate) async fn exclusive(&self) -> OwnedMutexGuard<Renewal> {
        self.renewal.clone().lock_owned().await
    }

    /// The refresh token to use, from memory or the store. `None` where nobody is signed in.
    pub(crate) async fn tokens(&self, renewal: &mut Renewal) -> Option<StoredTokens> {
        if renewal.tokens.is_none() {
            renewal.tokens = self.load().await;
        }
        renewal.tokens.clone()
    }

    /// Reads the store again: another process of the same person may have renewed or signed in.
    pub(crate) async fn reread(&self, renewal: &mut Renewal, instead_of: &Secret) -> Option<StoredTokens> {
        let tokens = self.load().await.filter(|tokens| tokens.refresh_token != *instead_of)?;
        renewal.tokens = Some(tokens.clone());
        Some(tokens)
    }

    /// Takes over an answer of the token endpoint: stored first, then used.
    pub(crate) async fn accept(&self, renewal: &mut Renewal, answer: TokenResponse) {
        let now = Utc::now();
        if let Some(refresh_token) = answer.refresh_token.filter(|token| !token.is_empty()) {
            let tokens = StoredTokens::given(Secret::new(refresh_token), now);
            self.save(tokens.clone()).await;
            renewal.tokens = Some(tokens);
        }
        renewal.dead = None;
        (renewal.failures, renewal.rests_until) = (0, None);
        // The specification names the life of a token for a sign-in only. Nothing below zero is a life.
        let seconds = answer.expires_in.filter(|seconds| *seconds >= 0).unwrap_or(TOKEN_SECONDS);
        let life = Duration::from_secs(seconds.unsigned_abs());
        let renew_at = Instant::now() + life.saturating_sub(MARGIN.min(life / 10));
        *locked(&self.user) = true;
        let mut access = locked(&self.access);
        let generation = access.as_ref().map_or(1, |old| old.generation + 1);
        *access = Some(Access { token: Secret::new(answer.access_token), generation, renew_at });
    }

    /// Notes that the service no longer accepts a refresh token, and forgets it where it is kept.
    pub(crate) async fn bury(&self, renewal: &mut Renewal, dead: Secret) {
        let store = self.store.clone();
        let token = dead.clone();
        blocking(move || {
            if store.load().is_some_and(|kept| kept.refresh_token == token) {
                store.clear();
            }
        })
        .await;
        renewal.tokens = None;
        renewal.dead = Some(dead);
        *locked(&self.access) = None;
    }

    /// Ends an attempt: whoever waits for it learns its outcome.
    pub(crate) fn finish(&self, renewal: &mut Renewal, outcome: &Result<Access, ClientError>) {
        renewal.attempts += 1;
        renewal.failure = outcome.as_ref().err().cloned();
        // Only what the service answers without giving a token: it would answer the same at once.
        let is_answered =
            matches!(outcome, Err(ClientError::Unreadable { .. } | ClientError::Rejected { .. }));
        renewal.failures = if is_answered { renewal.failures.saturating_add(1) } else { 0 };
        renewal.rests_until = is_answered.then(|| Instant::now() + rest_after(renewal.failures));
        *locked(&self.attempts) = renewal.attempts;
    }

    /// The token just accepted.
    pub(crate) fn accepted(&self) -> Option<Access> {
        locked(&self.access).clone()
    }

    async fn load(&self) -> Option<StoredTokens> {
        let store = self.store.clone();
        blocking(move || store.load()).await.flatten()
    }

    async fn save(&self, tokens: StoredTokens) {
        let store = self.store.clone();
        blocking(move || store.save(&tokens)).await;
    }
}

impl Renewal {
    /// Whether the service already refused this refresh token.
    pub(crate) fn is_dead(&self, token: &Secret) -> bool {
        self.dead.as_ref() == Some(token)
    }

    /// Whether a sign-in there was has died.
    pub(crate) fn was_buried(&self) -> bool {
        self.dead.is_some()
    }
}

/// A keychain may ask the person or talk over a bus: never on a thread of the runtime.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Some(done),
        Err(error) => {
            tracing::warn!(panicked = error.is_panic(), "the token store failed");
            None
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
