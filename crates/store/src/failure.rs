//! Why the store can't be used, in sentences without paths.

use std::io::ErrorKind;

use bordereau_api::{BoundaryError, Conflict, ErrorCode};
use bordereau_contract::without_error_numbers;
use bordereau_database::{DatabaseError, OfficeError, OfficeObstacle};
use bordereau_file_storage::FileStorageError;
use rusqlite::ErrorCode as E;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

const NO_KEY: &str = "This data folder is encrypted, and its key can't be reached. Nothing was changed. Its recovery key opens it.";
const WRONG_KEY: &str = "This data folder is encrypted with another key than the one given. Nothing was changed. The recovery key of this folder opens it.";
const UNREADABLE_ENTRY: &str =
    "An entry in the data file cannot be read. It was left as it is; other entries are not affected.";
const CUT_OFF: &str = "The data file is incomplete: only part of it was copied. Nothing was changed. Copy \
     the folder again while Bordereau is closed, or restore a backup.";

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A newer version of the program wrote it.
    #[error(
        "the store was written by a newer version of Bordereau (schema {found}, this version knows {known})"
    )]
    TooNew {
        /// Steps of the schema it has.
        found: i64,
        /// Steps that this version knows.
        known: i64,
    },
    /// The folder can't be made or written.
    #[error("the data folder cannot be made or written: {0}")]
    Folder(#[from] std::io::Error),
    /// The database reported an error.
    #[error("the store cannot be used: {0}")]
    Database(#[from] DatabaseError),
    /// It was opened read-only, since it couldn't be opened for writing.
    #[error("the store is open for reading only: {0:?}")]
    NotWritable(WriteObstacle),
    /// It is encrypted, and there is no key.
    #[error("the store is encrypted, and there is no key")]
    NoKey,
    /// It is encrypted with another key.
    #[error("the store is encrypted with another key")]
    WrongKey,
    /// The file is shorter than its header says.
    #[error("the data file is cut off")]
    CutOff,
    /// A check found damage; has the check's message.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// Stored content has another form than expected.
    #[error("what is stored cannot be read: {0}")]
    Content(#[from] serde_json::Error),
    /// Nothing has this id; says what was looked for.
    #[error("there is nothing by this id")]
    Missing(&'static str),
    /// A desk and its office can't be copied into each other; says why.
    #[error("nothing was copied: {0}")]
    CopyRefused(&'static str),
    /// A larger file of an office can't be written or read.
    #[error(transparent)]
    FileStorage(#[from] FileStorageError),
    /// Someone else changed it since it was opened here.
    #[error("someone else changed it")]
    ChangedElsewhere,
    /// The same, with what both changed.
    #[error(transparent)]
    Conflict(Box<Conflict>),
    /// The thread that did the work ended.
    #[error("the work was interrupted")]
    Interrupted,
}

/// What keeps a file from being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteObstacle {
    /// There is no room left.
    DiskFull,
    /// It is read-only.
    ReadOnly,
    /// The disk reports errors.
    DiskFailed,
}

/// `ERROR_IO_DEVICE` or `EIO`, which have no kind of their own.
const DEVICE_FAILED: i32 = if cfg!(windows) { 1117 } else { 5 };

impl WriteObstacle {
    /// The obstacle behind an error of the system; `None` for any other kind of error.
    pub fn of_system(error: &std::io::Error) -> Option<WriteObstacle> {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                Some(WriteObstacle::DiskFull)
            }
            ErrorKind::ReadOnlyFilesystem => Some(WriteObstacle::ReadOnly),
            _ => (error.raw_os_error() == Some(DEVICE_FAILED)).then_some(WriteObstacle::DiskFailed),
        }
    }

    fn of_sqlite(error: &rusqlite::Error) -> Option<WriteObstacle> {
        match error.sqlite_error_code()? {
            E::DiskFull => Some(WriteObstacle::DiskFull),
            // SQLite's shared memory is a file, which can't grow on a full disk.
            _ if error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_SHMSIZE) => {
                Some(WriteObstacle::DiskFull)
            }
            E::ReadOnly => Some(WriteObstacle::ReadOnly),
            E::SystemIoFailure => Some(WriteObstacle::DiskFailed),
            _ => None,
        }
    }
}

impl From<WriteObstacle> for BoundaryError {
    fn from(obstacle: WriteObstacle) -> BoundaryError {
        let (code, sentence) = match obstacle {
            WriteObstacle::DiskFull => (
                ErrorCode::DiskFull,
                "The disk is full, or a quota or a limit on the size of files is reached: nothing was saved.",
            ),
            WriteObstacle::ReadOnly => {
                (ErrorCode::DataReadOnly, "The data folder is read-only: nothing can be saved.")
            }
            WriteObstacle::DiskFailed => (
                ErrorCode::DiskFailed,
                "The disk reported an error, or a quota or a limit on the size of files: nothing was saved.",
            ),
        };
        let error = BoundaryError::with_code(code, sentence);
        if obstacle == WriteObstacle::ReadOnly { error } else { error.mark_retryable() }
    }
}

/// The error for a file that couldn't be written: the disk's, if that is the reason, else this sentence.
pub fn file_error(error: &std::io::Error, otherwise: impl Into<String>) -> BoundaryError {
    match WriteObstacle::of_system(error) {
        Some(obstacle) => {
            BoundaryError { message: without_error_numbers(otherwise), ..BoundaryError::from(obstacle) }
        }
        None => BoundaryError::with_code(ErrorCode::Storage, otherwise),
    }
}

impl StoreError {
    /// The obstacle that keeps the store from being written, if that is what failed.
    pub fn write_obstacle(&self) -> Option<WriteObstacle> {
        match self {
            StoreError::Folder(error) => WriteObstacle::of_system(error),
            StoreError::Database(DatabaseError::Sqlite(error)) => WriteObstacle::of_sqlite(error),
            StoreError::NotWritable(obstacle) => Some(*obstacle),
            _ => None,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        DatabaseError::from(error).into()
    }
}

impl From<Conflict> for StoreError {
    fn from(conflict: Conflict) -> StoreError {
        StoreError::Conflict(Box::new(conflict))
    }
}

impl From<StoreError> for BoundaryError {
    fn from(error: StoreError) -> Self {
        tracing::warn!(%error, "store");
        if let Some(obstacle) = error.write_obstacle() {
            return obstacle.into();
        }
        let storage = |message: &str| BoundaryError::with_code(ErrorCode::Storage, message);
        match error {
            StoreError::TooNew { found, known } => BoundaryError::with_code(
                ErrorCode::StoreTooNew,
                format!(
                    "Your data was written by a newer version of Bordereau (schema {found}; this version knows \
                     {known}). Nothing was changed. Install the newer version to use it."
                ),
            ),
            StoreError::Folder(error) => {
                storage(&format!("The data folder can't be made or written ({error})."))
            }
            StoreError::Database(DatabaseError::Sqlite(error)) => sqlite_error(&error),
            StoreError::Database(DatabaseError::Office(error)) => office_error(&error),
            StoreError::Database(DatabaseError::OtherVersion { found, expected }) if found > expected => {
                StoreError::TooNew { found, known: expected }.into()
            }
            StoreError::Database(DatabaseError::OtherVersion { .. }) => {
                storage(OfficeObstacle::Outdated.sentence())
            }
            StoreError::NotWritable(obstacle) => obstacle.into(),
            StoreError::NoKey => BoundaryError::with_code(ErrorCode::DataKeyMissing, NO_KEY),
            StoreError::WrongKey => BoundaryError::with_code(ErrorCode::DataKeyMissing, WRONG_KEY),
            StoreError::CutOff => BoundaryError::with_code(ErrorCode::StoreDamaged, CUT_OFF),
            StoreError::Damaged(_) => damage_error(),
            StoreError::Content(_)
            | StoreError::Database(DatabaseError::NoRow | DatabaseError::UnexpectedValue(_)) => {
                storage(UNREADABLE_ENTRY)
            }
            StoreError::ChangedElsewhere => BoundaryError::with_code(
                ErrorCode::ChangedElsewhere,
                "Someone else changed this meanwhile, so your last change wasn't saved.",
            ),
            StoreError::Conflict(conflict) => (*conflict).into(),
            StoreError::Missing(what) => BoundaryError::not_found(what),
            StoreError::CopyRefused(why) => storage(&format!("Nothing was copied: {why}.")),
            StoreError::FileStorage(error) => {
                let told = BoundaryError::with_code(ErrorCode::Office, error.sentence());
                if error.is_passing() { told.mark_retryable() } else { told }
            }
            StoreError::Interrupted => BoundaryError::internal_error("reading or writing the data file"),
        }
    }
}

/// The data file is damaged.
pub fn damage_error() -> BoundaryError {
    BoundaryError::with_code(
        ErrorCode::StoreDamaged,
        "The data file is damaged: nothing is sent from it. Restore a backup; the damaged file is kept beside it.",
    )
}

fn office_error(error: &OfficeError) -> BoundaryError {
    let told = match error.obstacle {
        OfficeObstacle::Settings => format!("{} Reason: {}.", error.obstacle.sentence(), error.text),
        obstacle => obstacle.sentence().to_owned(),
    };
    let told = BoundaryError::with_code(ErrorCode::Office, told);
    if error.obstacle.is_passing() { told.mark_retryable() } else { told }
}

fn sqlite_error(error: &rusqlite::Error) -> BoundaryError {
    let storage = |message: &str| BoundaryError::with_code(ErrorCode::Storage, message);
    match error.sqlite_error_code() {
        Some(E::DatabaseBusy | E::DatabaseLocked) => {
            storage("Another Bordereau is writing the data file and did not finish in 5 seconds. Try again.")
                .mark_retryable()
        }
        Some(E::PermissionDenied | E::CannotOpen) => storage("The data file can't be opened for writing."),
        Some(E::DatabaseCorrupt | E::NotADatabase) => damage_error(),
        _ => storage("The data file cannot be read or written."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_takes_nothing_is_called_what_it_is() {
        use rusqlite::ffi;
        let of_code =
            |code: i32| StoreError::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        let of_kind = |kind: ErrorKind| StoreError::Folder(kind.into());
        let cases = [
            (of_code(ffi::SQLITE_FULL), ErrorCode::DiskFull, true),
            (of_code(ffi::SQLITE_IOERR_SHMSIZE), ErrorCode::DiskFull, true),
            (of_code(ffi::SQLITE_IOERR_WRITE), ErrorCode::DiskFailed, true),
            (of_code(ffi::SQLITE_READONLY), ErrorCode::DataReadOnly, false),
            (of_code(ffi::SQLITE_CORRUPT), ErrorCode::StoreDamaged, false),
            (of_code(ffi::SQLITE_BUSY), ErrorCode::Storage, true),
            (of_code(ffi::SQLITE_CANTOPEN), ErrorCode::Storage, false),
            (of_kind(ErrorKind::StorageFull), ErrorCode::DiskFull, true),
            (of_kind(ErrorKind::QuotaExceeded), ErrorCode::DiskFull, true),
            (of_kind(ErrorKind::ReadOnlyFilesystem), ErrorCode::DataReadOnly, false),
            (of_kind(ErrorKind::PermissionDenied), ErrorCode::Storage, false),
        ];
        for (error, code, retryable) in cases {
            let text = error.to_string();
            let told = BoundaryError::from(error);
            assert_eq!((told.code, told.retryable), (code, retryable), "{text}");
            assert!(told.message.ends_with('.') && !told.message.contains('/'), "{}", told.message);
        }
        let failed = std::io::Error::from_raw_os_error(DEVICE_FAILED);
        assert_eq!(file_error(&failed, "It was not written.").code, ErrorCode::DiskFailed);
        assert_eq!(file_error(&ErrorKind::NotFound.into(), "Gone.").code, ErrorCode::Storage);
    }
}
