//! The index of transactions: one SQLite file for each profile, beside the store.
//!
//! Its own file, because a fetch of thousands of records must not hold up the outbox, and because it can be
//! thrown away: everything in it is fetched again. One connection writes, two read.

pub mod erase;
pub mod facts;
pub mod fetched_days;
pub mod records;
pub mod search;
pub mod search_words;
pub mod visits;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
/// What the functions of the index work with: always a file.
pub use rusqlite::Connection;
use rusqlite::TransactionBehavior;

use bordereau_contract::TransactionRecord;
use bordereau_store::data_key::{DataKey, file_form};
use bordereau_store::health::is_damage;
use bordereau_store::open_database::{fitting_key, open_again};
use bordereau_store::{
    StoreError, WriteObstacle, find_obstacle, make_private_file, make_private_folder, read_unwritable,
    run_off_thread,
};
use search::SearchCache;

/// Counts up with `schema.sql` and with what is made of a record; an older index is renewed by
/// [`records::renew_entries`]. 2: taxes and payments by the table of charges. 3: the status as it came, and whether
/// amounts are missing. 4: a return counts below zero.
const VERSION: i64 = 5;
const BUSY_WITHIN: Duration = Duration::from_secs(10);

/// The index of one profile. Cheap to clone.
#[derive(Clone)]
pub struct TransactionIndex {
    connections: Arc<IndexConnections>,
    cache: Arc<SearchCache>,
}

struct IndexConnections {
    writer: Mutex<Connection>,
    readers: [Mutex<Connection>; 2],
    /// Why it is only read; `None` where it can be written.
    obstacle: Option<WriteObstacle>,
}

impl TransactionIndex {
    /// Opens the index, made new where it is missing or damaged, or encrypted with a key that is not there; encrypted
    /// where there is one. One that another process is busy with, or that a newer version wrote, stays as it is. On a
    /// disk that can't be written it is read as it is.
    pub fn open(path: &Path, key: Option<&DataKey>) -> Result<TransactionIndex, StoreError> {
        let opened = match open_writer(path, key) {
            Err(error) if is_damage(&error) || matches!(error, StoreError::NoKey | StoreError::WrongKey) => {
                tracing::warn!(%error, "the index of transactions is damaged: it is made new");
                remove_index(path);
                open_writer(path, key)
            }
            outcome => outcome,
        };
        let connections = match opened {
            Ok((writer, key)) => {
                let reader = || open_again(path, key).and_then(prepare_connection).map(Mutex::new);
                IndexConnections {
                    writer: Mutex::new(writer),
                    readers: [reader()?, reader()?],
                    obstacle: None,
                }
            }
            Err(error) => {
                let Some(obstacle) = find_obstacle(&error) else { return Err(error) };
                let is_there = std::fs::metadata(path)
                    .map_or_else(|error| error.kind() != ErrorKind::NotFound, |file| file.len() > 0);
                let reader = || {
                    let read = if is_there {
                        read_unwritable(path, key, &error, ready_to_read)
                    } else {
                        empty_index()
                    };
                    read.map(Mutex::new)
                };
                let opened = || Ok::<_, StoreError>((reader()?, [reader()?, reader()?]));
                let Ok((writer, readers)) = opened() else { return Err(error) };
                IndexConnections { writer, readers, obstacle: Some(obstacle) }
            }
        };
        Ok(TransactionIndex { connections: Arc::new(connections), cache: Arc::default() })
    }

    /// Why it is only read; `None` where it can be written.
    pub fn write_obstacle(&self) -> Option<WriteObstacle> {
        self.connections.obstacle
    }

    /// Makes the entries again from the stored records, where an older version made them or where they were made with
    /// another table of words. Each `table` has a number; 0 is none.
    pub fn renew_entries(
        &self,
        table: i32,
        make_entry: impl Fn(&TransactionRecord) -> records::IndexEntry,
    ) -> Result<(), StoreError> {
        let mut writer = self.connections.writer.lock();
        let made_with: i32 = writer.query_row("PRAGMA application_id", [], |row| row.get(0))?;
        if made_with == table && index_version(&writer)? >= VERSION {
            return Ok(());
        }
        if let Some(obstacle) = self.connections.obstacle {
            let is_empty = records::count_records(&writer)?.0 == 0;
            return if is_empty { Ok(()) } else { Err(StoreError::NotWritable(obstacle)) };
        }
        records::renew_entries(&mut writer, table, make_entry)
    }

    /// The last answers of searches.
    pub fn cache(&self) -> Arc<SearchCache> {
        Arc::clone(&self.cache)
    }

