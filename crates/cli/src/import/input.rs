//! The file to be read: as named, or standard input kept in its own file.

use std::io::Read;
use std::path::{Path, PathBuf};

use bordereau_host::{DROP_MAX_BYTES, DataFolder};

use crate::exit::CommandExit;

/// A file to be read; one that was made for it goes away with this.
pub(crate) struct InputFile {
    pub(crate) path: PathBuf,
    folder: Option<PathBuf>,
}

impl Drop for InputFile {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

pub(crate) fn open_input(file: &Path, data: &DataFolder) -> Result<InputFile, CommandExit> {
    if file != Path::new("-") {
        // A name that is not there is wrong usage; what is in the file is said by the review.
        return match std::fs::metadata(file) {
            Ok(found) if found.is_dir() => {
                Err(CommandExit::usage_error(format!("{} is a folder", file.display())))
            }
            Ok(_) => Ok(InputFile { path: file.to_owned(), folder: None }),
            Err(error) => {
                Err(CommandExit::usage_error(format!("{} cannot be read: {error}", file.display())))
            }
        };
    }
    let folder = data.join(&format!("standard-input-{}", std::process::id()));
    let failed =
        |error: std::io::Error| CommandExit::with_failure(format!("standard input cannot be kept: {error}"));
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let given = InputFile { path: folder.join("standard input"), folder: Some(folder) };
    let mut kept = std::fs::File::create(&given.path).map_err(failed)?;
    // One byte more than is read at most, so that the reader can say that it is too much.
    std::io::copy(&mut std::io::stdin().take(DROP_MAX_BYTES + 1), &mut kept).map_err(failed)?;
    Ok(given)
}
