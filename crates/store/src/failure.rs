//! Why the store cannot be used, in sentences without paths.

use std::io::ErrorKind;

use bordereau_api::{BoundaryError, ErrorCode};
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

const DISK_FULL: &str = "The disk is full: nothing was saved. Free some space and try again.";
const READ_ONLY: &str =
    "The data folder is read-only: nothing can be saved. Allow writing to it, or use another data folder.";

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A newer version of the program wrote it.
    #[error(
        "the store was written by a newer version of Bordereau (schema {found}, this version knows {known})"
    )]
    TooNew {
        /// Steps of the schema that were done.
        found: i64,
        /// Steps that this version knows.
        known: i64,
    },
    /// The folder cannot be made or written.
    #[error("the data folder cannot be made or written: {0}")]
    Folder(std::io::Error),
    /// The database refused.
    #[error("the store cannot be used: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// What is stored is not what is expected.
    #[error("what is stored cannot be read: {0}")]
    Content(#[from] serde_json::Error),
    /// There is nothing by the id; says what was looked for.
    #[error("there is nothing by this id")]
    Missing(&'static str),
    /// The thread that worked ended.
    #[error("the work was interrupted")]
    Interrupted,
}

impl From<StoreError> for BoundaryError {
    fn from(error: StoreError) -> Self {
        tracing::warn!(%error, "store");
        let storage = |message: &str| BoundaryError::with_code(ErrorCode::Storage, message);
        match error {
            StoreError::TooNew { found, known } => BoundaryError::with_code(
                ErrorCode::StoreTooNew,
                format!(
                    "Your data was written by a newer version of Bordereau (schema {found}; this version knows \
                     {known}). Nothing was changed. Install the newer version to use it."
                ),
            ),
            StoreError::Folder(error) => match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => storage(DISK_FULL).mark_retryable(),
                ErrorKind::ReadOnlyFilesystem => storage(READ_ONLY),
                kind => storage(&format!(
                    "The data folder can't be made or written ({kind}). Check its permissions and free space."
                )),
            },
            StoreError::Sqlite(error) => sqlite_error(&error),
            StoreError::Content(_) => storage(
                "An entry in the data file cannot be read. It was left as it is; other entries are not affected.",
            ),
            StoreError::Missing(what) => BoundaryError::not_found(what),
            StoreError::Interrupted => BoundaryError::internal_error("reading or writing the data file"),
        }
    }
}

fn sqlite_error(error: &rusqlite::Error) -> BoundaryError {
    use rusqlite::ErrorCode as E;
    let storage = |message: &str| BoundaryError::with_code(ErrorCode::Storage, message);
    match error.sqlite_error_code() {
        Some(E::DatabaseBusy | E::DatabaseLocked) => {
            storage("Another Bordereau is writing the data file and did not finish in 5 seconds. Try again.")
                .mark_retryable()
        }
        Some(E::DiskFull) => storage(DISK_FULL).mark_retryable(),
        // SQLite's memory shared by processes is a file as well: it cannot grow where the disk is full.
        _ if error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_SHMSIZE) => {
            storage(DISK_FULL).mark_retryable()
        }
        Some(E::ReadOnly) => storage(READ_ONLY),
        Some(E::PermissionDenied | E::CannotOpen) => {
            storage("The data file can't be opened for writing. Check the permissions of the data folder.")
        }
        Some(E::DatabaseCorrupt | E::NotADatabase) => storage(
            "The data file is damaged. A copy made before the last update may lie beside it (desk.sqlite.before-...).",
        ),
        _ => storage(
            "The data file cannot be read or written. Check the disk and the permissions of the data folder.",
        ),
    }
}
