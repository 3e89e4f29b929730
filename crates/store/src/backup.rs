//! Copies of the store: makes, checks and restores them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bordereau_database::{Connection, params};
use bordereau_sealing::private_files::numbered_files;
use rusqlite::OpenFlags;

use crate::data_key::{DataKey, FileForm, file_form};
use crate::health::full_check;
use crate::open_database::{open_again, open_database, open_database_as, open_unchanging, write_database};
use crate::{
    BUSY_WITHIN, FILE, StoreError, list_rows, make_private_file, migrations, seal, sync_file, sync_folder,
};

/// A backup that replaces the store when it is opened next.
pub(crate) const STAGED: &str = "desk.sqlite.restore";
/// Stores that a backup replaced, kept for a time: `desk.sqlite.replaced-1`.
const REPLACED: &str = "desk.sqlite.replaced-";
/// Stores as they were before an update: `desk.sqlite.before-12`.
const BEFORE_UPDATE: &str = "desk.sqlite.before-";
/// Suffix of a backup that is being made or was opened. If a process ended midway, the next one removes it.
pub const UNFINISHED: &str = "unfinished";
/// Replaces the identity of the store's file: a backup has none.
const IN_NO_FILE: &str = "a backup";

/// What is in a backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackupContent {
    /// Batches.
    pub batches: u32,
    /// Rows of batches.
    pub rows: u32,
    /// Documents that aren't at the service yet, with their content.
    pub documents: u32,
}

/// Copies the store as of this moment, whatever is written meanwhile, with the documents waiting for upload;
/// checked, and on the disk when this returns. Encrypted with the store's key, if the store is.
pub fn write_copy(folder: &Path, to: &Path, key: Option<&DataKey>) -> Result<BackupContent, StoreError> {
    let source = open_again(&folder.join(FILE), key)?;
    source.busy_timeout(BUSY_WITHIN)?;
    // The copy is encrypted if the store is.
    source.execute("VACUUM INTO ?1", [to.to_string_lossy().as_ref()])?;
    make_private_file(to)?;
    let copy = open_database(to, key)?;
    // Keep it a single file, whatever happens to it.
    copy.pragma_update(None, "journal_mode", "DELETE")?;
    let copy = Connection::from(copy);
    copy.execute("UPDATE store_place SET file = ?1", [IN_NO_FILE])?;
    take_in_documents(&copy, folder, key)?;
    let content = check_content(&copy)?;
    drop(copy);
    sync_file(to)?;
    Ok(content)
}

/// Adds the documents waiting for upload to the copy.
fn take_in_documents(copy: &Connection, folder: &Path, key: Option<&DataKey>) -> Result<(), StoreError> {
    let sql = "SELECT seq, content_file FROM document_uploads WHERE content_file <> ''";
    let waiting: Vec<(i64, String)> = list_rows(copy, sql, [], |row| row.try_into())?;
    for (upload, file) in waiting {
        match read_document(&folder.join("uploads").join(file), key) {
            Ok(content) => {
                copy.execute(
                    "INSERT OR REPLACE INTO document_contents (upload, content) VALUES (?1, ?2)",
                    params![upload, content],
                )?;
                copy.execute("UPDATE document_uploads SET content_file = '' WHERE seq = ?1", [upload])?;
            }
            // Uploaded since the copy was made.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::Folder(error)),
        }
    }
    Ok(())
}

/// Whether a file starts like a store and is as long as that says, before gigabytes of it are copied. An encrypted
/// one needs a key.
pub fn check_beginning(path: &Path) -> Result<(), StoreError> {
    let copy = open_unchanging(path, None)?.into();
    migrations::ensure_filled(&copy)?;
    let sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    let is_whole =
        i64::try_from(fs::metadata(path)?.len()).ok() == Some(copy.query_row(sql, [], |row| row.get(0))?);
    if is_whole { Ok(()) } else { Err(StoreError::Damaged("it isn't as long as its pages".to_owned())) }
}

/// Checks a copy from end to end; returns its content.
pub fn check_copy(path: &Path, key: Option<&DataKey>) -> Result<BackupContent, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    check_content(&open_database_as(path, key, flags, None)?.into())
}

