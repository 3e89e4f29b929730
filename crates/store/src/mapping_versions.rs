//! Earlier versions of saved mappings.

use bordereau_database::{Connection, DatabaseError, OptionalRow, params};

use super::list_rows;
use super::{Store, StoreError};

/// Versions kept for one mapping.
const VERSIONS_MAX: u32 = 30;

/// A saved mapping before it was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingRevision {
    /// Counted from 1.
    pub number: u32,
    /// RFC 3339, UTC: when it was replaced.
    pub at: String,
    /// The mapping file's text.
    pub body: String,
}

/// The step of the schema that made them.
pub(crate) const CREATE_MAPPING_VERSIONS: &str = include_str!("mapping_versions.sql");

/// Keeps the current version of a mapping that is about to be replaced.
pub(crate) fn keep_version(
    connection: &Connection,
    name: &str,
    next: &str,
    at: &str,
) -> Result<(), DatabaseError> {
    connection.execute(
        "INSERT INTO mapping_versions (name, number, body, at)
         SELECT ?1, (SELECT coalesce(max(number), 0) + 1 FROM mapping_versions WHERE name = ?1), body, ?3
         FROM review_mappings WHERE name = ?1 AND headers = '' AND body <> ?2",
        [name, next, at],
    )?;
    connection.execute(
        "DELETE FROM mapping_versions WHERE name = ?1 AND number NOT IN
         (SELECT number FROM mapping_versions WHERE name = ?1 ORDER BY number DESC LIMIT ?2)",
        params![name, VERSIONS_MAX],
    )?;
    Ok(())
}

impl Store {
    /// The earlier versions of a mapping, the newest first.
    pub async fn mapping_versions(&self, name: &str) -> Result<Vec<MappingRevision>, StoreError> {
        let name = name.to_owned();
        self.with_connection(move |connection| {
            let sql = "SELECT number, at, body FROM mapping_versions WHERE name = ?1 ORDER BY number DESC";
            list_rows(connection, sql, [&name], row_as!(MappingRevision: number, at, body))
        })
        .await
    }

    /// An earlier version of a mapping.
    pub async fn load_mapping_version(&self, name: &str, number: u32) -> Result<String, StoreError> {
        let name = name.to_owned();
        self.with_connection(move |connection| {
            let sql = "SELECT body FROM mapping_versions WHERE name = ?1 AND number = ?2";
            let found = connection.query_row(sql, params![name, number], |row| row.get(0)).optional()?;
            found.ok_or(StoreError::Missing("version"))
        })
        .await
    }

    /// Moves the earlier versions of a renamed mapping to its new name.
    pub async fn move_mapping_versions(&self, from: &str, to: &str) -> Result<(), StoreError> {
        let (from, to) = (from.to_owned(), to.to_owned());
        self.with_connection(move |connection| {
            connection.execute("DELETE FROM mapping_versions WHERE name = ?1", [&to])?;
            connection.execute("UPDATE mapping_versions SET name = ?2 WHERE name = ?1", [&from, &to])?;
            Ok(())
        })
        .await
    }
}
