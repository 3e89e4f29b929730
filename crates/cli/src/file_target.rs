//! The dialogs of a command line: the file was named beforehand.

use std::io::Read;
use std::path::{Path, PathBuf};

use bordereau_desk::files::open_chosen;
use bordereau_desk::{BoxFuture, FileDialogs, FileFilter};
use parking_lot::Mutex;

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
        *self.0.lock() = Some(file.to_owned());
    }
}

/// `policy.pdf`, or `policy (2).pdf` where there is one.
fn free_name(folder: &Path, name: &str) -> PathBuf {
    let plain = folder.join(name);
    let stem = plain.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let end = plain.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    let numbered = (2..1_000).map(|number| folder.join(format!("{stem} ({number}){end}")));
    std::iter::once(plain.clone()).chain(numbered).find(|path| !path.exists()).unwrap_or(plain)
}

impl FileDialogs for FileTarget {
    fn choose_save_path(
        &self,
        suggested_name: String,
        _filter: FileFilter,
    ) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async move {
            let named = self.0.lock().clone()?;
            // In a folder a file keeps the name it comes with, and replaces no other one.
            Some(if named.is_dir() { free_name(&named, &suggested_name) } else { named })
        })
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

/// Bytes of the values of a command.
const DATA_BYTES_MAX: u64 = 1 << 20;

/// The values of a command: the text of a file, or of standard input where it is `-`.
pub(crate) fn read_data(file: &Path) -> Result<String, CommandExit> {
    let unreadable =
        |why: String| CommandExit::usage_error(format!("{} cannot be read: {why}", file.display()));
    let reader: Box<dyn Read> = if file.as_os_str() == "-" {
        Box::new(std::io::stdin())
    } else {
        Box::new(open_chosen(file).map_err(unreadable)?)
    };
    let mut text = String::new();
    let read = reader.take(DATA_BYTES_MAX + 1).read_to_string(&mut text);
    read.map_err(|error| unreadable(error.to_string()))?;
    if text.len() as u64 > DATA_BYTES_MAX {
        return Err(unreadable("it is larger than 1 MiB".to_owned()));
    }
    Ok(text)
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
