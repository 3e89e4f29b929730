//! A connection to a database.

use std::cell::Cell;
use std::ops::Deref;

use rusqlite::types::{ToSqlOutput, ValueRef};
use sha2::{Digest, Sha256};

use super::postgres::{Hold, OfficeConnection};
use super::rows::{ReadRows, Row, Rows};
use super::values::{Parameters, Value};
use crate::{ChangeNotices, DatabaseError, OfficeDatabase};

/// Statements that are kept ready.
const STATEMENTS_KEPT: usize = 64;

/// Rows fetched at once.
const ROWS_AT_ONCE: u32 = 100;

/// What begins a transaction in which no one else of the workspace writes.
const BEGIN_ALONE: &str = "BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('store of ' || current_setting('search_path'), 0));";

/// What holds a name within the workspace, and lets it go.
pub(super) const HOLD_NAME: &str =
    "SELECT pg_try_advisory_lock(hashtextextended(current_setting('search_path') || ' ' || ?1, 0))";
pub(super) const LET_GO_NAME: &str =
    "SELECT pg_advisory_unlock(hashtextextended(current_setting('search_path') || ' ' || ?1, 0))";

/// Which process of the server works for a connection.
pub(super) const OWN_PROCESS: &str = "SELECT pg_backend_pid()";

/// What the functions of a table work with.
pub struct Connection(Engine);

enum Engine {
    Sqlite(rusqlite::Connection),
    Office(Box<OfficeConnection>),
}

impl From<rusqlite::Connection> for Connection {
    fn from(connection: rusqlite::Connection) -> Connection {
        connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
        // Our databases have no views; one in a hostile file could be read forever.
        let _ = connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false);
        Connection(Engine::Sqlite(connection))
    }
}

impl Connection {
    /// A file as it is, without its schema brought to the newest step.
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Connection, DatabaseError> {
        Ok(rusqlite::Connection::open(path)?.into())
    }

    /// An empty database in memory.
    pub fn open_in_memory() -> Result<Connection, DatabaseError> {
        Ok(rusqlite::Connection::open_in_memory()?.into())
    }

    /// A connection to the database of an office, of whatever version its workspace is.
    pub fn open_office(database: &OfficeDatabase) -> Result<Connection, DatabaseError> {
        database.check()?;
        Ok(Connection(Engine::Office(Box::new(OfficeConnection::open(database)?))))
    }

    /// The file behind it; none for the database of an office.
    pub fn as_file(&self) -> Option<&rusqlite::Connection> {
        match &self.0 {
            Engine::Sqlite(connection) => Some(connection),
            Engine::Office(_) => None,
        }
    }

    /// Whether it is the database of an office.
    pub fn is_office(&self) -> bool {
        matches!(self.0, Engine::Office(_))
    }

