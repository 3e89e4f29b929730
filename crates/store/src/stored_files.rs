//! The tables `file_places` and `stored_files`: files of an office that are too large for its database.
//!
//! A file is noted before it is written, and written before a row names it. It is removed in a transaction that is
//! alone in the workspace, so that no one can note it meanwhile, and only a day after it was noted.

use bordereau_database::{Connection, Row, Transaction, params};
use bordereau_file_storage::{FilePlace, FileStorageError, OfficeFiles, StorageCache, name_content};

use crate::{ActorTimestamp, Store, StoreError, audit, list_rows, place, run_off_thread};

/// The step of the schema that made them.
pub(crate) const CREATE_STORED_FILES: &str = include_str!("stored_files.sql");
/// Condition for a file that no row needs and no desk is about to name; two places may be the same one.
const UNUSED: &str = "NOT EXISTS (SELECT 1 FROM stored_files o WHERE o.name = f.name
         AND o.noted_at >= CAST(extract(epoch FROM now()) AS BIGINT) - 86400)
     AND NOT EXISTS (SELECT 1 FROM document_contents c WHERE c.stored_name = f.name)
     AND NOT EXISTS (SELECT 1 FROM batch_documents c WHERE c.stored_name = f.name)
     AND NOT EXISTS (SELECT 1 FROM review_sources c WHERE c.stored_name = f.name)";
/// Files that rows name, each once.
const NAMED: &str = "SELECT place, stored_name FROM document_contents WHERE place > 0
     UNION SELECT place, stored_name FROM batch_documents WHERE place > 0
     UNION SELECT place, stored_name FROM review_sources WHERE place > 0 ORDER BY 1, 2";

/// A row's content: its bytes, or where they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredContent {
    /// Its bytes; empty where they are in a place.
    pub(crate) bytes: Vec<u8>,
    /// Number of its place; 0 for the row itself.
    pub(crate) place: i64,
    /// Its name there.
    pub(crate) name: String,
}

impl StoredContent {
    pub(crate) fn of_row(row: &Row<'_>) -> Result<StoredContent, bordereau_database::DatabaseError> {
        Ok(StoredContent { bytes: row.get(0)?, place: row.get(1)?, name: row.get(2)? })
    }
}

/// All places with their numbers; the last one is in use.
pub(crate) fn list_places(connection: &Connection) -> Result<Vec<(i64, OfficeFiles)>, StoreError> {
    let sql = "SELECT number, body FROM file_places ORDER BY number";
    let places: Vec<(i64, String)> = list_rows(connection, sql, [], |row| row.try_into())?;
    places.into_iter().map(|(number, body)| Ok((number, serde_json::from_str(&body)?))).collect()
}

/// The place for new larger files; `None` where that is the database.
pub(crate) fn place_in_use(connection: &Connection) -> Result<Option<(i64, OfficeFiles)>, StoreError> {
    let in_use = list_places(connection)?.pop();
    Ok(in_use.filter(|(_, files)| files.place != FilePlace::Database))
}

/// Sets the place for new larger files; existing ones stay where they are.
pub(crate) fn add_place(
    connection: &mut Connection,
    files: &OfficeFiles,
    now: &ActorTimestamp,
) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    transaction.execute(
        "INSERT INTO file_places (number, body, at, by_whom)
         SELECT coalesce(max(number), 0) + 1, ?1, ?2, ?3 FROM file_places",
        params![serde_json::to_string(files)?, now.at, now.by],
    )?;
    audit::append_entry(&transaction, &now.at, &now.by, &format!("Changed where files are. {files}"))?;
    Ok(transaction.commit()?)
}

/// Notes that a file is about to be written and named by a row.
pub(crate) fn note_file(transaction: &Transaction<'_>, place: i64, name: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO stored_files (place, name, noted_at) VALUES (?1, ?2, CAST(extract(epoch FROM now()) AS BIGINT))
         ON CONFLICT (place, name) DO UPDATE SET noted_at = excluded.noted_at";
    transaction.execute(sql, params![place, name])?;
    Ok(())
}

