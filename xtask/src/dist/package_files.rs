//! What every kind of package needs: files, folders, and how it ended.

use std::path::{Path, PathBuf};

use crate::command::{TaskFailure, at_file};
use crate::repository;

/// What became of a package.
pub enum PackageOutcome {
    /// Its files lie in the folder.
    Made,
    /// Skipped: what this machine lacks.
    LeftOut(String),
}

/// Where everything is put.
pub fn packages_folder() -> PathBuf {
    repository::target_directory().join("packages")
}

/// Writes a file, and its folder.
pub fn write_file(path: &Path, text: impl AsRef<[u8]>) -> Result<(), TaskFailure> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text)).map_err(at_file(path))
}

/// Copies a file, and makes its folder.
pub fn copy_file(from: &Path, to: &Path) -> Result<(), TaskFailure> {
    let folder = to.parent().unwrap_or(to);
    std::fs::create_dir_all(folder).map_err(at_file(folder))?;
    std::fs::copy(from, to).map(drop).map_err(at_file(from))
}

/// A text of the repository.
pub fn read_template(path: &str) -> Result<String, TaskFailure> {
    let path = repository::repository_path(path);
    std::fs::read_to_string(&path).map_err(at_file(&path))
}

/// A folder with nothing in it.
pub fn empty_folder(path: &Path) -> Result<(), TaskFailure> {
    if path.exists() {
        std::fs::remove_dir_all(path).map_err(at_file(path))?;
    }
    std::fs::create_dir_all(path).map_err(at_file(path))
}
