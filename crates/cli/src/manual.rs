//! Writes the manual pages and shell completions for packages.

use std::path::Path;

use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;

use crate::arguments::CliArguments;
use crate::exit::CommandExit;

/// Writes `man1/*.1` and `completions/*` into the folder.
pub(crate) fn write_manual(folder: &Path) -> Result<(), CommandExit> {
    let failed = |error: std::io::Error| {
        CommandExit::with_failure(format!("{} cannot be written: {error}", folder.display()))
    };
    let (pages, completions) = (folder.join("man1"), folder.join("completions"));
    for folder in [&pages, &completions] {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    clap_mangen::generate_to(CliArguments::command(), &pages).map_err(failed)?;
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut CliArguments::command(), "bordereau", &completions)
            .map_err(failed)?;
    }
    Ok(())
}
