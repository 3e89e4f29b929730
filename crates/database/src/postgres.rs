//! The engine of an office: PostgreSQL, 15 or newer.
//!
//! Calls come from threads for blocking work; the connection itself lives on a runtime of its own, so that a store can
//! be opened, used and dropped anywhere.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::sync::OnceLock;
use std::time::Duration;

use bytes::BytesMut;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::connection::{HOLD_NAME, LET_GO_NAME, OWN_PROCESS};
use super::rows::Row;
use super::sql_text::numbered_values;
use super::values::{Parameters, ToValue, Value, ValueKind};
use crate::{ChangeNotices, DatabaseError, OfficeDatabase, OfficeError};

/// How long a connection may take to be made.
const CONNECT_WITHIN: Duration = Duration::from_secs(15);
/// A server that is there answers whether it is within this time.
const THERE_WITHIN: Duration = Duration::from_secs(10);
/// No statement of a desk takes longer. What makes, copies or checks a workspace waits as long as it takes.
const ANSWERED_WITHIN: Duration = Duration::from_secs(300);
/// A desk that was stopped within a transaction, such as on a computer that sleeps, keeps nobody waiting.
const END_IDLE_TRANSACTIONS: &str = "SET idle_in_transaction_session_timeout = '60s'";
/// Statements that are kept ready; their texts are few, those of filters apart.
const STATEMENTS_KEPT: usize = 256;

/// Whether this connection holds a name of the workspace, alone among all connections. What is held is free again when
/// its connection ends, however its process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// It does since now.
    New,
    /// It did before.
    Before,
    /// Another one does.
    Elsewhere,
}

/// A connection to the database of an office; made again when it was lost.
pub struct OfficeConnection {
    database: OfficeDatabase,
    client: RefCell<Client>,
    statements: RefCell<HashMap<(String, Vec<ValueKind>), tokio_postgres::Statement>>,
    changes: Cell<u64>,
    /// The question for the version of the schema, and what it is to be.
    version: Cell<Option<(&'static str, i64)>>,
    /// What this connection holds; a new connection holds nothing.
    held: RefCell<HashSet<String>>,
    notices: ChangeNotices,
    /// Whether it has the server tell what others change: it is that of a desk.
    follows: Cell<bool>,
    /// Whether a transaction was begun and has not ended.
    is_within: Cell<bool>,
}

impl OfficeConnection {
    /// Connects.
    pub(super) fn open(database: &OfficeDatabase) -> Result<OfficeConnection, DatabaseError> {
        let notices = ChangeNotices::default();
        Ok(OfficeConnection {
            client: RefCell::new(connect(database, &notices)?),
            database: database.clone(),
            notices,
            follows: Cell::new(false),
            is_within: Cell::new(false),
            statements: RefCell::default(),
            changes: Cell::new(0),
            version: Cell::new(None),
            held: RefCell::default(),
        })
    }

    /// Connects again where the connection was lost. Before any work: what was begun on a connection that was lost is
    /// never gone on with. Whether it was connected again.
    pub(super) fn ensure_connected(&self) -> Result<bool, DatabaseError> {
        // An answer, not only the state of the socket: a host that is gone says nothing.
        let is_there = !self.client.borrow().is_closed()
            && wait(Some(THERE_WITHIN), self.client.borrow().batch_execute("")).is_ok();
        if !is_there {
            let client = connect(&self.database, &self.notices)?;
            self.statements.borrow_mut().clear();
            self.held.borrow_mut().clear();
            self.is_within.set(false);
            self.client.replace(client);
            if self.follows.get() {
                self.listen()?;
                self.notices.note_everything();
            }
        }
        Ok(!is_there)
    }

    pub(super) fn follow_changes(&self) -> Result<ChangeNotices, DatabaseError> {
        self.follows.set(true);
        self.listen()?;
        Ok(self.notices.clone())
    }

    /// The workspace's changes are told under its name.
    fn listen(&self) -> Result<(), DatabaseError> {
        self.execute_batch(&format!("{END_IDLE_TRANSACTIONS}; LISTEN \"{}\"", self.database.workspace))?;
        let rows = self.query::<[&dyn ToValue; 0]>(OWN_PROCESS, &[])?;
        let process: i64 = Row::Office(rows.first().ok_or(DatabaseError::NoRow)?).get(0)?;
        self.notices.set_own_process(i32::try_from(process).unwrap_or_default());
        Ok(())
    }

