//! The workspace of an office: create it, show its state, check it, work on it, copy a desk's data in and out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bordereau_api::{
    BoundaryError, ErrorCode, Nothing, OfficeCopy, OfficeFilesKey, OfficeNews, OfficeNewsRequest,
    OfficeRequest, OfficeRoom, OfficeSettings, OfficeSignIn, OfficeTest, OfficeTrustKind, OfficeView,
};
use bordereau_contract::format_instant;
use bordereau_store::workspace;
pub use bordereau_store::workspace::{
    BOUND_KB, FilePlace, OfficeDatabase, OfficeFiles, OfficeProof, OfficeTrust, WorkspaceCheck,
    WorkspaceStatus,
};
use bordereau_store::{Store, StoreError, ValueName, run_off_thread};
use chrono::{SubsecRound, Utc};
use strum::IntoEnumIterator;
use tokio::time::{Instant, sleep_until};

use crate::Context;
use crate::data_key::{find_folder_key, others_can_read};
use crate::dropped_files::dropped_path;
use crate::files::{read_chosen, read_text};
use crate::secrets::{AsyncSecrets, SecretName, SecretStore, SecretText};

/// Name of the password in the keychain.
pub const KEYCHAIN_ENTRY: &str = "office";
/// Longer than any certificate, key or password.
const FILE_BYTES_MAX: u64 = 64 * 1024;
/// Longest wait for changes by others.
const WAIT_MS_MAX: u32 = 25_000;
/// How often the connection is checked meanwhile.
const GLANCE: Duration = Duration::from_secs(1);
const NO_ROLE: &str = "You have no role in this workspace. Ask your administrator for one.";
const STILL_SENT: &str = "Something is still being sent from this computer. Wait until it is done, or cancel it; then use the office database.";

const NO_STORAGE_KEY: &str =
    "This is no key for the file storage. Enter the access key ID, a colon, and the secret access key.";
/// Letters of such a key.
const STORAGE_KEY_MAX: usize = 500;
const NO_OFFICE_NAMED: &str =
    "This data folder works on its own data. Name the office's database with --host, --database and --user.";
const NO_OFFICE: &str =
    "This computer works on its own data. Use the office database first, and open Bordereau again.";

/// The store of the office that this computer works on, if it does.
///
/// # Errors
/// [`ErrorCode::Office`] where the office can't be reached or refuses access; [`ErrorCode::StoreTooNew`].
pub(crate) fn join_office(store: Store, secrets: &AsyncSecrets) -> Result<Store, BoundaryError> {
    let Some(settings) = store.read_own_value::<Option<OfficeSettings>>(ValueName::Office)?.flatten() else {
        return Ok(store);
    };
    let store = store.join_office(open_stored(&settings, secrets)?)?;
    if let Some(seat) = store.office() {
        let secrets = secrets.clone();
        seat.files.ask_key_of(Box::new(move || find_storage_key(&secrets)));
    }
    Ok(store)
}

/// The database in stored settings, with its password from the keychain.
fn open_stored(settings: &OfficeSettings, secrets: &AsyncSecrets) -> Result<OfficeDatabase, BoundaryError> {
    let password = match settings.sign_in {
        OfficeSignIn::Password => secrets.get_blocking(KEYCHAIN_ENTRY, SecretName::OfficePassword)?,
        _ => None,
    };
    open_settings(settings, password.as_deref().map(String::as_str))
}

/// The database of the office that this data folder works on, with its secrets.
///
/// # Errors
/// [`ErrorCode::Validation`] where it works on its own data; errors of the keychain.
pub async fn office_in_use(ctx: &Context) -> Result<OfficeDatabase, BoundaryError> {
    let Some(settings) = kept_settings(ctx).await? else {
        return Err(BoundaryError::with_code(ErrorCode::Validation, NO_OFFICE_NAMED));
    };
    let secrets = ctx.secrets().clone();
    let opened = run_off_thread(move || Ok((open_stored(&settings, &secrets), find_storage_key(&secrets))));
    let (database, storage_key) = opened.await?;
    Ok(OfficeDatabase { storage_key, ..database? })
}

/// This computer's key for the file storage of an office, from its secrets; empty where there is none.
pub fn storage_key_of(secrets: Arc<dyn SecretStore>) -> String {
    find_storage_key(&AsyncSecrets::new(secrets))
}

