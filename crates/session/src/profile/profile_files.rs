//! The files of a profile: its certificate authority, its lines of business, its Kentucky rates. Saving a profile
//! copies them into the data folder, and the profile names the copy; a new file comes as the handle of a chosen
//! file. No path comes from the page.

use std::io;
use std::path::{Path, PathBuf};

use bordereau_tax::{KentuckyTable, LinesTable};
use sha2::{Digest, Sha256};

use super::rules::{CA_BYTES_MAX, check_ca};
use super::tables::{TABLE_BYTES_MAX, check_table};
use crate::dropped_files::dropped_path;
use crate::files::{read_text, safe_name, write_whole};
use crate::{Context, run_off_thread};
use bordereau_api::{BoundaryError, FieldError, Profile};
use bordereau_store::file_error;
use bordereau_store::profiles::{load_profile_file, store_profile_file};

/// Folder of the copies, each in a folder named by its content.
const FOLDER: &str = "profile-files";
/// Letters of a copy's name: even in the longest encoding it is valid on every system.
const NAME_MAX: usize = 50;

/// A file that a profile may have.
struct ProfileFileKind {
    pointer: &'static str,
    field: fn(&mut Profile) -> &mut String,
    bytes_max: u64,
    /// Checks its name and text.
    check: fn(&str, &str) -> Result<(), String>,
}

const KINDS: [ProfileFileKind; 3] = [
    ProfileFileKind {
        pointer: "/ca_file",
        field: |profile| &mut profile.ca_file,
        bytes_max: CA_BYTES_MAX,
        check: |_, text| check_ca(text),
    },
    ProfileFileKind {
        pointer: "/lines_file",
        field: |profile| &mut profile.lines_file,
        bytes_max: TABLE_BYTES_MAX,
        check: |name, text| check_table(name, text, LinesTable::from_csv).map(drop),
    },
    ProfileFileKind {
        pointer: "/kentucky_file",
        field: |profile| &mut profile.kentucky_file,
        bytes_max: TABLE_BYTES_MAX,
        check: |name, text| check_table(name, text, KentuckyTable::from_csv).map(drop),
    },
];

/// Files chosen for a profile, read and checked but not copied yet: their copies' names, and their texts.
pub(super) struct ChosenFiles(Vec<(String, String)>);

/// The path of a profile's file. Version 0.1 stored whole paths.
fn profile_file_path(ctx: &Context, value: &str) -> PathBuf {
    ctx.store().folder().join(FOLDER).join(value)
}

/// The same for reading: a file chosen at another desk of the office is copied here first.
pub(super) async fn find_profile_file(ctx: &Context, value: &str) -> Result<PathBuf, BoundaryError> {
    let (path, name) = (profile_file_path(ctx, value), value.to_owned());
    if path.exists() {
        return Ok(path);
    }
    let found = ctx.store().with_connection(move |db| load_profile_file(db, &name)).await?;
    // The name has the hash, so that this is the file the profile was saved with.
    if let Some(text) = found.filter(|text| copy_name(&file_name(value), text) == value) {
        store_files(ctx, ChosenFiles(vec![(value.to_owned(), text)])).await?;
    }
    Ok(path)
}

/// Reads every new file of the profile, sets its future copy's name in the profile, and returns what is wrong with
/// any of them.
pub(super) async fn check_files(
    ctx: &Context,
    before: Option<&Profile>,
    profile: &mut Profile,
) -> (ChosenFiles, Vec<FieldError>) {
    let (mut chosen, mut faults) = (ChosenFiles(Vec::new()), Vec::new());
    let mut before = before.cloned().unwrap_or_default();
    for kind in &KINDS {
        let value = (kind.field)(profile);
        let is_known = *value == *(kind.field)(&mut before);
        if value.is_empty() {
            continue;
        }
        let path = match dropped_path(ctx, value) {
            _ if is_known => find_profile_file(ctx, value).await.unwrap_or_default(),
            Ok(path) => path,
            Err(_) => {
                let message = "This file was not chosen here. Choose it again.";
                faults.push(FieldError::at_pointer(kind.pointer, message));
                continue;
            }
        };
        let name = file_name(&path.to_string_lossy());
        let read = read_text(&path, kind.bytes_max).await;
        match read.and_then(|text| (kind.check)(&name, &text).map(|()| text)) {
            Err(why) => faults.push(FieldError::at_pointer(kind.pointer, why)),
            Ok(_) if is_known => {}
            Ok(text) => {
                *value = copy_name(&name, &text);
                chosen.0.push((value.clone(), text));
            }
        }
    }
    (chosen, faults)
}

/// Shares the chosen files with the other desks of the office.
pub(super) async fn share_files(ctx: &Context, chosen: &ChosenFiles) -> Result<(), BoundaryError> {
    if ctx.store().office().is_none() {
        return Ok(());
    }
    let files = chosen.0.clone();
    let share = move |db: &mut bordereau_store::Connection| {
        files.iter().try_for_each(|(name, text)| store_profile_file(db, name, text))
    };
    Ok(ctx.store().with_connection(share).await?)
}

/// Copies the chosen files into the data folder.
pub(super) async fn store_files(ctx: &Context, chosen: ChosenFiles) -> Result<(), BoundaryError> {
    let folder = ctx.store().folder().join(FOLDER);
    let write = move || -> io::Result<()> {
        for (name, text) in chosen.0 {
            let path = folder.join(name);
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            write_whole(&path, text.as_bytes())?;
        }
        Ok(())
    };
    run_off_thread("copying a profile's file", write).await?.map_err(|error| {
        let message = format!("The profile's file was not copied into the data folder ({}).", error.kind());
        file_error(&error, message)
    })
}

/// Removes a profile's copies that no profile names any more.
pub(super) fn remove_unused_files(ctx: &Context, mut before: Profile, mut profiles: Vec<Profile>) {
    for kind in &KINDS {
        let value = (kind.field)(&mut before);
        let is_copy = !value.is_empty() && !Path::new(&*value).is_absolute();
        let is_used = |profile: &mut Profile| KINDS.iter().any(|kind| (kind.field)(profile) == value);
        if is_copy && !profiles.iter_mut().any(is_used) {
            let path = profile_file_path(ctx, value);
            let removed = std::fs::remove_file(&path);
            if let Err(error) = removed.and_then(|()| path.parent().map_or(Ok(()), std::fs::remove_dir)) {
                tracing::warn!(%error, "the copy of a profile's file was not removed");
            }
        }
    }
}

fn copy_name(name: &str, text: &str) -> String {
    let digest = bordereau_contract::hex_text(Sha256::digest(text).iter().take(8));
    let name: String = safe_name(name, "file").chars().take(NAME_MAX).collect();
    format!("{digest}/{name}")
}

/// `rates.csv` from the name of a copy, or from a path.
pub(super) fn file_name(value: &str) -> String {
    Path::new(value).file_name().map_or_else(|| value.to_owned(), |name| name.to_string_lossy().into_owned())
}
