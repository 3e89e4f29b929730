//! The policy's file: its path, and whether only administrators can change it.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::read_chosen;
use crate::policy::Policy;

/// Largest policy, in bytes.
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// Path of the policy on this computer. On Linux and macOS no variable changes it: a person could bypass it.
#[must_use]
pub fn policy_path() -> PathBuf {
    if cfg!(windows) {
        let folder = std::env::var_os("ProgramData").unwrap_or_else(|| r"C:\ProgramData".into());
        return PathBuf::from(folder).join("Bordereau").join("policy.toml");
    }
    if cfg!(target_os = "macos") {
        return "/Library/Application Support/Bordereau/policy.toml".into();
    }
    "/etc/bordereau/policy.toml".into()
}

/// Reads the policy, once at start. A file that can't be used is reported, and everything that reaches out stays
/// off.
#[must_use]
pub fn read_policy(path: &Path) -> Policy {
    let place = path.display().to_string();
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Policy::default(),
        _ => {}
    }
    match read_trusted(path) {
        Ok(policy) => Policy { place, ..policy },
        Err(why) => {
            let fault = format!(
                "The policy {place} isn't used: {why}. Until it is right, nothing is looked for on the network and \
                 no rules pack is used."
            );
            Policy::unusable(place, fault)
        }
    }
}

fn read_trusted(path: &Path) -> Result<Policy, String> {
    ensure_administrators_own(path)?;
    let bytes = read_chosen(path, FILE_BYTES_MAX)?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    let mut policy = Policy::read(&text).map_err(|why| why.trim().replace('\n', " "))?;
    policy.network.authority_pem = read_authority(&policy.network.authority)?;
    Ok(policy)
}

/// Reads the authority it names; only administrators may change that file, too.
fn read_authority(path: &Path) -> Result<String, String> {
    if path.as_os_str().is_empty() {
        return Ok(String::new());
    }
    let fault = |why: String| format!("the authority {} can't be used: {why}", path.display());
    if !path.is_absolute() {
        return Err(fault("the whole path is needed".to_owned()));
    }
    ensure_administrators_own(path).map_err(fault)?;
    let bytes = read_chosen(path, FILE_BYTES_MAX).map_err(fault)?;
    let pem = String::from_utf8(bytes).ok().filter(|text| text.contains("BEGIN CERTIFICATE"));
    pem.ok_or_else(|| fault("it isn't a PEM file with a certificate".to_owned()))
}

/// Ensures that the file and its folder belong to root and only root can write them.
#[cfg(unix)]
fn ensure_administrators_own(path: &Path) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    for place in [path, folder] {
        let found = place.symlink_metadata().map_err(|error| error.kind().to_string())?;
        ensure_owner(place, &found)?;
    }
    Ok(())
}

#[cfg(unix)]
fn ensure_owner(place: &Path, found: &std::fs::Metadata) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    if found.file_type().is_symlink() {
        return Err(format!("{} is a link", place.display()));
    }
    if found.uid() != 0 {
        return Err(format!("{} doesn't belong to root (chown root)", place.display()));
    }
    if found.mode() & 0o022 != 0 {
        return Err(format!("others than root can change {} (chmod go-w)", place.display()));
    }
    Ok(())
}

/// Ensures that the current user can't write it; who else can isn't checked.
#[cfg(not(unix))]
fn ensure_administrators_own(path: &Path) -> Result<(), String> {
    match std::fs::OpenOptions::new().append(true).open(path) {
        Ok(_) => Err("the account that runs Bordereau can change it".to_owned()),
        Err(_) => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn is_root() -> bool {
        rustix::process::geteuid().is_root()
    }

    #[test]
    fn only_a_file_that_administrators_alone_can_change_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("policy.toml");
        assert_eq!(read_policy(&path), Policy::default(), "no file is no policy");
        std::fs::write(&path, "[profiles]\nproduction = false\n").unwrap();
        let with_mode = |folder_mode, mode| {
            std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(folder_mode)).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            read_policy(&path)
        };
        let cases = [
            (0o700, 0o644, is_root(), ""),
            (0o700, 0o664, false, "chmod go-w"),
            (0o700, 0o646, false, "chmod go-w"),
            (0o733, 0o644, false, "chmod go-w"),
        ];
        for (folder_mode, mode, is_used, reason) in cases {
            let policy = with_mode(folder_mode, mode);
            assert_eq!(policy.fault.is_empty(), is_used, "{mode:o}: {}", policy.fault);
            assert_eq!(policy.profiles.production, !is_used);
            assert_eq!(policy.updates.check, is_used);
            let reason = if is_root() { reason } else { "" };
            assert!(policy.fault.contains(reason), "{}", policy.fault);
        }
    }

    #[test]
    fn a_wrong_file_is_said_in_a_sentence() {
        if !is_root() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("policy.toml");
        let large = "#".repeat(FILE_BYTES_MAX as usize + 1);
        for (text, reason) in [
            ("[profile]\n", "unknown field"),
            (large.as_str(), "larger than"),
            ("x = ", ""),
            ("[network]\nauthority = \"authority.pem\"\n", "the whole path is needed"),
            ("[network]\nauthority = \"/nowhere/authority.pem\"\n", "/nowhere/authority.pem can't be used"),
            ("[network]\nauthority = \"/etc/hostname\"\n", "isn't a PEM file"),
        ] {
            std::fs::write(&path, text).unwrap();
            let policy = read_policy(&path);
            assert!(!policy.rules.packs && policy.fault.contains(reason), "{}", policy.fault);
            assert!(!policy.fault.contains('\n'), "{}", policy.fault);
        }
        let link = folder.path().join("link.toml");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        assert!(read_policy(&link).fault.contains("is a link"));
    }
}
