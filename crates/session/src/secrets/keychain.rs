//! The operating system's keychain: Keychain Services, Credential Manager, Secret Service.

use parking_lot::Mutex;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use bordereau_store::FolderLock;
use keyring::{Entry, Error};

use super::envelope::SecretEnvelope;
use super::item_parts::{self, KeychainItems};
use super::{MemorySecrets, SecretName, SecretStore, SecretText, SecretsError};
use bordereau_api::{SecretsKind, SecretsStatus};

/// Name of the items in the keychain; debug builds keep theirs apart from the installed product's.
const SERVICE: &str = if cfg!(debug_assertions) { "Bordereau.dev" } else { "Bordereau" };
/// Held while an item is changed.
const LOCK: &str = "keychain.lock";

/// Secrets in the keychain, one text per profile; in memory once the person agreed to that.
///
/// The keychain is looked for at first use, never at start. The `keyring` crate chooses a keychain once per process:
/// after installing one, restart the application.
pub struct KeychainSecrets<I = SystemItems> {
    items: I,
    memory: MemorySecrets,
    in_memory: AtomicBool,
    /// Makes reading, changing and writing an item one step, in this process and across processes.
    changing: Mutex<()>,
    lock: FolderLock,
}

impl KeychainSecrets {
    /// Doesn't touch the keychain yet; processes on the same data folder take turns with changes.
    #[must_use]
    pub fn new(data_dir: &Path) -> Self {
        Self::with_items(SystemItems, data_dir)
    }
}

impl<I: KeychainItems> KeychainSecrets<I> {
    fn with_items(items: I, folder: &Path) -> Self {
        let lock = FolderLock::new(folder.to_owned(), LOCK);
        KeychainSecrets {
            items,
            memory: MemorySecrets::new(),
            in_memory: AtomicBool::new(false),
            changing: Mutex::default(),
            lock,
        }
    }

    fn is_in_memory(&self) -> bool {
        self.in_memory.load(Ordering::Acquire)
    }

    fn read(&self, profile: &str) -> Result<Option<SecretEnvelope>, SecretsError> {
        let text = item_parts::read_text(&self.items, profile)?;
        text.map(|text| SecretEnvelope::parse(&text)).transpose()
    }

    /// Runs a step that no other process may interrupt; without a lock if the folder can't have one.
    fn run_step<T>(&self, step: impl FnOnce() -> Result<T, SecretsError>) -> Result<T, SecretsError> {
        let _step = self.changing.lock();
        let locked = self.lock.acquire();
        let _locked = locked.inspect_err(|error| tracing::warn!(%error, "the keychain is not locked")).ok();
        step()
    }

    fn change_envelope(
        &self,
        profile: &str,
        change: impl FnOnce(&mut SecretEnvelope) -> bool,
    ) -> Result<(), SecretsError> {
        self.run_step(|| {
            // A damaged item is replaced: its message asks for that.
            let mut envelope = match self.read(profile) {
                Err(SecretsError::Damaged) => SecretEnvelope::default(),
                other => other?.unwrap_or_default(),
            };
            if !change(&mut envelope) {
                return Ok(());
            }
            if envelope.is_empty() {
                return item_parts::remove_text(&self.items, profile);
            }
            item_parts::write_text(&self.items, profile, &envelope.to_item()?)
        })
    }
}

/// The entries of the system's keychain.
pub struct SystemItems;

impl KeychainItems for SystemItems {
    fn read_item(&self, name: &str) -> Result<Option<SecretText>, SecretsError> {
        match keychain_entry(name)?.get_password() {
            Ok(text) => Ok(Some(SecretText::new(text))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(keychain_error(&error)),
        }
    }

    fn write_item(&self, name: &str, text: &str) -> Result<(), SecretsError> {
        keychain_entry(name)?.set_password(text).map_err(|error| keychain_error(&error))
    }

    fn remove_item(&self, name: &str) -> Result<(), SecretsError> {
        match keychain_entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(keychain_error(&error)),
        }
    }
}

