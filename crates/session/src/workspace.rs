//! The workspace of an office: made, looked at, checked, worked on, and a desk's data copied in and back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bordereau_api::{
    BoundaryError, ErrorCode, Nothing, OfficeCopy, OfficeNews, OfficeNewsRequest, OfficeRequest, OfficeRoom,
    OfficeSettings, OfficeSignIn, OfficeTest, OfficeTrustKind, OfficeView,
};
use bordereau_store::workspace;
pub use bordereau_store::workspace::{OfficeDatabase, OfficeProof, OfficeTrust, WorkspaceStatus};
use bordereau_store::{Store, StoreError, ValueName};
use strum::IntoEnumIterator;
use tokio::time::{Instant, sleep_until};

use crate::Context;
use crate::data_key::{find_folder_key, others_can_read};
use crate::dropped_files::dropped_path;
use crate::files::{read_chosen, read_text};
use crate::secrets::{AsyncSecrets, SecretName, SecretStore, SecretText};

/// Under which the keychain has the password.
pub const KEYCHAIN_ENTRY: &str = "office";
/// Longer than any certificate, key or password.
const FILE_BYTES_MAX: u64 = 64 * 1024;
/// Longest wait for what others change.
const WAIT_MS_MAX: u32 = 25_000;
/// How often the connection is looked at meanwhile.
const GLANCE: Duration = Duration::from_secs(1);
const NO_ROLE: &str = "You have no role in this workspace. Ask your administrator for one.";
const STILL_SENT: &str = "Something is still being sent from this computer. Wait until it is done, or cancel it; then use the office database.";

const NO_OFFICE: &str =
    "This computer works on its own data. Use the office database first, and open Bordereau again.";

/// The store on the office that this computer works on, where it works on one.
///
/// # Errors
/// [`ErrorCode::Office`] where the office can't be reached or lets nobody in; [`ErrorCode::StoreTooNew`].
pub(crate) fn join_office(store: Store, secrets: &AsyncSecrets) -> Result<Store, BoundaryError> {
    let Some(settings) = store.read_own_value::<Option<OfficeSettings>>(ValueName::Office)?.flatten() else {
        return Ok(store);
    };
    let password = match settings.sign_in {
        OfficeSignIn::Password => secrets.get_blocking(KEYCHAIN_ENTRY, SecretName::OfficePassword)?,
        _ => None,
    };
    let database = open_settings(&settings, password.as_deref().map(String::as_str))?;
    Ok(store.join_office(database)?)
}

/// The database of these settings; files with secrets are read.
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
    Ok(OfficeDatabase { host, port, database, workspace, user, proof, trust })
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

/// Where the data is that this computer works on.
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
    Ok(OfficeView {
        office: kept,
        restart: !is_same,
        role: seat.map(|seat| seat.role.clone()).unwrap_or_default(),
        own_work: ctx.store().with_own_connection(|connection| workspace::count_work(connection)).await?,
    })
}

/// Tries the database of an office; nothing is kept.
///
/// # Errors
/// [`ErrorCode::Validation`] where what is asked for can't be; [`ErrorCode::Office`] with what failed.
pub async fn office_test(ctx: &Context, request: OfficeRequest) -> Result<OfficeTest, BoundaryError> {
    let settings = read_request(ctx, &request).await?;
    try_office(ctx, &settings, &request.password).await
}

/// Works on the database of an office when Bordereau is started next. This computer's own data stays where it is.
///
/// # Errors
/// As [`office_test`]; [`ErrorCode::Validation`] while something is being sent from this computer.
pub async fn office_use(ctx: &Context, request: OfficeRequest) -> Result<OfficeView, BoundaryError> {
    let settings = read_request(ctx, &request).await?;
    use_office(ctx, settings, &request.password).await?;
    office_show(ctx, Nothing {}).await
}

/// The same by settings whose files were read.
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

/// Works on this computer's own data when Bordereau is started next.
pub async fn office_leave(ctx: &Context, request: Nothing) -> Result<OfficeView, BoundaryError> {
    ctx.store().save_value(ValueName::Office, &None::<OfficeSettings>, ctx.now_text()).await?;
    // Without a keychain there is none to forget.
    let _ = ctx.secrets().set_secret(KEYCHAIN_ENTRY, SecretName::OfficePassword, None).await;
    office_show(ctx, request).await
}

/// What others changed in the office as soon as they did, at the latest after the requested time.
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
                // A connection that was lost is made again, and anything may have changed; while no host answers,
                // nothing did.
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

/// The settings with the files behind its handles; a path comes from a handle alone.
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

/// Makes the workspace and its roles, or brings an older one to this version.
pub async fn create_workspace(database: OfficeDatabase) -> Result<(), BoundaryError> {
    off_thread(move || workspace::create_workspace(&database)).await
}

/// Who is signed in, and what is in the workspace.
pub async fn workspace_status(database: OfficeDatabase) -> Result<WorkspaceStatus, BoundaryError> {
    off_thread(move || workspace::workspace_status(&database)).await
}

/// Checks the audit log; how many entries it has.
///
/// # Errors
/// [`bordereau_api::ErrorCode::StoreDamaged`] where an entry was changed, removed or put in between.
pub async fn check_workspace(database: OfficeDatabase) -> Result<usize, BoundaryError> {
    off_thread(move || workspace::check_workspace(&database)).await
}

/// Copies everything of this data folder into a workspace. The folder stays as it is.
pub async fn copy_to_office(ctx: &Context, database: OfficeDatabase) -> Result<OfficeCopy, BoundaryError> {
    let (store, at) = (ctx.store().clone(), ctx.now_text());
    off_thread(move || workspace::copy_to_office(store.folder(), store.data_key(), &database, &at)).await
}

/// Copies this computer's own data into the workspace that it works on.
///
/// # Errors
/// [`ErrorCode::Validation`] where it works on none; [`ErrorCode::Storage`] where something is still being sent, or the
/// person is no administrator.
pub async fn office_copy(ctx: &Context, _request: Nothing) -> Result<OfficeCopy, BoundaryError> {
    let Some(seat) = ctx.store().office() else {
        return Err(BoundaryError::with_code(ErrorCode::Validation, NO_OFFICE));
    };
    copy_to_office(ctx, seat.database.clone()).await
}

/// Copies everything of a workspace into a new data folder, encrypted as a new one is. The workspace stays as it is.
pub async fn copy_from_office(
    database: OfficeDatabase,
    folder: PathBuf,
    secrets: Arc<dyn SecretStore>,
) -> Result<OfficeCopy, BoundaryError> {
    let key = find_folder_key(&folder, &AsyncSecrets::new(secrets))?;
    off_thread(move || workspace::copy_from_office(&database, &folder, key)).await
}

async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, BoundaryError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|_| StoreError::Interrupted)??)
}
