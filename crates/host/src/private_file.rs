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

/// Creates a file in place of any existing one, readable by its owner only from the first byte on.
///
/// # Errors
/// The system's errors.
pub fn create_private(path: &Path) -> io::Result<File> {
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
