//! Making a pack: whoever has the key signs the rules that this program was built with.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bordereau_calendar::Calendar;
use bordereau_contract::Jurisdiction;
use bordereau_tax::RuleBook;
use ring::signature::{Ed25519KeyPair, KeyPair};

use crate::pack::{FIRST_LINE, PackPayload, signed_bytes};
use crate::{PublicKey, RULES_ENGINE, RuleSet};

const PEM_BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const PEM_END: &str = "-----END PRIVATE KEY-----";
/// What is before the seed in an Ed25519 key (RFC 8410).
const PKCS8_HEAD: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/// A key that packs are signed with.
pub struct SigningKey(Ed25519KeyPair);

/// It is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an Ed25519 private key in PEM form is expected (BEGIN PRIVATE KEY)")]
pub struct SigningKeyProblem;

impl SigningKey {
    /// The key of 32 random bytes as PEM text, for a file that only its owner reads.
    #[must_use]
    pub fn pem_of_seed(seed: [u8; 32]) -> String {
        format!("{PEM_BEGIN}\n{}\n{PEM_END}\n", BASE64.encode([&PKCS8_HEAD[..], &seed].concat()))
    }

    /// Reads a key as [`SigningKey::pem_of_seed`] or OpenSSL writes it.
    ///
    /// # Errors
    /// [`SigningKeyProblem`] for any other text.
    pub fn from_pem(text: &str) -> Result<SigningKey, SigningKeyProblem> {
        let inner = text.trim().strip_prefix(PEM_BEGIN).and_then(|rest| rest.strip_suffix(PEM_END));
        let inner: String = inner.unwrap_or_default().split_whitespace().collect();
        let bytes = BASE64.decode(inner).map_err(|_| SigningKeyProblem)?;
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&bytes);
        pair.map(SigningKey).map_err(|_| SigningKeyProblem)
    }

    /// A signature over these bytes, in Base64.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> String {
        BASE64.encode(self.0.sign(message))
    }

    /// Its public part.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(self.0.public_key().as_ref());
        PublicKey(bytes)
    }
}

/// The built-in rules as a pack.
///
/// # Panics
/// Never: what a pack holds can always be written as JSON.
#[must_use]
pub fn sign_builtin_rules(key: &SigningKey) -> Vec<u8> {
    let payload = PackPayload {
        version: RuleSet::builtin().version(),
        engine: u64::from(RULES_ENGINE),
        tax: RuleBook::builtin_files().into_iter().map(to_owned).collect(),
        calendar: Calendar::builtin_files().into_iter().map(to_owned).collect(),
        changes: bordereau_tax::BUILTIN_CHANGES.to_owned(),
        examples: bordereau_tax::BUILTIN_EXAMPLES.to_owned(),
    };
    sign_payload(&serde_json::to_vec(&payload).expect("texts and numbers are JSON"), key)
}

fn to_owned((state, text): (Jurisdiction, &str)) -> (Jurisdiction, String) {
    (state, text.to_owned())
}

/// A pack with this content, whatever it is: what is in it is checked by who takes it.
#[must_use]
pub fn sign_payload(payload: &[u8], key: &SigningKey) -> Vec<u8> {
    let signature = key.sign(&signed_bytes(payload));
    let head = format!("{FIRST_LINE}\nkey {}\nsignature {signature}\n", key.public_key());
    [head.as_bytes(), payload].concat()
}