    pub(super) fn hold(&self, name: &str) -> Result<Hold, DatabaseError> {
        if self.held.borrow().contains(name) {
            return Ok(Hold::Before);
        }
        let rows = self.query(HOLD_NAME, &[&name])?;
        if !Row::Office(rows.first().ok_or(DatabaseError::NoRow)?).get::<bool>(0)? {
            return Ok(Hold::Elsewhere);
        }
        self.held.borrow_mut().insert(name.to_owned());
        Ok(Hold::New)
    }

    pub(super) fn let_go(&self, name: &str) -> Result<(), DatabaseError> {
        if self.held.borrow_mut().remove(name) {
            self.query(LET_GO_NAME, &[&name])?;
        }
        Ok(())
    }

    pub(super) fn expect_version(&self, sql: &'static str, expected: i64) {
        self.version.set(Some((sql, expected)));
    }

    pub(super) fn check_version(&self) -> Result<(), DatabaseError> {
        let Some((sql, expected)) = self.version.get() else { return Ok(()) };
        let rows = self.query::<[&dyn ToValue; 0]>(sql, &[])?;
        let row = rows.first().ok_or(DatabaseError::NoRow)?;
        match Row::Office(row).get(0)? {
            found if found == expected => Ok(()),
            found => Err(DatabaseError::OtherVersion { found, expected }),
        }
    }

    pub(super) fn execute_batch(&self, sql: &str) -> Result<(), DatabaseError> {
        Ok(wait(self.longest(), self.client.borrow().batch_execute(sql))?)
    }

    /// Begins a transaction with these statements.
    pub(super) fn begin(&self, sql: &str) -> Result<(), DatabaseError> {
        self.execute_batch(sql)?;
        self.is_within.set(true);
        Ok(())
    }

    /// Keeps what a transaction did.
    pub(super) fn commit(&self) -> Result<(), DatabaseError> {
        self.is_within.set(false);
        Ok(wait(self.longest(), self.client.borrow().batch_execute("COMMIT"))
            .map_err(OfficeError::of_change)?)
    }

    /// Undoes what a transaction did.
    pub(super) fn rollback(&self) -> Result<(), DatabaseError> {
        self.is_within.set(false);
        Ok(wait(Some(THERE_WITHIN), self.client.borrow().batch_execute("ROLLBACK"))?)
    }

    fn longest(&self) -> Option<Duration> {
        self.follows.get().then_some(ANSWERED_WITHIN)
    }

