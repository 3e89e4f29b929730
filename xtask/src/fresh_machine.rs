//! From an empty machine to one that can build: system packages, Node, cargo's tools, the UI's packages.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::arguments::Arguments;
use crate::command::{self, TaskFailure, at_file, command_output, from_words, on_path};
use crate::{repository, system_packages};

/// What the machine is made ready for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MachinePurpose {
    /// The command line alone.
    Terminal,
    /// Building and opening the window.
    Window,
    /// Every test.
    Test,
    /// Making packages.
    Dist,
    /// The tests of other systems.
    Systems,
}

/// Vite 8 asks for it.
const NODE_AT_LEAST: (u32, u32) = (20, 19);

/// Where a Node of our own goes when the system's is too old (Debian 12 has 18).
const OWN_NODE: &str = "node@22";

/// `cargo xtask install`.
pub fn run_install(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let purposes = arguments.values("--for")?;
    arguments.ensure_empty()?;
    match purposes.last().map(String::as_str) {
        None | Some("test") => ready_for(MachinePurpose::Test),
        Some("run") => ready_for(MachinePurpose::Window),
        Some("dist") => ready_for(MachinePurpose::Dist),
        Some("systems") => ready_for(MachinePurpose::Systems),
        Some(other) => {
            Err(TaskFailure::usage_error(format!("--for takes run, test, dist or systems, not \"{other}\"")))
        }
    }
}

/// Installs what is missing for a purpose.
pub fn ready_for(purpose: MachinePurpose) -> Result<(), TaskFailure> {
    // Tools are compiled while packages are loaded and unpacked: one takes the processors, the other network and disk.
    std::thread::scope(|scope| {
        let tools = scope.spawn(move || cargo_tools(purpose));
        let packages = packages_and_node(purpose);
        tools.join().unwrap_or_else(|_| Err(TaskFailure::new("installing cargo's tools ended early")))?;
        packages
    })
}

fn packages_and_node(purpose: MachinePurpose) -> Result<(), TaskFailure> {
    let node_needed = purpose != MachinePurpose::Terminal && node_folder().is_none();
    system_packages::install_packages(purpose, node_needed && !(on_path("node") && on_path("npm")))?;
    if purpose == MachinePurpose::Terminal {
        return Ok(());
    }
    if node_folder().is_none() {
        own_node()?;
    }
    ui_packages()
}

fn cargo_tools(purpose: MachinePurpose) -> Result<(), TaskFailure> {
    if matches!(purpose, MachinePurpose::Systems | MachinePurpose::Test) {
        rust_components()?;
        cargo_tool("cargo-nextest", &["cargo-nextest"])?;
    }
    if purpose == MachinePurpose::Test {
        cargo_tool("tauri-driver", &[&["tauri-driver", "--version", "^2"], UNOPTIMIZED].concat())?;
        cargo_tool("cargo-deny", &[&["cargo-deny"], UNOPTIMIZED].concat())?;
    }
    Ok(())
}

/// clippy and rustfmt come with most toolchains, but not with rustup's minimal profile.
fn rust_components() -> Result<(), TaskFailure> {
    for (component, probe) in [("clippy", "clippy"), ("rustfmt", "fmt")] {
        if command_output(from_words(&["cargo", probe, "--version"])).is_none() {
            let line = ["rustup", "component", "add", component];
            command::run_command(from_words(&line), Duration::from_secs(600))?;
        }
    }
    Ok(())
}

/// Takes a third of the time to build, for what runs a few seconds.
const UNOPTIMIZED: &[&str] = &["--debug", "--config", "profile.dev.debug=false"];

fn cargo_tool(program: &str, install: &[&str]) -> Result<(), TaskFailure> {
    if on_path(program) || cargo_bin().join(program).is_file() {
        return Ok(());
    }
    let mut line = vec!["cargo", "install", "--locked"];
    line.extend(install);
    command::run_command(from_words(&line), Duration::from_secs(30 * 60)).map(drop)
}

/// Programs of Python packages in the target folder; `None` where they cannot be had.
pub fn python_tools(packages: &[&str]) -> Result<Option<PathBuf>, TaskFailure> {
    let folder = repository::target_directory().join("tools/python");
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let limit = Duration::from_secs(600);
    if !programs.is_dir() {
        let mut create = from_words(&["python3", "-m", "venv"]);
        create.arg(&folder);
        if command::run_command(create, limit).is_err() {
            return Ok(None);
        }
    }
    let mut install = Command::new(programs.join("pip"));
    install.args(["install", "--quiet", "--disable-pip-version-check"]).args(packages);
    Ok(command::run_command(install, limit).is_ok().then_some(programs))
}

/// The `node_modules` with an npm package that is no part of the UI; `None` where it cannot be had.
pub fn npm_tool(package: &str) -> Option<PathBuf> {
    let folder = repository::target_directory().join("tools/npm").join(package.replace(['@', '/'], "-"));
    let modules = folder.join("node_modules");
    if !modules.is_dir() {
        std::fs::create_dir_all(&folder).ok()?;
        let mut install = npm_command(&["install", "--no-save", "--no-audit", "--no-fund", "--prefix"]);
        install.arg(&folder).arg(package);
        command::run_command(install, Duration::from_secs(300)).ok()?;
    }
    Some(modules)
}

