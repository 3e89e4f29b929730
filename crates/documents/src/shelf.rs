//! Where copies of documents lie until they were sent: one file each in a private folder of the data folder.
//!
//! A file instead of a row of the store, because it is written and sent piece by piece: a document of any size
//! takes the memory of a piece.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use bordereau_session::content::{self, Checked, Look};

/// Bytes read at once.
const PIECE: usize = 256 * 1024;
/// A copy of which the store knows nothing may be one that is being taken by another process, but not for so long.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 3_600);

/// The folder of the copies.
#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
}

/// A copy, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Its name in the folder.
    pub file: String,
    pub checked: Checked,
}

/// Why there is no copy.
#[derive(Debug)]
pub enum NotCopied {
    /// The document cannot be sent, in a sentence.
    Refused(String),
    /// The copy cannot be written.
    Unwritten(io::Error),
}

impl Shelf {
    pub fn new(data_dir: &Path) -> Shelf {
        Shelf { folder: data_dir.join("uploads") }
    }

    /// Where a copy lies.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Copies a document, looked at and hashed on the way; on the disk when this returns.
    pub fn copy(&self, name: &str, source: impl Read) -> Result<Copy, NotCopied> {
        bordereau_store::make_private_folder(&self.folder)
            .map_err(|error| NotCopied::Unwritten(io::Error::other(error.to_string())))?;
        let file = fresh_name();
        let copied = self.copy_to(&file, name, source);
        if copied.is_err() {
            self.remove(&file);
        }
        copied
    }

    fn copy_to(&self, file: &str, name: &str, source: impl Read) -> Result<Copy, NotCopied> {
        let path = self.path(file);
        let mut copy =
            OpenOptions::new().write(true).create_new(true).open(path).map_err(NotCopied::Unwritten)?;
        let checked = look_through(name, source, &mut copy)?;
        copy.sync_all().map_err(NotCopied::Unwritten)?;
        bordereau_store::sync_folder(&self.folder);
        Ok(Copy { file: file.to_owned(), checked })
    }

    /// Lets a copy go.
    pub fn remove(&self, file: &str) {
        if !file.is_empty() {
            let _ = fs::remove_file(self.path(file));
        }
    }

    /// Removes what a process that ended in between left behind: copies of which the store knows nothing.
    pub fn sweep(&self, known: &HashSet<String>) {
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

/// Different in every process that may write here, now or before.
fn fresh_name() -> String {
    static TURN: AtomicU32 = AtomicU32::new(0);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}-{}", since.as_nanos(), std::process::id(), TURN.fetch_add(1, Ordering::Relaxed))
}

/// Opens a file the person chose; refused in a sentence where it is none, empty, too large or unreadable.
pub fn open(path: &Path) -> Result<File, String> {
    // Asked before it is opened: a pipe would wait for whoever writes into it.
    let metadata = fs::metadata(path).map_err(|error| unreadable(&error))?;
    if !metadata.is_file() {
        return Err("It is a folder or a device, not a file.".to_owned());
    }
    match content::size_problem(metadata.len()) {
        Some(problem) => Err(problem),
        None => File::open(path).map_err(|error| unreadable(&error)),
    }
}

/// Reads a document to its end, piece by piece, into `to`; bounded also where it grows while it is read.
pub fn look_through(name: &str, mut source: impl Read, to: &mut impl Write) -> Result<Checked, NotCopied> {
    let (mut look, mut read) = (Look::default(), 0);
    let mut piece = vec![0; PIECE];
    loop {
        let count = match source.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(NotCopied::Refused(unreadable(&error))),
        };
        let piece = piece.get(..count).unwrap_or_default();
        read += count as u64;
        if let Some(problem) = content::size_problem(read) {
            return Err(NotCopied::Refused(problem));
        }
        look.take(piece);
        to.write_all(piece).map_err(NotCopied::Unwritten)?;
    }
    look.end(name).map_err(NotCopied::Refused)
}

fn unreadable(error: &io::Error) -> String {
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "it is no longer there",
        io::ErrorKind::PermissionDenied => "you may not read it",
        _ => "another program may have it open",
    };
    format!("The file cannot be read ({}): {advice}.", error.kind())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PDF: &[u8] = b"%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n";

    #[test]
    fn a_copy_is_there_until_it_is_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(folder.path());
        let (one, two) = (shelf.copy("a.pdf", PDF).unwrap(), shelf.copy("a.pdf", PDF).unwrap());
        assert_ne!(one.file, two.file);
        assert_eq!(fs::read(shelf.path(&one.file)).unwrap(), PDF);
        assert_eq!(
            (one.checked.bytes, one.checked.sha256),
            (PDF.len() as u64, content::sha256_of(PDF).unwrap())
        );
        shelf.remove(&one.file);
        shelf.remove("");
        // A young file may be about to be stored.
        shelf.sweep(&HashSet::new());
        assert!(!shelf.path(&one.file).exists() && shelf.path(&two.file).exists());
    }

    #[test]
    fn of_what_cannot_be_sent_nothing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(folder.path());
        assert!(matches!(shelf.copy("a.pdf", &b"MZ\x90\0"[..]), Err(NotCopied::Refused(_))));
        assert!(
            matches!(shelf.copy("a.pdf", io::repeat(b' ')), Err(NotCopied::Refused(why)) if why.contains("25 MB"))
        );
        assert!(
            matches!(shelf.copy("a.pdf", io::empty()), Err(NotCopied::Refused(why)) if why.contains("empty"))
        );
        assert_eq!(fs::read_dir(folder.path().join("uploads")).unwrap().count(), 0);
        assert!(open(folder.path()).unwrap_err().contains("not a file"));
        assert!(open(&folder.path().join("none")).unwrap_err().contains("no longer there"));
        #[cfg(unix)]
        assert!(open(Path::new("/dev/zero")).unwrap_err().contains("a device"));
    }
}
