//! Input files: the named ones, or standard input stored as a file.

use std::io::Read;
use std::path::{Path, PathBuf};

use bordereau_host::{DROP_MAX_BYTES, DataFolder};

use crate::exit::CommandExit;

/// Files to read; a file made for standard input is removed with this.
pub(crate) struct InputFiles {
    pub(crate) paths: Vec<PathBuf>,
    folder: Option<PathBuf>,
}

impl Drop for InputFiles {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

pub(crate) fn open_inputs(files: &[PathBuf], data: &DataFolder) -> Result<InputFiles, CommandExit> {
    if files == [Path::new("-")] {
        return keep_standard_input(data);
    }
    for file in files {
        // A name that doesn't exist is wrong usage; problems of the content are reported by the review.
        match std::fs::metadata(file) {
            _ if file == Path::new("-") => {
                return Err(CommandExit::usage_error("standard input is read alone, without other files"));
            }
            Ok(found) if found.is_dir() => {
                return Err(CommandExit::usage_error(format!("{} is a folder", file.display())));
            }
            Ok(_) => {}
            Err(error) => {
                return Err(CommandExit::usage_error(format!("{} cannot be read: {error}", file.display())));
            }
        }
    }
    Ok(InputFiles { paths: files.to_vec(), folder: None })
}

fn keep_standard_input(data: &DataFolder) -> Result<InputFiles, CommandExit> {
    let folder = data.join(&format!("standard-input-{}", std::process::id()));
    let failed =
        |error: std::io::Error| CommandExit::with_failure(format!("standard input cannot be kept: {error}"));
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let given = InputFiles { paths: vec![folder.join("standard input")], folder: Some(folder) };
    let mut kept = std::fs::File::create(&given.paths[0]).map_err(failed)?;
    // One byte more than the limit shows that the input is too large: nothing is cut off.
    let count = std::io::copy(&mut std::io::stdin().take(DROP_MAX_BYTES + 1), &mut kept).map_err(failed)?;
    if count > DROP_MAX_BYTES {
        return Err(CommandExit::rejected(format!(
            "standard input has more than {} MB; save it as a file and import that",
            DROP_MAX_BYTES >> 20
        )));
    }
    Ok(given)
}
