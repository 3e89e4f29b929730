//! Windows: both programs as a zip and as the installer of `packaging/windows/bordereau.nsi`. On Windows itself they are
//! built with its own compiler and signed; from Linux by a cross build with mingw, to try them, and never signed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::package_files::{PackageOutcome, copy_file, empty_folder};
use super::release_build::{self, ReleaseBuild, set_times, version};
use super::windows_signature::WindowsSignature;
use crate::command::{self, TaskFailure, command_output, from_words, on_path};
use crate::repository;

const TARGET: &str = "x86_64-pc-windows-gnu";
const PACKS: Duration = Duration::from_secs(15 * 60);

/// A tool of mingw. Debian has each compiler twice; the posix one, because C++ parts use threads.
pub fn mingw_tool(name: &str) -> String {
    let plain = format!("x86_64-w64-mingw32-{name}");
    let posix = format!("{plain}-posix");
    if on_path(&posix) { posix } else { plain }
}

/// What a cross build with mingw needs.
pub fn with_mingw(command: &mut Command) {
    command.env("CC_x86_64_pc_windows_gnu", mingw_tool("gcc"));
    command.env("CXX_x86_64_pc_windows_gnu", mingw_tool("g++"));
    command.env("AR_x86_64_pc_windows_gnu", mingw_tool("ar"));
    command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", mingw_tool("gcc"));
}

/// Why a cross build cannot be tried here.
pub fn cross_lack() -> Option<String> {
    if !on_path(&mingw_tool("gcc")) || !on_path(&mingw_tool("g++")) {
        return Some("mingw-w64 with C and C++ is not on this machine".into());
    }
    rust_target_lack(TARGET)
}

/// Adds a target of rustup's toolchain; says why there is none.
pub fn rust_target_lack(target: &str) -> Option<String> {
    let library = || {
        let path = command_output(from_words(&["rustc", "--print", "target-libdir", "--target", target]));
        path.is_some_and(|path| Path::new(&path).is_dir())
    };
    if library() {
        return None;
    }
    let added =
        command::run_command(from_words(&["rustup", "target", "add", target]), Duration::from_secs(600));
    (added.is_err() || !library()).then(|| format!("Rust's library for {target} is not on this machine"))
}

/// The zip and the installer.
pub fn make_windows(folder: &Path) -> Result<PackageOutcome, TaskFailure> {
    let host = release_build::host_build()?;
    let cross_build;
    let build = if cfg!(windows) {
        host
    } else if let Some(lack) = cross_lack() {
        return Ok(PackageOutcome::LeftOut(lack));
    } else {
        cross_build = ReleaseBuild::run(TARGET.to_owned(), with_mingw)?;
        &cross_build
    };
    let signature = if cfg!(windows) { WindowsSignature::from_environment() } else { None };
    let work = repository::target_directory().join("packages-work");
    let name = package_name();
    let tree = work.join(&name);
    empty_folder(&tree)?;
    for program in ["bordereau", "bordereau-desktop"] {
        let file = tree.join(format!("{program}.exe"));
        copy_file(&build.program(program), &file)?;
        signature.as_ref().map_or(Ok(()), |signature| signature.sign_file(&file))?;
    }
    // The window's webview is loaded through it; it lies beside a program of mingw, and is in one of Windows' own compiler.
    let loader = "WebView2Loader.dll";
    if let Some(file) = find_file(&build.programs, loader).filter(|_| build.target == TARGET) {
        copy_file(&file, &tree.join(loader))?;
    }
    release_build::write_manual(&host.program("bordereau"), &work.join("manual"))?;
    copy_file(&work.join("manual/completions/_bordereau.ps1"), &tree.join("completions/_bordereau.ps1"))?;
    release_build::write_bill_of_materials(&tree, &build.target)?;
    set_times(&tree)?;
    let mut left_out = Vec::new();
    match zip_command(&work, &name, &folder.join(format!("{name}.zip"))) {
        Some(zip) => drop(command::run_command(zip, PACKS)?),
        None => left_out.push("zip"),
    }
    match find_makensis() {
        Some(makensis) => {
            let setup = folder.join(format!("{name}-setup.exe"));
            let mut nsis = makensis_command(&makensis, &tree, &setup);
            if let Some(signature) = &signature {
                nsis.arg(format!("-DSIGN={}", signature.script_command()?));
            }
            nsis.arg("packaging/windows/bordereau.nsi");
            command::run_command(nsis, PACKS)?;
            signature.map_or(Ok(()), |signature| signature.sign_file(&setup))?;
        }
        // A release without its installer would be found out by those who look for it.
        None if cfg!(windows) => {
            return Err(TaskFailure::new("makensis is not on this machine: winget install NSIS.NSIS"));
        }
        None => left_out.push("makensis (package nsis)"),
    }
    if left_out.is_empty() {
        return Ok(PackageOutcome::Made);
    }
    Ok(PackageOutcome::LeftOut(format!("a part of it: {} is not on this machine", left_out.join(", "))))
}

/// What the updater looks for is this with `-setup.exe`, whichever system made it.
fn package_name() -> String {
    format!("bordereau-{}-windows-x86_64", version())
}

/// Windows' own tar writes a zip by the name of the file; it has no program of that name.
fn zip_command(work: &Path, name: &str, archive: &Path) -> Option<Command> {
    std::fs::remove_file(archive).ok();
    let mut pack = if let Some(system) = std::env::var_os("SystemRoot").filter(|_| cfg!(windows)) {
        let mut tar = Command::new(Path::new(&system).join("System32/tar.exe"));
        tar.args(["-a", "-c", "-f"]);
        tar
    } else if on_path("zip") {
        from_words(&["zip", "-X", "-9", "-q", "-r"])
    } else {
        return None;
    };
    pack.arg(archive).arg(name).current_dir(work).env("TZ", "UTC");
    Some(pack)
}

/// On the path, or where NSIS puts itself.
fn find_makensis() -> Option<PathBuf> {
    if on_path("makensis") {
        return Some("makensis".into());
    }
    let programs = std::env::var_os("ProgramFiles(x86)").map(PathBuf::from)?;
    Some(programs.join("NSIS/makensis.exe")).filter(|file| file.is_file())
}

fn makensis_command(makensis: &Path, tree: &Path, output: &Path) -> Command {
    let icon = repository::repository_path("icons/icon.ico");
    let mut nsis = Command::new(makensis);
    nsis.args(["-V2", "-WX"]).current_dir(repository::repository_root());
    nsis.arg(format!("-DVERSION={}", version())).arg(format!("-DFOLDER={}", tree.display()));
    nsis.arg(format!("-DOUTPUT={}", output.display())).arg(format!("-DICON={}", icon.display()));
    nsis.env("SOURCE_DATE_EPOCH", release_build::source_date());
    nsis
}

fn find_file(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            folders.push(path);
        } else if path.file_name().is_some_and(|file| file == name) {
            return Some(path);
        }
    }
    folders.sort();
    folders.iter().find_map(|folder| find_file(folder, name))
}

#[cfg(test)]
mod tests {
    use super::package_name;
    use crate::dist::read_template;

    /// Another name would be a release whose update nobody is offered.
    #[test]
    fn the_installer_has_the_name_that_the_list_of_versions_knows() {
        let kinds = read_template("crates/session/src/signed_package.rs").unwrap();
        let line = kinds.lines().find(|line| line.contains("\"windows-x86_64-setup\"")).unwrap();
        let ending = line.split('"').nth(3).unwrap();
        assert!(format!("{}-setup.exe", package_name()).ends_with(ending), "{ending}");
    }
}