/// Where `cargo install` puts programs; not on everybody's path.
pub fn cargo_bin() -> PathBuf {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"))?;
        Some(Path::new(&home).join(".cargo"))
    });
    home.unwrap_or_default().join("bin")
}

/// Chromium or Chrome, whatever it is called here; `CHROMIUM` names another. The one without a window first: it takes a
/// fifth less of the processor.
pub fn find_chromium() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Some(PathBuf::from(named));
    }
    let path = std::env::var_os("PATH")?;
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
        .iter()
        .flat_map(|name| std::env::split_paths(&path).map(move |dir| dir.join(name)))
        // Ubuntu's chromium-browser only points at a snap, which a container cannot run.
        .find(|file| {
            let text = std::fs::read(file).unwrap_or_default();
            text.len() > 3000 || (!text.is_empty() && !text.windows(4).any(|part| part == b"snap"))
        })
}

/// The folder of a Node new enough: `Some("")` for the one on the path.
fn node_folder() -> Option<PathBuf> {
    let own = repository::target_directory().join("node/node_modules/node/bin");
    if new_enough("node") && on_path("npm") {
        Some(PathBuf::new())
    } else if new_enough(&own.join("node").to_string_lossy()) {
        Some(own)
    } else {
        None
    }
}

fn new_enough(node: &str) -> bool {
    let Some(text) = command_output(from_words(&[node, "--version"])) else { return false };
    let mut numbers = text.trim_start_matches('v').split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= NODE_AT_LEAST
}

/// Takes a newer Node from the npm registry, into the target folder only.
fn own_node() -> Result<(), TaskFailure> {
    let (major, minor) = NODE_AT_LEAST;
    println!("Node.js {major}.{minor} or newer is needed; taking {OWN_NODE} into the target folder");
    let folder = repository::target_directory().join("node");
    std::fs::create_dir_all(&folder).map_err(at_file(&folder))?;
    let mut command = from_words(&["npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix"]);
    command.arg(&folder).arg(OWN_NODE);
    command::run_command(command, Duration::from_secs(600))?;
    match node_folder() {
        Some(_) => Ok(()),
        None => Err(TaskFailure::new(format!(
            "no Node.js {major}.{minor} could be had; install one and run this again"
        ))),
    }
}

/// `npm` in the UI's folder, with the Node that is new enough and the tools it may call.
pub fn npm_command(arguments: &[&str]) -> Command {
    let mut command = from_words(&[if cfg!(windows) { "npm.cmd" } else { "npm" }]);
    command.args(arguments).current_dir(repository::repository_path("ui")).env("PATH", path_with_tools());
    if let Some(chromium) = find_chromium() {
        command.env("CHROMIUM", chromium);
    }
    command
}

/// The path with our own Node and cargo's programs on it.
pub fn path_with_tools() -> std::ffi::OsString {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let own = node_folder().filter(|folder| !folder.as_os_str().is_empty());
    let folders = own.into_iter().chain(std::env::split_paths(&old)).chain([cargo_bin()]);
    std::env::join_paths(folders).unwrap_or(old)
}

/// `npm ci`, only when the lock is newer than what npm last installed by it.
pub fn ui_packages() -> Result<(), TaskFailure> {
    let lock = newest_change(&repository::repository_path("ui/package-lock.json"));
    let installed = newest_change(&repository::repository_path("ui/node_modules/.package-lock.json"));
    if installed.is_some() && installed >= lock {
        return Ok(());
    }
    let line = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    command::run_command(npm_command(&line), Duration::from_secs(15 * 60)).map(drop)
}

/// Builds `ui/dist`.
pub fn ui_built() -> Result<(), TaskFailure> {
    ui_packages()?;
    command::run_command(npm_command(&["run", "--silent", "build"]), Duration::from_secs(15 * 60)).map(drop)
}

/// Builds `ui/dist` unless it is newer than everything it is made from.
pub fn ui_built_unless_there() -> Result<(), TaskFailure> {
    let built = std::fs::metadata(repository::repository_path("ui/dist/index.html"))
        .and_then(|about| about.modified())
        .ok();
    let sources = ["ui/src", "ui/index.html", "ui/package-lock.json", "ui/vite.config.ts"];
    let newest = sources.iter().filter_map(|path| newest_change(&repository::repository_path(path))).max();
    if built.is_some() && built >= newest { Ok(()) } else { ui_built() }
}

fn newest_change(path: &Path) -> Option<std::time::SystemTime> {
    if !path.is_dir() {
        return std::fs::metadata(path).and_then(|about| about.modified()).ok();
    }
    std::fs::read_dir(path).ok()?.flatten().filter_map(|entry| newest_change(&entry.path())).max()
}
