//! Larger files of a copy: into a workspace they go to its file storage, out of it into rows of the new file.

use bordereau_database::{Connection, Row};
use bordereau_file_storage::{OfficeFiles, StorageCache, name_content};

use super::copy::{ChangedRow, Column};
use crate::StoreError;
use crate::stored_files::{StoredContent, list_places, note_file, place_in_use, read_content};

/// Tables with contents, and their columns.
const CONTENTS: [(&str, &str); 3] =
    [("document_contents", "content"), ("batch_documents", "content"), ("review_sources", "bytes")];

/// Location of the larger files of a copy.
pub(super) struct CopiedFiles {
    storages: StorageCache,
    places: Vec<(i64, OfficeFiles)>,
    /// Their destination; `None` where they go into rows.
    target: Option<(i64, OfficeFiles)>,
}

impl CopiedFiles {
    /// Writes the larger files of a data folder before any row names them, so that others can work meanwhile.
    pub(super) fn write(
        source: &Connection,
        office: &mut Connection,
        key: &str,
    ) -> Result<CopiedFiles, StoreError> {
        let (storages, target) = (StorageCache::with_key(key), place_in_use(office)?);
        if let Some((place, files)) = &target {
            for (table, column) in CONTENTS {
                let mut statement = source.prepare_cached(&format!("SELECT {column} FROM {table}"))?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next_row()? {
                    let content = row.get_ref(0)?.as_blob()?;
                    if files.is_larger(content) {
                        let transaction = office.transaction()?;
                        note_file(&transaction, *place, &name_content(content))?;
                        transaction.commit()?;
                        storages.open(*place, files)?.write_file(content.to_vec())?;
                    }
                }
            }
        }
        Ok(CopiedFiles { storages, places: Vec::new(), target })
    }

    /// Reads files from the file storage of a workspace.
    pub(super) fn to_read(office: &Connection, key: &str) -> Result<CopiedFiles, StoreError> {
        Ok(CopiedFiles { storages: StorageCache::with_key(key), places: list_places(office)?, target: None })
    }

    /// The values of a row with content that differ in the target.
    pub(super) fn change_row(
        &self,
        columns: &[Column],
        row: &Row<'_>,
        changed: &mut ChangedRow,
    ) -> Result<(), StoreError> {
        let column = |named: &[&str]| columns.iter().position(|column| named.contains(&column.name.as_str()));
        let (Some(name), Some(place), Some(content)) =
            (column(&["stored_name"]), column(&["place"]), column(&["content", "bytes"]))
        else {
            return Ok(());
        };
        let stored: i64 = row.get(place)?;
        if stored > 0 {
            let stored = StoredContent { bytes: Vec::new(), place: stored, name: row.get(name)? };
            let bytes = read_content(&self.storages, &self.places, stored)?;
            changed.numbers.insert(place, 0);
            changed.texts.insert(name, String::new());
            changed.blobs.insert(content, bytes);
        } else if let Some((number, files)) = &self.target {
            let bytes = row.get_ref(content)?.as_blob()?;
            if files.is_larger(bytes) {
                changed.numbers.insert(place, *number);
                changed.texts.insert(name, name_content(bytes));
                changed.blobs.insert(content, Vec::new());
            }
        }
        Ok(())
    }
}
