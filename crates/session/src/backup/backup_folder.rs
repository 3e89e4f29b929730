//! The folder of backups: lists, makes, opens and deletes them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bordereau_api::BackupView;
use bordereau_store::backup::{
    BackupContent, UNFINISHED, check_beginning, check_copy, stage_copy, write_copy,
};
use bordereau_store::data_key::DataKey;
use bordereau_store::seal;
use bordereau_store::{StoreError, create_private_file, make_private_folder, sync_folder};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use crate::files::open_chosen;
use bordereau_contract::format_instant;

/// Backups to keep.
pub const KEPT: usize = 14;
const FOLDER: &str = "backups";
/// `desk-20261122-201503.sealed`, or `.sqlite` where it is not sealed.
const BEGIN: &str = "desk-";
const STAMP: &str = "%Y%m%d-%H%M%S";
const SEALED: &str = "sealed";
const OPEN: &str = "sqlite";

/// Why there is no backup, or why it can't be used.
#[derive(Debug)]
pub(super) enum BackupFailure {
    /// The store or its copy failed.
    Store(StoreError),
    /// A file of it failed.
    File(io::Error),
    /// It is sealed, and there is no key.
    NoKey,
    /// It is sealed, and no key opens it.
    NotOpened,
}

impl From<StoreError> for BackupFailure {
    fn from(error: StoreError) -> BackupFailure {
        BackupFailure::Store(error)
    }
}

impl From<io::Error> for BackupFailure {
    fn from(error: io::Error) -> BackupFailure {
        BackupFailure::File(error)
    }
}

/// An opened backup, and the key that opened it.
struct OpenedBackup<'k> {
    path: PathBuf,
    key: Option<&'k DataKey>,
}

/// The backups of a data folder.
#[derive(Clone, Debug)]
pub(super) struct BackupFolder {
    data_dir: PathBuf,
    folder: PathBuf,
}

impl BackupFolder {
    pub(super) fn new(data_dir: &Path) -> BackupFolder {
        BackupFolder { data_dir: data_dir.to_owned(), folder: data_dir.join(FOLDER) }
    }

