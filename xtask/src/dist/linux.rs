//! Linux: one folder of files as they are installed, and deb, rpm, AppImage and tarball around it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::package_files::{PackageOutcome, copy_file, empty_folder, read_template, write_file};
use super::release_build::{self, ReleaseBuild, host_build, set_times, source_date, version};
use crate::command::{self, TaskFailure, at_file, from_words, on_path};
use crate::repository;

const PACKS: Duration = Duration::from_secs(15 * 60);

const ICONS: &[(&str, &str)] = &[
    ("32x32.png", "32x32"),
    ("128x128.png", "128x128"),
    ("128x128@2x.png", "256x256"),
    ("icon.png", "512x512"),
];

const UNITS: &[&str] = &[
    "bordereau-import.service",
    "bordereau-import.timer",
    "bordereau-listen.service",
    "bordereau-serve.service",
    "bordereau-work.service",
];

/// What differs between the families.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TreeFamily {
    Debian,
    Fedora,
}

fn work_folder(name: &str) -> PathBuf {
    repository::target_directory().join("packages-work").join(name)
}

fn architecture(build: &ReleaseBuild) -> &str {
    build.target.split('-').next().unwrap_or_default()
}

/// Manual pages, completions and license texts, made once for all packages.
fn accompanying_files(build: &ReleaseBuild) -> Result<PathBuf, TaskFailure> {
    let folder = work_folder("accompanying");
    if !folder.join("LICENSE-MIT").is_file() || !folder.join("man1").is_dir() {
        empty_folder(&folder)?;
        release_build::write_manual(&build.program("bordereau"), &folder)?;
        release_build::write_bill_of_materials(&folder, &build.target)?;
    }
    Ok(folder)
}

/// Programs, desktop entry, icons, manual, completions, units and licenses below `usr`.
fn write_tree(build: &ReleaseBuild, tree: &Path, family: TreeFamily) -> Result<(), TaskFailure> {
    empty_folder(tree)?;
    let usr = tree.join("usr");
    for program in ["bordereau", "bordereau-desktop"] {
        copy_file(&build.program(program), &usr.join("bin").join(program))?;
    }
    let packaging = |name: &str| repository::repository_path("packaging/linux").join(name);
    copy_file(
        &packaging("bordereau-desktop.desktop"),
        &usr.join("share/applications/bordereau-desktop.desktop"),
    )?;
    // What the window asks polkit to unlock it by.
    let polkit = "app.bordereau.desk.policy";
    copy_file(&packaging(polkit), &usr.join("share/polkit-1/actions").join(polkit))?;
    copy_file(&packaging("bordereau.xml"), &usr.join("share/mime/packages/bordereau.xml"))?;
    for (icon, size) in ICONS {
        let to = usr.join("share/icons/hicolor").join(size).join("apps/bordereau-desktop.png");
        copy_file(&repository::repository_path("icons").join(icon), &to)?;
    }
    for unit in UNITS {
        copy_file(&packaging(unit), &usr.join("lib/systemd/system").join(unit))?;
    }
    let accompanying = accompanying_files(build)?;
    copy_manual(&accompanying, &usr.join("share/man/man1"))?;
    let zsh = if family == TreeFamily::Debian { "vendor-completions" } else { "site-functions" };
    for (from, to) in [
        ("bordereau.bash", "bash-completion/completions/bordereau".to_owned()),
        ("bordereau.fish", "fish/vendor_completions.d/bordereau.fish".to_owned()),
        ("_bordereau", format!("zsh/{zsh}/_bordereau")),
    ] {
        copy_file(&accompanying.join("completions").join(from), &usr.join("share").join(to))?;
    }
    let doc = usr.join("share/doc/bordereau");
    // As they are, the manual too: the package is compressed as a whole, which makes them smaller than one by one. What
    // changed is in the release notes beside the package.
    for file in ["THIRD-PARTY-NOTICES.txt", "bordereau.cdx.json"] {
        copy_file(&accompanying.join(file), &doc.join(file))?;
    }
    let licenses = format!("{}\n{}", read_template("LICENSE-MIT")?, read_template("LICENSE-APACHE")?);
    write_file(&doc.join("copyright"), format!("Bordereau, under either of these licenses.\n\n{licenses}"))?;
    allow_reading(tree)?;
    set_times(tree)
}

fn copy_manual(accompanying: &Path, to: &Path) -> Result<(), TaskFailure> {
    let pages = std::fs::read_dir(accompanying.join("man1"));
    for page in pages.map_err(|why| TaskFailure::new(format!("the manual: {why}")))?.flatten() {
        copy_file(&page.path(), &to.join(page.file_name()))?;
    }
    Ok(())
}

