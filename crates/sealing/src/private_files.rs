//! Files and folders that only their owner reads, on the disk when a function returns.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Makes a folder private to its owner; on Windows the person's profile folder protects it.
pub fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Makes a file private to its owner; on Windows the person's profile folder protects it.
#[cfg_attr(not(unix), expect(unused_variables, reason = "nothing is to be done"))]
pub fn make_private_file(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(())
}

/// The same for an open file.
#[cfg_attr(not(unix), expect(unused_variables, reason = "nothing is to be done"))]
pub fn make_open_file_private(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(())
}

/// Creates a file that wasn't there, private to its owner from its first byte on.
pub fn create_private_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The same in place of any existing file. Never in place of a device or a pipe, which an administrator could remove.
pub fn replace_private_file(path: &Path) -> io::Result<File> {
    if path.symlink_metadata().is_ok_and(|found| !found.is_file() && !found.is_symlink()) {
        return Err(io::Error::other("it is a folder, a device or a pipe, not a file"));
    }
    remove_if_there(path)?;
    create_private_file(path)
}

/// Removes a file; one that isn't there is none.
pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The files in a folder, not those of its folders, by their names.
pub fn list_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Whether it is an ordinary file that nobody else can read; on Windows its folder decides that.
#[must_use]
pub fn is_private_file(path: &Path) -> bool {
    #[cfg(unix)]
    let is_own = |found: fs::Metadata| {
        std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 == 0 && found.is_file()
    };
    #[cfg(not(unix))]
    let is_own = |found: fs::Metadata| found.is_file();
    path.symlink_metadata().is_ok_and(is_own)
}

/// Syncs a file; Windows syncs only what is open for writing.
pub fn sync_file(path: &Path) -> io::Result<()> {
    File::options().write(true).open(path)?.sync_all()
}

/// Syncs a folder, so that a file made or renamed in it keeps its name after a power loss, if the disk supports it:
/// a network share may not.
pub fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Files whose name is this and a number.
pub fn numbered_files<N: std::str::FromStr>(folder: &Path, begin: &str) -> Vec<(PathBuf, N)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let numbered = entries.filter_map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        Some((entry.path(), name.strip_prefix(begin)?.parse().ok()?))
    });
    numbered.collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_the_place_of_a_file_and_never_of_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let (file, pipe) = (folder.path().join("file"), folder.path().join("pipe"));
        fs::write(&file, "older").unwrap();
        replace_private_file(&file).unwrap();
        assert!(is_private_file(&file) && fs::read(&file).unwrap().is_empty());
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(replace_private_file(&pipe).is_err() && replace_private_file(folder.path()).is_err());
        assert!(pipe.symlink_metadata().is_ok_and(|found| !found.is_file()));
    }
}
