//! Copies of documents until they are sent: one file each in a private folder of the data folder.
//!
//! Files instead of rows of the store, because they are written and sent piece by piece: a document of any size
//! needs the memory of one piece.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use bordereau_client::DocumentContent;
use bordereau_contract::document_size_fault;
use bordereau_session::content::{CheckedFile, FileInspector};
use bordereau_session::files::open_chosen;
use bordereau_store::backup::read_document;
use bordereau_store::data_key::DataKey;
use bordereau_store::{StoreError, seal};

/// Bytes read at once.
const PIECE: usize = 256 * 1024;
/// Age at which a copy that the store doesn't know is removed. A younger one may be another process's, just being
/// made.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 3_600);

/// The folder of the copies.
#[derive(Clone, Debug)]
pub struct UploadFiles {
    folder: PathBuf,
    /// The key that seals the copies; `None` where the data folder isn't encrypted.
    key: Option<DataKey>,
}

/// A copy and its properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCopy {
    /// Its name in the folder.
    pub file: String,
    pub checked: CheckedFile,
}

/// Why there is no copy.
#[derive(Debug)]
pub enum NotCopied {
    /// The document cannot be sent, in a sentence.
    Refused(String),
    /// The copy cannot be written.
    Unwritten(io::Error),
}

impl UploadFiles {
    pub fn new(data_dir: &Path, key: Option<DataKey>) -> UploadFiles {
        UploadFiles { folder: data_dir.join("uploads"), key }
    }

    /// The bytes of a copy for sending: from memory if it is sealed, else from its file.
    pub fn read_copy(&self, file: &str) -> io::Result<DocumentContent> {
        match &self.key {
            Some(key) => read_document(&self.copy_path(file), Some(key)).map(DocumentContent::from),
            None => Ok(DocumentContent::File(self.copy_path(file))),
        }
    }

    /// All bytes of a copy.
    pub async fn read_bytes(&self, file: &str) -> Result<Vec<u8>, StoreError> {
        let (path, key) = (self.copy_path(file), self.key.clone());
        let read = tokio::task::spawn_blocking(move || read_document(&path, key.as_ref())).await;
        read.map_err(|_| StoreError::Interrupted)?.map_err(StoreError::Folder)
    }

    /// The path of a copy.
    pub fn copy_path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Copies a document, checking and hashing it; on the disk when this returns.
    pub fn store_copy(&self, name: &str, source: impl Read) -> Result<StoredCopy, NotCopied> {
        bordereau_store::make_private_folder(&self.folder).map_err(NotCopied::Unwritten)?;
        let file = fresh_name();
        let copied = self.copy_to(&file, name, source);
        if copied.is_err() {
            self.remove(&file);
        }
        copied
    }

    fn copy_to(&self, file: &str, name: &str, source: impl Read) -> Result<StoredCopy, NotCopied> {
        let path = self.copy_path(file);
        let mut copy =
            OpenOptions::new().write(true).create_new(true).open(path).map_err(NotCopied::Unwritten)?;
        let checked = match &self.key {
            None => scan_copy(name, source, &mut copy)?,
            // Never on the disk in clear: at most 25 MB of memory for this moment.
            Some(key) => {
                let mut content = Vec::new();
                let checked = scan_copy(name, source, &mut content)?;
                seal::seal_document(&key.file_key(), content.as_slice(), &mut copy)
                    .map_err(NotCopied::Unwritten)?;
                checked
            }
        };
        copy.sync_all().map_err(NotCopied::Unwritten)?;
        bordereau_store::sync_folder(&self.folder);
        Ok(StoredCopy { file: file.to_owned(), checked })
    }

    /// Removes a copy.
    pub fn remove(&self, file: &str) {
        if !file.is_empty() {
            let _ = fs::remove_file(self.copy_path(file));
        }
    }