impl<I: KeychainItems + Send + Sync> SecretStore for KeychainSecrets<I> {
    fn get(&self, profile: &str, name: SecretName) -> Result<Option<SecretText>, SecretsError> {
        if self.is_in_memory() {
            return self.memory.get(profile, name);
        }
        Ok(self.read(profile)?.and_then(|envelope| envelope.get(name)))
    }

    fn set_secret(&self, profile: &str, name: SecretName, secret: Option<&str>) -> Result<(), SecretsError> {
        if self.is_in_memory() {
            return self.memory.set_secret(profile, name, secret);
        }
        self.change_envelope(profile, |envelope| {
            envelope.set_secret(name, secret);
            true
        })
    }

    fn remove_secret(&self, profile: &str, name: SecretName, current: &str) -> Result<(), SecretsError> {
        if self.is_in_memory() {
            return self.memory.remove_secret(profile, name, current);
        }
        self.change_envelope(profile, |envelope| {
            let is_current = envelope.get(name).is_some_and(|held| held.as_str() == current);
            if is_current {
                envelope.set_secret(name, None);
            }
            is_current
        })
    }

    fn remove_all(&self, profile: &str) -> Result<(), SecretsError> {
        if self.is_in_memory() {
            return self.memory.remove_all(profile);
        }
        self.run_step(|| item_parts::remove_text(&self.items, profile))
    }

    fn secrets_status(&self) -> SecretsStatus {
        if self.is_in_memory() {
            return self.memory.secrets_status();
        }
        // Reading a missing item shows whether the keychain answers and is unlocked.
        match self.read("status") {
            Ok(_) | Err(SecretsError::Damaged) => SecretsStatus {
                kind: SecretsKind::Keychain,
                message: format!("Keys and sign-ins are kept in {}.", keychain_name()),
            },
            Err(error) => SecretsStatus { kind: SecretsKind::Unavailable, message: error.to_string() },
        }
    }

    fn use_memory(&self) -> SecretsStatus {
        self.in_memory.store(true, Ordering::Release);
        self.memory.secrets_status()
    }
}

fn keychain_entry(profile: &str) -> Result<Entry, SecretsError> {
    Entry::new(SERVICE, profile).map_err(|error| keychain_error(&error))
}

/// Shows only the kind of a keychain error: it has no secret, but may have names of items.
fn keychain_error(error: &Error) -> SecretsError {
    match error {
        Error::NoStorageAccess(_) => SecretsError::Locked(locked_help()),
        Error::TooLong(_, limit) => {
            SecretsError::TooLarge { bytes: 0, limit: usize::try_from(*limit).unwrap_or(usize::MAX) }
        }
        Error::BadEncoding(_) | Error::BadDataFormat(..) | Error::BadStoreFormat(_) => SecretsError::Damaged,
        _ => SecretsError::Unavailable(unavailable_help(&linux_distribution())),
    }
}

fn keychain_name() -> &'static str {
    match std::env::consts::OS {
        "macos" => "the macOS keychain",
        "windows" => "the Windows Credential Manager",
        _ => "the keyring of this desktop",
    }
}

fn locked_help() -> String {
    format!(
        "The keychain is locked, so keys cannot be read. Unlock {} (signing in to the desktop usually does \
         it) and try again.",
        keychain_name()
    )
}

/// The `ID` and `ID_LIKE` of the Linux distribution; empty elsewhere.
fn linux_distribution() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    release.lines().filter(|line| line.starts_with("ID=") || line.starts_with("ID_LIKE=")).collect()
}

