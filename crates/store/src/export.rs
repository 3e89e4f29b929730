//! Everything in the store as files that any program opens: each table as CSV and as JSON, each document as itself.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use bordereau_database::{Connection, Row};
use bordereau_spreadsheets::{csv_line, escape_formula};
use serde_json::{Map, Value, json};

use crate::stored_files::read_files;
use crate::workspace::StorageCache;
use crate::{StoreError, list_rows};

/// What was exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportedFiles {
    /// Tables.
    pub tables: u32,
    /// Their rows.
    pub rows: u64,
    /// Documents.
    pub documents: u32,
}

/// Columns for the name of a document's file, in order of preference.
const NAMED_BY: [&str; 2] = ["file_name", "name"];

/// Writes every table into the folder; for an office also the files outside of its database.
pub fn export_tables(
    connection: &Connection,
    folder: &Path,
    office: Option<&StorageCache>,
) -> Result<ExportedFiles, StoreError> {
    let sql = if connection.is_office() {
        "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
    } else {
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    };
    let tables: Vec<String> = list_rows(connection, sql, [], |row| row.get(0))?;
    let mut exported = ExportedFiles::default();
    for table in tables {
        export_table(connection, folder, &table, &mut exported)?;
    }
    if let Some(storages) = office {
        for (name, content) in read_files(connection, storages)? {
            write_document(folder, &name, &content?)?;
            exported.documents += 1;
        }
    }
    Ok(exported)
}

fn export_table(
    connection: &Connection,
    folder: &Path,
    table: &str,
    exported: &mut ExportedFiles,
) -> Result<(), StoreError> {
    let create = |end: &str| File::create_new(folder.join(format!("{table}.{end}"))).map(BufWriter::new);
    let (mut sheet, mut list) = (create("csv")?, create("json")?);
    let mut statement = connection.prepare_cached(&format!("SELECT * FROM \"{table}\""))?;
    let columns: Vec<String> = statement.column_names()?;
    let mut rows = statement.query([])?;
    let mut text = String::new();
    let write =
        |file: &mut BufWriter<File>, text: &str| file.write_all(text.as_bytes()).map_err(StoreError::Folder);
    write(&mut sheet, &csv_line(columns.iter().map(String::as_str)))?;
    write(&mut list, "[")?;
    let mut count = 0u64;
    while let Some(row) = rows.next_row()? {
        count += 1;
        let mut object = Map::new();
        for (at, column) in columns.iter().enumerate() {
            let value = match row.get_ref(at)? {
                bordereau_database::Value::Blob(content) if !content.is_empty() => {
                    let name = format!("{table}-{count:06}-{}", document_name(&row, &columns));
                    exported.documents += 1;
                    write_document(folder, &name, content)?;
                    Value::String(format!("documents/{name}"))
                }
                other => json_value(other),
            };
            object.insert(column.clone(), value);
        }
        let cells = object.values().map(|value| match value {
            // Never run by a spreadsheet program.
            Value::String(text) => escape_formula(text),
            Value::Null => String::new(),
            other => other.to_string(),
        });
        let cells: Vec<String> = cells.collect();
        write(&mut sheet, &csv_line(cells.iter().map(String::as_str)))?;
        text.clear();
        text.push_str(if count == 1 { "\n" } else { ",\n" });
        text.push_str(&serde_json::to_string(&object)?);
        write(&mut list, &text)?;
    }
    write(&mut list, "\n]\n")?;
    for file in [sheet, list] {
        let file = file.into_inner().map_err(|error| StoreError::Folder(error.into_error()))?;
        file.sync_all()?;
    }
    exported.tables += 1;
    exported.rows += count;
    Ok(())
}

fn json_value(value: bordereau_database::Value<'_>) -> Value {
    match value {
        bordereau_database::Value::Integer(number) => json!(number),
        bordereau_database::Value::Text(text) => Value::String(text.to_owned()),
        bordereau_database::Value::Null(_) | bordereau_database::Value::Blob(_) => Value::Null,
    }
}

fn document_name(row: &Row<'_>, columns: &[String]) -> String {
    let named = NAMED_BY.iter().find_map(|name| columns.iter().position(|column| column == name));
    let name = named.and_then(|at| row.get::<String>(at).ok());
    let name = name.unwrap_or_else(|| "content".to_owned());
    let plain = |c: char| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' };
    name.chars().map(plain).take(100).collect()
}

fn write_document(folder: &Path, name: &str, content: &[u8]) -> Result<(), StoreError> {
    let documents = folder.join("documents");
    std::fs::create_dir_all(&documents)?;
    std::fs::write(documents.join(name), content).map_err(StoreError::Folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_there_twice_and_documents_are_files() {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "CREATE TABLE rows (id INTEGER, name TEXT, premium TEXT);
                 INSERT INTO rows VALUES (1, 'Diner, \"the\" old', '-12.50'), (2, '=1+1', NULL);
                 CREATE TABLE files (file_name TEXT, content BLOB);
                 INSERT INTO files VALUES ('a/b.pdf', x'255044462d');",
            )
            .unwrap();
        let exported = export_tables(&connection, folder.path(), None).unwrap();
        assert_eq!(exported, ExportedFiles { tables: 2, rows: 3, documents: 1 });
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(
            read("rows.csv"),
            "id,name,premium\r\n1,\"Diner, \"\"the\"\" old\",-12.50\r\n2,'=1+1,\r\n"
        );
        let list: Value = serde_json::from_str(&read("rows.json")).unwrap();
        assert_eq!(list[0]["name"], "Diner, \"the\" old");
        assert_eq!(list[1]["premium"], Value::Null);
        assert_eq!(read("documents/files-000001-a_b.pdf"), "%PDF-");
        assert!(read("files.csv").contains("documents/files-000001-a_b.pdf"));
    }
}
