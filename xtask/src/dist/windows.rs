//! Windows from Linux: both programs by a cross build with mingw, as a zip and as an installer of Debian's NSIS. Not signed;
//! the installers that are, come from a Windows machine (`bundler.rs`).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::package_files::{PackageOutcome, copy_file, empty_folder};
use super::release_build::{self, ReleaseBuild, set_times, version};
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
    if let Some(lack) = cross_lack() {
        return Ok(PackageOutcome::LeftOut(lack));
    }
    let build = ReleaseBuild::run(TARGET.to_owned(), with_mingw)?;
    let work = repository::target_directory().join("packages-work");
    let name = format!("bordereau-{}-windows-x86_64", version());
    let tree = work.join(&name);
    empty_folder(&tree)?;
    for program in ["bordereau", "bordereau-desktop"] {
        copy_file(&build.program(program), &tree.join(format!("{program}.exe")))?;
    }
    // The window's webview is loaded through it; it lies beside the program.
    let loader = "WebView2Loader.dll";
    if let Some(file) = find_file(&build.programs, loader) {
        copy_file(&file, &tree.join(loader))?;
    }
    let host = release_build::host_build()?;
    release_build::write_manual(&host.program("bordereau"), &work.join("manual"))?;
    copy_file(&work.join("manual/completions/_bordereau.ps1"), &tree.join("completions/_bordereau.ps1"))?;
    release_build::write_bill_of_materials(&tree, TARGET)?;
    set_times(&tree)?;
    let mut left_out = Vec::new();
    if on_path("zip") {
        let archive = folder.join(format!("{name}.zip"));
        std::fs::remove_file(&archive).ok();
        let mut zip = from_words(&["zip", "-X", "-9", "-q", "-r"]);
        zip.arg(&archive).arg(&name).current_dir(&work).env("TZ", "UTC");
        command::run_command(zip, PACKS)?;
    } else {
        left_out.push("zip");
    }
    if on_path("makensis") {
        command::run_command(makensis_command(&tree, &folder.join(format!("{name}-setup.exe"))), PACKS)?;
    } else {
        left_out.push("makensis (package nsis)");
    }
    if left_out.is_empty() {
        return Ok(PackageOutcome::Made);
    }
    Ok(PackageOutcome::LeftOut(format!("a part of it: {} is not on this machine", left_out.join(", "))))
}

fn makensis_command(tree: &Path, output: &Path) -> Command {
    let icon = repository::repository_path("icons/icon.ico");
    let mut nsis = from_words(&["makensis", "-V2", "-WX"]);
    nsis.arg(format!("-DVERSION={}", version())).arg(format!("-DFOLDER={}", tree.display()));
    nsis.arg(format!("-DOUTPUT={}", output.display())).arg(format!("-DICON={}", icon.display()));
    nsis.arg("packaging/windows/bordereau.nsi").env("SOURCE_DATE_EPOCH", release_build::source_date());
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
