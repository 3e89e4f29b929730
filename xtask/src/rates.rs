//! `cargo xtask rates FROM [TO]`: what differs between the tax rules of two commits.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::arguments::Arguments;
use crate::command::{self, TaskFailure, at_file, from_words};
use crate::dist::empty_folder;
use crate::repository;

const RULES: &str = "crates/tax/rules";

pub fn run_rates(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let from = arguments.subcommand().ok_or_else(|| {
        TaskFailure::usage_error(
            "rates needs a commit to compare with, such as `cargo xtask rates HEAD~3` or two commits",
        )
    })?;
    let to = arguments.subcommand();
    arguments.ensure_empty()?;
    let folder = repository::target_directory().join("rates");
    empty_folder(&folder)?;
    let (before, after) = (folder.join("before"), folder.join("after"));
    write_rules(&from, &before)?;
    let after = match to {
        Some(to) => write_rules(&to, &after).map(|()| after)?,
        None => repository::repository_path(RULES),
    };
    let mut compare =
        from_words(&["cargo", "run", "--quiet", "--package", "bordereau-tax", "--example", "rules_diff"]);
    compare.arg(before).arg(after);
    command::run_command(compare, Duration::from_secs(15 * 60)).map(drop)
}

/// Writes the rule files of a commit into a folder.
fn write_rules(commit: &str, folder: &Path) -> Result<(), TaskFailure> {
    std::fs::create_dir_all(folder).map_err(at_file(folder))?;
    let list = git_output(&["ls-tree", "--name-only", commit, &format!("{RULES}/")])?;
    for path in list.lines().filter(|path| path.ends_with(".toml")) {
        let file = folder.join(path.rsplit('/').next().unwrap_or(path));
        let text = git_output(&["show", &format!("{commit}:{path}")])?;
        std::fs::write(&file, text).map_err(at_file(&file))?;
    }
    Ok(())
}

fn git_output(arguments: &[&str]) -> Result<String, TaskFailure> {
    let spelled = format!("git {}", arguments.join(" "));
    let output = Command::new("git")
        .args(arguments)
        .current_dir(repository::repository_root())
        .output()
        .map_err(|why| TaskFailure::new(format!("`{spelled}` could not be started: {why}")))?;
    if !output.status.success() {
        return Err(TaskFailure::new(format!(
            "`{spelled}`: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
