//! Copies everything of a desk into its office's workspace, and a workspace into a data folder: in one transaction,
//! which is kept only if both sides are equal.

use std::collections::HashMap;
use std::path::Path;

use bordereau_api::{OfficeCopy, WorkKind};
use bordereau_database::{
    Connection, OfficeDatabase, OptionalRow, Parameters, Row, RowHash, Value, ValueKind,
};

use super::copied_files::CopiedFiles;
use super::copied_names::CopiedNames;
use super::ensure_current;
use super::table_rules::{NOT_COPIED, ORDERS, TABLES, TableRule};
use crate::data_key::DataKey;
use crate::open_database::{open_database, open_database_as};
use crate::profiles::store_profile_file;
use crate::{FILE, Store, StoreError, audit, backup, batches, events, list_rows, make_private_folder};

/// Copies everything in a data folder into a workspace of this version, which may be in use: rows get new numbers
/// there, and existing rows stay as they are. The folder stays as it is, too.
///
/// # Errors
/// [`StoreError::CopyRefused`] where something in the folder is still being sent, since it would be sent from both;
/// where the person isn't an administrator; or where the folder's audit log isn't intact.
pub fn copy_to_office(
    folder: &Path,
    key: Option<&DataKey>,
    database: &OfficeDatabase,
    at: &str,
) -> Result<OfficeCopy, StoreError> {
    let copy = folder.join(format!("workspace.{}", backup::UNFINISHED));
    let _ = std::fs::remove_file(&copy);
    // A snapshot, checked, with the documents beside the data file.
    let copied = backup::write_copy(folder, &copy, key).and_then(|_| {
        let source = Connection::from(open_database(&copy, key)?);
        let mut office = Connection::open_office(database)?;
        ensure_current(&office)?;
        ensure_administrator(&office)?;
        let files = CopiedFiles::write(&source, &mut office, &database.storage_key)?;
        let target = office.transaction()?;
        let log = audit::copied_log_name(&source)?;
        let mut copied = copy_tables(&source, &target, log.as_deref(), files)?;
        let entries = audit::copy_log(&source, &target)?;
        share_profile_files(folder, &target)?;
        if copied.rows + entries > 0 {
            audit::note_copied_log(&target, at, &database.user, copied.rows, log.as_deref())?;
            batches::bump_revision(&target)?;
            events::mark_events_changed(&target)?;
        }
        copied.log_entries = entries;
        target.commit()?;
        Ok(copied)
    });
    let _ = std::fs::remove_file(&copy);
    copied
}

/// A copy brings profiles, and a log that is kept apart from the workspace's own.
fn ensure_administrator(office: &Connection) -> Result<(), StoreError> {
    let sql =
        "SELECT has_table_privilege('profiles', 'INSERT') AND has_table_privilege('copied_audit', 'INSERT')";
    let may: bool = office.query_row(sql, [], |row| row.get(0))?;
    if may {
        Ok(())
    } else {
        Err(StoreError::CopyRefused("an administrator of the workspace copies data into it"))
    }
}

/// Copies profiles' files, which are beside the data file.
fn share_profile_files(folder: &Path, office: &Connection) -> Result<(), StoreError> {
    let folder = folder.join("profile-files");
    let names = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    for digest in names(&folder) {
        for name in names(&folder.join(&digest)) {
            let content = std::fs::read_to_string(folder.join(&digest).join(&name));
            store_profile_file(office, &format!("{digest}/{name}"), &content?)?;
        }
    }
    Ok(())
}

/// Copies everything in a workspace into a new data folder, encrypted if there is a key. The workspace stays as it
/// is.
///
/// # Errors
/// [`StoreError::CopyRefused`] where the folder is in use, or something in the workspace is still being sent.
pub fn copy_from_office(
    database: &OfficeDatabase,
    folder: &Path,
    key: Option<DataKey>,
) -> Result<OfficeCopy, StoreError> {
    let mut office = Connection::open_office(database)?;
    ensure_current(&office)?;
    let source = office.snapshot()?;
    make_private_folder(folder)?;
    if folder.join(FILE).exists() {
        return Err(StoreError::CopyRefused("there is a data file in this folder already"));
    }
    // Creates its tables.
    drop(Store::open_with_key(folder, key.clone())?);
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut file = Connection::from(open_database_as(&folder.join(FILE), key.as_ref(), flags, None)?);
    let target = file.transaction()?;
    let files = CopiedFiles::to_read(&source, &database.storage_key)?;
    let mut copied = copy_tables(&source, &target, None, files)?;
    copied.log_entries = audit::take_log(&source, &target)?;
    target.commit()?;
    Ok(copied)
}

