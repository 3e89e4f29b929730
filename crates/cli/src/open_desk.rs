//! Opens a command's desk in the data folder, on the requested profile.

use std::path::Path;
use std::sync::Arc;

use bordereau_desk::api::{BoundaryError, Nothing, Profile, ProfileView, SetApiKey, SignIn, SignInRequest};
use bordereau_desk::{Desk, DeskConfig, Policy, Ports, SecretStore, SystemClock, policy_path, read_policy};
use bordereau_host::{
    DataFolder, InProcessPractice, KEY_VARIABLE, NoBrowser, PASSWORD_VARIABLE, from_environment,
};

use crate::exit::CommandExit;
use crate::file_target::FileTarget;
use crate::log;
use crate::shared_arguments::GlobalArgs;
use bordereau_host::terminal_text::on_one_line;

/// Opens the desk; nothing it makes is saved to a file.
pub(crate) fn open_desk(place: &GlobalArgs) -> Result<Desk, CommandExit> {
    open_desk_to_save(place, Arc::default())
}

/// Opens the desk; files are saved to `target`.
pub(crate) fn open_desk_to_save(place: &GlobalArgs, target: Arc<FileTarget>) -> Result<Desk, CommandExit> {
    // A command that only reads sends no queued work; commands that send start that themselves.
    open_with(place, target, Desk::open_idle)
}

/// Opens the data folder's own store, even where it works on an office's database.
pub(crate) fn open_own(place: &GlobalArgs) -> Result<Desk, CommandExit> {
    open_with(place, Arc::default(), Desk::open_own)
}

fn open_with(
    place: &GlobalArgs,
    target: Arc<FileTarget>,
    open: impl FnOnce(DeskConfig) -> Result<Desk, BoundaryError>,
) -> Result<Desk, CommandExit> {
    let data = DataFolder::find(place.data_dir.clone())?;
    data.create_folder()?;
    warn_of_exposure(data.path());
    let secrets = open_secrets(place, data.path())?;
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets,
        practice: Arc::new(InProcessPractice::new(Some(data.join("practice")))),
        dialogs: target,
        browser: Arc::new(NoBrowser),
        policy: Arc::new(policy_of_computer()),
        sign_in: None,
    };
    let opened = open(DeskConfig { data_dir: data.path().to_owned(), ports });
    opened.map_err(|error| CommandExit::of_data(error, data.path()))
}

/// Where the secrets of a data folder are.
pub(crate) fn open_secrets(place: &GlobalArgs, folder: &Path) -> Result<Arc<dyn SecretStore>, CommandExit> {
    Ok(bordereau_host::open_secrets(folder, place.data_key_file.clone())?)
}

/// The computer's policy; reports why an existing one isn't used.
fn policy_of_computer() -> Policy {
    let policy = read_policy(&policy_path());
    if !policy.fault.is_empty() {
        eprintln!("bordereau: {}", on_one_line(&policy.fault));
    }
    policy
}

/// Warns where others on this computer can open the folder.
pub(crate) fn warn_of_exposure(folder: &Path) {
    if let Some(sentence) = bordereau_desk::folder_exposure(folder) {
        eprintln!("bordereau: {sentence}");
    }
}

/// The desk on the profile of `--profile`, or on the selected one, signed in from the environment.
pub(crate) async fn on_profile(place: &GlobalArgs, desk: Desk) -> Result<(Desk, ProfileView), CommandExit> {
    let view = find_profile(&desk, place.profile.as_deref()).await?;
    if let Some(end) = view.sign_in_ends.as_deref().filter(|_| view.sign_in_ends_soon) {
        log::log_line(&format!(
            "The sign-in of {} ends at {end}; renew it with `bordereau profile sign-in`",
            on_one_line(&view.profile.name)
        ));
    }
    let desk = desk.with_profile(&view.profile.id);
    sign_in_from_environment(&desk, &view.profile).await?;
    Ok((desk, view))
}

/// A profile by id or name; the selected one if none is named.
pub(crate) async fn find_profile(desk: &Desk, named: Option<&str>) -> Result<ProfileView, CommandExit> {
    let profiles = desk.profile_list(Nothing {}).await?.profiles;
    let found: Vec<ProfileView> = match named {
        None => profiles.into_iter().filter(|view| view.active).collect(),
        Some(name) => {
            let by_id = |view: &&ProfileView| view.profile.id == name;
            match profiles.iter().find(by_id) {
                Some(view) => vec![view.clone()],
                None => {
                    profiles.into_iter().filter(|view| view.profile.name.eq_ignore_ascii_case(name)).collect()
                }
            }
        }
    };
    let shown = named.unwrap_or("in use");
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => {
            Err(CommandExit::usage_error(format!("there is no profile {shown}; see: bordereau profile list")))
        }
        _ => {
            Err(CommandExit::usage_error(format!("several profiles are called {shown}; name one by its id")))
        }
    }
}

/// Signs in with `BORDEREAU_API_KEY` and `BORDEREAU_PASSWORD`, in memory for this run.
async fn sign_in_from_environment(desk: &Desk, profile: &Profile) -> Result<(), CommandExit> {
    let id = || profile.id.clone();
    let takes_key = matches!(profile.sign_in, SignIn::ApiKey | SignIn::Both);
    let takes_password = matches!(profile.sign_in, SignIn::User | SignIn::Both);
    if profile.base_url.is_empty() {
        // The built-in practice service has its own credentials.
        return Ok(());
    }
    if takes_key && let Some(key) = from_environment(KEY_VARIABLE)? {
        desk.profile_set_key(SetApiKey { id: id(), key }).await?;
    }
    if takes_password && let Some(password) = from_environment(PASSWORD_VARIABLE)? {
        let username = profile.username.clone();
        desk.profile_sign_in(SignInRequest { id: id(), username, password }).await?;
    }
    Ok(())
}
