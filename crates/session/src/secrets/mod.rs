//! API keys and refresh tokens: in the operating system's keychain only, or in memory by agreement.
//!
//! One keychain item per profile holds a small JSON envelope, so that a profile's secrets come and go
//! together; what is larger than an item of Windows may be (2,560 bytes) is kept in several.

mod async_secrets;
mod envelope;
mod item_parts;
mod keychain;
mod memory;

use zeroize::Zeroizing;

pub use async_secrets::AsyncSecrets;
pub use keychain::KeychainSecrets;
pub use memory::MemorySecrets;

use bordereau_api::SecretsStatus;

/// A text that is wiped from memory when dropped.
pub type SecretText = Zeroizing<String>;

/// Which secret of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecretName {
    /// The key for the header `apiKey`.
    ApiKey,
    /// The refresh token of a sign-in.
    RefreshToken,
    /// What deliveries of the webhook are signed with.
    WebhookSecret,
    /// The value of the header that deliveries show.
    WebhookHeader,
    /// What the listener lets this desk in with.
    FollowToken,
    /// What a listener here lets desks in with.
    ListenToken,
    /// What backups are sealed with; of no profile.
    BackupKey,
    /// The password of the office's database; of no profile.
    OfficePassword,
    /// This computer's key for the file storage of the office; of no profile.
    OfficeStorageKey,
}

/// Why a secret could not be read or written. No variant carries the secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretsError {
    /// No keychain answers; the text says how to get one.
    #[error("{0}")]
    Unavailable(String),
    /// The keychain is there but locked.
    #[error("{0}")]
    Locked(String),
    /// Larger than the entries of a keychain may be together.
    #[error("the secrets of this profile are larger than a keychain entry may be ({bytes} of {limit} bytes)")]
    TooLarge {
        /// Bytes needed, as UTF-16.
        bytes: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// The item of the profile is not what Bordereau wrote.
    #[error("the keychain entry of this profile cannot be read; set the key or sign in again to replace it")]
    Damaged,
}

/// Where secrets are kept. Calls may block on a prompt of the system: the desk makes them on a thread of
/// their own, with a timeout.
pub trait SecretStore: Send + Sync {
    /// The secret, or `None` when there is none.
    ///
    /// # Errors
    /// [`SecretsError`] when the keychain does not answer or is locked.
    fn get(&self, profile: &str, name: SecretName) -> Result<Option<SecretText>, SecretsError>;

    /// Stores the secret, or removes it with `None`.
    ///
    /// # Errors
    /// [`SecretsError`] when the keychain does not answer, is locked, or the item would be too large.
    fn set_secret(&self, profile: &str, name: SecretName, secret: Option<&str>) -> Result<(), SecretsError>;

    /// Removes the secret where it is still this one: another process may have replaced it.
    ///
    /// # Errors
    /// As [`SecretStore::set_secret`].
    fn remove_secret(&self, profile: &str, name: SecretName, current: &str) -> Result<(), SecretsError>;

    /// Removes all secrets of a profile; nothing there is fine.
    ///
    /// # Errors
    /// [`SecretsError`] when the keychain does not answer or is locked.
    fn remove_all(&self, profile: &str) -> Result<(), SecretsError>;

    /// Whether a call never waits for anybody: then it needs no thread of its own.
    fn is_instant(&self) -> bool {
        false
    }

    /// Whether the keychain answers; decided when asked, not at start.
    fn secrets_status(&self) -> SecretsStatus;

    /// The person agrees to keep secrets in memory for this run.
    fn use_memory(&self) -> SecretsStatus;
}
