//! The table `due_marks`: a person's marks on due dates, which no record shows.

use std::collections::HashMap;
use std::str::FromStr;

use bordereau_api::{DueMark, DueMarkKind, DueMarkView};
use bordereau_database::{Connection, params};

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
        Ok((row.get(0)?, DueMarkView { kind, note: row.get(2)?, at: row.get(3)?, by: row.get(4)? }))
    })?;
    Ok(marks.into_iter().collect())
}

/// Marks a due date; open without a note removes the mark.
pub fn mark_due(
    connection: &Connection,
    profile_id: &str,
    mark: &DueMark,
    now: &ActorTimestamp,
) -> Result<(), StoreError> {
    if mark.kind == DueMarkKind::Open && mark.note.is_empty() {
        connection
            .execute("DELETE FROM due_marks WHERE profile_id = ?1 AND entry = ?2", [profile_id, &mark.id])?;
        return Ok(());
    }
    let kind: &'static str = mark.kind.into();
    connection.execute(
        "INSERT INTO due_marks (profile_id, entry, kind, note, at, by_whom) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (profile_id, entry) DO UPDATE SET kind = excluded.kind, note = excluded.note,
         at = excluded.at, by_whom = excluded.by_whom",
        params![profile_id, mark.id, kind, mark.note, now.at, now.by],
    )?;
    Ok(())
}
