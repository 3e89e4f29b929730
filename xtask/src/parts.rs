//! The parts of `cargo xtask test`, in the order they run: what is cheap and fails often comes first.

use std::time::Duration;

use crate::codegen;
use crate::command::{self, Failure, Summary, words};
use crate::fresh_machine::{self, Purpose};

/// A part of the tests.
pub struct Part {
    /// As given to `--only`.
    pub name: &'static str,
    /// In a few words.
    pub about: &'static str,
    /// Runs it.
    pub run: fn() -> Result<Done, Failure>,
}

/// A part that passed.
#[derive(Default)]
pub struct Done {
    /// The runner's own summary.
    pub summary: Summary,
    /// What could not be checked here, and why.
    pub left_out: Option<String>,
}

impl From<Summary> for Done {
    fn from(summary: Summary) -> Self {
        Done { summary, left_out: None }
    }
}

/// All parts.
pub const PARTS: &[Part] = &[
    Part { name: "install", about: "what is missing on this machine", run: installed },
    Part { name: "format", about: "Rust formatting", run: format },
    Part { name: "tidy", about: "rules of the house that no compiler knows", run: tidy },
    Part { name: "ui-lint", about: "UI formatting, lint and types", run: ui_lint },
    Part { name: "ui-unit", about: "UI tests without a browser", run: ui_unit },
    Part { name: "ui-build", about: "the UI as the window embeds it", run: ui_build },
    Part { name: "clippy", about: "Rust lints, warnings denied", run: clippy },
    Part { name: "rust", about: "Rust tests (nextest)", run: rust },
    Part { name: "doc", about: "examples in the documentation", run: doc },
    Part { name: "codegen", about: "made files are as their sources say", run: codegen_check },
    Part { name: "browser", about: "flows in Chromium over the same core (Playwright)", run: browser },
    Part { name: "window", about: "flows in the real window (tauri-driver under Xvfb)", run: window },
    Part { name: "supply", about: "licenses, bans, sources and known vulnerabilities", run: supply },
];

const fn minutes(count: u64) -> Duration {
    Duration::from_secs(60 * count)
}

/// Time for a part that compiles the workspace on two slow cores.
const COMPILES: Duration = minutes(40);

fn cargo(arguments: &[&str], limit: Duration) -> Result<Done, Failure> {
    let mut command = words(&["cargo"]);
    command.args(arguments);
    command::run(command, limit).map(Done::from)
}

fn npm(script: &str, limit: Duration) -> Result<Done, Failure> {
    fresh_machine::ui_packages()?;
    command::run(fresh_machine::npm(&["run", "--silent", script]), limit).map(Done::from)
}

fn installed() -> Result<Done, Failure> {
    fresh_machine::ready_for(Purpose::Test)?;
    Ok(Done::default())
}

fn format() -> Result<Done, Failure> {
    cargo(&["fmt", "--all", "--check"], minutes(5))
}

/// Also `cargo xtask tidy`.
pub fn tidy() -> Result<Done, Failure> {
    cargo(&["test", "--quiet", "--package", "xtask"], minutes(10))
}

fn ui_lint() -> Result<Done, Failure> {
    npm("lint", minutes(10))
}

fn ui_unit() -> Result<Done, Failure> {
    npm("test", minutes(15))
}

fn ui_build() -> Result<Done, Failure> {
    fresh_machine::ui_built()?;
    Ok(Done::default())
}

fn codegen_check() -> Result<Done, Failure> {
    codegen::check()?;
    Ok(Done::default())
}

fn clippy() -> Result<Done, Failure> {
    cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], COMPILES)
}

/// Everything but the real window, which has a part of its own, and xtask's own tests, which tidy ran.
fn rust() -> Result<Done, Failure> {
    let filter = "not binary_id(bordereau-desktop::window) and not package(xtask)";
    cargo(&["nextest", "run", "--workspace", "--locked", "--filterset", filter], COMPILES)
}

fn doc() -> Result<Done, Failure> {
    cargo(&["test", "--workspace", "--locked", "--doc"], COMPILES)
}

fn browser() -> Result<Done, Failure> {
    fresh_machine::ui_built_unless_there()?;
    cargo(&["build", "--workspace", "--all-targets", "--locked"], COMPILES)?;
    npm("flows", minutes(20))
}

/// The whole workspace once more, because cargo compiles shared crates again when it is asked for a part only.
fn window() -> Result<Done, Failure> {
    fresh_machine::ui_built_unless_there()?;
    let filter = "binary_id(bordereau-desktop::window)";
    cargo(&["nextest", "run", "--workspace", "--locked", "--filterset", filter], COMPILES)
}

/// Licenses, bans and sources need no network; the two databases of advisories do. Where they cannot be
/// reached that is said in the table, and the part still counts.
fn supply() -> Result<Done, Failure> {
    let mut done = cargo(&["deny", "--all-features", "check", "licenses", "bans", "sources"], minutes(10))?;
    let mut left_out = Vec::new();
    if advisories_reachable() {
        done.summary.extend(cargo(&["deny", "--all-features", "check", "advisories"], minutes(10))?.summary);
    } else {
        left_out.push("Rust advisories (github.com cannot be reached)");
    }
    match npm_audit()? {
        Some(summary) => done.summary.extend(summary),
        None => left_out.push("npm audit (the registry does not answer it)"),
    }
    if !left_out.is_empty() {
        let text = left_out.join(", ");
        println!("skipped: {text}");
        done.left_out = Some(text);
    }
    Ok(done)
}

/// `None` when the registry has no audit service or cannot be reached; a finding is a failure.
fn npm_audit() -> Result<Option<Summary>, Failure> {
    let mut audit = fresh_machine::npm(&["audit", "--omit=dev", "--json", "--fetch-retries=0"]);
    audit.args(["--fetch-timeout=20000"]);
    let output = audit.output().map_err(|why| Failure::new(format!("npm audit: {why}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !text.contains("\"auditReportVersion\"") {
        return Ok(None);
    }
    if output.status.success() {
        return Ok(Some(vec!["found 0 vulnerabilities (npm audit, what ships)".to_owned()]));
    }
    println!("{text}");
    Err(Failure::new("npm audit found vulnerabilities in what ships"))
}

/// A short try: a machine without a way out answers at once or never.
fn advisories_reachable() -> bool {
    let mut command = words(&["git", "ls-remote", "https://github.com/RustSec/advisory-db", "HEAD"]);
    command.env("GIT_TERMINAL_PROMPT", "0");
    command::run(command, Duration::from_secs(30)).is_ok()
}
