//! `cargo xtask screenshots`: the README's pictures, of the real window of this build.

use std::time::Duration;

use crate::command::{self, Failure, words};
use crate::fresh_machine::{self, Purpose};
use crate::repository;

const PICTURES: &[&str] = &["quote-light.png", "quote-dark.png", "batch-light.png", "batch-dark.png"];

/// Takes them with the real-window tests' own driver and puts them into `docs/screenshots/`.
pub fn run() -> Result<(), Failure> {
    fresh_machine::ready_for(Purpose::Test)?;
    fresh_machine::ui_built_unless_there()?;
    let mut test = words(&["cargo", "nextest", "run", "--workspace", "--locked", "--run-ignored", "only"]);
    test.args(["--filterset", "binary_id(bordereau-desktop::window) and test(readme_pictures)"]);
    command::run(test, Duration::from_secs(60 * 60))?;
    let folder = repository::at("docs/screenshots");
    std::fs::create_dir_all(&folder).map_err(|why| Failure::new(format!("{}: {why}", folder.display())))?;
    for name in PICTURES {
        let from = repository::target().join("window-screenshots").join(name);
        std::fs::copy(&from, folder.join(name))
            .map_err(|why| Failure::new(format!("{}: {why}", from.display())))?;
        println!("docs/screenshots/{name}");
    }
    Ok(())
}
