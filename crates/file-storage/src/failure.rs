//! Why a file storage cannot be used, in sentences.

/// Why a file storage cannot be used. No variant has a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileStorageError {
    /// What was set cannot be; says why.
    #[error("the file storage is not set up correctly: {0}")]
    Settings(String),
    /// There is no key on this computer.
    #[error("there is no key for the file storage")]
    NoKey,
    /// The key may not do it, or is none.
    #[error("the file storage refused: {0}")]
    Refused(String),
    /// There is nothing by this name.
    #[error("{0} is not in the file storage")]
    Missing(String),
    /// What is there by this name is something else.
    #[error("{0} is something else in the file storage")]
    Changed(String),
    /// Nobody answers there, or not in time.
    #[error("the file storage can't be reached: {0}")]
    Unreachable(String),
}

impl FileStorageError {
    /// What happened, then what to do.
    #[must_use]
    pub fn sentence(&self) -> String {
        let restore =
            "Nothing of it was sent. Restore it there under this name from a backup, or add the file again";
        match self {
            FileStorageError::Settings(why) => format!("The office's file storage can't be used: {why}."),
            FileStorageError::NoKey => {
                "This computer has no key for the office's file storage, where its larger files are. Nothing was sent or saved. Enter the key of this computer.".to_owned()
            }
            FileStorageError::Refused(_) => {
                "The office's file storage refused the key of this computer. Nothing was sent or saved. Check the key and what it may do.".to_owned()
            }
            FileStorageError::Missing(name) => {
                format!("The file {name} is missing in the office's file storage. {restore}.")
            }
            FileStorageError::Changed(name) => {
                format!("The file {name} in the office's file storage was changed or damaged. {restore}.")
            }
            FileStorageError::Unreachable(_) => {
                "The office's file storage can't be reached. Nothing was sent or saved. Check the network, or try again.".to_owned()
            }
        }
    }

    /// Whether one file is wrong, and not the place.
    #[must_use]
    pub const fn is_of_one_file(&self) -> bool {
        matches!(self, FileStorageError::Missing(_) | FileStorageError::Changed(_))
    }

    /// Whether it may be over when it is tried again.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, FileStorageError::Unreachable(_))
    }
}
