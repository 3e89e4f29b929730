//! Packages of the operating system: which are needed, which are missing, how to get them.

use std::io::IsTerminal;
use std::process::Command;
use std::time::Duration;

use crate::command::{self, TaskFailure, command_output, from_words, on_path};
use crate::fresh_machine::MachinePurpose;

/// A package family.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PackageFamily {
    Debian,
    Fedora,
}

/// One thing needed, by its name in each family. Fedora also takes the path of a file.
struct SystemPackage {
    debian: &'static str,
    fedora: &'static str,
}

const fn system_package(debian: &'static str, fedora: &'static str) -> SystemPackage {
    SystemPackage { debian, fedora }
}

/// To compile anything at all.
const TERMINAL: &[SystemPackage] =
    &[system_package("build-essential", "gcc"), system_package("pkg-config", "pkgconf-pkg-config")];

/// To build and open the window.
const WINDOW: &[SystemPackage] = &[
    system_package("libwebkit2gtk-4.1-dev", "webkit2gtk4.1-devel"),
    system_package("libgtk-3-dev", "gtk3-devel"),
    system_package("librsvg2-dev", "librsvg2-devel"),
    system_package("libxdo-dev", "libxdo-devel"),
];

/// Node, where none new enough is on the path; npm is its own package on Debian.
const NODE: &[SystemPackage] = &[system_package("nodejs", "nodejs"), system_package("npm", "npm")];

/// To run every test.
const TEST: &[SystemPackage] = &[
    system_package("git", "git-core"),
    system_package("chromium-headless-shell", "chromium"),
    system_package("webkit2gtk-driver", "/usr/bin/WebKitWebDriver"),
    system_package("xvfb", "xorg-x11-server-Xvfb"),
    system_package("dbus-x11", "dbus-daemon"),
    system_package("gnome-keyring", "gnome-keyring"),
    system_package("xdotool", "xdotool"),
    system_package("python3-gi", "python3-gobject"),
    system_package("gir1.2-gtk-3.0", "gtk3"),
    system_package("poppler-utils", "poppler-utils"),
    system_package("postgresql", "postgresql-server"),
    system_package("fonts-dejavu-core", "dejavu-sans-fonts"),
];

/// A compiler for Windows: to make its packages, and to test on it.
const CROSS: &[SystemPackage] = &[
    system_package("gcc-mingw-w64-x86-64-posix", "mingw64-gcc"),
    system_package("g++-mingw-w64-x86-64-posix", "mingw64-gcc-c++"),
];

/// To make every package that is made on Linux.
const DIST: &[SystemPackage] = &[
    system_package("dpkg", "dpkg"),
    system_package("xz-utils", "xz"),
    system_package("rpm", "rpm-build"),
    system_package("zip", "zip"),
    system_package("nsis", "mingw-nsis-base"),
];

/// To run what was compiled for Windows, and to compile for macOS with a compiler from PyPI.
const SYSTEMS: &[SystemPackage] =
    &[system_package("wine", "wine-core"), system_package("python3-venv", "python3")];

/// Installs what is missing; elsewhere than on Debian and Fedora says what to install.
pub fn install_packages(purpose: MachinePurpose, with_node: bool) -> Result<(), TaskFailure> {
    let mut needed: Vec<&SystemPackage> = TERMINAL.iter().collect();
    if purpose != MachinePurpose::Terminal {
        needed.extend(WINDOW);
    }
    match purpose {
        MachinePurpose::Test => needed.extend(TEST),
        MachinePurpose::Dist => needed.extend(CROSS.iter().chain(DIST)),
        MachinePurpose::Systems => needed.extend(CROSS.iter().chain(SYSTEMS)),
        MachinePurpose::Terminal | MachinePurpose::Window => {}
    }
    if with_node {
        needed.extend(NODE);
    }
    match package_family() {
        Some(family) => install_with(family, &needed),
        None => explain_missing(purpose),
    }
}

fn package_family() -> Option<PackageFamily> {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let words = release
        .lines()
        .filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")))
        .flat_map(|names| names.trim_matches('"').split(' '))
        .collect::<Vec<_>>();
    if words.iter().any(|name| ["debian", "ubuntu"].contains(name)) && on_path("apt-get") {
        Some(PackageFamily::Debian)
    } else if words.contains(&"fedora") && on_path("dnf") {
        Some(PackageFamily::Fedora)
    } else {
        None
    }
}

