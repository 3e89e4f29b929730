//! Seals a file, so that only who has the key can read it, and every change of it shows: backups, and documents that
//! wait to be uploaded from an encrypted data folder.
//!
//! XChaCha20-Poly1305 in pieces (the STREAM construction): a file of any size takes the memory of a piece, and one
//! that ends early is not taken for a whole one.

use std::io::{self, Read, Seek, Write};

use aead_stream::{DecryptorBE32, EncryptorBE32};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305};
use rand::TryRngCore;
use rand::rngs::OsRng;
use zeroize::Zeroizing;

/// What a sealed file begins with.
type Head = [u8; 20];
const BACKUP: &Head = b"Bordereau backup 1\r\n";
const DOCUMENT: &Head = b"Bordereau sealed 1\r\n";
/// Bytes of a key.
pub const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 19;
const PIECE: usize = 64 * 1024;
const TAG: usize = 16;

/// A key, wiped when dropped.
pub type SealKey = Zeroizing<[u8; KEY_BYTES]>;

/// A fresh key.
pub fn new_key() -> io::Result<SealKey> {
    let mut key = Zeroizing::new([0; KEY_BYTES]);
    OsRng.try_fill_bytes(key.as_mut_slice()).map_err(io::Error::other)?;
    Ok(key)
}

/// Seals everything that is read as a backup.
pub fn seal_file(key: &SealKey, from: impl Read, to: impl Write) -> io::Result<()> {
    seal(BACKUP, key, from, to)
}

/// Seals everything that is read as a document.
pub fn seal_document(key: &SealKey, from: impl Read, to: impl Write) -> io::Result<()> {
    seal(DOCUMENT, key, from, to)
}

fn seal(head: &Head, key: &SealKey, mut from: impl Read, mut to: impl Write) -> io::Result<()> {
    let mut nonce = [0; NONCE_BYTES];
    OsRng.try_fill_bytes(&mut nonce).map_err(io::Error::other)?;
    let mut stream = EncryptorBE32::from_aead(cipher(key)?, &nonce.into());
    to.write_all(head)?;
    to.write_all(&nonce)?;
    let mut piece = Zeroizing::new(vec![0; PIECE]);
    loop {
        let count = read_full(&mut from, &mut piece)?;
        let read = piece.get(..count).unwrap_or_default();
        if count < PIECE {
            return to.write_all(&stream.encrypt_last(read).map_err(|_| not_sealed())?);
        }
        to.write_all(&stream.encrypt_next(read).map_err(|_| not_sealed())?)?;
    }
}

/// Whether a file is a sealed backup, by how it begins; it is read from its start again.
pub fn is_sealed(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    begins_with(BACKUP, file)
}

/// Whether a file is a sealed document, by how it begins; it is read from its start again.
pub fn is_sealed_document(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    begins_with(DOCUMENT, file)
}

fn begins_with(expected: &Head, file: &mut (impl Read + Seek)) -> io::Result<bool> {
    let mut head = Head::default();
    let count = read_full(file, &mut head)?;
    file.rewind()?;
    Ok(count == head.len() && head == *expected)
}

/// Opens what was sealed; an error where the key is another one, or anything of it was changed or is missing.
pub fn open_sealed(key: &SealKey, from: impl Read, to: impl Write) -> io::Result<()> {
    open(BACKUP, key, from, to)
}

/// The same for a document.
pub fn open_document(key: &SealKey, from: impl Read, to: impl Write) -> io::Result<()> {
    open(DOCUMENT, key, from, to)
}

fn open(expected: &Head, key: &SealKey, mut from: impl Read, mut to: impl Write) -> io::Result<()> {
    let (mut head, mut nonce) = (Head::default(), [0; NONCE_BYTES]);
    from.read_exact(&mut head)?;
    from.read_exact(&mut nonce)?;
    if head != *expected {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it isn't sealed as expected"));
    }
    let mut stream = DecryptorBE32::from_aead(cipher(key)?, &nonce.into());
    let mut piece = vec![0; PIECE + TAG];
    loop {
        let count = read_full(&mut from, &mut piece)?;
        let read = piece.get(..count).unwrap_or_default();
        if count < PIECE + TAG {
            let last = Zeroizing::new(stream.decrypt_last(read).map_err(|_| not_opened())?);
            return to.write_all(&last);
        }
        let opened = Zeroizing::new(stream.decrypt_next(read).map_err(|_| not_opened())?);
        to.write_all(&opened)?;
    }
}

fn cipher(key: &SealKey) -> io::Result<XChaCha20Poly1305> {
    XChaCha20Poly1305::new_from_slice(key.as_slice()).map_err(io::Error::other)
}

fn not_sealed() -> io::Error {
    io::Error::other("it could not be sealed")
}

fn not_opened() -> io::Error {
    let text = "this key doesn't open it, or it was changed";
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Until the piece is full or there is no more.
fn read_full(from: &mut impl Read, piece: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while let Some(rest) = piece.get_mut(count..).filter(|rest| !rest.is_empty()) {
        match from.read(rest) {
            Ok(0) => break,
            Ok(read) => count += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_is_opened_with_its_key_alone_and_only_whole() {
        let (key, other) = (new_key().unwrap(), new_key().unwrap());
        for size in [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE] {
            let content: Vec<u8> = (0..size).map(|at| (at % 251) as u8).collect();
            let mut sealed = Vec::new();
            seal_file(&key, content.as_slice(), &mut sealed).unwrap();
            assert!(size < 100 || !sealed.windows(50).any(|part| content.windows(50).next() == Some(part)));
            let opened = |key: &SealKey, bytes: &[u8]| {
                let mut opened = Vec::new();
                open_sealed(key, bytes, &mut opened).map(|()| opened)
            };
            assert_eq!(opened(&key, &sealed).unwrap(), content, "{size}");
            assert!(opened(&other, &sealed).is_err(), "{size}");
            assert!(opened(&key, &sealed[..sealed.len() - 1]).is_err(), "{size}");
            // Whole pieces at its end are missing.
            if size > PIECE {
                assert!(opened(&key, &sealed[..BACKUP.len() + NONCE_BYTES + PIECE + TAG]).is_err(), "{size}");
            }
            let last = sealed.len() - 1;
            sealed[last] ^= 1;
            assert!(opened(&key, &sealed).is_err(), "{size}");
        }
        assert!(open_sealed(&key, &b"SQLite format 3\0 and so on, and so forth"[..], Vec::new()).is_err());
    }
}
