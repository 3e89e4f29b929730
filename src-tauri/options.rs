//! Options of the window's command line.

use std::ffi::OsString;
use std::path::PathBuf;

const HELP: &str = "\
Bordereau, the desktop workbench for surplus lines tax filing.

usage: bordereau-desktop [--data-dir DIR] [--safe-graphics]

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
}

/// Why the options cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No such option.
    Unknown(String),
    /// An option without its value.
    ValueMissing(&'static str),
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OptionError::Unknown(option) => write!(f, "unknown option {option}; see --help"),
            OptionError::ValueMissing(option) => write!(f, "{option} needs a value; see --help"),
        }
    }
}

impl std::error::Error for OptionError {}

impl WindowOptions {
    /// Reads the options; `None` when help or the version was asked for and printed.
    ///
    /// # Errors
    /// [`OptionError`] names the option at fault.
    pub fn read(arguments: impl Iterator<Item = OsString>) -> Result<Option<WindowOptions>, OptionError> {
        let mut options = WindowOptions::default();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("--data-dir") => {
                    let folder = arguments.next().ok_or(OptionError::ValueMissing("--data-dir"))?;
                    options.data_dir = Some(folder.into());
                }
                Some("--safe-graphics") => options.safe_graphics = true,
                Some("--help" | "-h") => {
                    println!("{HELP}");
                    return Ok(None);
                }
                Some("--version" | "-V") => {
                    println!("bordereau-desktop {}", env!("CARGO_PKG_VERSION"));
                    return Ok(None);
                }
                Some(joined) if joined.starts_with("--data-dir=") => {
                    options.data_dir = joined.split_once('=').map(|(_, folder)| folder.into());
                }
                // macOS passes a process serial number to applications opened from the Finder.
                Some(serial) if cfg!(target_os = "macos") && serial.starts_with("-psn_") => {}
                _ => return Err(OptionError::Unknown(argument.to_string_lossy().into_owned())),
            }
        }
        Ok(Some(options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_mistakes_named() {
        let options = |data_dir: Option<&str>, safe_graphics| {
            Ok(Some(WindowOptions { data_dir: data_dir.map(Into::into), safe_graphics }))
        };
        let cases = [
            (vec![], options(None, false)),
            (vec!["--data-dir", "/d", "--safe-graphics"], options(Some("/d"), true)),
            (vec!["--data-dir=/d"], options(Some("/d"), false)),
            (vec!["--data-dir"], Err(OptionError::ValueMissing("--data-dir"))),
            (vec!["--verbose"], Err(OptionError::Unknown("--verbose".into()))),
            (vec!["--help"], Ok(None)),
        ];
        for (arguments, expected) in cases {
            let read = WindowOptions::read(arguments.iter().map(OsString::from));
            assert_eq!(read, expected, "{arguments:?}");
        }
    }
}
