//! The workspace of an office in its database: creates, upgrades, shows, checks and copies it.

mod copied_files;
mod copied_names;
mod copy;
pub mod people;
mod requests;
mod table_rules;

use std::sync::Arc;

pub use copy::{copy_from_office, copy_to_office, count_work, ensure_nothing_is_sent};
pub use requests::{RequestReservation, reserve_requests};

use bordereau_database::{ChangeNotices, Connection, DatabaseError, Transaction, postgres_step};
pub use bordereau_database::{OfficeDatabase, OfficeError, OfficeObstacle, OfficeProof, OfficeTrust};
pub use bordereau_file_storage::{BOUND_KB, FilePlace, FileStorage, OfficeFiles, StorageCache};

use crate::copy_notice::{CopyScope, bind_to};
use crate::migrations::{MIGRATIONS, known_steps};
use crate::{ActorTimestamp, StoreError, audit, fresh_id, stored_files};
use bordereau_api::Environment;

/// PostgreSQL's versions of SQLite functions, and the protection of the audit log.
const WORKSPACE: &str = include_str!("workspace.sql");
/// The roles' privileges.
const ROLES: &str = include_str!("roles.sql");
/// The counter of requests.
const REQUESTS: &str = include_str!("requests.sql");
/// Notifications of changes.
const NOTICES: &str = include_str!("notices.sql");
/// The workspace's name in the text of the roles.
const WORKSPACE_NAME: &str = "WORKSPACE";
/// Number of a workspace's schema steps.
const STEPS: &str = "SELECT steps FROM store_schema";
/// The oldest server that understands these statements.
const OLDEST_SERVER: i64 = 150_000;

/// State of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceStatus {
    /// Steps of its schema.
    pub steps: i64,
    /// Steps that this version knows.
    pub known: i64,
    /// The signed-in person, as the database knows them.
    pub user: String,
    /// The highest of the workspace's roles that they have; empty for none.
    pub role: String,
    /// Version of the server.
    pub server: String,
    /// Batches; 0 where the workspace is of another version.
    pub batches: i64,
    /// Rows of batches; 0 where the workspace is of another version.
    pub rows: i64,
    /// Where larger files are written.
    pub files: OfficeFiles,
}

/// Creates the workspace if missing, and brings an older one to the newest step: all or nothing. The person must own
/// it and be allowed to create roles.
///
/// # Errors
/// [`StoreError::TooNew`] where a newer version wrote it.
pub fn create_workspace(database: &OfficeDatabase) -> Result<(), StoreError> {
    let mut connection = Connection::open_office(database)?;
    ensure_server(&connection)?;
    let transaction = connection.transaction()?;
    let name = database.workspace.as_str();
    if !has_workspace(&transaction, name)? {
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
    for text in [REQUESTS, ROLES] {
        transaction.execute_batch(&text.replace(WORKSPACE_NAME, name))?;
    }
    transaction.execute_batch(NOTICES)?;
    Ok(transaction.commit()?)
}

/// State of the workspace, and who is signed in.
pub fn workspace_status(database: &OfficeDatabase) -> Result<WorkspaceStatus, StoreError> {
    let connection = Connection::open_office(database)?;
    let (user, server, role) = find_person(&connection, database)?;
    let steps = read_steps(&connection)?;
    let mut status =
        WorkspaceStatus { steps, known: known_steps(), user, role, server, ..WorkspaceStatus::default() };
    // Don't query tables of another version.
    if steps == status.known {
        status.batches = connection.query_row("SELECT count(*) FROM batches", [], |row| row.get(0))?;
        status.rows = connection.query_row("SELECT count(*) FROM batch_rows", [], |row| row.get(0))?;
        status.files = files_in_use(&connection)?;
    }
    Ok(status)
}

/// The signed-in person, the version of the server, and the highest of the workspace's roles that they have.
fn find_person(
    connection: &Connection,
    database: &OfficeDatabase,
) -> Result<(String, String, String), StoreError> {
    let sql = "SELECT CAST(session_user AS TEXT), current_setting('server_version'), coalesce((SELECT r.word
         FROM (VALUES ('administrator', 4), ('manager', 3), ('clerk', 2), ('reader', 1)) AS r (word, rank)
         JOIN pg_roles g ON g.rolname = ?1 || '_' || r.word
         WHERE pg_has_role(session_user, g.oid, 'MEMBER') ORDER BY r.rank DESC LIMIT 1), '')";
    Ok(connection.query_row(sql, [&database.workspace], |row| row.try_into())?)
}

/// The place for an office's new larger files.
pub fn files_in_use(connection: &Connection) -> Result<OfficeFiles, StoreError> {
    Ok(stored_files::place_in_use(connection)?.map(|(_, files)| files).unwrap_or_default())
}

/// Sets the place for new larger files, after a file was written and read there; existing files stay where they are.
/// Needs an administrator.
///
/// # Errors
/// [`StoreError::FileStorage`] where no file can be written there: nothing is changed.
pub fn change_files(database: &OfficeDatabase, files: &OfficeFiles, at: &str) -> Result<(), StoreError> {
    files.check()?;
    let mut connection = Connection::open_office(database)?;
    ensure_current(&connection)?;
    let may = "SELECT has_table_privilege('file_places', 'INSERT')";
    if !connection.query_row(may, [], |row| row.get::<bool>(0))? {
        return Err(office_error(OfficeObstacle::Role, "an administrator says where files are"));
    }
    let under = match stored_files::list_places(&connection)?.pop() {
        Some((_, before)) => before.under,
        None => format!("{}-{}", database.workspace, fresh_id(&connection)?),
    };
    let files = &OfficeFiles { under, ..files.clone() };
    if files.place != FilePlace::Database {
        FileStorage::open(files, &database.storage_key)?.try_out()?;
    }
    let now = ActorTimestamp { at: at.to_owned(), ms: 0, by: database.user.clone() };
    stored_files::add_place(&mut connection, files, &now)
}

