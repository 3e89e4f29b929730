//! The table `due_marks`: a person's marks on due dates, which no record shows.

use std::collections::HashMap;
use std::str::FromStr;

use bordereau_api::{Conflict, DueMark, DueMarkKind, DueMarkView, revision_of};
use bordereau_database::{Connection, params};
use serde_json::{Value, json};

use crate::workspace::people::list_names;
use crate::{ActorTimestamp, StoreError, list_rows};

/// The step that added a mark's kind and note; all earlier marks meant done.
pub(crate) const ADD_MARK_KIND: &str = "
    ALTER TABLE due_marks ADD COLUMN kind TEXT NOT NULL DEFAULT 'done';
    ALTER TABLE due_marks ADD COLUMN note TEXT NOT NULL DEFAULT '';
";

/// All marks, by id of their due date.
pub fn list_due_marks(
    connection: &Connection,
    profile_id: &str,
) -> Result<HashMap<String, DueMarkView>, StoreError> {
    let sql = "SELECT entry, kind, note, at, by_whom FROM due_marks WHERE profile_id = ?1";
    let marks = list_rows(connection, sql, [profile_id], |row| {
        let kind: String = row.get(1)?;
        // An unknown kind from a newer version doesn't hide the entry.
        let kind = DueMarkKind::from_str(&kind).unwrap_or(DueMarkKind::Open);
        let note: String = row.get(2)?;
        let revision = revision_of(&content_of(kind, &note));
        Ok((row.get(0)?, DueMarkView { kind, note, at: row.get(3)?, by: row.get(4)?, revision }))
    })?;
    Ok(marks.into_iter().collect())
}

fn content_of(kind: DueMarkKind, note: &str) -> Value {
    json!({ "mark": <&str>::from(kind).replace('_', " "), "note": note })
}

/// Marks a due date, and returns the mark's revision; open without a note removes the mark. One that says the same
/// already stays whose it is.
///
/// # Errors
/// [`StoreError::Conflict`] where someone else changed the mark since it was read: nothing is changed.
pub fn mark_due(
    connection: &mut Connection,
    profile_id: &str,
    mark: &DueMark,
    now: &ActorTimestamp,
) -> Result<String, StoreError> {
    let transaction = connection.transaction()?;
    let mine = content_of(mark.kind, &mark.note);
    let none = content_of(DueMarkKind::Open, "");
    let found = list_due_marks(&transaction, profile_id)?.remove(&mark.id);
    let (theirs, by) = match found {
        None => (none.clone(), String::new()),
        Some(found) => {
            let by = list_names(&transaction)?.remove(&found.by).unwrap_or(found.by);
            (content_of(found.kind, &found.note), by)
        }
    };
    let no_mark = revision_of(&none);
    let read = mark.revision.as_deref().map(|read| if read.is_empty() { no_mark.as_str() } else { read });
    Conflict::ensure_none("due date", &by, read, &theirs, &mine)?;
    if mine == none {
        let sql = "DELETE FROM due_marks WHERE profile_id = ?1 AND entry = ?2";
        transaction.execute(sql, [profile_id, &mark.id])?;
    } else if mine != theirs {
        let kind: &'static str = mark.kind.into();
        transaction.execute(
            "INSERT INTO due_marks (profile_id, entry, kind, note, at, by_whom) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (profile_id, entry) DO UPDATE SET kind = excluded.kind, note = excluded.note,
             at = excluded.at, by_whom = excluded.by_whom",
            params![profile_id, mark.id, kind, mark.note, now.at, now.by],
        )?;
    }
    transaction.commit()?;
    Ok(revision_of(&mine))
}
