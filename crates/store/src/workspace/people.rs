//! The people of an office: who has a role, and the name that each is shown by (the table `people`).

use std::collections::BTreeMap;

use bordereau_database::{Connection, OfficeDatabase};

use crate::{ActorTimestamp, StoreError, audit, list_rows};

/// The step of the schema that made the names.
pub(crate) const CREATE_PEOPLE: &str =
    "CREATE TABLE people (role TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT;";

/// Roles of everyone whose role lets them work. A superuser is included only while signed in or with a role.
pub fn list_people(connection: &Connection, database: &OfficeDatabase) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT CAST(p.rolname AS TEXT) FROM pg_roles p JOIN pg_roles g ON g.rolname = ?1 || '_clerk'
         WHERE p.rolcanlogin AND pg_has_role(p.oid, g.oid, 'MEMBER')
         AND (NOT p.rolsuper OR p.rolname = session_user OR EXISTS (SELECT 1 FROM pg_auth_members m WHERE m.member = p.oid))
         ORDER BY p.rolname";
    list_rows(connection, sql, [&database.workspace], |row| row.get(0))
}

/// The names that people are shown by, by their role; who has none is shown by the role.
pub fn list_names(connection: &Connection) -> Result<BTreeMap<String, String>, StoreError> {
    let sql = "SELECT role, name FROM people ORDER BY role";
    Ok(list_rows(connection, sql, [], |row| row.try_into())?.into_iter().collect())
}

/// Sets the name that a person is shown by; an empty one removes it. The log keeps the role.
pub fn save_name(
    connection: &mut Connection,
    role: &str,
    name: &str,
    now: &ActorTimestamp,
) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    let removed = transaction.execute("DELETE FROM people WHERE role = ?1", [role])?;
    match name {
        // There is none, or it isn't theirs to remove.
        "" if removed == 0 => return Ok(()),
        "" => 0,
        name => transaction.execute("INSERT INTO people (role, name) VALUES (?1, ?2)", [role, name])?,
    };
    let text = if name.is_empty() { role } else { name };
    audit::append_entry(&transaction, &now.at, &now.by, &format!("{role} is shown as \"{text}\"."))?;
    Ok(transaction.commit()?)
}
