//! A folder that is watched: files that have stopped growing, each once by its content. It is looked at every few
//! seconds, which works on network shares too; nothing in it is moved or changed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bordereau_api::BoundaryError;
use bordereau_contract::format_count;
use bordereau_session::Context;
use bordereau_session::content::sha256_of;
use bordereau_session::files::open_chosen;
use bordereau_session::profile::active_profile;
use bordereau_spreadsheets::TABLE_ENDINGS;
use bordereau_spreadsheets::limits::FILE_BYTES_MAX;
use bordereau_store::WatchedFile;

use serde::{Deserialize, Serialize};

use super::slots::blocking;
use super::source_reading::unreadable;

/// How often the folder is looked at.
pub const WATCH_EVERY: Duration = Duration::from_secs(5);
/// Files of a folder that are looked at.
const FILES_MAX: usize = 10_000;
/// Looks after which a file that cannot be opened is said.
const LOOKS_BEFORE_SAID: u32 = 12;

/// By these a file that grows, or was replaced, differs from what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

/// A file that is no news, as it is remembered while the program is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenName {
    name: String,
    bytes: u64,
    /// Milliseconds since 1970.
    modified: u64,
}

/// A file as it was seen last.
#[derive(Clone, Copy, Debug)]
struct SeenFile {
    stamp: FileStamp,
    /// It was given out, and is not again until it is another.
    is_done: bool,
    /// Looks at which it stood still and could not be opened.
    locked: u32,
}

/// What one look found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderLook {
    /// Files that have stopped growing, by name.
    pub arrived: Vec<PathBuf>,
    /// Files that grow, or that another program has open: they are looked at again.
    pub waiting: usize,
    /// What a person should know, each once.
    pub remarks: Vec<String>,
}

/// A folder under watch.
#[derive(Debug)]
pub struct FolderWatch {
    folder: PathBuf,
    seen: BTreeMap<OsString, SeenFile>,
    is_gone: bool,
    is_overfull: bool,
}

impl FolderWatch {
    /// Nothing of it is known yet.
    pub fn new(folder: PathBuf) -> FolderWatch {
        FolderWatch { folder, seen: BTreeMap::new(), is_gone: false, is_overfull: false }
    }

