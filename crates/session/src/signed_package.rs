//! Packages of new versions in the list of versions: their kind, and the key and signature.

use bordereau_rules::{PublicKey, read_keys};
use serde::{Deserialize, Serialize};

use crate::policy::UpdatePolicy;

/// Largest package, in bytes.
pub const PACKAGE_BYTES_MAX: u64 = 128 * 1024 * 1024;

/// Kinds of packages, and the endings of their file names.
pub const PACKAGE_KINDS: [(&str, &str); 6] = [
    ("linux-x86_64-deb", "_amd64.deb"),
    ("linux-aarch64-deb", "_arm64.deb"),
    ("linux-x86_64-rpm", ".x86_64.rpm"),
    ("linux-aarch64-rpm", ".aarch64.rpm"),
    ("windows-x86_64-setup", "-windows-x86_64-setup.exe"),
    ("macos-universal-dmg", "_universal.dmg"),
];

/// A package of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPackage {
    /// One of [`PACKAGE_KINDS`].
    pub kind: String,
    /// Its address.
    pub address: String,
    /// Size.
    pub bytes: u64,
    /// Hexadecimal.
    pub sha256: String,
    /// Public part of the key, in Base64.
    pub key: String,
    /// Ed25519 over [`signed_text`], in Base64.
    pub signature: String,
}

/// Why a package isn't installed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackageProblem {
    /// Signed with a key that is not trusted, or not signed.
    #[error("it isn't signed with a key that is trusted here")]
    UnknownKey,
    /// The signature is of something else.
    #[error("its signature is wrong: version, kind, size or content isn't what was signed")]
    WrongSignature,
    /// Larger than any package can be.
    #[error("it is larger than {} MiB", PACKAGE_BYTES_MAX / 1024 / 1024)]
    TooLarge,
    /// The download isn't what was signed.
    #[error("its content isn't what was signed")]
    OtherContent,
}

/// The text that is signed. It has the version, so that an older package can't be listed as a newer one.
#[must_use]
pub fn signed_text(version: &str, package: &ListedPackage) -> String {
    let ListedPackage { kind, bytes, sha256, .. } = package;
    format!("bordereau-package 1\n{version}\n{kind}\n{bytes}\n{sha256}\n")
}

/// Keys that packages may be signed with: the project's own and the policy's.
#[must_use]
pub fn package_keys(policy: &UpdatePolicy) -> Vec<PublicKey> {
    let mut keys = read_keys(include_str!("../package-keys.txt"));
    keys.extend(policy.keys.iter().copied());
    keys
}

/// Checks the list's entry for a package before it is downloaded.
///
/// # Errors
/// Why it isn't installed.
pub fn verify_listing(
    version: &str,
    package: &ListedPackage,
    keys: &[PublicKey],
) -> Result<(), PackageProblem> {
    let key = keys.iter().find(|key| key.to_string() == package.key).ok_or(PackageProblem::UnknownKey)?;
    if !key.has_signed(signed_text(version, package).as_bytes(), &package.signature) {
        return Err(PackageProblem::WrongSignature);
    }
    if package.bytes > PACKAGE_BYTES_MAX { Err(PackageProblem::TooLarge) } else { Ok(()) }
}

/// Checks the download against what was signed.
///
/// # Errors
/// [`PackageProblem::OtherContent`].
pub fn verify_content(package: &ListedPackage, content: &[u8]) -> Result<(), PackageProblem> {
    let is_same = content.len() as u64 == package.bytes
        && crate::content::sha256_of(content).is_ok_and(|sum| sum == package.sha256);
    if is_same { Ok(()) } else { Err(PackageProblem::OtherContent) }
}

#[cfg(test)]
mod tests {
    use bordereau_rules::SigningKey;

    use super::*;

    fn signing_key(seed: u8) -> SigningKey {
        SigningKey::from_pem(&SigningKey::pem_of_seed([seed; 32])).unwrap()
    }

    fn signed(key: &SigningKey, version: &str, content: &[u8]) -> ListedPackage {
        let mut package = ListedPackage {
            kind: "linux-x86_64-deb".into(),
            address: "https://files.example/b.deb".into(),
            bytes: content.len() as u64,
            sha256: crate::content::sha256_of(content).unwrap(),
            key: key.public_key().to_string(),
            signature: String::new(),
        };
        package.signature = key.sign(signed_text(version, &package).as_bytes());
        package
    }

    #[test]
    fn only_what_a_trusted_key_signed_is_installed() {
        let (key, other) = (signing_key(1), signing_key(2));
        let package = signed(&key, "0.3.0", b"content");
        let keys = [key.public_key()];
        assert_eq!(verify_listing("0.3.0", &package, &keys), Ok(()));
        assert_eq!(verify_listing("0.3.0", &package, &[]), Err(PackageProblem::UnknownKey));
        assert_eq!(verify_listing("0.3.0", &package, &[other.public_key()]), Err(PackageProblem::UnknownKey));
        type ChangedPackage = (&'static str, fn(&mut ListedPackage));
        let changed: [ChangedPackage; 5] = [
            ("0.4.0", |_| {}),
            ("0.3.0", |package| package.kind = "windows-x86_64-setup".into()),
            ("0.3.0", |package| package.bytes += 1),
            ("0.3.0", |package| package.sha256 = "00".into()),
            ("0.3.0", |package| package.signature = "nonsense".into()),
        ];
        for (version, change) in changed {
            let mut package = package.clone();
            change(&mut package);
            let found = verify_listing(version, &package, &keys);
            assert_eq!(found, Err(PackageProblem::WrongSignature), "{version} {package:?}");
        }
        let mut claimed = signed(&other, "0.3.0", b"content");
        claimed.key = key.public_key().to_string();
        assert_eq!(verify_listing("0.3.0", &claimed, &keys), Err(PackageProblem::WrongSignature));
        assert_eq!(verify_content(&package, b"content"), Ok(()));
        for content in [&b"contents"[..], b"Content", b""] {
            assert_eq!(verify_content(&package, content), Err(PackageProblem::OtherContent));
        }
    }
}