    /// Removes copies that a process left behind when it ended: those that the store doesn't know.
    pub fn remove_orphans(&self, known: &HashSet<String>) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let written = entry.metadata().and_then(|metadata| metadata.modified());
            let age = written.map(|written| SystemTime::now().duration_since(written).unwrap_or_default());
            let is_old = age.is_ok_and(|age| age > LEFT_BEHIND);
            if is_old && !known.contains(entry.file_name().to_string_lossy().as_ref()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// A name unique across all processes that may write here, now or before.
fn fresh_name() -> String {
    static TURN: AtomicU32 = AtomicU32::new(0);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}-{}", since.as_nanos(), std::process::id(), TURN.fetch_add(1, Ordering::Relaxed))
}

/// Opens a file the person chose. Refused with a sentence where it is no file, empty, too large or unreadable.
pub fn open_source(path: &Path) -> Result<File, String> {
    let file = open_chosen(path).map_err(|why| format!("The file can't be read: {why}."))?;
    match document_size_fault(file.metadata().map_or(0, |metadata| metadata.len())) {
        Some(fault) => Err(fault.to_owned()),
        None => Ok(file),
    }
}

/// Reads a document to its end into `to`, piece by piece; bounded even if the file grows meanwhile.
pub fn scan_copy(name: &str, mut source: impl Read, to: &mut impl Write) -> Result<CheckedFile, NotCopied> {
    let (mut look, mut read) = (FileInspector::default(), 0);
    let mut piece = vec![0; PIECE];
    loop {
        let count = match source.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(NotCopied::Refused(unreadable_source(&error))),
        };
        let piece = piece.get(..count).unwrap_or_default();
        read += count as u64;
        if let Some(fault) = document_size_fault(read) {
            return Err(NotCopied::Refused(fault.to_owned()));
        }
        look.add_piece(piece);
        to.write_all(piece).map_err(NotCopied::Unwritten)?;
    }
    look.finish_check(name).map_err(NotCopied::Refused)
}

fn unreadable_source(error: &io::Error) -> String {
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "it is no longer there",
        io::ErrorKind::PermissionDenied => "you may not read it",
        _ => "another program may have it open",
    };
    format!("The file can't be read ({}): {advice}.", error.kind())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PDF: &[u8] = b"%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n";

    #[test]
    fn a_copy_is_there_until_it_is_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let files = UploadFiles::new(folder.path(), None);
        let (one, two) = (files.store_copy("a.pdf", PDF).unwrap(), files.store_copy("a.pdf", PDF).unwrap());
        assert_ne!(one.file, two.file);
        assert_eq!(fs::read(files.copy_path(&one.file)).unwrap(), PDF);
        assert_eq!(
            (one.checked.bytes, one.checked.sha256),
            (PDF.len() as u64, bordereau_session::content::sha256_of(PDF).unwrap())
        );
        files.remove(&one.file);
        files.remove("");
        // A young file may be about to be stored.
        files.remove_orphans(&HashSet::new());
        assert!(!files.copy_path(&one.file).exists() && files.copy_path(&two.file).exists());
    }

    #[test]
    fn with_a_key_a_copy_is_sealed_and_read_back_for_sending() {
        let folder = tempfile::tempdir().unwrap();
        let key = DataKey::new(seal::new_key().unwrap());
        let files = UploadFiles::new(folder.path(), Some(key));
        let copy = files.store_copy("a.pdf", PDF).unwrap();
        assert_eq!(copy.checked.sha256, bordereau_session::content::sha256_of(PDF).unwrap());
        let path = files.copy_path(&copy.file);
        assert!(!fs::read(&path).unwrap().windows(8).any(|part| part == b"trailer\n"));
        assert!(
            matches!(files.read_copy(&copy.file).unwrap(), DocumentContent::Bytes(bytes) if bytes == PDF)
        );
        let mut changed = fs::read(&path).unwrap();
        *changed.last_mut().unwrap() ^= 1;
        fs::write(&path, changed).unwrap();
        assert!(files.read_copy(&copy.file).is_err());
    }

    #[test]
    fn of_what_cannot_be_sent_nothing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let files = UploadFiles::new(folder.path(), None);
        assert!(matches!(files.store_copy("a.pdf", &b"MZ\x90\0"[..]), Err(NotCopied::Refused(_))));
        assert!(
            matches!(files.store_copy("a.pdf", io::repeat(b' ')), Err(NotCopied::Refused(why)) if why.contains("25 MB"))
        );
        assert!(
            matches!(files.store_copy("a.pdf", io::empty()), Err(NotCopied::Refused(why)) if why.contains("empty"))
        );
        assert_eq!(fs::read_dir(folder.path().join("uploads")).unwrap().count(), 0);
        assert!(open_source(folder.path()).unwrap_err().contains("a folder"));
        assert!(open_source(&folder.path().join("none")).unwrap_err().contains("no longer there"));
        #[cfg(unix)]
        assert!(open_source(Path::new("/dev/zero")).unwrap_err().contains("a device"));
    }
}
