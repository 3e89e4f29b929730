//! API keys and refresh tokens: only in the operating system's keychain, or in memory if the person agreed.
//!
//! One keychain item per profile has a small JSON envelope, so that a profile's secrets are stored and removed
//! together. An envelope larger than Windows allows for an item (2,560 bytes) is split into several.

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
    /// The secret that signs the webhook's deliveries.
    WebhookSecret,
    /// The value of the header in the webhook's deliveries.
    WebhookHeader,
    /// The token with which this desk connects to a listener.
    FollowToken,
    /// The token with which desks connect to the listener here.
    ListenToken,
    /// The key that seals backups; belongs to no profile.
    BackupKey,
    /// The password of the office's database; belongs to no profile.
    OfficePassword,
    /// This computer's key for the office's file storage; belongs to no profile.
    OfficeStorageKey,
}

/// Why a secret couldn't be read or written. No variant contains the secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretsError {
    /// No keychain answers; the text says how to get one.
    #[error("{0}")]
    Unavailable(String),
    /// The keychain is there but locked.
    #[error("{0}")]
    Locked(String),
    /// Larger than all entries of a keychain together may be.
    #[error("the secrets of this profile are larger than a keychain entry may be ({bytes} of {limit} bytes)")]
    TooLarge {
        /// Bytes needed, as UTF-16.
        bytes: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// The profile's item wasn't written by Bordereau.
    #[error("the keychain entry of this profile cannot be read; set the key or sign in again to replace it")]
    Damaged,
}

/// Storage for secrets. Calls may block on a prompt of the system: the desk makes them on a separate thread, with a
/// timeout.
pub trait SecretStore: Send + Sync {
    /// The secret, or `None` when there is none.
    ///
    /// # Errors
    /// [`SecretsError`] when the keychain doesn't answer or is locked.
    fn get(&self, profile: &str, name: SecretName) -> Result<Option<SecretText>, SecretsError>;

    /// Stores the secret, or removes it with `None`.
    ///
    /// # Errors
    /// [`SecretsError`] when the keychain doesn't answer, is locked, or the item would be too large.
    fn set_secret(&self, profile: &str, name: SecretName, secret: Option<&str>) -> Result<(), SecretsError>;

    /// Removes the secret if it is still this one: another process may have replaced it.
    ///
    /// # Errors
    /// As [`SecretStore::set_secret`].
    fn remove_secret(&self, profile: &str, name: SecretName, current: &str) -> Result<(), SecretsError>;

    /// Removes all secrets of a profile; none is fine.
    ///
    /// # Errors
    /// [`SecretsError`] when the keychain doesn't answer or is locked.
    fn remove_all(&self, profile: &str) -> Result<(), SecretsError>;

    /// Whether calls never block: then they need no separate thread.
    fn is_instant(&self) -> bool {
        false
    }

    /// Whether the keychain answers; checked on each call, not at start.
    fn secrets_status(&self) -> SecretsStatus;

    /// The person agrees to keep secrets in memory for this run.
    fn use_memory(&self) -> SecretsStatus;
}
