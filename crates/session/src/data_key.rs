//! The key of the data folder: in the keychain or in a key file. Made where a new folder can be encrypted.
//!
//! A person has one key for the backups and all their data folders, with one recovery key. A folder from another
//! computer has that computer's key, which the keychain stores under another name.

use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_api::{BoundaryError, ErrorCode, SecretsKind, SecretsStatus};
use bordereau_store::data_key::{DataKey, FileForm};
use bordereau_store::encryption::{FormChange, folder_form, requested_change};
use bordereau_store::seal::{SealKey, new_key};
use zeroize::Zeroizing;

use crate::backup::parse_key;
use crate::files::read_chosen;
use crate::secrets::{AsyncSecrets, SecretName, SecretStore, SecretText, SecretsError};

/// Name of the key in the keychain.
const KEYCHAIN_ENTRY: &str = "backups";
/// Larger than any key file.
const KEY_FILE_BYTES: u64 = 16 * 1024;

/// The key to open a folder with. `None` for a folder that isn't encrypted, and for a new one without a keychain
/// that keeps a key.
///
/// # Errors
/// [`ErrorCode::DataKeyMissing`] where the folder is encrypted and its key can't be reached.
pub(crate) fn find_folder_key(
    folder: &Path,
    secrets: &AsyncSecrets,
) -> Result<Option<DataKey>, BoundaryError> {
    // The store itself reports what it can't read.
    match folder_form(folder).unwrap_or(FileForm::Plain) {
        FileForm::Encrypted(name) => find_named(secrets, &name.to_string()).map(Some),
        FileForm::Absent => Ok(find_or_make(secrets)),
        FileForm::Plain => Ok(match requested_change(folder) {
            Some(FormChange::Encrypt(name)) => find_named(secrets, &name).ok(),
            Some(FormChange::Decrypt) | None => None,
        }),
    }
}

fn find_named(secrets: &AsyncSecrets, name: &str) -> Result<DataKey, BoundaryError> {
    let missing = |why: &str| {
        let message = format!(
            "This data folder is encrypted, and {why}. Nothing was changed. The recovery key of this folder opens it."
        );
        BoundaryError::with_code(ErrorCode::DataKeyMissing, message)
    };
    let mut others = 0;
    for entry in [KEYCHAIN_ENTRY.to_owned(), entry_of(name)] {
        match secrets.get_blocking(&entry, SecretName::BackupKey) {
            Ok(Some(text)) => match decode_key(&text).filter(|key| key.key_name().to_string() == name) {
                Some(key) => return Ok(key),
                None => others += 1,
            },
            Ok(None) => {}
            Err(error) => {
                return Err(missing(&format!(
                    "its key can't be read: {}",
                    error.to_string().trim_end_matches('.')
                )));
            }
        }
    }
    Err(missing(if others > 0 { "the key that is here is another one" } else { "its key isn't here" }))
}

/// The key for a new folder.
fn find_or_make(secrets: &AsyncSecrets) -> Option<DataKey> {
    let find = || secrets.get_blocking(KEYCHAIN_ENTRY, SecretName::BackupKey);
    // A key that can't be read now may exist: a new one would replace and lose it.
    if let Some(found) = find().ok()? {
        return decode_key(&found);
    }
    if secrets.status_blocking().kind != SecretsKind::Keychain {
        return None;
    }
    let text = encode_key(&new_key().ok()?);
    secrets.set_blocking(KEYCHAIN_ENTRY, SecretName::BackupKey, text).ok()?;
    // Use only what the keychain returns.
    find().ok().flatten().and_then(|text| decode_key(&text))
}

/// The key in the keychain, off the asynchronous threads; made if missing and `is_made`.
pub(crate) async fn keychain_key(secrets: &AsyncSecrets, is_made: bool) -> Option<DataKey> {
    // A key that can't be read now may exist: a new one would replace and lose it.
    if let Some(found) = secrets.get(KEYCHAIN_ENTRY, SecretName::BackupKey).await.ok()? {
        return decode_key(&found);
    }
    if !is_made || secrets.secrets_status().await.kind != SecretsKind::Keychain {
        return None;
    }
    let text = encode_key(&new_key().ok()?);
    secrets.set_secret(KEYCHAIN_ENTRY, SecretName::BackupKey, Some(text)).await.ok()?;
    decode_key(&secrets.get(KEYCHAIN_ENTRY, SecretName::BackupKey).await.ok()??)
}

