//! The table `assignments`: who of an office does something, and the note beside it.

use std::collections::HashMap;

use bordereau_api::{Assignment, WorkKind};
use bordereau_database::{Connection, DatabaseError, Row, params};

use crate::{ActorTimestamp, StoreError, Word};

/// The step that made it. Due dates are the same in every profile and are told apart by it; all else has an id of its
/// own.
pub(crate) const CREATE_ASSIGNMENTS: &str = include_str!("assignments.sql");

/// What is assigned, of one profile where the kind has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedItem {
    /// What it is.
    pub kind: WorkKind,
    /// Its profile; empty for what has an id of its own.
    pub profile_id: String,
    /// Its id.
    pub id: String,
}

/// Everything of a kind that someone does or that has a note, by its id.
pub fn list_assignments(
    connection: &Connection,
    kind: WorkKind,
    profile_id: &str,
) -> Result<HashMap<String, Assignment>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT item, person, note, by_whom, at FROM assignments WHERE kind = ?1 AND profile_id = ?2",
    )?;
    let found = statement
        .query_map(params![Word(kind), profile_id], |row| Ok((row.get(0)?, read_assignment(row, 1)?)))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Person, note, who said so and when, from this column on.
pub(crate) fn read_assignment(row: &Row<'_>, from: usize) -> Result<Assignment, DatabaseError> {
    Ok(Assignment {
        person: row.get(from)?,
        note: row.get(from + 1)?,
        by: row.get(from + 2)?,
        at: row.get(from + 3)?,
    })
}

/// Assigns these to a person, or to nobody; without a note the one that is there stays. What is neither assigned nor
/// noted has no row.
///
/// # Errors
/// [`StoreError::Missing`] where one of them isn't there any more; then none was assigned.
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
        // A due date is calculated; there is no row of it.
        WorkKind::DueDate => return Ok(()),
    };
    match connection.prepare_cached(sql)?.query_row([&item.id], |row| row.get::<bool>(0))? {
        true => Ok(()),
        false => Err(StoreError::Missing(what)),
    }
}

/// A batch is the work of whom the draft was that it is made of.
pub(crate) fn pass_to_batch(connection: &Connection, draft: &str, batch: &str) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO assignments (kind, profile_id, item, person, note, at, by_whom)
         SELECT ?3, '', ?2, person, note, at, by_whom FROM assignments WHERE kind = ?4 AND item = ?1",
        params![draft, batch, Word(WorkKind::Batch), Word(WorkKind::Draft)],
    )?;
    Ok(())
}

/// Nothing is assigned of what is gone; its note goes with it.
pub(crate) fn forget_removed(connection: &Connection) -> Result<(), StoreError> {
    connection.execute(
        "DELETE FROM assignments WHERE (kind = ?1 AND NOT EXISTS (SELECT 1 FROM batches b WHERE b.id = item))
         OR (kind = ?2 AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.id = item))
         OR (kind = ?3 AND NOT EXISTS (SELECT 1 FROM events e WHERE CAST(e.seq AS TEXT) = item))",
        params![Word(WorkKind::Batch), Word(WorkKind::Draft), Word(WorkKind::Event)],
    )?;
    Ok(())
}
