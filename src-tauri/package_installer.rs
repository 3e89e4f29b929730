//! A package of a new version is installed by the system: the installer on Windows, the package manager on Linux, the
//! mounted image on macOS. Its signature was checked by the desk.

use std::path::Path;
use std::process::{Command, Stdio};

/// Which kind of package this program came with; empty where it was unpacked or built by a person.
pub(crate) fn package_kind() -> String {
    let program = std::env::current_exe().unwrap_or_default();
    let form = if cfg!(windows) {
        windows_form(&program)
    } else if cfg!(target_os = "macos") {
        return if program.starts_with("/Applications") {
            "macos-universal-dmg".to_owned()
        } else {
            String::new()
        };
    } else if program == Path::new("/usr/bin/bordereau-desktop") && on_path("pkexec") {
        linux_form()
    } else {
        None
    };
    let system = (std::env::consts::OS, std::env::consts::ARCH);
    form.map_or_else(String::new, |form| format!("{}-{}-{form}", system.0, system.1))
}

/// Where it is installed for all users, replacing it is an administrator's work.
fn windows_form(program: &Path) -> Option<&'static str> {
    let for_all = std::env::var_os("ProgramFiles").is_some_and(|folder| program.starts_with(folder));
    let is_installed = program.parent().is_some_and(|folder| folder.join("uninstall.exe").is_file());
    (is_installed && !for_all).then_some("setup")
}

/// By whose list of files the program is in.
fn linux_form() -> Option<&'static str> {
    if Path::new("/var/lib/dpkg/info/bordereau.list").is_file() {
        return Some("deb");
    }
    if !on_path("dnf") {
        return None;
    }
    let owner = Command::new("rpm").args(["--query", "bordereau"]).stdin(Stdio::null()).output();
    owner.is_ok_and(|owner| owner.status.success()).then_some("rpm")
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Installs the package, or starts what does once this program is closed.
///
/// # Errors
/// A sentence on why it isn't installed.
pub(crate) fn install_package(package: &Path) -> Result<(), String> {
    let mut command = install_command(package, std::process::id());
    command.stdin(Stdio::null());
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |why: String| format!("The package wasn't installed ({program}: {why}).");
    if cfg!(windows) {
        return command.spawn().map(drop).map_err(|error| failed(error.to_string()));
    }
    let status = command.status().map_err(|error| failed(error.to_string()))?;
    match status.code() {
        Some(0) => Ok(()),
        // pkexec: the person closed its question, or may not.
        Some(126 | 127) if !cfg!(target_os = "macos") => {
            Err("The package wasn't installed: it needs an administrator's consent.".to_owned())
        }
        _ => Err(failed(status.to_string())),
    }
}

/// On Windows the installer waits for this process to end and starts the new version; on Linux the package manager asks
/// for an administrator's password; macOS shows the image, from which the person replaces the application.
fn install_command(package: &Path, process: u32) -> Command {
    if cfg!(windows) {
        let mut setup = Command::new(package);
        setup.args(["/S", "/CurrentUser"]).arg(format!("/AFTER={process}"));
        return setup;
    }
    if cfg!(target_os = "macos") {
        let mut open = Command::new("open");
        open.arg(package);
        return open;
    }
    let mut install = Command::new("pkexec");
    if package.extension().is_some_and(|extension| extension == "rpm") {
        install.args(["dnf", "install", "--assumeyes"]);
    } else {
        install.args(["apt-get", "install", "--yes"]);
    }
    install.arg(package);
    install
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_a_person_built_is_replaced_by_no_package() {
        assert_eq!(package_kind(), "");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_package_manager_installs_the_file_itself() {
        for (name, expected) in [
            ("/data/updates/bordereau-0.3.0.deb", ["apt-get", "install", "--yes"]),
            ("/data/updates/bordereau-0.3.0.rpm", ["dnf", "install", "--assumeyes"]),
        ] {
            let command = install_command(Path::new(name), 7);
            assert_eq!(command.get_program(), "pkexec");
            let arguments: Vec<_> = command.get_args().collect();
            assert_eq!(arguments, [expected.as_slice(), &[name]].concat());
        }
    }
}
