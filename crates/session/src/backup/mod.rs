//! Keeps the data safe: a checked and sealed copy every day, checks of the data file, restoring a backup, and an
//! export of everything as open files.

mod backup_folder;
mod encryption;
mod recovery;
mod upkeep;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_api::*;
use bordereau_store::backup::{is_staged, list_old_copies, read_document};
use bordereau_store::data_key::DataKey;
use bordereau_store::export::{ExportedFiles, export_tables};
use bordereau_store::{Store, StoreError, ValueName, copy_notice, damage_error, file_error, health, place};

use crate::data_key::keychain_key;
use crate::folder_exposure::folder_exposure;
use crate::{Context, run_off_thread};
pub use backup_folder::KEPT as BACKUPS_KEPT;
use backup_folder::{BackupFailure, BackupFolder};
pub use encryption::{data_decrypt, data_encrypt};
pub(crate) use recovery::parse_key;
pub use recovery::{backup_restore_file, key_file_make, recovery_key_save, restore_file};
pub use upkeep::{ensure_upkeep, run_upkeep_once};

/// A folder of its own within the person's folder, so that nothing is overwritten.
const EXPORT_FOLDER: &str = "Bordereau export";
const SEALED: &str = "Backups are sealed with a key in the keychain of this computer. Elsewhere, only the recovery key opens them.";
const SEALED_BY_FILE: &str =
    "Backups are sealed with the key of this data folder. Only its key file opens them.";
/// Why there is no key.
const NO_KEYCHAIN: &str = "No keychain is available here. Sign in to a desktop with one, or name a key file.";
const NO_KEYCHAIN_FOR_BACKUPS: &str =
    "Without a keychain backups are not sealed: anyone who can read the data folder can read them.";

/// Backups, checks, and dangers to the data.
pub async fn backup_list(ctx: &Context, _request: Nothing) -> Result<DataSafety, BoundaryError> {
    let folder = BackupFolder::new(ctx.store().folder());
    let checked = ctx.store().load_value::<String>(ValueName::CheckedAt).await?;
    let copy = ctx.store().with_connection(|connection| place::store_copy(connection)).await?;
    let damage = if ctx.ensure_sound().await { String::new() } else { damage_error().message };
    let obstacle = ctx.store().write_obstacle().map(BoundaryError::from);
    let has_keychain = ctx.secrets().secrets_status().await.kind == SecretsKind::Keychain;
    let keys = backup_keys(ctx, KeyNeed::Read).await;
    let recovery_key_saved_at = match keys.first() {
        Some(key) => recovery::saved_at(ctx, key).await?,
        None => String::new(),
    };
    let (encryption, encryption_text) = encryption::describe_encryption(ctx, has_keychain);
    let sealing = match (has_keychain, keys.is_empty()) {
        (true, _) => SEALED,
        (false, false) => SEALED_BY_FILE,
        (false, true) => NO_KEYCHAIN_FOR_BACKUPS,
    };
    Ok(DataSafety {
        backups: folder.list_backups(),
        sealing: sealing.to_owned(),
        encryption,
        encryption_text,
        has_keychain,
        recovery_key_saved_at,
        checked_at: checked.map(|(at, _)| at).unwrap_or_default(),
        damage,
        obstacle: obstacle.map(|error| error.message).unwrap_or_default(),
        exposure: folder_exposure(ctx.store().folder()).unwrap_or_default(),
        copied_at: copy.noticed_at,
        staged: is_staged(ctx.store().folder()),
    })
}

/// Makes a backup now.
///
/// # Errors
/// [`ErrorCode::StoreDamaged`] where the data file is damaged, so that no backup of it passes for a good one;
/// [`ErrorCode::DiskFull`], [`ErrorCode::Storage`].
pub async fn backup_make(ctx: &Context, request: Nothing) -> Result<DataSafety, BoundaryError> {
    make_backup(ctx).await?;
    backup_list(ctx, request).await
}

