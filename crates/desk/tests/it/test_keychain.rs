//! A keychain for as long as a test runs, and the desk with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bordereau_desk::api::*;
use bordereau_desk::{
    Desk, DeskConfig, MemorySecrets, Ports, SecretName, SecretStore, SecretText, SecretsError, SystemClock,
};

use crate::outbox_fixture::{OutboxFixture, quick};

/// A keychain that keeps what it is given for as long as a test runs.
#[derive(Default)]
pub(crate) struct TestKeychain(MemorySecrets, AtomicBool);

impl TestKeychain {
    /// Whether it gives nothing of what it has.
    #[cfg(unix)]
    pub(crate) fn fail(&self, fails: bool) {
        self.1.store(fails, Ordering::Relaxed);
    }
}

impl SecretStore for TestKeychain {
    fn get(&self, profile: &str, name: SecretName) -> Result<Option<SecretText>, SecretsError> {
        if self.1.load(Ordering::Relaxed) {
            return Err(SecretsError::Locked("The keychain is locked.".to_owned()));
        }
        self.0.get(profile, name)
    }

    fn set_secret(&self, profile: &str, name: SecretName, secret: Option<&str>) -> Result<(), SecretsError> {
        self.0.set_secret(profile, name, secret)
    }

    fn remove_secret(&self, profile: &str, name: SecretName, current: &str) -> Result<(), SecretsError> {
        self.0.remove_secret(profile, name, current)
    }

    fn remove_all(&self, profile: &str) -> Result<(), SecretsError> {
        self.0.remove_all(profile)
    }

    fn secrets_status(&self) -> SecretsStatus {
        SecretsStatus { kind: SecretsKind::Keychain, message: String::new() }
    }

    fn use_memory(&self) -> SecretsStatus {
        self.secrets_status()
    }
}

pub(crate) fn desk_with(test: &OutboxFixture, secrets: Arc<dyn SecretStore>) -> Desk {
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets,
        practice: test.switch.clone(),
        dialogs: test.person.clone(),
        browser: test.person.clone(),
        policy: Arc::default(),
        sign_in: None,
    };
    let desk = Desk::open_idle(DeskConfig { data_dir: test.folder.path().join("desk"), ports }).unwrap();
    desk.set_outbox_pace(quick());
    desk
}
