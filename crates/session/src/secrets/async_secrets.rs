//! Calls the keychain on a separate thread, each call with a timeout.
//!
//! A keychain may show a prompt or hang. It must not block the window; and because its thread isn't from the
//! runtime's blocking pool, which shutdown waits for, it doesn't block closing either.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;

use super::{SecretName, SecretStore, SecretText, SecretsError};
use bordereau_api::{SecretsKind, SecretsStatus};

/// Time to find out whether there is a keychain.
const STATUS_WITHIN: Duration = Duration::from_secs(3);
/// Time for reading and writing: the system may ask the person to unlock.
const ACCESS_WITHIN: Duration = Duration::from_secs(20);

/// Asynchronous access to secrets.
#[derive(Clone)]
pub struct AsyncSecrets {
    secrets: Arc<dyn SecretStore>,
}

impl AsyncSecrets {
    /// Wraps the secrets of the shell.
    pub fn new(secrets: Arc<dyn SecretStore>) -> Self {
        AsyncSecrets { secrets }
    }

    /// Reads a secret of a profile, off the asynchronous threads.
    pub async fn get(&self, profile: &str, name: SecretName) -> Result<Option<SecretText>, SecretsError> {
        let profile = profile.to_owned();
        self.run_off_thread(move |secrets| secrets.get(&profile, name)).await
    }

    /// Stores or removes a secret of a profile.
    pub async fn set_secret(
        &self,
        profile: &str,
        name: SecretName,
        secret: Option<SecretText>,
    ) -> Result<(), SecretsError> {
        let profile = profile.to_owned();
        self.run_off_thread(move |secrets| {
            secrets.set_secret(&profile, name, secret.as_ref().map(|text| text.as_str()))
        })
        .await
    }

    /// Removes all secrets of a profile.
    pub async fn remove_all(&self, profile: &str) -> Result<(), SecretsError> {
        let profile = profile.to_owned();
        self.run_off_thread(move |secrets| secrets.remove_all(&profile)).await
    }

    /// Whether secrets can be stored.
    pub async fn secrets_status(&self) -> SecretsStatus {
        off_thread(&self.secrets, STATUS_WITHIN, |secrets| secrets.secrets_status()).await.unwrap_or_else(
            || SecretsStatus { kind: SecretsKind::Unavailable, message: no_answer(STATUS_WITHIN) },
        )
    }

    /// Keeps secrets in memory from now on.
    pub fn use_memory(&self) -> SecretsStatus {
        self.secrets.use_memory()
    }

    /// Reads a secret, for the client's blocking threads.
    pub fn get_blocking(&self, profile: &str, name: SecretName) -> Result<Option<SecretText>, SecretsError> {
        let profile = profile.to_owned();
        self.run_blocking(move |secrets| secrets.get(&profile, name))
    }

    /// Stores a secret, for the client's blocking threads.
    pub fn set_blocking(
        &self,
        profile: &str,
        name: SecretName,
        secret: SecretText,
    ) -> Result<(), SecretsError> {
        let profile = profile.to_owned();
        self.run_blocking(move |secrets| secrets.set_secret(&profile, name, Some(&secret)))
    }

    /// Removes a secret if it is still this one, for the client's blocking threads.
    pub fn remove_blocking(
        &self,
        profile: &str,
        name: SecretName,
        current: SecretText,
    ) -> Result<(), SecretsError> {
        let profile = profile.to_owned();
        self.run_blocking(move |secrets| secrets.remove_secret(&profile, name, &current))
    }

    /// Whether secrets can be stored, before there is an asynchronous runtime.
    pub(crate) fn status_blocking(&self) -> SecretsStatus {
        let asked = self.run_blocking(|secrets| Ok(secrets.secrets_status()));
        asked.unwrap_or_else(|error| SecretsStatus {
            kind: SecretsKind::Unavailable,
            message: error.to_string(),
        })
    }

    fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn SecretStore) -> Result<T, SecretsError> + Send + 'static,
    ) -> Result<T, SecretsError> {
        if self.secrets.is_instant() {
            return work(self.secrets.as_ref());
        }
        let secrets = Arc::clone(&self.secrets);
        let (send, receive) = std::sync::mpsc::channel();
        let started = std::thread::Builder::new().name("keychain".into()).spawn(move || {
            let _ = send.send(work(secrets.as_ref()));
        });
        let answer = started.ok().and_then(|_| receive.recv_timeout(ACCESS_WITHIN).ok());
        answer.unwrap_or_else(|| Err(SecretsError::Unavailable(no_answer(ACCESS_WITHIN))))
    }

    async fn run_off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn SecretStore) -> Result<T, SecretsError> + Send + 'static,
    ) -> Result<T, SecretsError> {
        off_thread(&self.secrets, ACCESS_WITHIN, work)
            .await
            .unwrap_or_else(|| Err(SecretsError::Unavailable(no_answer(ACCESS_WITHIN))))
    }
}

async fn off_thread<T: Send + 'static>(
    secrets: &Arc<dyn SecretStore>,
    within: Duration,
    work: impl FnOnce(&dyn SecretStore) -> T + Send + 'static,
) -> Option<T> {
    if secrets.is_instant() {
        return Some(work(secrets.as_ref()));
    }
    let secrets = Arc::clone(secrets);
    let (send, receive) = oneshot::channel();
    std::thread::Builder::new()
        .name("keychain".into())
        .spawn(move || {
            // After the timeout nobody receives it.
            let _ = send.send(work(secrets.as_ref()));
        })
        .ok()?;
    tokio::time::timeout(within, receive).await.ok()?.ok()
}

fn no_answer(within: Duration) -> String {
    format!(
        "The keychain did not answer within {} seconds. It may be waiting for you to unlock it: look for its \
         prompt and try again.",
        within.as_secs()
    )
}
