//! Windows and macOS on their own machines, with Tauri's bundler: MSI and NSIS, a universal dmg. It signs where the
//! certificates of tauri.conf.json's systems are in the environment, and says so where they are not.

use std::path::Path;
use std::time::Duration;

use super::release_build::{self, ReleaseBuild, version};
use super::{PackageOutcome, copy_file};
use crate::command::{self, TaskFailure, from_words};
use crate::fresh_machine;
use crate::repository;

/// One version of the bundler for everybody; it is no part of the UI.
const BUNDLER: &str = "@tauri-apps/cli@2.12.5";
const BUNDLES: Duration = Duration::from_secs(120 * 60);
const UNIVERSAL: &str = "universal-apple-darwin";

/// The installers of this system.
pub fn make_installers(folder: &Path) -> Result<PackageOutcome, TaskFailure> {
    fresh_machine::ui_built_unless_there()?;
    let work = repository::target_directory().join("packages-work");
    let target = if cfg!(target_os = "macos") { UNIVERSAL } else { "x86_64-pc-windows-msvc" };
    let host = super::host_build()?;
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
        r#"{{"bundle":{{"externalBin":["{}"],"resources":{{"{}":"licenses/"}}}}}}"#,
        work.join("bordereau").display().to_string().replace('\\', "/"),
        work.join("licenses/*").display().to_string().replace('\\', "/"),
    );
    let bundles = if cfg!(target_os = "macos") { "dmg" } else { "nsis,msi" };
    let mut npx = from_words(&[if cfg!(windows) { "npx.cmd" } else { "npx" }, "--yes", BUNDLER, "build"]);
    npx.args(["--target", target, "--bundles", bundles, "--config", &extra, "--ci"]);
    npx.env("PATH", fresh_machine::path_with_tools());
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
