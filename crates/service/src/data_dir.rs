//! The data directory: who may read it, and that only one process uses it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use bordereau_sealing::private_files::{create_private_file, make_private_file, make_private_folder};

use crate::StartError;

/// A locked data directory. The operating system frees the lock when the process ends, however it ends.
pub(crate) struct DataDir {
    path: PathBuf,
    _lock: File,
}

impl DataDir {
    /// Creates the directory if needed, readable by its owner only, and takes its lock.
    pub(crate) fn open(path: &Path) -> Result<DataDir, StartError> {
        let file_error = |action| move |source| StartError::File { action, path: path.to_path_buf(), source };
        make_private_folder(path).map_err(file_error("cannot create the directory"))?;
        ensure_no_pipes(path)?;
        let lock_path = path.join("service.lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock_path)
            .map_err(file_error("cannot write into"))?;
        match lock.try_lock() {
            Ok(()) => Ok(DataDir { path: path.to_path_buf(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StartError::InUse(path.to_path_buf())),
            Err(TryLockError::Error(source)) => Err(file_error("cannot lock")(source)),
        }
    }

    /// A file of the directory.
    pub(crate) fn file_path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

/// Whatever is opened here next would wait for whoever writes into a pipe, and read a device without end.
fn ensure_no_pipes(folder: &Path) -> Result<(), StartError> {
    let error = |path: &Path, source| StartError::File { action: "cannot use", path: path.into(), source };
    for entry in std::fs::read_dir(folder).map_err(|source| error(folder, source))?.flatten() {
        let path = entry.path();
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Err(error(&path, std::io::Error::other("it is a device or a pipe, and no file")));
        }
    }
    Ok(())
}

/// Makes a database's file, which only its owner can read, before it is opened: its log beside it gets the same
/// permissions then. Those of an earlier version are made so.
pub(crate) fn protect_database(path: &Path) -> std::io::Result<()> {
    if !path.exists() {
        create_private_file(path)?;
    }
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        match make_private_file(Path::new(&name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Writes a file whole or not at all; `create` makes it, private or not.
pub(crate) fn write_whole(
    path: &Path,
    bytes: &[u8],
    create: fn(&Path) -> std::io::Result<File>,
) -> Result<(), StartError> {
    let file_error = |source| StartError::File { action: "cannot write", path: path.to_path_buf(), source };
    let draft = path.with_extension("new");
    let mut file = create(&draft).map_err(file_error)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(file_error)?;
    std::fs::rename(&draft, path).map_err(file_error)
}
