//! One place of larger files: each under the SHA-256 of what is in it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bordereau_database::office_runtime;
use sha2::{Digest, Sha256};

use crate::FileStorageError;
use crate::bucket::BucketFiles;
use crate::file_place::{FilePlace, OfficeFiles, check_folder};
use crate::folder;

/// Larger than any document, and than the parts of any file that is imported.
const BYTES_MAX: u64 = 64 * 1024 * 1024;
/// For all of a file, on a slow line.
const FILE_WITHIN: Duration = Duration::from_secs(300);
/// For what has no content. Others of the office wait meanwhile.
const REMOVE_WITHIN: Duration = Duration::from_secs(15);

/// One place of larger files.
pub struct FileStorage {
    place: OpenPlace,
    prefix: String,
}

enum OpenPlace {
    /// Its whole path.
    Folder(Arc<str>),
    Bucket(BucketFiles),
}

/// Without its key.
impl fmt::Debug for FileStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStorage").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

/// The name of a content: its SHA-256, hexadecimal.
#[must_use]
pub fn name_content(content: &[u8]) -> String {
    bordereau_contract::hex_text(&Sha256::digest(content))
}

impl FileStorage {
    /// Opens a place with this computer's key for it, `ID:SECRET`; nothing is asked yet.
    ///
    /// # Errors
    /// [`FileStorageError::Settings`] for a place that can't be, or the database, which is none;
    /// [`FileStorageError::NoKey`]; [`FileStorageError::Unreachable`] where the folder isn't there.
    pub fn open(files: &OfficeFiles, key: &str) -> Result<FileStorage, FileStorageError> {
        files.check()?;
        let (place, prefix) = match &files.place {
            FilePlace::Database => {
                return Err(FileStorageError::Settings("files are in the database".to_owned()));
            }
            FilePlace::Folder { path } => {
                check_folder(path)?;
                (OpenPlace::Folder(path.as_str().into()), "")
            }
            FilePlace::Bucket { bucket, region, endpoint, prefix, authority } => {
                let files = BucketFiles::open(bucket, region, endpoint, authority, key)?;
                (OpenPlace::Bucket(files), prefix.trim_matches('/'))
            }
        };
        let prefix = format!("{prefix}/{}", files.under);
        Ok(FileStorage { place, prefix: prefix.trim_matches('/').to_owned() })
    }

    /// Writes a file, also where it is there already, and gives its name.
    ///
    /// # Errors
    /// [`FileStorageError`]: nothing is there under its name then, or all of it.
    pub fn write_file(&self, content: Vec<u8>) -> Result<String, FileStorageError> {
        let name = name_content(&content);
        let path = self.path_of(&name)?;
        match &self.place {
            OpenPlace::Folder(folder) => {
                let folder = Arc::clone(folder);
                wait_for_disk(FILE_WITHIN, move || folder::write_file(&folder, &path, &content))?;
            }
            // No file is asked for: what isn't there is the place.
            OpenPlace::Bucket(files) => wait(FILE_WITHIN, files.write_file(&path, content.into()))?
                .ok_or_else(|| FileStorageError::Unreachable("there is no such bucket".to_owned()))?,
        }
        Ok(name)
    }

    /// Reads a file, of which every byte is what was written.
    ///
    /// # Errors
    /// [`FileStorageError::Missing`], [`FileStorageError::Changed`]; others where it can't be read now.
    pub fn read_file(&self, name: &str) -> Result<Vec<u8>, FileStorageError> {
        let path = self.path_of(name)?;
        let read = match &self.place {
            OpenPlace::Folder(folder) => {
                let folder = Arc::clone(folder);
                wait_for_disk(FILE_WITHIN, move || folder::read_file(&folder, &path, BYTES_MAX))?
            }
            OpenPlace::Bucket(files) => wait(FILE_WITHIN, files.read_file(&path, BYTES_MAX))?,
        };
        let content = read.ok_or_else(|| FileStorageError::Missing(name.to_owned()))?;
        let is_it = content.len() as u64 <= BYTES_MAX && name_content(&content) == name;
        if is_it { Ok(content) } else { Err(FileStorageError::Changed(name.to_owned())) }
    }

    /// Removes a file; one that isn't there is none.
    ///
    /// # Errors
    /// [`FileStorageError`] where it may still be there.
    pub fn remove_file(&self, name: &str) -> Result<(), FileStorageError> {
        let path = self.path_of(name)?;
        match &self.place {
            OpenPlace::Folder(folder) => {
                let folder = Arc::clone(folder);
                wait_for_disk(REMOVE_WITHIN, move || folder::remove_file(&folder, &path))
            }
            OpenPlace::Bucket(files) => wait(REMOVE_WITHIN, files.remove_file(&path)),
        }
    }

    /// Tries all of it with a file of its own: written, read again and removed.
    ///
    /// # Errors
    /// The first one.
    pub fn try_out(&self) -> Result<(), FileStorageError> {
        let name = self.write_file(b"Bordereau tries whether files can be written here.".to_vec())?;
        self.read_file(&name)?;
        self.remove_file(&name)
    }

    /// `prefix/3f/3fa8…`: what is named by others is no path.
    fn path_of(&self, name: &str) -> Result<String, FileStorageError> {
        let is_name = name.len() == 64 && name.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
        let start = name.get(..2).filter(|_| is_name);
        let start = start.ok_or_else(|| FileStorageError::Missing(name.to_owned()))?;
        Ok(format!("{}/{start}/{name}", self.prefix).trim_start_matches('/').to_owned())
    }
}

/// What a share that hangs doesn't answer is given up; the system's own call goes on.
fn wait_for_disk<T: Send + 'static>(
    within: Duration,
    work: impl FnOnce() -> Result<T, FileStorageError> + Send + 'static,
) -> Result<T, FileStorageError> {
    let failed = |_| FileStorageError::Unreachable("it couldn't be asked".to_owned());
    wait(within, async { tokio::task::spawn_blocking(work).await.map_err(failed)? })
}

fn wait<T>(
    within: Duration,
    work: impl Future<Output = Result<T, FileStorageError>>,
) -> Result<T, FileStorageError> {
    let runtime = office_runtime().map_err(|error| FileStorageError::Unreachable(error.text))?;
    let done = runtime.block_on(async { tokio::time::timeout(within, work).await });
    done.unwrap_or_else(|_| Err(FileStorageError::Unreachable("no answer".to_owned())))
}