fn find_storage_key(secrets: &AsyncSecrets) -> String {
    let key = secrets.get_blocking(KEYCHAIN_ENTRY, SecretName::OfficeStorageKey);
    let key = key.inspect_err(|error| tracing::warn!(%error, "the key of the file storage"));
    key.ok().flatten().map(|key| key.to_string()).unwrap_or_default()
}

/// The database in these settings; reads files with secrets.
///
/// # Errors
/// [`ErrorCode::Validation`] where such a file can't be used.
pub fn open_settings(
    settings: &OfficeSettings,
    password: Option<&str>,
) -> Result<OfficeDatabase, BoundaryError> {
    let proof = match settings.sign_in {
        OfficeSignIn::Nothing => OfficeProof::None,
        OfficeSignIn::Password => OfficeProof::Password(password.unwrap_or_default().to_owned()),
        OfficeSignIn::PasswordFile => {
            let text = read_secret(Path::new(&settings.secret_file))?;
            OfficeProof::Password(text.trim_end_matches(['\r', '\n']).to_owned())
        }
        OfficeSignIn::Certificate => OfficeProof::Certificate {
            chain: settings.certificate.clone(),
            key: read_secret(Path::new(&settings.secret_file))?,
        },
    };
    let trust = match settings.trust {
        OfficeTrustKind::System => OfficeTrust::System,
        OfficeTrustKind::Authority => OfficeTrust::Authority(settings.authority.clone()),
        OfficeTrustKind::ThisComputer => OfficeTrust::ThisComputer,
    };
    let OfficeSettings { host, port, database, workspace, user, .. } = settings.clone();
    Ok(OfficeDatabase { host, port, database, workspace, user, proof, trust, storage_key: String::new() })
}

fn read_secret(path: &Path) -> Result<String, BoundaryError> {
    let refuse = |why: String| {
        BoundaryError::with_code(ErrorCode::Validation, format!("{} can't be used: {why}.", path.display()))
    };
    if others_can_read(path) {
        return Err(refuse(
            "others of this computer can read it. Make it readable by its owner alone (chmod 600)".to_owned(),
        ));
    }
    let bytes = read_chosen(path, FILE_BYTES_MAX).map_err(refuse)?;
    String::from_utf8(bytes).map_err(|_| refuse("it is not text".to_owned()))
}

async fn kept_settings(ctx: &Context) -> Result<Option<OfficeSettings>, BoundaryError> {
    let kept = ctx.store().load_value::<Option<OfficeSettings>>(ValueName::Office).await?;
    Ok(kept.and_then(|(settings, _)| settings))
}

/// Whether this computer works on its own data or on an office's.
pub async fn office_show(ctx: &Context, _request: Nothing) -> Result<OfficeView, BoundaryError> {
    let kept = kept_settings(ctx).await?;
    let seat = ctx.store().office();
    let is_same = match (&kept, seat) {
        (Some(kept), Some(seat)) => {
            let used = &seat.database;
            (&kept.host, kept.port, &kept.database, &kept.workspace, &kept.user)
                == (&used.host, used.port, &used.database, &used.workspace, &used.user)
        }
        (kept, seat) => kept.is_none() && seat.is_none(),
    };
    // Show everything else while the database can't be reached.
    let files = match seat {
        Some(_) => ctx.store().with_connection(|connection| workspace::files_in_use(connection)).await.ok(),
        None => None,
    };
    Ok(OfficeView {
        office: kept,
        restart: !is_same && ctx.office_trouble().is_none(),
        trouble: ctx.office_trouble().map(|trouble| trouble.message.clone()).unwrap_or_default(),
        files: files.as_ref().map(OfficeFiles::to_string).unwrap_or_default(),
        files_need_key: files.is_some_and(|files| files.place.needs_key()),
        role: seat.map(|seat| seat.role.clone()).unwrap_or_default(),
        own_work: ctx.store().with_own_connection(|connection| workspace::count_work(connection)).await?,
    })
}

/// Tests the connection to an office's database; stores nothing.
///
/// # Errors
/// [`ErrorCode::Validation`] for invalid settings; [`ErrorCode::Office`] with what failed.
pub async fn office_test(ctx: &Context, request: OfficeRequest) -> Result<OfficeTest, BoundaryError> {
    let settings = read_request(ctx, &request).await?;
    try_office(ctx, &settings, &request.password).await
}

