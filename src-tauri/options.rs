//! Options of the window's command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::open_request::OpenRequest;

const HELP: &str = "\
Bordereau, the desktop workbench for surplus lines tax filing.

usage: bordereau-desktop [--data-dir DIR] [--safe-graphics] [FILE | LINK]...

  FILE              opened as if dropped on the window: a spreadsheet, documents, or a mapping
  LINK              bordereau://transaction/ID, bordereau://batch/ID or bordereau://quote/ID
  --data-dir DIR    keep all data in DIR (also: BORDEREAU_DATA_DIR)
  --safe-graphics   draw without hardware acceleration, when the window stays blank (Linux)
  --help            show this
  --version         show the version

The command line for scripts is `bordereau`.";

/// What the window is started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowOptions {
    /// Where all data is; `None` for the environment's or the platform's folder.
    pub data_dir: Option<PathBuf>,
    /// Draw without hardware acceleration.
    pub safe_graphics: bool,
    /// What to open.
    pub open: OpenRequest,
}

/// What the words of a start ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestedStart {
    /// The window.
    Window(WindowOptions),
    /// Help or the version, to be shown.
    Text(String),
}

/// Why the options cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No such option.
    Unknown(String),
    /// An option without its value.
    ValueMissing(&'static str),
    /// Neither a file nor a link.
    NotOpened(String),
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OptionError::Unknown(option) => write!(f, "unknown option {option}; see --help"),
            OptionError::ValueMissing(option) => write!(f, "{option} needs a value; see --help"),
            OptionError::NotOpened(argument) => {
                write!(f, "{argument} is neither a file nor a link that Bordereau knows; see --help")
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// Reads the words of a start; paths are of the folder.
///
/// # Errors
/// [`OptionError`] names the word at fault.
pub fn read_arguments(
    arguments: impl Iterator<Item = OsString>,
    folder: &Path,
) -> Result<RequestedStart, OptionError> {
    let mut options = WindowOptions::default();
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--data-dir") => {
                let folder = arguments.next().ok_or(OptionError::ValueMissing("--data-dir"))?;
                options.data_dir = Some(folder.into());
            }
            Some("--safe-graphics") => options.safe_graphics = true,
            Some("--help" | "-h") => return Ok(RequestedStart::Text(HELP.to_owned())),
            Some("--version" | "-V") => {
                return Ok(RequestedStart::Text(format!("bordereau-desktop {}", env!("CARGO_PKG_VERSION"))));
            }
            Some(joined) if joined.starts_with("--data-dir=") => {
                options.data_dir = joined.split_once('=').map(|(_, folder)| folder.into());
            }
            // macOS passes a process serial number to applications opened from the Finder.
            Some(serial) if cfg!(target_os = "macos") && serial.starts_with("-psn_") => {}
            Some(option) if option.starts_with('-') => return Err(OptionError::Unknown(option.to_owned())),
            _ if options.open.add_argument(&argument, folder) => {}
            _ => return Err(OptionError::NotOpened(argument.to_string_lossy().into_owned())),
        }
    }
    Ok(RequestedStart::Window(options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open_request::{DeskLink, LinkKind};

    #[test]
    fn options_are_read_and_mistakes_named() {
        let window = |data_dir: Option<&str>, safe_graphics, open| {
            Ok(RequestedStart::Window(WindowOptions {
                data_dir: data_dir.map(Into::into),
                safe_graphics,
                open,
            }))
        };
        let options = |data_dir, safe_graphics| window(data_dir, safe_graphics, OpenRequest::default());
        let link = DeskLink { kind: LinkKind::Batch, id: "b1".into() };
        let open = OpenRequest { files: vec![Path::new("here").join("rows.csv")], links: vec![link] };
        let cases = [
            (vec![], options(None, false)),
            (vec!["--data-dir", "/d", "--safe-graphics"], options(Some("/d"), true)),
            (vec!["--data-dir=/d"], options(Some("/d"), false)),
            (vec!["rows.csv", "--safe-graphics", "bordereau://batch/b1"], window(None, true, open)),
            (vec!["--data-dir"], Err(OptionError::ValueMissing("--data-dir"))),
            (vec!["--verbose"], Err(OptionError::Unknown("--verbose".into()))),
            (vec!["bordereau://send/b1"], Err(OptionError::NotOpened("bordereau://send/b1".into()))),
            (vec!["--help"], Ok(RequestedStart::Text(HELP.into()))),
        ];
        for (arguments, expected) in cases {
            let read = read_arguments(arguments.iter().map(OsString::from), Path::new("here"));
            assert_eq!(read, expected, "{arguments:?}");
        }
    }
}