/// Whatever this person's umask is.
#[cfg(unix)]
fn allow_reading(folder: &Path) -> Result<(), TaskFailure> {
    use std::os::unix::fs::PermissionsExt;
    let failed = at_file(folder);
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).map_err(failed)?;
    for entry in std::fs::read_dir(folder).map_err(failed)?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            allow_reading(&path)?;
        } else {
            let mode =
                if path.parent().is_some_and(|folder| folder.ends_with("bin")) { 0o755 } else { 0o644 };
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).map_err(failed)?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn allow_reading(_folder: &Path) -> Result<(), TaskFailure> {
    Ok(())
}

/// A deterministic tar.gz of a folder's entries.
fn pack_tar(folder: &Path, entries: &[&str], archive: &Path) -> Result<(), TaskFailure> {
    let tar = archive.with_extension("");
    let mut pack =
        from_words(&["tar", "--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    pack.arg("--format=ustar").arg(format!("--mtime=@{}", source_date()));
    pack.arg("--file").arg(&tar).arg("--directory").arg(folder).args(entries);
    command::run_command(pack, PACKS)?;
    let mut gzip = from_words(&["gzip", "--best", "--no-name", "--force"]);
    gzip.arg(&tar);
    command::run_command(gzip, PACKS).map(drop)
}

/// The command line with its manual and completions, and the list of parts beside the packages.
pub fn make_tarball(folder: &Path) -> Result<PackageOutcome, TaskFailure> {
    let build = host_build()?;
    let tree = work_folder("tarball");
    write_tree(build, &tree, TreeFamily::Debian)?;
    let usr = tree.join("usr");
    for part in ["share/applications", "share/icons", "share/mime", "bin/bordereau-desktop"] {
        let path = usr.join(part);
        let removed =
            if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        removed.map_err(at_file(&path))?;
    }
    let name = tarball_name(&build.target);
    pack_tar(&usr, &["bin", "lib", "share"], &folder.join(format!("{name}.tar.gz")))?;
    let accompanying = accompanying_files(build)?;
    let parts = format!("bordereau-{}-{}.cdx.json", version(), build.target);
    copy_file(&accompanying.join("bordereau.cdx.json"), &folder.join(parts))?;
    Ok(PackageOutcome::Made)
}

fn tarball_name(target: &str) -> String {
    format!("bordereau-cli-{}-{target}", version())
}

/// With dpkg-deb, which takes its times from `SOURCE_DATE_EPOCH`.
pub fn make_deb(folder: &Path) -> Result<PackageOutcome, TaskFailure> {
    for (tool, package) in [("dpkg-deb", "dpkg"), ("ar", "binutils"), ("xz", "xz-utils")] {
        if !on_path(tool) {
            return Ok(PackageOutcome::LeftOut(format!("{tool} (package {package}) is not on this machine")));
        }
    }
    let build = host_build()?;
    let tree = work_folder("deb");
    write_tree(build, &tree, TreeFamily::Debian)?;
    let architecture = debian_architecture(build);
    let control = read_template("packaging/linux/control")?
        .replace("{version}", version())
        .replace("{deb_architecture}", architecture)
        .replace("{installed_kib}", &(tree_bytes(&tree) / 1024).to_string());
    write_file(&tree.join("DEBIAN/control"), control)?;
    allow_reading(&tree)?;
    set_times(&tree)?;
    let (deb, parts) = (deb_file(folder, build), work_folder("deb-parts"));
    let mut pack = from_words(&["dpkg-deb", "--root-owner-group", "-Znone", "--build"]);
    pack.arg(&tree).arg(&deb);
    pack.env("SOURCE_DATE_EPOCH", source_date());
    command::run_command(pack, PACKS)?;
    // dpkg-deb has no option for the filter for programs, nor for a dictionary as large as both: 5% smaller.
    empty_folder(&parts)?;
    let filter: &[&str] = if architecture == "amd64" { &["--x86"] } else { &[] };
    let whole = deb.with_extension("unfinished");
    let mut unpack = from_words(&["ar", "x"]);
    unpack.arg(&deb);
    let mut compress = from_words(&["xz"]);
    compress.args(filter).args(["--lzma2=preset=9e,dict=128MiB,lc=4", "control.tar", "data.tar"]);
    let mut join = from_words(&["ar", "rcD"]);
    join.arg(&whole).args(["debian-binary", "control.tar.xz", "data.tar.xz"]);
    for mut step in [unpack, compress, join] {
        step.current_dir(&parts);
        command::run_command(step, PACKS)?;
    }
    std::fs::rename(&whole, &deb).map_err(at_file(&deb))?;
    Ok(PackageOutcome::Made)
}

fn debian_architecture(build: &ReleaseBuild) -> &str {
    match architecture(build) {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

/// Where the package for Debian is.
pub fn deb_file(folder: &Path, build: &ReleaseBuild) -> PathBuf {
    folder.join(format!("bordereau_{}_{}.deb", version(), debian_architecture(build)))
}

fn tree_bytes(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| {
            let path = entry.path();
            if path.is_dir() { tree_bytes(&path) } else { entry.metadata().map_or(0, |about| about.len()) }
        })
        .sum()
}

/// With rpmbuild, which is in Debian too.
pub fn make_rpm(folder: &Path) -> Result<PackageOutcome, TaskFailure> {
    if !on_path("rpmbuild") {
        return Ok(PackageOutcome::LeftOut(
            "rpmbuild (package rpm, on Fedora rpm-build) is not on this machine".into(),
        ));
    }
    let build = host_build()?;
    let (tree, top) = (work_folder("rpm"), work_folder("rpmbuild"));
    write_tree(build, &tree, TreeFamily::Fedora)?;
    empty_folder(&top)?;
    let made = pack_rpm(&tree, &top, version(), architecture(build))?;
    let name = format!("bordereau-{}-1.{}.rpm", version(), architecture(build));
    copy_file(&made, &folder.join(name))?;
    Ok(PackageOutcome::Made)
}

/// The package of a tree, in rpmbuild's own folder.
pub fn pack_rpm(tree: &Path, top: &Path, version: &str, architecture: &str) -> Result<PathBuf, TaskFailure> {
    let spec = read_template("packaging/linux/bordereau.spec")?
        .replace("{version}", version)
        .replace("{tree}", &tree.display().to_string());
    write_file(&top.join("bordereau.spec"), spec)?;
    let mut pack = from_words(&["rpmbuild", "-bb", "--quiet", "--target", architecture]);
    pack.arg("--define").arg(format!("_topdir {}", top.display()));
    pack.arg(top.join("bordereau.spec")).env("SOURCE_DATE_EPOCH", source_date());
    command::run_command(pack, PACKS)?;
    Ok(top.join("RPMS").join(architecture).join(format!("bordereau-{version}-1.{architecture}.rpm")))
}

/// With linuxdeploy and its GTK part, which bring WebKit's own processes along; both are single files of their projects
/// and in no distribution.
pub fn make_appimage(folder: &Path) -> Result<PackageOutcome, TaskFailure> {
    for tool in ["linuxdeploy", "linuxdeploy-plugin-gtk.sh", "appimagetool"] {
        if !on_path(tool) {
            return Ok(PackageOutcome::LeftOut(format!("{tool} is not on this machine")));
        }
    }
    let build = host_build()?;
    let tree = work_folder("Bordereau.AppDir");
    write_tree(build, &tree, TreeFamily::Debian)?;
    let mut deploy = Command::new("linuxdeploy");
    deploy.arg("--appdir").arg(&tree).args(["--plugin", "gtk", "--output", "appimage"]).current_dir(folder);
    deploy.arg("--desktop-file").arg(tree.join("usr/share/applications/bordereau-desktop.desktop"));
    deploy.env("SOURCE_DATE_EPOCH", source_date()).env("LINUXDEPLOY_OUTPUT_VERSION", version());
    command::run_command(deploy, PACKS).map(|_| PackageOutcome::Made)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No engine is needed to see that it has a base, and that what it adds is what is made.
    #[test]
    fn the_container_has_a_base_by_tag_or_digest_and_adds_the_tarball() {
        let file = read_template("packaging/Containerfile").unwrap();
        let base = file.lines().find_map(|line| line.strip_prefix("ARG BASE=")).unwrap();
        let name = base.rsplit('/').next().unwrap();
        assert!(name.contains("distroless") || base.contains("/distroless/"), "{base}");
        assert!(name.contains(':') || name.contains('@'), "{base} names no version");
        let added = file.lines().find_map(|line| line.strip_prefix("ADD ")).unwrap();
        let (before, behind) = added.split_whitespace().nth(1).unwrap().split_once('*').unwrap();
        let made = format!("{}.tar.gz", tarball_name("x86_64-unknown-linux-gnu"));
        assert!(made.starts_with(before) && made.ends_with(behind), "{made}");
    }
}