/// Works on an office's database from the next start. This computer's own data stays where it is.
///
/// # Errors
/// As [`office_test`]; [`ErrorCode::Validation`] while something is being sent from this computer.
pub async fn office_use(ctx: &Context, request: OfficeRequest) -> Result<OfficeView, BoundaryError> {
    let settings = read_request(ctx, &request).await?;
    use_office(ctx, settings, &request.password).await?;
    office_show(ctx, Nothing {}).await
}

/// The same with settings whose files were read.
pub async fn use_office(
    ctx: &Context,
    settings: OfficeSettings,
    password: &str,
) -> Result<(), BoundaryError> {
    try_office(ctx, &settings, password).await?;
    let sent =
        ctx.store().with_own_connection(|connection| workspace::ensure_nothing_is_sent(connection)).await;
    if let Err(StoreError::CopyRefused(_)) = sent {
        return Err(BoundaryError::with_code(ErrorCode::Validation, STILL_SENT));
    }
    sent?;
    if settings.sign_in == OfficeSignIn::Password && !password.is_empty() {
        ctx.secrets()
            .set_secret(
                KEYCHAIN_ENTRY,
                SecretName::OfficePassword,
                Some(SecretText::new(password.to_owned())),
            )
            .await?;
    }
    Ok(ctx.store().save_value(ValueName::Office, &settings, ctx.now_text()).await?)
}

/// Works on this computer's own data from the next start.
pub async fn office_leave(ctx: &Context, request: Nothing) -> Result<OfficeView, BoundaryError> {
    ctx.store().save_value(ValueName::Office, &None::<OfficeSettings>, ctx.now_text()).await?;
    // Without a keychain there is no password to remove.
    let _ = ctx.secrets().remove_all(KEYCHAIN_ENTRY).await;
    office_show(ctx, request).await
}

/// Stores this computer's key for an office's file storage in the keychain.
///
/// # Errors
/// [`ErrorCode::Validation`] for an invalid key; errors of the keychain.
pub async fn office_files_key(ctx: &Context, request: OfficeFilesKey) -> Result<OfficeView, BoundaryError> {
    let key = SecretText::new(request.key.trim().to_owned());
    if key.len() > STORAGE_KEY_MAX
        || !key.split_once(':').is_some_and(|(id, secret)| !id.is_empty() && !secret.is_empty())
    {
        return Err(BoundaryError::with_code(ErrorCode::Validation, NO_STORAGE_KEY));
    }
    ctx.secrets().set_secret(KEYCHAIN_ENTRY, SecretName::OfficeStorageKey, Some(key)).await?;
    ctx.store().office().into_iter().for_each(|seat| seat.files.forget_key());
    office_show(ctx, Nothing {}).await
}

/// Waits for changes by others in the office, at most as long as requested.
pub async fn office_news(ctx: &Context, request: OfficeNewsRequest) -> Result<OfficeNews, BoundaryError> {
    let Some(seat) = ctx.store().office() else { return Ok(OfficeNews::default()) };
    let until = Instant::now() + Duration::from_millis(request.wait_ms.min(WAIT_MS_MAX).into());
    let mut notices = seat.notices.subscribe();
    loop {
        let turns = notices.borrow_and_update().clone();
        if turns.now() != request.known || Instant::now() >= until {
            let is_changed = |room: &OfficeRoom| turns.is_changed((*room).into(), request.known);
            let changed = OfficeRoom::iter().filter(is_changed).collect();
            return Ok(OfficeNews { turn: Some(turns.now()), changed });
        }
        tokio::select! {
            _ = notices.changed() => {}
            () = sleep_until(until.min(Instant::now() + GLANCE)) => {
                // Reconnect after a lost connection: anything may have changed. While no host answers, nothing did.
                let _ = ctx.store().with_connection(|_| Ok(())).await;
            }
        }
    }
}

async fn try_office(
    ctx: &Context,
    settings: &OfficeSettings,
    password: &str,
) -> Result<OfficeTest, BoundaryError> {
    let kept = match password.is_empty() && settings.sign_in == OfficeSignIn::Password {
        true => ctx.secrets().get(KEYCHAIN_ENTRY, SecretName::OfficePassword).await?,
        false => None,
    };
    let password = kept.as_deref().map_or(password, String::as_str);
    let status = workspace_status(open_settings(settings, Some(password))?).await?;
    let refuse = |message: String| Err(BoundaryError::with_code(ErrorCode::Validation, message));
    if status.role.is_empty() {
        return refuse(NO_ROLE.to_owned());
    }
    if status.steps != status.known {
        return refuse(format!(
            "The workspace is of another version (schema {}; this version knows {}). Ask your administrator to update it, or install the version that made it.",
            status.steps, status.known
        ));
    }
    let WorkspaceStatus { user, role, server, batches, .. } = status;
    Ok(OfficeTest { user, role, server, batches })
}

