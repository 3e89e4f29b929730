//! The order of the schema's steps, which are beside their tables; `user_version` counts the steps done.

use std::path::{Path, PathBuf};

use bordereau_database::Connection;

use crate::{
    StoreError, assignments, audit, batches, declining_carriers, due_marks, events, import_runs, list_rows,
    mapping_versions, place, profiles, quotes, reviews, saved_searches, stored_files, unread_answers,
    uploads, values, watched_files, workspace::people,
};

/// Each step, table by table, is final once released: a change is a new step.
pub(super) const MIGRATIONS: &[&[&str]] = &[
    &[profiles::CREATE_PROFILES, quotes::CREATE_QUOTES, values::CREATE_VALUES],
    &[reviews::CREATE_REVIEWS],
    &[batches::CREATE_BATCHES],
    &[batches::ADD_KEPT_WARNINGS, reviews::ADD_UNATTENDED],
    &[events::CREATE_EVENTS],
    &[saved_searches::CREATE_SAVED_SEARCHES],
    &[uploads::CREATE_UPLOADS],
    &[declining_carriers::CREATE_DECLINING_CARRIERS],
    &[uploads::ADD_UPLOAD_DAY],
    &[uploads::ADD_CONTENT_FILE],
    &[events::CREATE_EVENT_WORDINGS],
    &[batches::ADD_LOST_SINCE],
    &[batches::ADD_EVIDENCE],
    &[batches::RESPELL_CANCELED],
    &[place::CREATE_STORE_PLACE],
    &[unread_answers::CREATE_UNREAD_ANSWERS],
    &[batches::ADD_SINGLE],
    &[due_marks::ADD_MARK_KIND],
    &[mapping_versions::CREATE_MAPPING_VERSIONS],
    &[watched_files::CREATE_WATCHED_FILES, batches::ADD_ROW_SOURCE],
    &[import_runs::CREATE_IMPORT_RUNS],
    &[reviews::ADD_EXCLUDED_COUNT],
    &[profiles::CREATE_PROFILE_FILES],
    &[assignments::CREATE_ASSIGNMENTS, events::CREATE_EVENT_READS],
    &[audit::CREATE_COPIED_AUDIT],
    &[stored_files::CREATE_STORED_FILES],
    &[reviews::ADD_JOINED_COUNT],
    &[quotes::ADD_AUTHOR, audit::ADD_SIGNED_BY],
    &["CREATE INDEX batch_rows_numbers ON batch_rows (batch, transaction_id);"],
    &[people::CREATE_PEOPLE],
    &[batches::ADD_DOCUMENT_PLACE],
];

/// Brings the store to the newest step; refuses one written by a newer version. A store with content is copied
/// beside itself first.
pub(super) fn migrate_schema(
    connection: &mut Connection,
    path: &Path,
    steps: &[&[&str]],
) -> Result<(), StoreError> {
    let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    let found = steps_done(connection, known)?;
    if found == known {
        return Ok(());
    }
    if found > 0 {
        back_up(connection, path, found)?;
    }
    // Two processes may start at once: the second one finds the work done inside the lock.
    let transaction = connection.transaction()?;
    let found = steps_done(&transaction, known)?;
    let sql = "SELECT count(*) FROM sqlite_schema";
    if found == 0 && transaction.query_row(sql, [], |row| row.get::<i64>(0))? > 0 {
        return Err(StoreError::Damaged("it is a database of another program".to_owned()));
    }
    for step in steps.iter().skip(usize::try_from(found).unwrap_or_default()) {
        step.iter().try_for_each(|part| transaction.execute_batch(part))?;
    }
    transaction.execute_batch(&format!("PRAGMA user_version = {known}"))?;
    Ok(transaction.commit()?)
}

/// How many steps this version knows.
pub(super) fn known_steps() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Refuses a store written by a newer version; returns how many steps it lacks.
pub(super) fn ensure_known(connection: &Connection) -> Result<i64, StoreError> {
    Ok(known_steps() - steps_done(connection, known_steps())?)
}

/// Refuses a store of any other version, where it is only read.
pub(super) fn ensure_current(connection: &Connection) -> Result<(), StoreError> {
    match ensure_known(connection)? {
        0 => Ok(()),
        _ => Err(StoreError::NotWritable(crate::WriteObstacle::ReadOnly)),
    }
}

fn steps_done(connection: &Connection, known: i64) -> Result<i64, StoreError> {
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if !(0..=known).contains(&found) {
        return Err(StoreError::TooNew { found, known });
    }
    // A view in place of a table, or a trigger, could run without end.
    let sql = "SELECT sql FROM sqlite_schema WHERE type IN ('view', 'trigger')";
    let code: Vec<String> = list_rows(connection, sql, [], |row| row.get(0))?;
    let is_own = |code: &String| MIGRATIONS.iter().flat_map(|step| *step).any(|part| part.contains(code));
    if code.iter().all(is_own) {
        return Ok(found);
    }
    Err(StoreError::Damaged("it has views or triggers of another program".to_owned()))
}

