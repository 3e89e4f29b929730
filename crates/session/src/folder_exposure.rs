//! Checks who else on this computer can open the data folder.

use std::path::Path;

/// What others on this computer can do with a folder of Bordereau's data, with advice; `None` where only its owner
/// has access.
#[cfg(unix)]
#[must_use]
pub fn folder_exposure(path: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let found = std::fs::metadata(path).ok()?;
    let (own, owner) = (rustix::process::geteuid().as_raw(), found.uid());
    if owner != own {
        return Some(format!(
            "The data folder {} belongs to another user (number {owner}), who can read and change everything in it. Use a folder of your own.",
            path.display()
        ));
    }
    let mode = found.mode() & 0o777;
    (mode & 0o077 != 0).then(|| {
        format!(
            "The data folder {path} is open to others on this computer (mode {mode:o}). Run: chmod -R go= {path}",
            path = path.display()
        )
    })
}

/// The person's profile folder protects it.
#[cfg(not(unix))]
#[must_use]
pub fn folder_exposure(_path: &Path) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_others_can_open_is_said() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        for (mode, is_said) in [(0o700, false), (0o755, true), (0o750, true), (0o711, true), (0o702, true)] {
            std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(mode)).unwrap();
            let said = folder_exposure(folder.path());
            assert_eq!(said.is_some(), is_said, "{mode:o}: {said:?}");
        }
        assert_eq!(folder_exposure(&folder.path().join("nothing")), None);
    }
}
