//! Secrets that have to be used again, and so cannot be kept as hashes: sealed with a key of the data
//! folder, which lies beside the database and not in it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use bordereau_sealing::private_files::replace_private_file;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::data_dir::{DataDir, write_whole};
use crate::{StartError, secrets};

/// File of the key in the data directory.
const KEY_FILE: &str = "webhooks.key";
const KEY_BYTES: usize = 32;

/// Seals and opens secrets.
pub(crate) struct SecretSealer(LessSafeKey);

impl SecretSealer {
    /// The key of the data directory, made on first use; without a directory it lives as long as the process.
    pub(crate) fn open(dir: Option<&DataDir>) -> Result<SecretSealer, StartError> {
        let fresh = secrets::random_bytes::<KEY_BYTES>();
        let Some(dir) = dir else { return SecretSealer::new(&fresh) };
        let path = dir.file_path(KEY_FILE);
        match std::fs::read(&path) {
            Ok(bytes) => SecretSealer::new(&bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                write_whole(&path, &fresh, replace_private_file)?;
                SecretSealer::new(&fresh)
            }
            Err(source) => Err(StartError::File { action: "cannot read", path, source }),
        }
    }

    fn new(bytes: &[u8]) -> Result<SecretSealer, StartError> {
        let key = UnboundKey::new(&AES_256_GCM, bytes).map_err(|_| {
            StartError::Webhooks(format!("the file {KEY_FILE} does not hold a key of {KEY_BYTES} bytes"))
        })?;
        Ok(SecretSealer(LessSafeKey::new(key)))
    }

    /// Seals a secret; it opens only for the same owner.
    pub(crate) fn seal_secret(&self, owner: &str, secret: &str) -> Result<String, String> {
        let nonce = secrets::random_bytes::<NONCE_LEN>();
        let mut bytes = secret.as_bytes().to_vec();
        self.0
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(owner.as_bytes()),
                &mut bytes,
            )
            .map_err(|_| "a secret cannot be sealed".to_owned())?;
        let mut sealed = nonce.to_vec();
        sealed.append(&mut bytes);
        Ok(STANDARD_NO_PAD.encode(sealed))
    }

    /// Opens a sealed secret; `None` if the key or the owner is another one.
    pub(crate) fn open_sealed(&self, owner: &str, sealed: &str) -> Option<String> {
        let bytes = STANDARD_NO_PAD.decode(sealed).ok()?;
        let (nonce, rest) = bytes.split_at_checked(NONCE_LEN)?;
        let mut rest = rest.to_vec();
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let opened = self.0.open_in_place(nonce, Aad::from(owner.as_bytes()), &mut rest).ok()?;
        String::from_utf8(opened.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_opens_for_its_owner_only() -> Result<(), Box<dyn std::error::Error>> {
        let sealer = SecretSealer::open(None)?;
        let sealed = sealer.seal_secret("a", "secret")?;
        assert!(!sealed.contains("secret"));
        assert_ne!(sealed, sealer.seal_secret("a", "secret")?);
        assert_eq!(sealer.open_sealed("a", &sealed).as_deref(), Some("secret"));
        assert_eq!(sealer.open_sealed("b", &sealed), None);
        assert_eq!(SecretSealer::open(None)?.open_sealed("a", &sealed), None);
        for broken in ["", "x", "AAAA"] {
            assert_eq!(sealer.open_sealed("a", broken), None);
        }
        Ok(())
    }
}