/// Result of checking a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceCheck {
    /// Entries of the audit log, and of copied logs.
    pub audit_entries: usize,
    /// Files outside of the database that were checked.
    pub files: usize,
    /// What is wrong with any of them, in sentences.
    pub faults: Vec<String>,
}

/// Checks that no entry of the audit log was changed, removed or inserted, or names someone else than who wrote it, and
/// that every file outside of the
/// database has the content that was written.
///
/// # Errors
/// [`StoreError::Damaged`] where an entry was; [`StoreError::FileStorage`] where files can't be read now.
pub fn check_workspace(database: &OfficeDatabase) -> Result<WorkspaceCheck, StoreError> {
    let mut connection = Connection::open_office(database)?;
    ensure_current(&connection)?;
    let moment = connection.snapshot()?;
    let log = audit::list_entries(&moment)?;
    let faults = audit::describe_forged(&log.entries);
    if !log.intact && faults.is_empty() {
        return Err(StoreError::Damaged("the chain of the audit log is broken".to_owned()));
    }
    let audit_entries = log.entries.len() + log.copied.len();
    let mut check = WorkspaceCheck { audit_entries, faults, ..WorkspaceCheck::default() };
    let storages = StorageCache::with_key(&database.storage_key);
    for (_, content) in stored_files::read_files(&moment, &storages)? {
        check.files += 1;
        match content {
            Err(StoreError::FileStorage(error)) if error.is_of_one_file() => {
                check.faults.push(error.sentence())
            }
            content => drop(content?),
        }
    }
    Ok(check)
}

/// A person working on an office.
#[derive(Clone, Debug)]
pub struct OfficeSeat {
    /// The database, and their name there.
    pub database: OfficeDatabase,
    /// The highest of the workspace's roles that they have; empty for none.
    pub role: String,
    /// Notifications of changes by others.
    pub notices: ChangeNotices,
    /// Cache of its larger files, with this computer's key for them.
    pub files: Arc<StorageCache>,
}

impl OfficeSeat {
    /// Whether their role lets them send in this environment.
    pub fn may_send(&self, environment: Environment) -> bool {
        match self.role.as_str() {
            "manager" | "administrator" => true,
            "clerk" => environment != Environment::Production,
            _ => false,
        }
    }

    /// Whether their role lets them change anything; a reader can't.
    pub fn may_work(&self) -> bool {
        self.may_send(Environment::Practice)
    }
}

/// Starts a desk's work on an office of this version.
pub(crate) fn open_seat(database: OfficeDatabase) -> Result<(Connection, OfficeSeat), StoreError> {
    let mut connection = Connection::open_office(&database)?;
    ensure_current(&connection)?;
    notice_copy(&mut connection)?;
    let (_, _, role) = find_person(&connection, &database)?;
    let notices = connection.follow_changes()?;
    let files = Arc::new(StorageCache::with_key(&database.storage_key));
    Ok((connection, OfficeSeat { database, role, notices, files }))
}

/// Before any work: reconnects a lost connection, and checks the version.
pub(crate) fn make_ready(connection: &mut Connection) -> Result<(), StoreError> {
    if !connection.is_office() {
        return Ok(());
    }
    let is_new = connection.ensure_connected()?;
    ensure_current(connection)?;
    // It may be another host now, after a takeover.
    if is_new { notice_copy(connection) } else { Ok(()) }
}

/// A restored database, or a host that took over, may hold rows as unsent that were sent: it counts as a copy, like
/// a data folder.
fn notice_copy(connection: &mut Connection) -> Result<(), StoreError> {
    let sql = "SELECT s.system_identifier || ' ' || d.oid || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
         FROM pg_control_system() s, pg_database d WHERE d.datname = current_database()";
    let identity: String = connection.query_row(sql, [], |row| row.get(0))?;
    // A clerk marks what they may send; a reader, who sends nothing, leaves it to the others.
    for scope in [CopyScope::All, CopyScope::WithoutProduction] {
        match bind_to(connection, &identity, 0, scope) {
            Err(StoreError::Database(DatabaseError::Office(error)))
                if error.obstacle == OfficeObstacle::Role => {}
            bound => return bound,
        }
    }
    Ok(())
}

/// Refuses a workspace of any other version, now and in every transaction: a newer one can't be understood, and an
/// older one is upgraded by its administrator, not by the first desk.
fn ensure_current(connection: &Connection) -> Result<(), StoreError> {
    Ok(connection.expect_version(STEPS, known_steps())?)
}

fn ensure_server(connection: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT CAST(current_setting('server_version_num') AS BIGINT)";
    let version: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    if version >= OLDEST_SERVER {
        return Ok(());
    }
    Err(office_error(OfficeObstacle::Settings, "the server is older than PostgreSQL 15"))
}

fn has_workspace(transaction: &Transaction<'_>, name: &str) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = ?1)";
    Ok(transaction.query_row(sql, [name], |row| row.get(0))?)
}

fn read_steps(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row(STEPS, [], |row| row.get(0))?)
}

fn office_error(obstacle: OfficeObstacle, text: &str) -> StoreError {
    DatabaseError::Office(OfficeError::of(obstacle, text)).into()
}
