//! `cargo xtask dist`: what people install, in `target/packages`, with its sums, its parts and their licenses.
//!
//! One build, one folder of files as they are installed (`linux.rs`), and a package around it for each system. What this
//! machine lacks a tool for is named at the end and skipped. Other systems: `windows.rs` also crosses from Linux,
//! `bundler.rs` is for macOS and the MSI, on those systems themselves.

mod bundler;
mod linux;
mod package_files;
mod release_build;
mod sums;
pub mod windows;
mod windows_signature;

use std::path::{Path, PathBuf};

use crate::arguments::Arguments;
use crate::command::{TaskFailure, at_file};
use crate::fresh_machine::{self, MachinePurpose};

pub use linux::pack_rpm;
use package_files::{PackageOutcome, read_template, write_file};
pub use package_files::{empty_folder, packages_folder};
use release_build::host_build;

/// A kind of package by name.
struct PackageKind {
    name: &'static str,
    about: &'static str,
    /// Whether it is made on the system that runs this.
    is_made_here: fn() -> bool,
    make: fn(&Path) -> Result<PackageOutcome, TaskFailure>,
}

const KINDS: &[PackageKind] = &[
    PackageKind {
        name: "tarball",
        about: "command line, tar.gz",
        is_made_here: is_linux,
        make: linux::make_tarball,
    },
    PackageKind { name: "deb", about: "Debian, Ubuntu", is_made_here: is_linux, make: linux::make_deb },
    PackageKind { name: "rpm", about: "Fedora, openSUSE", is_made_here: is_linux, make: linux::make_rpm },
    PackageKind { name: "appimage", about: "any Linux", is_made_here: is_linux, make: linux::make_appimage },
    PackageKind {
        name: "windows",
        about: "Windows: zip and installer; from Linux by a cross build",
        is_made_here: || is_linux() || cfg!(windows),
        make: windows::make_windows,
    },
    PackageKind {
        name: "msi",
        about: "Windows, for administrators",
        is_made_here: || cfg!(windows),
        make: bundler::make_msi,
    },
    PackageKind {
        name: "dmg",
        about: "macOS, both processors",
        is_made_here: || cfg!(target_os = "macos"),
        make: bundler::make_dmg,
    },
];

fn is_linux() -> bool {
    cfg!(target_os = "linux")
}

/// Whether packages of this name can be made.
pub fn is_package_kind(name: &str) -> bool {
    KINDS.iter().any(|kind| kind.name == name)
}

/// Makes the chosen packages; all of this system unless told otherwise.
pub fn run_dist(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let only = arguments.values("--only")?;
    let compares = arguments.switch("--compare");
    let lists = arguments.switch("--list");
    arguments.ensure_empty()?;
    if lists {
        KINDS.iter().for_each(|kind| println!("{:<12} {}", kind.name, kind.about));
        return Ok(());
    }
    if let Some(unknown) = only.iter().find(|name| !is_package_kind(name)) {
        return Err(TaskFailure::usage_error(format!(
            "no package is called \"{unknown}\"; cargo xtask dist --list"
        )));
    }
    fresh_machine::ready_for(MachinePurpose::Dist)?;
    let folder = packages_folder();
    let before = sums::read_sums(&folder);
    std::fs::create_dir_all(&folder).map_err(at_file(&folder))?;
    let mut left_out = Vec::new();
    for kind in KINDS.iter().filter(|kind| (kind.is_made_here)()) {
        if only.is_empty() || only.iter().any(|name| name == kind.name) {
            println!("\n== {}: {}", kind.name, kind.about);
            if let PackageOutcome::LeftOut(why) = (kind.make)(&folder)? {
                println!("skipped: {why}");
                left_out.push(format!("{}: {why}", kind.name));
            }
        }
    }
    let changelog = read_template("CHANGELOG.md")?;
    write_file(&folder.join("RELEASE-NOTES.md"), release_notes(&changelog, release_build::version()))?;
    let now = sums::write_sums(&folder)?;
    println!("\n{:>12}  file", "bytes");
    for sum in &now {
        println!("{:>12}  {}", sum.bytes, sum.name);
    }
    left_out.iter().for_each(|line| println!("skipped     {line}"));
    println!("\nin {}", folder.display());
    if compares { sums::compare_sums(&before, &now) } else { Ok(()) }
}

/// A file that people install, with the size it stays under.
pub struct InstalledSize {
    /// What it is.
    pub name: &'static str,
    /// Its size.
    pub bytes: u64,
    /// The bound, in millions of bytes.
    pub limit_megabytes: u64,
}

/// Both programs, and the Debian package where this machine can make one.
pub fn package_sizes() -> Result<Vec<InstalledSize>, TaskFailure> {
    let build = host_build()?;
    let measure = |name, path: PathBuf, limit_megabytes| {
        let about = std::fs::metadata(&path).map_err(at_file(&path))?;
        Ok(InstalledSize { name, bytes: about.len(), limit_megabytes })
    };
    let mut sizes = vec![
        measure("the command line", build.program("bordereau"), 20)?,
        measure("the window", build.program("bordereau-desktop"), 20)?,
    ];
    let folder = packages_folder();
    std::fs::create_dir_all(&folder).map_err(at_file(&folder))?;
    if is_linux() && matches!(linux::make_deb(&folder)?, PackageOutcome::Made) {
        sizes.push(measure("the deb", linux::deb_file(&folder, build), 15)?);
    }
    Ok(sizes)
}

/// What the changelog has of this version, or of the one to come while this one is being worked on.
fn release_notes(changelog: &str, version: &str) -> String {
    let chapter = |name: &str| {
        let from = changelog.find(&format!("\n## [{name}]"))? + 1;
        let text = changelog[from..].split_once('\n')?.1;
        let text = text.split("\n## [").next().unwrap_or(text).trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    chapter("Unreleased").or_else(|| chapter(version)).map_or_else(String::new, |text| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::release_notes;

    #[test]
    fn the_notes_are_of_the_version_and_of_nothing_before() {
        let released = "# C\n\n## [Unreleased]\n\n## [0.2.0] - 2026\n\n- two\n\n## [0.1.0] - 2025\n\n- one\n";
        let ahead = released.replace("[Unreleased]\n", "[Unreleased]\n\n- next\n");
        assert_eq!(release_notes(released, "0.2.0"), "- two\n");
        assert_eq!(release_notes(released, "0.1.0"), "- one\n");
        assert_eq!(release_notes(&ahead, "0.2.0"), "- next\n");
        assert_eq!(release_notes(released, "0.3.0"), "");
    }
}
