//! `cargo xtask release-list`: the packages of `cargo xtask dist`, signed, in the list that tells desks of newer versions.

use std::time::Duration;

use crate::arguments::Arguments;
use crate::command::{self, TaskFailure, from_words};
use crate::dist;

const COMPILES: Duration = Duration::from_secs(15 * 60);

pub fn run_release_list(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let (key, address) = (arguments.values("--key")?.pop(), arguments.values("--at")?.pop());
    arguments.ensure_empty()?;
    let (Some(key), Some(address)) = (key, address) else {
        return Err(TaskFailure::usage_error(
            "release-list needs --key FILE, the key to sign with, and --at ADDRESS, where the packages will be",
        ));
    };
    let mut make = from_words(&["cargo", "run", "--quiet", "--package", "bordereau-session"]);
    make.args(["--example", "release_list", "--", &key]).arg(dist::packages_folder());
    make.arg(address.trim_end_matches('/'));
    command::run_command(make, COMPILES).map(drop)
}