    /// Before any work: an office is connected again where the connection was lost. Whether it was.
    pub fn ensure_connected(&self) -> Result<bool, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(_) => Ok(false),
            Engine::Office(connection) => connection.ensure_connected(),
        }
    }

    /// Holds a name of an office's workspace, where no other connection does. A file is held by its folder's lock.
    pub fn hold(&self, name: &str) -> Result<Hold, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(_) => Ok(Hold::Before),
            Engine::Office(connection) => connection.hold(name),
        }
    }

    /// Lets a name go that it held.
    pub fn let_go(&self, name: &str) -> Result<(), DatabaseError> {
        match &self.0 {
            Engine::Sqlite(_) => Ok(()),
            Engine::Office(connection) => connection.let_go(name),
        }
    }

    /// Has an office tell what others change in its workspace, on this connection and on those that follow it. A file
    /// tells nothing.
    pub fn follow_changes(&self) -> Result<ChangeNotices, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(_) => Ok(ChangeNotices::default()),
            Engine::Office(connection) => connection.follow_changes(),
        }
    }

    /// A column of text as a whole number, in the words of this engine.
    pub fn text_as_number(&self, column: &str) -> String {
        if self.is_office() {
            format!("whole_number({column})")
        } else {
            format!("CAST({column} AS INTEGER)")
        }
    }

    /// A column of bytes as text, in the words of this engine.
    pub fn bytes_as_text(&self, column: &str) -> String {
        if self.is_office() { format!("text_of({column})") } else { format!("CAST({column} AS TEXT)") }
    }

    /// Changes rows; how many.
    pub fn execute(&self, sql: &str, values: impl Parameters) -> Result<usize, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(connection.execute(sql, bound(&values))?),
            Engine::Office(connection) => connection.execute(sql, &values),
        }
    }

    /// Does several statements without values.
    pub fn execute_batch(&self, sql: &str) -> Result<(), DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Engine::Office(connection) => connection.execute_batch(sql),
        }
    }

    /// The first row that a question finds; [`DatabaseError::NoRow`] where there is none.
    pub fn query_row<T>(
        &self,
        sql: &str,
        values: impl Parameters,
        read: impl FnOnce(&Row<'_>) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => {
                let mut statement = connection.prepare(sql)?;
                let mut rows = statement.query(bound(&values))?;
                rows.next()?.map_or(Err(DatabaseError::NoRow), |row| read(&Row::Sqlite(row)))
            }
            Engine::Office(connection) => {
                let rows = connection.query(sql, &values)?;
                rows.first().map_or(Err(DatabaseError::NoRow), |row| read(&Row::Office(row)))
            }
        }
    }

    /// A statement that is kept ready for the next time.
    pub fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(Statement::Sqlite(connection.prepare_cached(sql)?)),
            Engine::Office(connection) => Ok(Statement::Office(connection, sql.to_owned())),
        }
    }

    /// Reads the rows of a query; an office uses a cursor, so that few are in memory.
    ///
    /// # Errors
    /// Those of the database, and of `read`.
    pub fn for_each_row<E: From<DatabaseError>>(
        &self,
        sql: &str,
        mut read: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.is_office() {
            let mut statement = self.prepare_cached(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next_row()? {
                read(&row)?;
            }
            return Ok(());
        }
        // Each query has its own cursor name, because a prepared statement fits only its query.
        let hash = Sha256::digest(sql);
        let cursor: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        self.execute_batch(&format!("DECLARE copy_{cursor} NO SCROLL CURSOR FOR {sql}"))?;
        let mut statement = self.prepare_cached(&format!("FETCH {ROWS_AT_ONCE} FROM copy_{cursor}"))?;
        loop {
            let mut rows = statement.query([])?;
            let mut count = 0;
            while let Some(row) = rows.next_row()? {
                count += 1;
                read(&row)?;
            }
            if count < ROWS_AT_ONCE {
                break;
            }
        }
        Ok(self.execute_batch(&format!("CLOSE copy_{cursor}"))?)
    }

    /// How many rows were changed since the connection was opened.
    pub fn total_changes(&self) -> u64 {
        match &self.0 {
            Engine::Sqlite(connection) => connection.total_changes(),
            Engine::Office(connection) => connection.total_changes(),
        }
    }

    /// Begins a transaction that sees the database as it is at one moment; where nothing can be written, too.
    pub fn snapshot(&mut self) -> Result<Transaction<'_>, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => connection.execute_batch("BEGIN")?,
            Engine::Office(connection) => connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ")?,
        }
        Ok(Transaction { connection: self, is_open: Cell::new(true) })
    }

    /// Has the version of an office's schema asked by this question, now and inside every transaction: what waited while
    /// an administrator updated it is not done any more.
    pub fn expect_version(&self, sql: &'static str, expected: i64) -> Result<(), DatabaseError> {
        match &self.0 {
            Engine::Sqlite(_) => Ok(()),
            Engine::Office(connection) => {
                connection.expect_version(sql, expected);
                connection.check_version()
            }
        }
    }

    fn undo(&self) -> Result<(), DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(connection.execute_batch("ROLLBACK")?),
            Engine::Office(connection) => connection.rollback(),
        }
    }

    /// Begins a transaction in which no one else writes.
    pub fn transaction(&mut self) -> Result<Transaction<'_>, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => connection.execute_batch("BEGIN IMMEDIATE")?,
            Engine::Office(connection) => {
                let begun = connection.begin(BEGIN_ALONE).and_then(|()| connection.check_version());
                begun.inspect_err(|_| {
                    // It may have begun, and waited in vain.
                    let _ = connection.rollback();
                })?;
            }
        }
        Ok(Transaction { connection: self, is_open: Cell::new(true) })
    }
}

