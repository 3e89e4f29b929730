//! The MSI of Windows and the universal dmg of macOS, each on its own machine, with Tauri's bundler. It signs where
//! certificates are named in the environment, and says so where they are not.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::package_files::{PackageOutcome, copy_file};
use super::release_build::{self, ReleaseBuild, version};
use super::windows_signature::WindowsSignature;
use crate::command::{self, TaskFailure, at_file, from_words};
use crate::fresh_machine;
use crate::repository;

/// One version of the bundler for everybody; it is no part of the UI.
const BUNDLER: &str = "@tauri-apps/cli@2.12.5";
const BUNDLES: Duration = Duration::from_secs(120 * 60);
const UNIVERSAL: &str = "universal-apple-darwin";

const APPLE_SECRETS: &[&str] = &[
    "APPLE_CERTIFICATE",
    "APPLE_CERTIFICATE_PASSWORD",
    "APPLE_SIGNING_IDENTITY",
    "APPLE_ID",
    "APPLE_PASSWORD",
    "APPLE_TEAM_ID",
];

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// The MSI of Windows; its installer for one person is made by `windows.rs`.
pub fn make_msi(folder: &Path) -> Result<PackageOutcome, TaskFailure> {
    let host = release_build::host_build()?;
    let command_line = bundled_command_line(&host.target);
    copy_file(&host.program("bordereau"), &command_line)?;
    let signature = WindowsSignature::from_environment();
    if let Some(signature) = &signature {
        signature.sign_file(&command_line)?;
    }
    let fields = signature.map(|signature| signature.bundler_fields()).unwrap_or_default();
    run_bundler(folder, &host.target, "msi", &fields, from_words(&["npx.cmd"]))
}

/// The image of macOS, for both of its processors.
pub fn make_dmg(folder: &Path) -> Result<PackageOutcome, TaskFailure> {
    let mut join = from_words(&["lipo", "-create", "-output"]);
    join.arg(bundled_command_line(UNIVERSAL));
    for target in ["aarch64-apple-darwin", "x86_64-apple-darwin"] {
        let build = ReleaseBuild::run(target.to_owned(), |_| {})?;
        // The window is compiled for each of them with the command line beside it.
        let command_line = bundled_command_line(target);
        copy_file(&build.program("bordereau"), &command_line)?;
        join.arg(command_line);
    }
    command::run_command(join, BUNDLES)?;
    let mut npx = from_words(&["npx"]);
    // A secret that is not set reaches a CI's job as an empty text, which the bundler would take for a certificate.
    let unset = APPLE_SECRETS.iter().filter(|name| !is_set(name)).collect::<Vec<_>>();
    for name in &unset {
        npx.env_remove(name);
    }
    if !unset.is_empty() {
        println!("not signed or notarized: not all of {} are set", APPLE_SECRETS.join(", "));
    }
    run_bundler(folder, UNIVERSAL, "dmg", "", npx)
}

fn work_folder() -> PathBuf {
    repository::target_directory().join("packages-work")
}

/// Where the bundler looks for the command line of a target; it is put into the package without the target's name.
fn bundled_command_line(target: &str) -> PathBuf {
    work_folder().join(format!("bordereau-{target}{}", std::env::consts::EXE_SUFFIX))
}

/// Compiles the window as every package has it, with the command line beside it, and packs both.
fn run_bundler(
    folder: &Path,
    target: &str,
    kind: &str,
    windows_fields: &str,
    mut npx: Command,
) -> Result<PackageOutcome, TaskFailure> {
    let work = work_folder();
    release_build::write_bill_of_materials(&work.join("licenses"), &release_build::host_build()?.target)?;
    let config = bundle_config(&work, windows_fields);
    npx.args(["--yes", BUNDLER, "build", "--target", target, "--bundles", kind, "--config", &config, "--ci"]);
    npx.args(["--", "--profile", "dist", "--locked", "--package", "bordereau-desktop"]);
    npx.env("PATH", fresh_machine::path_with_tools());
    release_build::make_reproducible(&mut npx, target);
    command::run_command(npx, BUNDLES)?;
    let made = repository::target_directory().join(target).join("dist/bundle").join(kind);
    for file in std::fs::read_dir(&made).map_err(at_file(&made))?.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if name.contains(version()) && name.ends_with(&format!(".{kind}")) {
            copy_file(&file.path(), &folder.join(name))?;
        }
    }
    Ok(PackageOutcome::Made)
}

/// What is added to tauri.conf.json.
fn bundle_config(work: &Path, windows_fields: &str) -> String {
    let path = |name: &str| work.join(name).display().to_string().replace('\\', "/");
    format!(
        r#"{{"bundle":{{"externalBin":["{}"],"resources":{{"{}":"licenses/"}},"windows":{{{windows_fields}}}}}}}"#,
        path("bordereau"),
        path("licenses/*"),
    )
}