/// Refuses a copy while something is being sent.
pub fn ensure_nothing_is_sent(source: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM batch_parts WHERE state IN ('queued', 'sending', 'unknown', 'accepted', 'processing'))
         OR EXISTS (SELECT 1 FROM document_uploads WHERE state IN ('queued', 'sending', 'unknown'))";
    let is_open: bool = source.query_row(sql, [], |row| row.get(0))?;
    if is_open {
        Err(StoreError::CopyRefused("something is still being sent. Finish or cancel it first"))
    } else {
        Ok(())
    }
}

/// Number of batches, drafts and saved quotes.
pub fn count_work(connection: &Connection) -> Result<u32, StoreError> {
    let sql = "SELECT (SELECT count(*) FROM batches) + (SELECT count(*) FROM reviews WHERE unattended = 0)
         + (SELECT count(*) FROM quotes WHERE saved = 1)";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

/// The log has a name if a folder is copied into a workspace.
fn copy_tables(
    source: &Connection,
    target: &Connection,
    log: Option<&str>,
    files: CopiedFiles,
) -> Result<OfficeCopy, StoreError> {
    ensure_nothing_is_sent(source)?;
    let file = if source.is_office() { target } else { source };
    ensure_all_known(file)?;
    let names = CopiedNames::read(source, target, log)?;
    let arrivals = "SELECT coalesce(max(arrival), 0) FROM events";
    let mut copy = TableCopy {
        source,
        target,
        arrivals: target.query_row(arrivals, [], |row| row.get(0))?,
        names,
        files,
        copied: HashMap::new(),
        done: OfficeCopy::default(),
    };
    // Each person marks events as read for themselves.
    for rule in TABLES.iter().filter(|rule| rule.name != "event_reads" || !target.is_office()) {
        let columns = read_columns(file, rule)?;
        let hash = copy.copy_table(rule, &columns)?;
        if copy.hash_written(rule, &columns)? != hash {
            return Err(StoreError::Damaged(format!("the copy of {} is not equal", rule.name)));
        }
        copy.done.tables += 1;
    }
    copy.done.renamed = copy.names.into_renamed();
    Ok(copy.done)
}

/// A table of the schema without a rule wouldn't be copied.
fn ensure_all_known(file: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let tables: Vec<String> = list_rows(file, sql, [], |row| row.get(0))?;
    let is_known = |name: &str| NOT_COPIED.contains(&name) || TABLES.iter().any(|rule| rule.name == name);
    match tables.iter().find(|name| !is_known(name)) {
        Some(table) => Err(StoreError::Damaged(format!("{table} is no table that is copied"))),
        None => Ok(()),
    }
}

/// A column of a table, except the number that the database gives each row.
pub(super) struct Column {
    pub(super) name: String,
    kind: ValueKind,
}

fn read_columns(file: &Connection, rule: &TableRule) -> Result<Vec<Column>, StoreError> {
    let sql = format!("SELECT name, type FROM pragma_table_info('{}') ORDER BY cid", rule.name);
    let columns: Vec<(String, String)> = list_rows(file, &sql, [], |row| row.try_into())?;
    let columns = columns.into_iter().filter(|(name, _)| name != rule.number);
    let columns = columns.map(|(name, kind)| Column {
        name,
        kind: match kind.as_str() {
            "INTEGER" => ValueKind::Integer,
            "BLOB" => ValueKind::Blob,
            _ => ValueKind::Text,
        },
    });
    Ok(columns.collect())
}

/// A copy, table by table.
struct TableCopy<'c> {
    source: &'c Connection,
    target: &'c Connection,
    /// Deliveries of events continue behind the existing ones.
    arrivals: i64,
    names: CopiedNames,
    files: CopiedFiles,
    /// New numbers of copied rows that others belong to, by table and by old number or id.
    copied: HashMap<&'static str, HashMap<String, i64>>,
    done: OfficeCopy,
}

