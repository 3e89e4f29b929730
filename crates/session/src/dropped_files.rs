//! Files dropped on the window or chosen in a dialog: the UI gets a handle, never a path.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::Context;
use bordereau_api::{BoundaryError, ErrorCode};

/// Handles kept; the oldest are forgotten.
const HANDLES_MAX: usize = 1_000;

/// A file or folder that was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DroppedFile {
    /// Identifies it in requests.
    pub handle: String,
    /// Its name, without its folder.
    pub name: String,
    /// Its size; 0 for a folder.
    pub bytes: u64,
    /// Whether it is a folder.
    pub folder: bool,
}

/// Number of files so far; and by handle, the turn and the path, which is missing for one that is refused.
type Held = (u64, HashMap<String, (u64, Option<PathBuf>)>);

/// Paths by handle.
#[derive(Default)]
pub struct DroppedFiles {
    held: Mutex<Held>,
    /// Documents last shown for each review.
    documents: Mutex<HashMap<String, Vec<PathBuf>>>,
}

/// Takes files dropped on the window, or given to it by a link or another program, and returns handles. A handle reads
/// only what a person dropped: the UI can't name a path. A file on another computer is refused when it is used: Windows
/// would sign in there with the person's name and password, whoever supplied the path.
pub fn drop_files(ctx: &Context, paths: Vec<PathBuf>) -> Vec<DroppedFile> {
    let dropped = DroppedFiles::from_context(ctx);
    let drop_one = |path: PathBuf| {
        if is_on_network(&path) { dropped.refuse_path(&path) } else { dropped.take_path(path) }
    };
    paths.into_iter().map(drop_one).collect()
}

/// The same for files that a person chose in a dialog or named to a command, also on another computer.
pub fn choose_files(ctx: &Context, paths: Vec<PathBuf>) -> Vec<DroppedFile> {
    paths.into_iter().map(|path| DroppedFiles::from_context(ctx).take_path(path)).collect()
}

/// The path behind a handle.
pub fn dropped_path(ctx: &Context, handle: &str) -> Result<PathBuf, BoundaryError> {
    let dropped = DroppedFiles::from_context(ctx);
    let held = dropped.held.lock();
    match held.1.get(handle) {
        Some((_, Some(path))) => Ok(path.clone()),
        Some((_, None)) => Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "This file is on another computer, where your name and password would be given to whoever the path \
             leads to. Choose it in the dialog, or copy it to this computer first.",
        )),
        None => Err(BoundaryError::not_found("file")),
    }
}

impl DroppedFiles {
    /// The dropped files of this context.
    pub fn from_context(ctx: &Context) -> std::sync::Arc<DroppedFiles> {
        ctx.feature_state(|_| DroppedFiles::default())
    }

    /// Remembers which documents were shown for a review.
    pub fn remember_documents(&self, review: &str, paths: Vec<PathBuf>) {
        self.documents.lock().insert(review.to_owned(), paths);
    }

    /// The documents shown last for a review.
    pub fn documents_of(&self, review: &str) -> Option<Vec<PathBuf>> {
        self.documents.lock().get(review).cloned()
    }

    fn take_path(&self, path: PathBuf) -> DroppedFile {
        let metadata = std::fs::metadata(&path).ok();
        let (handle, name) = (self.hold(&path, true), file_name(&path));
        DroppedFile {
            handle,
            name,
            bytes: metadata.as_ref().filter(|m| m.is_file()).map_or(0, std::fs::Metadata::len),
            folder: metadata.is_some_and(|m| m.is_dir()),
        }
    }

    /// Nothing of it is looked at.
    fn refuse_path(&self, path: &Path) -> DroppedFile {
        DroppedFile { handle: self.hold(path, false), name: file_name(path), bytes: 0, folder: false }
    }

    fn hold(&self, path: &Path, is_readable: bool) -> String {
        let mut held = self.held.lock();
        held.0 += 1;
        let turn = held.0;
        let handle = new_handle(turn, path, self);
        held.1.insert(handle.clone(), (turn, is_readable.then(|| path.to_owned())));
        if held.1.len() > HANDLES_MAX {
            let oldest = turn.saturating_sub(HANDLES_MAX as u64);
            held.1.retain(|_, (turn, _)| *turn > oldest);
        }
        handle
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A path on another computer.
fn is_on_network(path: &Path) -> bool {
    let path = path.to_string_lossy();
    let is_local = path.strip_prefix(r"\\?\").is_some_and(|rest| !rest.starts_with("UNC"));
    (path.starts_with(r"\\") && !is_local) || (cfg!(windows) && path.starts_with("//"))
}

/// A counter whose digits reveal neither the path nor the next handle.
fn new_handle(turn: u64, path: &Path, own: &DroppedFiles) -> String {
    let mut digest = Sha256::new();
    digest.update(turn.to_le_bytes());
    digest.update(path.to_string_lossy().as_bytes());
    digest.update((std::ptr::from_ref(own) as usize).to_le_bytes());
    digest.update(std::process::id().to_le_bytes());
    let digits = bordereau_contract::hex_text(digest.finalize().iter().take(8));
    format!("{turn}-{digits}")
}

#[cfg(test)]
mod tests {
    use super::is_on_network;

    #[test]
    fn a_path_on_another_computer_is_told_from_one_of_this() {
        for (path, expected) in [
            (r"\\server\share\a.csv", true),
            (r"\\?\UNC\server\share\a.csv", true),
            (r"\\.\pipe\a", true),
            (r"\\?\C:\a.csv", false),
            (r"C:\a.csv", false),
            ("/home/a.csv", false),
        ] {
            assert_eq!(is_on_network(path.as_ref()), expected, "{path}");
        }
    }
}
