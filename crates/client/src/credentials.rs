//! What the client signs in with, and where its tokens are kept.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use zeroize::Zeroizing;

use crate::Secret;
use crate::session::SessionAccess;

/// Key and sign-in, singly or together (contract section 1).
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    /// API key.
    pub api_key: Option<Secret>,
    /// Set where the profile signs in as a user.
    pub user: Option<UserTokens>,
}

impl Credentials {
    /// With an API key alone.
    #[must_use]
    pub fn with_api_key(api_key: impl Into<Secret>) -> Credentials {
        Credentials { api_key: Some(api_key.into()), user: None }
    }

    /// As a user whose tokens are in the token store.
    pub fn for_user() -> Credentials {
        Credentials { api_key: None, user: Some(UserTokens::default()) }
    }
}

/// That the profile signs in as a user. Tokens not given here are read from the [`TokenStore`] at the
/// first call.
#[derive(Clone, Debug, Default)]
pub struct UserTokens {
    /// Tokens at hand, or `None` to read them from the store.
    pub tokens: Option<StoredTokens>,
    /// What a sign-in just gave: all there is where the service gives no refresh token.
    pub access: Option<AccessGrant>,
}

/// The access token of a sign-in, for another client of this run. It is never stored.
#[derive(Clone)]
pub struct AccessGrant(pub(crate) SessionAccess);

impl fmt::Debug for AccessGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessGrant([hidden])")
    }
}

/// What is kept of a sign-in: the refresh token. The access token lives an hour and stays in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTokens {
    /// The refresh token.
    pub refresh_token: Secret,
    /// When it dies: one month after it was given \[spec].
    pub refresh_expires_at: DateTime<Utc>,
}

impl StoredTokens {
    /// A refresh token given at `now`, good for the contract's month.
    pub fn given_at(refresh_token: Secret, now: DateTime<Utc>) -> StoredTokens {
        let life =
            TimeDelta::try_seconds(bordereau_contract::REFRESH_TOKEN_SECONDS).unwrap_or(TimeDelta::MAX);
        let refresh_expires_at = now.checked_add_signed(life).unwrap_or(DateTime::<Utc>::MAX_UTC);
        StoredTokens { refresh_token, refresh_expires_at }
    }

    /// As one text, for a keychain entry and nowhere else. See [`StoredTokens::from_secret_text`].
    pub fn to_secret_text(&self) -> Zeroizing<String> {
        Zeroizing::new(format!("{} {}", self.refresh_expires_at.timestamp(), self.refresh_token.expose()))
    }

    /// Reads what [`StoredTokens::to_secret_text`] wrote; `None` for anything else.
    pub fn from_secret_text(text: &str) -> Option<StoredTokens> {
        let (expires, token) = text.split_once(' ')?;
        let refresh_expires_at = DateTime::from_timestamp(expires.parse().ok()?, 0)?;
        (!token.is_empty()).then(|| StoredTokens { refresh_token: Secret::new(token), refresh_expires_at })
    }
}

/// Where tokens are kept between runs; the desk backs it with the keychain.
///
/// The client calls it from threads made for blocking work, so it may block for a moment.
pub trait TokenStore: Send + Sync {
    /// The tokens, or `None` where nobody is signed in.
    fn load_tokens(&self) -> Option<StoredTokens>;
    /// Keeps them, replacing earlier ones. Called before a new refresh token is used.
    fn save_tokens(&self, tokens: &StoredTokens);
    /// Forgets them where the refresh token is still this one, which the service refused: another process may have
    /// stored a newer one.
    fn forget_refused(&self, refused: &StoredTokens);
}

/// Tokens in memory: for one run, and for tests.
#[derive(Debug, Default)]
pub struct MemoryTokens(Mutex<Option<StoredTokens>>);

impl MemoryTokens {
    /// With nobody signed in.
    pub fn new() -> MemoryTokens {
        MemoryTokens::default()
    }

    fn with<T>(&self, work: impl FnOnce(&mut Option<StoredTokens>) -> T) -> T {
        work(&mut self.0.lock())
    }
}

impl TokenStore for MemoryTokens {
    fn load_tokens(&self) -> Option<StoredTokens> {
        self.with(|tokens| tokens.clone())
    }

    fn save_tokens(&self, tokens: &StoredTokens) {
        self.with(|kept| *kept = Some(tokens.clone()));
    }

    fn forget_refused(&self, refused: &StoredTokens) {
        self.with(|kept| *kept = kept.take().filter(|kept| kept.refresh_token != refused.refresh_token));
    }
}
