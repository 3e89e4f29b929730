//! The content of a keychain item: a small JSON object per profile.

use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use super::{SecretName, SecretText, SecretsError};

const NAMES: [SecretName; 9] = [
    SecretName::ApiKey,
    SecretName::RefreshToken,
    SecretName::WebhookSecret,
    SecretName::WebhookHeader,
    SecretName::FollowToken,
    SecretName::ListenToken,
    SecretName::BackupKey,
    SecretName::OfficePassword,
    SecretName::OfficeStorageKey,
];

/// The secrets of one profile.
#[serde_with::skip_serializing_none]
#[derive(Default, Serialize, Deserialize)]
pub(super) struct SecretEnvelope {
    api_key: Option<String>,
    refresh_token: Option<String>,
    webhook_secret: Option<String>,
    webhook_header: Option<String>,
    follow_token: Option<String>,
    listen_token: Option<String>,
    backup_key: Option<String>,
    office_password: Option<String>,
    office_storage_key: Option<String>,
}

impl Drop for SecretEnvelope {
    fn drop(&mut self) {
        for name in NAMES {
            self.secret_slot(name).zeroize();
        }
    }
}

impl SecretEnvelope {
    /// Reads an item.
    pub(super) fn parse(text: &str) -> Result<SecretEnvelope, SecretsError> {
        serde_json::from_str(text).map_err(|_| SecretsError::Damaged)
    }

    /// The text of the item.
    pub(super) fn to_item(&self) -> Result<SecretText, SecretsError> {
        serde_json::to_string(self).map(Zeroizing::new).map_err(|_| SecretsError::Damaged)
    }

    pub(super) fn is_empty(&self) -> bool {
        NAMES.into_iter().all(|name| self.get(name).is_none())
    }

    fn secret_slot(&mut self, name: SecretName) -> &mut Option<String> {
        match name {
            SecretName::ApiKey => &mut self.api_key,
            SecretName::RefreshToken => &mut self.refresh_token,
            SecretName::WebhookSecret => &mut self.webhook_secret,
            SecretName::WebhookHeader => &mut self.webhook_header,
            SecretName::FollowToken => &mut self.follow_token,
            SecretName::ListenToken => &mut self.listen_token,
            SecretName::BackupKey => &mut self.backup_key,
            SecretName::OfficePassword => &mut self.office_password,
            SecretName::OfficeStorageKey => &mut self.office_storage_key,
        }
    }

    pub(super) fn get(&self, name: SecretName) -> Option<SecretText> {
        let held = match name {
            SecretName::ApiKey => &self.api_key,
            SecretName::RefreshToken => &self.refresh_token,
            SecretName::WebhookSecret => &self.webhook_secret,
            SecretName::WebhookHeader => &self.webhook_header,
            SecretName::FollowToken => &self.follow_token,
            SecretName::ListenToken => &self.listen_token,
            SecretName::BackupKey => &self.backup_key,
            SecretName::OfficePassword => &self.office_password,
            SecretName::OfficeStorageKey => &self.office_storage_key,
        };
        held.clone().map(Zeroizing::new)
    }

    pub(super) fn set_secret(&mut self, name: SecretName, secret: Option<&str>) {
        wipe_and_set(self.secret_slot(name), secret.map(str::to_owned));
    }
}

fn wipe_and_set(held: &mut Option<String>, secret: Option<String>) {
    held.zeroize();
    *held = secret;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back() {
        let mut envelope = SecretEnvelope::default();
        envelope.set_secret(SecretName::ApiKey, Some("key \"with\" quotes"));
        envelope.set_secret(SecretName::RefreshToken, Some("token"));
        let read = SecretEnvelope::parse(&envelope.to_item().unwrap()).unwrap();
        assert_eq!(read.get(SecretName::ApiKey).unwrap().as_str(), "key \"with\" quotes");
        assert_eq!(read.get(SecretName::RefreshToken).unwrap().as_str(), "token");
        assert!(SecretEnvelope::parse("not ours").is_err());
    }
}
