//! Copies all that a desk has into the workspace of its office, and a workspace into a data folder: in one
//! transaction, and kept only where both sides are equal.

use std::path::Path;

use bordereau_database::{Connection, OfficeDatabase, Parameters, Value, ValueKind};
use sha2::{Digest, Sha256};

use super::ensure_current;
use crate::data_key::DataKey;
use crate::open_database::{open_database, open_database_as};
use crate::profiles::store_profile_file;
use crate::{FILE, Store, StoreError, backup, list_rows, make_private_folder};

/// What was copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopiedTables {
    /// Tables.
    pub tables: u32,
    /// Their rows.
    pub rows: u64,
}

/// Which file a store is in is not copied: the other one is in another.
const NOT_COPIED: &str = "store_place";
/// What a new store has one row of already.
const COUNTERS: [&str; 2] = ["outbox_revision", "events_revision"];
/// What is in use as soon as anyone worked with a workspace.
const USED: [&str; 5] = ["profiles", "batches", "reviews", "events", "audit"];

/// Copies everything of a data folder into an empty workspace of this version. The folder stays as it is.
///
/// # Errors
/// [`StoreError::CopyRefused`] where the workspace is in use, or something in the folder is still being sent: it would
/// be sent from both.
pub fn copy_to_office(
    folder: &Path,
    key: Option<&DataKey>,
    database: &OfficeDatabase,
) -> Result<CopiedTables, StoreError> {
    let copy = folder.join(format!("workspace.{}", backup::UNFINISHED));
    let _ = std::fs::remove_file(&copy);
    // As it is at one moment, checked, with the documents that lie beside it.
    let copied = backup::write_copy(folder, &copy, key).and_then(|_| {
        let source = Connection::from(open_database(&copy, key)?);
        let mut office = Connection::open_office(database)?;
        ensure_current(&office)?;
        let target = office.transaction()?;
        let copied = copy_tables(&source, &target)?;
        share_profile_files(folder, &target)?;
        target.commit()?;
        Ok(copied)
    });
    let _ = std::fs::remove_file(&copy);
    copied
}

/// Files that profiles name lie beside the data file.
fn share_profile_files(folder: &Path, office: &Connection) -> Result<(), StoreError> {
    let folder = folder.join("profile-files");
    let names = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    for digest in names(&folder) {
        for name in names(&folder.join(&digest)) {
            let content = std::fs::read_to_string(folder.join(&digest).join(&name));
            store_profile_file(office, &format!("{digest}/{name}"), &content.map_err(StoreError::Folder)?)?;
        }
    }
    Ok(())
}

/// Copies everything of a workspace into a new data folder, encrypted where there is a key. The workspace stays as it
/// is.
///
/// # Errors
/// [`StoreError::CopyRefused`] where the folder is in use, or something in the workspace is still being sent.
pub fn copy_from_office(
    database: &OfficeDatabase,
    folder: &Path,
    key: Option<DataKey>,
) -> Result<CopiedTables, StoreError> {
    let mut office = Connection::open_office(database)?;
    ensure_current(&office)?;
    let source = office.snapshot()?;
    make_private_folder(folder)?;
    if folder.join(FILE).exists() {
        return Err(StoreError::CopyRefused("there is a data file in this folder already"));
    }
    // Makes its tables.
    drop(Store::open_with_key(folder, key.clone())?);
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut file = Connection::from(open_database_as(&folder.join(FILE), key.as_ref(), flags, None)?);
    let target = file.transaction()?;
    let copied = copy_tables(&source, &target)?;
    target.commit()?;
    Ok(copied)
}

fn copy_tables(source: &Connection, target: &Connection) -> Result<CopiedTables, StoreError> {
    ensure_nothing_is_sent(source)?;
    for table in USED {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {table})");
        if target.query_row(&sql, [], |row| row.get(0))? {
            return Err(StoreError::CopyRefused("where it is to be copied to is in use already"));
        }
    }
    for counter in COUNTERS {
        target.execute(&format!("DELETE FROM {counter}"), [])?;
    }
    let file = if source.is_office() { target } else { source };
    let mut copied = CopiedTables::default();
    for table in &table_names(file)? {
        let columns = column_names(file, table)?;
        let (rows, hash) = copy_table(source, target, table, &columns)?;
        if table_hash(target, table, &columns)? != (rows, hash) {
            return Err(StoreError::Damaged(format!("the copy of {table} is not equal")));
        }
        copied.tables += 1;
        copied.rows += rows;
    }
    if target.is_office() {
        continue_numbers(target)?;
    }
    Ok(copied)
}

/// Refuses where something is still being sent.
pub fn ensure_nothing_is_sent(source: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM batch_parts WHERE state IN ('queued', 'sending', 'unknown', 'accepted', 'processing'))
         OR EXISTS (SELECT 1 FROM document_uploads WHERE state IN ('queued', 'sending', 'unknown'))";
    let is_open: bool = source.query_row(sql, [], |row| row.get(0))?;
    if is_open { Err(StoreError::CopyRefused("something is still being sent from it")) } else { Ok(()) }
}