/// Prepares content for its row: a large one of an office is written to its place first.
pub(crate) async fn set_aside(store: &Store, bytes: Vec<u8>) -> Result<StoredContent, StoreError> {
    let here = |bytes| StoredContent { bytes, ..StoredContent::default() };
    let Some(office) = store.office.clone().filter(|_| !bytes.is_empty()) else { return Ok(here(bytes)) };
    let in_use = store.with_connection(|connection| place_in_use(connection)).await?;
    let Some((place, files)) = in_use.filter(|(_, files)| files.is_larger(&bytes)) else {
        return Ok(here(bytes));
    };
    let (name, bytes) = run_off_thread(move || Ok((name_content(&bytes), bytes))).await?;
    let noted = name.clone();
    store
        .with_connection(move |connection| {
            let transaction = connection.transaction()?;
            note_file(&transaction, place, &noted)?;
            Ok(transaction.commit()?)
        })
        .await?;
    run_off_thread(move || {
        office.files.open(place, &files)?.write_file(bytes)?;
        Ok(StoredContent { bytes: Vec::new(), place, name })
    })
    .await
}

/// The bytes of contents, wherever they are, concatenated.
pub(crate) async fn read_contents(store: &Store, stored: Vec<StoredContent>) -> Result<Vec<u8>, StoreError> {
    let Some(office) = store.office.clone().filter(|_| stored.iter().any(|one| one.place > 0)) else {
        return Ok(stored.into_iter().map(|one| one.bytes).reduce(joined).unwrap_or_default());
    };
    let places = store.with_connection(|connection| list_places(connection)).await?;
    run_off_thread(move || {
        let read = stored.into_iter().map(|one| read_content(&office.files, &places, one));
        Ok(read.collect::<Result<Vec<_>, _>>()?.into_iter().reduce(joined).unwrap_or_default())
    })
    .await
}

fn joined(mut whole: Vec<u8>, part: Vec<u8>) -> Vec<u8> {
    whole.extend_from_slice(&part);
    whole
}

/// The bytes of a content in its row or in one of these places.
pub(crate) fn read_content(
    storages: &StorageCache,
    places: &[(i64, OfficeFiles)],
    stored: StoredContent,
) -> Result<Vec<u8>, StoreError> {
    if stored.place == 0 {
        return Ok(stored.bytes);
    }
    let place = places.iter().find(|(number, _)| *number == stored.place);
    let (number, files) = place.ok_or_else(|| FileStorageError::Missing(stored.name.clone()))?;
    Ok(storages.open(*number, files)?.read_file(&stored.name)?)
}

/// Reads every file that a row names, with its name.
pub(crate) fn read_files<'s>(
    connection: &Connection,
    storages: &'s StorageCache,
) -> Result<impl Iterator<Item = (String, Result<Vec<u8>, StoreError>)> + use<'s>, StoreError> {
    let places = list_places(connection)?;
    let named: Vec<(i64, String)> = list_rows(connection, NAMED, [], |row| row.try_into())?;
    Ok(named.into_iter().map(move |(place, name)| {
        let stored = StoredContent { place, name: name.clone(), ..StoredContent::default() };
        (name, read_content(storages, &places, stored))
    }))
}

/// Removes files that no row needs any more, up to a thousand; returns how many. Does nothing on a computer's own
/// data, and in a workspace that is a copy of another one, which shares its files.
pub async fn remove_unused_files(store: &Store) -> Result<u32, StoreError> {
    let Some(office) = store.office.clone().filter(|office| office.may_work()) else { return Ok(0) };
    let listed = store.with_connection(|connection| {
        let sql = format!("SELECT place, name FROM stored_files f WHERE {UNUSED} LIMIT 1000");
        let is_copy = !place::store_copy(connection)?.noticed_at.is_empty();
        let unused: Vec<(i64, String)> = list_rows(connection, &sql, [], |row| row.try_into())?;
        let unused = if is_copy { Vec::new() } else { unused };
        Ok((list_places(connection)?, unused))
    });
    let (places, unused) = listed.await?;
    let mut removed = 0;
    for (place, name) in unused {
        let Some((_, files)) = places.iter().find(|(number, _)| *number == place).cloned() else { continue };
        let office = office.clone();
        let is_removed = store.with_connection(move |connection| {
            let transaction = connection.transaction()?;
            let sql = format!("DELETE FROM stored_files AS f WHERE place = ?1 AND name = ?2 AND {UNUSED}");
            if transaction.execute(&sql, params![place, name])? == 0 {
                return Ok(0);
            }
            office.files.open(place, &files)?.remove_file(&name)?;
            transaction.commit()?;
            Ok(1)
        });
        removed += is_removed.await?;
    }
    Ok(removed)
}