    /// Runs a question off the asynchronous threads.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let connections = Arc::clone(&self.connections);
        run_off_thread(move || {
            let [first, second] = &connections.readers;
            // A long question on one leaves the other for the person who goes on typing.
            work(&first.try_lock().unwrap_or_else(|| second.lock()))
        })
        .await
    }

    /// Runs a change off the asynchronous threads, whole or not at all.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let connections = Arc::clone(&self.connections);
        run_off_thread(move || {
            if let Some(obstacle) = connections.obstacle {
                return Err(StoreError::NotWritable(obstacle));
            }
            let mut writer = connections.writer.lock();
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let outcome = work(&transaction)?;
            transaction.commit()?;
            Ok(outcome)
        })
        .await
    }
}

/// Removes an index with what SQLite keeps beside it.
pub fn remove_index(path: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let _ = std::fs::remove_file(PathBuf::from(name));
    }
}

/// Changes whenever the index changes.
pub fn index_revision(connection: &Connection) -> Result<u32, StoreError> {
    Ok(connection.prepare_cached("SELECT number FROM revision")?.query_row([], |row| row.get(0))?)
}

fn prepare_connection(connection: Connection) -> Result<Connection, StoreError> {
    let connection = set_up(connection)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "secure_delete", true)?;
    Ok(connection)
}

fn ready_to_read(connection: Connection) -> Result<Connection, StoreError> {
    let connection = set_up(connection)?;
    match index_version(&connection)? {
        // The disk was full before its tables were made.
        0 => empty_index(),
        1..=VERSION => Ok(connection),
        found => Err(StoreError::TooNew { found, known: VERSION }),
    }
}

/// What an index that can't be made has.
fn empty_index() -> Result<Connection, StoreError> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(include_str!("schema.sql"))?;
    set_up(connection)
}

fn set_up(connection: Connection) -> Result<Connection, StoreError> {
    connection.busy_timeout(BUSY_WITHIN)?;
    // 32 MiB: the words of a large question stay at hand.
    connection.pragma_update(None, "cache_size", -32_768)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn index_version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// The connection, and the key of the index where it is encrypted.
fn open_writer<'k>(
    path: &Path,
    key: Option<&'k DataKey>,
) -> Result<(Connection, Option<&'k DataKey>), StoreError> {
    path.parent().map_or(Ok(()), make_private_folder)?;
    let key = fitting_key(file_form(path)?, key)?;
    let connection = open_again(path, key)?;
    make_private_file(path)?;
    let mut connection = prepare_connection(connection)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match index_version(&transaction)? {
        1..=VERSION => {}
        0 => {
            transaction.execute_batch(include_str!("schema.sql"))?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        found => return Err(StoreError::TooNew { found, known: VERSION }),
    }
    transaction.commit()?;
    Ok((connection, key))
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;
    use rusqlite::config::DbConfig;

    use super::*;

    #[test]
    fn only_a_damaged_index_is_made_new() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.sqlite");
        let revision = |index: &TransactionIndex| {
            index.connections.writer.lock().query_row("SELECT number FROM revision", [], |row| row.get(0))
        };
        let index = TransactionIndex::open(&path, None).unwrap();
        index.connections.writer.lock().execute("UPDATE revision SET number = 7", []).unwrap();
        drop(index);
        assert_eq!(revision(&TransactionIndex::open(&path, None).unwrap()), Ok(7));

        let newer = Connection::open(&path).unwrap();
        newer.pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert!(matches!(TransactionIndex::open(&path, None), Err(StoreError::TooNew { .. })));
        newer.pragma_update(None, "user_version", VERSION).unwrap();
        drop(newer);
        assert_eq!(revision(&TransactionIndex::open(&path, None).unwrap()), Ok(7), "it was left alone");

        remove_index(&path);
        std::fs::write(&path, "not a database, but longer than the header of one is: ".repeat(40)).unwrap();
        assert_eq!(revision(&TransactionIndex::open(&path, None).unwrap()), Ok(1));
    }

    #[test]
    fn a_statement_is_prepared_once_whatever_is_bound() {
        let prepared_again = |keeps_plans: Option<bool>| {
            let connection = Connection::open_in_memory().unwrap();
            if let Some(keeps) = keeps_plans {
                connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, keeps).unwrap();
            }
            connection.execute_batch("CREATE TABLE rows (a, b); CREATE INDEX by_a ON rows (a)").unwrap();
            let sql = "SELECT 1 FROM rows WHERE a = ?1 AND b = ?2 ORDER BY a";
            let mut statement = connection.prepare(sql).unwrap();
            for value in [3, 7, 20] {
                assert!(!statement.exists([value, value]).unwrap());
            }
            statement.get_status(StatementStatus::RePrepare)
        };
        assert_eq!(prepared_again(None), 0, "as SQLite is compiled");
        assert!(prepared_again(Some(false)) > 0, "what it is compiled against");
    }
}
