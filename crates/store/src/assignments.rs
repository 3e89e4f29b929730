//! The table `assignments`: who in an office does what, with a note.

use std::collections::HashMap;

use bordereau_api::{Assignment, WorkKind};
use bordereau_database::{Connection, DatabaseError, Row, params};

use crate::{ActorTimestamp, StoreError, Word, list_rows};

/// The step that made it. Due dates are the same in every profile, so the profile is part of their key; all else has
/// an id of its own.
pub(crate) const CREATE_ASSIGNMENTS: &str = include_str!("assignments.sql");

/// Something that can be assigned; of one profile where its kind needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedItem {
    /// What it is.
    pub kind: WorkKind,
    /// Its profile; empty for kinds with an id of their own.
    pub profile_id: String,
    /// Its id.
    pub id: String,
}

/// All assignments and notes of a kind, by id.
pub fn list_assignments(
    connection: &Connection,
    kind: WorkKind,
    profile_id: &str,
) -> Result<HashMap<String, Assignment>, StoreError> {
    let sql = "SELECT item, person, note, by_whom, at FROM assignments WHERE kind = ?1 AND profile_id = ?2";
    let read = |row: &Row<'_>| Ok((row.get(0)?, read_assignment(row, 1)?));
    Ok(list_rows(connection, sql, params![Word(kind), profile_id], read)?.into_iter().collect())
}

/// Reads person, note, who assigned it and when, from this column on.
pub(crate) fn read_assignment(row: &Row<'_>, from: usize) -> Result<Assignment, DatabaseError> {
    Ok(Assignment {
        person: row.get(from)?,
        note: row.get(from + 1)?,
        by: row.get(from + 2)?,
        at: row.get(from + 3)?,
    })
}

/// Assigns these items to a person, or to nobody; without a note the existing one stays. An item without assignment
/// and note has no row.
///
/// # Errors
/// [`StoreError::Missing`] where one of them no longer exists; then none was assigned.
pub fn assign(
    connection: &mut Connection,
    items: &[AssignedItem],
    person: &str,
    note: Option<&str>,
    now: &ActorTimestamp,
) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    for item in items {
        ensure_there(&transaction, item)?;
        transaction
            .prepare_cached(
                "INSERT INTO assignments (kind, profile_id, item, person, note, at, by_whom)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?7, ?8) ON CONFLICT (kind, profile_id, item) DO UPDATE SET
                 person = excluded.person, at = excluded.at, by_whom = excluded.by_whom,
                 note = CASE WHEN ?6 = 1 THEN excluded.note ELSE assignments.note END",
            )?
            .execute(params![
                Word(item.kind),
                item.profile_id,
                item.id,
                person,
                note.unwrap_or_default(),
                note.is_some(),
                now.at,
                now.by
            ])?;
    }
    transaction.execute("DELETE FROM assignments WHERE person = '' AND note = ''", [])?;
    Ok(transaction.commit()?)
}

fn ensure_there(connection: &Connection, item: &AssignedItem) -> Result<(), StoreError> {
    let (sql, what) = match item.kind {
        WorkKind::Batch => ("SELECT EXISTS (SELECT 1 FROM batches WHERE id = ?1)", "batch"),
        WorkKind::Draft => ("SELECT EXISTS (SELECT 1 FROM reviews WHERE id = ?1)", "review"),
        WorkKind::Event => ("SELECT EXISTS (SELECT 1 FROM events WHERE CAST(seq AS TEXT) = ?1)", "event"),
        // A due date is calculated and has no row.
        WorkKind::DueDate => return Ok(()),
    };
    match connection.prepare_cached(sql)?.query_row([&item.id], |row| row.get::<bool>(0))? {
        true => Ok(()),
        false => Err(StoreError::Missing(what)),
    }
}

/// Assigns a batch to the person who had its draft.
pub(crate) fn pass_to_batch(connection: &Connection, draft: &str, batch: &str) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO assignments (kind, profile_id, item, person, note, at, by_whom)
         SELECT ?3, '', ?2, person, note, at, by_whom FROM assignments WHERE kind = ?4 AND item = ?1",
        params![draft, batch, Word(WorkKind::Batch), Word(WorkKind::Draft)],
    )?;
    Ok(())
}

/// Removes assignments and notes of what no longer exists.
pub(crate) fn forget_removed(connection: &Connection) -> Result<(), StoreError> {
    connection.execute(
        "DELETE FROM assignments WHERE (kind = ?1 AND NOT EXISTS (SELECT 1 FROM batches b WHERE b.id = item))
         OR (kind = ?2 AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.id = item))
         OR (kind = ?3 AND NOT EXISTS (SELECT 1 FROM events e WHERE CAST(e.seq AS TEXT) = item))",
        params![Word(WorkKind::Batch), Word(WorkKind::Draft), Word(WorkKind::Event)],
    )?;
    Ok(())
}
