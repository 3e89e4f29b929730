//! Windows and macOS on their own machines, with Tauri's bundler: MSI and NSIS, a universal dmg. It signs where the
//! certificates of tauri.conf.json's systems are in the environment, and says so where they are not.

use std::path::Path;
use std::time::Duration;

use super::package_files::{PackageOutcome, copy_file};
use super::release_build::{self, ReleaseBuild, version};
use crate::command::{self, TaskFailure, from_words};
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

/// The certificate in this person's store, by its thumbprint.
fn windows_signature() -> String {
    let value = |name: &str| std::env::var(name).unwrap_or_default();
    let thumbprint = value("WINDOWS_CERTIFICATE_THUMBPRINT");
    if thumbprint.is_empty() || !thumbprint.chars().all(|c| c.is_ascii_hexdigit()) {
        if cfg!(windows) {
            println!("not signed: WINDOWS_CERTIFICATE_THUMBPRINT is not set");
        }
        return "{}".into();
    }
    let time = value("WINDOWS_TIMESTAMP_URL").replace(['"', '\\'], "");
    let time = if time.is_empty() { String::new() } else { format!(r#","timestampUrl":"{time}""#) };
    format!(r#"{{"certificateThumbprint":"{thumbprint}","digestAlgorithm":"sha256"{time}}}"#)
}

/// The installers of this system.
pub fn make_installers(folder: &Path) -> Result<PackageOutcome, TaskFailure> {
    fresh_machine::ui_built_unless_there()?;
    let work = repository::target_directory().join("packages-work");
    let target = if cfg!(target_os = "macos") { UNIVERSAL } else { "x86_64-pc-windows-msvc" };
    let host = release_build::host_build()?;
    release_build::write_bill_of_materials(&work.join("licenses"), &host.target)?;
    let command_line = work.join(format!("bordereau-{target}{}", std::env::consts::EXE_SUFFIX));
    if cfg!(target_os = "macos") {
        let both = ["aarch64-apple-darwin", "x86_64-apple-darwin"];
        let builds = both.map(|each| ReleaseBuild::run(each.to_owned(), |_| {}));
        let mut join = from_words(&["lipo", "-create", "-output"]);
        join.arg(&command_line);
        for build in builds {
            join.arg(build?.program("bordereau"));
        }
        command::run_command(join, BUNDLES)?;
    } else {
        copy_file(&host.program("bordereau"), &command_line)?;
    }
    // The command line lies beside the window's program in every package.
    let extra = format!(
        r#"{{"bundle":{{"externalBin":["{}"],"resources":{{"{}":"licenses/"}},"windows":{}}}}}"#,
        work.join("bordereau").display().to_string().replace('\\', "/"),
        work.join("licenses/*").display().to_string().replace('\\', "/"),
        windows_signature(),
    );
    let bundles = if cfg!(target_os = "macos") { "dmg" } else { "nsis,msi" };
    let mut npx = from_words(&[if cfg!(windows) { "npx.cmd" } else { "npx" }, "--yes", BUNDLER, "build"]);
    npx.args(["--target", target, "--bundles", bundles, "--config", &extra, "--ci"]);
    npx.env("PATH", fresh_machine::path_with_tools());
    // A secret that is not set reaches a CI's job as an empty text, which the bundler would take for a certificate.
    let unset = APPLE_SECRETS.iter().filter(|name| !is_set(name)).collect::<Vec<_>>();
    for name in &unset {
        npx.env_remove(name);
    }
    if cfg!(target_os = "macos") && !unset.is_empty() {
        println!("not signed or notarized: not all of {} are set", APPLE_SECRETS.join(", "));
    }
    command::run_command(npx, BUNDLES)?;
    let made = repository::target_directory().join(target).join("release/bundle");
    for kind in ["dmg", "nsis", "msi"] {
        for file in std::fs::read_dir(made.join(kind)).into_iter().flatten().flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.contains(version()) && [".dmg", ".exe", ".msi"].iter().any(|end| name.ends_with(end)) {
                copy_file(&file.path(), &folder.join(name))?;
            }
        }
    }
    Ok(PackageOutcome::Made)
}
