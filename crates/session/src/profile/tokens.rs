//! A sign-in's tokens in the keychain, as the client's token store.

use bordereau_client::{StoredTokens, TokenStore};
use parking_lot::Mutex;

use crate::secrets::{Guarded, SecretName, SecretsError};

/// Tokens of one profile. The client calls it from threads made for blocking work.
pub(super) struct ProfileTokens {
    profile: String,
    secrets: Guarded,
    /// Why the last save failed: the sign-in reports it.
    failed: Mutex<Option<SecretsError>>,
}

impl ProfileTokens {
    pub(super) fn new(profile: &str, secrets: Guarded) -> Self {
        ProfileTokens { profile: profile.to_owned(), secrets, failed: Mutex::new(None) }
    }

    /// Why the tokens could not be kept, once.
    pub(super) fn take_failure(&self) -> Option<SecretsError> {
        self.failed.lock().take()
    }

    fn note(&self, outcome: Result<(), SecretsError>) {
        if let Err(error) = outcome {
            tracing::warn!(%error, "sign-in not kept");
            *self.failed.lock() = Some(error);
        }
    }
}

impl TokenStore for ProfileTokens {
    fn load(&self) -> Option<StoredTokens> {
        match self.secrets.get_blocking(&self.profile, SecretName::RefreshToken) {
            Ok(text) => text.and_then(|text| StoredTokens::from_secret_text(&text)),
            Err(error) => {
                tracing::warn!(%error, "sign-in not read");
                None
            }
        }
    }

    fn save(&self, tokens: &StoredTokens) {
        let text = tokens.to_secret_text();
        self.note(self.secrets.set_blocking(&self.profile, SecretName::RefreshToken, Some(text)));
    }

    fn clear(&self) {
        self.note(self.secrets.set_blocking(&self.profile, SecretName::RefreshToken, None));
    }
}
