//! The key of a data folder, and what is derived from it: a key for pages of databases, a key for files, and the
//! name by which an encrypted file says which key opens it.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use ring::hmac;
use zeroize::Zeroizing;

use crate::seal::{KEY_BYTES, SealKey};

/// Purposes that keys are derived for. Final: what was encrypted is opened with the same.
const FOR_PAGES: &[u8] = b"Bordereau pages 1";
const FOR_FILES: &[u8] = b"Bordereau files 1";
const FOR_NAME: &[u8] = b"Bordereau key name 1";
const NAME_BYTES: usize = 16;

/// What a database that is not encrypted begins with.
const PLAIN_HEAD: &[u8; NAME_BYTES] = b"SQLite format 3\0";
/// What the cipher leaves as it is of the head, behind the size of a page and whether there is a log: of each page 64
/// bytes are the cipher's.
const CIPHER_HEAD: [u8; 4] = [64, 64, 32, 32];
const PAGE_SIZES: std::ops::RangeInclusive<u16> = 1_024..=32_768;

/// The key of a data folder, wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct DataKey(SealKey);

impl fmt::Debug for DataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DataKey({})", self.key_name())
    }
}

/// Which key opens a file. Says nothing about the key itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyName([u8; NAME_BYTES]);

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// How a database lies on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileForm {
    /// There is none, or nothing in it.
    Absent,
    /// Not encrypted.
    Plain,
    /// Encrypted with the key of this name.
    Encrypted(KeyName),
}

impl DataKey {
    /// Of these bytes.
    pub fn new(key: SealKey) -> DataKey {
        DataKey(key)
    }

    /// What backups are sealed with.
    pub fn seal_key(&self) -> &SealKey {
        &self.0
    }

    /// The name by which files say that this key opens them.
    pub fn key_name(&self) -> KeyName {
        let derived = self.derive(FOR_NAME);
        KeyName(std::array::from_fn(|at| derived.get(at).copied().unwrap_or_default()))
    }

    /// What files beside the database are sealed with.
    pub fn file_key(&self) -> SealKey {
        self.derive(FOR_FILES)
    }

    /// What SQLite takes: the key of the pages, and the name of this key for the head of the file.
    pub fn page_key(&self) -> Zeroizing<String> {
        let key = self.derive(FOR_PAGES);
        let mut text = Zeroizing::new(String::with_capacity(4 + 2 * (KEY_BYTES + NAME_BYTES)));
        text.push_str("raw:");
        for byte in key.iter().chain(&self.key_name().0) {
            for digit in [byte >> 4, byte & 15] {
                text.extend(char::from_digit(u32::from(digit), 16));
            }
        }
        text
    }

    /// HMAC-SHA256 of the purpose: the key is random, so what comes out is as good as random, and says nothing of it.
    fn derive(&self, purpose: &[u8]) -> SealKey {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, self.0.as_slice()), purpose);
        let mut key = SealKey::new([0; KEY_BYTES]);
        key.iter_mut().zip(tag.as_ref()).for_each(|(byte, derived)| *byte = *derived);
        key
    }
}

/// How a database lies on the disk, by its head. Never of one that this process has open: closing the file that was read
/// takes away every lock this process has on it (POSIX), and another process that ends would remove the log under it.
pub fn file_form(path: &Path) -> io::Result<FileForm> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FileForm::Absent),
        found => found?,
    };
    // A pipe would wait for whoever writes into it.
    if !found.is_file() {
        return Err(io::Error::other("its data file is a folder, a device or a pipe, not a file"));
    }
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    file.by_ref().take(24).read_to_end(&mut head)?;
    let Some((name, rest)) = head.split_first_chunk::<NAME_BYTES>() else {
        return Ok(if head.is_empty() { FileForm::Absent } else { FileForm::Plain });
    };
    let is_page = rest.first_chunk().is_some_and(|size| {
        let size = u16::from_be_bytes(*size);
        PAGE_SIZES.contains(&size) && size.is_power_of_two()
    });
    let is_encrypted = name != PLAIN_HEAD && is_page && rest.get(4..).is_some_and(|rest| rest == CIPHER_HEAD);
    Ok(if is_encrypted { FileForm::Encrypted(KeyName(*name)) } else { FileForm::Plain })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_a_name_and_keys_that_differ() {
        let key = DataKey::new(SealKey::new(std::array::from_fn(|at| at as u8)));
        // Final: files that were encrypted with them are opened with them.
        assert_eq!(key.key_name().to_string(), "ef430fb3278ee08c3d9f8e0f2724ac44");
        assert_eq!(&key.page_key()[..20], "raw:a4d6dd02e68bd263");
        assert_ne!(key.file_key(), *key.seal_key());
        assert!(!format!("{key:?}").contains("00010203"));
    }
}
