//! The dialogs of a command line: the file was named beforehand.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bordereau_desk::{BoxFuture, FileDialogs, FileFilter};

use crate::exit::CommandExit;

/// Answers every save dialog with the file named for it; nothing is ever opened.
#[derive(Default)]
pub(crate) struct FileTarget(Mutex<Option<PathBuf>>);

impl FileTarget {
    pub(crate) fn new(file: Option<PathBuf>) -> FileTarget {
        FileTarget(Mutex::new(file))
    }

    /// The next save goes here.
    pub(crate) fn point_at(&self, file: &Path) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(file.to_owned());
    }
}

impl FileDialogs for FileTarget {
    fn choose_save_path(
        &self,
        _suggested_name: String,
        _filter: FileFilter,
    ) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async { self.0.lock().unwrap_or_else(PoisonError::into_inner).clone() })
    }

    fn open(&self, _title: String, _filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async { None })
    }
}

/// Where files are put; made where it is missing.
pub(crate) fn make_folder(folder: &Path) -> Result<(), CommandExit> {
    if folder.exists() && !folder.is_dir() {
        return Err(CommandExit::usage_error(format!("{} is a file, not a folder", folder.display())));
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| CommandExit::with_failure(format!("{} cannot be made: {error}", folder.display())))
}

/// A file can be saved there: it is no folder.
pub(crate) fn can_be_saved(file: &Path) -> Result<(), CommandExit> {
    if file.is_dir() {
        return Err(CommandExit::usage_error(format!("{} is a folder; name a file in it", file.display())));
    }
    Ok(())
}

/// `csv` or `xlsx`, by the name of the file that is to be saved.
pub(crate) fn table_format(file: &Path) -> Result<&'static str, CommandExit> {
    let extension = file.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("csv") => Ok("csv"),
        Some("xlsx") => Ok("xlsx"),
        _ => Err(CommandExit::usage_error(format!("{} is neither .csv nor .xlsx", file.display()))),
    }
}
