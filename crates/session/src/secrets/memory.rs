//! Secrets in memory: for tests, and where there is no keychain and the person agreed.

use std::collections::HashMap;

use super::envelope::SecretEnvelope;
use super::{SecretName, SecretStore, SecretText, SecretsError};
use bordereau_api::{SecretsKind, SecretsStatus};
use parking_lot::Mutex;

/// Secrets of this run only, wiped when dropped.
#[derive(Default)]
pub struct MemorySecrets {
    profiles: Mutex<HashMap<String, SecretEnvelope>>,
}

impl MemorySecrets {
    /// With nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn memory_status() -> SecretsStatus {
        SecretsStatus {
            kind: SecretsKind::Memory,
            message: "Keys and sign-ins are kept in memory and forgotten when Bordereau closes.".into(),
        }
    }
}

impl SecretStore for MemorySecrets {
    fn get(&self, profile: &str, name: SecretName) -> Result<Option<SecretText>, SecretsError> {
        let profiles = self.profiles.lock();
        Ok(profiles.get(profile).and_then(|envelope| envelope.get(name)))
    }

    fn set_secret(&self, profile: &str, name: SecretName, secret: Option<&str>) -> Result<(), SecretsError> {
        let mut profiles = self.profiles.lock();
        profiles.entry(profile.to_owned()).or_default().set_secret(name, secret);
        Ok(())
    }

    fn remove_secret(&self, profile: &str, name: SecretName, current: &str) -> Result<(), SecretsError> {
        let mut profiles = self.profiles.lock();
        let envelope = profiles.entry(profile.to_owned()).or_default();
        if envelope.get(name).is_some_and(|held| held.as_str() == current) {
            envelope.set_secret(name, None);
        }
        Ok(())
    }

    fn remove_all(&self, profile: &str) -> Result<(), SecretsError> {
        self.profiles.lock().remove(profile);
        Ok(())
    }

    fn is_instant(&self) -> bool {
        true
    }

    fn secrets_status(&self) -> SecretsStatus {
        Self::memory_status()
    }

    fn use_memory(&self) -> SecretsStatus {
        Self::memory_status()
    }
}
