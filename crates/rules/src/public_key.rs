//! Keys that packs are checked with.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::{Deserialize, Deserializer};

const KEY_BYTES: usize = 32;

/// The public part of an Ed25519 key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(pub(crate) [u8; KEY_BYTES]);

/// It is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an Ed25519 public key is expected: 32 bytes in Base64, 44 characters")]
pub struct KeyProblem;

impl PublicKey {
    /// Whether the signature, in Base64, is this key's over exactly these bytes.
    #[must_use]
    pub fn has_signed(&self, message: &[u8], signature: &str) -> bool {
        let signature = BASE64.decode(signature).unwrap_or_default();
        UnparsedPublicKey::new(&ED25519, self.0).verify(message, &signature).is_ok()
    }
}

impl FromStr for PublicKey {
    type Err = KeyProblem;

    fn from_str(text: &str) -> Result<PublicKey, KeyProblem> {
        let bytes = BASE64.decode(text.trim()).map_err(|_| KeyProblem)?;
        bytes.try_into().map(PublicKey).map_err(|_| KeyProblem)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64.encode(self.0))
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PublicKey, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The project's own keys that were given when the program was built; often none.
#[must_use]
pub fn project_keys() -> Vec<PublicKey> {
    read_keys(include_str!("../project-keys.txt"))
}

/// One key in a line; a line that begins with `#` is a remark.
#[must_use]
pub fn read_keys(text: &str) -> Vec<PublicKey> {
    let is_key = |line: &&str| !line.is_empty() && !line.starts_with('#');
    text.lines().map(str::trim).filter(is_key).filter_map(|line| line.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_projects_keys_is_a_key_or_a_remark() {
        let lines = include_str!("../project-keys.txt").lines().map(str::trim);
        let keys = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        assert_eq!(project_keys().len(), keys);
        assert_eq!(
            read_keys(&format!("# remark\n\n{}\nnonsense\n", PublicKey([7; 32]))),
            [PublicKey([7; 32])]
        );
    }
}