    /// These files of it are known.
    pub fn after(folder: PathBuf, seen: Vec<SeenName>) -> FolderWatch {
        let known = |seen: SeenName| {
            let modified = SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(seen.modified));
            let stamp = FileStamp { bytes: seen.bytes, modified };
            (seen.name.into(), SeenFile { stamp, is_done: true, locked: 0 })
        };
        FolderWatch { seen: seen.into_iter().map(known).collect(), ..FolderWatch::new(folder) }
    }

    /// All that is there now, as if it were known.
    pub fn names_there(mut self) -> Vec<SeenName> {
        self.look();
        self.seen.values_mut().for_each(|file| file.is_done = true);
        self.names_done()
    }

    /// The files that were given out.
    pub fn names_done(&self) -> Vec<SeenName> {
        let done = self.seen.iter().filter(|(_, file)| file.is_done);
        done.map(|(name, file)| SeenName {
            name: name.to_string_lossy().into_owned(),
            bytes: file.stamp.bytes,
            modified: file.stamp.modified.map_or(0, milliseconds),
        })
        .collect()
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Looks at the folder. A file is given out once two looks have found it the same.
    pub fn look(&mut self) -> FolderLook {
        let mut look = FolderLook::default();
        let Some(now) = self.list_files(&mut look) else { return look };
        let before = std::mem::take(&mut self.seen);
        for (name, stamp) in now {
            let mut file = SeenFile { stamp, is_done: false, locked: 0 };
            if let Some(earlier) = before.get(&name).filter(|earlier| earlier.stamp == stamp) {
                file = *earlier;
                if !file.is_done {
                    self.give_out(&name, &mut file, &mut look);
                }
            }
            look.waiting += usize::from(!file.is_done);
            self.seen.insert(name, file);
        }
        look
    }

    /// A file that failed for a reason that may pass is given out again by a later look.
    pub fn try_again(&mut self, path: &Path) {
        if let Some(file) = path.file_name().and_then(|name| self.seen.get_mut(name)) {
            file.is_done = false;
        }
    }

    fn give_out(&self, name: &OsString, file: &mut SeenFile, look: &mut FolderLook) {
        let path = self.folder.join(name);
        let shown = name.to_string_lossy();
        if file.stamp.bytes > FILE_BYTES_MAX as u64 {
            file.is_done = true;
            look.remarks
                .push(format!("{shown} has more than 200 MB and was not read. Split it into smaller files."));
        } else if std::fs::File::open(&path).is_ok() {
            file.is_done = true;
            look.arrived.push(path);
        } else {
            file.locked = file.locked.saturating_add(1);
            if file.locked == LOOKS_BEFORE_SAID {
                look.remarks.push(format!(
                    "{shown} cannot be opened. Close it in the program that has it open; it is read as soon as that is done."
                ));
            }
        }
    }

    /// `None` where the folder cannot be read; what was seen in it is remembered until it is back.
    fn list_files(&mut self, look: &mut FolderLook) -> Option<BTreeMap<OsString, FileStamp>> {
        let shown = self.folder.display();
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) => {
                if !std::mem::replace(&mut self.is_gone, true) {
                    look.remarks.push(format!(
                        "{shown} cannot be read ({}). It is looked at again until it is there.",
                        error.kind()
                    ));
                }
                return None;
            }
        };
        if std::mem::take(&mut self.is_gone) {
            look.remarks.push(format!("{shown} can be read again."));
        }
        let mut files = BTreeMap::new();
        for entry in entries.flatten() {
            if !is_table_name(&entry.file_name().to_string_lossy()) {
                continue;
            }
            // A link could lead out of the folder; a file may be gone again.
            let Ok(metadata) = entry.metadata().and_then(|_| std::fs::symlink_metadata(entry.path())) else {
                continue;
            };
            if !metadata.is_file() || metadata.len() == 0 {
                continue;
            }
            if files.len() >= FILES_MAX {
                if !std::mem::replace(&mut self.is_overfull, true) {
                    let most = format_count(FILES_MAX);
                    look.remarks.push(format!(
                        "{shown} has more than {most} spreadsheets. Move those that were read; some are not looked at."
                    ));
                }
                return Some(files);
            }
            // In milliseconds, as it is remembered: file systems differ in what is below them.
            let modified = metadata.modified().ok().map(milliseconds);
            let modified =
                modified.and_then(|at| SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(at)));
            let stamp = FileStamp { bytes: metadata.len(), modified };
            files.insert(entry.file_name(), stamp);
        }
        self.is_overfull = false;
        Some(files)
    }
}

fn milliseconds(at: SystemTime) -> u64 {
    let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Hidden files and those that programs write beside an open one are none.
fn is_table_name(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    !name.starts_with(['.', '~']) && ending.is_some_and(|ending| TABLE_ENDINGS.contains(&ending.as_str()))
}

/// A file of a watched folder, and when one of the same content was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedContent {
    /// What it is remembered by.
    pub file: WatchedFile,
    /// RFC 3339, UTC; `None` for one that was not read yet.
    pub read_at: Option<String>,
}

/// Looks up whether a file was read before, by its content.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Storage`], also where the file cannot be read.
pub async fn look_up_watched(
    ctx: &Context,
    path: PathBuf,
    reader: &str,
) -> Result<WatchedContent, BoundaryError> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let read = blocking(move || {
        // Piece by piece: a command takes files that are longer than what is read at once.
        sha256_of(open_chosen(&path)?).map_err(|error| error.to_string())
    });
    let sha256 = read.await?.map_err(|why| unreadable(&why))?;
    let profile = active_profile(ctx).await?.id;
    let file = WatchedFile { profile, reader: reader.to_owned(), sha256, name };
    let read_at = ctx.store().watched_file_read_at(&file).await?;
    Ok(WatchedContent { file, read_at })
}