/// How to get a keychain on this system.
fn unavailable_help(distribution: &str) -> String {
    let install = match std::env::consts::OS {
        "macos" => return "The macOS keychain does not answer. Open Keychain Access, check that the login keychain exists, and try again.".into(),
        "windows" => return "The Windows Credential Manager does not answer. Check that the service \"Credential Manager\" runs, and try again.".into(),
        _ if ["debian", "ubuntu"].iter().any(|id| distribution.contains(id)) => "sudo apt install gnome-keyring",
        _ if ["fedora", "rhel"].iter().any(|id| distribution.contains(id)) => "sudo dnf install gnome-keyring",
        _ if distribution.contains("suse") => "sudo zypper install gnome-keyring",
        _ if distribution.contains("arch") => "sudo pacman -S gnome-keyring",
        _ => "install gnome-keyring, KWallet or KeePassXC",
    };
    format!(
        "This system has no keyring that answers (no Secret Service on the session bus). Install one \
         ({install}), sign in to the desktop again and restart Bordereau."
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn help_is_in_the_words_of_the_distribution() {
        let cases = [
            ("ID=debian", "apt install"),
            ("ID=ubuntuID_LIKE=debian", "apt install"),
            ("ID=fedora", "dnf install"),
            ("ID=opensuse-leap", "zypper install"),
            ("ID=arch", "pacman -S"),
            ("", "KeePassXC"),
        ];
        for (id, expected) in cases {
            assert!(unavailable_help(id).contains(expected), "{id}");
        }
    }

    /// Items shared between processes, like a keychain's.
    #[derive(Clone, Default)]
    struct SharedItems(Arc<Mutex<HashMap<String, String>>>);

    impl KeychainItems for SharedItems {
        fn read_item(&self, name: &str) -> Result<Option<SecretText>, SecretsError> {
            let found = self.0.lock().get(name).cloned().map(SecretText::new);
            // As slow as a keychain: without a lock another process gets in between.
            std::thread::sleep(std::time::Duration::from_micros(100));
            Ok(found)
        }

        fn write_item(&self, name: &str, text: &str) -> Result<(), SecretsError> {
            self.0.lock().insert(name.to_owned(), text.to_owned());
            Ok(())
        }

        fn remove_item(&self, name: &str) -> Result<(), SecretsError> {
            self.0.lock().remove(name);
            Ok(())
        }
    }

    /// The window renews a sign-in while the command line stores keys: two processes, each with its own lock.
    #[test]
    fn two_processes_that_change_one_profile_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let items = SharedItems::default();
        let process = || KeychainSecrets::with_items(items.clone(), folder.path());
        std::thread::scope(|scope| {
            for name in [SecretName::ApiKey, SecretName::RefreshToken, SecretName::FollowToken] {
                let secrets = process();
                scope.spawn(move || {
                    for turn in 0..100 {
                        let text = turn.to_string();
                        secrets.set_secret("p", name, Some(&text)).unwrap();
                        assert_eq!(secrets.get("p", name).unwrap().unwrap().as_str(), text);
                    }
                });
            }
        });
        assert_eq!(process().get("p", SecretName::RefreshToken).unwrap().unwrap().as_str(), "99");
    }

    #[test]
    fn a_token_that_another_process_replaced_is_not_removed() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = KeychainSecrets::with_items(SharedItems::default(), folder.path());
        let held = || secrets.get("p", SecretName::RefreshToken).unwrap().map(|text| text.to_string());
        secrets.set_secret("p", SecretName::RefreshToken, Some("new")).unwrap();
        secrets.remove_secret("p", SecretName::RefreshToken, "old").unwrap();
        assert_eq!(held().as_deref(), Some("new"));
        secrets.remove_secret("p", SecretName::RefreshToken, "new").unwrap();
        assert_eq!(held(), None);
    }

    #[test]
    fn after_consent_secrets_stay_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = KeychainSecrets::new(folder.path());
        assert_eq!(secrets.use_memory().kind, SecretsKind::Memory);
        secrets.set_secret("p", SecretName::ApiKey, Some("key")).unwrap();
        assert_eq!(secrets.get("p", SecretName::ApiKey).unwrap().unwrap().as_str(), "key");
        assert_eq!(secrets.secrets_status().kind, SecretsKind::Memory);
        secrets.remove_all("p").unwrap();
        assert!(secrets.get("p", SecretName::ApiKey).unwrap().is_none());
    }
}