/// As they were made: what refers to a table comes behind it.
fn table_names(file: &Connection) -> Result<Vec<String>, StoreError> {
    let sql =
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid";
    let mut tables: Vec<String> = list_rows(file, sql, [], |row| row.get(0))?;
    tables.retain(|table| table != NOT_COPIED);
    Ok(tables)
}

fn column_names(file: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    Ok(file.prepare_cached(&format!("SELECT * FROM {table}"))?.column_names()?)
}

/// The rows in one order on both engines: texts by their bytes, and what is absent before everything else.
fn select_rows(table: &str, columns: &[String]) -> String {
    let order: Vec<String> = columns.iter().map(|column| format!("{column} NULLS FIRST")).collect();
    format!("SELECT {} FROM {table} ORDER BY {}", columns.join(", "), order.join(", "))
}

fn copy_table(
    source: &Connection,
    target: &Connection,
    table: &str,
    columns: &[String],
) -> Result<(u64, Vec<u8>), StoreError> {
    let kinds = column_kinds(if source.is_office() { target } else { source }, table)?;
    let places: Vec<String> = (1..=columns.len()).map(|at| format!("?{at}")).collect();
    let sql = format!("INSERT INTO {table} ({}) VALUES ({})", columns.join(", "), places.join(", "));
    let mut insert = target.prepare_cached(&sql)?;
    let mut hash = RowHash::default();
    let mut statement = source.prepare_cached(&select_rows(table, columns))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next_row()? {
        let values: Result<Vec<Value<'_>>, _> = (0..columns.len()).map(|at| row.get_ref(at)).collect();
        let values: Vec<Value<'_>> =
            values?.into_iter().zip(&kinds).map(|(value, kind)| of_kind(value, *kind)).collect();
        hash.add(&values);
        insert.execute(RowValues(&values))?;
    }
    Ok(hash.finish())
}

fn table_hash(
    connection: &Connection,
    table: &str,
    columns: &[String],
) -> Result<(u64, Vec<u8>), StoreError> {
    let mut hash = RowHash::default();
    let mut statement = connection.prepare_cached(&select_rows(table, columns))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next_row()? {
        let values: Result<Vec<Value<'_>>, _> = (0..columns.len()).map(|at| row.get_ref(at)).collect();
        hash.add(&values?);
    }
    Ok(hash.finish())
}

/// What each column of a table of the file is.
fn column_kinds(file: &Connection, table: &str) -> Result<Vec<ValueKind>, StoreError> {
    let sql = format!("SELECT type FROM pragma_table_info('{table}') ORDER BY cid");
    let types: Vec<String> = list_rows(file, &sql, [], |row| row.get(0))?;
    let kinds = types.iter().map(|name| match name.as_str() {
        "INTEGER" => ValueKind::Integer,
        "BLOB" => ValueKind::Blob,
        _ => ValueKind::Text,
    });
    Ok(kinds.collect())
}

fn of_kind(value: Value<'_>, kind: ValueKind) -> Value<'_> {
    if matches!(value, Value::Null(_)) { Value::Null(kind) } else { value }
}

/// New rows go on behind the copied ones.
fn continue_numbers(office: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT) FROM information_schema.columns
         WHERE table_schema = current_schema() AND is_identity = 'YES'";
    let numbered: Vec<(String, String)> = list_rows(office, sql, [], |row| row.try_into())?;
    for (table, column) in numbered {
        let sql = format!(
            "SELECT setval(pg_get_serial_sequence(current_schema() || '.{table}', '{column}'),
             coalesce(max({column}), 0) + 1, false) FROM {table}"
        );
        office.query_row(&sql, [], |_| Ok(()))?;
    }
    Ok(())
}

/// The hash of rows, the same on both engines.
#[derive(Default)]
struct RowHash {
    rows: u64,
    digest: Sha256,
}

impl RowHash {
    fn add(&mut self, values: &[Value<'_>]) {
        self.rows += 1;
        for value in values {
            let (kind, bytes) = match value {
                Value::Null(_) => (0, Vec::new()),
                Value::Integer(number) => (1, number.to_be_bytes().to_vec()),
                Value::Text(text) => (2, text.as_bytes().to_vec()),
                Value::Blob(bytes) => (3, bytes.to_vec()),
            };
            // With its length in front, so that no two rows have the same bytes together.
            self.digest.update([kind]);
            self.digest.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
            self.digest.update(bytes);
        }
    }

    fn finish(self) -> (u64, Vec<u8>) {
        (self.rows, self.digest.finalize().to_vec())
    }
}

/// The values of a row as those of a statement.
struct RowValues<'v>(&'v [Value<'v>]);

impl Parameters for RowValues<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn value(&self, at: usize) -> Value<'_> {
        self.0.get(at).copied().unwrap_or(Value::Null(ValueKind::Text))
    }
}
