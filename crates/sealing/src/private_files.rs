//! Files and folders that only their owner reads, on the disk when a function returns.

use std::fs;
use std::io;
use std::path::Path;

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

/// Syncs a file; Windows syncs only what is open for writing.
pub fn sync_file(path: &Path) -> io::Result<()> {
    fs::File::options().write(true).open(path)?.sync_all()
}

/// Syncs a folder, so that a file made or renamed in it keeps its name after a power loss, if the disk supports it:
/// a network share may not.
pub fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
    }
}
