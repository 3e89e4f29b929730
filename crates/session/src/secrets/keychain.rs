//! The operating system's keychain: Keychain Services, Credential Manager, Secret Service.

use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use keyring::{Entry, Error};

use super::envelope::SecretEnvelope;
use super::item_parts::{self, KeychainItems};
use super::{MemorySecrets, SecretName, SecretStore, SecretText, SecretsError};
use bordereau_api::{SecretsKind, SecretsStatus};

/// The name under which items stand in the keychain; debug builds keep apart from the installed product.
const SERVICE: &str = if cfg!(debug_assertions) { "Bordereau.dev" } else { "Bordereau" };

/// Secrets in the keychain, one text per profile; in memory once the person agreed to that.
///
/// The keychain is looked for at first use, never at start. Which keychain there is, the `keyring` crate
/// decides once per process: after installing one, the application is started again.
#[derive(Default)]
pub struct KeychainSecrets {
    memory: MemorySecrets,
    in_memory: AtomicBool,
    /// Reading, changing and writing an item is one step.
    changing: Mutex<()>,
}

impl KeychainSecrets {
    /// Not yet looked at.
    pub fn new() -> Self {
        Self::default()
    }

    fn is_in_memory(&self) -> bool {
        self.in_memory.load(Ordering::Acquire)
    }

    fn read(profile: &str) -> Result<Option<SecretEnvelope>, SecretsError> {
        let text = item_parts::read_text(&SystemItems, profile)?;
        text.map(|text| SecretEnvelope::parse(&text)).transpose()
    }
}

/// The entries of the system's keychain.
struct SystemItems;

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

impl SecretStore for KeychainSecrets {
    fn get(&self, profile: &str, name: SecretName) -> Result<Option<SecretText>, SecretsError> {
        if self.is_in_memory() {
            return self.memory.get(profile, name);
        }
        Ok(Self::read(profile)?.and_then(|envelope| envelope.get(name)))
    }

    fn set_secret(&self, profile: &str, name: SecretName, secret: Option<&str>) -> Result<(), SecretsError> {
        if self.is_in_memory() {
            return self.memory.set_secret(profile, name, secret);
        }
        let _step = self.changing.lock();
        // A damaged item is replaced: that is what its message tells the person to do.
        let mut envelope = match Self::read(profile) {
            Err(SecretsError::Damaged) => SecretEnvelope::default(),
            other => other?.unwrap_or_default(),
        };
        envelope.set_secret(name, secret);
        if envelope.is_empty() {
            return item_parts::remove_text(&SystemItems, profile);
        }
        item_parts::write_text(&SystemItems, profile, &envelope.to_item()?)
    }

    fn remove_all(&self, profile: &str) -> Result<(), SecretsError> {
        if self.is_in_memory() {
            return self.memory.remove_all(profile);
        }
        let _step = self.changing.lock();
        item_parts::remove_text(&SystemItems, profile)
    }

    fn secrets_status(&self) -> SecretsStatus {
        if self.is_in_memory() {
            return self.memory.secrets_status();
        }
        // Reading an item that is not there shows whether the keychain answers and is unlocked.
        match Self::read("status") {
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

/// Errors of the keychain carry no secret, but may carry names of items: only their kind is told.
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

/// How to get a keychain, in the words of the system at hand.
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

    #[test]
    fn after_consent_secrets_stay_in_memory() {
        let secrets = KeychainSecrets::new();
        assert_eq!(secrets.use_memory().kind, SecretsKind::Memory);
        secrets.set_secret("p", SecretName::ApiKey, Some("key")).unwrap();
        assert_eq!(secrets.get("p", SecretName::ApiKey).unwrap().unwrap().as_str(), "key");
        assert_eq!(secrets.secrets_status().kind, SecretsKind::Memory);
        secrets.remove_all("p").unwrap();
        assert!(secrets.get("p", SecretName::ApiKey).unwrap().is_none());
    }
}
