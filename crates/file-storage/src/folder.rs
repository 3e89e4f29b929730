//! Files in a folder that every desk reaches under one path.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::FileStorageError;
use crate::file_place::check_folder;

/// Writes a file: all of it is there under its name, also after a loss of power, or nothing.
pub(crate) fn write_file(folder: &str, path: &str, content: &[u8]) -> Result<(), FileStorageError> {
    check_folder(folder)?;
    let file = Path::new(folder).join(path);
    let draft = draft_beside(&file);
    let written = write_draft(&draft, content).and_then(|()| fs::rename(&draft, &file));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written.map_err(|error| failure_of(folder, &error))?;
    sync_folder(&file);
    Ok(())
}

/// Reads a file, at most so many bytes and one; `None` where there is none.
pub(crate) fn read_file(folder: &str, path: &str, most: u64) -> Result<Option<Vec<u8>>, FileStorageError> {
    let mut content = Vec::new();
    let read = File::open(Path::new(folder).join(path))
        .and_then(|file| file.take(most.saturating_add(1)).read_to_end(&mut content));
    match read {
        Ok(_) => Ok(Some(content)),
        Err(error) if is_missing(&error) => check_folder(folder).map(|()| None),
        Err(error) => Err(failure_of(folder, &error)),
    }
}

/// Removes a file; one that isn't there is none.
pub(crate) fn remove_file(folder: &str, path: &str) -> Result<(), FileStorageError> {
    let file = Path::new(folder).join(path);
    match fs::remove_file(&file) {
        Err(error) if is_missing(&error) => check_folder(folder),
        Err(error) => Err(failure_of(folder, &error)),
        Ok(()) => {
            sync_folder(&file);
            Ok(())
        }
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Of no other process, desk or thread.
fn draft_beside(file: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let own =
        format!("{:x}-{:x}-{:x}", std::process::id(), time.as_nanos(), COUNT.fetch_add(1, Ordering::Relaxed));
    file.with_extension(format!("{own}.draft"))
}

fn write_draft(draft: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(parent) = draft.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = File::options().write(true).create_new(true).open(draft)?;
    file.write_all(content)?;
    file.sync_all()
}

/// The name itself, and that of its folder, where the system can: Windows has no such thing, and some shares refuse it.
fn sync_folder(file: &Path) {
    for folder in file.ancestors().skip(1).take(2).filter(|_| cfg!(unix)) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

fn failure_of(folder: &str, error: &io::Error) -> FileStorageError {
    tracing::warn!(%error, "file storage");
    if let Err(gone) = check_folder(folder) {
        return gone;
    }
    match error.kind() {
        io::ErrorKind::PermissionDenied => FileStorageError::Refused(error.to_string()),
        _ => FileStorageError::Unreachable(error.to_string()),
    }
}