/// The settings with the files behind their handles; a path comes only from a handle.
async fn read_request(ctx: &Context, request: &OfficeRequest) -> Result<OfficeSettings, BoundaryError> {
    let kept = kept_settings(ctx).await?.unwrap_or_default();
    let text = async |handle: &str, kept: String| match handle {
        "" => Ok(kept),
        handle => {
            let read = read_text(&dropped_path(ctx, handle)?, FILE_BYTES_MAX).await;
            read.map_err(|why| BoundaryError::with_code(ErrorCode::Validation, why))
        }
    };
    let asked = request.settings.clone();
    Ok(OfficeSettings {
        authority: match asked.trust {
            OfficeTrustKind::Authority => text(&request.authority_file, kept.authority).await?,
            _ => String::new(),
        },
        certificate: match asked.sign_in {
            OfficeSignIn::Certificate => text(&request.certificate_file, kept.certificate).await?,
            _ => String::new(),
        },
        secret_file: match (asked.sign_in, request.key_file.as_str()) {
            (OfficeSignIn::Password | OfficeSignIn::Nothing, _) => String::new(),
            (_, "") => kept.secret_file,
            (_, handle) => dropped_path(ctx, handle)?.to_string_lossy().into_owned(),
        },
        ..asked
    })
}

/// Creates the workspace and its roles, or upgrades an older one.
pub async fn create_workspace(database: OfficeDatabase) -> Result<(), BoundaryError> {
    Ok(run_off_thread(move || workspace::create_workspace(&database)).await?)
}

/// Who is signed in, and what the workspace has.
pub async fn workspace_status(database: OfficeDatabase) -> Result<WorkspaceStatus, BoundaryError> {
    Ok(run_off_thread(move || workspace::workspace_status(&database)).await?)
}

/// Checks the audit log, and every file outside of the database.
///
/// # Errors
/// [`bordereau_api::ErrorCode::StoreDamaged`] where an entry was changed, removed or inserted.
pub async fn check_workspace(database: OfficeDatabase) -> Result<WorkspaceCheck, BoundaryError> {
    Ok(run_off_thread(move || workspace::check_workspace(&database)).await?)
}

/// Sets where larger files are written from now on, after a test file was written there.
///
/// # Errors
/// [`ErrorCode::Office`] where that fails, or the person isn't an administrator: nothing is changed.
pub async fn change_files(database: OfficeDatabase, files: OfficeFiles) -> Result<(), BoundaryError> {
    let at = format_instant(Utc::now().trunc_subsecs(0));
    Ok(run_off_thread(move || workspace::change_files(&database, &files, &at)).await?)
}

/// Copies everything in this data folder into a workspace. The folder stays as it is.
pub async fn copy_to_office(ctx: &Context, database: OfficeDatabase) -> Result<OfficeCopy, BoundaryError> {
    let (store, at) = (ctx.store().clone(), ctx.now_text());
    Ok(run_off_thread(move || workspace::copy_to_office(store.folder(), store.data_key(), &database, &at))
        .await?)
}

/// Copies this computer's own data into the workspace that it works on.
///
/// # Errors
/// [`ErrorCode::Validation`] where it works on none; [`ErrorCode::Storage`] where something is still being sent, or
/// the person isn't an administrator.
pub async fn office_copy(ctx: &Context, _request: Nothing) -> Result<OfficeCopy, BoundaryError> {
    let Some(seat) = ctx.store().office() else {
        return Err(BoundaryError::with_code(ErrorCode::Validation, NO_OFFICE));
    };
    let (secrets, database) = (ctx.secrets().clone(), seat.database.clone());
    let storage_key = run_off_thread(move || Ok(find_storage_key(&secrets))).await?;
    copy_to_office(ctx, OfficeDatabase { storage_key, ..database }).await
}

/// Copies everything in a workspace into a new data folder, encrypted like any new one. The workspace stays as it
/// is.
pub async fn copy_from_office(
    database: OfficeDatabase,
    folder: PathBuf,
    secrets: Arc<dyn SecretStore>,
) -> Result<OfficeCopy, BoundaryError> {
    let key = find_folder_key(&folder, &AsyncSecrets::new(secrets))?;
    Ok(run_off_thread(move || workspace::copy_from_office(&database, &folder, key)).await?)
}
