//! Secrets for unattended use, from environment variables, or from files that these name.

use std::env::VarError;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_desk::api::{BoundaryError, ErrorCode};
use bordereau_desk::files::read_chosen;
use bordereau_desk::workspace::KEYCHAIN_ENTRY;
use bordereau_desk::{
    KeyFileSecrets, KeyFileUse, KeychainSecrets, MemorySecrets, SecretName, SecretStore, others_can_read,
};

use crate::find_key_file;

/// The API key.
pub const KEY_VARIABLE: &str = "BORDEREAU_API_KEY";
/// The password.
pub const PASSWORD_VARIABLE: &str = "BORDEREAU_PASSWORD";
/// The password of the office database.
pub const OFFICE_PASSWORD_VARIABLE: &str = "BORDEREAU_WORKSPACE_PASSWORD";
/// The key of this computer for the file storage of the office.
pub const FILES_KEY_VARIABLE: &str = "BORDEREAU_FILES_KEY";

/// A variable of the same name with this behind it names a file that has the secret: what the system unsealed for a
/// unit, or mounted for a container (docs/decisions/0065).
const OF_FILE: &str = "_FILE";
/// Bytes of such a file.
const SECRET_FILE_BYTES: u64 = 16 * 1024;

/// The variable, or what is in the file that the variable with `_FILE` behind it names; `None` when neither is set.
///
/// # Errors
/// [`ErrorCode::NoCredentials`], or [`ErrorCode::Office`] for the office's secrets, where it is not readable text, both
/// are set, or the file is empty, can't be read, or can be read by others.
pub fn from_environment(variable: &str) -> Result<Option<String>, BoundaryError> {
    let of_file = format!("{variable}{OF_FILE}");
    // What to do about a profile's key says nothing of the office's secrets.
    let code = match variable {
        OFFICE_PASSWORD_VARIABLE | FILES_KEY_VARIABLE => ErrorCode::Office,
        _ => ErrorCode::NoCredentials,
    };
    let refused = |message: String| BoundaryError::with_code(code, message);
    let read = |variable: &str| read_variable(variable).map_err(refused);
    let (secret, file) = (read(variable)?, read(&of_file)?);
    match (secret, file) {
        (secret, None) => Ok(secret),
        (Some(_), Some(_)) => {
            Err(refused(format!("{variable} and {of_file} are both set. Set one of them.")))
        }
        (None, Some(file)) => read_secret_file(Path::new(&file))
            .map(Some)
            .map_err(|why| refused(format!("{of_file} names a file that isn't used: {why}."))),
    }
}

fn read_variable(variable: &str) -> Result<Option<String>, String> {
    match std::env::var(variable) {
        Ok(text) => Ok(Some(text).filter(|text| !text.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(format!("{variable} is not readable text.")),
    }
}

/// The text of a file that only its owner can read, without the line break that editors put at its end.
fn read_secret_file(path: &Path) -> Result<String, String> {
    if others_can_read(path) {
        return Err("others can read it. Give it mode 0600".to_owned());
    }
    let bytes = read_chosen(path, SECRET_FILE_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not readable text".to_owned())?;
    match text.trim_end_matches(['\r', '\n']) {
        "" => Err("it is empty".to_owned()),
        secret => Ok(secret.to_owned()),
    }
}

/// The secrets of a data folder: in the keychain, with the folder's key from this file if one is named; or in memory
/// for this run, if the environment has any.
///
/// # Errors
/// Errors of [`from_environment`] and of the key file.
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