impl TableCopy<'_> {
    fn copy_table(&mut self, rule: &'static TableRule, columns: &[Column]) -> Result<RowHash, StoreError> {
        let (insert, find) = (insert_row(rule, columns), find_row(rule, columns));
        let is_owner = TABLES.iter().any(|other| other.owner.is_some_and(|(_, owner)| owner == rule.name));
        let number = if rule.number.is_empty() { "0" } else { rule.number };
        let listed: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let only = if rule.only.is_empty() { String::new() } else { format!(" WHERE {}", rule.only) };
        let order = if rule.number.is_empty() { String::new() } else { format!(" ORDER BY {number}") };
        let sql = format!("SELECT {}, {number} FROM {}{only}{order}", listed.join(", "), rule.name);
        let mut hash = RowHash::default();
        let (source, target) = (self.source, self.target);
        source.for_each_row::<StoreError>(&sql, |row| {
            let old: i64 = row.get(columns.len())?;
            let Some(changed) = self.change_row(rule, columns, row)? else { return Ok(()) };
            let values = changed.values(columns, row)?;
            let found: Option<i64> =
                target.prepare_cached(&insert)?.query_row(RowValues(&values), |new| new.get(0)).optional()?;
            let Some(new) = found else {
                self.done.present += 1;
                let is_equal: bool =
                    target.prepare_cached(&find)?.query_row(RowValues(&values), |found| found.get(0))?;
                self.done.different += u32::from(!is_equal);
                return Ok(());
            };
            hash.add(&values);
            self.done.rows += 1;
            if is_owner {
                let name = if rule.number.is_empty() { row.get(0)? } else { old.to_string() };
                self.copied.entry(rule.name).or_default().insert(name, new);
            }
            Ok(())
        })?;
        Ok(hash)
    }

    /// The values of a row that differ in the target; `None` where its owner isn't copied.
    fn change_row(
        &self,
        rule: &TableRule,
        columns: &[Column],
        row: &Row<'_>,
    ) -> Result<Option<ChangedRow>, StoreError> {
        let mut changed = ChangedRow::default();
        for (at, column) in columns.iter().enumerate() {
            let value = row.get_ref(at)?;
            match (value, rule.owner, column.name.as_str()) {
                (Value::Integer(number), Some((owner, table)), name) if owner == name => {
                    let Some(new) = self.new_number(table, &number.to_string()) else { return Ok(None) };
                    changed.numbers.insert(at, new);
                }
                (Value::Text(id), Some((owner, table)), name)
                    if owner == name && self.new_number(table, id).is_none() =>
                {
                    return Ok(None);
                }
                (Value::Integer(number), _, "arrival") => {
                    changed.numbers.insert(at, number + self.arrivals);
                }
                _ => {}
            }
        }
        let value_of = |name: &str| match columns.iter().position(|column| column.name == name) {
            Some(at) => Ok(row.get_ref(at)?.as_str().unwrap_or_default()),
            None => Ok::<_, StoreError>(""),
        };
        if self.names.is_there(rule.name, value_of("name")?) {
            return Ok(None);
        }
        if rule.name == "assignments" && value_of("kind")? == <&str>::from(WorkKind::Event) {
            let Some(new) = self.new_number("events", value_of("item")?) else { return Ok(None) };
            changed.texts.extend(
                columns.iter().position(|column| column.name == "item").map(|at| (at, new.to_string())),
            );
        }
        self.files.change_row(columns, row, &mut changed)?;
        for (name, text) in self.names.changes(rule.name, value_of)? {
            if let Some(at) = columns.iter().position(|column| column.name == name) {
                changed.texts.insert(at, text);
            }
        }
        Ok(Some(changed))
    }

    fn new_number(&self, table: &str, name: &str) -> Option<i64> {
        self.copied.get(table)?.get(name).copied()
    }

    /// The hash of what this copy wrote, read back. In a new file that is everything.
    fn hash_written(&self, rule: &TableRule, columns: &[Column]) -> Result<RowHash, StoreError> {
        let (target, is_office) = (self.target, self.target.is_office());
        // The server hashes long values itself, so that they aren't sent again.
        let read = |column: &Column| match column.kind {
            ValueKind::Blob if is_office => format!("sha256({})", column.name),
            _ => column.name.clone(),
        };
        let listed: Vec<String> = columns.iter().map(read).collect();
        let mine = if is_office { " WHERE xmin = pg_current_xact_id()::xid" } else { "" };
        let sql = format!("SELECT {} FROM {}{mine}", listed.join(", "), rule.name);
        let mut hash = RowHash::default();
        target.for_each_row::<StoreError>(&sql, |row| {
            let values: Result<Vec<Value<'_>>, _> = (0..columns.len()).map(|at| row.get_ref(at)).collect();
            if is_office {
                hash.add_hashed(&values?)
            } else {
                hash.add(&values?)
            }
            Ok(())
        })?;
        Ok(hash)
    }
}

