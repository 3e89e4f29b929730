//! Packages of the operating system: which are needed, which are missing, how to get them.

use std::io::IsTerminal;
use std::process::Command;
use std::time::Duration;

use crate::command::{self, Failure, ask, on_path, words};
use crate::fresh_machine::Purpose;

/// A package family.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Debian,
    Fedora,
}

/// One thing needed, by its name in each family. Fedora also takes the path of a file.
struct Package {
    debian: &'static str,
    fedora: &'static str,
}

const fn package(debian: &'static str, fedora: &'static str) -> Package {
    Package { debian, fedora }
}

/// To compile anything at all.
const TERMINAL: &[Package] =
    &[package("build-essential", "gcc"), package("pkg-config", "pkgconf-pkg-config")];

/// To build and open the window.
const WINDOW: &[Package] = &[
    package("libwebkit2gtk-4.1-dev", "webkit2gtk4.1-devel"),
    package("libgtk-3-dev", "gtk3-devel"),
    package("librsvg2-dev", "librsvg2-devel"),
    package("libxdo-dev", "libxdo-devel"),
];

/// Node, where none new enough is on the path; npm is a package of its own on Debian.
const NODE: &[Package] = &[package("nodejs", "nodejs"), package("npm", "npm")];

/// To run every test.
const TEST: &[Package] = &[
    package("git", "git-core"),
    package("chromium", "chromium"),
    package("webkit2gtk-driver", "/usr/bin/WebKitWebDriver"),
    package("xvfb", "xorg-x11-server-Xvfb"),
    package("dbus-x11", "dbus-daemon"),
    package("gnome-keyring", "gnome-keyring"),
    package("xdotool", "xdotool"),
    package("python3-gi", "python3-gobject"),
    package("gir1.2-gtk-3.0", "gtk3"),
    package("poppler-utils", "poppler-utils"),
    package("fonts-dejavu-core", "dejavu-sans-fonts"),
];

/// Installs what is missing; elsewhere than on Debian and Fedora says what to install.
pub fn install(purpose: Purpose, with_node: bool) -> Result<(), Failure> {
    let mut needed: Vec<&Package> = TERMINAL.iter().collect();
    if purpose != Purpose::Terminal {
        needed.extend(WINDOW);
    }
    if purpose == Purpose::Test {
        needed.extend(TEST);
    }
    if with_node {
        needed.extend(NODE);
    }
    match family() {
        Some(family) => install_with(family, &needed),
        None => explain(purpose),
    }
}

fn family() -> Option<Family> {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let words = release
        .lines()
        .filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")))
        .flat_map(|names| names.trim_matches('"').split(' '))
        .collect::<Vec<_>>();
    if words.iter().any(|name| ["debian", "ubuntu"].contains(name)) && on_path("apt-get") {
        Some(Family::Debian)
    } else if words.contains(&"fedora") && on_path("dnf") {
        Some(Family::Fedora)
    } else {
        None
    }
}

fn install_with(family: Family, needed: &[&Package]) -> Result<(), Failure> {
    let missing = needed
        .iter()
        .map(|package| match family {
            Family::Debian => package.debian,
            Family::Fedora => package.fedora,
        })
        .filter(|name| !installed(family, name))
        .collect::<Vec<_>>();
    if missing.is_empty() {
        return Ok(());
    }
    println!("Missing on this machine: {}", missing.join(" "));
    let limit = Duration::from_secs(30 * 60);
    match family {
        Family::Debian => {
            command::run(as_root(&["apt-get", "update", "--quiet"])?, limit)?;
            let mut line = vec!["apt-get", "install", "--yes", "--quiet", "--no-install-recommends"];
            line.extend(&missing);
            command::run(as_root(&line)?, limit)?;
        }
        Family::Fedora => {
            let mut line = vec!["dnf", "install", "--assumeyes"];
            line.extend(&missing);
            command::run(as_root(&line)?, limit)?;
        }
    }
    Ok(())
}

fn installed(family: Family, name: &str) -> bool {
    match family {
        Family::Debian => {
            // Chromium of another source serves as well, and Ubuntu's package of that name is an empty one.
            if name == "chromium" && crate::fresh_machine::chromium().is_some() {
                return true;
            }
            let status = words(&["dpkg-query", "--show", "--showformat=${db:Status-Status}", name]);
            ask(status).is_some_and(|text| text == "installed")
        }
        Family::Fedora => ask(words(&["rpm", "--query", "--whatprovides", name])).is_some(),
    }
}

/// The line with `sudo` in front where this is not root. Without a terminal `sudo` must not ask.
fn as_root(line: &[&str]) -> Result<Command, Failure> {
    let root = ask(words(&["id", "-u"])).is_some_and(|id| id == "0");
    let mut all = Vec::new();
    if !root {
        if !on_path("sudo") {
            let line = line.join(" ");
            return Err(Failure::new(format!("this needs root and there is no sudo; as root run: {line}")));
        }
        all.push("sudo");
        if !std::io::stdin().is_terminal() {
            all.push("--non-interactive");
        }
    }
    all.extend(["env", "DEBIAN_FRONTEND=noninteractive"]);
    all.extend(line);
    Ok(words(&all))
}

/// Other systems: goes on when what is needed is there, otherwise names it and stops.
fn explain(purpose: Purpose) -> Result<(), Failure> {
    let mut missing = Vec::new();
    if cfg!(target_os = "linux") {
        let has = |module: &str| ask(words(&["pkg-config", "--exists", module])).is_some();
        if !on_path("cc") {
            missing.push("a C compiler (cc)");
        }
        if !on_path("pkg-config") {
            missing.push("pkg-config");
        }
        if purpose != Purpose::Terminal {
            if !has("webkit2gtk-4.1") {
                missing.push("WebKitGTK 4.1 with its development files (webkit2gtk-4.1)");
            }
            if !has("gtk+-3.0") {
                missing.push("GTK 3 with its development files");
            }
        }
        if purpose == Purpose::Test {
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
            if ask(words(&["/usr/bin/python3", "-c", gtk])).is_none() {
                missing.push("Python with GTK 3 (PyGObject)");
            }
            if crate::fresh_machine::chromium().is_none() {
                missing.push("Chromium");
            }
        }
    }
    if !on_path("node") && !on_path("npm") && purpose != Purpose::Terminal {
        missing.push("Node.js 20.19 or newer with npm");
    }
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.iter().map(|what| format!("\n  - {what}")).collect::<String>();
    Err(Failure::new(format!(
        "packages can be installed automatically on Debian, Ubuntu and Fedora only. Install, then run this again:{list}"
    )))
}
