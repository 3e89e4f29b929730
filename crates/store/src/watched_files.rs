//! The table `watched_files`: files of watched folders, by content, so that each is read once.

use bordereau_database::{OptionalRow, params};

use super::{Store, StoreError};

/// Files remembered for a profile.
const FILES_MAX: u32 = 50_000;

/// The step of the schema that made it.
pub(crate) const CREATE_WATCHED_FILES: &str = include_str!("watched_files.sql");

/// A file of a watched folder, by its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedFile {
    /// Id of the profile.
    pub profile: String,
    /// The program that reads the folder.
    pub reader: String,
    /// Hash of its bytes.
    pub sha256: String,
    /// Its name.
    pub name: String,
}

impl Store {
    /// When a file with this content was read; `None` if it wasn't.
    pub async fn watched_file_read_at(&self, file: &WatchedFile) -> Result<Option<String>, StoreError> {
        let WatchedFile { profile, reader, sha256, .. } = file.clone();
        self.with_own_connection(move |connection| {
            let sql = "SELECT at FROM watched_files WHERE profile = ?1 AND reader = ?2 AND sha256 = ?3";
            Ok(connection.query_row(sql, [profile, reader, sha256], |row| row.get(0)).optional()?)
        })
        .await
    }

    /// Remembers that a file was read.
    pub async fn record_watched_file(&self, file: WatchedFile, at: String) -> Result<(), StoreError> {
        self.with_own_connection(move |connection| {
            connection.execute(
                "INSERT INTO watched_files (profile, reader, sha256, name, at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (profile, reader, sha256) DO UPDATE SET name = excluded.name, at = excluded.at",
                params![file.profile, file.reader, file.sha256, file.name, at],
            )?;
            connection.execute(
                "DELETE FROM watched_files WHERE profile = ?1 AND at <
                 (SELECT at FROM watched_files WHERE profile = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2)",
                params![file.profile, FILES_MAX - 1],
            )?;
            Ok(())
        })
        .await
    }
}
