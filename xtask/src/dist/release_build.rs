//! The programs as people get them: profile `dist`, no path of this machine in them, the time of the commit as the time.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::package_files::copy_file;
use crate::command::{self, TaskFailure, at_file, command_output, from_words};
use crate::fresh_machine;
use crate::repository;

const COMPILES: Duration = Duration::from_secs(120 * 60);

/// A build for one target.
pub struct ReleaseBuild {
    /// `x86_64-unknown-linux-gnu` and the like.
    pub target: String,
    /// Where the programs are.
    pub programs: PathBuf,
}

impl ReleaseBuild {
    /// For the system that runs this.
    pub fn run_host() -> Result<ReleaseBuild, TaskFailure> {
        let rustc = command_output(from_words(&["rustc", "--version", "--verbose"])).unwrap_or_default();
        let target = rustc.lines().find_map(|line| line.strip_prefix("host: "));
        let target = target.ok_or_else(|| TaskFailure::new("rustc does not name its host"))?.to_owned();
        ReleaseBuild::run(target, |_| {})
    }

    /// For a target; `prepare` adds what a cross build needs.
    pub fn run(target: String, prepare: impl Fn(&mut Command)) -> Result<ReleaseBuild, TaskFailure> {
        fresh_machine::ui_built_unless_there()?;
        let mut build = from_words(&["cargo", "build", "--profile", "dist", "--locked", "--bins"]);
        build.args(["--package", "bordereau-cli", "--package", "bordereau-desktop", "--target", &target]);
        make_reproducible(&mut build, &target);
        prepare(&mut build);
        command::run_command(build, COMPILES)?;
        let programs = repository::target_directory().join(&target).join("dist");
        Ok(ReleaseBuild { target, programs })
    }

    /// A program's file.
    pub fn program(&self, name: &str) -> PathBuf {
        let suffix = if self.target.contains("windows") { ".exe" } else { "" };
        self.programs.join(format!("{name}{suffix}"))
    }
}

/// Builds once for a run, whichever packages ask.
pub fn host_build() -> Result<&'static ReleaseBuild, TaskFailure> {
    static BUILD: std::sync::OnceLock<ReleaseBuild> = std::sync::OnceLock::new();
    if let Some(build) = BUILD.get() {
        return Ok(build);
    }
    let build = ReleaseBuild::run_host()?;
    Ok(BUILD.get_or_init(|| build))
}

/// Version of the workspace, which every package has.
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Seconds of the last commit: the same sources have the same time in every package.
pub fn source_date() -> String {
    std::env::var("SOURCE_DATE_EPOCH").ok().unwrap_or_else(|| {
        command_output(from_words(&["git", "log", "-1", "--format=%ct"])).unwrap_or_else(|| "0".into())
    })
}

/// No path of this machine, no time of today and nothing left from a build before.
pub fn make_reproducible(build: &mut Command, target: &str) {
    let cargo = fresh_machine::cargo_bin().parent().map(Path::to_path_buf).unwrap_or_default();
    let top = repository::repository_root().display().to_string();
    let cargo = cargo.display().to_string();
    let mut flags =
        vec![format!("--remap-path-prefix={top}=/bordereau"), format!("--remap-path-prefix={cargo}=/cargo")];
    // The linker that rustc brings along there keeps functions of the same code once.
    if target == "x86_64-unknown-linux-gnu" {
        flags.push("-Clink-arg=-Wl,--icf=all".to_owned());
    }
    // Windows' own compiler: its library is not on each computer.
    if target.ends_with("-windows-msvc") {
        flags.push("-Ctarget-feature=+crt-static".to_owned());
    }
    // The separator of CARGO_ENCODED_RUSTFLAGS: paths may have spaces.
    build.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    if !cfg!(windows) {
        let prefix = format!("-ffile-prefix-map={top}=/bordereau -ffile-prefix-map={cargo}=/cargo");
        build.env("CFLAGS", &prefix).env("CXXFLAGS", &prefix);
    }
    build.env("SOURCE_DATE_EPOCH", source_date()).env("CARGO_INCREMENTAL", "0");
}

/// License texts and the list of parts, of what a target's programs are made of.
pub fn write_bill_of_materials(folder: &Path, target: &str) -> Result<(), TaskFailure> {
    fresh_machine::ui_packages()?;
    let mut write = from_words(&["node", "packaging/bill-of-materials.mjs"]);
    write.arg(folder).arg(target);
    write.env("PATH", fresh_machine::path_with_tools()).env("SOURCE_DATE_EPOCH", source_date());
    command::run_command(write, Duration::from_secs(300))?;
    for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy_file(&repository::repository_path(license), &folder.join(license))?;
    }
    Ok(())
}

/// Manual pages and completions, as the command line of this system writes them: they are the same everywhere.
pub fn write_manual(program: &Path, folder: &Path) -> Result<(), TaskFailure> {
    let mut manual = Command::new(program);
    manual.arg("manual").arg(folder);
    command::run_command(manual, Duration::from_secs(60)).map(drop)
}

/// Every file and folder gets the time of the sources: archives keep it.
pub fn set_times(folder: &Path) -> Result<(), TaskFailure> {
    let seconds = source_date().parse().unwrap_or(0);
    let time = std::time::UNIX_EPOCH + Duration::from_secs(seconds);
    let entries = std::fs::read_dir(folder).map_err(at_file(folder))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            set_times(&path)?;
        } else {
            let file = std::fs::File::options().append(true).open(&path);
            file.and_then(|file| file.set_modified(time)).map_err(at_file(&path))?;
        }
    }
    // A folder is opened for reading only, which is enough for its time.
    let folder_time = std::fs::File::open(folder).and_then(|open| open.set_modified(time));
    if cfg!(unix) { folder_time.map_err(at_file(folder)) } else { Ok(()) }
}
