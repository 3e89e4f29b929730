//! Files in a folder that every desk reaches under one path.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::FileStorageError;
use crate::file_place::check_folder;

/// Ending of the name that a file has until it is whole.
const DRAFT: &str = "draft";
/// A draft that is this much older than another one is nobody's any more.
const DRAFT_LEFT: Duration = Duration::from_secs(24 * 60 * 60);

/// Writes a file: all of it is there under its name, also after a loss of power, or nothing.
pub(crate) fn write_file(folder: &str, path: &str, content: &[u8]) -> Result<(), FileStorageError> {
    check_folder(folder)?;
    let file = Path::new(folder).join(path);
    let draft = draft_beside(&file);
    let written = write_draft(&draft, content).map(|()| remove_left_drafts(&draft));
    let written = written.and_then(|()| fs::rename(&draft, &file));
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
    file.with_extension(format!("{own}.{DRAFT}"))
}

fn write_draft(draft: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(parent) = draft.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = File::options().write(true).create_new(true).open(draft)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Removes drafts beside this one that processes left which were ended while they wrote: those a day older, by the clock
/// of the system that has the folder.
fn remove_left_drafts(own: &Path) {
    let written_at = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let (Some(folder), Some(now)) = (own.parent(), written_at(own)) else { return };
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|found| found.path());
    // Of the others nothing is asked: on a share each question takes its time.
    for file in files.filter(|file| file.extension().is_some_and(|end| end == DRAFT)) {
        let age = written_at(&file).and_then(|then| now.duration_since(then).ok()).unwrap_or_default();
        if age > DRAFT_LEFT {
            let _ = fs::remove_file(&file);
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_that_ended_processes_left_are_removed_by_the_next_file() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_string_lossy().into_owned();
        let beside = |name: &str| folder.path().join("3f").join(name);
        write_file(&root, "3f/one", b"1").unwrap();
        for (name, hours) in [("two.1-2-3.draft", 25), ("three.1-2-3.draft", 23), ("four", 100)] {
            fs::write(beside(name), b"part").unwrap();
            let then = std::time::SystemTime::now() - Duration::from_secs(hours * 60 * 60);
            File::options().write(true).open(beside(name)).unwrap().set_modified(then).unwrap();
        }
        write_file(&root, "3f/five", b"5").unwrap();
        let mut names: Vec<_> =
            fs::read_dir(folder.path().join("3f")).unwrap().map(|found| found.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["five", "four", "one", "three.1-2-3.draft"]);
    }
}