fn check_content(copy: &Connection) -> Result<BackupContent, StoreError> {
    migrations::ensure_filled(copy)?;
    full_check(copy)?;
    let count = |sql: &str| copy.query_row(sql, [], |row| row.get(0));
    Ok(BackupContent {
        batches: count("SELECT count(*) FROM batches")?,
        rows: count("SELECT count(*) FROM batch_rows")?,
        documents: count("SELECT count(*) FROM document_contents")?,
    })
}

/// Stages a copy to replace the store when that is opened next and nothing else has it open. It gets the folder's
/// encryption; the copy itself is deleted.
pub fn stage_copy(
    folder: &Path,
    copy: &Path,
    key: Option<&DataKey>,
    folder_key: Option<&DataKey>,
) -> Result<(), StoreError> {
    let is_fitting = match (file_form(copy)?, folder_key) {
        (FileForm::Encrypted(name), Some(key)) => name == key.key_name(),
        (form, key) => form == FileForm::Plain && key.is_none(),
    };
    if !is_fitting {
        let written = PathBuf::from(format!("{}.again", copy.display()));
        write_database(&open_database(copy, key)?, &written, folder_key)?;
        check_copy(&written, folder_key)?;
        sync_file(&written)?;
        fs::rename(&written, copy)?;
    }
    fs::rename(copy, folder.join(STAGED))?;
    sync_folder(folder);
    Ok(())
}

/// A document waiting for upload, decrypted if it is sealed.
pub fn read_document(path: &Path, key: Option<&DataKey>) -> io::Result<Vec<u8>> {
    let mut from = File::open(path)?;
    let mut content = Vec::new();
    match (seal::is_sealed_document(&mut from)?, key) {
        (false, _) => from.read_to_end(&mut content).map(drop)?,
        (true, Some(key)) => seal::open_document(&key.file_key(), from, &mut content)?,
        (true, None) => return Err(io::Error::other("it is sealed, and there is no key")),
    }
    Ok(content)
}

/// Whether a staged copy waits to replace the store.
pub fn is_staged(folder: &Path) -> bool {
    folder.join(STAGED).is_file()
}

/// Replaces the store by the staged copy, and keeps the old store beside it. If this process ends midway, the next
/// one does it.
pub(crate) fn put_in_place(folder: &Path) -> Result<(), StoreError> {
    let (store, staged) = (folder.join(FILE), folder.join(STAGED));
    let beside = |name: &Path, end: &str| PathBuf::from(format!("{}{end}", name.display()));
    let last = numbered_files(folder, REPLACED).into_iter().map(|(_, number)| number).max().unwrap_or(0_u64);
    let number = if store.exists() { last + 1 } else { last };
    let replaced = folder.join(format!("{REPLACED}{number}"));
    let move_file = |from: &Path, to: &Path| match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        moved => moved,
    };
    move_file(&store, &replaced)?;
    move_file(&beside(&store, "-wal"), &beside(&replaced, "-wal"))?;
    let _ = fs::remove_file(beside(&store, "-shm"));
    fs::rename(&staged, &store)?;
    sync_folder(folder);
    Ok(())
}

/// Deletes stores from before an update or a restore that are older than this.
pub fn remove_old_copies(folder: &Path, age: std::time::Duration) {
    for path in list_old_copies(folder).into_iter().map(|name| folder.join(name)) {
        let changed = fs::metadata(&path).and_then(|file| file.modified()).ok();
        if changed.and_then(|at| at.elapsed().ok()).is_some_and(|since| since > age) {
            let _ = fs::remove_file(format!("{}-wal", path.display()));
            let _ = fs::remove_file(path);
        }
    }
}

/// Names of the stores from before an update or a restore.
#[must_use]
pub fn list_old_copies(folder: &Path) -> Vec<String> {
    let numbered = |begin| numbered_files::<u64>(folder, begin);
    let old = numbered(BEFORE_UPDATE).into_iter().chain(numbered(REPLACED));
    old.filter_map(|(path, _)| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_with_gigabytes_behind_its_pages_is_refused_before_it_is_copied() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.sqlite");
        drop(crate::Store::open(folder.path()).unwrap());
        write_copy(folder.path(), &path, None).unwrap();
        check_beginning(&path).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(5 << 30).unwrap();
        assert!(matches!(check_beginning(&path), Err(StoreError::Damaged(_))));
    }
}
