//! A connection to the store.

use std::cell::Cell;
use std::ops::Deref;

use rusqlite::types::{ToSqlOutput, ValueRef};

use super::postgres::OfficeConnection;
use super::rows::{ReadRows, Row, Rows};
use super::values::{Parameters, Value};
use crate::StoreError;
use crate::office::{BEGIN_ALONE, OfficeDatabase, ensure_current};

/// Statements that are kept ready.
const STATEMENTS_KEPT: usize = 64;

/// What the functions of a table work with.
pub struct Connection(Engine);

enum Engine {
    Sqlite(rusqlite::Connection),
    Office(OfficeConnection),
}

impl From<rusqlite::Connection> for Connection {
    fn from(connection: rusqlite::Connection) -> Connection {
        connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
        Connection(Engine::Sqlite(connection))
    }
}

impl Connection {
    /// A file as it is, without its schema brought to the newest step.
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Connection, StoreError> {
        Ok(rusqlite::Connection::open(path)?.into())
    }

    /// An empty store in memory.
    #[cfg(test)]
    pub(crate) fn open_in_memory() -> Result<Connection, StoreError> {
        Ok(rusqlite::Connection::open_in_memory()?.into())
    }

    /// A connection to the database of an office, of whatever version its workspace is.
    pub(crate) fn open_office(database: &OfficeDatabase) -> Result<Connection, StoreError> {
        Ok(Connection(Engine::Office(OfficeConnection::open(database)?)))
    }

    /// The file behind it; none for the database of an office.
    pub(crate) fn as_file(&self) -> Option<&rusqlite::Connection> {
        match &self.0 {
            Engine::Sqlite(connection) => Some(connection),
            Engine::Office(_) => None,
        }
    }

    /// Whether it is the database of an office.
    pub(crate) fn is_office(&self) -> bool {
        matches!(self.0, Engine::Office(_))
    }

    /// Before any work: an office is connected again where the connection was lost, and is of this version.
    pub(crate) fn make_ready(&self) -> Result<(), StoreError> {
        match &self.0 {
            Engine::Sqlite(_) => Ok(()),
            Engine::Office(connection) => {
                connection.ensure_connected()?;
                ensure_current(self)
            }
        }
    }

    /// A column of text as a whole number.
    pub(crate) fn text_as_number(&self, column: &str) -> String {
        if self.is_office() {
            format!("whole_number({column})")
        } else {
            format!("CAST({column} AS INTEGER)")
        }
    }

    /// A column of bytes as text.
    pub(crate) fn bytes_as_text(&self, column: &str) -> String {
        if self.is_office() { format!("text_of({column})") } else { format!("CAST({column} AS TEXT)") }
    }

