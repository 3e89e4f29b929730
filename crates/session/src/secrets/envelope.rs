//! The content of a keychain item: a small JSON object per profile.

use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use super::{SecretName, SecretText, SecretsError};

/// Bytes of an item in the Windows credential manager (`CRED_MAX_CREDENTIAL_BLOB_SIZE`), where text is UTF-16.
pub(super) const ITEM_BYTES_MAX: usize = 2_560;

const NAMES: [SecretName; 6] = [
    SecretName::ApiKey,
    SecretName::RefreshToken,
    SecretName::WebhookSecret,
    SecretName::WebhookHeader,
    SecretName::FollowToken,
    SecretName::ListenToken,
];

/// The secrets of one profile.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Envelope {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    api_key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refresh_token: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    webhook_secret: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    webhook_header: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    follow_token: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    listen_token: Option<String>,
}

impl Drop for Envelope {
    fn drop(&mut self) {
        for name in NAMES {
            self.held(name).zeroize();
        }
    }
}

impl Envelope {
    /// Reads an item.
    pub(super) fn parse(text: &str) -> Result<Envelope, SecretsError> {
        serde_json::from_str(text).map_err(|_| SecretsError::Damaged)
    }

    /// The text of the item, refused where it would not fit on any platform we support.
    pub(super) fn to_item(&self) -> Result<SecretText, SecretsError> {
        let text = serde_json::to_string(self).map(Zeroizing::new).map_err(|_| SecretsError::Damaged)?;
        let bytes = text.encode_utf16().count() * 2;
        if bytes > ITEM_BYTES_MAX {
            return Err(SecretsError::TooLarge { bytes, limit: ITEM_BYTES_MAX });
        }
        Ok(text)
    }

    pub(super) fn is_empty(&self) -> bool {
        NAMES.into_iter().all(|name| self.get(name).is_none())
    }

    fn held(&mut self, name: SecretName) -> &mut Option<String> {
        match name {
            SecretName::ApiKey => &mut self.api_key,
            SecretName::RefreshToken => &mut self.refresh_token,
            SecretName::WebhookSecret => &mut self.webhook_secret,
            SecretName::WebhookHeader => &mut self.webhook_header,
            SecretName::FollowToken => &mut self.follow_token,
            SecretName::ListenToken => &mut self.listen_token,
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
        };
        held.clone().map(Zeroizing::new)
    }

    pub(super) fn set(&mut self, name: SecretName, secret: Option<&str>) {
        wipe_and_set(self.held(name), secret.map(str::to_owned));
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
    fn an_item_fits_windows_or_is_refused() {
        let cases = [(1_000, true), (1_260, true), (1_300, false), (40_000, false)];
        for (length, fits) in cases {
            let mut envelope = Envelope::default();
            envelope.set(SecretName::ApiKey, Some(&"k".repeat(length)));
            assert_eq!(envelope.to_item().is_ok(), fits, "{length} characters");
        }
    }

    #[test]
    fn what_was_written_is_read_back() {
        let mut envelope = Envelope::default();
        envelope.set(SecretName::ApiKey, Some("key \"with\" quotes"));
        envelope.set(SecretName::RefreshToken, Some("token"));
        let read = Envelope::parse(&envelope.to_item().unwrap()).unwrap();
        assert_eq!(read.get(SecretName::ApiKey).unwrap().as_str(), "key \"with\" quotes");
        assert_eq!(read.get(SecretName::RefreshToken).unwrap().as_str(), "token");
        assert!(Envelope::parse("not ours").is_err());
    }
}
