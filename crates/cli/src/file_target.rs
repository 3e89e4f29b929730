//! Files named by a command.

use std::io::Read;
use std::path::Path;

use bordereau_desk::api::TableFormat;
use bordereau_desk::files::open_chosen;
pub(crate) use bordereau_host::FileTarget;

use crate::exit::CommandExit;

/// Bytes of a command's values.
const DATA_BYTES_MAX: u64 = 1 << 20;

/// Creates a folder for files if missing.
pub(crate) fn make_folder(folder: &Path) -> Result<(), CommandExit> {
    if folder.exists() && !folder.is_dir() {
        return Err(CommandExit::usage_error(format!("{} is a file, not a folder", folder.display())));
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| CommandExit::with_failure(format!("{} cannot be made: {error}", folder.display())))
}

/// Checks that a file can be saved there: the path isn't a folder.
pub(crate) fn can_be_saved(file: &Path) -> Result<(), CommandExit> {
    if file.is_dir() {
        return Err(CommandExit::usage_error(format!("{} is a folder; name a file in it", file.display())));
    }
    Ok(())
}

/// A command's values: the text of a file, or of standard input for `-`.
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

/// The format by the extension of the file to save.
pub(crate) fn table_format(file: &Path) -> Result<TableFormat, CommandExit> {
    let has_extension =
        |format: &TableFormat| file.extension().is_some_and(|e| e.eq_ignore_ascii_case(format.extension()));
    TableFormat::ALL
        .into_iter()
        .find(has_extension)
        .ok_or_else(|| CommandExit::usage_error(format!("{} is neither .xlsx nor .csv", file.display())))
}