    /// Newest first.
    pub(super) fn list_backups(&self) -> Vec<BackupView> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut backups: Vec<BackupView> = entries
            .filter_map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                let (made, sealed) = parse_name(&name)?;
                let bytes = entry.metadata().map_or(0, |file| file.len());
                Some(BackupView { name, made_at: format_instant(made), bytes, sealed })
            })
            .collect();
        backups.sort_by(|one, other| other.name.cmp(&one.name));
        backups
    }

    /// Makes a backup: copied, checked, sealed if there is a key, and read back from the disk; then deletes the
    /// oldest.
    pub(super) fn make_backup(
        &self,
        now: DateTime<Utc>,
        key: Option<&DataKey>,
        is_encrypted: bool,
    ) -> Result<(), BackupFailure> {
        make_private_folder(&self.folder)?;
        self.remove_unfinished();
        let copy = self.unfinished("copy");
        let made = write_copy(&self.data_dir, &copy, key.filter(|_| is_encrypted))
            .map_err(BackupFailure::from)
            .and_then(|_| self.finish_backup(&copy, now, key));
        if made.is_err() {
            self.remove_unfinished();
        }
        let made = made?;
        sync_folder(&self.folder);
        self.remove_oldest(&made, now);
        Ok(())
    }

    /// Those with a date still to come go first: the clock was ahead when they were made, and they would otherwise
    /// take the place of every later one. The one just made stays whatever the clock says.
    fn remove_oldest(&self, made: &str, now: DateTime<Utc>) {
        let mut others: Vec<String> = self.list_backups().into_iter().map(|backup| backup.name).collect();
        others.retain(|name| name != made);
        // Newest first already; a stable order keeps that.
        others.sort_by_key(|name| parse_name(name).is_some_and(|(date, _)| date > now));
        for old in others.into_iter().skip(KEPT - 1) {
            let _ = fs::remove_file(self.folder.join(old));
        }
    }

    /// Gives it its name.
    fn finish_backup(
        &self,
        copy: &Path,
        now: DateTime<Utc>,
        key: Option<&DataKey>,
    ) -> Result<String, BackupFailure> {
        let stamp = self.free_stamp(now);
        let Some(key) = key else {
            let name = format!("{BEGIN}{stamp}.{OPEN}");
            fs::rename(copy, self.folder.join(&name))?;
            return Ok(name);
        };
        let sealed = self.unfinished("sealed");
        let mut to = create_private_file(&sealed)?;
        seal::seal_file(key.seal_key(), File::open(copy)?, &mut to)?;
        to.sync_all()?;
        let mut again = Sha256Writer(Sha256::new());
        seal::open_sealed(key.seal_key(), File::open(&sealed)?, &mut again)?;
        let mut plain = Sha256Writer(Sha256::new());
        io::copy(&mut File::open(copy)?, &mut plain)?;
        if again.0.finalize() != plain.0.finalize() {
            return Err(io::Error::other("what was sealed is not what is read back").into());
        }
        let name = format!("{BEGIN}{stamp}.{SEALED}");
        fs::rename(&sealed, self.folder.join(&name))?;
        fs::remove_file(copy)?;
        Ok(name)
    }

    /// The second in its name; the later of two in the same second gets the next one.
    fn free_stamp(&self, mut now: DateTime<Utc>) -> String {
        loop {
            let stamp = now.format(STAMP).to_string();
            let is_taken = |end: &str| self.folder.join(format!("{BEGIN}{stamp}.{end}")).exists();
            if !is_taken(SEALED) && !is_taken(OPEN) {
                return stamp;
            }
            now += TimeDelta::seconds(1);
        }
    }

    /// Checks a backup from end to end.
    pub(super) fn check_backup(&self, name: &str, keys: &[DataKey]) -> Result<BackupContent, BackupFailure> {
        let opened = self.open_backup(&self.path_of(name)?, keys)?;
        let content = check_copy(&opened.path, opened.key);
        let _ = fs::remove_file(opened.path);
        Ok(content?)
    }

    /// Stages a backup of this folder to replace the store at the next start.
    pub(super) fn stage_named(
        &self,
        name: &str,
        keys: &[DataKey],
        folder_key: Option<&DataKey>,
    ) -> Result<(), BackupFailure> {
        self.stage(&self.path_of(name)?, keys, folder_key)
    }

    /// The same with a file; if it is a backup of this folder, by its name.
    pub(super) fn stage_file(
        &self,
        path: PathBuf,
        keys: &[DataKey],
        folder_key: Option<&DataKey>,
    ) -> Result<(), BackupFailure> {
        self.stage(&self.path_of(&path.to_string_lossy()).unwrap_or(path), keys, folder_key)
    }

    fn stage(
        &self,
        path: &Path,
        keys: &[DataKey],
        folder_key: Option<&DataKey>,
    ) -> Result<(), BackupFailure> {
        let opened = self.open_backup(path, keys)?;
        let staged = check_copy(&opened.path, opened.key)
            .and_then(|_| stage_copy(&self.data_dir, &opened.path, opened.key, folder_key));
        if staged.is_err() {
            self.remove_unfinished();
        }
        Ok(staged?)
    }

    /// An unsealed copy of a backup, to be used or removed. It is encrypted if its data folder was.
    fn open_backup<'k>(&self, path: &Path, keys: &'k [DataKey]) -> Result<OpenedBackup<'k>, BackupFailure> {
        make_private_folder(&self.folder)?;
        self.remove_unfinished();
        let mut from = open_chosen(path).map_err(io::Error::other)?;
        if !seal::is_sealed(&mut from)? {
            check_beginning(path)?;
            return self.write_opened(None, |to| io::copy(&mut from, to).map(drop));
        }
        let mut failure = BackupFailure::NoKey;
        for key in keys {
            let sealed = open_chosen(path).map_err(io::Error::other)?;
            match self.write_opened(Some(key), |to| seal::open_sealed(key.seal_key(), sealed, to)) {
                Ok(opened) => return Ok(opened),
                Err(BackupFailure::File(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    failure = BackupFailure::NotOpened;
                }
                Err(error) => return Err(error),
            }
        }
        Err(failure)
    }

    fn write_opened<'k>(
        &self,
        key: Option<&'k DataKey>,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<OpenedBackup<'k>, BackupFailure> {
        let path = self.unfinished("opened");
        let mut to = create_private_file(&path)?;
        match write(&mut to).and_then(|()| to.sync_all()) {
            Ok(()) => Ok(OpenedBackup { path, key }),
            Err(error) => {
                let _ = fs::remove_file(path);
                Err(error.into())
            }
        }
    }

    /// Whether a backup was made on this day, UTC.
    pub(super) fn has_backup_of(&self, now: DateTime<Utc>) -> bool {
        let day = now.format("%Y%m%d").to_string();
        self.list_backups().iter().any(|backup| backup.name.starts_with(&format!("{BEGIN}{day}")))
    }

    /// The path of a listed backup in this folder; never a path from the caller.
    fn path_of(&self, name: &str) -> Result<PathBuf, StoreError> {
        let path = self.folder.join(name);
        if parse_name(name).is_some() && path.is_file() {
            Ok(path)
        } else {
            Err(StoreError::Missing("backup"))
        }
    }

    fn unfinished(&self, what: &str) -> PathBuf {
        self.folder.join(format!("{what}.{UNFINISHED}"))
    }

    /// Removes files that a process left when it ended midway, with SQLite's own files beside them.
    fn remove_unfinished(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().contains(UNFINISHED) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// When a backup was made, and whether it is sealed.
fn parse_name(name: &str) -> Option<(DateTime<Utc>, bool)> {
    let (stamp, end) = name.strip_prefix(BEGIN)?.split_once('.')?;
    let made = NaiveDateTime::parse_from_str(stamp, STAMP).ok()?.and_utc();
    match end {
        SEALED => Some((made, true)),
        OPEN => Some((made, false)),
        _ => None,
    }
}

struct Sha256Writer(Sha256);

impl Write for Sha256Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_when_and_whether_it_is_sealed_and_is_never_a_path() {
        let of = |name: &str| parse_name(name).map(|(at, sealed)| (at.to_rfc3339(), sealed));
        assert_eq!(of("desk-20261122-201503.sealed"), Some(("2026-11-22T20:15:03+00:00".into(), true)));
        assert_eq!(of("desk-20261122-201503.sqlite"), Some(("2026-11-22T20:15:03+00:00".into(), false)));
        for other in
            ["", "desk.sqlite", "desk-20261122-201503.sealed.unfinished", "../desk-20261122-201503.sqlite"]
        {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
