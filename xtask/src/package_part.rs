//! The deb of `cargo xtask dist`, installed in a Debian without anything else: it starts, the command line answers, an
//! upgrade and a removal leave the person's data. The rpm goes into an empty root, as far as that tells something here.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::command::{self, TaskFailure, at_file, command_output, from_words, on_path};
use crate::dist::{self, empty_folder};
use crate::repository;
use crate::test_part::PartResult;

const LIMIT: Duration = Duration::from_secs(30 * 60);

/// What the package depends on, and what a screen needs.
const INCLUDED: &str =
    "ca-certificates,libgtk-3-0,libwebkit2gtk-4.1-0,xvfb,xauth,dbus,procps,bash-completion";

/// Needs root, mmdebstrap and the Debian mirror of this machine; says which one is missing.
pub fn try_package() -> Result<PartResult, TaskFailure> {
    let skipped = |why: &str| Ok(PartResult { left_out: Some(why.to_owned()), ..PartResult::default() });
    if command_output(from_words(&["id", "-u"])).is_none_or(|id| id != "0") {
        return skipped("installing a package wants root");
    }
    if !on_path("mmdebstrap") || !on_path("dpkg-deb") {
        return skipped("mmdebstrap and dpkg-deb are not on this machine");
    }
    let Some(deb) = newest_package("deb") else {
        return skipped("there is no package: cargo xtask dist --only deb makes one");
    };
    let work = repository::target_directory().join("clean-root");
    std::fs::create_dir_all(&work).map_err(at_file(&work))?;
    let image = work.join("bookworm.tar");
    if !image.is_file() {
        let draft = work.join("draft.tar");
        let mut make =
            from_words(&["mmdebstrap", "--variant=minbase", "--quiet", "--include", INCLUDED, "bookworm"]);
        make.arg(&draft);
        if command::run_command(make, LIMIT).is_err() {
            return skipped("no clean Debian could be made: its mirror cannot be reached");
        }
        std::fs::rename(&draft, &image).map_err(at_file(&image))?;
    }
    let root = work.join("root");
    empty_folder(&root)?;
    let mut unpack = from_words(&["tar", "--extract", "--numeric-owner", "--exclude=./dev/*", "--file"]);
    unpack.arg(&image).arg("--directory").arg(&root);
    command::run_command(unpack, LIMIT)?;
    let before = package_before(&work, &deb)?;
    let mut run =
        from_words(&["unshare", "--mount", "--pid", "--fork", "sh", "packaging/linux/try-in-clean-root.sh"]);
    run.arg(&root).arg(before).arg(&deb);
    let result = PartResult::from(command::run_command(run, LIMIT)?);
    try_rpm(&work, result)
}

/// Installs the rpm before this one without what it depends on, works with its command line and the libraries of this
/// machine, upgrades it and removes it: what the person had stays.
fn try_rpm(work: &Path, result: PartResult) -> Result<PartResult, TaskFailure> {
    let Some(rpm) = newest_package("rpm").filter(|_| on_path("rpm") && on_path("rpmbuild")) else {
        return Ok(PartResult {
            left_out: Some("there is no rpm, or no program for it".to_owned()),
            ..result
        });
    };
    let before = rpm_before(work, &rpm)?;
    let root = work.join("rpm-root");
    empty_folder(&root)?;
    let data = root.join("home/person/bordereau");
    let bordereau = |words: &[&str]| {
        let mut program = Command::new(root.join("usr/bin/bordereau"));
        program.arg("--data-dir").arg(&data).args(words);
        program
    };
    command::run_command(rpm_command(&root, "--install", &before), LIMIT)?;
    let address = ["--environment", "sandbox", "--address", "https://sandbox.example.com"];
    command::run_command(bordereau(&[&["profile", "add", "Kept office"], &address[..]].concat()), LIMIT)?;
    command::run_command(rpm_command(&root, "--upgrade", &rpm), LIMIT)?;
    let listed = command_output(bordereau(&["profile", "list"])).unwrap_or_default();
    if !listed.contains("Kept office") {
        return Err(TaskFailure::new("the rpm's upgrade loses what the person had"));
    }
    command::run_command(rpm_command(&root, "--erase", Path::new("bordereau")), LIMIT)?;
    let is_gone =
        !root.join("usr/bin/bordereau").exists() && !root.join("usr/bin/bordereau-desktop").exists();
    if !is_gone {
        return Err(TaskFailure::new("the rpm leaves its programs behind when it is removed"));
    }
    if !data.join("desk.sqlite").is_file() {
        return Err(TaskFailure::new("the rpm takes what the person had along when it is removed"));
    }
    Ok(result)
}

fn rpm_command(root: &Path, action: &str, package: &Path) -> Command {
    let mut line = from_words(&["rpm", "--nodeps", "--root"]);
    line.arg(root).arg(action).arg(package);
    line
}

/// The same programs under a lower version, as [`package_before`].
fn rpm_before(work: &Path, rpm: &Path) -> Result<PathBuf, TaskFailure> {
    let (unpacked, tree, top) = (work.join("rpm-unpacked"), work.join("rpm-before"), work.join("rpmbuild"));
    for folder in [&unpacked, &tree, &top] {
        empty_folder(folder)?;
    }
    command::run_command(rpm_command(&unpacked, "--install", rpm), LIMIT)?;
    // Without what rpm keeps of the root.
    std::fs::rename(unpacked.join("usr"), tree.join("usr")).map_err(at_file(&unpacked))?;
    let version = format!("{}~before", env!("CARGO_PKG_VERSION"));
    dist::pack_rpm(&tree, &top, &version, std::env::consts::ARCH)
}

fn newest_package(kind: &str) -> Option<PathBuf> {
    let files = std::fs::read_dir(dist::packages_folder()).ok()?.flatten().map(|entry| entry.path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == kind))
        .max_by_key(|path| std::fs::metadata(path).and_then(|about| about.modified()).ok())
}

/// The same programs under a lower version: what an upgrade does to the files is tried; what another version of the data
/// does is in the tests of the store.
fn package_before(work: &Path, deb: &Path) -> Result<PathBuf, TaskFailure> {
    let (tree, before) = (work.join("before"), work.join("before.deb"));
    empty_folder(&tree)?;
    let mut unpack = from_words(&["dpkg-deb", "--raw-extract"]);
    unpack.arg(deb).arg(&tree);
    command::run_command(unpack, LIMIT)?;
    let control = tree.join("DEBIAN/control");
    let failed = at_file(&control);
    let text = std::fs::read_to_string(&control).map_err(failed)?;
    let version = format!("Version: {}", env!("CARGO_PKG_VERSION"));
    std::fs::write(&control, text.replace(&version, &format!("{version}~before"))).map_err(failed)?;
    let mut pack = from_words(&["dpkg-deb", "--root-owner-group", "-Znone", "--build"]);
    pack.arg(&tree).arg(&before);
    command::run_command(pack, LIMIT)?;
    Ok(before)
}