    pub(super) fn execute(&self, sql: &str, values: &impl Parameters) -> Result<usize, DatabaseError> {
        let statement = self.statement(sql, values)?;
        let bound = bound(values);
        let bound: Vec<&(dyn ToSql + Sync)> = bound.iter().map(|value| value as _).collect();
        // A question changes nothing, although it counts its rows.
        let is_change = statement.columns().is_empty();
        let changed =
            wait(self.longest(), self.client.borrow().execute(&statement, &bound)).map_err(|error| {
                if is_change && !self.is_within.get() { error.of_change() } else { error }
            })?;
        if is_change {
            self.changes.set(self.changes.get() + changed);
        }
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    pub(super) fn query<P: Parameters>(
        &self,
        sql: &str,
        values: &P,
    ) -> Result<Vec<tokio_postgres::Row>, DatabaseError> {
        let statement = self.statement(sql, values)?;
        let bound = bound(values);
        let bound: Vec<&(dyn ToSql + Sync)> = bound.iter().map(|value| value as _).collect();
        Ok(wait(self.longest(), self.client.borrow().query(&statement, &bound))?)
    }

    /// Names of the columns that a question without values answers.
    pub(super) fn column_names(&self, sql: &str) -> Result<Vec<String>, DatabaseError> {
        let statement = self.statement::<[&dyn ToValue; 0]>(sql, &[])?;
        Ok(statement.columns().iter().map(|column| column.name().to_owned()).collect())
    }

    pub(super) fn total_changes(&self) -> u64 {
        self.changes.get()
    }

    /// The kinds of the values are given with the text: what a statement means is never guessed from them.
    fn statement<P: Parameters>(
        &self,
        sql: &str,
        values: &P,
    ) -> Result<tokio_postgres::Statement, DatabaseError> {
        let kinds: Vec<ValueKind> = (0..values.count()).map(|at| values.value(at).kind()).collect();
        let key = (sql.to_owned(), kinds);
        if let Some(ready) = self.statements.borrow().get(&key) {
            return Ok(ready.clone());
        }
        let types: Vec<Type> = key.1.iter().map(|kind| postgres_type(*kind)).collect();
        let text = numbered_values(sql);
        let statement = wait(self.longest(), self.client.borrow().prepare_typed(&text, &types))?;
        let mut statements = self.statements.borrow_mut();
        if statements.len() >= STATEMENTS_KEPT {
            statements.clear();
        }
        statements.insert(key, statement.clone());
        Ok(statement)
    }
}

fn postgres_type(kind: ValueKind) -> Type {
    match kind {
        ValueKind::Integer => Type::INT8,
        ValueKind::Text => Type::TEXT,
        ValueKind::Blob => Type::BYTEA,
    }
}

/// The thread of all connections to an office, and of what else of it is reached: for calls from where blocking is
/// allowed.
pub fn office_runtime() -> Result<&'static Runtime, OfficeError> {
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let made = RUNTIME.get_or_init(|| {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("office").enable_all().build();
        runtime.inspect_err(|error| tracing::error!(%error, "no thread for connections")).ok()
    });
    made.as_ref().ok_or(OfficeError::interrupted())
}

/// At most so long, where there is a bound: a server that hangs, and whose system answers for it, is never gone.
fn wait<T>(
    at_most: Option<Duration>,
    work: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, OfficeError> {
    let answered = office_runtime()?.block_on(async {
        match at_most {
            Some(at_most) => tokio::time::timeout(at_most, work).await,
            None => Ok(work.await),
        }
    });
    answered.map_err(|_| OfficeError::timed_out())?.map_err(|error| OfficeError::from(&error))
}

/// On a thread of its own: who opens a store may be on an asynchronous one.
fn connect(database: &OfficeDatabase, notices: &ChangeNotices) -> Result<Client, OfficeError> {
    let (config, tls) = (database.config(), database.tls()?);
    let connecting = connect_within(config, tls, notices.clone());
    let made = std::thread::scope(|scope| scope.spawn(|| office_runtime()?.block_on(connecting)).join());
    made.map_err(|_| OfficeError::interrupted())?
}

async fn connect_within(
    mut config: Config,
    tls: Option<rustls::ClientConfig>,
    notices: ChangeNotices,
) -> Result<Client, OfficeError> {
    config.connect_timeout(CONNECT_WITHIN);
    let connecting = async {
        match tls {
            Some(tls) => {
                let (client, connection) = config.connect(MakeRustlsConnect::new(tls)).await?;
                tokio::spawn(notices.run_connection(connection));
                Ok(client)
            }
            None => {
                let (client, connection) = config.connect(NoTls).await?;
                tokio::spawn(notices.run_connection(connection));
                Ok(client)
            }
        }
    };
    let made: Result<Client, tokio_postgres::Error> =
        tokio::time::timeout(CONNECT_WITHIN, connecting).await.map_err(|_| OfficeError::timed_out())?;
    made.map_err(|error| OfficeError::from(&error))
}

fn bound(values: &impl Parameters) -> Vec<BoundValue<'_>> {
    (0..values.count()).map(|at| BoundValue(values.value(at))).collect()
}

#[derive(Debug)]
struct BoundValue<'v>(Value<'v>);

impl ToSql for BoundValue<'_> {
    fn to_sql(&self, _kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self.0 {
            Value::Null(_) => return Ok(IsNull::Yes),
            Value::Integer(number) => out.extend_from_slice(&number.to_be_bytes()),
            Value::Text(text) if text.contains('\0') => {
                return Err("a text with a character of number 0 can't be stored".into());
            }
            Value::Text(text) => out.extend_from_slice(text.as_bytes()),
            Value::Blob(bytes) => out.extend_from_slice(bytes),
        }
        Ok(IsNull::No)
    }

    fn accepts(kind: &Type) -> bool {
        matches!(*kind, Type::INT8 | Type::TEXT | Type::BYTEA)
    }

    to_sql_checked!();
}

/// A column as it came.
pub(super) struct ColumnValue<'r>(pub(super) Value<'r>);

impl<'r> FromSql<'r> for ColumnValue<'r> {
    fn from_sql(kind: &Type, raw: &'r [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(ColumnValue(match *kind {
            Type::INT8 => Value::Integer(i64::from_sql(kind, raw)?),
            Type::INT4 => Value::Integer(i32::from_sql(kind, raw)?.into()),
            Type::BOOL => Value::Integer(bool::from_sql(kind, raw)?.into()),
            Type::BYTEA => Value::Blob(raw),
            _ => Value::Text(str::from_utf8(raw)?),
        }))
    }

    fn from_sql_null(_kind: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(ColumnValue(Value::Null(ValueKind::Text)))
    }

    fn accepts(kind: &Type) -> bool {
        matches!(
            *kind,
            Type::INT8 | Type::INT4 | Type::BOOL | Type::BYTEA | Type::TEXT | Type::NAME | Type::VARCHAR
        )
    }
}
