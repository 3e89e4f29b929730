//! The schema, step by step; `user_version` counts the steps done.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};

use super::StoreError;

/// Each step is final once released: a change is a further step.
pub(super) const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE profiles (
        id TEXT PRIMARY KEY NOT NULL,
        body TEXT NOT NULL,
        added INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE quotes (
        id TEXT PRIMARY KEY NOT NULL,
        saved INTEGER NOT NULL CHECK (saved IN (0, 1)),
        name TEXT NOT NULL,
        request TEXT NOT NULL,
        answer TEXT,
        state TEXT NOT NULL,
        transaction_type TEXT NOT NULL,
        total TEXT,
        at TEXT NOT NULL,
        turn INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX quotes_newest ON quotes (saved, turn DESC);
    CREATE TABLE kept_values (
        name TEXT PRIMARY KEY NOT NULL,
        value TEXT NOT NULL,
        at TEXT NOT NULL
    ) STRICT;
",
    "
    CREATE TABLE reviews (
        id TEXT PRIMARY KEY NOT NULL,
        body TEXT NOT NULL,
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        row_count INTEGER NOT NULL,
        error_count INTEGER NOT NULL,
        at TEXT NOT NULL,
        turn INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE review_sources (
        review TEXT NOT NULL REFERENCES reviews (id) ON DELETE CASCADE,
        part INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (review, part)
    ) STRICT;
    CREATE TABLE review_steps (
        review TEXT NOT NULL REFERENCES reviews (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (review, number)
    ) STRICT;
    CREATE TABLE review_mappings (
        name TEXT NOT NULL,
        headers TEXT NOT NULL,
        body TEXT NOT NULL,
        turn INTEGER NOT NULL,
        PRIMARY KEY (name, headers)
    ) STRICT;
",
    include_str!("batches.sql"),
    "
    -- Warnings kept with a reason: those that went along, and those kept after the service had told them.
    ALTER TABLE batch_rows ADD COLUMN kept TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE batch_rows ADD COLUMN settled TEXT NOT NULL DEFAULT '[]';
    -- A draft that a command works on; it is no draft of the person's before the command leaves it to them.
    ALTER TABLE reviews ADD COLUMN unattended INTEGER NOT NULL DEFAULT 0 CHECK (unattended IN (0, 1));
",
    include_str!("events.sql"),
    "
    CREATE TABLE saved_searches (
        profile TEXT NOT NULL,
        name TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (profile, name)
    ) STRICT;
",
    include_str!("documents.sql"),
    "
    CREATE TABLE declining_carriers (
        key TEXT PRIMARY KEY NOT NULL,
        carrier TEXT NOT NULL,
        naic TEXT NOT NULL,
        contact TEXT NOT NULL,
        reason TEXT NOT NULL,
        turn INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX declining_carriers_newest ON declining_carriers (turn DESC);
",
    "
    -- The person's day of an upload: the first send of a day to production is confirmed.
    ALTER TABLE document_uploads ADD COLUMN day TEXT NOT NULL DEFAULT '';
",
    "
    -- Documents on their way lie in a folder, one file each, so that none is ever whole in memory.
    ALTER TABLE document_uploads ADD COLUMN content_file TEXT NOT NULL DEFAULT '';
",
    include_str!("event_wordings.sql"),
    "
    -- A part whose answer was lost: since when, and whether a person is asked about it.
    ALTER TABLE batch_parts ADD COLUMN lost_ms INTEGER;
    ALTER TABLE batch_parts ADD COLUMN asks INTEGER NOT NULL DEFAULT 0;
    UPDATE batch_parts SET lost_ms = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE state = 'unknown';
",
    include_str!("evidence.sql"),
];

/// Brings the store to the newest step; refuses one that a newer version wrote. A store with content is
/// copied beside itself first.
pub(super) fn migrate(connection: &mut Connection, path: &Path, steps: &[&str]) -> Result<(), StoreError> {
    let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    let found = version(connection)?;
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    if found == known {
        return Ok(());
    }
    if found > 0 {
        back_up(connection, path, found)?;
    }
    // Two processes may start at once: the second one finds the work done inside the lock.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?;
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    for step in steps.iter().skip(usize::try_from(found).unwrap_or_default()) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", known)?;
    transaction.commit()?;
    Ok(())
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// A consistent copy, `desk.sqlite.before-2` and the like; written under another name first, so that a
/// half-written copy is never taken for one.
fn back_up(connection: &Connection, path: &Path, found: i64) -> Result<(), StoreError> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let copy = path.with_file_name(format!("{name}.before-{}", found + 1));
    let unfinished: PathBuf = path.with_file_name(format!("{name}.copy-{}", std::process::id()));
    let _ = std::fs::remove_file(&unfinished);
    connection.execute("VACUUM INTO ?1", [unfinished.to_string_lossy().as_ref()])?;
    // As private as the store itself: the folder may be one that others read.
    super::make_private_file(&unfinished)?;
    std::fs::rename(&unfinished, &copy).map_err(StoreError::Folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_with_content_is_copied_before_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.sqlite");
        let first = "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (7);";
        let second = "ALTER TABLE a ADD COLUMN y INTEGER;";
        migrate(&mut Connection::open(&path).unwrap(), &path, &[first]).unwrap();
        assert!(!folder.path().join("desk.sqlite.before-1").exists(), "an empty store is not copied");

        migrate(&mut Connection::open(&path).unwrap(), &path, &[first, second]).unwrap();
        let copy = Connection::open(folder.path().join("desk.sqlite.before-2")).unwrap();
        assert_eq!(version(&copy).unwrap(), 1);
        let x: i64 = copy.query_row("SELECT x FROM a", [], |row| row.get(0)).unwrap();
        assert_eq!(x, 7);
    }

    #[test]
    fn a_step_that_fails_leaves_the_store_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.sqlite");
        let first = "CREATE TABLE a (x INTEGER) STRICT;";
        migrate(&mut Connection::open(&path).unwrap(), &path, &[first]).unwrap();
        let broken = "CREATE TABLE b (x INTEGER) STRICT; NONSENSE;";
        assert!(migrate(&mut Connection::open(&path).unwrap(), &path, &[first, broken]).is_err());
        let connection = Connection::open(&path).unwrap();
        assert_eq!(version(&connection).unwrap(), 1);
        assert!(connection.prepare("SELECT * FROM b").is_err());
    }
}
