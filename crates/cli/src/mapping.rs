//! `bordereau mapping`: mappings saved here or elsewhere.

use std::path::PathBuf;
use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{ErrorCode, MappingAdd, MappingCopy, MappingName, MappingRestore, Nothing};
use clap::Subcommand;
use serde_json::json;

use crate::exit::CommandExit;
use crate::file_target::{FileTarget, can_be_saved};
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};
use bordereau_host::terminal_text::on_one_line;

#[derive(Debug, Subcommand)]
pub(crate) enum MappingCommand {
    /// Saved mappings by name
    List,
    /// Copy a mapping
    Copy {
        /// Its name
        name: String,
        /// The name of the copy
        to: String,
    },
    /// Rename a mapping
    Rename {
        /// Its name
        name: String,
        /// The new name
        to: String,
    },
    /// Remove a mapping with its earlier versions
    Remove {
        /// Its name
        name: String,
    },
    /// Save a mapping as a file for others
    Save {
        /// Its name
        name: String,
        /// File to save
        file: PathBuf,
    },
    /// Add a mapping from a file; one with the same name becomes an earlier version
    Add {
        /// A file saved by `mapping save` or in the window
        file: PathBuf,
    },
    /// Earlier versions of a mapping, newest first
    Versions {
        /// Its name
        name: String,
    },
    /// Restore an earlier version
    Restore {
        /// Its name
        name: String,
        /// Number, as `mapping versions` shows it
        number: u32,
    },
}

pub(crate) async fn run_mapping(place: &GlobalArgs, command: MappingCommand) -> Result<(), CommandExit> {
    let target = match &command {
        MappingCommand::Save { file, .. } => Some(file.clone()),
        _ => None,
    };
    target.as_deref().map_or(Ok(()), can_be_saved)?;
    let desk = open_desk::open_desk_to_save(place, Arc::new(FileTarget::new(target)))?;
    match command {
        MappingCommand::List => list_mappings(place, &desk).await,
        MappingCommand::Copy { name, to } => copy_mapping(place, &desk, name, to, false).await,
        MappingCommand::Rename { name, to } => copy_mapping(place, &desk, name, to, true).await,
        MappingCommand::Remove { name } => {
            desk.mapping_remove(MappingName { name: name.clone() }).await.map_err(unknown_mapping)?;
            print_done(place, &name, "Removed")
        }
        MappingCommand::Save { name, .. } => {
            desk.mapping_export(MappingName { name: name.clone() }).await.map_err(unknown_mapping)?;
            print_done(place, &name, "Saved")
        }
        MappingCommand::Add { file } => {
            let handle = desk.choose_files(vec![file]).pop().map(|file| file.handle).unwrap_or_default();
            let added = desk.mapping_add(MappingAdd { handle, preview: false }).await?;
            print_done(place, &added.name, "Added")
        }
        MappingCommand::Versions { name } => list_versions(place, &desk, name).await,
        MappingCommand::Restore { name, number } => {
            let restore = MappingRestore { name: name.clone(), number };
            desk.mapping_restore(restore).await.map_err(unknown_mapping)?;
            print_done(place, &name, "Restored")
        }
    }
}

async fn list_mappings(place: &GlobalArgs, desk: &Desk) -> Result<(), CommandExit> {
    let names = desk.review_list(Nothing {}).await?.mappings;
    output::write_answer(place, &json!({ "mappings": names }), || {
        output::list_lines(
            names.iter().map(|name| format!("{}\n", on_one_line(name))),
            "No mapping is saved.\n",
        )
    })
}

async fn copy_mapping(
    place: &GlobalArgs,
    desk: &Desk,
    name: String,
    to: String,
    moves: bool,
) -> Result<(), CommandExit> {
    desk.mapping_copy(MappingCopy { name, to: to.clone(), moves }).await.map_err(unknown_mapping)?;
    print_done(place, &to, if moves { "Renamed to" } else { "Copied as" })
}

async fn list_versions(place: &GlobalArgs, desk: &Desk, name: String) -> Result<(), CommandExit> {
    let found = desk.mapping_versions(MappingName { name }).await.map_err(unknown_mapping)?;
    let line = |version: &bordereau_desk::api::MappingVersion| {
        let changes = match version.changes.as_slice() {
            [] => "no changes: same as the current version".to_owned(),
            changes => on_one_line(&changes.join("; ")).into_owned(),
        };
        format!("{:>4}  replaced {}  {changes}\n", version.number, version.replaced_at)
    };
    output::write_answer(place, &found, || {
        output::list_lines(found.versions.iter().map(line), "There is no earlier version.\n")
    })
}

fn print_done(place: &GlobalArgs, name: &str, done: &str) -> Result<(), CommandExit> {
    output::write_answer(place, &json!({ "mapping": name }), || format!("{done} {}.\n", on_one_line(name)))
}

fn unknown_mapping(error: bordereau_desk::api::BoundaryError) -> CommandExit {
    match error.code {
        ErrorCode::NotFound => {
            CommandExit::usage_error("there is no such mapping or version; see: bordereau mapping list")
        }
        _ => error.into(),
    }
}