/// Remembers that a file was read: another one of the same content is not.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Storage`].
pub async fn record_watched(ctx: &Context, file: WatchedFile) -> Result<(), BoundaryError> {
    Ok(ctx.store().record_watched_file(file, ctx.now_text()).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(look: &FolderLook) -> Vec<String> {
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        look.arrived.iter().map(name).collect()
    }

    #[test]
    fn a_file_is_given_out_once_it_has_stopped_growing_and_again_once_it_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("may.csv", "id\n");
        for other in ["notes.pdf", ".hidden.csv", "~$may.xlsx", "may.csv.part", "empty.csv"] {
            write(other, if other == "empty.csv" { "" } else { "x" });
        }
        std::fs::create_dir(folder.path().join("folder.csv")).unwrap();
        let mut watch = FolderWatch::new(folder.path().to_owned());
        assert_eq!(watch.look().waiting, 1);
        write("may.csv", "id,premium\n");
        assert_eq!(watch.look(), FolderLook { waiting: 1, ..FolderLook::default() }, "it has grown");
        let look = watch.look();
        assert_eq!((names(&look), look.waiting), (vec!["may.csv".to_owned()], 0));
        assert_eq!(watch.look(), FolderLook::default(), "once");
        watch.try_again(&folder.path().join("may.csv"));
        assert_eq!(names(&watch.look()), ["may.csv"], "what failed comes again");
        write("may.csv", "id,premium\n1,5\n");
        watch.look();
        assert_eq!(names(&watch.look()), ["may.csv"], "another file of the same name");
        std::fs::remove_file(folder.path().join("may.csv")).unwrap();
        assert_eq!(watch.look(), FolderLook::default());
    }

    #[test]
    fn what_was_there_before_is_no_news_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("old.csv"), "id\n1\n").unwrap();
        let there = FolderWatch::new(folder.path().to_owned()).names_there();
        let stored: Vec<SeenName> = serde_json::from_str(&serde_json::to_string(&there).unwrap()).unwrap();
        let mut watch = FolderWatch::after(folder.path().to_owned(), stored);
        std::fs::write(folder.path().join("new.csv"), "id\n2\n").unwrap();
        assert_eq!(watch.look().waiting, 1);
        assert_eq!(names(&watch.look()), ["new.csv"]);
        assert_eq!(watch.names_done().len(), 2);
    }

    #[test]
    fn a_folder_that_vanishes_is_said_once_and_its_files_are_not_given_out_again() {
        let parent = tempfile::tempdir().unwrap();
        let (there, away) = (parent.path().join("share"), parent.path().join("away"));
        std::fs::create_dir(&there).unwrap();
        std::fs::write(there.join("may.csv"), "id\n1\n").unwrap();
        let mut watch = FolderWatch::new(there.clone());
        watch.look();
        assert_eq!(names(&watch.look()), ["may.csv"]);
        std::fs::rename(&there, &away).unwrap();
        assert_eq!(watch.look().remarks.len(), 1);
        assert_eq!(watch.look(), FolderLook::default());
        std::fs::rename(&away, &there).unwrap();
        let back = watch.look();
        assert!(back.arrived.is_empty() && back.remarks[0].ends_with("can be read again."), "{back:?}");
    }

    #[test]
    fn a_file_that_is_too_large_is_said_and_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(folder.path().join("large.csv")).unwrap();
        file.set_len(FILE_BYTES_MAX as u64 + 1).unwrap();
        let mut watch = FolderWatch::new(folder.path().to_owned());
        watch.look();
        let look = watch.look();
        assert!(look.arrived.is_empty() && look.remarks[0].starts_with("large.csv has more than 200 MB"));
        assert_eq!(watch.look(), FolderLook::default());
    }
}
