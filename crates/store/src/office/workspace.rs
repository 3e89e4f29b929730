//! The workspace of an office in its database: made, brought to the newest step, looked at.

use crate::engine::{Connection, postgres_step};
use crate::migrations::{MIGRATIONS, known_steps};
use crate::office::{OfficeDatabase, OfficeError, OfficeObstacle};
use crate::{StoreError, audit};

/// What PostgreSQL has by another name, and what keeps the audit log.
const WORKSPACE: &str = include_str!("workspace.sql");
/// Who may do what.
const ROLES: &str = include_str!("roles.sql");
/// The workspace's name in the text of the roles.
const WORKSPACE_NAME: &str = "WORKSPACE";

/// What is in a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceStatus {
    /// Steps of its schema, and those that this version knows.
    pub steps: i64,
    /// Steps that this version knows.
    pub known: i64,
    /// Who the database says is signed in.
    pub user: String,
    /// The highest of the workspace's roles that they have; empty for none.
    pub role: String,
    /// Version of the server.
    pub server: String,
    /// Batches.
    pub batches: i64,
    /// Entries of the audit log.
    pub audit_entries: i64,
    /// Whether no entry was changed, removed or put in between.
    pub audit_is_intact: bool,
}

/// Makes the workspace where it is missing, and brings an older one to the newest step: all of it or nothing. The
/// person must own it, and may make roles.
///
/// # Errors
/// [`StoreError::TooNew`] where a newer version wrote it.
pub fn create_workspace(database: &OfficeDatabase) -> Result<(), StoreError> {
    database.check()?;
    let mut connection = Connection::open_office(database)?;
    let transaction = connection.transaction_without_check()?;
    let name = database.workspace.as_str();
    let sql = "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = ?1)";
    if !transaction.query_row(sql, [name], |row| row.get::<bool>(0))? {
        transaction.execute_batch(&format!(
            "CREATE SCHEMA {name}; CREATE TABLE store_schema (steps BIGINT NOT NULL); INSERT INTO store_schema VALUES (0);"
        ))?;
    }
    let (found, known) = (read_steps(&transaction)?, known_steps());
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    for step in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or_default()) {
        step.iter().try_for_each(|part| transaction.execute_batch(&postgres_step(part)))?;
    }
    if found == 0 {
        transaction.execute_batch(WORKSPACE)?;
    }
    transaction.execute("UPDATE store_schema SET steps = ?1", [known])?;
    transaction.execute_batch(&ROLES.replace(WORKSPACE_NAME, name))?;
    transaction.commit()
}

/// What is in the workspace, and whether its audit log is whole.
pub fn workspace_status(database: &OfficeDatabase) -> Result<WorkspaceStatus, StoreError> {
    database.check()?;
    let connection = Connection::open_office(database)?;
    let sql = "SELECT CAST(session_user AS TEXT), current_setting('server_version'), coalesce((SELECT r.word
         FROM (VALUES ('manager', 3), ('clerk', 2), ('reader', 1)) AS r (word, rank)
         JOIN pg_roles g ON g.rolname = ?1 || '_' || r.word
         WHERE pg_has_role(session_user, g.oid, 'MEMBER') ORDER BY r.rank DESC LIMIT 1), '')";
    let (user, server, role) = connection.query_row(sql, [&database.workspace], |row| row.try_into())?;
    let steps = read_steps(&connection)?;
    let mut status =
        WorkspaceStatus { steps, known: known_steps(), user, role, server, ..WorkspaceStatus::default() };
    // The tables of another version are not asked.
    if steps == status.known {
        status.batches = connection.query_row("SELECT count(*) FROM batches", [], |row| row.get(0))?;
        let log = audit::list_entries(&connection)?;
        status.audit_entries = i64::try_from(log.entries.len()).unwrap_or(i64::MAX);
        status.audit_is_intact = log.intact;
    }
    Ok(status)
}

fn read_steps(connection: &Connection) -> Result<i64, StoreError> {
    connection.query_row("SELECT steps FROM store_schema", [], |row| row.get(0))
}

/// Refuses a workspace of any other version: a newer one is not understood, and an older one is brought to this
/// version by its administrator, not by the first desk that comes.
pub(crate) fn ensure_current(connection: &Connection) -> Result<(), StoreError> {
    let (found, known) = (read_steps(connection)?, known_steps());
    match found {
        found if found > known => Err(StoreError::TooNew { found, known }),
        found if found < known => Err(StoreError::Office(OfficeError::of(
            OfficeObstacle::Workspace,
            "the workspace is of an earlier version: an administrator creates it again to update it",
        ))),
        _ => Ok(()),
    }
}

/// What begins a transaction in which no one else writes.
pub(crate) const BEGIN_ALONE: &str = "BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('bordereau ' || current_setting('search_path'), 0));";
