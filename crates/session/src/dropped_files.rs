//! Files dropped on the window: the UI gets a handle, never a path.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::Context;
use bordereau_api::BoundaryError;

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

/// Number of files dropped so far; and by handle, the turn and the path.
type Held = (u64, HashMap<String, (u64, PathBuf)>);

/// Paths by handle.
#[derive(Default)]
pub struct DroppedFiles {
    held: Mutex<Held>,
    /// Documents last shown for each review.
    documents: Mutex<HashMap<String, Vec<PathBuf>>>,
}

/// Takes files dropped on the window and returns handles. A handle reads only what a person dropped: the UI can't
/// name a path.
pub fn drop_files(ctx: &Context, paths: Vec<PathBuf>) -> Vec<DroppedFile> {
    paths.into_iter().map(|path| DroppedFiles::from_context(ctx).take_path(path)).collect()
}

/// The path behind a handle.
pub fn dropped_path(ctx: &Context, handle: &str) -> Result<PathBuf, BoundaryError> {
    let dropped = DroppedFiles::from_context(ctx);
    let held = dropped.held.lock();
    let found = held.1.get(handle).map(|(_, path)| path.clone());
    found.ok_or_else(|| BoundaryError::not_found("file"))
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
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut held = self.held.lock();
        held.0 += 1;
        let turn = held.0;
        let handle = new_handle(turn, &path, self);
        held.1.insert(handle.clone(), (turn, path));
        if held.1.len() > HANDLES_MAX {
            let oldest = turn.saturating_sub(HANDLES_MAX as u64);
            held.1.retain(|_, (turn, _)| *turn > oldest);
        }
        DroppedFile {
            handle,
            name,
            bytes: metadata.as_ref().filter(|m| m.is_file()).map_or(0, std::fs::Metadata::len),
            folder: metadata.is_some_and(|m| m.is_dir()),
        }
    }
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
