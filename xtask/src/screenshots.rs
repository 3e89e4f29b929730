//! `cargo xtask screenshots`: the README's pictures, of the real window of this build.

use std::time::Duration;

use crate::command::{self, TaskFailure, at_file, from_words};
use crate::fresh_machine::{self, MachinePurpose};
use crate::repository;

const PICTURES: &[&str] = &["quote-light.png", "quote-dark.png", "batch-light.png", "batch-dark.png"];

/// Takes them with the real-window tests' own driver and puts them into `docs/screenshots/`.
pub fn run_screenshots() -> Result<(), TaskFailure> {
    fresh_machine::ready_for(MachinePurpose::Test)?;
    fresh_machine::ui_built_unless_there()?;
    let mut test =
        from_words(&["cargo", "nextest", "run", "--workspace", "--locked", "--run-ignored", "only"]);
    test.args(["--filterset", "binary_id(bordereau-desktop::window) and test(readme_pictures)"]);
    command::run_command(test, Duration::from_secs(60 * 60))?;
    let folder = repository::repository_path("docs/screenshots");
    std::fs::create_dir_all(&folder).map_err(at_file(&folder))?;
    for name in PICTURES {
        let from = repository::target_directory().join("window-screenshots").join(name);
        std::fs::copy(&from, folder.join(name)).map_err(at_file(&from))?;
        println!("docs/screenshots/{name}");
    }
    Ok(())
}
