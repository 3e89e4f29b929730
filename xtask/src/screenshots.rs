//! `cargo xtask screenshots`: the pictures of the README and of `docs/days.md`, of the real window of this build.

use std::time::Duration;

use crate::command::{self, TaskFailure, at_file, from_words};
use crate::fresh_machine::{self, MachinePurpose};
use crate::repository;

const PAGES: [&str; 2] = ["README.md", "docs/days.md"];

/// Takes them with the real-window tests' own driver and puts them into `docs/screenshots/`.
pub fn run_screenshots() -> Result<(), TaskFailure> {
    fresh_machine::ready_for(MachinePurpose::Test)?;
    fresh_machine::ui_built_unless_there()?;
    let mut test =
        from_words(&["cargo", "nextest", "run", "--workspace", "--locked", "--run-ignored", "all"]);
    let taken = "binary_id(bordereau-desktop::window) and (test(readme_pictures) or test(day_of_a))";
    test.args(["--filterset", taken]).env("BORDEREAU_PICTURES", "1");
    command::run_command(test, Duration::from_secs(60 * 60))?;
    let folder = repository::repository_path("docs/screenshots");
    std::fs::create_dir_all(&folder).map_err(at_file(&folder))?;
    for page in PAGES.map(repository::repository_path) {
        let text = std::fs::read_to_string(&page).map_err(at_file(&page))?;
        for name in pictures_of(&text) {
            let from = repository::target_directory().join("window-screenshots").join(name);
            std::fs::copy(&from, folder.join(name)).map_err(at_file(&from))?;
            println!("docs/screenshots/{name}");
        }
    }
    Ok(())
}

/// The names of the pictures that a page shows.
fn pictures_of(page: &str) -> impl Iterator<Item = &str> {
    page.split("screenshots/").skip(1).filter_map(|rest| {
        let end = rest.find(".png")? + ".png".len();
        rest.get(..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_its_pictures() {
        let page = "cargo xtask screenshots\n![A quote](docs/screenshots/quote-light.png) and ![B](screenshots/day-b.png)";
        assert_eq!(pictures_of(page).collect::<Vec<_>>(), ["quote-light.png", "day-b.png"]);
    }
}
