//! `cargo xtask rules-pack`: the rules as they are on disk, signed, for desks that take them without a new version of the
//! application.

use std::time::Duration;

use crate::arguments::Arguments;
use crate::command::{self, TaskFailure, at_file, from_words};
use crate::repository;

const COMPILES: Duration = Duration::from_secs(15 * 60);

pub fn run_rules_pack(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let (key, new_key) = (arguments.values("--key")?.pop(), arguments.values("--new-key")?.pop());
    arguments.ensure_empty()?;
    let mut make = from_words(&[
        "cargo",
        "run",
        "--quiet",
        "--package",
        "bordereau-rules",
        "--example",
        "rules_pack",
        "--",
    ]);
    match (key, new_key) {
        (None, Some(file)) => make.args(["new-key", &file]),
        (Some(key), None) => {
            let folder = repository::target_directory().join("packages");
            std::fs::create_dir_all(&folder).map_err(at_file(&folder))?;
            make.args(["pack", &key]).arg(folder.join("bordereau.rules"))
        }
        _ => {
            return Err(TaskFailure::usage_error(
                "rules-pack needs --key FILE, the key to sign with, or --new-key FILE to make one",
            ));
        }
    };
    command::run_command(make, COMPILES).map(drop)
}
