//! `cargo xtask run`: from a fresh clone to the window, or to a quote in the terminal.

use std::process::Command;
use std::time::Duration;

use crate::arguments::Arguments;
use crate::command::{self, TaskFailure, from_words};
use crate::fresh_machine::{self, MachinePurpose};
use crate::repository;

const COMPILES: Duration = Duration::from_secs(60 * 60);

/// Opens the window on the Practice profile; without a display quotes in the terminal.
pub fn run_open(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let release = arguments.switch("--release");
    let terminal = arguments.switch("--terminal");
    arguments.ensure_empty()?;
    if terminal || !has_display() {
        if !terminal {
            println!(
                "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open."
            );
        }
        println!("Making a quote in the terminal instead, against the practice service.\n");
        return in_the_terminal(release);
    }
    fresh_machine::ready_for(MachinePurpose::Window)?;
    fresh_machine::ui_built_unless_there()?;
    build_packages(&["bordereau-desktop", "bordereau-cli"], release)?;
    // Whichever profile was used last: this command never opens on Production.
    to_the_end(program_command("bordereau", release).args(["profile", "use", "practice"]))?;
    println!("Opening the window; close it to end.");
    to_the_end(&mut program_command("bordereau-desktop", release))
}

fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// The window's main job: a policy in Texas, its taxes, its total.
fn in_the_terminal(release: bool) -> Result<(), TaskFailure> {
    fresh_machine::ready_for(MachinePurpose::Terminal)?;
    build_packages(&["bordereau-cli"], release)?;
    let mut quote = program_command("bordereau", release);
    quote.args(["quote", "--profile", "practice", "--state", "TX", "--type", "PN"]);
    quote.args(["--line", "GEN-1002=9521"]);
    quote.args(["--agency-fee", "400", "--inspection-fee", "150.42", "--effective", "2026-02-23"]);
    println!("$ {}", command::command_line(&quote));
    to_the_end(&mut quote)?;
    let program = quote.get_program().to_string_lossy().into_owned();
    println!("\nMore: {program} --help");
    Ok(())
}

/// The binaries of the packages, in one go: cargo then compiles what they share once.
fn build_packages(packages: &[&str], release: bool) -> Result<(), TaskFailure> {
    let mut build = from_words(&["cargo", "build", "--locked", "--bins"]);
    for package in packages {
        build.args(["--package", package]);
    }
    if release {
        build.arg("--release");
    }
    command::run_command(build, COMPILES).map(drop)
}

fn program_command(name: &str, release: bool) -> Command {
    let folder = repository::target_directory().join(if release { "release" } else { "debug" });
    Command::new(folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

fn to_the_end(command: &mut Command) -> Result<(), TaskFailure> {
    let line = command::command_line(command);
    let status = command.status().map_err(|why| TaskFailure::new(format!("`{line}`: {why}")))?;
    if status.success() { Ok(()) } else { Err(TaskFailure::new(format!("`{line}` ended with {status}"))) }
}