    /// Changes rows; how many.
    pub(crate) fn execute(&self, sql: &str, values: impl Parameters) -> Result<usize, StoreError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(connection.execute(sql, bound(&values))?),
            Engine::Office(connection) => connection.execute(sql, &values),
        }
    }

    /// Does several statements without values.
    pub(crate) fn execute_batch(&self, sql: &str) -> Result<(), StoreError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Engine::Office(connection) => connection.execute_batch(sql),
        }
    }

    /// The first row that a question finds; [`StoreError::NoRow`] where there is none.
    pub(crate) fn query_row<T>(
        &self,
        sql: &str,
        values: impl Parameters,
        read: impl FnOnce(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match &self.0 {
            Engine::Sqlite(connection) => {
                let mut statement = connection.prepare(sql)?;
                let mut rows = statement.query(bound(&values))?;
                rows.next()?.map_or(Err(StoreError::NoRow), |row| read(&Row::Sqlite(row)))
            }
            Engine::Office(connection) => {
                let rows = connection.query(sql, &values)?;
                rows.first().map_or(Err(StoreError::NoRow), |row| read(&Row::Office(row)))
            }
        }
    }

    /// A statement that is kept ready for the next time.
    pub(crate) fn prepare(&self, sql: &str) -> Result<Statement<'_>, StoreError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(Statement::Sqlite(connection.prepare_cached(sql)?)),
            Engine::Office(connection) => Ok(Statement::Office(connection, sql.to_owned())),
        }
    }

    /// How many rows were changed since the connection was opened.
    pub(crate) fn total_changes(&self) -> u64 {
        match &self.0 {
            Engine::Sqlite(connection) => connection.total_changes(),
            Engine::Office(connection) => connection.total_changes(),
        }
    }

    /// Begins a transaction that sees the store as it is at one moment; where nothing can be written, too.
    pub(crate) fn snapshot(&mut self) -> Result<Transaction<'_>, StoreError> {
        match &self.0 {
            Engine::Sqlite(connection) => connection.execute_batch("BEGIN")?,
            Engine::Office(connection) => {
                connection.execute_batch("BEGIN ISOLATION LEVEL REPEATABLE READ")?
            }
        }
        Ok(Transaction { connection: self, is_open: Cell::new(true) })
    }

    /// Begins a transaction in which no one else writes.
    pub(crate) fn transaction(&mut self) -> Result<Transaction<'_>, StoreError> {
        let transaction = self.transaction_without_check()?;
        // An administrator may have brought it to another version while this waited.
        if transaction.is_office() {
            ensure_current(&transaction)?;
        }
        Ok(transaction)
    }

    /// The same in an office whose workspace is of another version.
    pub(crate) fn transaction_without_check(&mut self) -> Result<Transaction<'_>, StoreError> {
        match &self.0 {
            Engine::Sqlite(connection) => connection.execute_batch("BEGIN IMMEDIATE")?,
            Engine::Office(connection) => connection.execute_batch(BEGIN_ALONE).inspect_err(|_| {
                // It may have begun, and waited in vain.
                let _ = connection.execute_batch("ROLLBACK");
            })?,
        }
        Ok(Transaction { connection: self, is_open: Cell::new(true) })
    }
}

/// A transaction; what was done in it is taken back unless it is committed.
pub(crate) struct Transaction<'c> {
    connection: &'c Connection,
    is_open: Cell<bool>,
}

impl Transaction<'_> {
    /// Keeps what was done.
    pub(crate) fn commit(self) -> Result<(), StoreError> {
        self.connection.execute_batch("COMMIT")?;
        self.is_open.set(false);
        Ok(())
    }

    /// Takes back what was done.
    pub(crate) fn rollback(self) -> Result<(), StoreError> {
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
pub(crate) enum Statement<'c> {
    Sqlite(rusqlite::CachedStatement<'c>),
    Office(&'c OfficeConnection, String),
}

impl Statement<'_> {
    /// Changes rows; how many.
    pub(crate) fn execute(&mut self, values: impl Parameters) -> Result<usize, StoreError> {
        match self {
            Statement::Sqlite(statement) => Ok(statement.execute(bound(&values))?),
            Statement::Office(connection, sql) => connection.execute(sql, &values),
        }
    }

    /// The rows that a question finds.
    pub(crate) fn query(&mut self, values: impl Parameters) -> Result<Rows<'_>, StoreError> {
        match self {
            Statement::Sqlite(statement) => Ok(Rows::Sqlite(statement.query(bound(&values))?)),
            Statement::Office(connection, sql) => {
                Ok(Rows::Office(connection.query(sql, &values)?.into_iter(), None))
            }
        }
    }

    /// What is read of each row that a question finds.
    pub(crate) fn query_map<T, F: FnMut(&Row<'_>) -> Result<T, StoreError>>(
        &mut self,
        values: impl Parameters,
        read: F,
    ) -> Result<ReadRows<'_, F>, StoreError> {
        Ok(ReadRows { rows: self.query(values)?, read })
    }

    /// The first row that a question finds; [`StoreError::NoRow`] where there is none.
    pub(crate) fn query_row<T>(
        &mut self,
        values: impl Parameters,
        read: impl FnOnce(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.query(values)?.next()?.map_or(Err(StoreError::NoRow), |row| read(&row))
    }

    /// Names of the columns that it answers.
    pub(crate) fn column_names(&self) -> Result<Vec<String>, StoreError> {
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
