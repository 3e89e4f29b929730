//! Encrypts the data folder, or removes its encryption.

use bordereau_api::*;
use bordereau_store::audit;
use bordereau_store::encryption::{FormChange, request_change, requested_change};

use super::{NO_KEYCHAIN, backup_list};
use crate::Context;
use crate::data_key::keychain_key;

const READABLE: &str = "whoever can read its files can read what is in them";

/// Encrypts the data folder when Bordereau is opened next and nothing else has it open.
///
/// # Errors
/// [`ErrorCode::KeychainUnavailable`] where no keychain keeps a key, and no key file was named.
pub async fn data_encrypt(ctx: &Context, request: Nothing) -> Result<DataSafety, BoundaryError> {
    let key = match ctx.store().data_key() {
        Some(key) => Some(key.clone()),
        None => keychain_key(ctx.secrets(), true).await,
    };
    let Some(key) = key else {
        return Err(BoundaryError::with_code(ErrorCode::KeychainUnavailable, NO_KEYCHAIN));
    };
    note_request(ctx, "Encryption of the data folder was requested.").await?;
    request_change(ctx.store().folder(), Some(key.key_name()))?;
    backup_list(ctx, request).await
}

/// Removes the encryption of the data folder when Bordereau is opened next and nothing else has it open.
pub async fn data_decrypt(ctx: &Context, request: Nothing) -> Result<DataSafety, BoundaryError> {
    note_request(ctx, "Removal of the data folder's encryption was requested.").await?;
    request_change(ctx.store().folder(), None)?;
    backup_list(ctx, request).await
}

async fn note_request(ctx: &Context, entry: &'static str) -> Result<(), BoundaryError> {
    let now = ctx.now_stamp();
    let append = move |connection: &mut bordereau_store::Connection| {
        audit::append_entry(connection, &now.at, &now.by, entry)
    };
    Ok(ctx.store().run_durably(append).await?)
}

/// Whether the folder is encrypted, also as a sentence.
pub(super) fn describe_encryption(ctx: &Context, has_keychain: bool) -> (FolderEncryption, String) {
    let is_on = ctx.store().data_key().is_some();
    let requested = requested_change(ctx.store().folder());
    let state = match &requested {
        Some(FormChange::Encrypt(_)) if !is_on => FolderEncryption::BeginsNext,
        Some(FormChange::Decrypt) if is_on => FolderEncryption::EndsNext,
        _ if is_on => FolderEncryption::On,
        _ => FolderEncryption::Off,
    };
    let mut text = match (state, has_keychain) {
        (FolderEncryption::On, true) => "This data folder is encrypted with a key in the keychain of this computer. Elsewhere, or when the keychain is lost, only the recovery key opens it.".to_owned(),
        (FolderEncryption::On, false) => "This data folder is encrypted. No keychain here has its key: only its key file opens it.".to_owned(),
        (FolderEncryption::Off, true) => format!("This data folder isn't encrypted: {READABLE}."),
        (FolderEncryption::Off, false) => format!("No keychain is available here, so this data folder isn't encrypted: {READABLE}."),
        (FolderEncryption::BeginsNext, _) => "This data folder is encrypted the next time Bordereau opens \
             and nothing else has it open.".to_owned(),
        (FolderEncryption::EndsNext, _) => "The encryption of this data folder is removed the next time \
             Bordereau opens and nothing else has it open.".to_owned(),
    };
    if let (Some(failure), Some(_)) = (ctx.store().change_failure(), requested) {
        let what = match state {
            FolderEncryption::On | FolderEncryption::Off => {
                "Not every file in it was done; the next start goes on with it"
            }
            FolderEncryption::BeginsNext | FolderEncryption::EndsNext => "It was not done the last time",
        };
        match failure.write_obstacle() {
            Some(obstacle) => text.push_str(&format!(" {what}. {}", BoundaryError::from(obstacle).message)),
            None => text.push_str(&format!(" {what}: {failure}.")),
        }
    }
    (state, text)
}
