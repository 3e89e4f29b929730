//! Keys, tokens and passwords: made here, shown once, kept only as hashes.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::TryRngCore;
use rand::rngs::OsRng;
use sha2::{Digest, Sha256};

/// SHA-256, hexadecimal: under it a key or token is kept. They carry 256 random bits, so a slow hash would add nothing.
pub(crate) fn hash(secret: impl AsRef<[u8]>) -> String {
    format!("{:x}", Sha256::digest(secret))
}

/// Random bytes from the operating system.
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0u8; N];
    OsRng.try_fill_bytes(&mut bytes).expect("the operating system delivers random bytes");
    bytes
}

/// A fresh id of 32 hexadecimal digits.
pub(crate) fn generate_id() -> String {
    format!("{:032x}", u128::from_be_bytes(random_bytes()))
}

/// A fresh secret with 256 random bits: `bdk_` for API keys, `bda_` access, `bdr_` refresh tokens.
pub(crate) fn generate_secret(prefix: &str) -> String {
    format!("{prefix}{}", URL_SAFE_NO_PAD.encode(random_bytes::<32>()))
}

/// A fresh password of 120 random bits that can be typed.
pub(crate) fn generate_password() -> String {
    URL_SAFE_NO_PAD.encode(random_bytes::<15>())
}

/// A fresh account id.
pub(crate) fn generate_account_id() -> String {
    let bytes = random_bytes::<6>();
    let number = bytes.iter().fold(0u64, |n, byte| (n << 8) | u64::from(*byte));
    format!("acc-{number:012x}")
}

/// Argon2id hash of a password as a PHC string. Takes tens of milliseconds: keep it off the async threads.
///
/// # Errors
/// When the password cannot be hashed (longer than argon2 allows).
pub(crate) fn hash_password(password: &str) -> Result<String, String> {
    let hash: PasswordHash =
        Argon2::default().hash_password(password.as_bytes()).map_err(|e| e.to_string())?;
    Ok(hash.to_string())
}

/// Whether the password is the one hashed. Takes tens of milliseconds: keep it off the async threads.
pub(crate) fn verify_password(password: &str, phc: &str) -> bool {
    PasswordHash::new(phc)
        .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}
