//! The table `profiles`: profiles as they were added; never a secret.

use bordereau_api::{Conflict, Profile, revision_of};
use bordereau_database::{Connection, OptionalRow};
use serde_json::Value;

use crate::{StoreError, list_rows};

/// The step of the schema that made it.
pub(crate) const CREATE_PROFILES: &str = include_str!("profiles.sql");

/// The step that added the files of an office's profiles.
pub(crate) const CREATE_PROFILE_FILES: &str = include_str!("profile_files.sql");

/// Stores a file of a profile for the other desks of the office.
pub fn store_profile_file(connection: &Connection, name: &str, content: &str) -> Result<(), StoreError> {
    // Without the conflict's column: the file may be there already and be of a profile that isn't seen here.
    let sql = "INSERT INTO profile_files (name, content) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    connection.execute(sql, [name, content])?;
    Ok(())
}

/// A file of a profile that a desk of the office stored.
pub fn load_profile_file(connection: &Connection, name: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT content FROM profile_files WHERE name = ?1";
    Ok(connection.query_row(sql, [name], |row| row.get(0)).optional()?)
}

/// All profiles in the order they were added.
pub fn list_profiles(connection: &Connection) -> Result<Vec<Profile>, StoreError> {
    let sql = format!("SELECT body FROM profiles WHERE {} ORDER BY added, id", visible(connection));
    let bodies: Vec<String> = list_rows(connection, &sql, [], |row| row.get(0))?;
    bodies.iter().map(|body| read_profile(body)).collect()
}

/// One profile.
pub fn find_profile(connection: &Connection, id: &str) -> Result<Option<Profile>, StoreError> {
    let sql = format!("SELECT body FROM profiles WHERE id = ?1 AND {}", visible(connection));
    let body: Option<String> = connection.query_row(&sql, [id], |row| row.get(0)).optional()?;
    body.map(|body| read_profile(&body)).transpose()
}

/// What a person of an office sees: everyone's and their own. Row security says the same, but not to whoever owns the
/// workspace.
fn visible(connection: &Connection) -> &'static str {
    let own = "coalesce(json_extract(body, '$.owner'), '') IN ('', CAST(session_user AS TEXT))";
    if connection.is_office() { own } else { "1 = 1" }
}

fn read_profile(body: &str) -> Result<Profile, StoreError> {
    let profile: Profile = serde_json::from_str(body)?;
    let revision = Some(revision_of(&content_of(&profile)?));
    Ok(Profile { revision, ..profile })
}

/// What is stored of a profile.
pub(crate) fn content_of(profile: &Profile) -> Result<Value, StoreError> {
    Ok(serde_json::to_value(Profile { revision: None, ..profile.clone() })?)
}

/// Refuses to replace a profile that someone else changed since it was read.
///
/// # Errors
/// [`StoreError::Conflict`].
pub fn ensure_unchanged(theirs: &Profile, mine: &Profile) -> Result<(), StoreError> {
    let read = mine.revision.as_deref();
    Ok(Conflict::ensure_none("profile", "", read, &content_of(theirs)?, &content_of(mine)?)?)
}

/// Stores a profile; one without an id gets one.
///
/// # Errors
/// [`StoreError::Conflict`] where someone else changed it since it was read, [`StoreError::Missing`] where they
/// removed it: nothing is stored.
pub fn store_profile(connection: &mut Connection, mut profile: Profile) -> Result<Profile, StoreError> {
    let transaction = connection.transaction()?;
    if profile.id.is_empty() {
        profile.id = fresh_id(&transaction)?;
    }
    let content = content_of(&profile)?;
    match find_profile(&transaction, &profile.id)? {
        Some(theirs) => ensure_unchanged(&theirs, &profile)?,
        None if profile.revision.is_some() => return Err(StoreError::Missing("profile")),
        None => {}
    }
    transaction.execute(
        "INSERT INTO profiles (id, body, added)
         VALUES (?1, ?2, (SELECT coalesce(max(added), 0) + 1 FROM profiles))
         ON CONFLICT (id) DO UPDATE SET body = excluded.body",
        [&profile.id, &content.to_string()],
    )?;
    transaction.commit()?;
    Ok(Profile { revision: Some(revision_of(&content)), ..profile })
}

/// Removes a profile with its saved searches.
pub fn remove_profile(connection: &Connection, id: &str) -> Result<(), StoreError> {
    if connection.execute("DELETE FROM profiles WHERE id = ?1", [id])? == 0 {
        return Err(StoreError::Missing("profile"));
    }
    crate::unread_answers::clear_unread(connection, id)?;
    connection.execute("DELETE FROM saved_searches WHERE profile = ?1", [id])?;
    Ok(())
}

/// 16 hexadecimal digits from the engine's own generator.
pub fn fresh_id(connection: &Connection) -> Result<String, StoreError> {
    let sql = if connection.is_office() { "SELECT fresh_id()" } else { "SELECT lower(hex(randomblob(8)))" };
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}