/// A transaction; nothing of it stays unless it is committed.
pub struct Transaction<'c> {
    connection: &'c Connection,
    is_open: Cell<bool>,
}

impl Transaction<'_> {
    /// Keeps what was done.
    pub fn commit(self) -> Result<(), DatabaseError> {
        match &self.connection.0 {
            Engine::Sqlite(connection) => connection.execute_batch("COMMIT")?,
            Engine::Office(connection) => connection.commit()?,
        }
        self.is_open.set(false);
        Ok(())
    }

    /// Undoes what was done.
    pub fn rollback(self) -> Result<(), DatabaseError> {
        self.is_open.set(false);
        self.connection.undo()
    }
}

impl Deref for Transaction<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        // SQLite ends it by itself after some errors, such as a full disk.
        if self.is_open.get() {
            let ended = self.connection.undo();
            let _ = ended.inspect_err(|error| tracing::debug!(%error, "a transaction had ended by itself"));
        }
    }
}

/// A statement that is kept ready.
pub enum Statement<'c> {
    /// Of a file.
    Sqlite(rusqlite::CachedStatement<'c>),
    /// Of an office; kept ready by its connection.
    Office(&'c OfficeConnection, String),
}

impl Statement<'_> {
    /// Changes rows; how many.
    pub fn execute(&mut self, values: impl Parameters) -> Result<usize, DatabaseError> {
        match self {
            Statement::Sqlite(statement) => Ok(statement.execute(bound(&values))?),
            Statement::Office(connection, sql) => connection.execute(sql, &values),
        }
    }

    /// The rows that a question finds.
    pub fn query(&mut self, values: impl Parameters) -> Result<Rows<'_>, DatabaseError> {
        match self {
            Statement::Sqlite(statement) => Ok(Rows::Sqlite(statement.query(bound(&values))?)),
            Statement::Office(connection, sql) => {
                Ok(Rows::Office(connection.query(sql, &values)?.into_iter(), None))
            }
        }
    }

    /// What is read of each row that a question finds.
    pub fn query_map<T, F: FnMut(&Row<'_>) -> Result<T, DatabaseError>>(
        &mut self,
        values: impl Parameters,
        read: F,
    ) -> Result<ReadRows<'_, F>, DatabaseError> {
        Ok(ReadRows { rows: self.query(values)?, read })
    }

    /// The first row that a question finds; [`DatabaseError::NoRow`] where there is none.
    pub fn query_row<T>(
        &mut self,
        values: impl Parameters,
        read: impl FnOnce(&Row<'_>) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        self.query(values)?.next_row()?.map_or(Err(DatabaseError::NoRow), |row| read(&row))
    }

    /// Names of the columns that it answers.
    pub fn column_names(&self) -> Result<Vec<String>, DatabaseError> {
        match self {
            Statement::Sqlite(statement) => Ok(statement.column_names().map(str::to_owned).collect()),
            Statement::Office(connection, sql) => connection.column_names(sql),
        }
    }
}

/// The values as SQLite takes them.
fn bound(values: &impl Parameters) -> impl rusqlite::Params {
    rusqlite::params_from_iter((0..values.count()).map(|at| BoundValue(values.value(at))))
}

struct BoundValue<'v>(Value<'v>);

impl rusqlite::ToSql for BoundValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null(_) => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