async fn make_backup(ctx: &Context) -> Result<(), BoundaryError> {
    let (folder, now) = (BackupFolder::new(ctx.store().folder()), ctx.ports().clock.now());
    let key = backup_keys(ctx, KeyNeed::Made).await.into_iter().next();
    let is_encrypted = ctx.store().data_key().is_some();
    off_thread(move || folder.make_backup(now, key.as_ref(), is_encrypted)).await
}

/// Names of files in the data folder that are copies of the store: backups, and files left by updates and restores.
#[must_use]
pub fn copies_of_store(ctx: &Context) -> Vec<String> {
    let folder = ctx.store().folder();
    let backups = BackupFolder::new(folder).list_backups().into_iter().map(|backup| backup.name);
    backups.chain(list_old_copies(folder)).collect()
}

/// Checks a backup from end to end.
///
/// # Errors
/// [`ErrorCode::NotFound`]; [`ErrorCode::StoreDamaged`] where it is damaged; [`ErrorCode::Storage`] where it cannot be
/// opened.
pub async fn backup_check(ctx: &Context, request: BackupName) -> Result<CheckedBackup, BoundaryError> {
    let folder = BackupFolder::new(ctx.store().folder());
    let (keys, name) = (backup_keys(ctx, KeyNeed::Read).await, request.name.clone());
    let content = off_thread(move || folder.check_backup(&name, &keys)).await?;
    Ok(CheckedBackup {
        name: request.name,
        batches: content.batches,
        rows: content.rows,
        documents: content.documents,
    })
}

/// Replaces the data file by a backup when Bordereau is opened next; the current file is kept beside it. Rows unsent
/// by the backup are looked up at the service before they are sent.
pub async fn backup_restore(ctx: &Context, request: BackupName) -> Result<DataSafety, BoundaryError> {
    let folder = BackupFolder::new(ctx.store().folder());
    let (keys, name) = (backup_keys(ctx, KeyNeed::Read).await, request.name);
    let folder_key = ctx.store().data_key().cloned();
    off_thread(move || folder.stage_named(&name, &keys, folder_key.as_ref())).await?;
    backup_list(ctx, Nothing {}).await
}

/// Checks the data file from end to end, now.
///
/// # Errors
/// [`ErrorCode::StoreDamaged`], [`ErrorCode::Storage`].
pub async fn data_check(ctx: &Context, request: Nothing) -> Result<DataSafety, BoundaryError> {
    check_whole(ctx).await?;
    backup_list(ctx, request).await
}

async fn check_whole(ctx: &Context) -> Result<(), BoundaryError> {
    let checked = ctx.store().with_own_connection(|connection| health::full_check(connection)).await;
    if let Err(error) = &checked
        && health::is_damage(error)
    {
        ctx.note_damage();
    }
    checked?;
    ctx.store().save_value(ValueName::CheckedAt, &ctx.now_text(), ctx.now_text()).await?;
    Ok(())
}

/// A person confirms that no other copy of this data folder sends: nothing is looked up first from now on. In an office a
/// manager does.
///
/// # Errors
/// [`ErrorCode::Office`] for a lower role.
pub async fn only_copy_confirm(ctx: &Context, request: Nothing) -> Result<DataSafety, BoundaryError> {
    if ctx.store().office().is_some_and(|seat| !seat.may_send(Environment::Production)) {
        let text = "A manager of the office says that no other copy sends. Ask one.";
        return Err(BoundaryError::with_code(ErrorCode::Office, text));
    }
    let now = ctx.now_stamp();
    ctx.store().run_durably(move |connection| copy_notice::confirm_only_copy(connection, &now)).await?;
    backup_list(ctx, request).await
}

/// Exports all data of the person as open files, to a folder they choose.
pub async fn data_export(ctx: &Context, _request: Nothing) -> Result<DataExport, BoundaryError> {
    let chosen = ctx.ports().dialogs.open_folder("Folder for the export".into()).await;
    let Some(parent) = chosen else {
        return Ok(DataExport { saved: false, folder_name: String::new(), tables: 0, rows: 0, documents: 0 });
    };
    let stamp = ctx.ports().clock.now().format("%Y%m%d-%H%M%S");
    export_data(ctx, parent.join(format!("{EXPORT_FOLDER} {stamp}"))).await
}