fn entry_of(name: &str) -> String {
    format!("data-{name}")
}

fn encode_key(key: &SealKey) -> SecretText {
    SecretText::new(STANDARD.encode(key.as_slice()))
}

fn decode_key(text: &str) -> Option<DataKey> {
    let bytes = Zeroizing::new(STANDARD.decode(text.as_bytes()).ok()?);
    <[u8; 32]>::try_from(bytes.as_slice()).ok().map(|key| DataKey::new(Zeroizing::new(key)))
}

/// Secrets with the data folder's key from a file, for programs without a keychain; all other secrets stay where
/// they were.
pub struct KeyFileSecrets {
    inner: Arc<dyn SecretStore>,
    key: SecretText,
    name: String,
}

/// How a key file is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFileUse {
    /// Stays in place for unattended commands: nobody else may read it.
    Unattended,
    /// Chosen once by a person.
    Chosen,
}

impl KeyFileSecrets {
    /// Reads a key file, in the form in which the recovery key is saved.
    ///
    /// # Errors
    /// [`ErrorCode::DataKeyMissing`] where it can't be read, has no key, or others can read it.
    pub fn open(
        inner: Arc<dyn SecretStore>,
        path: &Path,
        usage: KeyFileUse,
    ) -> Result<KeyFileSecrets, BoundaryError> {
        let refused = |why: &str| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let message = format!("The key file \"{name}\" isn't used: {why}.");
            BoundaryError::with_code(ErrorCode::DataKeyMissing, message)
        };
        if usage == KeyFileUse::Unattended && others_can_read(path) {
            return Err(refused("others can read it. Give it mode 0600"));
        }
        let bytes = Zeroizing::new(read_chosen(path, KEY_FILE_BYTES).map_err(|why| refused(&why))?);
        let key = parse_key(&String::from_utf8_lossy(&bytes));
        let key = key.ok_or_else(|| refused("it holds no recovery key, or one with a wrong character"))?;
        let name = DataKey::new(key.clone()).key_name().to_string();
        Ok(KeyFileSecrets { inner, key: encode_key(&key), name })
    }

    /// Stores the key in the keychain, so that the file isn't needed next time.
    ///
    /// # Errors
    /// [`SecretsError`] where no keychain answers.
    pub fn remember_key(&self) -> Result<(), SecretsError> {
        let entry = match self.inner.get(KEYCHAIN_ENTRY, SecretName::BackupKey)? {
            None => KEYCHAIN_ENTRY.to_owned(),
            Some(_) => entry_of(&self.name),
        };
        self.inner.set_secret(&entry, SecretName::BackupKey, Some(&self.key))
    }

    fn is_its_key(&self, profile: &str, name: SecretName) -> bool {
        profile == KEYCHAIN_ENTRY && name == SecretName::BackupKey
    }
}

impl SecretStore for KeyFileSecrets {
    fn get(&self, profile: &str, name: SecretName) -> Result<Option<SecretText>, SecretsError> {
        if self.is_its_key(profile, name) {
            Ok(Some(self.key.clone()))
        } else {
            self.inner.get(profile, name)
        }
    }

    fn set_secret(&self, profile: &str, name: SecretName, secret: Option<&str>) -> Result<(), SecretsError> {
        self.inner.set_secret(profile, name, secret)
    }

    fn remove_secret(&self, profile: &str, name: SecretName, current: &str) -> Result<(), SecretsError> {
        self.inner.remove_secret(profile, name, current)
    }

    fn remove_all(&self, profile: &str) -> Result<(), SecretsError> {
        self.inner.remove_all(profile)
    }

    fn is_instant(&self) -> bool {
        self.inner.is_instant()
    }

    fn secrets_status(&self) -> SecretsStatus {
        self.inner.secrets_status()
    }

    fn use_memory(&self) -> SecretsStatus {
        self.inner.use_memory()
    }
}

/// Whether others on this computer can read a file.
#[cfg(unix)]
pub fn others_can_read(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0)
}

/// On Windows its folder protects it.
#[cfg(not(unix))]
pub fn others_can_read(_path: &Path) -> bool {
    false
}
