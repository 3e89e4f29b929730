//! `cargo xtask rates FROM [TO]`: what differs between the tax rules of two commits.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::arguments::Arguments;
use crate::command::{self, Failure, words};
use crate::repository;

const RULES: &str = "crates/tax/rules";

pub fn run(mut arguments: Arguments) -> Result<(), Failure> {
    let from = arguments.subcommand().ok_or_else(|| {
        Failure::usage(
            "rates needs a commit to compare with, such as `cargo xtask rates HEAD~3` or two commits",
        )
    })?;
    let to = arguments.subcommand();
    arguments.finish()?;
    let folder = repository::target().join("rates");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|why| could_not(&folder, &why))?;
    }
    let (before, after) = (folder.join("before"), folder.join("after"));
    write_rules(&from, &before)?;
    let after = match to {
        Some(to) => write_rules(&to, &after).map(|()| after)?,
        None => repository::at(RULES),
    };
    let mut compare =
        words(&["cargo", "run", "--quiet", "--package", "bordereau-tax", "--example", "rules_diff"]);
    compare.arg(before).arg(after);
    command::run(compare, Duration::from_secs(15 * 60)).map(drop)
}

/// Writes the rule files of a commit into a folder.
fn write_rules(commit: &str, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|why| could_not(folder, &why))?;
    let list = git(&["ls-tree", "--name-only", commit, &format!("{RULES}/")])?;
    for path in list.lines().filter(|path| path.ends_with(".toml")) {
        let file = folder.join(path.rsplit('/').next().unwrap_or(path));
        let text = git(&["show", &format!("{commit}:{path}")])?;
        std::fs::write(&file, text).map_err(|why| could_not(&file, &why))?;
    }
    Ok(())
}

fn git(arguments: &[&str]) -> Result<String, Failure> {
    let spelled = format!("git {}", arguments.join(" "));
    let output = Command::new("git")
        .args(arguments)
        .current_dir(repository::root())
        .output()
        .map_err(|why| Failure::new(format!("`{spelled}` could not be started: {why}")))?;
    if !output.status.success() {
        return Err(Failure::new(format!("`{spelled}`: {}", String::from_utf8_lossy(&output.stderr).trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn could_not(path: &Path, why: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {why}", path.display()))
}
