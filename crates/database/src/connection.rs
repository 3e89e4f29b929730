//! A connection to a database.

use std::cell::Cell;
use std::ops::Deref;

use rusqlite::types::{ToSqlOutput, ValueRef};

use super::rows::{ReadRows, Row, Rows};
use super::values::{Parameters, Value};
use crate::DatabaseError;

/// Statements that are kept ready.
const STATEMENTS_KEPT: usize = 64;

/// What the functions of a table work with.
pub struct Connection(Engine);

enum Engine {
    Sqlite(rusqlite::Connection),
}

impl From<rusqlite::Connection> for Connection {
    fn from(connection: rusqlite::Connection) -> Connection {
        connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
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

    /// The file behind it.
    pub fn as_file(&self) -> &rusqlite::Connection {
        match &self.0 {
            Engine::Sqlite(connection) => connection,
        }
    }

    /// Changes rows; how many.
    pub fn execute(&self, sql: &str, values: impl Parameters) -> Result<usize, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(connection.execute(sql, bound(&values))?),
        }
    }

    /// Does several statements without values.
    pub fn execute_batch(&self, sql: &str) -> Result<(), DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
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
        }
    }

    /// A statement that is kept ready for the next time.
    pub fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(Statement::Sqlite(connection.prepare_cached(sql)?)),
        }
    }

    /// How many rows were changed since the connection was opened.
    pub fn total_changes(&self) -> u64 {
        match &self.0 {
            Engine::Sqlite(connection) => connection.total_changes(),
        }
    }

    /// Begins a transaction that sees the database as it is at one moment; where nothing can be written, too.
    pub fn snapshot(&mut self) -> Result<Transaction<'_>, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => connection.execute_batch("BEGIN")?,
        }
        Ok(Transaction { connection: self, is_open: Cell::new(true) })
    }

    /// Begins a transaction in which no one else writes.
    pub fn transaction(&mut self) -> Result<Transaction<'_>, DatabaseError> {
        match &self.0 {
            Engine::Sqlite(connection) => connection.execute_batch("BEGIN IMMEDIATE")?,
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
        self.connection.execute_batch("COMMIT")?;
        self.is_open.set(false);
        Ok(())
    }

    /// Undoes what was done.
    pub fn rollback(self) -> Result<(), DatabaseError> {
        self.is_open.set(false);
        self.connection.execute_batch("ROLLBACK")
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
            let ended = self.connection.execute_batch("ROLLBACK");
            let _ = ended.inspect_err(|error| tracing::debug!(%error, "a transaction had ended by itself"));
        }
    }
}

/// A statement that is kept ready.
pub enum Statement<'c> {
    /// Of a file.
    Sqlite(rusqlite::CachedStatement<'c>),
}

impl Statement<'_> {
    /// Changes rows; how many.
    pub fn execute(&mut self, values: impl Parameters) -> Result<usize, DatabaseError> {
        match self {
            Statement::Sqlite(statement) => Ok(statement.execute(bound(&values))?),
        }
    }

    /// The rows that a question finds.
    pub fn query(&mut self, values: impl Parameters) -> Result<Rows<'_>, DatabaseError> {
        match self {
            Statement::Sqlite(statement) => Ok(Rows::Sqlite(statement.query(bound(&values))?)),
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
    pub fn column_names(&self) -> Vec<String> {
        match self {
            Statement::Sqlite(statement) => statement.column_names().map(str::to_owned).collect(),
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