/// Refuses a backup without tables.
pub(super) fn ensure_filled(connection: &Connection) -> Result<(), StoreError> {
    let is_filled = ensure_known(connection)? < known_steps();
    if is_filled { Ok(()) } else { Err(StoreError::Damaged("it has no tables".to_owned())) }
}

/// A consistent copy, such as `desk.sqlite.before-2`; written under another name first, so that a partial copy never
/// looks like one.
fn back_up(connection: &Connection, path: &Path, found: i64) -> Result<(), StoreError> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let copy = path.with_file_name(format!("{name}.before-{}", found + 1));
    let unfinished: PathBuf = path.with_file_name(format!("{name}.copy-{}", std::process::id()));
    let _ = std::fs::remove_file(&unfinished);
    connection.execute("VACUUM INTO ?1", [unfinished.to_string_lossy().as_ref()])?;
    // As private as the store itself: others may be able to read the folder.
    super::make_private_file(&unfinished)?;
    std::fs::rename(&unfinished, &copy)?;
    copy.parent().into_iter().for_each(crate::sync_folder);
    Ok(())
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
        migrate_schema(&mut Connection::open(&path).unwrap(), &path, &[&[first]]).unwrap();
        assert!(!folder.path().join("desk.sqlite.before-1").exists(), "an empty store is not copied");

        migrate_schema(&mut Connection::open(&path).unwrap(), &path, &[&[first], &[second]]).unwrap();
        let copy = Connection::open(folder.path().join("desk.sqlite.before-2")).unwrap();
        assert_eq!(steps_done(&copy, 2).unwrap(), 1);
        let x: i64 = copy.query_row("SELECT x FROM a", [], |row| row.get(0)).unwrap();
        assert_eq!(x, 7);
    }

    #[test]
    fn a_database_of_another_program_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        for (at, made) in ["CREATE TABLE theirs (x INTEGER);", "PRAGMA user_version = -1;"].iter().enumerate()
        {
            let path = folder.path().join(format!("{at}.sqlite"));
            let mut connection = Connection::open(&path).unwrap();
            connection.execute_batch(made).unwrap();
            let before = std::fs::read(&path).unwrap();
            assert!(migrate_schema(&mut connection, &path, MIGRATIONS).is_err(), "{made}");
            assert!(std::fs::read(&path).unwrap() == before, "{made}");
        }
    }

    #[test]
    fn a_store_whose_views_or_triggers_could_run_without_end_is_refused() {
        let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n";
        let made = [
            format!("DROP TABLE quotes; CREATE VIEW quotes AS {endless}"),
            format!("CREATE TRIGGER t BEFORE INSERT ON quotes BEGIN SELECT * FROM ({endless}); END"),
        ];
        for made in made {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(crate::FILE);
            drop(crate::Store::open(folder.path()).unwrap());
            Connection::open(&path).unwrap().execute_batch(&made).unwrap();
            let opened = crate::Store::open(folder.path()).map(drop);
            assert!(matches!(opened, Err(StoreError::Damaged(_))), "{made}: {opened:?}");
            let checked = crate::backup::check_copy(&path, None);
            assert!(matches!(checked, Err(StoreError::Damaged(_))), "{made}: {checked:?}");
        }
    }

    #[test]
    fn a_step_that_fails_leaves_the_store_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.sqlite");
        let first = "CREATE TABLE a (x INTEGER) STRICT;";
        migrate_schema(&mut Connection::open(&path).unwrap(), &path, &[&[first]]).unwrap();
        let broken = "CREATE TABLE b (x INTEGER) STRICT; NONSENSE;";
        assert!(
            migrate_schema(&mut Connection::open(&path).unwrap(), &path, &[&[first], &[broken]]).is_err()
        );
        let connection = Connection::open(&path).unwrap();
        assert_eq!(steps_done(&connection, 2).unwrap(), 1);
        assert!(connection.prepare_cached("SELECT * FROM b").is_err());
    }

    #[test]
    fn what_was_canceled_before_version_0_2_still_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.sqlite");
        let mut connection = Connection::open(&path).unwrap();
        let respelling =
            MIGRATIONS.iter().position(|step| step.contains(&batches::RESPELL_CANCELED)).unwrap();
        migrate_schema(&mut connection, &path, &MIGRATIONS[..respelling]).unwrap();
        let before = ["cancel", "led"].concat();
        connection
            .execute_batch(&format!(
                "INSERT INTO batches (id, name, profile_id, profile_name, environment, state, totals, sent_by, \
                     created_at, day) VALUES ('b', '', '', '', '', '{before}', '', '', '', '');
                 INSERT INTO batch_parts (batch, part, state) VALUES (1, 1, '{before}'), (1, 2, 'processed');"
            ))
            .unwrap();
        migrate_schema(&mut connection, &path, MIGRATIONS).unwrap();
        let states = "SELECT state FROM batches UNION ALL SELECT state FROM batch_parts ORDER BY state";
        let states: Vec<String> = connection
            .prepare_cached(states)
            .and_then(|mut found| found.query_map([], |row| row.get(0))?.collect())
            .unwrap();
        assert_eq!(states, ["canceled", "canceled", "processed"]);
    }
}
