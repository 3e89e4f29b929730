//! Files with secrets, which only their owner can read.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Whether it is an ordinary file that nobody else can read.
#[cfg(unix)]
#[must_use]
pub fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let is_own = |found: std::fs::Metadata| found.is_file() && found.permissions().mode() & 0o077 == 0;
    path.symlink_metadata().is_ok_and(is_own)
}

/// Whether it is an ordinary file; its folder decides who can read it.
#[cfg(not(unix))]
#[must_use]
pub fn is_private(path: &Path) -> bool {
    path.is_file()
}

/// Creates a file in place of any existing one, readable by its owner only from the first byte on. Never in place of a
/// device or a pipe, which an administrator could remove.
///
/// # Errors
/// The system's errors.
pub fn create_private(path: &Path) -> io::Result<File> {
    if path.symlink_metadata().is_ok_and(|found| !found.is_file() && !found.is_symlink()) {
        return Err(io::Error::other("it is a folder, a device or a pipe, not a file"));
    }
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_the_place_of_a_file_and_never_of_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let (file, pipe) = (folder.path().join("file"), folder.path().join("pipe"));
        std::fs::write(&file, "older").unwrap();
        create_private(&file).unwrap();
        assert!(is_private(&file) && std::fs::read(&file).unwrap().is_empty());
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(create_private(&pipe).is_err() && create_private(folder.path()).is_err());
        assert!(pipe.symlink_metadata().is_ok_and(|found| !found.is_file()));
    }
}
