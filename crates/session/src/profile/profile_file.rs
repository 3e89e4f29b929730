//! A profile as a file for a colleague: the service's properties, without secrets, people or paths of this computer.

use bordereau_api::{BoundaryError, ErrorCode, FileOutcome, OpenProfile, OpenedProfile, Profile, ProfileId};
use serde::{Deserialize, Serialize};

use super::{profile_by_id, session::refuse_practice};
use crate::Context;
use crate::dropped_files::dropped_path;
use crate::files::{read_text, safe_name, save_through};
use crate::ports::FileFilter;

/// Largest file of a profile, in bytes.
const FILE_BYTES_MAX: u64 = 256 * 1024;
/// Counts up when older versions can't read the file any more.
const FILE_VERSION: u32 = 1;

/// The file.
#[derive(Serialize, Deserialize)]
struct ProfileFile {
    bordereau_profile: u32,
    profile: Profile,
}

/// The profile without what is this computer's or this person's own.
fn without_own(profile: Profile) -> Profile {
    Profile {
        id: String::new(),
        owner: String::new(),
        revision: None,
        username: String::new(),
        ca_file: String::new(),
        lines_file: String::new(),
        kentucky_file: String::new(),
        ..profile
    }
}

/// Saves a profile as a file.
///
/// # Errors
/// [`ErrorCode::NotFound`]; those of writing.
pub async fn profile_export(ctx: &Context, request: ProfileId) -> Result<FileOutcome, BoundaryError> {
    refuse_practice(&request.id)?;
    let profile = profile_by_id(ctx, &request.id).await?;
    let name = format!("{}.profile.json", safe_name(&profile.name, "profile"));
    let file = ProfileFile { bordereau_profile: FILE_VERSION, profile: without_own(profile) };
    let mut bytes =
        serde_json::to_vec_pretty(&file).map_err(|_| BoundaryError::internal_error("writing a profile"))?;
    bytes.push(b'\n');
    save_through(ctx.ports(), name, filter(), bytes).await
}

/// Reads a profile from a file, for review before it is saved.
///
/// # Errors
/// [`ErrorCode::ProfileInvalid`] where it isn't such a file.
pub async fn profile_open(ctx: &Context, request: OpenProfile) -> Result<OpenedProfile, BoundaryError> {
    let path = if request.handle.is_empty() {
        ctx.ports().dialogs.open("Open a profile".to_owned(), filter()).await
    } else {
        Some(dropped_path(ctx, &request.handle)?)
    };
    let Some(path) = path else { return Ok(OpenedProfile { profile: None }) };
    let refuse = |why: String| BoundaryError::with_code(ErrorCode::ProfileInvalid, why);
    let text = read_text(&path, FILE_BYTES_MAX).await.map_err(refuse)?;
    let file: ProfileFile = serde_json::from_str(&text).map_err(|error| {
        refuse(format!(
            "This is not the file of a profile ({error}). Choose one that was saved with Save as file."
        ))
    })?;
    if file.bordereau_profile > FILE_VERSION {
        let why = "A newer version of Bordereau saved this profile. Update Bordereau, then open it again.";
        return Err(refuse(why.to_owned()));
    }
    Ok(OpenedProfile { profile: Some(without_own(file.profile)) })
}

fn filter() -> FileFilter {
    FileFilter { name: "Profile".to_owned(), extensions: vec!["json".to_owned()] }
}
