//! The recovery key: the backups' key as a text for the person. Opens backups on another computer, or after the
//! keychain is lost.

use std::io::Write;
use std::path::PathBuf;

use bordereau_api::*;
use bordereau_store::data_key::DataKey;
use bordereau_store::seal::{KEY_BYTES, SealKey, new_key};
use bordereau_store::{ValueName, audit, make_open_file_private};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::backup_folder::BackupFolder;
use super::{KeyNeed, NO_KEYCHAIN, backup_keys, backup_list, off_thread};
use crate::Context;
use crate::files::{NOT_SAVED, fill_chosen};
use crate::ports::FileFilter;
use crate::secrets::SecretText;

/// Bytes of the key's hash after the key: they reveal a mistyped character.
const CHECK_BYTES: usize = 3;
/// Characters of a group.
const GROUP: usize = 5;

/// Saves the recovery key as a file that only its owner reads.
///
/// # Errors
/// [`ErrorCode::KeychainUnavailable`] where no keychain has a key; errors of writing.
pub async fn recovery_key_save(ctx: &Context, _request: Nothing) -> Result<FileOutcome, BoundaryError> {
    let Some(key) = backup_keys(ctx, KeyNeed::Made).await.into_iter().next() else {
        return Err(BoundaryError::with_code(ErrorCode::KeychainUnavailable, NO_KEYCHAIN));
    };
    let filter = FileFilter { name: "Text".to_owned(), extensions: vec!["txt".to_owned()] };
    let suggested = "Bordereau recovery key.txt".to_owned();
    let Some(path) = ctx.ports().dialogs.choose_save_path(suggested, filter).await else {
        return Ok(NOT_SAVED);
    };
    let outcome = save_key(path, key.seal_key()).await?;
    let (now, check) = (ctx.now_stamp(), check_text(key.seal_key()));
    ctx.store().save_value(ValueName::RecoveryKeySaved, &check, now.at.clone()).await?;
    let entry = "The recovery key of the backups was saved as a file.";
    ctx.store()
        .run_durably(move |connection| audit::append_entry(connection, &now.at, &now.by, entry))
        .await?;
    Ok(outcome)
}

/// Saves a new key as a key file that only its owner reads.
///
/// # Errors
/// Errors of writing.
pub async fn key_file_make(path: PathBuf) -> Result<FileOutcome, BoundaryError> {
    let key = new_key().map_err(|_| BoundaryError::internal_error("making a key"))?;
    save_key(path, &key).await
}

async fn save_key(path: PathBuf, key: &SealKey) -> Result<FileOutcome, BoundaryError> {
    let text = Zeroizing::new(format!(
        "Recovery key of Bordereau\n\n{}\n\n\
         Whoever has this key and a backup, or an encrypted data folder, can read everything in it. Keep it in a\n\
         password manager or on paper, away from both. It is asked for when a backup from a file is restored, and\n\
         when the data folder is opened where the keychain doesn't have its key.\n",
        *key_text(key)
    ));
    fill_chosen(path, move |file| {
        make_open_file_private(file)?;
        file.write_all(text.as_bytes())
    })
    .await
}

/// Replaces the data file by a backup from a file, which the person chooses, when Bordereau is opened next. An empty
/// key means the one in the keychain.
///
/// # Errors
/// As [`restore_file`].
pub async fn backup_restore_file(ctx: &Context, request: RecoveryKey) -> Result<DataSafety, BoundaryError> {
    let filter = FileFilter {
        name: "Backup of Bordereau".to_owned(),
        extensions: vec!["sealed".to_owned(), "sqlite".to_owned()],
    };
    match ctx.ports().dialogs.open("Restore a backup from a file".to_owned(), filter).await {
        Some(path) => restore_file(ctx, path, request.key).await,
        None => backup_list(ctx, Nothing {}).await,
    }
}

/// The same from this file.
///
/// # Errors
/// [`ErrorCode::Validation`] where the text isn't a recovery key; [`ErrorCode::KeychainUnavailable`] where the
/// backup is sealed and there is no key; [`ErrorCode::StoreDamaged`], [`ErrorCode::DiskFull`],
/// [`ErrorCode::Storage`].
pub async fn restore_file(ctx: &Context, path: PathBuf, key: String) -> Result<DataSafety, BoundaryError> {
    let text = Zeroizing::new(key);
    let keys = match text.trim() {
        "" => backup_keys(ctx, KeyNeed::Read).await,
        text => vec![DataKey::new(parse_key(text).ok_or_else(|| {
            let message = "This isn't a recovery key: a character is missing or wrong.";
            BoundaryError::invalid_field("/key", message)
        })?)],
    };
    let folder = BackupFolder::new(ctx.store().folder());
    let folder_key = ctx.store().data_key().cloned();
    off_thread(move || folder.stage_file(path, &keys, folder_key.as_ref())).await?;
    backup_list(ctx, Nothing {}).await
}

/// When this key's recovery key was saved; empty if it wasn't.
pub(super) async fn saved_at(ctx: &Context, key: &DataKey) -> Result<String, BoundaryError> {
    let saved = ctx.store().load_value::<String>(ValueName::RecoveryKeySaved).await?;
    Ok(saved.filter(|(check, _)| *check == check_text(key.seal_key())).map(|(_, at)| at).unwrap_or_default())
}

/// 64 hexadecimal digits of the key and six of its check, in groups.
fn key_text(key: &SealKey) -> SecretText {
    let digits: Zeroizing<Vec<u8>> =
        Zeroizing::new(format!("{}{}", *hex(key.as_slice()), check_text(key)).into_bytes());
    let mut text = SecretText::new(String::with_capacity(digits.len() + digits.len() / GROUP));
    for (at, digit) in digits.iter().enumerate() {
        if at > 0 && at % GROUP == 0 {
            text.push('-');
        }
        text.push(char::from(*digit));
    }
    text
}

fn check_text(key: &SealKey) -> String {
    let hash = Sha256::digest(key.as_slice());
    hex(hash.get(..CHECK_BYTES).unwrap_or_default()).to_string()
}

fn hex(bytes: &[u8]) -> SecretText {
    SecretText::new(bordereau_contract::hex_text(bytes.iter()))
}

/// The key on any line of a text, such as the whole file.
pub(crate) fn parse_key(text: &str) -> Option<SealKey> {
    text.lines().find_map(parse_line)
}

fn parse_line(line: &str) -> Option<SealKey> {
    let digits: Zeroizing<String> =
        Zeroizing::new(line.chars().filter(|c| !c.is_whitespace() && *c != '-').collect());
    if digits.len() != 2 * (KEY_BYTES + CHECK_BYTES) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut key = SealKey::new([0; KEY_BYTES]);
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    digits.get(2 * KEY_BYTES..)?.eq_ignore_ascii_case(&check_text(&key)).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_back_however_it_is_typed_and_a_wrong_character_shows() {
        let key = SealKey::new(std::array::from_fn(|at| u8::try_from(at * 7).unwrap()));
        let text = key_text(&key);
        assert_eq!(text.len(), 70 + 13, "{}", *text);
        let spaced = text.to_uppercase().replace('-', " ");
        for typed in [text.to_string(), format!("Recovery key\n\n  {}  \n\nKeep it.", *text), spaced] {
            assert_eq!(parse_key(&typed).unwrap(), key, "{typed}");
        }
        let mut wrong = text.to_string();
        wrong.replace_range(3..4, if wrong.as_bytes()[3] == b'0' { "1" } else { "0" });
        for other in [wrong.as_str(), &text[1..], "", "äöü"] {
            assert!(parse_key(other).is_none(), "{other}");
        }
    }
}
