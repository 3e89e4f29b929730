//! The data folder: one folder with everything, which one option moves.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bordereau_sealing::private_files::make_private_folder;

/// The environment variable that moves all state.
pub const DATA_VARIABLE: &str = "BORDEREAU_DATA_DIR";

/// The environment variable that names the key file of an encrypted data folder.
pub const DATA_KEY_VARIABLE: &str = "BORDEREAU_DATA_KEY_FILE";

/// The key file named by the option, else by `BORDEREAU_DATA_KEY_FILE`.
pub fn find_key_file(option: Option<PathBuf>) -> Option<PathBuf> {
    let named = option.or_else(|| std::env::var_os(DATA_KEY_VARIABLE).map(PathBuf::from));
    named.filter(|path| !path.as_os_str().is_empty())
}

/// Why there is no data folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataFolderError {
    /// Neither an option nor the environment names one.
    #[error("no home folder is known; say where the data is with --data-dir DIR or {DATA_VARIABLE}")]
    Unknown,
    /// It cannot be made or used.
    #[error(
        "the data folder {path} cannot be used: {cause}; check its permissions, or name another one with --data-dir DIR or {DATA_VARIABLE}"
    )]
    Unusable {
        /// Its path.
        path: String,
        /// The system's error.
        cause: std::io::Error,
    },
}

/// The folder with the store, the practice data, the logs and the window's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFolder(PathBuf);

impl DataFolder {
    /// The folder named by the option, else by `BORDEREAU_DATA_DIR`, else `bordereau` in the platform's data folder.
    /// Doesn't create it.
    ///
    /// # Errors
    /// [`DataFolderError::Unknown`] when nothing names one.
    pub fn find(option: Option<PathBuf>) -> Result<DataFolder, DataFolderError> {
        Self::find_in(option, |name| std::env::var_os(name))
    }

    fn find_in(
        option: Option<PathBuf>,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<DataFolder, DataFolderError> {
        let folder_in = |name: &str| variable(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        option
            .filter(|p| !p.as_os_str().is_empty())
            .or_else(|| folder_in(DATA_VARIABLE))
            .or_else(|| platform_folder(&folder_in).map(|p| p.join("bordereau")))
            .map(|path| DataFolder(std::path::absolute(&path).unwrap_or(path)))
            .ok_or(DataFolderError::Unknown)
    }

    /// Whether it is the one that is used where neither an option nor the environment names another.
    pub fn is_usual(&self) -> bool {
        let without_name = |name: &str| std::env::var_os(name).filter(|_| name != DATA_VARIABLE);
        Self::find_in(None, without_name).is_ok_and(|usual| usual == *self)
    }

    /// Creates the folder, readable by its owner only.
    ///
    /// # Errors
    /// [`DataFolderError::Unusable`] with the system's error.
    pub fn create_folder(&self) -> Result<(), DataFolderError> {
        make_private_folder(&self.0)
            .map_err(|cause| DataFolderError::Unusable { path: self.0.display().to_string(), cause })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A folder or file in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

fn platform_folder(folder_in: &impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if cfg!(windows) {
        return folder_in("LOCALAPPDATA");
    }
    if cfg!(target_os = "macos") {
        return folder_in("HOME").map(|home| home.join("Library/Application Support"));
    }
    // A relative XDG path must be ignored (XDG base directory specification).
    folder_in("XDG_DATA_HOME")
        .filter(|p| p.is_absolute())
        .or_else(|| folder_in("HOME").map(|h| h.join(".local/share")))
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests {
    use super::*;

    #[test]
    fn only_the_folder_that_nothing_named_is_the_usual_one() {
        let usual =
            DataFolder::find_in(None, |name| std::env::var_os(name).filter(|_| name != DATA_VARIABLE));
        assert!(usual.unwrap().is_usual());
        assert!(!DataFolder("/another".into()).is_usual());
    }

    #[test]
    fn the_option_wins_then_the_variable_then_the_platform() {
        type Case = (Option<&'static str>, &'static [(&'static str, &'static str)], Option<&'static str>);
        let cases: &[Case] = &[
            (Some("/o"), &[(DATA_VARIABLE, "/v"), ("XDG_DATA_HOME", "/x")], Some("/o")),
            (None, &[(DATA_VARIABLE, "/v"), ("XDG_DATA_HOME", "/x")], Some("/v")),
            (Some(""), &[(DATA_VARIABLE, ""), ("XDG_DATA_HOME", "/x")], Some("/x/bordereau")),
            (None, &[("XDG_DATA_HOME", "relative"), ("HOME", "/h")], Some("/h/.local/share/bordereau")),
            (None, &[], None),
        ];
        for (option, variables, expected) in cases {
            let found = DataFolder::find_in(option.map(PathBuf::from), |name| {
                variables.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v))
            });
            assert_eq!(found.ok().map(|f| f.0), expected.map(PathBuf::from), "{option:?} {variables:?}");
        }
    }
}