/// The values of a row that differ in the target, by column.
#[derive(Default)]
pub(super) struct ChangedRow {
    pub(super) numbers: HashMap<usize, i64>,
    pub(super) texts: HashMap<usize, String>,
    pub(super) blobs: HashMap<usize, Vec<u8>>,
}

impl ChangedRow {
    fn values<'v>(&'v self, columns: &[Column], row: &Row<'v>) -> Result<Vec<Value<'v>>, StoreError> {
        let value = |(at, column): (usize, &Column)| {
            if let Some(number) = self.numbers.get(&at) {
                return Ok(Value::Integer(*number));
            }
            if let Some(text) = self.texts.get(&at) {
                return Ok(Value::Text(text));
            }
            if let Some(bytes) = self.blobs.get(&at) {
                return Ok(Value::Blob(bytes));
            }
            Ok(match row.get_ref(at)? {
                Value::Null(_) => Value::Null(column.kind),
                value => value,
            })
        };
        columns.iter().enumerate().map(value).collect()
    }
}

/// Inserts a row that doesn't exist yet, and returns its number.
fn insert_row(rule: &TableRule, columns: &[Column]) -> String {
    let listed: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let places: Vec<String> = (1..=columns.len()).map(|at| format!("?{at}")).collect();
    let (table, listed, places) = (rule.name, listed.join(", "), places.join(", "));
    let number = if rule.number.is_empty() { "0" } else { rule.number };
    let is_new = match rule.key {
        [] => String::new(),
        key => format!(
            " WHERE NOT EXISTS (SELECT 1 FROM {table} WHERE {})",
            is_same(columns, |name| key.contains(&name))
        ),
    };
    format!("INSERT INTO {table} ({listed}) SELECT {places}{is_new} RETURNING {number}")
}

/// Finds a row that is equal in everything but its order.
fn find_row(rule: &TableRule, columns: &[Column]) -> String {
    let key = is_same(columns, |name| rule.key.contains(&name));
    let all = is_same(columns, |name| !ORDERS.contains(&name));
    // Each value is used once, even if it isn't compared.
    let orders = columns.iter().enumerate().filter(|(_, column)| ORDERS.contains(&column.name.as_str()));
    let named: String =
        orders.map(|(at, _)| format!(" AND ?{0} IS NOT DISTINCT FROM ?{0}", at + 1)).collect();
    format!("SELECT {all}{named} FROM {} WHERE {key}", rule.name)
}

fn is_same(columns: &[Column], is_compared: impl Fn(&str) -> bool) -> String {
    let compared = columns.iter().enumerate().filter(|(_, column)| is_compared(&column.name));
    let same: Vec<String> =
        compared.map(|(at, column)| format!("{} IS NOT DISTINCT FROM ?{}", column.name, at + 1)).collect();
    same.join(" AND ")
}

/// The values of a row, as parameters.
struct RowValues<'v>(&'v [Value<'v>]);

impl Parameters for RowValues<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn value(&self, at: usize) -> Value<'_> {
        self.0.get(at).copied().unwrap_or(Value::Null(ValueKind::Text))
    }
}