fn install_with(family: PackageFamily, needed: &[&SystemPackage]) -> Result<(), TaskFailure> {
    let missing = needed
        .iter()
        .map(|package| match family {
            PackageFamily::Debian => package.debian,
            PackageFamily::Fedora => package.fedora,
        })
        .filter(|name| !is_installed(family, name))
        .collect::<Vec<_>>();
    if missing.is_empty() {
        return Ok(());
    }
    println!("Missing on this machine: {}", missing.join(" "));
    let limit = Duration::from_secs(30 * 60);
    match family {
        PackageFamily::Debian => {
            command::run_command(as_root(&["apt-get", "update", "--quiet"])?, limit)?;
            let mut line = vec!["apt-get", "install", "--yes", "--quiet", "--no-install-recommends"];
            line.extend(&missing);
            command::run_command(as_root(&line)?, limit)?;
        }
        PackageFamily::Fedora => {
            let mut line = vec!["dnf", "install", "--assumeyes"];
            line.extend(&missing);
            command::run_command(as_root(&line)?, limit)?;
        }
    }
    Ok(())
}

fn is_installed(family: PackageFamily, name: &str) -> bool {
    match family {
        PackageFamily::Debian => {
            // Chromium of another source serves as well; Ubuntu has no such package.
            if name == "chromium-headless-shell" && crate::fresh_machine::find_chromium().is_some() {
                return true;
            }
            let status = from_words(&["dpkg-query", "--show", "--showformat=${db:Status-Status}", name]);
            command_output(status).is_some_and(|text| text == "installed")
        }
        PackageFamily::Fedora => {
            command_output(from_words(&["rpm", "--query", "--whatprovides", name])).is_some()
        }
    }
}

/// The line with `sudo` in front where this is not root. Without a terminal `sudo` must not ask.
fn as_root(line: &[&str]) -> Result<Command, TaskFailure> {
    let root = command_output(from_words(&["id", "-u"])).is_some_and(|id| id == "0");
    let mut all = Vec::new();
    if !root {
        if !on_path("sudo") {
            let line = line.join(" ");
            return Err(TaskFailure::new(format!(
                "this needs root and there is no sudo; as root run: {line}"
            )));
        }
        all.push("sudo");
        if !std::io::stdin().is_terminal() {
            all.push("--non-interactive");
        }
    }
    all.extend(["env", "DEBIAN_FRONTEND=noninteractive"]);
    all.extend(line);
    Ok(from_words(&all))
}

/// Other systems: goes on when what is needed is there, otherwise names it and stops.
fn explain_missing(purpose: MachinePurpose) -> Result<(), TaskFailure> {
    let mut missing = Vec::new();
    if cfg!(target_os = "linux") {
        let has = |module: &str| command_output(from_words(&["pkg-config", "--exists", module])).is_some();
        if !on_path("cc") {
            missing.push("a C compiler (cc)");
        }
        if !on_path("pkg-config") {
            missing.push("pkg-config");
        }
        if purpose != MachinePurpose::Terminal {
            if !has("webkit2gtk-4.1") {
                missing.push("WebKitGTK 4.1 with its development files (webkit2gtk-4.1)");
            }
            if !has("gtk+-3.0") {
                missing.push("GTK 3 with its development files");
            }
        }
        if purpose == MachinePurpose::Test {
            for (program, what) in [
                ("WebKitWebDriver", "WebKitWebDriver (the driver of WebKitGTK)"),
                ("Xvfb", "Xvfb"),
                ("dbus-run-session", "dbus-run-session (D-Bus)"),
                ("xdotool", "xdotool"),
                ("pdftotext", "pdftotext (poppler)"),
                ("git", "git"),
            ] {
                if !on_path(program) {
                    missing.push(what);
                }
            }
            let gtk = "import gi; gi.require_version('Gtk', '3.0'); from gi.repository import Gtk";
            if command_output(from_words(&["/usr/bin/python3", "-c", gtk])).is_none() {
                missing.push("Python with GTK 3 (PyGObject)");
            }
            if crate::fresh_machine::find_chromium().is_none() {
                missing.push("Chromium");
            }
        }
    }
    if !on_path("node") && !on_path("npm") && purpose != MachinePurpose::Terminal {
        missing.push("Node.js 20.19 or newer with npm");
    }
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.iter().map(|what| format!("\n  - {what}")).collect::<String>();
    Err(TaskFailure::new(format!(
        "packages can be installed automatically on Debian, Ubuntu and Fedora only. Install, then run this again:{list}"
    )))
}
