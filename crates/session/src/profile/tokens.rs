//! A sign-in's tokens in the keychain, as the client's token store.

use bordereau_client::{StoredTokens, TokenStore};
use parking_lot::Mutex;

use crate::secrets::{AsyncSecrets, SecretName, SecretsError};

/// Tokens of one profile. The client calls it from threads made for blocking work.
pub(super) struct ProfileTokens {
    profile: String,
    secrets: AsyncSecrets,
    /// Why the last save failed, for the sign-in to report.
    failed: Mutex<Option<SecretsError>>,
}

impl ProfileTokens {
    pub(super) fn new(profile: &str, secrets: AsyncSecrets) -> Self {
        ProfileTokens { profile: profile.to_owned(), secrets, failed: Mutex::new(None) }
    }

    /// Why the tokens couldn't be stored; returned once.
    pub(super) fn take_save_error(&self) -> Option<SecretsError> {
        self.failed.lock().take()
    }

    fn note_outcome(&self, outcome: Result<(), SecretsError>) {
        if let Err(error) = outcome {
            tracing::warn!(%error, "sign-in not kept");
            *self.failed.lock() = Some(error);
        }
    }
}

impl TokenStore for ProfileTokens {
    fn load_tokens(&self) -> Option<StoredTokens> {
        match self.secrets.get_blocking(&self.profile, SecretName::RefreshToken) {
            Ok(text) => text.and_then(|text| StoredTokens::from_secret_text(&text)),
            Err(error) => {
                tracing::warn!(%error, "sign-in not read");
                None
            }
        }
    }

    fn save_tokens(&self, tokens: &StoredTokens) {
        let text = tokens.to_secret_text();
        self.note_outcome(self.secrets.set_blocking(&self.profile, SecretName::RefreshToken, text));
    }

    fn forget_refused(&self, refused: &StoredTokens) {
        let text = refused.to_secret_text();
        self.note_outcome(self.secrets.remove_blocking(&self.profile, SecretName::RefreshToken, text));
    }
}