/// The same into this folder, which is created.
pub async fn export_data(ctx: &Context, folder: PathBuf) -> Result<DataExport, BoundaryError> {
    let folder_name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let uploads = ctx.store().folder().join("uploads");
    let key = ctx.store().data_key().cloned();
    let files = ctx.store().office().map(|seat| Arc::clone(&seat.files));
    let done = ctx.store().with_connection(move |connection| {
        bordereau_store::make_private_folder(&folder)?;
        // An export that was ended must not look like a whole one.
        let mark = folder.join(UNFINISHED);
        std::fs::write(&mark, UNFINISHED_TEXT)?;
        // A snapshot: everything as of one moment.
        let transaction = connection.snapshot()?;
        let mut exported = export_tables(&transaction, &folder, files.as_deref())?;
        exported.documents += copy_files(&uploads, &folder.join("uploads"), key.as_ref())?;
        std::fs::remove_file(&mark)?;
        Ok(exported)
    });
    let ExportedFiles { tables, rows, documents } = done.await?;
    Ok(DataExport { saved: true, folder_name, tables, rows, documents })
}

/// Is in the folder of an export until all of it is there.
const UNFINISHED: &str = "NOT COMPLETE.txt";
const UNFINISHED_TEXT: &str =
    "This export was not finished: tables or documents are missing. Export again into another folder.\n";

/// Copies documents that wait for upload, under their names in the table of uploads.
fn copy_files(from: &Path, to: &Path, key: Option<&DataKey>) -> std::io::Result<u32> {
    let mut count = 0;
    for entry in std::fs::read_dir(from).into_iter().flatten() {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::create_dir_all(to)?;
            std::fs::write(to.join(entry.file_name()), read_document(&entry.path(), key)?)?;
            count += 1;
        }
    }
    Ok(count)
}

/// Whether to make a missing key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyNeed {
    Made,
    Read,
}

/// The keys of the backups: the key of an encrypted folder, then the one in the keychain. Empty where no keychain
/// has one.
async fn backup_keys(ctx: &Context, need: KeyNeed) -> Vec<DataKey> {
    let mut keys: Vec<DataKey> = ctx.store().data_key().cloned().into_iter().collect();
    let is_made = need == KeyNeed::Made && keys.is_empty();
    if let Some(key) = keychain_key(ctx.secrets(), is_made).await
        && !keys.contains(&key)
    {
        keys.push(key);
    }
    keys
}

async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BackupFailure> + Send + 'static,
) -> Result<T, BoundaryError> {
    run_off_thread("making or reading a backup", work).await?.map_err(backup_error)
}

fn backup_error(failure: BackupFailure) -> BoundaryError {
    match failure {
        BackupFailure::Store(error) if health::is_damage(&error) => BoundaryError::with_code(
            ErrorCode::StoreDamaged,
            "A check found damage in this backup, so it was not used.",
        ),
        BackupFailure::Store(error) => error.into(),
        BackupFailure::NoKey => BoundaryError::with_code(
            ErrorCode::KeychainUnavailable,
            "This backup is sealed, and the keychain of this computer doesn't have its key. Restore it with its recovery key.",
        ),
        BackupFailure::NotOpened => BoundaryError::with_code(
            ErrorCode::KeychainUnavailable,
            "No key on this computer opens this backup, or the backup was changed. Restore it with the recovery key of the computer that made it.",
        ),
        BackupFailure::File(error) => {
            file_error(&error, format!("The backup cannot be made or opened: {error}."))
        }
    }
}

/// A quick check of the store for damage, used at start.
pub(crate) async fn is_sound(store: &Store) -> Result<bool, StoreError> {
    match store.with_own_connection(|connection| health::quick_check(connection)).await {
        Err(error) if health::is_damage(&error) => {
            tracing::error!(%error, "the data file is damaged");
            Ok(false)
        }
        other => other.map(|()| true),
    }
}
