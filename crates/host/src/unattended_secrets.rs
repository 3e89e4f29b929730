//! Secrets for unattended use, from environment variables.

use std::env::VarError;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_desk::api::{BoundaryError, ErrorCode};
use bordereau_desk::workspace::KEYCHAIN_ENTRY;
use bordereau_desk::{KeyFileSecrets, KeyFileUse, KeychainSecrets, MemorySecrets, SecretName, SecretStore};

use crate::find_key_file;

/// The API key.
pub const KEY_VARIABLE: &str = "BORDEREAU_API_KEY";
/// The password.
pub const PASSWORD_VARIABLE: &str = "BORDEREAU_PASSWORD";
/// The password of the office database.
pub const OFFICE_PASSWORD_VARIABLE: &str = "BORDEREAU_WORKSPACE_PASSWORD";
/// The key of this computer for the file storage of the office.
pub const FILES_KEY_VARIABLE: &str = "BORDEREAU_FILES_KEY";

/// The variable, when it is set and not empty.
///
/// # Errors
/// [`ErrorCode::Validation`] where it is not readable text.
pub fn from_environment(variable: &str) -> Result<Option<String>, BoundaryError> {
    match std::env::var(variable) {
        Ok(secret) => Ok(Some(secret).filter(|secret| !secret.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => {
            let message = format!("{variable} is not readable text.");
            Err(BoundaryError::with_code(ErrorCode::Validation, message))
        }
    }
}

/// The secrets of a data folder: in the keychain, with the folder's key from this file if one is named; or in memory
/// for this run, if the environment has any.
///
/// # Errors
/// [`ErrorCode::Validation`] for a variable; errors of the key file.
pub fn open_secrets(folder: &Path, key_file: Option<PathBuf>) -> Result<Arc<dyn SecretStore>, BoundaryError> {
    let office = [
        (SecretName::OfficePassword, from_environment(OFFICE_PASSWORD_VARIABLE)?),
        (SecretName::OfficeStorageKey, from_environment(FILES_KEY_VARIABLE)?),
    ];
    let is_unattended = office.iter().any(|(_, secret)| secret.is_some())
        || from_environment(KEY_VARIABLE)?.is_some()
        || from_environment(PASSWORD_VARIABLE)?.is_some();
    // Secrets from the environment are for this run only and must not reach a keychain.
    let secrets: Arc<dyn SecretStore> =
        if is_unattended { Arc::new(MemorySecrets::new()) } else { Arc::new(KeychainSecrets::new(folder)) };
    for (name, secret) in office {
        if let Some(secret) = secret {
            secrets.set_secret(KEYCHAIN_ENTRY, name, Some(&secret))?;
        }
    }
    Ok(match find_key_file(key_file) {
        Some(file) => Arc::new(KeyFileSecrets::open(secrets, &file, KeyFileUse::Unattended)?),
        None => secrets,
    })
}
